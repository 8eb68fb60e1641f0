#include "frontend/ast_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/parse.hpp"

namespace kasc::frontend {

using grammar::KascParser;

namespace {

constexpr std::array<std::pair<std::string_view, BinaryOperator>, 18> binary_operators{{
    {"+", BinaryOperator::add},
    {"-", BinaryOperator::subtract},
    {"*", BinaryOperator::multiply},
    {"/", BinaryOperator::divide},
    {"%", BinaryOperator::modulo},
    {"<", BinaryOperator::less},
    {"<=", BinaryOperator::less_equal},
    {">", BinaryOperator::greater},
    {">=", BinaryOperator::greater_equal},
    {"==", BinaryOperator::equal},
    {"!=", BinaryOperator::not_equal},
    {"&&", BinaryOperator::logical_and},
    {"||", BinaryOperator::logical_or},
    {"&", BinaryOperator::bit_and},
    {"|", BinaryOperator::bit_or},
    {"^", BinaryOperator::bit_xor},
    {"<<", BinaryOperator::shift_left},
    {">>", BinaryOperator::shift_right},
}};

BinaryOperator binary_operator(std::string_view text) {
    return std::find_if(binary_operators.begin(), binary_operators.end(),
                        [&](const auto& o) { return o.first == text; })
        ->second;
}

UnaryOperator unary_operator(std::string_view text) {
    return text == "-" ? UnaryOperator::negate : text == "!" ? UnaryOperator::logical_not : UnaryOperator::complement;
}

template <class Node>
ast::ExpressionRef make(Node node, const Span& span) {
    return std::make_shared<const ast::Expression>(ast::Expression{std::move(node), span});
}

}  // namespace

Span ExpressionBuilder::span(antlr4::Token* token) const {
    return {source_, token->getStartIndex(), token->getStopIndex() + 1};
}

Span ExpressionBuilder::span(antlr4::ParserRuleContext* context) const {
    return {source_, context->getStart()->getStartIndex(), context->getStop()->getStopIndex() + 1};
}

ast::Name ExpressionBuilder::name(KascParser::NameContext* context) const {
    const Span place = span(context);
    return {std::string(text_of(place)), place};
}

ast::Name ExpressionBuilder::word(KascParser::WordContext* context) const {
    if (context->name()) return name(context->name());
    Span place = span(context);
    ++place.begin;  // ".12" is read as a number
    return {std::string(text_of(place)), place};
}

std::vector<ast::Index> ExpressionBuilder::indices(KascParser::IndicesContext* context, std::size_t depth) {
    std::vector<ast::Index> all;
    for (KascParser::IndexContext* index : context->index()) {
        ast::Index item;
        if (index->axis) item.axis = name(index->axis);
        item.value = expression(index->expression(), depth);
        all.push_back(std::move(item));
    }
    return all;
}

ast::ExpressionRef ExpressionBuilder::binary(KascParser::BinaryContext* context, std::size_t depth) {
    ast::Binary node;
    node.op_span = span(context->op);
    node.op = binary_operator(text_of(node.op_span));
    node.left = expression(context->expression(0), depth);
    if (!node.left) return nullptr;  // the rest of a chain that is too deep was reported once
    node.right = expression(context->expression(1), depth);
    return make(std::move(node), span(context));
}

ast::ExpressionRef ExpressionBuilder::expression(KascParser::ExpressionContext* context, std::size_t depth) {
    const Span place = span(context);
    if (++depth > program_limits.tree_depth) {
        const Span first{place.source, place.begin, place.begin + 1};
        report_
            .error("K0105",
                   fmt::format("an expression has more than {} operations in a row", program_limits.tree_depth), first,
                   "begins here")
            .help = "assign a part of it to a field first";
        return nullptr;
    }
    if (auto* inner = dynamic_cast<KascParser::ParenthesisedContext*>(context))
        return expression(inner->expression(), depth);
    if (auto* operation = dynamic_cast<KascParser::BinaryContext*>(context)) return binary(operation, depth);
    if (auto* use = dynamic_cast<KascParser::NameUseContext*>(context)) {
        return make(ast::NameUse{name(use->name()).text}, place);
    }
    if (auto* number = dynamic_cast<KascParser::NumberContext*>(context)) {
        const auto form = number->INTEGER() ? ast::NumberForm::integer : ast::NumberForm::real;
        return make(ast::Number{std::string(text_of(place)), form}, place);
    }
    if (auto* access = dynamic_cast<KascParser::AccessContext*>(context)) {
        return make(ast::Access{name(access->name()), indices(access->indices(), depth)}, place);
    }
    if (auto* call = dynamic_cast<KascParser::CallContext*>(context)) {
        ast::Call node{name(call->name()), {}};
        for (auto* argument : call->expression()) node.arguments.push_back(expression(argument, depth));
        return make(std::move(node), place);
    }
    if (auto* operation = dynamic_cast<KascParser::UnaryContext*>(context)) {
        return make(
            ast::Unary{unary_operator(text_of(span(operation->op))), expression(operation->expression(), depth)},
            place);
    }
    if (auto* use = dynamic_cast<KascParser::WordUseContext*>(context)) {
        auto cell = expression(use->expression(), depth);
        return make(ast::WordUse{std::move(cell), word(use->word())}, place);
    }
    auto* choice = dynamic_cast<KascParser::ConditionalContext*>(context);
    auto condition = expression(choice->expression(0), depth);
    auto then = expression(choice->expression(1), depth);
    return make(ast::Conditional{std::move(condition), std::move(then), expression(choice->expression(2), depth)},
                place);
}

}  // namespace kasc::frontend
