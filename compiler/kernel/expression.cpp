// Builders of kernel expressions. Integer arithmetic folds literals and neutral elements as it is built, so that an
// index such as (0 * row + 1 * x) + 0 is made as x and nothing dead reaches the printer.
#include "kernel/expression.hpp"

#include <optional>
#include <utility>

namespace kasc::kernel {

namespace {

ExprRef make(auto node) { return std::make_shared<const Expr>(Expr{std::move(node)}); }

std::optional<std::int64_t> literal(const ExprRef& e) {
    if (const auto* i = std::get_if<Integer>(&e->node)) return i->value;
    return std::nullopt;
}

}  // namespace

bool is_of_bits(const std::string& op) { return op == "&" || op == "|" || op == "^" || op == "<<" || op == ">>"; }

ExprRef integer(std::int64_t value) { return make(Integer{value}); }
ExprRef real(float value) { return make(Real{value, Precision::single}); }
ExprRef real(double value, Precision precision) {
    return precision == Precision::dual ? make(Real{value, precision}) : real(static_cast<float>(value));
}
ExprRef name(std::string text) { return make(Name{std::move(text)}); }
const std::string& text_of(const ExprRef& name) { return std::get<Name>(name->node).name; }
ExprRef thread_index(Dimension dimension) { return make(ThreadIndex{dimension}); }
ExprRef linear_thread() { return make(LinearThread{}); }
ExprRef block_index(Dimension dimension) { return make(BlockIndex{dimension}); }

ExprRef binary(std::string op, ExprRef left, ExprRef right) {
    return make(Binary{std::move(op), std::move(left), std::move(right)});
}

ExprRef add(ExprRef left, ExprRef right) {
    const auto l = literal(left), r = literal(right);
    if (l && r) return integer(*l + *r);
    if (l == 0) return right;
    if (r == 0) return left;
    if (r && *r < 0) return binary("-", std::move(left), integer(-*r));
    return binary("+", std::move(left), std::move(right));
}

ExprRef subtract(ExprRef left, ExprRef right) {
    const auto l = literal(left), r = literal(right);
    if (l && r) return integer(*l - *r);
    if (r == 0) return left;
    if (r && *r < 0) return binary("+", std::move(left), integer(-*r));
    return binary("-", std::move(left), std::move(right));
}

ExprRef multiply(ExprRef left, ExprRef right) {
    const auto l = literal(left), r = literal(right);
    if (l && r) return integer(*l * *r);
    if (l == 0 || r == 0) return integer(0);
    if (l == 1) return right;
    if (r == 1) return left;
    return binary("*", std::move(left), std::move(right));
}

ExprRef divide(ExprRef left, ExprRef right) {
    const auto l = literal(left), r = literal(right);
    if (l && r && *r != 0) return integer(*l / *r);
    if (r == 1) return left;
    return binary("/", std::move(left), std::move(right));
}

ExprRef modulo(ExprRef left, ExprRef right) {
    const auto l = literal(left), r = literal(right);
    if (l && r && *r != 0) return integer(*l % *r);
    if (r == 1) return integer(0);
    return binary("%", std::move(left), std::move(right));
}

ExprRef minimum(ExprRef left, ExprRef right) {
    return math_call(whole_function::minimum, {std::move(left), std::move(right)});
}
ExprRef maximum(ExprRef left, ExprRef right) {
    return math_call(whole_function::maximum, {std::move(left), std::move(right)});
}
ExprRef negate(ExprRef operand) { return make(Negate{std::move(operand)}); }
ExprRef complement(ExprRef operand) { return binary("^", std::move(operand), integer(-1)); }
ExprRef logical_not(ExprRef operand) { return make(Not{std::move(operand)}); }

ExprRef both(ExprRef left, ExprRef right) {
    if (!left) return right;
    if (!right) return left;
    return binary("&&", std::move(left), std::move(right));
}

ExprRef select(ExprRef condition, ExprRef then, ExprRef otherwise) {
    return make(Select{std::move(condition), std::move(then), std::move(otherwise)});
}
ExprRef math_call(std::string function, std::vector<ExprRef> arguments) {
    return make(MathCall{std::move(function), std::move(arguments)});
}
ExprRef element(std::string array, ExprRef index) { return make(Element{std::move(array), std::move(index)}); }
ExprRef wide(ExprRef operand) { return make(Wide{std::move(operand)}); }
ExprRef convert(Type to, ExprRef operand) { return make(Convert{to, std::move(operand)}); }
ExprRef part(ExprRef operand, bool imaginary) { return make(Part{std::move(operand), imaginary}); }
ExprRef make_complex(ExprRef real, ExprRef imaginary, Precision precision) {
    return math_call(precision == Precision::dual ? "make_double2" : "make_float2",
                     {std::move(real), std::move(imaginary)});
}

Type word_type(CellType type) {
    switch (type) {
        case CellType::float64:
            return Type::f64;
        case CellType::int32:
            return Type::i32;
        case CellType::int64:
            return Type::i64;
        case CellType::uint8:
            return Type::u8;
        case CellType::complex64:
            return Type::c32;
        case CellType::complex128:
            return Type::c64;
        case CellType::float16:
            return Type::f16;
        case CellType::bfloat16:
            return Type::bf16;
        default:
            return Type::f32;
    }
}

Type row_type(CellType type) { return is_short(type) ? Type::f32 : word_type(type); }

Type register_type(CellType type) { return type == CellType::uint8 ? Type::i32 : row_type(type); }

}  // namespace kasc::kernel
