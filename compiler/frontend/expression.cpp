#include "frontend/expression.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "foundation/divisors.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/operators.hpp"

// Text has the brackets that C needs and no others: a - (b - c), but a - b - c.

namespace kasc {

using namespace frontend;

namespace {

/// What a node alone says, whatever its parts.
ExpressionFacts own_facts(const Expression& e) {
    ExpressionFacts facts;
    facts.complex = e.kind == ScalarKind::complex;
    facts.chooses = std::holds_alternative<Conditional>(e.node);
    facts.places = std::holds_alternative<CoordinateUse>(e.node);
    facts.uniform = !facts.places;
    if (const auto* use = std::get_if<OperandUse>(&e.node)) {
        facts.uniform = false;
        facts.operands = use->operand + 1;
    }
    if (const auto* unary = std::get_if<UnaryOperation>(&e.node))
        facts.operations = unary->op == UnaryOperator::logical_not ? 0 : 1;
    if (const auto* binary = std::get_if<BinaryOperation>(&e.node)) facts.operations = is_logical(binary->op) ? 0 : 1;
    if (const auto* call = std::get_if<IntrinsicCall>(&e.node)) {
        facts.operations = 1;
        // Random numbers are the cells' own, though all of them be the same.
        facts.uniform = call->intrinsic != Intrinsic::random;
        // imag(3) too: what takes complex numbers apart is no function of C's.
        facts.complex = facts.complex || takes_complex(call->intrinsic);
    }
    if (const auto* word = std::get_if<FunctionWord>(&e.node)) {
        facts.operations = word->operations;
        facts.uniform = false;  // the host knows none of the library's functions
        facts.library = true;
    }
    return facts;
}

}  // namespace

Expression::Expression(Node made, ScalarKind of_kind, const Span& at)
    : node(std::move(made)), kind(of_kind), span(at), facts(own_facts(*this)) {
    for_each_operand_part(*this, [&](const Expression& part) {
        facts.uniform = facts.uniform && part.facts.uniform;
        facts.complex = facts.complex || part.facts.complex;
        facts.library = facts.library || part.facts.library;
        facts.chooses = facts.chooses || part.facts.chooses;
        facts.places = facts.places || part.facts.places;
        facts.operations += part.facts.operations;
        facts.operands = std::max(facts.operands, part.facts.operands);
    });
}

const BinaryOperation* fusing_product(const Expression& expression) {
    const auto* operation = std::get_if<BinaryOperation>(&expression.node);
    if (operation == nullptr || operation->op != BinaryOperator::multiply) return nullptr;
    return expression.kind == ScalarKind::integer && is_uniform(expression) ? nullptr : operation;
}

namespace {

/// By which compilers multiply. A sign is the operator's.
bool is_written_power_of_two(const Expression& e) {
    const auto* sign = std::get_if<UnaryOperation>(&e.node);
    const auto* literal = std::get_if<Literal>(sign ? &sign->operand->node : &e.node);
    return literal != nullptr && (!sign || sign->op == UnaryOperator::negate) && is_power_of_two(literal->value);
}

}  // namespace

BinaryOperator quotient_operator(const Expression& left, const Expression& right) {
    const bool by_number = !is_uniform(left) && is_uniform(right) && right.kind != ScalarKind::complex &&
                           !uses_loop(right) && !is_written_power_of_two(right);
    return by_number ? BinaryOperator::divide_by_number : BinaryOperator::divide;
}

bool reads_extents(const Expression& e) {
    return any_part(e, [](const Expression& part) { return std::holds_alternative<ExtentUse>(part.node); });
}

namespace {

constexpr int conditional_precedence = 1;
constexpr int unary_precedence = 12;
constexpr int primary_precedence = 13;

class TextPrinter {
public:
    TextPrinter(const Program& program, const std::vector<std::string>& operands)
        : program_(program), operands_(operands) {}

    /// In brackets where it binds weaker than its place needs.
    [[nodiscard]] std::string text(const Expression& expression, int needed) const {
        const auto* literal = std::get_if<Literal>(&expression.node);
        if (literal && expression.kind == ScalarKind::integer)
            return fmt::format("{}", static_cast<long long>(literal->value));
        std::string inner = std::visit([&](const auto& node) { return text_of_node(node); }, expression.node);
        return binding(expression) < needed ? fmt::format("({})", inner) : inner;
    }

private:
    [[nodiscard]] static int binding(const Expression& expression) {
        if (const auto* node = std::get_if<BinaryOperation>(&expression.node)) return precedence(node->op);
        if (std::holds_alternative<Conditional>(expression.node)) return conditional_precedence;
        return std::holds_alternative<UnaryOperation>(expression.node) ? unary_precedence : primary_precedence;
    }

