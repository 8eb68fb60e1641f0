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
constexpr std::array<BinarySpelling, 13> binaries{{{"+", 6},
                                                   {"-", 6},
                                                   {"*", 7},
                                                   {"/", 7},
                                                   {"%", 7},
                                                   {"<", 5},
                                                   {"<=", 5},
                                                   {">", 5},
                                                   {">=", 5},
                                                   {"==", 4},
                                                   {"!=", 4},
                                                   {"&&", 3},
                                                   {"||", 2}}};

struct IntrinsicSpelling {
    const char* name;
    std::size_t arguments;
};

// In the order of Intrinsic.
constexpr std::array<IntrinsicSpelling, 17> intrinsics{{{"exp", 1},
                                                        {"exp2", 1},
                                                        {"log", 1},
                                                        {"sqrt", 1},
                                                        {"pow", 2},
                                                        {"sin", 1},
                                                        {"cos", 1},
                                                        {"tan", 1},
                                                        {"tanh", 1},
                                                        {"abs", 1},
                                                        {"floor", 1},
                                                        {"min", 2},
                                                        {"max", 2},
                                                        {"complex", 2},
                                                        {"conj", 1},
                                                        {"real", 1},
                                                        {"imag", 1}}};

}  // namespace

const char* symbol(UnaryOperator op) { return op == UnaryOperator::negate ? "-" : "!"; }
const char* symbol(BinaryOperator op) { return binaries.at(static_cast<std::size_t>(op)).symbol; }
int precedence(BinaryOperator op) { return binaries.at(static_cast<std::size_t>(op)).precedence; }
const char* name_of(Intrinsic intrinsic) { return intrinsics.at(static_cast<std::size_t>(intrinsic)).name; }
std::size_t argument_count(Intrinsic intrinsic) { return intrinsics.at(static_cast<std::size_t>(intrinsic)).arguments; }

std::optional<Intrinsic> find_intrinsic(std::string_view name) {
    for (std::size_t i = 0; i < intrinsics.size(); ++i) {
        if (name == intrinsics[i].name) return static_cast<Intrinsic>(i);
    }
    return std::nullopt;
}

std::vector<std::string> intrinsic_names() {
    std::vector<std::string> names;
    for (const IntrinsicSpelling& intrinsic : intrinsics) names.emplace_back(intrinsic.name);
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

bool is_arithmetic(BinaryOperator op) { return precedence(op) >= 6; }
bool is_logical(BinaryOperator op) { return precedence(op) <= 3; }

}  // namespace kasc::frontend
