#include <filesystem>

#include "lsp/meaning.hpp"
#include "lsp/positions.hpp"
#include "lsp/requests.hpp"

namespace kasc::lsp {

namespace {

/// A place in the text itself has the editor's own name of it.
Json place_of(const Span& span, const Document& document) {
    const bool own = span.source == document.source;
    return {{"uri", own ? document.uri : uri_of(span.source->name)}, {"range", range_json(span)}};
}

/// The beginning of the file that is imported there; null: none is.
Json imported_file(const Span& import) {
    const auto path = import_path(import);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return nullptr;
    return {{"uri", uri_of(path.string())}, {"range", range_json("", 0, 0)}};
}

}  // namespace

Json definition(Workspace& workspace, const Document& document, std::size_t offset) {
    for (const Span& text : document.outline.imports)
        if (text.begin <= offset && offset <= text.end) return imported_file(text);
    const std::size_t word = document.outline.word_at(offset);
    const Meaning meaning = meaning_of(workspace, document, word);
    if (meaning.declared) return place_of(meaning.declared->at, document);
    if (meaning.function) return place_of(workspace.library().functions[*meaning.function].span, document);
    if (meaning.type && workspace.library().types[*meaning.type].span.source)
        return place_of(workspace.library().types[*meaning.type].span, document);
    return nullptr;
}

}  // namespace kasc::lsp
