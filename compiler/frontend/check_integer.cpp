#include <fmt/format.h>

#include <algorithm>

#include "frontend/check_expression.hpp"
#include "frontend/operators.hpp"
#include "frontend/token_words.hpp"

// Reals where an integer is needed.

namespace kasc::frontend {

Diagnostic& ExpressionChecker::report_not_integer(const Span& span, const std::string& what) {
    Diagnostic& d = error("K0219", "an integer is needed here", span, what);
    d.help = allowed_.operands
                 ? "integers are made of integer literals, 'param int', loop variables, coordinates, extents "
                   "and fields of 'int', 'int64' or 'uint8'; "
             : allowed_.loop_variables ? "integers are made of integer literals, 'param int' and loop variables; "
                                       : "integers are made of integer literals and 'param int'; ";
    d.help += "'int(e)' cuts the fraction of a real off";
    return d;
}

/// The first part that makes a sum or a product real; null: none does, or nothing can be cut.
const ast::Expression* ExpressionChecker::real_part(const ast::Expression& e) const {
    if (++checking_.whole_steps > most_nodes_of_statement) return nullptr;
    if (const auto* number = std::get_if<ast::Number>(&e.node))
        return number->form == ast::NumberForm::real ? &e : nullptr;
    if (const auto* unary = std::get_if<ast::Unary>(&e.node))
        return unary->op == UnaryOperator::negate ? real_part(*unary->operand) : nullptr;
    if (const auto* binary = std::get_if<ast::Binary>(&e.node)) {
        const ast::Expression* left = is_arithmetic(binary->op) ? real_part(*binary->left) : nullptr;
        return left || !is_arithmetic(binary->op) ? left : real_part(*binary->right);
    }
    if (std::holds_alternative<ast::NameUse>(e.node) || std::holds_alternative<ast::Access>(e.node))
        return is_real(e) && !may_be_complex(e) ? &e : nullptr;
    const auto* call = std::get_if<ast::Call>(&e.node);
    const auto intrinsic = call ? intrinsic_of(*call) : std::nullopt;
    if (!intrinsic || *intrinsic == Intrinsic::to_integer) return nullptr;
    if (!has_integer_form(*intrinsic)) return gives_complex(*intrinsic) || takes_complex(*intrinsic) ? nullptr : &e;
    for (const ast::ExpressionRef& argument : call->arguments)
        if (const ast::Expression* part = real_part(*argument)) return part;
    return nullptr;
}

bool ExpressionChecker::report_real_part(const ast::Expression& e) {
    const auto* unary = std::get_if<ast::Unary>(&e.node);
    const auto* binary = std::get_if<ast::Binary>(&e.node);
    const bool sums = (unary && unary->op == UnaryOperator::negate) || (binary && is_arithmetic(binary->op));
    if (frame_ || !sums) return false;
    checking_.whole_steps = 0;
    const ast::Expression* part = &e == looked_through_ ? nullptr : real_part(e);
    // A long row of operations is looked through once.
    looked_through_ = binary ? binary->left.get() : nullptr;
    if (!part) return false;
    const auto* call = std::get_if<ast::Call>(&part->node);
    const bool number = std::holds_alternative<ast::Number>(part->node);
    const std::string name = short_text(part->span), all = short_text(e.span);
    error("K0219", "an integer is needed here", part->span,
          call     ? fmt::format("'{}' gives reals", call->callee.text)
          : number ? "a real number"
                   : fmt::format("'{}' is real", name.empty() ? "this" : name))
        .help = all.empty() ? "'int(...)' around all of it cuts the fraction off"
                            : fmt::format("'int({})' cuts the fraction off", all);
    return true;
}

}  // namespace kasc::frontend
