#include "lsp/meaning.hpp"

#include <algorithm>

namespace kasc::lsp {

namespace {

/// u_{a} stands for u_x, and the other way round.
bool fits(std::string_view pattern, std::string_view name) {
    const std::size_t open = pattern.find('{');
    if (open == none) return pattern == name;
    if (name.substr(0, open) != pattern.substr(0, open)) return false;
    const std::size_t close = pattern.find('}', open);
    if (close == none) return false;
    const std::string_view rest = pattern.substr(close + 1);
    for (std::size_t at = open + 1; at <= name.size(); ++at)
        if (fits(rest, name.substr(at))) return true;
    return false;
}

bool contains(const Span& span, std::size_t offset) { return span.begin <= offset && offset <= span.end; }

/// The one with the smallest scope; of several the first, but a declared axis before one that is used.
const Declared* nearest(const std::vector<const Declared*>& all) {
    const Declared* best = nullptr;
    for (const Declared* d : all) {
        const auto rank = [](const Declared& one) { return std::make_pair(one.scope.end - one.scope.begin, one.used); };
        if (!best || rank(*d) < rank(*best)) best = d;
    }
    return best;
}

bool takes_axes(std::string_view function) {
    return function == "extent" || function == "half" || function == "staggered";
}

bool is_axis_place(const Outline& outline, std::size_t word) {
    if (word > 0 && outline.word(word - 1) == "axis") return true;
    const std::size_t open = open_bracket(outline, word);
    if (open == none || open == 0) return false;
    if (outline.word(open) == "(") return takes_axes(outline.word(open - 1));
    if (outline.word(open) != "[") return false;
    if (outline.word(word + 1) == "=") return true;
    return outline.word(word - 1) == "[" || outline.word(word - 1) == ",";
}

const Declared* find_in(const Outline& outline, std::string_view name, std::size_t offset, bool axis_place) {
    std::vector<const Declared*> axes, others, patterns;
    for (const Declared* d : known_at(outline, offset)) {
        const bool exact = d->name == name;
        if (exact) (d->kind == Declared::Kind::axis ? axes : others).push_back(d);
        if (!exact && (fits(d->name, name) || fits(name, d->name))) patterns.push_back(d);
    }
    const Declared* axis = nearest(axes);
    const Declared* other = nearest(others);
    // An argument that stands for an axis, too.
    const bool local = other && other->scope.end - other->scope.begin < outline.source->text.size();
    if (axis && other) return axis_place && !local ? axis : other;
    if (axis || other) return axis ? axis : other;
    return nearest(patterns);
}

/// A function or type that other files declare.
const Declared* find_global(const Outline& outline, std::string_view name) {
    const auto found = std::find_if(outline.declared.begin(), outline.declared.end(), [&](const Declared& d) {
        return d.name == name && (is_callable(d) || d.kind == Declared::Kind::list);
    });
    return found == outline.declared.end() ? nullptr : &*found;
}

bool is_of_streams(const Outline& outline) {
    return std::none_of(outline.declared.begin(), outline.declared.end(),
                        [](const Declared& d) { return d.kind == Declared::Kind::field; });
}

std::string_view line_before(std::string_view text, std::size_t& begin) {
    if (begin == 0) return {};
    const std::size_t end = begin - 1;
    const std::size_t before = end == 0 ? none : text.rfind('\n', end - 1);
    begin = before == none ? 0 : before + 1;
    return text.substr(begin, end - begin);
}

std::string_view without_space(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == none) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
}

std::string comment_text(std::string_view comment) {
    comment.remove_prefix(2);
    if (comment.ends_with("*/")) comment.remove_suffix(2);
    return std::string(comment.starts_with(' ') ? comment.substr(1) : comment);
}

/// Functions in a row share the comment above the first.
std::string comment_above(const Declared& declared, const Outline& outline) {
    const std::string_view text = outline.source->text;
    std::size_t at = text.rfind('\n', declared.item.begin);
    at = at == none ? 0 : at + 1;
    std::vector<std::string> lines;
    while (at > 0) {
        const std::string_view line = without_space(line_before(text, at));
        const bool comment = line.starts_with("//");
        if (line.empty() || (!comment && !lines.empty())) break;
        if (comment) lines.push_back(comment_text(line));
    }
    std::string out;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) out += (out.empty() ? "" : "\n") + *line;
    return out;
}

}  // namespace

