#include "lsp/positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace kasc::lsp {

namespace {

constexpr std::string_view file_scheme = "file://";

/// Bytes of the character that begins with this one; of what is no UTF-8, one.
std::size_t bytes_of(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF8 ? 4 : 1;
}

/// The line that begins there, without its end.
std::string_view line_from(std::string_view text, std::size_t begin) {
    const std::size_t end = text.find_first_of("\r\n", begin);
    return text.substr(begin, end == std::string_view::npos ? end : end - begin);
}

/// Where the next line begins; npos: there is none.
std::size_t next_line(std::string_view text, std::size_t begin) {
    const std::size_t end = text.find_first_of("\r\n", begin);
    if (end == std::string_view::npos) return end;
    return end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
}

std::size_t utf16_words(std::string_view text) {
    std::size_t words = 0;
    for (std::size_t i = 0; i < text.size(); i += bytes_of(text[i])) words += bytes_of(text[i]) == 4 ? 2 : 1;
    return words;
}

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/-_.~").find(c) != std::string_view::npos;
}

}  // namespace

Lines::Lines(std::string_view text) : text_(text) {
    for (std::size_t next = next_line(text, 0); next != std::string_view::npos; next = next_line(text, next))
        begins_.push_back(next);
}

std::size_t Lines::longest() const {
    std::size_t most = text_.size() - begins_.back();
    for (std::size_t k = 1; k < begins_.size(); ++k) most = std::max(most, begins_[k] - begins_[k - 1]);
    return most;
}

Position Lines::position_at(std::size_t offset) const {
    offset = std::min(offset, text_.size());
    const auto behind = std::upper_bound(begins_.begin(), begins_.end(), offset);
    const std::size_t begin = *(behind - 1);
    return {static_cast<std::size_t>(behind - begins_.begin()) - 1,
            utf16_words(line_from(text_, begin).substr(0, offset - begin))};
}

Json Lines::range_json(std::size_t begin, std::size_t end) const {
    const auto json = [&](std::size_t offset) {
        const Position position = position_at(offset);
        return Json{{"line", position.line}, {"character", position.character}};
    };
    return {{"start", json(begin)}, {"end", json(std::max(begin, end))}};
}

std::size_t offset_at(std::string_view text, Position position) {
    std::size_t begin = 0;
    for (; position.line > 0; --position.line) {
        begin = next_line(text, begin);
        if (begin == std::string_view::npos) return text.size();
    }
    const std::string_view line = line_from(text, begin);
    std::size_t at = 0;
    for (std::size_t words = 0; at < line.size(); at += bytes_of(line[at])) {
        words += bytes_of(line[at]) == 4 ? 2 : 1;
        if (words > position.character) break;
    }
    return begin + std::min(at, line.size());
}

Json range_json(std::string_view text, std::size_t begin, std::size_t end) {
    return Lines(text).range_json(begin, end);
}

Json range_json(const Span& span) { return range_json(span.source->text, span.begin, span.end); }

Position position_of(const Json& json) {
    return {json.at("line").get<std::size_t>(), json.at("character").get<std::size_t>()};
}

std::string path_of(const std::string& uri) {
    if (!uri.starts_with(file_scheme)) return uri;
    std::string path;
    for (std::size_t i = uri.find('/', file_scheme.size()); i < uri.size(); ++i) {
        const std::string digits = uri[i] == '%' ? uri.substr(i + 1, 2) : "";
        const bool escaped = digits.size() == 2 && digits.find_first_not_of("0123456789abcdefABCDEF") == digits.npos;
        path += escaped ? static_cast<char>(std::stoi(digits, nullptr, 16)) : uri[i];
        if (escaped) i += 2;
    }
    return path;
}

std::string uri_of(const std::string& path) {
    std::error_code error;
    const std::string whole = std::filesystem::absolute(path, error).lexically_normal().string();
    std::string uri(file_scheme);
    for (const char c : whole) uri += is_plain(c) ? std::string(1, c) : fmt::format("%{:02X}", c & 0xFF);
    return uri;
}

}  // namespace kasc::lsp
