#pragma once
// The checked program: names resolved, types resolved against the library, functions of the program expanded.
// Requires of every consumer: nothing is checked again after this stage.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "foundation/cell_layout.hpp"
#include "foundation/cell_type.hpp"
#include "foundation/id.hpp"
#include "foundation/outcome.hpp"
#include "frontend/expression.hpp"
#include "library/library.hpp"

namespace kasc {

/// The parts in which the cells along some axes are folded: all have as many cells, the last one fewer.
struct Parts {
    std::vector<AxisId> of;
    int cells = 1;            ///< of a part, where there are not too many of them
    std::optional<int> most;  ///< parts: beyond, their cells become more
    bool chained = false;     ///< of Fold::chained
    bool operator==(const Parts&) const = default;
};
struct Axis {
    std::string name;
    Span span;
    /// Where no input binds the axis: its declared length (`axis u = extent(x) / 2;`), or the upper bound of the loop
    /// whose variable indexes it (`trace[t = n]`).
    ExpressionRef fallback_extent;
    /// `axis kx = half(x);`: the wave numbers 0 … extent(x)/2 that a real field's transform has along x; the others are
    /// their complex conjugates.
    std::optional<AxisId> half_of;
    /// Its length is declared: what inputs have must agree.
    bool declared = false;
    /// The parts in which the cells along other axes are folded (Fold).
    std::optional<Parts> parts{};
    /// The compiler made the axis: its length is that of fallback_extent, which no caller says.
    bool own = false;
};

/// A length that is a number of the program's text: `axis q = 9;`, or of a table of constants.
[[nodiscard]] std::optional<long long> declared_length(const Axis& axis);

struct Parameter {
    std::string name;
    ScalarKind kind = ScalarKind::real;       ///< integer or real
    Precision precision = Precision::single;  ///< of a real one
    ExpressionRef fallback;                   ///< null: must be given at run time; else uses earlier parameters only
    Span span;
};

/// What a read beyond the grid sees.
///   keep(n): the n outermost layers at this face are never assigned, they keep the previous value of the variable;
///            a read beyond the grid sees the nearest layer. keep(0) assigns all.
///   value(v): v. Where v differs from cell to cell or from iteration to iteration, statements choose it where they
///            read a neighbour, `z < 1 ? v : T[z - 1]`, and the face keeps 0 layers.
///   mirror: the mirror image about the outer face of the edge cell (-1 → 0, -2 → 1: no flux), beyond
///   the other face again; odd: with the opposite sign at each reflection.   periodic: the cell at the other end.
enum class BoundaryKind { none, keep, value, mirror, periodic };
/// One face of the grid. A read that crosses faces of several axes sees the value of the first that has one.
struct Face {
    BoundaryKind kind = BoundaryKind::none;
    int layers = 0;       ///< keep
    ExpressionRef value;  ///< value: uniform; real, or integer for integer cells
    Span span;
    bool odd = false;  ///< mirror
};
/// Both faces along one axis; periodic is both or none.
struct Faces {
    Face low, high;
    /// The face that a step along the axis can cross.
    [[nodiscard]] const Face& crossed_by(int step) const { return step < 0 ? low : high; }
};

struct StreamShape {
    TypeId type;
};
/// No published field has more than four axes.
inline constexpr std::size_t most_axes = 8;

struct FieldShape {
    std::vector<AxisId> axes;  ///< axes.front() is contiguous in memory
    std::vector<Faces> faces;  ///< one an axis
    CellType type = CellType::float32;

