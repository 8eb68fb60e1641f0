#include "frontend/written_words.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

#include "frontend/cell_shape.hpp"

namespace kasc::frontend {

namespace {

struct Word {
    std::string field, name;
};
/// By the name of the word's own field.
using Words = std::map<std::string, Word>;

Words words_of(const std::vector<Ast::Shaped>& shaped) {
    Words words;
    for (const Ast::Shaped& field : shaped) {
        const CellShape shape{field.extents, field.word_names};
        for (std::size_t k = 0; k < field.words.size(); ++k) words[field.words[k]] = {field.name, word_name(shape, k)};
        for (const auto& [name, word] : field.next) words[name] = {field.name, word_name(shape, word)};
    }
    return words;
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The text at the span takes a word of the cell.
bool takes_word(const Span& span) {
    if (!span.source || span.end > span.source->text.size()) return false;
    const std::string& text = span.source->text;
    const std::string_view own = std::string_view(text).substr(span.begin, span.end - span.begin);
    return own.find('.') != std::string_view::npos || (span.end < text.size() && text[span.end] == '.');
}

std::string renamed(const std::string& text, const Words& words, bool with_word) {
    std::string made;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && is_of_name(text[end])) ++end;
        if (end == i) {
            made += text[i++];
            continue;
        }
        const std::string name = text.substr(i, end - i);
        const auto word = words.find(name);
        made += word == words.end() ? name : word->second.field + (with_word ? "." + word->second.name : "");
        i = end;
    }
    return made;
}

auto key_of(const Diagnostic& d) { return std::tuple(d.code, d.message, d.span.begin, d.span.end, d.help); }

}  // namespace

Diagnostics of_written_words(Diagnostics diagnostics, const std::vector<Ast::Shaped>& shaped) {
    if (diagnostics.empty() || shaped.empty()) return diagnostics;
    const Words words = words_of(shaped);
    Diagnostics made;
    for (Diagnostic& d : diagnostics) {
        const bool with_word = takes_word(d.span);
        for (std::string* text : {&d.message, &d.label, &d.help}) *text = renamed(*text, words, with_word);
        for (Note& note : d.notes) note.text = renamed(note.text, words, with_word);
        const bool said = std::any_of(made.begin(), made.end(), [&](const auto& m) { return key_of(m) == key_of(d); });
        if (!said) made.push_back(std::move(d));
    }
    return made;
}

}  // namespace kasc::frontend
