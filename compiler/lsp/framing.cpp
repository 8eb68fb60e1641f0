#include "lsp/framing.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

namespace kasc::lsp {

namespace {

constexpr std::string_view end_of_header = "\r\n\r\n";

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

}  // namespace

bool MessageReader::receive() {
    std::array<char, 65536> buffer{};
    ssize_t n = 0;
    do {
        n = ::read(descriptor_, buffer.data(), buffer.size());
    } while (n < 0 && errno == EINTR);
    if (n <= 0) return false;
    bytes_.append(buffer.data(), static_cast<std::size_t>(n));
    return true;
}

bool MessageReader::has_more() const {
    if (!bytes_.empty()) return true;
    pollfd waiting{descriptor_, POLLIN, 0};
    return poll(&waiting, 1, 0) > 0;
}

std::size_t MessageReader::length_in(std::string_view header) {
    while (!header.empty()) {
        const std::string_view line = header.substr(0, header.find("\r\n"));
        header.remove_prefix(std::min(line.size() + 2, header.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || lower(trimmed(line.substr(0, colon))) != "content-length") continue;
        const std::string_view value = trimmed(line.substr(colon + 1));
        std::size_t length = 0;
        const auto read = std::from_chars(value.data(), value.data() + value.size(), length);
        return read.ec == std::errc{} && read.ptr == value.data() + value.size() ? length : std::string::npos;
    }
    return std::string::npos;
}

Incoming MessageReader::read() {
    std::size_t end = 0;
    while ((end = bytes_.find(end_of_header)) == std::string::npos) {
        if (bytes_.size() > most_header_bytes) {
            bytes_.clear();
            return {Incoming::Kind::malformed, "no header of a message"};
        }
        if (!receive()) return {};
    }
    const std::size_t length = length_in(std::string_view(bytes_).substr(0, end));
    bytes_.erase(0, end + end_of_header.size());
    if (length == std::string::npos) return {Incoming::Kind::malformed, "a header without Content-Length"};
    std::size_t left = length;
    std::string text;
    while (true) {
        const std::size_t taken = std::min(left, bytes_.size());
        if (length <= most_bytes) text.append(bytes_, 0, taken);
        bytes_.erase(0, taken);
        left -= taken;
        if (left == 0) break;
        if (!receive()) return {};
    }
    if (length <= most_bytes) return {Incoming::Kind::message, std::move(text)};
    return {Incoming::Kind::malformed, fmt::format("a message of more than {} bytes", most_bytes)};
}

std::string framed(std::string_view message) {
    return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

}  // namespace kasc::lsp
