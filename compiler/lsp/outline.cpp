#include "lsp/outline.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

// An item begins at a word behind a ';' or a brace. What it declares is seen at its first words:
//
//     param float dt = 0.1, dx;            float T[x, y] boundary keep(1), u[x, y];            for (n = 0; …) { … }
//     '-----' word, two names              two names and , ; [ boundary or                     'for', '(', a name

namespace kasc::lsp {

namespace {

using Kind = Declared::Kind;

bool is_name(const Lexeme& lexeme) { return lexeme.kind == LexemeKind::word; }

/// The closing bracket of each opening one. A '}' closes brackets that were left open in its block.
std::vector<std::size_t> closing_brackets(const std::vector<Lexeme>& words) {
    std::vector<std::size_t> closes(words.size(), none), open;
    std::size_t braces = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view text = text_of(words[i].span);
        if (text == "(" || text == "[" || text == "{") {
            open.push_back(i);
            braces += text == "{" ? 1 : 0;
        } else if (text == ")" || text == "]") {
            if (open.empty() || text_of(words[open.back()].span) != (text == ")" ? "(" : "[")) continue;
            closes[open.back()] = i;
            open.pop_back();
        } else if (text == "}" && braces > 0) {
            while (text_of(words[open.back()].span) != "{") open.pop_back();
            closes[open.back()] = i;
            open.pop_back();
            --braces;
        }
    }
    return closes;
}

/// A text in one line, at most so long.
std::string one_line(std::string_view text) {
    constexpr std::size_t most = 300;
    std::string out;
    for (const char c : text) {
        if (out.size() > most) break;
        const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
        if (!blank) out += c;
        if (blank && !out.empty() && out.back() != ' ') out += ' ';
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    if (out.size() <= most) return out;
    std::size_t end = most;
    while ((static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80) --end;
    return out.substr(0, end) + " …";
}

class OutlineReader {
public:
    explicit OutlineReader(Outline& outline) : outline_(outline), words_(outline.words) {}

    void run() {
        bool other = false;  // than what may be imported
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if (!blocks_.empty() && blocks_.back() == i) blocks_.pop_back();
            if (word(i) == "{") blocks_.push_back(outline_.closes[i]);
            if (!begins_item(i)) continue;
            const std::size_t end = end_of_item(i);
            item_ = between(i, end);
            outline_.items.push_back(item_);
            other = !take(i, end) || other;
        }
        outline_.only_imported = !outline_.items.empty() && !other;
    }

private:
    [[nodiscard]] std::string_view word(std::size_t i) const { return outline_.word(i); }
    [[nodiscard]] bool name_at(std::size_t i) const { return i < words_.size() && is_name(words_[i]); }
    [[nodiscard]] Span between(std::size_t first, std::size_t last) const {
        const std::size_t size = outline_.source->text.size();
        return {outline_.source, first < words_.size() ? words_[first].span.begin : size,
                last < words_.size() ? words_[last].span.end : size};
    }

    [[nodiscard]] bool begins_item(std::size_t i) const {
        if (!name_at(i) || word(i) == "else") return false;
        const std::string_view before = i > 0 ? word(i - 1) : ";";
        return before == ";" || before == "}" || (before == "{" && !begins_table(i - 1));
    }
    [[nodiscard]] bool begins_table(std::size_t i) const {
        const std::string_view before = i > 0 ? word(i - 1) : "";
        return before == "=" || before == "," || before == "{";
    }

    /// The word that ends the item: its ';' or the '}' of its last block.
    [[nodiscard]] std::size_t end_of_item(std::size_t first) const {
        for (std::size_t i = first; i < words_.size(); ++i) {
            const std::string_view text = word(i);
            if (text == ";") return i;
            if (text == "}") return i - 1;
            const bool block = text == "{" && !begins_table(i);
            if (outline_.closes[i] == none && block) return words_.size();
            if (outline_.closes[i] == none) continue;
            i = outline_.closes[i];
            if (block && word(i + 1) != "else") return i;
        }
        return words_.size();
    }

    void declare(Kind kind, std::size_t at, const Span& scope, std::string_view text,
                 std::vector<std::string> parts = {}) {
        outline_.declared.push_back(
            {kind, std::string(word(at)), words_[at].span, item_, scope, one_line(text), false, std::move(parts)});
    }
    /// Where a name that is declared at an item's level is known.
    [[nodiscard]] Span scope() const {
        const std::size_t size = outline_.source->text.size();
        const bool inside = procedure_.source && item_.begin < procedure_.end;
        return inside ? procedure_ : Span{outline_.source, 0, size};
    }
    [[nodiscard]] Span rest_of_block() const {
        const Span end = between(0, blocks_.empty() ? none : blocks_.back());
        return {outline_.source, item_.begin, end.end};
    }

    /// False: an item that no file may have that others import.
    bool take(std::size_t i, std::size_t end) {
        const std::string_view first = word(i);
        const bool named = name_at(i + 1);
        if (first == "for") return take_loop(i, end);
        if (first == "import" && words_.size() > i + 1 && words_[i + 1].kind == LexemeKind::text) {
            outline_.imports.push_back(words_[i + 1].span);
            return true;
        }
        if ((first == "function" || first == "procedure") && named) return take_function(i, end);
        if (first == "let" && named)
            return declare(Kind::let, i + 1, rest_of_block(), text_of(item_)), !blocks_.empty();
        if (first == "list" && named) return declare(Kind::list, i + 1, scope(), text_of(item_)), true;
        if (first == "type" && named) return declare(Kind::cell_type, i + 1, scope(), text_of(item_)), true;
        if (first == "axis" && named) return declare(Kind::axis, i + 1, scope(), text_of(item_)), false;
        if (first == "option" && named) return declare(Kind::option, i + 1, scope(), text_of(item_)), false;
        if (first == "param" && named && name_at(i + 2))
            return take_declarators(i + 2, end, "param " + text(i + 1)), false;
        const std::string_view behind = word(i + 2);
        const bool declares = behind == "," || behind == ";" || behind == "[" || behind == "boundary" ||
                              behind == "layout" || behind == "or";
        if (named && declares && first != "input" && first != "return") take_declarators(i + 1, end, text(i));
        return in_function();
    }
    [[nodiscard]] bool in_function() const { return function_.source && item_.end <= function_.end; }
    [[nodiscard]] std::string text(std::size_t i) const { return std::string(word(i)); }

    bool take_function(std::size_t i, std::size_t end) {
        const Kind kind = word(i) == "function" ? Kind::function : Kind::procedure;
        const std::size_t open = i + 2;
        const std::size_t close = open < words_.size() && word(open) == "(" ? outline_.closes[open] : none;
        std::vector<std::string> arguments;
        for (std::size_t k = open + 1; close != none && k < close; ++k)
            if (name_at(k)) arguments.push_back(text(k));
        const std::size_t body = kind == Kind::procedure && close != none ? close : end;
        declare(kind, i + 1, scope(), text_of(between(i, body)), arguments);
        for (std::size_t k = open + 1; close != none && k < close; ++k)
            if (name_at(k)) declare(Kind::argument, k, item_, text_of(between(i, close)));
        function_ = item_;
        if (kind == Kind::procedure) procedure_ = item_;
        return true;
    }

    bool take_loop(std::size_t i, std::size_t end) {
        if (word(i + 1) == "(") {
            const std::size_t close = outline_.closes[i + 1];
            if (name_at(i + 2))
                declare(Kind::loop_variable, i + 2, item_, text_of(between(i, close == none ? i + 2 : close)));
        }
        for (std::size_t k = i + 1; k + 1 < words_.size() && k < end && name_at(k) && word(k + 1) == "in"; ++k) {
            const std::size_t of = k + 2;
            const std::size_t last = of < words_.size() && outline_.closes[of] != none ? outline_.closes[of] : of;
            declare(Kind::entry, k, item_, text_of(between(k, last)));
            k = last + 1;
            if (word(k) != ",") break;
        }
        return in_function();
    }

    /// Names at `i` and behind commas, each with what follows it.
    void take_declarators(std::size_t i, std::size_t end, const std::string& type) {
        const bool parameters = type.starts_with("param ");
        while (name_at(i)) {
            std::size_t last = i;
            for (std::size_t k = i + 1; k < std::min(end, words_.size()) && word(k) != ","; ++k) {
                if (outline_.closes[k] != none) k = outline_.closes[k];
                last = k;
            }
            std::vector<std::string> axes;
            const bool field = word(i + 1) == "[" && outline_.closes[i + 1] != none;
            const std::string declared = type + " " + std::string(text_of(between(i, last)));
            if (field)
                for (std::size_t k = i + 2; k < outline_.closes[i + 1]; ++k)
                    if (name_at(k)) axes.push_back(text(k));
            declare(parameters ? Kind::parameter : field ? Kind::field : Kind::stream, i, scope(), declared, axes);
            if (field) use_axes(i);
            if (word(last + 1) != ",") return;
            i = last + 2;
        }
    }
    void use_axes(std::size_t field) {
        for (std::size_t k = field + 2; k < outline_.closes[field + 1]; ++k) {
            if (!name_at(k)) continue;
            declare(Kind::axis, k, scope(), "axis " + text(k));
            outline_.declared.back().used = true;
        }
    }

    Outline& outline_;
    const std::vector<Lexeme>& words_;
    std::vector<std::size_t> blocks_{};  ///< the closing braces of the blocks around; npos: not closed
    Span item_{};
    Span function_{}, procedure_{};  ///< the last ones
};

}  // namespace

const char* describe(Declared::Kind kind) {
    static constexpr std::array names{"field",
                                      "stream",
                                      "type of cells",
                                      "axis",
                                      "parameter",
                                      "option",
                                      "list",
                                      "function",
                                      "procedure",
                                      "argument",
                                      "name of an expression",
                                      "variable of a loop",
                                      "entry of a list"};
    return names.at(static_cast<std::size_t>(kind));
}

bool is_callable(const Declared& declared) {
    return declared.kind == Kind::function || declared.kind == Kind::procedure || declared.kind == Kind::cell_type;
}

bool is_of_streams(const Outline& outline) {
    return std::none_of(outline.declared.begin(), outline.declared.end(),
                        [](const Declared& d) { return d.kind == Declared::Kind::field; });
}

std::filesystem::path import_path(const Span& import) {
    const std::string_view quoted = text_of(import);
    return std::filesystem::path(import.source->name).parent_path() / quoted.substr(1, quoted.size() - 2);
}

bool stands_for(std::string_view pattern, std::string_view name) {
    const std::size_t open = pattern.find('{');
    // Names have no more bytes (ProgramLimits), of which a pattern takes three for a part.
    constexpr std::size_t most = 64;
    if (open == none || pattern.size() > most || name.size() > most) return pattern == name;
    if (name.substr(0, open) != pattern.substr(0, open)) return false;
    const std::size_t close = pattern.find('}', open);
    if (close == none) return false;
    const std::string_view rest = pattern.substr(close + 1);
    for (std::size_t at = open + 1; at <= name.size(); ++at)
        if (stands_for(rest, name.substr(at))) return true;
    return false;
}

std::string_view Outline::word(std::size_t i) const { return i < words.size() ? text_of(words[i].span) : ""; }

std::size_t Outline::word_at(std::size_t offset) const {
    const auto behind = std::upper_bound(words.begin(), words.end(), offset,
                                         [](std::size_t at, const Lexeme& w) { return at < w.span.begin; });
    if (behind == words.begin()) return none;
    const auto at = static_cast<std::size_t>(behind - words.begin()) - 1;
    // Between T and [ the cursor stands at the word.
    if (offset == words[at].span.begin && at > 0 && words[at - 1].span.end == offset && !is_name(words[at]) &&
        is_name(words[at - 1]))
        return at - 1;
    return offset < words[at].span.end || (offset == words[at].span.end && is_name(words[at])) ? at : none;
}

Span Outline::item_at(std::size_t offset) const {
    Span found;
    for (const Span& item : items) {
        const bool around = item.begin <= offset && offset <= item.end;
        if (around && (!found.source || item.end - item.begin <= found.end - found.begin)) found = item;
    }
    return found;
}

bool Outline::in_comment(std::size_t offset) const {
    return std::any_of(lexemes.begin(), lexemes.end(), [&](const Lexeme& l) {
        const bool line = text_of(l.span).starts_with("//");
        return l.kind == LexemeKind::comment && l.span.begin < offset && offset < l.span.end + (line ? 1 : 0);
    });
}

Outline outline_of(const SourceRef& source) {
    Outline outline{source, lexemes(source), {}, {}, {}, {}, {}};
    for (const Lexeme& lexeme : outline.lexemes)
        if (lexeme.kind != LexemeKind::comment) outline.words.push_back(lexeme);
    outline.closes = closing_brackets(outline.words);
    OutlineReader(outline).run();
    return outline;
}

}  // namespace kasc::lsp