    [[nodiscard]] std::string text_of_node(const Literal& node) const {
        // The shortest text that gives the same literal back in either precision.
        const std::string single = fmt::format("{}", static_cast<float>(node.value));
        const std::string shortest = std::stod(single) == node.value ? single : fmt::format("{}", node.value);
        return pointed_ && is_digits(shortest) ? shortest + ".0" : shortest;
    }
    [[nodiscard]] std::string text_of_node(const ParameterUse& node) const {
        return program_.parameters[node.parameter].name;
    }
    [[nodiscard]] std::string text_of_node(const LoopIndexUse& node) const { return program_.loops[node.loop].name; }
    [[nodiscard]] std::string text_of_node(const CoordinateUse& node) const { return program_.axes[node.axis].name; }
    [[nodiscard]] std::string text_of_node(const ExtentUse& node) const {
        return fmt::format("extent({})", program_.axes[node.axis].name);
    }
    [[nodiscard]] std::string text_of_node(const OperandUse& node) const { return operands_.at(node.operand); }
    [[nodiscard]] std::string text_of_node(const UnaryOperation& node) const {
        // A unary operand gets brackets: "--a" would be C's decrement.
        return symbol(node.op) + text(*node.operand, primary_precedence);
    }
    [[nodiscard]] std::string text_of_node(const BinaryOperation& node) const {
        const int needed = precedence(node.op);
        if (!pointed_ && is_real_comparison(node) && looks_whole(*node.left) && looks_whole(*node.right)) {
            TextPrinter pointed = *this;
            pointed.pointed_ = true;
            return pointed.text_of_node(node);
        }
        return fmt::format("{} {} {}", text(*node.left, needed), symbol(node.op), text(*node.right, needed + 1));
    }
    [[nodiscard]] std::string text_of_node(const Conditional& node) const {
        return fmt::format("{} ? {} : {}", text(*node.condition, conditional_precedence + 1), text(*node.then, 0),
                           text(*node.otherwise, conditional_precedence));
    }
    [[nodiscard]] std::string text_of_node(const IntrinsicCall& node) const {
        if (!pointed_ && node.intrinsic == Intrinsic::to_integer && looks_whole(*node.arguments.front())) {
            TextPrinter pointed = *this;
            pointed.pointed_ = true;
            return pointed.text_of_node(node);
        }
        std::string arguments;
        for (const ExpressionRef& argument : node.arguments)
            arguments += (arguments.empty() ? "" : ", ") + text(*argument, 0);
        return fmt::format("{}({})", name_of(node.intrinsic), arguments);
    }
    [[nodiscard]] std::string text_of_node(const FunctionWord& node) const {
        return function_word_text(program_.cell_functions[node.function], node.word, node.arguments,
                                  [&](const ExpressionRef& argument) { return text(*argument, 0); });
    }

    [[nodiscard]] static bool is_digits(const std::string& text) {
        return text.find_first_not_of("0123456789") == std::string::npos;
    }
    [[nodiscard]] static bool is_real_comparison(const BinaryOperation& node) {
        return is_comparison(node.op) && (node.left->kind == ScalarKind::real || node.right->kind == ScalarKind::real);
    }
    /// Its text, read where an integer may stand, would be one.
    [[nodiscard]] bool looks_whole(const Expression& e) const {
        if (const auto* literal = std::get_if<Literal>(&e.node)) return is_digits(text_of_node(*literal));
        if (const auto* use = std::get_if<ParameterUse>(&e.node))
            return program_.parameters[use->parameter].kind == ScalarKind::integer;
        if (const auto* node = std::get_if<UnaryOperation>(&e.node)) return looks_whole(*node->operand);
        if (const auto* node = std::get_if<BinaryOperation>(&e.node))
            return looks_whole(*node->left) && looks_whole(*node->right);
        if (const auto* node = std::get_if<Conditional>(&e.node))
            return looks_whole(*node->then) && looks_whole(*node->otherwise);
        if (const auto* node = std::get_if<IntrinsicCall>(&e.node); node && has_integer_form(node->intrinsic))
            return std::all_of(node->arguments.begin(), node->arguments.end(),
                               [&](const ExpressionRef& argument) { return looks_whole(*argument); });
        return e.kind == ScalarKind::integer;
    }

    const Program& program_;
    const std::vector<std::string>& operands_;
    bool pointed_ = false;  ///< reals are written 2.0: without a point they would be integers here
};

}  // namespace

std::string function_word_text(const CellFunction& function, int word, const std::vector<ExpressionRef>& arguments,
                               const std::function<std::string(const ExpressionRef&)>& text) {
    std::string all;
    auto next = arguments.begin();
    for (const CellFunction::Argument& argument : function.arguments) {
        std::string words;
        for (int k = 0; k < argument.words; ++k) words += (words.empty() ? "" : ", ") + text(*next++);
        if (!argument.type.empty()) words = fmt::format("{}({})", argument.type, words);
        all += (all.empty() ? "" : ", ") + words;
    }
    const std::string& name = function.words.at(static_cast<std::size_t>(word));
    return fmt::format("{}({}){}{}", function.name, all, name.empty() ? "" : ".", name);
}

std::string to_text(const Expression& expression, const Program& program,
                    const std::vector<std::string>& operand_text) {
    return TextPrinter(program, operand_text).text(expression, 0);
}

}  // namespace kasc