std::vector<const Declared*> known_at(const Outline& outline, std::size_t offset) {
    std::vector<const Declared*> all;
    for (const Declared& d : outline.declared)
        if (contains(d.scope, offset)) all.push_back(&d);
    return all;
}

std::size_t open_bracket(const Outline& outline, std::size_t word) {
    std::size_t depth = 0;
    for (std::size_t i = std::min(word, outline.words.size()); i-- > 0;) {
        const std::string_view text = outline.word(i);
        if (text == ")" || text == "]") ++depth;
        if (text == ";" || text == "{" || text == "}") return none;
        if (text != "(" && text != "[") continue;
        if (depth == 0) return i;
        --depth;
    }
    return none;
}

Meaning meaning_of(Workspace& workspace, const Document& document, std::size_t word) {
    const Outline& outline = document.outline;
    if (word >= outline.words.size() || outline.words[word].kind != LexemeKind::word) return {};
    const std::string_view name = outline.word(word);
    const std::size_t offset = outline.words[word].span.begin;
    if (word > 0 && outline.word(word - 1) == "." && outline.words[word - 1].span.end == offset) return {};
    if (const Declared* d = find_in(outline, name, offset, is_axis_place(outline, word))) return {d, &outline, {}, {}};
    for (const Outline& file : document.imported)
        if (const Declared* d = find_global(file, name)) return {d, &file, {}, {}};
    const bool called = outline.word(word + 1) == "(";
    const auto function = called ? workspace.library().find_function(std::string(name)) : std::nullopt;
    // Streams call the library's code, fields the functions in the language, which have the same names.
    if (called && !(function && is_of_streams(outline))) {
        // Later files take the place of earlier ones.
        const auto& files = workspace.library_outlines();
        for (auto file = files.rbegin(); file != files.rend(); ++file)
            if (const Declared* d = find_global(*file, name)) return {d, &*file, {}, {}};
    }
    Meaning meaning;
    meaning.function = function;
    if (!meaning.function) meaning.type = workspace.library().find_type(std::string(name));
    return meaning;
}

std::string comment_of(const Declared& declared, const Outline& outline) {
    if (is_callable(declared)) {
        if (std::string above = comment_above(declared, outline); !above.empty()) return above;
    }
    if (declared.used) return {};  // what is said there is said of the field
    const std::string& text = outline.source->text;
    std::string out;
    for (std::size_t i = 0; i < outline.lexemes.size(); ++i) {
        const Lexeme& lexeme = outline.lexemes[i];
        if (lexeme.kind != LexemeKind::comment || lexeme.span.begin < declared.at.end) continue;
        if (text.find('\n', declared.at.end) < lexeme.span.begin) break;
        if (text.find('\n', lexeme.span.begin) > lexeme.span.end + 1 && text_of(lexeme.span).starts_with("/*"))
            continue;
        out = comment_text(text_of(lexeme.span));
        break;
    }
    return out;
}

std::string comment_of(const Function& function) {
    if (!function.span.source) return {};
    const std::string_view text = function.span.source->text;
    std::size_t at = text.find("// " + function.name + "(");
    if (at == none) return {};
    std::string out;
    while (at < text.size() && text.substr(at).starts_with("//")) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        out += (out.empty() ? "" : "\n") + comment_text(without_space(text.substr(at, end - at)));
        at = end + 1;
    }
    return out;
}

}  // namespace kasc::lsp
