// The kasc language: KAS programs over streams, and programs over fields in the same style. docs/language.md explains
// each construct; the checks that no grammar can make (types, axes, order of the parts) are in compiler/frontend.
//
// Every decision is taken on at most three tokens, so that reading is linear in the length of the program.
grammar Kasc;

// Statements, with declarations, parameters, functions and inputs above those that say their names; requirements before the
// first statement; the outputs at the end. The order is checked afterwards: "a requirement must stand before the statements" is
// a better message than a syntax error. The compiler reads item by item, so that an error in one does not hide those in the next.
program
    : item* EOF
    ;

item
    : declaration
    | cellType
    | axisLength
    | parameter
    | option
    | list
    | function
    | procedure
    | importFile
    | inputs
    | requirement
    | statement
    | outputs
    ;

// matrix3x3 A, B;            streams of a type of the library
// float T[x, y] boundary mirror, q[t];     fields over named axes, the first axis is contiguous in memory
declaration
    : type=name declarator (',' declarator)* ';'
    ;

// type populations = float[19];     fields whose cells have so many words: populations f[x, y];
cellType
    : 'type' declared=name '=' of=name '[' INTEGER (',' INTEGER)* ']' ';'
    ;

// float c0[x, y] or uniform;           a field, or one number where the data or a setting give one
// float w[q] = {4/9.0, 1/9.0};         a table of constants
declarator
    : name (axes ('=' table)?)? boundary? layout? uniform?
    ;

// vector3 u[x, y] layout(soa);         in files and in Python an array for each word of a cell
layout
    : 'layout' '(' name ')'
    ;

// One number a cell of the first axis; of two axes a row of such for each cell of the second, and so on.
table
    : '{' tableEntry (',' tableEntry)* '}'
    ;

tableEntry
    : expression
    | table
    ;

uniform
    : 'or' 'uniform'
    ;

// None: the field is one number.
axes
    : '[' (name (',' name)*)? ']'
    ;

// boundary mirror            boundary (x: periodic, y: keep(2) / value(37), mirror)
boundary
    : 'boundary' (face | '(' faces (',' faces)* ')')
    ;

// Of one axis, or of all that are not named; "low / high" where the two differ.
faces
    : (axis=name ':')? low=face ('/' high=face)?
    ;

face
    : 'keep' '(' expression ')'      # keepFace
    | 'value' '(' expression ')'     # valueFace
    | '-'? 'mirror'                  # mirrorFace
    | 'periodic'                     # periodicFace
    ;

// axis u = extent(x) / 2;    the length of an axis that no input has
axisLength
    : 'axis' name '=' expression ';'
    ;

// param float dt;            param int steps = 100, every = 10;
parameter
    : 'param' type=name parameterEntry (',' parameterEntry)* ';'
    ;

parameterEntry
    : name ('=' expression)?
    ;

// option absorbing = 0;      a number that is known when the program is compiled
// option source = none in (none, additive);      one of some words, which are the numbers from 0 on
option
    : 'option' name '=' expression ('in' '(' choices+=name (',' choices+=name)* ')')? ';'
    ;

// function lap(u) = u[-1] - 2*u + u[1];          function f(u) { let g = u[1] - u; return g/(1 + g*g); }
function
    : 'function' callee=name '(' (name (',' name)*)? ')' ('=' expression ';' | '{' local* 'return' expression ';' '}')
    ;

// let g = u[x + 1] - u;      a name for an expression, in what follows in the function or the block
local
    : 'let' name '=' expression ';'
    ;

// procedure smooth(u, f) { u = u + 0.1*(laplace2(u, 1) - f); }        its items stand wherever smooth(T, q); does
procedure
    : 'procedure' called=(NAME | NAME_OF_PARTS) '(' (name (',' name)*)? ')' block
    ;

callStatement
    : called=(NAME | NAME_OF_PARTS) '(' (expression (',' expression)*)? ')' ';'
    ;

// list space = (x, y, z if Nz > 1);      for a in space { … }      for a in (x, y), k in (kx, y) { … }
// The items stand once for each entry, which takes the place of the name: u_{a}[a] is u_x[x] for x.
list
    : 'list' name '=' entries ';'
    ;

forEach
    : 'for' binding (',' binding)* block
    ;

binding
    : name 'in' (entries | of=name)
    ;

entries
    : '(' entry (',' entry)* ')'
    ;

entry
    : (name | sign='-'? (INTEGER | REAL)) ('if' expression)?
    ;

// import "waves.kas";        its functions, procedures, types and lists
importFile
    : 'import' TEXT ';'
    ;

inputs
    : 'input' name (',' name)* ';'
    ;

// require(beta >= 0, dt > 0);    what must hold at every cell of the inputs: checked before a run
requirement
    : 'require' '(' expression (',' expression)* ')' ';'
    ;

