#pragma once
// Expressions of the kernel IR: what stands to the right of an assignment, in an index or a condition. Untyped trees;
// literals carry their kind, and names are declared with a type by the statement that introduces them.

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "foundation/cell_type.hpp"

namespace kasc::kernel {

/// c32: two f32, a complex number. f16 and bf16 are of memory alone: what reads a word of them has a f32.
enum class Type { f32, f64, i32, i64, u8, boolean, c32, c64, f16, bf16 };

/// The types of an array's words and of a register that holds one: bytes are held as integers, and numbers of 16 bits
/// as f32.
[[nodiscard]] Type word_type(CellType type);
[[nodiscard]] Type register_type(CellType type);
/// The type of several words of a row in registers, which are loaded together.
[[nodiscard]] Type row_type(CellType type);
[[nodiscard]] constexpr Type real_type(Precision precision) {
    return precision == Precision::dual ? Type::f64 : Type::f32;
}
[[nodiscard]] constexpr bool is_real(Type type) { return type == Type::f32 || type == Type::f64; }

struct Expr;
using ExprRef = std::shared_ptr<const Expr>;

enum class Dimension { x, y, z };

struct Integer {
    std::int64_t value = 0;
};
struct Real {
    double value = 0;
    Precision precision = Precision::single;
};  ///< printed so that it reads back to the same number
struct Name {
    std::string name;
};  ///< a Let, a Variable, a scalar parameter, a For variable, a cell coordinate
struct ThreadIndex {
    Dimension dimension;
};                       ///< inside Threads only
struct LinearThread {};  ///< (tz·BY + ty)·BX + tx; inside Threads only
struct BlockIndex {
    Dimension dimension;
};
/// op: + - * / % < <= > >= == != && || and, of integers, & | ^ << >>. Float products that feed a sum are printed as
/// they stand: contraction is the lowering's decision (see MathCall fmaf), and emitted code is compiled with
/// contraction off.
struct Binary {
    std::string op;
    ExprRef left, right;
};
struct Negate {
    ExprRef operand;
};
struct Not {
    ExprRef operand;
};
struct Select {
    ExprRef condition, then, otherwise;
};
struct MathCall {
    std::string function;
    std::vector<ExprRef> arguments;
};  ///< fmaf, expf, sqrtf, fminf …, and those of whole_function
struct Element {
    std::string array;
    ExprRef index;
};  ///< array: a global parameter, a shared or a private array, a register array
struct Wide {
    ExprRef operand;
};  ///< converts to 64 bits: (long long)operand
struct Convert {
    Type to = Type::f32;
    ExprRef operand;
};  ///< (float)operand, (double)operand, (unsigned char)operand …
struct Part {
    ExprRef operand;
    bool imaginary = false;
};  ///< operand.x, operand.y of a complex number

struct Expr {
    std::variant<Integer, Real, Name, ThreadIndex, LinearThread, BlockIndex, Binary, Negate, Not, Select, MathCall,
                 Element, Wide, Convert, Part>
        node;
};

/// Functions that give integers, by their names in the IR.
namespace whole_function {
inline constexpr const char* minimum = "min";
inline constexpr const char* maximum = "max";
inline constexpr const char* absolute = "abs";
/// int(e) of a double; of a float it ends with an f (support/kasc_integers.hpp).
inline constexpr const char* of_real = "kasc_int";
/// The same of 64 bits.
inline constexpr const char* long_of_real = "kasc_long";
/// The same integer, which a compiler of kernels keeps in a register and does not make anew
/// (support/kasc_integers.hpp).
inline constexpr const char* kept = "kasc_kept";
}  // namespace whole_function

/// random(seed, a, b, c, d) of integers, a double; of float it ends with an f (support/kasc_random.hpp).
inline constexpr const char* random_number = "kasc_random";

/// x/c of doubles by products, of c, or of what the host has made of it, inverse and inverse_rest; of floats it ends
/// with an f (support/kasc_quotients.hpp).
inline constexpr const char* over_number = "kasc_over";

/// exp(-2πi m/n) of integers 0 <= m < n, a c64; of c32 it ends with an f (support/kasc_butterflies.hpp).
inline constexpr const char* turn_of_unity = "kasc_turn";

/// An operator on bits: & | ^ << >>.
[[nodiscard]] bool is_of_bits(const std::string& op);

// Builders. Integer arithmetic on literals and with neutral elements is folded, so that no dead index arithmetic is
// printed; float arithmetic is never folded or re-ordered.
[[nodiscard]] ExprRef integer(std::int64_t value);
[[nodiscard]] ExprRef real(float value);
[[nodiscard]] ExprRef real(double value, Precision precision);
[[nodiscard]] ExprRef name(std::string name);
[[nodiscard]] const std::string& text_of(const ExprRef& name);  ///< of what `name` has made
[[nodiscard]] ExprRef thread_index(Dimension dimension);
[[nodiscard]] ExprRef linear_thread();
[[nodiscard]] ExprRef block_index(Dimension dimension);
[[nodiscard]] ExprRef binary(std::string op, ExprRef left, ExprRef right);  ///< no folding: floats, comparisons
[[nodiscard]] ExprRef add(ExprRef left, ExprRef right);                     ///< integers, folded
[[nodiscard]] ExprRef subtract(ExprRef left, ExprRef right);                ///< integers, folded
[[nodiscard]] ExprRef multiply(ExprRef left, ExprRef right);                ///< integers, folded
[[nodiscard]] ExprRef divide(ExprRef left, ExprRef right);                  ///< integers, folded
[[nodiscard]] ExprRef modulo(ExprRef left, ExprRef right);                  ///< integers, folded
[[nodiscard]] ExprRef minimum(ExprRef left, ExprRef right);                 ///< integers
[[nodiscard]] ExprRef maximum(ExprRef left, ExprRef right);                 ///< integers
[[nodiscard]] ExprRef negate(ExprRef operand);
[[nodiscard]] ExprRef complement(ExprRef operand);  ///< of an integer's bits
[[nodiscard]] ExprRef logical_not(ExprRef operand);
[[nodiscard]] ExprRef both(ExprRef left, ExprRef right);  ///< &&; null stands for true
[[nodiscard]] ExprRef select(ExprRef condition, ExprRef then, ExprRef otherwise);
[[nodiscard]] ExprRef math_call(std::string function, std::vector<ExprRef> arguments);
[[nodiscard]] ExprRef element(std::string array, ExprRef index);
[[nodiscard]] ExprRef wide(ExprRef operand);
[[nodiscard]] ExprRef convert(Type to, ExprRef operand);
[[nodiscard]] ExprRef part(ExprRef operand, bool imaginary);
/// make_float2(real, imaginary) …
[[nodiscard]] ExprRef make_complex(ExprRef real, ExprRef imaginary, Precision precision);

}  // namespace kasc::kernel
