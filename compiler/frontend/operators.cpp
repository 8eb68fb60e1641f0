#include "frontend/operators.hpp"

#include <array>
#include <stdexcept>

namespace kasc::frontend {

namespace {

struct BinarySpelling {
    const char* symbol;
    int precedence;
};

// In the order of BinaryOperator; the precedence is C's.
constexpr std::array<BinarySpelling, 19> binaries{{{"+", 10},
                                                   {"-", 10},
                                                   {"*", 11},
                                                   {"/", 11},
                                                   {"/", 11},
                                                   {"%", 11},
                                                   {"<", 8},
                                                   {"<=", 8},
                                                   {">", 8},
                                                   {">=", 8},
                                                   {"==", 7},
                                                   {"!=", 7},
                                                   {"&&", 3},
                                                   {"||", 2},
                                                   {"&", 6},
                                                   {"|", 4},
                                                   {"^", 5},
                                                   {"<<", 9},
                                                   {">>", 9}}};

struct IntrinsicSpelling {
    const char* name;
    std::size_t arguments;
    bool reserved = false;
    bool is_written = true;
};

// In the order of Intrinsic.
constexpr std::array<IntrinsicSpelling, 39> intrinsics{{{"exp", 1, true},
                                                        {"exp2", 1, true},
                                                        {"expm1", 1},
                                                        {"log", 1, true},
                                                        {"log2", 1},
                                                        {"log10", 1},
                                                        {"log1p", 1},
                                                        {"sqrt", 1, true},
                                                        {"cbrt", 1},
                                                        {"hypot", 2},
                                                        {"pow", 2, true},
                                                        {"sin", 1, true},
                                                        {"cos", 1, true},
                                                        {"tan", 1, true},
                                                        {"asin", 1},
                                                        {"acos", 1},
                                                        {"atan", 1},
                                                        {"atan2", 2},
                                                        {"sinh", 1},
                                                        {"cosh", 1},
                                                        {"tanh", 1, true},
                                                        {"erf", 1},
                                                        {"erfc", 1},
                                                        {"abs", 1, true},
                                                        {"floor", 1, true},
                                                        {"ceil", 1},
                                                        {"round", 1},
                                                        {"min", 2, true},
                                                        {"max", 2, true},
                                                        {"inverse_main", 1, false, false},
                                                        {"inverse_rest", 1, false, false},
                                                        {"int", 1},
                                                        {"float", 1},
                                                        {"random", 5},
                                                        {"complex", 2, true},
                                                        {"conj", 1, true},
                                                        {"real", 1, true},
                                                        {"imag", 1, true},
                                                        {"arg", 1}}};

}  // namespace

const char* symbol(UnaryOperator op) {
    return op == UnaryOperator::negate ? "-" : op == UnaryOperator::logical_not ? "!" : "~";
}
const char* symbol(BinaryOperator op) { return binaries.at(static_cast<std::size_t>(op)).symbol; }
int precedence(BinaryOperator op) { return binaries.at(static_cast<std::size_t>(op)).precedence; }
const char* name_of(Intrinsic intrinsic) { return intrinsics.at(static_cast<std::size_t>(intrinsic)).name; }
std::size_t argument_count(Intrinsic intrinsic) { return intrinsics.at(static_cast<std::size_t>(intrinsic)).arguments; }

std::optional<Intrinsic> find_intrinsic(std::string_view name) {
    for (std::size_t i = 0; i < intrinsics.size(); ++i) {
        if (intrinsics.at(i).is_written && name == intrinsics.at(i).name) return static_cast<Intrinsic>(i);
    }
    return std::nullopt;
}

bool is_reserved(Intrinsic intrinsic) { return intrinsics.at(static_cast<std::size_t>(intrinsic)).reserved; }

std::vector<std::string> intrinsic_names() {
    std::vector<std::string> names;
    for (const IntrinsicSpelling& intrinsic : intrinsics) {
        if (intrinsic.is_written) names.emplace_back(intrinsic.name);
    }
    return names;
}

const char* name_of(BoundaryKind kind) {
    switch (kind) {
        case BoundaryKind::none:
            return "none";
        case BoundaryKind::keep:
            return "keep";
        case BoundaryKind::value:
            return "value";
        case BoundaryKind::mirror:
            return "mirror";
        case BoundaryKind::periodic:
            return "periodic";
    }
    throw std::logic_error("a boundary without a name");
}

bool is_arithmetic(BinaryOperator op) { return precedence(op) >= 10; }
bool is_logical(BinaryOperator op) { return op == BinaryOperator::logical_and || op == BinaryOperator::logical_or; }
bool is_bitwise(BinaryOperator op) { return op >= BinaryOperator::bit_and; }
bool is_comparison(BinaryOperator op) { return op >= BinaryOperator::less && op <= BinaryOperator::not_equal; }

}  // namespace kasc::frontend
