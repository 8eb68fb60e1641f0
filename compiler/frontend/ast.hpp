#pragma once
// The program as it is written: names are not resolved, nothing is checked but the order of the parts and what follows
// from the text alone. Every node knows its place, so that later stages can point at the smallest span at fault.

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "foundation/cell_layout.hpp"
#include "foundation/outcome.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct Reduction;

namespace ast {

struct Name {
    std::string text;
    Span span;
};

struct Expression;
using ExpressionRef = std::shared_ptr<const Expression>;

enum class NumberForm { integer, real };
/// As written: its value depends on whether a real or an integer stands there.
struct Number {
    std::string text;
    NumberForm form = NumberForm::integer;
};
struct NameUse {
    std::string name;
};
/// T[-1, 0, 0] and T[x - 1]: no axis is set; T[z = pz]: the axis is set.
struct Index {
    std::optional<Name> axis;
    ExpressionRef value;
};
struct Access {
    Name variable;
    std::vector<Index> indices;
};
struct Call {
    Name callee;
    std::vector<ExpressionRef> arguments;
    /// The word of the result that is meant, where a function of the library is called; the arguments are words, too
    /// (cell_words.hpp).
    std::optional<std::size_t> word{};
    /// Where set, the call is this reduction, whatever the program calls so: the library's text said it.
    const Reduction* reduction = nullptr;
    /// Likewise of an intrinsic.
    std::optional<Intrinsic> intrinsic{};
};
struct Unary {
    UnaryOperator op;
    ExpressionRef operand;
};
struct Binary {
    BinaryOperator op;
    ExpressionRef left, right;
    Span op_span;
};
struct Conditional {
    ExpressionRef condition, then, otherwise;
};
/// u.x, F.xy, f.12: a word of a cell that has a shape.
struct WordUse {
    ExpressionRef cell;
    Name word;  ///< without the dot
};

struct Expression {
    std::variant<Number, NameUse, Access, Call, Unary, Binary, Conditional, WordUse> node;
    Span span;
};

struct Face {
    BoundaryKind kind = BoundaryKind::none;
    ExpressionRef argument;  ///< the n of keep(n), the v of value(v); else null
    Span span;
    bool odd = false;  ///< -mirror
};
/// The two faces of the grid along one axis, or along all that no other entry names.
struct Faces {
    std::optional<Name> axis;
    Face low, high;
    Span span;
};
struct Boundary {
    std::vector<Faces> faces;
    Span span;
};

/// One declarator; `float a[x], b[y];` gives two declarations that share their type.
struct Declaration {
    Name type;
    Name name;
    std::vector<Name> axes;
    std::optional<Boundary> boundary;
    bool or_uniform = false;
    bool is_field = false;         ///< has brackets, with axes in them or none; else it is a stream
    std::optional<Name> layout{};  ///< the word in layout(…)
};

/// type populations = float[19];
struct CellTypeDeclaration {
    Name name, of;
    std::vector<int> extents;
};

/// A number of the program's text, chosen when it is compiled.
struct Option {
    Name name;
    double value = 0;
    bool whole = false;                ///< an integer
    std::vector<std::string> words{};  ///< names of the numbers from 0 on, where it is one of these
    bool is_word = false;              ///< it is such a name: nothing sets it
};

struct Parameter {
    Name type;
    Name name;
    ExpressionRef fallback;  ///< null: must be given at run time
};

/// axis u = extent(x) / 2;
struct AxisLength {
    Name axis;
    ExpressionRef length;
};

struct Function {
    Name name;
    std::vector<Name> arguments;
    ExpressionRef body;
    bool of_library = false;
    bool hidden = false;    ///< of the library: the program means something else by the name
    bool expanded = false;  ///< some call of it was replaced by its text
};

/// One turn of a coloured update of a field whose cells have a shape: what a word is next, in the cells of one colour.
struct Turn {
    ExpressionRef colours;           ///< the n of coloured(n)
    Name colour;                     ///< the variable of the loop around
    std::string word;                ///< where it is not the cell's turn, what this has
    std::vector<std::string> words;  ///< all that are updated
};

struct Assignment {
    Name target;
    std::vector<Index> indices;
    Span indices_span;         ///< the bracket, where there is one
    std::optional<Name> word;  ///< of the target's cells, the one that is assigned
    bool adds = false;         ///< += in place of =
    ExpressionRef value;
    ExpressionRef colours;  ///< the n of coloured(n); null: none
    Span span;
    std::shared_ptr<const Turn> turn{};  ///< null: none
    bool decides = false;                ///< it is the condition of a loop or a branch (conditions.hpp)
};

struct Loop;
using Statement = std::variant<Assignment, std::shared_ptr<const Loop>>;
struct Loop {
    Name variable;
    ExpressionRef from, to;
    std::vector<Statement> body;
    Span span;  ///< the head, up to the closing parenthesis
    /// As written: an iteration runs where it holds before it; null: always. Settled before anything is checked
    /// (conditions.hpp): then `going` is a field without axes, of integers, which is more than 0 where it runs.
    ExpressionRef condition{};
    std::optional<Name> going{};
    bool counts = false;  ///< `going` counts the iterations, as conditions.hpp says
    /// Set where each cell ends the loop by itself (cell_conditions.hpp): the field that says whether it goes on.
    std::optional<Name> alive{};
    /// An `if`: 0 or 1 iterations, whose number may depend on variables of the loops around.
    bool once = false;
    std::vector<Statement> otherwise{};  ///< of an `if` until it is settled
};

}  // namespace ast

struct Ast {
    SourceRef source;
    std::vector<ast::Declaration> declarations;
    std::vector<ast::CellTypeDeclaration> types;
    std::vector<ast::Name> may_be_uniform;  ///< declared `or uniform`, fields or not
    std::vector<ast::Declaration> uniform;  ///< of those that are parameters here
    std::vector<ast::AxisLength> axis_lengths;
    std::vector<ast::Parameter> parameters;
    std::vector<ast::Option> options;
    std::vector<ast::Function> functions;
    std::vector<ast::Name> procedures;  ///< expanded by now: for messages
    std::vector<ast::Name> inputs;
    std::vector<ast::ExpressionRef> requirements;  ///< conditions of all `require(…)`
    std::vector<ast::Name> allowed;                ///< names in all `allow(…)`
    std::vector<ast::Statement> statements;
    std::vector<ast::Name> outputs;
    /// Set where fields and parameters of shaped cells have become those of their words (cell_words.hpp), by name.
    struct Shaped {
        std::string name;
        std::vector<int> extents;
        std::vector<std::string> words;
        /// Fields of what words are before any of them is assigned: their names, and which word.
        std::vector<std::pair<std::string, std::size_t>> next;
        std::vector<std::string> word_names;  ///< as in CellShape
        CellLayout layout = CellLayout::structures;
    };
    std::vector<Shaped> shaped, shaped_parameters;
    /// Names in the text, in all branches: with "*" for parts that nothing stands for (mentions.hpp).
    struct Mentions {
        std::set<std::string> read, assigned, returned;
    };
    Mentions mentions;
    std::vector<std::string> left_out;  ///< inputs and outputs that nothing needs with these options
    /// Calls of functions of the library with streams are all that there is (element_axis.hpp).
    bool calls_alone = false;
};

/// An indented tree (`--emit ast`).
[[nodiscard]] std::string print(const Ast& ast);

}  // namespace kasc
