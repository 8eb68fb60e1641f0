#include "frontend/lexemes.hpp"

#include <KascLexer.h>
#include <KascParser.h>

#include <map>

#include "frontend/item_reader.hpp"
#include "frontend/parse.hpp"
#include "frontend/text_guard.hpp"

// Roles are read off the parse trees, item by item: a '(' whose parent is the node of a call belongs to the word before
// it. Lexemes and the trees' tokens are matched by where they begin.

namespace kasc {

using frontend::Report;
using grammar::KascLexer;
using grammar::KascParser;

namespace {

LexemeKind kind_of(std::size_t type, std::string_view text) {
    switch (type) {
        case KascLexer::COMMENT:
        case KascLexer::LINE_COMMENT:
            return LexemeKind::comment;
        case KascLexer::INTEGER:
        case KascLexer::REAL:
        case KascLexer::NUMBERED_WORD:
            return LexemeKind::number;
        case KascLexer::TEXT:
            return LexemeKind::text;
        case KascLexer::NAME:
        case KascLexer::NAME_OF_PARTS:
            return LexemeKind::word;
        default:
            return text.front() >= 'a' && text.front() <= 'z' ? LexemeKind::word : LexemeKind::sign;
    }
}

LexemeRole role_of_open(antlr4::ParserRuleContext* parent) {
    switch (parent->getRuleIndex()) {
        case KascParser::RuleFunction:
        case KascParser::RuleProcedure:
        case KascParser::RuleCallStatement:
        case KascParser::RuleRequirement:
        case KascParser::RuleFace:
        case KascParser::RuleColours:
            return LexemeRole::call_open;
        default:
            return dynamic_cast<KascParser::CallContext*>(parent) ? LexemeRole::call_open : LexemeRole::group_open;
    }
}

LexemeRole role_of_sign(std::string_view sign, antlr4::ParserRuleContext* parent) {
    const std::size_t rule = parent->getRuleIndex();
    const bool table = rule == KascParser::RuleTable;
    const bool index = rule == KascParser::RuleIndices;
    if (sign == "(") return role_of_open(parent);
    if (sign == "[") return LexemeRole::index_open;
    if (sign == ")" || sign == "]") return LexemeRole::close;
    if (sign == "{") return table ? LexemeRole::table_open : LexemeRole::block_open;
    if (sign == "}") return table ? LexemeRole::close : LexemeRole::block_close;
    if (sign == ",") return index ? LexemeRole::index_comma : LexemeRole::comma;
    if (sign == ";") return LexemeRole::semicolon;
    if (sign == ".") return LexemeRole::dot;
    if (sign == "++") return LexemeRole::increment;
    if (sign == ":" && rule == KascParser::RuleFaces) return LexemeRole::colon;
    if (sign == "*" || sign == "/" || sign == "%") return LexemeRole::product;
    const bool prefix = dynamic_cast<KascParser::UnaryContext*>(parent) || rule == KascParser::RuleFace;
    return prefix ? LexemeRole::prefix : LexemeRole::operation;
}

/// Lexemes by where they begin.
using Places = std::map<std::size_t, Lexeme*>;

void set_role(antlr4::tree::TerminalNode* node, const Places& places) {
    const auto at = places.find(node->getSymbol()->getStartIndex());
    if (at == places.end()) return;
    Lexeme& lexeme = *at->second;
    auto* parent = dynamic_cast<antlr4::ParserRuleContext*>(node->parent);
    const bool word = parent->getRuleIndex() == KascParser::RuleWord;
    if (lexeme.kind == LexemeKind::number && word) lexeme.role = LexemeRole::suffix;
    if (lexeme.kind == LexemeKind::sign) lexeme.role = role_of_sign(text_of(lexeme.span), parent);
    // The 'return' of a function with a block begins an item; elsewhere it is an item of its own.
    if (parent->getRuleIndex() == KascParser::RuleFunction && text_of(lexeme.span) == "return")
        lexeme.begins_item = true;
}

/// Trees are as deep as sums are long: no recursion.
void set_roles(KascParser::ItemContext* item, const Places& places) {
    std::vector<antlr4::tree::ParseTree*> open{item};
    while (!open.empty()) {
        antlr4::tree::ParseTree* tree = open.back();
        open.pop_back();
        if (auto* node = dynamic_cast<antlr4::tree::TerminalNode*>(tree)) {
            set_role(node, places);
            continue;
        }
        auto* context = dynamic_cast<antlr4::ParserRuleContext*>(tree);
        const std::size_t rule = context->getRuleIndex();
        if (rule == KascParser::RuleItem || rule == KascParser::RuleStatement || rule == KascParser::RuleLocal)
            if (const auto at = places.find(context->getStart()->getStartIndex()); at != places.end())
                at->second->begins_item = true;
        open.insert(open.end(), tree->children.begin(), tree->children.end());
    }
}

}  // namespace

std::vector<Lexeme> lexemes(const SourceRef& source) {
    if (source->text.size() > program_limits.bytes) return {};
    antlr4::ANTLRInputStream input(frontend::ascii_of(source->text));
    KascLexer lexer(&input);
    lexer.removeErrorListeners();
    std::vector<Lexeme> all;
    while (true) {
        const auto token = lexer.nextToken();
        if (token->getType() == antlr4::Token::EOF) return all;
        const Span span{source, token->getStartIndex(), token->getStopIndex() + 1};
        const LexemeKind kind = kind_of(token->getType(), text_of(span));
        all.push_back({span, kind, kind == LexemeKind::comment ? LexemeRole::comment : LexemeRole::word});
    }
}

Outcome<std::vector<Lexeme>> lexemes_with_roles(const SourceRef& source) {
    Report report;
    frontend::ItemReader reader(source, report);
    std::vector<Lexeme> all;
    if (!report.has_errors()) all = lexemes(source);
    Places places;
    for (Lexeme& lexeme : all) places[lexeme.span.begin] = &lexeme;
    const bool good = reader.for_each([&](KascParser::ItemContext* item) { set_roles(item, places); });
    if (!good) return failure<std::vector<Lexeme>>(report.take());
    return success(std::move(all), report.take());
}

}  // namespace kasc
