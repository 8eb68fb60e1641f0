#include <nlohmann/json.hpp>

#include "foundation/diagnostic.hpp"
#include "foundation/flag_words.hpp"

namespace kasc {

namespace {

void put_place(nlohmann::ordered_json& object, const Span& span) {
    if (!span.source) return;
    object["file"] = span.source->name;
    if (span.source->text.empty()) return;
    const LineColumn at = line_column(*span.source, span.begin);
    object["line"] = at.line;
    object["column"] = at.column;
    object["length"] = span.end > span.begin ? span.end - span.begin : 1;
}

}  // namespace

std::string render_json(const Diagnostics& diagnostics) {
    auto all = nlohmann::ordered_json::array();
    for (const Diagnostic& made : diagnostics) {
        const Diagnostic d = as_given(made);
        nlohmann::ordered_json object;
        object["severity"] = d.severity == Severity::error ? "error" : "warning";
        object["code"] = d.code;
        object["message"] = d.message;
        put_place(object, d.span);
        if (!d.label.empty()) object["label"] = d.label;
        for (const Note& note : d.notes) {
            nlohmann::ordered_json entry;
            entry["text"] = note.text;
            put_place(entry, note.span);
            object["notes"].push_back(entry);
        }
        if (const std::string help = help_text(d); !help.empty()) object["help"] = help;
        all.push_back(object);
    }
    return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace kasc
