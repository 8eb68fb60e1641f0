#include "frontend/item_reader.hpp"

#include <KascLexer.h>
#include <KascParser.h>
#include <fmt/format.h>

#include "frontend/foreign_blocks.hpp"
#include "frontend/parse.hpp"
#include "frontend/syntax_error.hpp"
#include "frontend/text_guard.hpp"
#include "frontend/token_guard.hpp"
#include "frontend/token_words.hpp"

// The text is guarded, split into tokens, the tokens are guarded, and the parser reads item by item. An item with a
// syntax error ends at its ';' (or with the loop that it stands in), so that an error does not hide those after it:
//
//     M = mmul33(A B);      error, the rest of this line is skipped
//     N = mmul33(A, M;      error, reported as well

namespace kasc::frontend {

using grammar::KascLexer;
using grammar::KascParser;

namespace {

/// Thrown through the generated parser up to the loop over items; the strategy holds the fault.
struct StoppedAtFault {};

SyntaxRule syntax_rule(std::size_t rule) {
    switch (rule) {
        case KascParser::RuleItem:
        case KascParser::RuleStatement:
            return SyntaxRule::item;
        case KascParser::RuleDeclaration:
        case KascParser::RuleDeclarator:
            return SyntaxRule::declaration;
        case KascParser::RuleBoundary:
        case KascParser::RuleFaces:
        case KascParser::RuleFace:
            return SyntaxRule::boundary;
        case KascParser::RuleParameter:
        case KascParser::RuleParameterEntry:
        case KascParser::RuleAxisLength:
        case KascParser::RuleOption:
        case KascParser::RuleLocal:
            return SyntaxRule::parameter;
        case KascParser::RuleFunction:
            return SyntaxRule::function;
        case KascParser::RuleInputs:
        case KascParser::RuleOutputs:
            return SyntaxRule::list;
        case KascParser::RuleRequirement:
            return SyntaxRule::call;
        case KascParser::RuleIndices:
        case KascParser::RuleAxes:
            return SyntaxRule::indices;
        case KascParser::RuleLoop:
            return SyntaxRule::loop_body;
        case KascParser::RuleAssignment:
        case KascParser::RuleColours:
            return SyntaxRule::assignment;
        case KascParser::RuleLoopHead:
            return SyntaxRule::loop_head;
        case KascParser::RuleChoice:
        case KascParser::RuleBlock:
            return SyntaxRule::choice;
        case KascParser::RuleProcedure:
            return SyntaxRule::procedure;
        case KascParser::RuleForEach:
        case KascParser::RuleBinding:
        case KascParser::RuleList:
        case KascParser::RuleEntries:
        case KascParser::RuleEntry:
            return SyntaxRule::for_each;
        case KascParser::RuleTable:
        case KascParser::RuleTableEntry:
            return SyntaxRule::table;
        case KascParser::RuleCallStatement:
            return SyntaxRule::call;
        default:
            return SyntaxRule::other;
    }
}

/// Stops at the first fault of an item; nothing is inserted or deleted.
class StopAtFault : public antlr4::DefaultErrorStrategy {
public:
    StopAtFault(const SourceRef& source, const std::vector<Span>& tokens, SyntaxFault& fault)
        : source_(source), tokens_(tokens), fault_(fault) {}