outputs
    : 'return' name (',' name)* ';'
    ;

statement
    : assignment
    | loop
    | choice
    | forEach
    | local
    | callStatement
    ;

// if (absorbing == 1) { … } else { … }      one of both. Of numbers and options, it is chosen when the program is compiled, as if the
// other were not there; else it holds statements, and the run chooses.
choice
    : 'if' '(' expression ')' then=block ('else' (otherwise=block | choice))?
    ;

block
    : '{' item* '}'
    ;

// M = mmul33(A, B);          T = T + dt*lap(T);          trace[t = n] = T[x = px, y = py];
// T[x = px, y = py] += energy[t = n];                    T = T + dt*lap(T) coloured(3);
// u.x = 0;                   one word of the cells
assignment
    : name indices? word? op=('=' | '+=') expression colours? ';'
    ;

colours
    : 'coloured' '(' expression ')'
    ;

// for (n = 0; n < steps; n++) { … }         for (n = 0; n < most && residual > 1e-6; n++) { … }
// while (residual > 1e-6) { … }             statements, and declarations of the fields that they need
loop
    : (loopHead | whileHead) block
    ;

whileHead
    : 'while' '(' expression ')'
    ;

loopHead
    : 'for' '(' name '=' expression ';' name '<' expression ';' name '++' ')'
    ;

// Binds strongest first. Operators of one line associate to the left, ?: to the right.
expression
    : name '(' (expression (',' expression)*)? ')'                  # call
    | name indices                                                  # access
    | name                                                          # nameUse
    | expression word                                               # wordUse
    | (INTEGER | REAL)                                              # number
    | '(' expression ')'                                            # parenthesised
    | '(' name (',' name)+ ')'                                      # namesInSum
    | op=('-' | '!' | '~') expression                               # unary
    | expression op=('*' | '/' | '%') expression                    # binary
    | expression op=('+' | '-') expression                          # binary
    | expression op=('<<' | '>>') expression                        # binary
    | expression op=('<' | '<=' | '>' | '>=') expression            # binary
    | expression op=('==' | '!=') expression                        # binary
    | expression op='&' expression                                  # binary
    | expression op='^' expression                                  # binary
    | expression op='|' expression                                  # binary
    | expression op='&&' expression                                 # binary
    | expression op='||' expression                                 # binary
    | <assoc=right> expression '?' expression ':' expression        # conditional
    ;

// u.x, F.xy, f.12, D.4_0     a word of a cell: by letters along its extents, by its number, or by one along each extent;
// D.4_{j}, D.{i}_{j} in a 'for … in'
word
    : '.' name
    | REAL
    | NUMBERED_WORD
    ;

// T[-1, 0, 0]                the neighbour: one constant offset an axis
// T[x = px, z = pz]          the named axes stand at an absolute position, the others stay
indices
    : '[' index (',' index)* ']'
    ;

index
    : (axis=name '=')? expression
    ;

// 'input', 'return', 'for', 'if' and 'else' are reserved. The other words of the language are names wherever a name can stand, so that
// no KAS program breaks on them.
name
    : NAME
    | NAME_OF_PARTS
    | 'let' | 'procedure' | 'list' | 'in' | 'import'
    | 'param' | 'function' | 'boundary' | 'keep' | 'value' | 'mirror' | 'periodic' | 'axis' | 'coloured'
    | 'option' | 'or' | 'uniform' | 'require' | 'type' | 'while' | 'layout'
    ;

NAME            : [A-Za-z_] [A-Za-z0-9_]* ;
// u_{a}, {u}_max: in the braces a name of a 'for … in' or an argument of a procedure, whose text takes its place.
NAME_OF_PARTS   : [A-Za-z_] [A-Za-z0-9_]* PART+
                | PART [A-Za-z0-9_]+ PART*
                ;
fragment PART   : '{' [A-Za-z_] [A-Za-z0-9_]* '}' [A-Za-z0-9_]* ;
TEXT            : '"' ~["\r\n]* '"' ;
INTEGER         : [0-9]+ ;
REAL            : ([0-9]+ '.' [0-9]* | '.' [0-9]+) EXPONENT? [fF]?
                | [0-9]+ EXPONENT [fF]?
                ;
NUMBERED_WORD   : '.' [0-9]+ ('_' [0-9]+ | '_' '{' [A-Za-z_] [A-Za-z0-9_]* '}')+ ;
fragment EXPONENT : [eE] [+-]? [0-9]+ ;

// No part of a program, but of its text: the formatter and the editor look at them.
COMMENT         : '/*' .*? '*/' -> channel(HIDDEN) ;
LINE_COMMENT    : '//' ~[\r\n]* -> channel(HIDDEN) ;
SPACE           : [ \t\r\n\f]+ -> skip ;

// Any other character: reported with its place before the parser starts.
UNKNOWN         : . ;
