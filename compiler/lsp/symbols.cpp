#include "lsp/positions.hpp"
#include "lsp/requests.hpp"

namespace kasc::lsp {

namespace {

using Kind = Declared::Kind;

/// As the protocol numbers them; 0: it has no place in an outline.
int symbol_kind(const Declared& declared) {
    switch (declared.kind) {
        case Kind::field:
        case Kind::stream:
            return 18;  // array
        case Kind::cell_type:
            return 23;  // struct
        case Kind::axis:
            return declared.used ? 0 : 20;  // key
        case Kind::parameter:
            return 16;  // number
        case Kind::option:
            return 14;  // constant
        case Kind::list:
            return 10;  // enum
        case Kind::function:
            return 12;  // function
        case Kind::procedure:
            return 6;  // method
        default:
            return 0;
    }
}

}  // namespace

Json document_symbols(const Document& document) {
    // An outline of longer texts and lines serves nobody, and places in lines are counted from their beginnings.
    constexpr std::size_t most_symbols = 10'000, longest_line = 1 << 16;
    Json all = Json::array();
    const Lines lines(document.source->text);
    if (lines.longest() > longest_line) return all;
    for (const Declared& declared : document.outline.declared) {
        const int kind = symbol_kind(declared);
        if (kind == 0) continue;
        if (all.size() == most_symbols) break;
        all.push_back({{"name", declared.name},
                       {"detail", declared.text},
                       {"kind", kind},
                       {"range", lines.range_json(declared.item.begin, declared.item.end)},
                       {"selectionRange", lines.range_json(declared.at.begin, declared.at.end)}});
    }
    return all;
}

}  // namespace kasc::lsp
