#include "frontend/rounding.hpp"

#include <algorithm>

namespace kasc {

namespace {

bool is_exact(Intrinsic intrinsic) {
    switch (intrinsic) {
        case Intrinsic::sqrt:
        case Intrinsic::abs:
        case Intrinsic::floor:
        case Intrinsic::minimum:
        case Intrinsic::maximum:
            return true;
        default:
            return false;
    }
}

bool is_exact(const Expression& e) {
    if (const auto* call = std::get_if<IntrinsicCall>(&e.node)) {
        return is_exact(call->intrinsic) && std::all_of(call->arguments.begin(), call->arguments.end(),
                                                        [](const ExpressionRef& a) { return is_exact(*a); });
    }
    if (const auto* u = std::get_if<UnaryOperation>(&e.node)) return is_exact(*u->operand);
    if (const auto* b = std::get_if<BinaryOperation>(&e.node)) return is_exact(*b->left) && is_exact(*b->right);
    if (const auto* c = std::get_if<Conditional>(&e.node)) {
        return is_exact(*c->condition) && is_exact(*c->then) && is_exact(*c->otherwise);
    }
    return true;
}

bool is_exact(const std::vector<Statement>& statements) {
    return std::all_of(statements.begin(), statements.end(), [](const Statement& s) {
        if (const auto* field = std::get_if<FieldStatement>(&s)) return is_exact(*field->value);
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s)) return is_exact((*loop)->body);
        return true;  // the library's functions use the correctly rounded operations (docs/library.md)
    });
}

}  // namespace

bool is_correctly_rounded(const Program& program) { return is_exact(program.statements); }

}  // namespace kasc
