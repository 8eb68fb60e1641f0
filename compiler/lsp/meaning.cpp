#include "lsp/meaning.hpp"

#include <algorithm>

namespace kasc::lsp {

namespace {

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
        if (!exact && (stands_for(d->name, name) || stands_for(name, d->name))) patterns.push_back(d);
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

/// Comments are looked for so far: texts without line breaks may be long, and runs of functions, too.
constexpr std::size_t longest_line = 4096, most_lines = 64;

/// Where the line begins that holds a place; as far back as is looked, where that is no beginning.
std::size_t line_begin(std::string_view text, std::size_t at) {
    const std::size_t from = at - std::min(at, longest_line);
    const std::size_t before = text.substr(from, at - from).rfind('\n');
    return before == none ? from : from + before + 1;
}

/// The line above the one that begins there, which is where that one begins then.
std::string_view line_above(std::string_view text, std::size_t& begin) {
    const std::size_t end = begin - 1;
    begin = line_begin(text, end);
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
    std::size_t at = line_begin(text, declared.item.begin);
    std::vector<std::string> lines;
    for (std::size_t k = 0; k < most_lines && at > 0 && text[at - 1] == '\n'; ++k) {
        const std::string_view line = without_space(line_above(text, at));
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
    const auto behind = std::lower_bound(outline.lexemes.begin(), outline.lexemes.end(), declared.at.end,
                                         [](const Lexeme& l, std::size_t at) { return l.span.begin < at; });
    const std::size_t ends = std::string_view(text).substr(declared.at.end, longest_line).find('\n');
    const std::size_t line_end = ends == none ? declared.at.end + longest_line : declared.at.end + ends;
    for (auto lexeme = behind; lexeme != outline.lexemes.end() && lexeme->span.begin < line_end; ++lexeme) {
        const bool last = lexeme + 1 == outline.lexemes.end() || (lexeme + 1)->span.begin > line_end;
        if (lexeme->kind == LexemeKind::comment && last) return comment_text(text_of(lexeme->span));
    }
    return {};
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