    /// Some face keeps layers.
    [[nodiscard]] bool keeps_layers() const;
};
struct Variable {
    std::string name;
    Span span;
    std::variant<StreamShape, FieldShape> shape;
    /// The variable belongs to an ordered list (Adding): the text of the program has the statement that the list is
    /// ordered for.
    bool of_list = false;
};

/// One axis of an access: at the cell's own coordinate plus a constant, at a uniform absolute position, or at a
/// position that each cell computes (from index lists, labels, coordinates).
struct Offset {
    int cells = 0;
    /// Along an axis half a step from the statement's own, until the frontend makes one of the two (staggered_axes).
    bool across = false;
};
struct Absolute {
    ExpressionRef position;
};  ///< uniform, integer
/// Integer, over the operands of the statement that stand before this one. Beyond the grid: a read sees the nearest
/// cell, an assignment is left out.
struct Computed {
    ExpressionRef position;
};
using AxisIndex = std::variant<Offset, Absolute, Computed>;

/// A read of a field: one index an axis of the variable, in the variable's order.
struct Operand {
    VariableId variable;
    std::vector<AxisIndex> indices;
    Span span;
};

/// target = callee(arguments), one call of an elementary function on streams.
struct CallStatement {
    Span span;
    VariableId target;
    FunctionId callee;
    std::vector<VariableId> arguments;
};
enum class FoldOperator { sum, product, minimum, maximum };
/// Along an axis of the target each cell holds what the cells before it and its own value are folded to: running sums,
/// products, minima, maxima. The cells of a line are numbered from its first one, `backward` from its last. Numbers are
/// in base running_base: so many cells are a piece, so many pieces a larger one, and so on, running_levels times; what
/// is before a cell are, from the largest pieces on, the whole ones before it of each size, one after the other, and
/// the cells of its own smallest one:
///
///   cell 37 of base 16, one size   piece 2 of 16, whole ones before it 0 and 1, of its own cells 32 … 37
///   value     P + l                P = nothing + sum of 0 + sum of 1; l = nothing + a[32] + … + a[37]
///   two sizes, (Q + P) + l         Q of pieces of 256 before it, P of those of 16 in its own one
///   sum of a piece                   nothing + its first part + … + its last part, one after the other
///
/// Accumulators are those of a Fold: of double for sums and products of reals.
struct Running {
    FoldOperator op = FoldOperator::sum;
    AxisId axis{};
    bool backward = false;
    /// The operand that has what is before each piece, where pieces of running_piece cells of a line stand side by side
    /// (rewrite/running_pieces), or
    std::optional<std::size_t> carries{};
    bool of_pieces = false;  ///< cells are the sums of such pieces, and the target what is before each.
};
/// Sizes of pieces are 16, 256, 4096, 65536 and 1048576 cells: those of a thread, of 16, of a block, of 16 and of 256
/// blocks; a line of any length is some thousand of the largest.
inline constexpr int running_base = 16, running_levels = 5;
inline constexpr int running_piece = running_base * running_base * running_base;
/// Cells become fewer: target = the sum, the product, the minimum or the maximum of value over all cells along `axes`,
/// which the target lacks. The cells are numbered along `axes`, the first varying fastest, and folded in an order that
/// is part of the statement, so that every target and every number of threads computes the same word:
///   1. Where the target has the axis `parts`, its cell p folds the p-th share of the numbers (fold_share); else all.
///   2. Of these, lane k takes the k-th, the (k + lanes)-th, … one after the other, beginning with nothing.
///   3. Lanes are joined by halves: k with k + lanes/2 for all k < lanes/2, then k with k + lanes/4, …
/// Sums and products of reals are of double, of integers modulo 2^32; NaN does not count for a minimum or a maximum,
/// unless there is nothing else, and of equal numbers the first counts.
///
/// chained: no operand has all axes of the cells (matrix products, all pairs), or they are a window: they are more than
/// the words that are read, and what is computed of each counts. A share is one lane, in the precision of the
/// statement, and to a sum a product is added without a rounding of its own (chained_sum, reduction.hpp).
struct Fold {
    FoldOperator op = FoldOperator::sum;
    std::vector<AxisId> axes;
    int lanes = 1;                ///< a power of two
    std::optional<AxisId> parts;  ///< of the target
    bool side_by_side = false;    ///< results, that is to say: the first axis in memory is left
    bool chained = false;         ///< in parts along one axis or of a window, and of such parts: by one lane
    /// Where set, parts are the pieces of running_piece cells of such lines, and folded as these are.
    std::optional<Running> pieces{};
};

struct FieldStatement;
/// Entries of a list are added to cells that several of them may name (`T[x = px] += e`): value is `running + e`, where
/// the operand `running` is what was added to the cell so far. The first of the n entries of a cell, ascending, is
/// added to its former value, and each of the others to what the one before it left. Where they are more than one chunk
/// (chunk_entries), that is done within chunks of consecutive entries; those behind the first begin with 0, and what
/// they gave is added to the first one's, ascending. Sums of integers of 32 and 64 bits are the same in any order.
/// Reals for few cells are added in another order, by pieces of the list (adds_in_pieces, list_entries.hpp).
struct Adding {
    /// entries: the statement as it is written. chunks, cells: of an ordered list (Direction::order).
    /// chunks: it runs along `parts` of `least_chunk` places each, of which one chunk at most begins in each that is
    /// not the first of its cell, and sums it up. cells: it runs along cells that begin (Direction::starts), and sums
    /// up the first chunk of each, and what the others gave. In the value the coordinate along `along` is an entry's
    /// place.
    /// pieces: the target, which the compiler made, has the cells of each piece of piece_entries entries of the list;
    /// all of it is assigned. The value is what an entry adds to one of piece_lanes words of its cell, which begin with
    /// 0: the k-th entry of a piece to word k % piece_lanes. Words are joined by halves, as the lanes of a Fold.
    enum class Part { entries, chunks, cells, pieces };
    Part part = Part::entries;
    std::size_t running = 0;  ///< an operand, equal to others it may be; pieces: the one behind all others
    AxisId along{};           ///< chunks, cells: the axis along which it runs, of parts or of the list,
    std::size_t places = 0;   ///< the operand that says which places a cell has (runs; of cells: starts),
    std::size_t sums = 0;     ///< cells: and the operand that has the sums of other chunks
    /// cells, pieces: the statement that it was made of, for text.
    std::shared_ptr<const FieldStatement> written{};
};
inline constexpr int least_chunk = 64;
/// Entries of a chunk, of a cell that has so many: least_chunk, or the power of two of which there are not more chunks
/// than entries in one.
[[nodiscard]] long long chunk_entries(long long entries);

/// target[indices] = value over the target's axes that stand at no position. Target offsets are 0.
/// An axis of an operand that is not an axis of the statement stands at a position; missing axes broadcast.
struct FieldStatement {
    Span span;
    VariableId target;
    std::vector<AxisIndex> target_indices;
    std::vector<Operand> operands;  ///< distinct: no two equal operands, but for Adding::running
    ExpressionRef value;            ///< real, or integer where the target holds integers
    Precision precision = Precision::single;
    /// Where the target stands at computed positions (`T[x = px, y = py] = …`), the axes of the list, along which the
    /// statement runs. The positions of different list entries are different cells, unless they are added (`adding`).
    std::vector<AxisId> listed;
    /// Where set: cells that do not meet it keep their former value, and the target's array is updated in place. No
    /// cell that meets it reads another one that does.
    ExpressionRef where;
    /// Where set, value is of the cells that are folded.
    std::optional<Fold> fold{};
    /// Where set, value is added by each entry of a list.
    std::optional<Adding> adding{};
    /// Where set, value is of a cell, and the target of those up to it.
    std::optional<Running> running{};
    /// Where set, the statement was written for these cells of its target alone, and others keep their value: positions
    /// are looked at as those of target_indices are.
    std::vector<AxisIndex> at{};
};
/// A whole field made of a whole field, by a library.
///
/// forward, backward: target = the discrete Fourier transform of source, not scaled: forward with exp(-2πi jk/n),
/// backward with exp(+). Along `axes`, which stand beside each other in both. A real source or target lacks the half
/// axis of the other, which is the first of `axes`. What a complex source of a real target holds is lost.
///
/// order, runs: both have one axis, of the entries of a list, and hold integers from 0 to the product of the lengths of
/// `cells`, which stands for no cell. order: of each entry the source has the number of its cell, and the target's k-th
/// cell is the entry that stands at place k when they are ordered by these numbers, those of one cell ascending. runs:
/// the source has such numbers in ascending order; at the first place of n equal ones the target is n, at the others -1
/// - the first place, and 0 at those of no cell. starts: of the same, ascending, the k-th place of a tile of order_tile
/// has where the k-th cell begins that does so in this tile; those behind, -1 - where the next one begins, or no cell
/// is left.
///
///     order  7 2 7 0 8 7 → 3 1 0 2 5 4          runs    0 2 7 7 7 8 → 1 1 3 -3 -3 0     of 8 cells
///                                               starts  0 2 7 7 7 8 → 0 1 2 -6 -6 -6
///
/// renew: the source, one block of a grid among those that other processes have, and along `axes` in the overlaps what
/// they have there (basis/local_program.hpp). In place where nothing else needs the source.
enum class Direction { forward, backward, order, runs, starts, renew };
/// forward, backward.
[[nodiscard]] constexpr bool transforms(Direction direction) {
    return direction == Direction::forward || direction == Direction::backward;
}
/// order, runs, starts.
[[nodiscard]] constexpr bool orders(Direction direction) {
    return !transforms(direction) && direction != Direction::renew;
}
/// Places within which cells that begin are counted: so many threads side by side have work, wherever the others have
/// none.
inline constexpr long long order_tile = 4096;
/// "fft", "unscaled_ifft", "order", "runs", "starts", "renew".
[[nodiscard]] const char* name_of(Direction direction);
struct TransformStatement {
    Span span;
    VariableId target;
    VariableId source;
    Direction direction = Direction::forward;
    std::vector<std::size_t> axes;  ///< positions in both shapes, ascending
    std::vector<AxisId> cells{};    ///< order, runs
};
struct LoopStatement;
using Statement = std::variant<CallStatement, FieldStatement, TransformStatement, std::shared_ptr<const LoopStatement>>;
/// for (variable = from; variable < to && going > 0; variable += by) body
struct LoopStatement {
    Span span;
    LoopId loop;
    ExpressionRef from, to;  ///< uniform, integer
    std::vector<Statement> body;
    /// A field of int32 without axes, which the body assigns: before each iteration it is looked at.
    std::optional<VariableId> going{};
};

/// require(condition): what must hold, at every cell of the axes, before the program may run.
struct Requirement {
    std::vector<AxisId> axes;
    std::vector<Operand> operands;  ///< of inputs, at the cell itself or at positions
    ExpressionRef condition;
    Precision precision = Precision::single;
};

struct Loop {
    std::string name;
    Span span;
    /// By how much its variable grows, 1 as programs are written: so many iterations of the loop that it is made of
    /// stand in its body.
    int by = 1;
    /// The loop behind it, of the iterations that are left: by ones, over the same body. Any iteration may be done by
    /// either of the two.
    std::optional<LoopId> rest{};
    /// A condition, over the variable of the rest: the `by` iterations from there on have nothing to do but what stands
    /// in the body; of others, which have other conditions, the rest does one. Null: all are such iterations.
    ExpressionRef plain{};
    /// Each cell may run its iterations by itself, or a block those of lines, in a kernel (rewrite/inner_loops.hpp).
    bool inside = false;
    /// Its `going` is k while iteration k - 1 is to come or is running, and -k once k iterations have ended.
    bool counts = false;
    /// A field over the cells, which the body's first statement assigns: where it is 0, the others leave the cell as it
    /// is, and it is 0 in all later iterations.
    std::optional<VariableId> alive{};
};

/// A field whose cells have a shape: each word of its cells is a variable. Whether files have the words of a cell
/// together says `layout`.
struct ShapedField {
    std::string name;               ///< as the program says it; no variable has this name
    std::vector<int> extents;       ///< of a cell, row-major: {3}, {3, 3}
    std::vector<VariableId> words;  ///< row-major, as many as the extents' product
    CellLayout layout = CellLayout::structures;
};

/// A function of the library as fields call it: once a cell, by the text of its reference.
struct CellFunction {
    struct Argument {
        std::string type;  ///< of the library; a number's is empty
        int words = 1;
    };
    std::string name;
    std::vector<Argument> arguments;
    std::vector<std::string> words;  ///< what the words of its result are called; of a number, one without a name
    int operations = 0;
    double accuracy = 0;  ///< Function::accuracy
    Reference reference;
};
/// "eigsym33(matrix3x3(a, b, c, …)).x", as the language writes it.
[[nodiscard]] std::string function_word_text(const CellFunction& function, int word,
                                             const std::vector<ExpressionRef>& arguments,
                                             const std::function<std::string(const ExpressionRef&)>& text);

/// `allow(modes);`: a way to compute that rounds otherwise than the program says is welcome.
struct Allowance {
    std::string name;
    Span span;
};

struct Program {
    SourceRef source;
    std::string name;  ///< the file's stem as a C identifier: prefix of all that is emitted
    Table<AxisId, Axis> axes;
    Table<ParameterId, Parameter> parameters;
    Table<VariableId, Variable> variables;
    Table<LoopId, Loop> loops;
    std::vector<VariableId> inputs;  ///< in the order of the input statement
    std::vector<Requirement> requirements;
    std::vector<Allowance> allowed;
    /// `require(distinct(px, py));`: "px, py", positions that are different cells for different entries.
    std::vector<std::string> distinct_lists;
    std::vector<VariableId> outputs;  ///< in the order of the return statement
    std::vector<Statement> statements;
    std::vector<std::string> options;         ///< names: settings decided them when the text was read
    std::vector<std::string> left_out;        ///< inputs and outputs that nothing needs with these options
    std::vector<std::string> may_be_uniform;  ///< names of fields `or uniform`, whatever they are here
    Table<CellFunctionId, CellFunction> cell_functions;
    std::vector<ShapedField> shaped;  ///< of inputs, outputs and what lies between, as declared
};

/// All that it names are streams: its statements are calls of the library, whose kernels may have several threads an
/// element, and their number is the one length, without an axis of a name. Else none is.
[[nodiscard]] bool has_streams(const Program& program);
[[nodiscard]] const FieldShape& field_shape(const Program& program, VariableId variable);
/// The statement's integers are of 64 bits: its target or a field that it reads is.
[[nodiscard]] bool computes_long(const Program& program, const FieldStatement& statement);
/// What its words are in memory; of a stream they are float32.
[[nodiscard]] CellType cell_type_of(const Program& program, VariableId variable);

/// "for (n = 0; n < steps; n++)".
[[nodiscard]] std::string to_text(const LoopStatement& loop, const Program& program);
/// "T", "T[-1, 0, 0]", "T[z = pz]": as the language writes it, enough to tell two reads apart. `before`: the texts of
/// the statement's operands that stand before this one.
[[nodiscard]] std::string to_text(const Operand& operand, const Program& program,
                                  const std::vector<std::string>& before);
/// "px, py + 1": the positions that entries of a list compute. `operands`: the texts of the statement's.
[[nodiscard]] std::string positions_text(const Program& program, const std::vector<AxisIndex>& indices,
                                         const std::vector<std::string>& operands);
/// All operands of a statement as the language writes them, by number.
[[nodiscard]] std::vector<std::string> operand_texts(const FieldStatement& statement, const Program& program);

[[nodiscard]] std::vector<std::string> operand_texts(const Requirement& requirement, const Program& program);

/// What decides how a program is read: values of its options by name, and of fields `or uniform` that are one number
/// each. Other names are passed over: they are of parameters and axes.
using ProgramSettings = std::map<std::string, double>;

/// Source text → checked program. Diagnostics K01xx and K02xx. Ends in a value or an error for any bytes.
[[nodiscard]] Outcome<Program> read_program(const SourceRef& source, const Library& library,
                                            const ProgramSettings& settings = {});

/// The program as text, types and values spelled out (`--emit program`).
[[nodiscard]] std::string print(const Program& program, const Library& library);

}  // namespace kasc
