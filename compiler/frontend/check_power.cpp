#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "frontend/check_expression.hpp"
#include "frontend/operators.hpp"
#include "frontend/power_text.hpp"

// '^' is C's exclusive or, of integers, and binds weaker than sums. Who means a power by it is told so: among reals,
// where it can mean nothing; and where its integer stands as a real, which nobody asks for who works on bits.
//
//     u = tanh(T)^2;        an error                  u = x^2 + y^2;        a warning: (x ^ (2 + y)) ^ 2
//     m = hash ^ (n >> 3);  bits                      u = int(a ^ b);       bits

namespace kasc::frontend {

namespace {

const ast::Binary* exclusive_or(const ast::Expression& e) {
    const auto* binary = std::get_if<ast::Binary>(&e.node);
    return binary && binary->op == BinaryOperator::bit_xor ? binary : nullptr;
}

bool is_digits(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// "1024" for 2^10; empty where no integer holds it.
std::string value_of(const PowerText& power) {
    constexpr std::size_t most_digits = 9;
    if (power.base.size() > most_digits || power.exponent.size() > 2) return {};
    long long value = 1;
    for (int k = std::stoi(power.exponent); k > 0; --k) {
        value *= std::stoll(power.base);
        if (value > 2147483647) return {};
    }
    return std::to_string(value);
}

}  // namespace

/// Some part that is no integer: of what is not known at all it is said elsewhere.
bool ExpressionChecker::has_real(const ast::Expression& e) const {
    if (++checking_.whole_steps > most_nodes_of_statement) return false;
    const auto some = [&](const auto&... parts) { return (has_real(*parts) || ...); };
    if (const auto* number = std::get_if<ast::Number>(&e.node)) return number->form == ast::NumberForm::real;
    if (const auto* use = std::get_if<ast::NameUse>(&e.node)) {
        const auto argument = argument_index(use->name);
        if (!argument) return is_real(e);
        ExpressionChecker caller = *this;
        caller.frame_ = frame_->caller;
        return caller.has_real(*frame_->arguments[*argument]);
    }
    if (const auto* access = std::get_if<ast::Access>(&e.node))
        return !argument_index(access->variable.text) && is_real(e);
    if (const auto* unary = std::get_if<ast::Unary>(&e.node))
        return unary->op != UnaryOperator::logical_not && some(unary->operand);
    if (const auto* binary = std::get_if<ast::Binary>(&e.node))
        return (is_arithmetic(binary->op) || is_bitwise(binary->op)) && some(binary->left, binary->right);
    if (const auto* choice = std::get_if<ast::Conditional>(&e.node)) {
        const ast::Expression* only = only_branch(*choice);
        return only ? has_real(*only) : some(choice->then, choice->otherwise);
    }
    const auto* call = std::get_if<ast::Call>(&e.node);
    if (!call || call->callee.text == extent_name) return false;
    const auto intrinsic = intrinsic_of(*call);
    if (intrinsic && !has_integer_form(*intrinsic)) return *intrinsic != Intrinsic::to_integer;
    if (intrinsic || reduction_of(*call))
        return !call->arguments.empty() &&
               std::any_of(call->arguments.begin(), call->arguments.end(), [&](const auto& a) { return has_real(*a); });
    if (is_transform(call->callee.text)) return true;
    return of_function(
        *call, [](const ExpressionChecker& inside, const ast::Expression& body) { return inside.has_real(body); });
}

bool ExpressionChecker::is_power(Wanted wanted, const ast::Expression& e) {
    std::vector<const ast::Binary*> chain;  // x^2 + y^2 is (x ^ (2 + y)) ^ 2: what its author reads first stands last
    for (const ast::Binary* node = exclusive_or(e); node; node = exclusive_or(*node->left)) chain.push_back(node);
    if (chain.empty()) return false;
    const ast::Binary* at_fault = nullptr;
    checking_.whole_steps = 0;
    for (auto node = chain.rbegin(); node != chain.rend() && !at_fault; ++node)
        if (has_real(*(*node)->left) || has_real(*(*node)->right)) at_fault = *node;
    const bool stands_as_real = wanted == Wanted::real || wanted == Wanted::complex;
    const ast::Binary& node = at_fault ? *at_fault : *chain.back();
    const PowerText text = power_at(node.op_span);
    const bool of_numbers = is_digits(text.base) && is_digits(text.exponent);
    checking_.whole_steps = 0;
    const bool known = at_fault || is_whole(*node.right);  // of what is nothing it is said elsewhere
    if (!known || (!at_fault && !stands_as_real && !of_numbers)) return false;
    if (!checking_.undeclared.insert(fmt::format("^ {}", node.op_span.begin)).second) return at_fault != nullptr;
    checking_.whole_steps = 0;
    std::string help = help_for_power(text, allowed_.operands && may_be_complex(*node.left));
    const bool of_e = text.base == "e" && !checking_.names.find("e") && !axis_named("e");
    if (of_e) help = fmt::format("a power of e is 'exp({})'", text.exponent.empty() ? "a" : text.exponent);
    if (at_fault) {
        if (!stands_as_real) help += "; 'int(...)' around all of it cuts its fraction off";
        error("K0219", "integers are needed on both sides of '^'", text.span, "'^' is exclusive or, no power").help =
            help;
        return true;
    }
    if (of_numbers) {
        const std::string value = value_of(text);
        if (!value.empty()) help = fmt::format("write '{}'", value);
    } else {
        help += "; 'int(...)' around '^' says that exclusive or is meant";
    }
    Diagnostic& d = checking_.report.warning("K0273", "'^' is exclusive or of integers, no power", text.span);
    d.notes = expansions();
    d.help = help;
    return false;
}

/// ((x - 5)^2 + (y - 5)^2) < 9
void ExpressionChecker::look_for_power(const ast::Binary& comparison) {
    if (comparison.op == BinaryOperator::equal || comparison.op == BinaryOperator::not_equal) return;
    for (const ast::ExpressionRef& side : {comparison.left, comparison.right}) {
        const ast::Binary* node = exclusive_or(*side);
        while (node && exclusive_or(*node->left)) node = exclusive_or(*node->left);
        const std::string exponent = node ? power_at(node->op_span).exponent : std::string();
        const bool meant = is_digits(exponent) && exponent != "0" && exponent != "1";
        if (meant && is_power(Wanted::real, *side)) return;
    }
}

}  // namespace kasc::frontend