    void sync(antlr4::Parser*) override {}
    void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) override {
        // Where no alternative fits only after some tokens, the parser's state is that of the first of them.
        const auto* undecided = dynamic_cast<const antlr4::NoViableAltException*>(&e);
        if (undecided) undecided_from_ = undecided->getStartToken()->getStartIndex();
        record(*parser, e.getOffendingToken(), !undecided || undecided->getStartToken() == e.getOffendingToken());
    }
    void recover(antlr4::Parser*, std::exception_ptr) override { throw StoppedAtFault{}; }
    antlr4::Token* recoverInline(antlr4::Parser* parser) override {
        record(*parser, parser->getCurrentToken(), true);
        throw StoppedAtFault{};
    }

private:
    void record(antlr4::Parser& parser, antlr4::Token* found, bool expected_is_known) {
        fault_ = {};
        antlr4::ParserRuleContext* context = parser.getContext();
        const std::size_t rule = context->getRuleIndex();
        const bool name = (rule == KascParser::RuleName || rule == KascParser::RuleBlock) && context->parent;
        fault_.rule =
            syntax_rule((name ? dynamic_cast<antlr4::ParserRuleContext*>(context->parent) : context)->getRuleIndex());
        if (dynamic_cast<KascParser::CallContext*>(context)) fault_.rule = SyntaxRule::call;
        fault_.found = span(found);
        if (found->getTokenIndex() > 0)
            fault_.previous = span(parser.getTokenStream()->get(found->getTokenIndex() - 1));
        while (context->parent) context = dynamic_cast<antlr4::ParserRuleContext*>(context->parent);
        fault_.tokens = tokens_;
        fault_.at = found->getTokenIndex();
        fault_.statement = statement_of(tokens_, context->getStart()->getTokenIndex(), fault_.at);
        const bool ended = fault_.statement >= tokens_.size();
        fault_.first = ended ? span(context->getStart()) : tokens_[fault_.statement];
        if (expected_is_known) fault_.expected = expected(parser);
        if (fault_.rule != SyntaxRule::item) return;
        if (rule == KascParser::RuleStatement && undecided_from_ == fault_.previous.begin) {
            fault_.rule = SyntaxRule::assignment;
            fault_.expected = {"'='", "'+='"};
            return;
        }
        if (expected_is_known) fault_.expected = {"a declaration or a statement"};
        if (fault_.previous.source && fault_.previous.begin == fault_.first.begin) fault_.expected = {"'='"};
    }

    [[nodiscard]] static std::vector<std::string> expected(antlr4::Parser& parser) {
        const auto set = parser.getExpectedTokens();
        if (set.contains(std::size_t{KascParser::INTEGER})) return {"an expression"};
        std::vector<std::string> names;
        if (set.contains(std::size_t{KascParser::NAME})) return {"a name"};
        for (const auto& interval : set.getIntervals()) {
            for (auto type = interval.a; type <= interval.b; ++type) {
                names.push_back(parser.getVocabulary().getDisplayName(static_cast<std::size_t>(type)));
            }
        }
        return names;
    }

    [[nodiscard]] Span span(antlr4::Token* token) const {
        const std::size_t size = source_->text.size();
        if (token->getType() == antlr4::Token::EOF) return {source_, size, size};
        return {source_, token->getStartIndex(), token->getStopIndex() + 1};
    }

    const SourceRef& source_;
    const std::vector<Span>& tokens_;
    SyntaxFault& fault_;
    std::size_t undecided_from_ = 0;  ///< the first of the tokens that fit nothing
};

/// Goes on after the ';' that ends the faulty item, or after the '}' of the loop that it stands in.
void skip_item(antlr4::TokenStream& tokens, const std::vector<Span>& all, std::size_t first, std::size_t fault) {
    int depth = 0;
    const bool has_head = word_at(all, first) == "for" && word_at(all, first + 1) == "(";
    const std::size_t head = has_head ? closing(all, first + 1) : first;
    for (std::size_t i = first;; ++i) {
        antlr4::Token* token = tokens.get(i);
        if (token->getType() == antlr4::Token::EOF) return tokens.seek(i);
        const std::string text = token->getText();
        if (text == "{") ++depth;
        if (text == "}") --depth;
        const bool ends = depth <= 0 && (text == ";" || text == "}");
        // The ';' inside the head of a loop end nothing.
        const bool in_head = text == ";" && i < head;
        // What follows a choice at fault belongs to it.
        const bool goes_on =
            ends && begins_choice(tokens.get(first)->getText()) && goes_on_with(tokens.get(i + 1)->getText());
        // A ';' behind the '}' of a table or a block ends it, too.
        const bool closed = text == "}" && tokens.get(i + 1)->getText() == ";";
        if (i >= fault && ends && !in_head && !goes_on) return tokens.seek(i + (closed ? 2 : 1));
    }
}

/// All tokens, or none, with an error, where they are too many. Comments are none.
std::vector<std::unique_ptr<antlr4::Token>> read_tokens(const SourceRef& source, KascLexer& lexer, Report& report) {
    std::vector<std::unique_ptr<antlr4::Token>> tokens;
    do {
        auto token = lexer.nextToken();
        while (token->getChannel() != antlr4::Token::DEFAULT_CHANNEL) token = lexer.nextToken();
        tokens.push_back(std::move(token));
        if (tokens.size() <= program_limits.tokens) continue;
        const std::size_t at = tokens.back()->getStartIndex();
        report.error("K0106", fmt::format("the program has more than {} words and signs", program_limits.tokens),
                     {source, at, at + 1}, "from here on");
        return {};
    } while (tokens.back()->getType() != antlr4::Token::EOF);
    return tokens;
}

std::vector<Span> places(const SourceRef& source, const std::vector<std::unique_ptr<antlr4::Token>>& tokens) {
    std::vector<Span> all;
    for (const auto& token : tokens) {
        if (token->getType() == antlr4::Token::EOF) break;
        all.push_back({source, token->getStartIndex(), token->getStopIndex() + 1});
    }
    return all;
}

}  // namespace

