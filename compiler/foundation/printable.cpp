#include "foundation/printable.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace kasc {

namespace {

struct Letter {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  ///< 0: no UTF-8
};

/// By the table of well-formed sequences of the Unicode standard (3-7).
Letter letter_at(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const unsigned first = byte(0);
    if (first < 0x80) return {first, 1};
    const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return {};
    const unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < low || byte(1) > high) return {};
    std::uint32_t code = first & (0xFFU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return {};
        code = code << 6U | (byte(i) & 0x3FU);
    }
    return {code, bytes};
}

/// Controls of ASCII and Latin-1, ends of lines and paragraphs, marks and overrides of direction, the byte order mark.
bool steers(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string shown;
    const auto out = std::back_inserter(shown);
    while (!text.empty()) {
        const Letter letter = letter_at(text);
        const std::size_t bytes = letter.bytes == 0 ? 1 : letter.bytes;
        if (letter.bytes == 0) {
            fmt::format_to(out, "\\x{:02x}", static_cast<unsigned char>(text.front()));
        } else if (letter.code == '\n' || letter.code == '\t' || letter.code == '\r') {
            shown += letter.code == '\n' ? "\\n" : letter.code == '\t' ? "\\t" : "\\r";
        } else if (steers(letter.code) && letter.code < 0x80) {
            fmt::format_to(out, "\\x{:02x}", letter.code);
        } else if (steers(letter.code)) {
            fmt::format_to(out, "\\u{:04x}", letter.code);
        } else {
            shown.append(text.substr(0, bytes));
        }
        text.remove_prefix(bytes);
    }
    return shown;
}

}  // namespace kasc
