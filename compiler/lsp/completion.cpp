#include <algorithm>
#include <set>

#include "foundation/cell_type.hpp"
#include "lsp/language_words.hpp"
#include "lsp/library_text.hpp"
#include "lsp/meaning.hpp"
#include "lsp/requests.hpp"

namespace kasc::lsp {

namespace {

using Kind = Declared::Kind;

// As the protocol numbers them.
enum class ItemKind { function = 3, field = 5, variable = 6, unit = 11, keyword = 14, constant = 21, structure = 22 };

ItemKind item_kind(Kind kind) {
    switch (kind) {
        case Kind::field:
        case Kind::stream:
            return ItemKind::field;
        case Kind::cell_type:
            return ItemKind::structure;
        case Kind::axis:
            return ItemKind::unit;
        case Kind::parameter:
        case Kind::option:
            return ItemKind::constant;
        case Kind::function:
        case Kind::procedure:
            return ItemKind::function;
        default:
            return ItemKind::variable;
    }
}

/// Items by name, each once; the first that is added stays.
class Items {
public:
    void add(const std::string& label, ItemKind kind, std::string_view detail, std::string_view text, char rank) {
        if (!names_.insert(label).second) return;
        Json item{{"label", label}, {"kind", static_cast<int>(kind)}, {"sortText", std::string(1, rank) + label}};
        if (!detail.empty()) item["detail"] = detail;
        if (!text.empty()) item["documentation"] = text;
        all_.push_back(std::move(item));
    }
    void add(const Declared& declared, const Outline& outline, char rank) {
        if (names_.contains(declared.name)) return;
        add(declared.name, item_kind(declared.kind), declared.text, comment_of(declared, outline), rank);
    }
    [[nodiscard]] Json take() { return std::move(all_); }

private:
    std::set<std::string> names_;
    Json all_ = Json::array();
};

/// Axes of the field whose bracket is open there; all that are known, where it is none.
std::vector<const Declared*> axes_at(const Outline& outline, std::size_t offset, std::size_t bracket) {
    std::vector<const Declared*> axes;
    std::vector<std::string> own;
    const auto known = known_at(outline, offset);
    for (const Declared* d : known)
        if (d->kind == Kind::field && bracket > 0 && d->name == outline.word(bracket - 1)) own = d->parts;
    for (const Declared* d : known)
        if (d->kind == Kind::axis && (own.empty() || std::find(own.begin(), own.end(), d->name) != own.end()))
            axes.push_back(d);
    return axes;
}

/// The first word that does not end before the place, one that is being typed there among them.
std::size_t word_from(const Outline& outline, std::size_t offset) {
    std::size_t i = 0;
    while (i < outline.words.size() && outline.words[i].span.end < offset) ++i;
    const bool typed = i < outline.words.size() && outline.words[i].kind != LexemeKind::sign;
    return typed || i >= outline.words.size() || outline.words[i].span.end > offset ? i : i + 1;
}

}  // namespace

Json completion(Workspace& workspace, const Document& document, std::size_t offset) {
    const Outline& outline = document.outline;
    if (outline.in_comment(offset)) return Json::array();
    const std::size_t word = word_from(outline, offset);
    const std::string_view before = word > 0 ? outline.word(word - 1) : ";";
    if (before == ".") return Json::array();
    const bool begins = before == ";" || before == "{" || before == "}";
    const std::size_t bracket = open_bracket(outline, word);
    Items items;
    if (bracket != none && outline.word(bracket) == "[")
        for (const Declared* axis : axes_at(outline, offset, bracket)) items.add(*axis, outline, '0');
    for (const Declared* d : known_at(outline, offset)) {
        if (d->kind == Kind::procedure && !begins) continue;
        items.add(*d, outline, d->kind == Kind::axis ? '2' : '1');
    }
    for (const Outline& file : document.imported)
        for (const Declared& d : file.declared)
            if (is_callable(d) || d.kind == Kind::list) items.add(d, file, '2');
    for (const LanguageWord& known : language_words()) {
        const ItemKind kind = known.function               ? ItemKind::function
                              : find_cell_type(known.word) ? ItemKind::structure
                                                           : ItemKind::keyword;
        items.add(std::string(known.word), kind, known.form, known.text,
                  begins && kind == ItemKind::keyword ? '0' : '3');
    }
    const Library& library = workspace.library();
    for (const Outline& file : workspace.library_outlines())
        for (const Declared& d : file.declared)
            if (d.kind == Kind::function) items.add(d, file, '4');
    for (const Function& f : library.functions)
        items.add(f.name, ItemKind::function, signature(library, f), comment_of(f), '4');
    for (const StreamType& type : library.types)
        items.add(type.name, ItemKind::structure, "type of the library", "", '4');
    return items.take();
}

}  // namespace kasc::lsp