struct ItemReader::State {
    SourceRef source;
    Report& report;
    std::optional<antlr4::ANTLRInputStream> input{};  // tokens read their text of it
    std::optional<KascLexer> lexer{};
    std::optional<antlr4::ListTokenSource> list{};
    std::optional<antlr4::CommonTokenStream> tokens{};
    std::optional<KascParser> parser{};
    std::vector<Span> places{};
    SyntaxFault fault{};
    std::set<std::string> names{}, procedures{};
};

ItemReader::ItemReader(const SourceRef& source, Report& report) : state_(new State{source, report}) {
    const std::size_t errors = report.errors();
    const auto text = lexer_text(state_->source, report);
    if (!text) return;
    state_->input.emplace(*text);
    state_->lexer.emplace(&*state_->input);
    state_->lexer->removeErrorListeners();
    auto all = read_tokens(state_->source, *state_->lexer, report);
    state_->places = places(state_->source, all);
    if (report.errors() == errors) guard_tokens(state_->places, report);
    if (report.errors() > errors) return;
    bool defines = false;
    for (const auto& token : all) {
        if (token->getType() == KascParser::NAME) {
            state_->names.insert(token->getText());
            if (defines) state_->procedures.insert(token->getText());
        }
        defines = token->getText() == "procedure";
    }
    state_->list.emplace(std::move(all));
    state_->tokens.emplace(&*state_->list);
    state_->tokens->fill();
    state_->parser.emplace(&*state_->tokens);
    state_->parser->removeErrorListeners();
    state_->parser->setErrorHandler(std::make_shared<StopAtFault>(state_->source, state_->places, state_->fault));
    // The grammar is decided on few tokens; full-context prediction would only cost time on faulty programs.
    state_->parser->getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(
        antlr4::atn::PredictionMode::SLL);
}

ItemReader::~ItemReader() = default;

const std::set<std::string>& ItemReader::names() const { return state_->names; }
const std::set<std::string>& ItemReader::procedures() const { return state_->procedures; }

bool ItemReader::for_each(const std::function<void(KascParser::ItemContext*)>& take) {
    if (!state_->parser) return false;
    antlr4::CommonTokenStream& tokens = *state_->tokens;
    bool good = true;
    std::set<std::string> said;
    while (tokens.LA(1) != antlr4::Token::EOF && !state_->report.full()) {
        const std::size_t first = tokens.index();
        try {
            take(state_->parser->item());
        } catch (const StoppedAtFault&) {
            good = false;
            const auto block = foreign_block(state_->places, state_->fault.statement);
            if (block) {
                // Comments that are none here are reported once.
                if (said.insert(block->message).second || block->head.end > block->head.begin + 1)
                    report_foreign_block(*block, state_->report);
            } else {
                report_syntax_fault(state_->fault, state_->report);
            }
            if (block && state_->fault.statement == first) {
                tokens.seek(block->end);
            } else {
                skip_item(tokens, state_->places, first, tokens.index());
            }
        }
    }
    return good;
}

KascParser::ExpressionContext* ItemReader::expression() {
    if (!state_->parser) return nullptr;
    try {
        return state_->parser->expression();
    } catch (const StoppedAtFault&) {
        report_syntax_fault(state_->fault, state_->report);
        return nullptr;
    }
}

}  // namespace kasc::frontend
