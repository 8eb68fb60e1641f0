#include "frontend/ast_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/checking.hpp"
#include "frontend/expansion.hpp"
#include "frontend/item_reader.hpp"
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
    ast::Name name{std::string(text_of(place)), place};
    if (has_open_parts(name.text)) report_open_parts(name, report_);
    return name;
}

ast::Name ExpressionBuilder::word(KascParser::WordContext* context) const {
    if (context->name()) return name(context->name());
    Span place = span(context);
    ++place.begin;  // ".12" is read as a number
    ast::Name word{std::string(text_of(place)), place};
    if (has_open_parts(word.text)) report_open_parts(word, report_);
    return word;
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

ast::ExpressionRef ExpressionBuilder::use(const ast::Name& name, std::size_t depth) {
    auto let = building_.lets.find(name.text);
    if (!let) return make(ast::NameUse{name.text}, name.span);
    let = building_.lets.use(std::move(let), name.span, report_);
    nodes_ += let->nodes;
    deepest_ = std::max(deepest_, depth + let->depth);
    const bool large = nodes_ > most_nodes_of_statement, deep = deepest_ > program_limits.tree_depth;
    if (!large && !deep) return let->value;
    if (!exhausted_) {
        Diagnostic& d = report_.error(
            "K0231",
            fmt::format("with its names expanded, the expression is {} than {} operations", large ? "larger" : "deeper",
                        large ? most_nodes_of_statement : program_limits.tree_depth),
            name.span);
        d.notes.push_back({let->name.span, "each use of a name counts: it is read where it stands"});
        d.help = "assign a part of it to a field first";
    }
    exhausted_ = true;
    return make(ast::Number{"0"}, name.span);
}

ast::ExpressionRef ExpressionBuilder::access(KascParser::AccessContext* context, std::size_t depth) {
    ast::Access node{name(context->name()), indices(context->indices(), depth)};
    if (const auto let = building_.lets.find(node.variable.text)) {
        const auto* field = std::get_if<ast::NameUse>(&let->value->node);
        if (!field) {
            Diagnostic& d = report_.error(
                "K0229", fmt::format("'{}' is a name for an expression here, which has no neighbours", let->name.text),
                span(context));
            d.notes.push_back({let->name.span, "given here"});
            d.help =
                "write what its fields are at the neighbour, by a function of the place: 'function g(k) = T[x + k] - "
                "T[x + k - 1];', or assign it to a field first";
            return make(ast::Number{"0"}, span(context));
        }
        const auto used = building_.lets.use(let, span(context), report_);
        node.variable.text = std::get<ast::NameUse>(used->value->node).name;
    }
    return make(std::move(node), span(context));
}

ast::ExpressionRef ExpressionBuilder::call(KascParser::CallContext* context, std::size_t depth) {
    if (auto sum = sum_over_list(context, depth)) return sum;
    ast::Call node{name(context->name()), {}};
    for (auto* argument : context->expression()) node.arguments.push_back(expression(argument, depth));
    return make(std::move(node), span(context));
}

/// axis_sum(a, space, e): e for each entry of the list, added in its order.
ast::ExpressionRef ExpressionBuilder::sum_over_list(KascParser::CallContext* context, std::size_t depth) {
    const std::vector<KascParser::ExpressionContext*> arguments = context->expression();
    if (arguments.size() != 3 || context->name()->getText() != "axis_sum") return nullptr;
    auto* bound = dynamic_cast<KascParser::NameUseContext*>(arguments[0]);
    if (!bound) return nullptr;
    std::vector<ast::Name> entries;
    if (auto* here = dynamic_cast<KascParser::NamesInSumContext*>(arguments[1])) {
        for (KascParser::NameContext* entry : here->name()) entries.push_back(name(entry));
    } else {
        auto* of = dynamic_cast<KascParser::NameUseContext*>(arguments[1]);
        const auto list = of ? building_.lists.find(of->getText()) : building_.lists.end();
        if (list == building_.lists.end()) return nullptr;
        entries = list->second;
    }
    ast::ExpressionRef sum;
    for (const ast::Name& entry : entries) {
        const std::string variable = bound->getText();
        const Expansion made(building_, span(arguments[2]), {{variable, {Replacement::Kind::entry, entry.text}}},
                             span(context), fmt::format("where '{}' is '{}'", variable, entry.text));
        if (!made) break;
        ItemReader reader(made.source(), report_);
        KascParser::ExpressionContext* term = reader.expression();
        if (!term) break;
        ExpressionBuilder inner(made.source(), building_);
        ast::ExpressionRef value = inner.expression(term, depth);
        nodes_ += inner.nodes_;
        deepest_ = std::max(deepest_, inner.deepest_);
        sum = sum ? make(ast::Binary{BinaryOperator::add, sum, std::move(value), span(context)}, span(context)) : value;
        if (!sum) return nullptr;
    }
    return sum ? sum : make(ast::Number{"0"}, span(context));
}

ast::ExpressionRef ExpressionBuilder::expression(KascParser::ExpressionContext* context, std::size_t depth) {
    if (depth == 0) {
        nodes_ = deepest_ = 0;
        exhausted_ = false;
        ast::ExpressionRef whole = expression(context, 1);
        if (!exhausted_) return whole;
        nodes_ = deepest_ = 1;  // what was said once must not grow in other names
        return make(ast::Number{"0"}, span(context));
    }
    ++nodes_;
    deepest_ = std::max(deepest_, depth);
    if (depth <= program_limits.tree_depth) return node(context, depth + 1);
    const Span place = span(context);
    const Span first{place.source, place.begin, place.begin + 1};
    if (!exhausted_)
        report_
            .error("K0105",
                   fmt::format("an expression has more than {} operations in a row", program_limits.tree_depth), first,
                   "begins here")
            .help = "assign a part of it to a field first";
    exhausted_ = true;
    return make(ast::Number{"0"}, place);
}

ast::ExpressionRef ExpressionBuilder::node(KascParser::ExpressionContext* context, std::size_t depth) {
    const Span place = span(context);
    if (auto* inner = dynamic_cast<KascParser::ParenthesisedContext*>(context))
        return expression(inner->expression(), depth);
    if (auto* operation = dynamic_cast<KascParser::BinaryContext*>(context)) return binary(operation, depth);
    if (auto* name_use = dynamic_cast<KascParser::NameUseContext*>(context)) return use(name(name_use->name()), depth);
    if (auto* number = dynamic_cast<KascParser::NumberContext*>(context)) {
        const auto form = number->INTEGER() ? ast::NumberForm::integer : ast::NumberForm::real;
        return make(ast::Number{std::string(text_of(place)), form}, place);
    }
    if (auto* at = dynamic_cast<KascParser::AccessContext*>(context)) return access(at, depth);
    if (auto* called = dynamic_cast<KascParser::CallContext*>(context)) return call(called, depth);
    if (auto* operation = dynamic_cast<KascParser::UnaryContext*>(context)) {
        return make(
            ast::Unary{unary_operator(text_of(span(operation->op))), expression(operation->expression(), depth)},
            place);
    }
    if (auto* word_use = dynamic_cast<KascParser::WordUseContext*>(context)) {
        auto cell = expression(word_use->expression(), depth);
        return make(ast::WordUse{std::move(cell), word(word_use->word())}, place);
    }
    if (dynamic_cast<KascParser::NamesInSumContext*>(context)) {
        report_.error("K0121", "a list of names stands where an expression is needed", place).help =
            "it may stand in 'for a in (x, y) { ... }' and in 'axis_sum(a, (x, y), ...)'";
        return make(ast::Number{"0"}, place);
    }
    auto* choice = dynamic_cast<KascParser::ConditionalContext*>(context);
    auto condition = expression(choice->expression(0), depth);
    auto then = expression(choice->expression(1), depth);
    return make(ast::Conditional{std::move(condition), std::move(then), expression(choice->expression(2), depth)},
                place);
}

}  // namespace kasc::frontend
