#include <fmt/format.h>

#include <algorithm>

#include "driver/report_parts.hpp"
#include "lsp/accesses.hpp"
#include "lsp/extents.hpp"
#include "lsp/language_words.hpp"
#include "lsp/library_text.hpp"
#include "lsp/meaning.hpp"
#include "lsp/positions.hpp"
#include "lsp/requests.hpp"

// Markdown, a paragraph each:
//
//     float T[x, y] boundary keep(1)
//     field: °C
//     x = 4096, y = 4096 (of the inputs)
//     In this statement: the cell itself and its neighbours at (-1, 0), (1, 0), (0, -1), (0, 1).
//     Kernel heat2d_k0 (loop n): 134.2 MB, 45.1 us predicted on h100 …

namespace kasc::lsp {

namespace {

using Kind = Declared::Kind;

std::string code(const std::string& text) { return "```kasc\n" + text + "\n```"; }

class Paragraphs {
public:
    void add(const std::string& text) {
        if (!text.empty()) text_ += (text_.empty() ? "" : "\n\n") + text;
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

std::string bytes_text(double bytes) {
    if (bytes < 1e6) return fmt::format("{:.1f} kB", bytes / 1e3);
    return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.2f} GB", bytes / 1e9);
}

std::string kernel_text(const KernelCost& kernel, const Costs& costs) {
    constexpr std::size_t most = 12;
    std::string text =
        fmt::format("**Kernel `{}`** ({}): {}, {} predicted on {}, bound by {}; for {}.", kernel.name, kernel.graph,
                    bytes_text(kernel.bytes), time_text(kernel.time_ns), costs.device, kernel.binds, costs.sizes);
    text += kernel.statements.size() == 1 ? " It computes this alone.\n```kasc" : " It computes\n```kasc";
    for (std::size_t k = 0; k < std::min(most, kernel.statements.size()); ++k) text += "\n" + kernel.statements[k];
    if (kernel.statements.size() > most) text += fmt::format("\n// and {} more", kernel.statements.size() - most);
    return text + "\n```";
}

std::string cost_text(Workspace& workspace, Document& document, const Span& statement, const std::string& target) {
    const Costs* costs = workspace.costs(document);
    if (!costs) return "";
    if (!costs->fault.empty()) return "No kernel: " + costs->fault + ".";
    constexpr std::size_t most = 4;
    Paragraphs all;
    const auto kernels = kernels_of(*costs, statement, target);
    for (std::size_t k = 0; k < std::min(most, kernels.size()); ++k) all.add(kernel_text(*kernels[k], *costs));
    if (kernels.size() > most) all.add(fmt::format("And {} kernels more.", kernels.size() - most));
    return all.text();
}

/// A name, an index, a word of a cell, then = or +=: the number of that sign; npos: it is no assignment.
std::size_t assigning_sign(const Outline& outline, const Span& item) {
    std::size_t word = outline.word_at(item.begin);
    if (word == none || outline.words[word].kind != LexemeKind::word) return none;
    ++word;
    if (outline.word(word) == "[" && outline.closes[word] != none) word = outline.closes[word] + 1;
    if (outline.word(word) == ".") word += 2;
    if (word < outline.words.size() && outline.words[word].kind == LexemeKind::number) ++word;
    return outline.word(word) == "=" || outline.word(word) == "+=" ? word : none;
}

/// Tells what an iteration of the loop with this variable costs.
std::string loop_text(Workspace& workspace, Document& document, const std::string& variable) {
    const Costs* costs = workspace.costs(document);
    if (!costs || !costs->fault.empty()) return "";
    double time_ns = 0, bytes = 0;
    std::size_t kernels = 0;
    for (const KernelCost& kernel : costs->kernels) {
        if (!kernel.graph.ends_with("loop " + variable)) continue;
        ++kernels;
        time_ns += kernel.time_ns;
        bytes += kernel.bytes;
    }
    if (kernels == 0) return "";
    return fmt::format("An iteration: {} kernel{}, {}, {} predicted on {}; for {}.", kernels, kernels == 1 ? "" : "s",
                       bytes_text(bytes), time_text(time_ns), costs->device, costs->sizes);
}

/// How many elements a stream has.
std::string elements_text(const CheckedProgram& checked) {
    if (!has_streams(checked.program)) return "";
    return fmt::format("n elements, as the inputs have (planned for {})", checked.problem.elements);
}

std::string declared_text(const Declared& declared, const Outline& in, const Document& document) {
    std::string text = code(declared.text);
    const std::string comment = comment_of(declared, in);
    text += "\n\n" + std::string(describe(declared.kind));
    if (in.source != document.source)
        text += fmt::format(" of `{}`", in.source->name.substr(in.source->name.find_last_of('/') + 1));
    return comment.empty() ? text : text + ": " + comment;
}

std::string meaning_text(Workspace& workspace, Document& document, const Meaning& meaning, std::string_view name) {
    Paragraphs text;
    if (meaning.declared) text.add(declared_text(*meaning.declared, *meaning.in, document));
    if (meaning.function) text.add(function_text(workspace.library(), *meaning.function));
    if (meaning.type) text.add(type_text(workspace.library().types[*meaning.type]));
    const bool own = meaning.declared && meaning.in == &document.outline;
    const bool stream = own && meaning.declared->kind == Kind::stream;
    const bool sized =
        stream || (own && (meaning.declared->kind == Kind::field || meaning.declared->kind == Kind::axis));
    if (!sized || document.outline.only_imported) return text.text();
    if (const auto& checked = workspace.checked(document)) {
        const bool axis = meaning.declared->kind == Kind::axis;
        const std::vector<std::string> axes =
            axis ? std::vector<std::string>{std::string(name)} : meaning.declared->parts;
        text.add(stream ? elements_text(*checked) : extents_text(*checked, axes));
    }
    return text.text();
}

}  // namespace

Json hover(Workspace& workspace, Document& document, std::size_t offset) {
    const Outline& outline = document.outline;
    const std::size_t word = outline.word_at(offset);
    if (word == none || outline.in_comment(offset)) return nullptr;
    const std::string name(outline.word(word));
    const Span item = outline.item_at(offset);
    const std::size_t sign = item.source ? assigning_sign(outline, item) : none;
    const Meaning meaning = meaning_of(workspace, document, word);
    Paragraphs text;
    if (meaning) {
        text.add(meaning_text(workspace, document, meaning, name));
    } else if (const LanguageWord* known = find_language_word(name)) {
        text.add(code(std::string(known->form)) + "\n\n" + std::string(known->text));
    }
    if (name == "for" && outline.word(word + 1) == "(" && !outline.only_imported)
        text.add(loop_text(workspace, document, std::string(outline.word(word + 2))));
    if (sign != none && !document.outline.only_imported) {
        const bool whole = word <= sign || !meaning;  // the statement, not a name that it reads
        const bool field =
            meaning.declared && (meaning.declared->kind == Kind::field || meaning.declared->kind == Kind::stream);
        if (const auto& checked = workspace.checked(document); checked && field && word > sign)
            text.add(accesses_text(checked->program, item, name));
        const bool target =
            outline.words[word].span.begin == item.begin || outline.words[word].kind == LexemeKind::sign;
        if (whole && target)
            text.add(cost_text(workspace, document, item, std::string(outline.word(outline.word_at(item.begin)))));
    }
    if (text.text().empty()) return nullptr;
    return {{"contents", {{"kind", "markdown"}, {"value", text.text()}}},
            {"range", range_json(outline.words[word].span)}};
}

}  // namespace kasc::lsp
