#pragma once
// Expressions of the field language after checking: an immutable tree shared by the program, the graph and the
// schedule. Operands are numbered: what an operand reads stands in the statement that owns the tree.

#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "foundation/cell_type.hpp"
#include "foundation/id.hpp"
#include "foundation/source.hpp"

namespace kasc {

/// integer: loop bounds, positions, integer fields: C's integer arithmetic. real: arithmetic of the statement's
/// precision in the order written; integers that stand in a real expression are converted: in a real tree, only leaves
/// and what `to_real` converts are of kind integer. Real modulo is C's fmod. boolean: a comparison, of integers where
/// both sides are, or && || ! of such. complex: of two reals; a real stands wherever a complex number can.
enum class ScalarKind { integer, real, boolean, complex };
/// The kind of a cell of the type, as it stands in an expression.
[[nodiscard]] constexpr ScalarKind scalar_kind(CellType type) {
    return is_integer(type) ? ScalarKind::integer : is_complex(type) ? ScalarKind::complex : ScalarKind::real;
}

/// complement and the bit operators are of integers alone. divide_by_number is a quotient of reals or complex numbers
/// by a real that is the same for all cells and all steps, as the program has it: two products (quotient_operator,
/// support/kasc_quotients.hpp); it is never parsed.
enum class UnaryOperator { negate, logical_not, complement };
enum class BinaryOperator {
    add,
    subtract,
    multiply,
    divide,
    divide_by_number,
    modulo,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
    bit_and,
    bit_or,
    bit_xor,
    shift_left,
    shift_right
};
/// Each is a function of CUDA's and C's mathematics library (exp is expf or exp …); minimum/maximum are fmin/fmax, of
/// kind integer they and abs are those of integers. to_integer cuts the fraction of a real off, to_real converts an
/// integer; random makes a real of a seed and four numbers that count. inverse and inverse_rest, whose sum is 1/e to
/// twice the precision, are what the host makes of divisors; nobody writes them. The last five make complex numbers of
/// reals and take them apart; phase, arg(z), is written with the others (frontend/check_complex).
enum class Intrinsic {
    exp,
    exp2,
    expm1,
    log,
    log2,
    log10,
    log1p,
    sqrt,
    cbrt,
    hypot,
    pow,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    atan2,
    sinh,
    cosh,
    tanh,
    erf,
    erfc,
    abs,
    floor,
    ceil,
    round,
    minimum,
    maximum,
    inverse,
    inverse_rest,
    to_integer,
    to_real,
    random,
    make_complex,
    conjugate,
    real_part,
    imaginary_part,
    phase
};
/// conjugate, real_part, imaginary_part: their argument is complex.
[[nodiscard]] constexpr bool takes_complex(Intrinsic intrinsic) { return intrinsic > Intrinsic::make_complex; }
[[nodiscard]] constexpr bool gives_complex(Intrinsic intrinsic) {
    return intrinsic == Intrinsic::make_complex || intrinsic == Intrinsic::conjugate;
}
/// The intrinsic is another function for complex numbers, or a function of these alone.
[[nodiscard]] constexpr bool has_complex_form(Intrinsic intrinsic) {
    return intrinsic == Intrinsic::abs || intrinsic == Intrinsic::exp || intrinsic == Intrinsic::sqrt ||
           intrinsic == Intrinsic::phase;
}
/// The intrinsic gives an integer of integers, where one is needed.
[[nodiscard]] constexpr bool has_integer_form(Intrinsic intrinsic) {
    return intrinsic == Intrinsic::abs || intrinsic == Intrinsic::minimum || intrinsic == Intrinsic::maximum;
}

struct Expression;
using ExpressionRef = std::shared_ptr<const Expression>;

struct Literal {
    double value = 0;
};
struct ParameterUse {
    ParameterId parameter;
};
struct LoopIndexUse {
    LoopId loop;
};
/// Where the cell that is computed stands along an axis.
struct CoordinateUse {
    AxisId axis;
};
/// How many cells an axis has.
struct ExtentUse {
    AxisId axis;
};
struct OperandUse {
    std::size_t operand = 0;
};
struct UnaryOperation {
    UnaryOperator op;
    ExpressionRef operand;
};
struct BinaryOperation {
    BinaryOperator op;
    ExpressionRef left, right;
};
struct Conditional {
    ExpressionRef condition, then, otherwise;
};
struct IntrinsicCall {
    Intrinsic intrinsic;
    std::vector<ExpressionRef> arguments;
};

/// A word of what a function of the library makes of words of cells, in float.
struct FunctionWord {
    CellFunctionId function;               ///< of Program::cell_functions
    int word = 0;                          ///< of its result
    std::vector<ExpressionRef> arguments;  ///< the words of its arguments, one after the other
    int operations = 0;                    ///< of the function, whose other words come with this one
};

/// What every stage asks of whole trees, told of each tree as it is made: a search asks thousands of times.
struct ExpressionFacts {
    bool uniform = true;       ///< is_uniform
    bool complex = false;      ///< computes_complex
    bool library = false;      ///< calls_library
    bool chooses = false;      ///< some part is a Conditional
    bool places = false;       ///< some part is a CoordinateUse
    int operations = 0;        ///< operation_count
    std::size_t operands = 0;  ///< operands_end
};

struct Expression {
    using Node = std::variant<Literal, ParameterUse, LoopIndexUse, CoordinateUse, ExtentUse, OperandUse, UnaryOperation,
                              BinaryOperation, Conditional, IntrinsicCall, FunctionWord>;
    Expression(Node made, ScalarKind of_kind, const Span& at);

