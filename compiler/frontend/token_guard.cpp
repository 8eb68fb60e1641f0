#include "frontend/token_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "frontend/parse.hpp"

// How deep the parser recurses at a token is bounded by what is open there: brackets, prefix operators that wait for
// their operand, and ?: whose last part is being read.
//
//     ( - ( a ? b : ! c        depth 5 at c: two brackets, one '-', one '?', one '!'

namespace kasc::frontend {

namespace {

struct Bracket {
    Span open;                  ///< no source: the outermost level
    bool loop_head = false;     ///< "for (": holds ';'
    std::size_t questions = 0;  ///< ?: that may still be open
    std::size_t prefixes = 0;   ///< - ! ~ in a row before this token
    [[nodiscard]] std::size_t depth() const { return 1 + questions + prefixes; }
};

char partner(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

class Nesting {
public:
    explicit Nesting(Report& report) : report_(report) { levels_.emplace_back(); }

    /// False: nothing that follows can be judged.
    bool take(const Span& span) {
        const std::string_view text = text_of(span);
        const char c = text.size() > 1 ? ' ' : text.front();  // {u}_max is a name
        if (c == '(' || c == '[' || c == '{') {
            levels_.push_back({span, after_for_, 0, 0});
        } else if (c == ')' || c == ']' || c == '}') {
            return close(span, c);
        } else if (c == '?') {
            ++levels_.back().questions;
            levels_.back().prefixes = 0;
        } else if (text == "-" || text == "!" || text == "~") {
            ++levels_.back().prefixes;
        } else {
            if (c == ';') end_statement(span);
            if (c == ';' || c == ',') levels_.back().questions = 0;
            levels_.back().prefixes = 0;
        }
        after_for_ = text == "for";
        return within_limit(span);
    }

    void finish(const Span& end) {
        if (levels_.size() == 1) return;
        const Span& open = levels_.back().open;
        Diagnostic& d = report_.error("K0104", fmt::format("'{}' is not closed", text_of(open)), open, "opens here");
        d.notes.push_back({end, "the program ends here"});
    }

private:
    bool close(const Span& span, char c) {
        const Span open = levels_.back().open;
        if (!open.source) {
            report_.error("K0104", fmt::format("'{}' closes nothing", c), span);
            return false;
        }
        if (partner(text_of(open).front()) != c) {
            Diagnostic& d = report_.error("K0104", fmt::format("'{}' does not close '{}'", c, text_of(open)), span,
                                          fmt::format("'{}' is expected first", partner(text_of(open).front())));
            d.notes.push_back({open, fmt::format("'{}' opens here", text_of(open))});
            return false;
        }
        levels_.pop_back();
        levels_.back().prefixes = 0;
        if (c == '}') levels_.back().questions = 0;
        return true;
    }

    /// A ';' outside of the head of a loop closes no bracket, but nothing can go on after it.
    void end_statement(const Span& span) {
        while (levels_.back().open.source && !levels_.back().loop_head && text_of(levels_.back().open) != "{") {
            const Span& open = levels_.back().open;
            report_.error("K0104", fmt::format("'{}' is not closed", text_of(open)), open, "opens here")
                .notes.push_back({span, "the statement ends here"});
            levels_.pop_back();
        }
    }

    bool within_limit(const Span& span) {
        std::size_t depth = 0;
        for (const Bracket& level : levels_) depth += level.depth();
        if (depth <= program_limits.nesting + 1) return true;  // the outermost level is no bracket
        report_.error("K0105", fmt::format("nested more than {} levels deep", program_limits.nesting), span, "here")
            .help = "take inner parts out into fields or functions of their own";
        return false;
    }

    Report& report_;
    std::vector<Bracket> levels_;
    bool after_for_ = false;
};

/// The whole UTF-8 character that starts at the span, so that the caret stands under all of it.
Span whole_character(Span span) {
    const std::string& text = span.source->text;
    while (span.end < text.size() && span.end < span.begin + 4 &&
           (static_cast<unsigned char>(text[span.end]) & 0xC0) == 0x80) {
        ++span.end;
    }
    return span;
}

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/// One error for a run of characters that no token starts with, and for each of them that comes again.
struct UnknownCharacters {
    std::size_t reported_until = 0;
    std::set<std::string> said{};  ///< characters of which something was said
};

/// Help for a '#' that begins a line of C's preprocessor, or a comment.
const char* after_hash(const Span& span) {
    const std::string_view text = std::string_view(span.source->text).substr(span.end);
    if (text.starts_with("define")) return "a number is 'param float a = 2;', a name for an expression 'let a = 2;'";
    if (text.starts_with("include")) return "functions of a file are brought by 'import \"waves.kas\";'";
    if (text.starts_with("pragma")) return "leave it out: which threads do what is kasc's";
    return "a comment begins with '//'";
}

/// Texts that were copied from pages have such spaces: no-break ones, narrow ones, ideographic ones, and none at all.
bool looks_like_a_space(std::string_view sign) {
    static constexpr std::string_view spaces[] = {"\u00A0", "\u2002", "\u2003", "\u2009",
                                                  "\u200A", "\u200B", "\u202F", "\u3000"};
    return std::find(std::begin(spaces), std::end(spaces), sign) != std::end(spaces);
}

void report_unknown(const Span& span, UnknownCharacters& unknown, Report& report) {
    const Span character = whole_character(span);
    const bool follows = span.begin <= unknown.reported_until && unknown.reported_until > 0;
    unknown.reported_until = character.end;
    if (!unknown.said.insert(std::string(text_of(character))).second || follows) return;
    const auto byte = static_cast<unsigned char>(text_of(span).front());
    const bool shown = (byte > 0x20 && byte < 0x7F) || (byte >= 0xC2 && character.end > span.end);
    const std::string what = shown ? fmt::format("'{}'", text_of(character)) : fmt::format("byte 0x{:02X}", byte);
    Diagnostic& d = report.error("K0102", fmt::format("unexpected character {}", what), character);
    if (byte >= 0x80) d.help = "names are of the letters a to z and A to Z, digits and '_'; comments hold any";
    if (const std::string_view sign = text_of(character); sign == "\u00D7" || sign == "\u00B7")
        d.help = "a product is 'a*b'";
    else if (sign == "\u2212" || sign == "\u2013")
        d.help = "a minus is '-'";
    else if (sign == "\u00B2" || sign == "\u00B3")
        d.help = "a square is 'a*a', a power 'pow(a, b)'";
    else if (looks_like_a_space(sign))
        d.help = "it looks like a space, and is another letter: write ' '";
    if (byte == '#') d.help = after_hash(span);
    if (byte == '@') d.help = "a product of matrices is 'sum(A*v, j)' of fields, 'mmul33(A, B)' of cells";
    const char before = span.begin > 0 ? span.source->text[span.begin - 1] : ' ';
    if (byte == '\'' && (is_name_character(before) || before == ')' || before == ']'))
        d.help = "axes have names: 'S = T;' of a field over the same axes in another order is the transpose";
    else if (byte == '"' || byte == '\'')
        d.help = "a text is the name of a file: 'import \"waves.kas\";'";
}

}  // namespace

void guard_tokens(const std::vector<Span>& tokens, Report& report) {
    static constexpr std::string_view known = "()[]{},;=<>+-*/%!?:.&|^~";
    UnknownCharacters unknown;
    for (const Span& token : tokens) {
        const std::string_view text = text_of(token);
        const bool text_like = text.size() > 1 && (text.front() == '"' || text.front() == '{');  // {u}_max
        const bool name_like = text_like || (is_name_character(text.front()) && text != ".");
        if (name_like && text.size() > program_limits.name_bytes) {
            report.error("K0107", fmt::format("a name or number has at most {} characters", program_limits.name_bytes),
                         token, fmt::format("has {}", text.size()));
        }
        if (!name_like && known.find(text.front()) == std::string_view::npos) {
            report_unknown(token, unknown, report);
        }
    }
    if (report.has_errors()) return;
    Nesting nesting(report);
    for (const Span& token : tokens) {
        if (!nesting.take(token)) return;
    }
    if (!tokens.empty()) nesting.finish({tokens.back().source, tokens.back().end, tokens.back().end});
}

}  // namespace kasc::frontend
