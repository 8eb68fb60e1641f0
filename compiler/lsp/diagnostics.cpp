#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "foundation/flag_words.hpp"
#include "frontend/lexemes.hpp"
#include "frontend/parse.hpp"
#include "lsp/positions.hpp"
#include "lsp/requests.hpp"

// What stands in another file, in one that is imported or in the library's, is shown at the import, or else at the
// beginning of the text, and leads there.

namespace kasc::lsp {

namespace {

constexpr int error_severity = 1, warning_severity = 2;  // as the protocol numbers them

bool is_of(const Span& span, const Document& document) { return span.source == document.source; }

Json location(const Span& span) { return {{"uri", uri_of(span.source->name)}, {"range", range_json(span)}}; }

bool has_text(const Span& span) { return span.source && !span.source->text.empty(); }

/// Where in the text a fault of another file is shown.
Span shown_at(const Span& span, const Document& document) {
    if (span.source) {
        for (const Span& import : document.outline.imports)
            if (std::filesystem::path(span.source->name).filename() == import_path(import).filename()) return import;
    }
    return {document.source, 0, 0};
}

Json diagnostic_json(const Diagnostic& d, const Document& document) {
    Json json{{"severity", d.severity == Severity::error ? error_severity : warning_severity},
              {"code", d.code},
              {"source", "kasc"}};
    std::string message = d.message;
    if (!d.label.empty()) message += fmt::format(" ({})", d.label);
    Json related = Json::array();
    if (is_of(d.span, document)) {
        json["range"] = range_json(document.source->text, d.span.begin, std::max(d.span.end, d.span.begin + 1));
    } else {
        json["range"] = range_json(shown_at(d.span, document));
        if (has_text(d.span)) related.push_back({{"location", location(d.span)}, {"message", d.message}});
    }
    for (const Note& note : d.notes) {
        if (has_text(note.span)) {
            related.push_back({{"location", location(note.span)}, {"message", note.text}});
        } else {
            message += "\nnote: " + note.text;
        }
    }
    if (const std::string help = help_text(d); !help.empty()) message += "\nhelp: " + help;
    json["message"] = message;
    if (!related.empty()) json["relatedInformation"] = related;
    return json;
}

/// Faults of a file that others import: its own syntax and meaning alone can be at fault.
Diagnostics faults_of_imported(const Document& document) {
    const auto read = lexemes_with_roles(document.source);
    if (!read) return read.diagnostics;
    const auto& declared = document.outline.declared;
    const bool functions = std::all_of(declared.begin(), declared.end(), [](const Declared& d) {
        return d.kind == Declared::Kind::function || d.kind == Declared::Kind::argument ||
               d.kind == Declared::Kind::let;
    });
    return functions && document.outline.imports.empty() ? parse_functions(document.source).diagnostics : Diagnostics{};
}

}  // namespace

Json diagnostics_json(Workspace& workspace, Document& document) {
    Diagnostics all =
        document.outline.only_imported ? faults_of_imported(document) : workspace.checked(document).diagnostics;
    constexpr std::size_t most = 100;
    Json list = Json::array();
    for (const Diagnostic& d : tidy(std::move(all), most)) list.push_back(diagnostic_json(d, document));
    return {{"uri", document.uri}, {"version", document.version}, {"diagnostics", list}};
}

}  // namespace kasc::lsp
