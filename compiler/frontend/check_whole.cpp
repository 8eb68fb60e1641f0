#include <algorithm>

#include "frontend/check_expression.hpp"
#include "frontend/operators.hpp"

// What C would compute with integers. That is asked where either may stand: in comparisons and in int(e).

namespace kasc::frontend {

namespace {

/// Calls within each other that are followed: what lies deeper counts as real.
constexpr int most_frames = 20;

}  // namespace

/// A field or a parameter of reals.
bool ExpressionChecker::is_real(const ast::Expression& e) const {
    const auto* use = std::get_if<ast::NameUse>(&e.node);
    const auto* access = std::get_if<ast::Access>(&e.node);
    const Symbol* symbol = use      ? checking_.names.find(use->name)
                           : access ? checking_.names.find(access->variable.text)
                                    : nullptr;
    const bool number = symbol && (std::holds_alternative<VariableId>(symbol->meaning) ||
                                   std::holds_alternative<ParameterId>(symbol->meaning));
    return number && !is_whole(e);
}

/// The statement of the expression is short enough to be checked.
bool ExpressionChecker::is_integer_expression(const ast::Expression& expression) const {
    checking_.whole_steps = 0;
    return is_whole(expression);
}

bool ExpressionChecker::is_whole(const ast::Expression& expression) const {
    if (++checking_.whole_steps > most_nodes_of_statement) return false;
    if (const auto* number = std::get_if<ast::Number>(&expression.node))
        return number->form == ast::NumberForm::integer;
    if (const auto* use = std::get_if<ast::NameUse>(&expression.node)) return is_whole_name(use->name);
    if (const auto* node = std::get_if<ast::Access>(&expression.node)) return is_whole_name(node->variable.text);
    if (const auto* node = std::get_if<ast::Unary>(&expression.node))
        return node->op != UnaryOperator::logical_not && is_whole(*node->operand);
    if (const auto* node = std::get_if<ast::Binary>(&expression.node))
        return is_bitwise(node->op) || (is_arithmetic(node->op) && is_whole(*node->left) && is_whole(*node->right));
    if (const auto* node = std::get_if<ast::Conditional>(&expression.node)) {
        const ast::Expression* only = only_branch(*node);
        return only ? is_whole(*only) : is_whole(*node->then) && is_whole(*node->otherwise);
    }
    const auto* call = std::get_if<ast::Call>(&expression.node);
    if (!call) return false;
    const auto intrinsic = intrinsic_of(*call);
    if (!intrinsic) return call->callee.text == extent_name || calls_for_integer(*call);
    return *intrinsic == Intrinsic::to_integer ||
           (has_integer_form(*intrinsic) &&
            std::all_of(call->arguments.begin(), call->arguments.end(),
                        [&](const ast::ExpressionRef& argument) { return is_whole(*argument); }));
}

bool ExpressionChecker::of_function(
    const ast::Call& call, const std::function<bool(const ExpressionChecker&, const ast::Expression&)>& ask) const {
    const Symbol* symbol = checking_.names.find(call.callee.text);
    const auto* named = symbol ? std::get_if<FunctionIndex>(&symbol->meaning) : nullptr;
    auto index = library_function(call.callee.text);
    if (!index && named) index = named->index;
    if (!index || (frame_ && *index >= frame_->function)) return false;
    int frames = 0;
    for (const Frame* around = frame_; around; around = around->caller) ++frames;
    if (frames > most_frames) return false;
    const ast::Function& function = checking_.ast.functions[*index];
    if (function.arguments.size() != call.arguments.size()) return false;
    const Frame frame{*index, call.arguments, frame_, call.callee.span};
    ExpressionChecker inside = *this;
    inside.frame_ = &frame;
    return ask(inside, *function.body);
}

/// A call of a function that makes an integer of reals or of bits: what others make of integers is compared as reals.
bool ExpressionChecker::calls_for_integer(const ast::Call& call) const {
    return of_function(call, [](const ExpressionChecker& inside, const ast::Expression& body) {
        return inside.makes_integer(body) && inside.is_whole(body);
    });
}

bool ExpressionChecker::makes_integer(const ast::Expression& e) const {
    if (++checking_.whole_steps > most_nodes_of_statement) return false;
    if (has_bits(e)) return true;
    const auto some = [&](const auto&... parts) { return (makes_integer(*parts) || ...); };
    if (const auto* unary = std::get_if<ast::Unary>(&e.node)) return some(unary->operand);
    if (const auto* binary = std::get_if<ast::Binary>(&e.node)) return some(binary->left, binary->right);
    if (const auto* choice = std::get_if<ast::Conditional>(&e.node)) {
        const ast::Expression* only = only_branch(*choice);
        return only ? makes_integer(*only) : some(choice->then, choice->otherwise);
    }
    const auto* call = std::get_if<ast::Call>(&e.node);
    if (!call) return false;
    const auto intrinsic = intrinsic_of(*call);
    if (!intrinsic) return calls_for_integer(*call);
    return intrinsic == Intrinsic::to_integer ||
           (has_integer_form(*intrinsic) && std::any_of(call->arguments.begin(), call->arguments.end(), some));
}

bool ExpressionChecker::is_whole_name(const std::string& name) const {
    if (const auto argument = argument_index(name)) {
        // In the caller's frame: a copy of the checker's view, which reads nothing and reports nothing.
        ExpressionChecker caller = *this;
        caller.frame_ = frame_->caller;
        return caller.is_whole(*frame_->arguments[*argument]);
    }
    const Symbol* symbol = checking_.names.find(name);
    if (!symbol) return axis_named(name).has_value();
    if (std::holds_alternative<LoopId>(symbol->meaning)) return true;
    if (const auto* option = std::get_if<OptionIndex>(&symbol->meaning))
        return checking_.ast.options[option->index].whole;
    if (const auto* id = std::get_if<ParameterId>(&symbol->meaning))
        return checking_.program.parameters[*id].kind == ScalarKind::integer;
    const auto* id = std::get_if<VariableId>(&symbol->meaning);
    return id && !checking_.ast.calls_alone && is_integer(field_shape(checking_.program, *id).type);
}

}  // namespace kasc::frontend
