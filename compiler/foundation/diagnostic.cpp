#include "foundation/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "foundation/flag_words.hpp"
#include "foundation/printable.hpp"

namespace kasc {

namespace {

/// As a line; tabs, which sources and compilers use, are spaces.
std::string shown_text(std::string_view text) {
    std::string spaced(text);
    std::replace(spaced.begin(), spaced.end(), '\t', ' ');
    return printable(spaced);
}

/// How many letters a terminal shows: of UTF-8 each has one byte that continues no other.
std::size_t letters_shown(std::string_view text) {
    const std::string shown = shown_text(text);
    return static_cast<std::size_t>(std::count_if(
        shown.begin(), shown.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

constexpr std::size_t widest_line = 160;  // a longer source line is shown from near the caret

void append_place(std::string& out, const Span& span, const std::string& label, const char* arrow) {
    if (!span.source) return;
    if (span.source->text.empty()) {
        fmt::format_to(std::back_inserter(out), "  {} {}\n", arrow, shown_text(span.source->name));
        return;
    }
    const Source& source = *span.source;
    const LineColumn at = line_column(source, span.begin);
    const std::string_view line = line_at(source, span.begin);
    const std::string number = std::to_string(at.line);
    const std::string gutter(number.size(), ' ');
    const std::size_t column = static_cast<std::size_t>(at.column) - 1;
    const std::size_t skip = column > widest_line / 2 && line.size() > widest_line ? column - widest_line / 2 : 0;
    const std::string_view shown = line.substr(std::min(skip, line.size()), widest_line);
    const std::size_t before = std::min(column - skip, shown.size());
    const std::size_t caret_at = letters_shown(shown.substr(0, before));
    const std::string_view marked =
        line.substr(std::min(column, line.size()), span.end - std::min(span.begin, span.end));
    const std::size_t width = std::clamp<std::size_t>(letters_shown(marked), 1, widest_line);
    fmt::format_to(std::back_inserter(out), "  {}{} {}:{}:{}\n", gutter.substr(1), arrow, shown_text(source.name),
                   at.line, at.column);
    fmt::format_to(std::back_inserter(out), " {} |\n", gutter);
    fmt::format_to(std::back_inserter(out), " {} | {}\n", number, shown_text(shown));
    fmt::format_to(std::back_inserter(out), " {} | {}{}{}{}\n", gutter, std::string(caret_at, ' '),
                   std::string(width, '^'), label.empty() ? "" : " ", label);
}

/// Letters that are put in, left out, exchanged for another or with the next one.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before = std::exchange(above, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            const bool turned = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (turned) row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row.back();
}

bool same_letters(const std::string& a, const std::string& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char left, unsigned char right) {
        return std::tolower(left) == std::tolower(right);
    });
}

auto sort_key(const Diagnostic& d) {
    const std::string name = d.span.source ? d.span.source->name : std::string();
    return std::make_tuple(name, d.span.begin, d.span.end, d.code, d.message);
}

}  // namespace

Diagnostic placeless(std::string code, std::string message, std::string help) {
    Diagnostic d;
    d.code = std::move(code);
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}
Diagnostic flag_fault(std::string code, std::string message, std::vector<FlagHelp> helps) {
    Diagnostic d = placeless(std::move(code), std::move(message));
    d.flag_helps = std::move(helps);
    return d;
}

bool has_errors(const Diagnostics& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::error; });
}

namespace {

/// What asked for a text, and for the text that asks: each once, at most so many.
void note_makings(const Making* making, std::vector<const Making*>& said, std::vector<Note>& notes) {
    constexpr std::size_t most = 4;  // enough to find the place; expansions may be dozens deep
    while (making && said.size() < most && std::find(said.begin(), said.end(), making) == said.end()) {
        said.push_back(making);
        if (!making->why.empty()) notes.push_back({as_given(making->by), making->why});
        making = making->by.source ? making->by.source->making.get() : nullptr;
    }
}

}  // namespace

Diagnostic as_given(Diagnostic diagnostic) {
    for (Note& note : diagnostic.notes) note.span = as_given(note.span);
    std::vector<const Making*> said;
    while (auto before = made_of(diagnostic.span)) {
        note_makings(diagnostic.span.source->making.get(), said, diagnostic.notes);
        diagnostic.span = std::move(*before);
    }
    return diagnostic;
}

Diagnostics tidy(Diagnostics diagnostics, std::size_t cap) {
    for (Diagnostic& d : diagnostics) d = as_given(std::move(d));
    std::stable_sort(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return sort_key(a) < sort_key(b); });
    diagnostics.erase(std::unique(diagnostics.begin(), diagnostics.end(),
                                  [](const Diagnostic& a, const Diagnostic& b) { return sort_key(a) == sort_key(b); }),
                      diagnostics.end());
    if (diagnostics.size() > cap) {
        // Errors must not be capped away behind warnings.
        std::stable_partition(diagnostics.begin(), diagnostics.end(),
                              [](const Diagnostic& d) { return d.severity == Severity::error; });
        Diagnostic rest;
        rest.severity = diagnostics[cap].severity;
        rest.code = "K0000";
        rest.message = fmt::format("{} more diagnostics are not shown", diagnostics.size() - cap);
        diagnostics.resize(cap);
        diagnostics.push_back(rest);
    }
    return diagnostics;
}

std::string render_text(const Diagnostics& diagnostics) {
    std::string out;
    for (const Diagnostic& made : diagnostics) {
        const Diagnostic d = as_given(made);
        fmt::format_to(std::back_inserter(out), "{}[{}]: {}\n", d.severity == Severity::error ? "error" : "warning",
                       d.code, shown_text(d.message));
        append_place(out, d.span, shown_text(d.label), "-->");
        for (const Note& note : d.notes) {
            fmt::format_to(std::back_inserter(out), "   = note: {}\n", shown_text(note.text));
            append_place(out, note.span, "", ":::");
        }
        const std::string help = help_text(d);
        if (!help.empty()) fmt::format_to(std::back_inserter(out), "   = help: {}\n", shown_text(help));
    }
    return out;
}

std::optional<std::string> nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
    std::optional<std::string> best;
    std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
    // Where several are as near, the one that begins like it for longest is meant.
    const auto alike = [&](const std::string& candidate) {
        return std::mismatch(name.begin(), name.end(), candidate.begin(), candidate.end()).first - name.begin();
    };
    constexpr std::size_t short_name = 2;
    for (const std::string& candidate : candidates) {
        // Every other name is near to one of one or two letters.
        if (name.size() <= short_name && !same_letters(name, candidate)) continue;
        if (candidate.size() > name.size() + best_distance || name.size() > candidate.size() + best_distance) continue;
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < best_distance || (best && distance == best_distance && alike(candidate) > alike(*best))) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

}  // namespace kasc