    Node node;
    ScalarKind kind;
    Span span;
    ExpressionFacts facts;
};

/// True where the tree reads no operand and no coordinate: the same for all cells, the host computes it once a launch.
[[nodiscard]] inline bool is_uniform(const Expression& expression) { return expression.facts.uniform; }
/// a op b as b turned(op) a, of a comparison; another operator stays.
[[nodiscard]] constexpr BinaryOperator turned(BinaryOperator op) {
    switch (op) {
        case BinaryOperator::less:
            return BinaryOperator::greater;
        case BinaryOperator::less_equal:
            return BinaryOperator::greater_equal;
        case BinaryOperator::greater:
            return BinaryOperator::less;
        case BinaryOperator::greater_equal:
            return BinaryOperator::less_equal;
        default:
            return op;
    }
}
/// divide or divide_by_number
[[nodiscard]] constexpr bool is_quotient(BinaryOperator op) {
    return op == BinaryOperator::divide || op == BinaryOperator::divide_by_number;
}
/// What `/` between reals or complex numbers means: by what is the same for all cells and moves with no loop, of what
/// is not, divide_by_number; by a power of 2 that is written as one, and by all else, divide.
[[nodiscard]] BinaryOperator quotient_operator(const Expression& left, const Expression& right);
/// A product that is not rounded by itself where it is added or subtracted: of reals, or of integers that each cell
/// converts. Null: it is none.
[[nodiscard]] const BinaryOperation* fusing_product(const Expression& expression);
/// Some part of the tree is how many cells an axis has.
[[nodiscard]] bool reads_extents(const Expression& expression);
/// Some part of the tree is complex.
[[nodiscard]] inline bool computes_complex(const Expression& expression) { return expression.facts.complex; }
/// Some part of the tree is what a function of the library makes.
[[nodiscard]] inline bool calls_library(const Expression& expression) { return expression.facts.library; }
/// One more than the largest number of an operand in the tree; 0: none.
[[nodiscard]] inline std::size_t operands_end(const Expression& expression) { return expression.facts.operands; }
/// Floating-point operations of one evaluation (an intrinsic counts as one here; the model weighs it).
[[nodiscard]] inline int operation_count(const Expression& expression) { return expression.facts.operations; }
/// C-like text; `operand_text[i]` stands for operand i, names as in the program.
struct Program;
[[nodiscard]] std::string to_text(const Expression& expression, const Program& program,
                                  const std::vector<std::string>& operand_text);

}  // namespace kasc
