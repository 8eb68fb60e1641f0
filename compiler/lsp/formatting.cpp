#include <algorithm>

#include "format/format.hpp"
#include "lsp/positions.hpp"
#include "lsp/requests.hpp"

namespace kasc::lsp {

namespace {

bool is_inside_character(std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80;
}

}  // namespace

Json formatting(const Document& document) {
    const auto formatted = format_program(document.source);
    if (!formatted) return nullptr;
    const std::string_view was = document.source->text, is = *formatted;
    if (was == is) return Json::array();
    // One edit of what lies between what stays the same at both ends, so that cursors elsewhere stay where they are.
    std::size_t same =
        static_cast<std::size_t>(std::mismatch(was.begin(), was.end(), is.begin(), is.end()).first - was.begin());
    while (same > 0 && (is_inside_character(was, same) || was[same - 1] == '\r')) --same;
    std::size_t tail = 0;
    while (tail < std::min(was.size(), is.size()) - same && was[was.size() - 1 - tail] == is[is.size() - 1 - tail])
        ++tail;
    while (tail > 0 && (is_inside_character(was, was.size() - tail) || was[was.size() - tail] == '\n')) --tail;
    const std::string text(is.substr(same, is.size() - tail - same));
    return Json::array({{{"range", range_json(was, same, was.size() - tail)}, {"newText", text}}});
}

}  // namespace kasc::lsp
