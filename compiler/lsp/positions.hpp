#pragma once
// Places as the protocol has them: lines from 0, and in a line words of 16 bits of UTF-16. A ° is two bytes and one
// such word, a 𝑥 four bytes and two.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "foundation/source.hpp"

namespace kasc::lsp {

using Json = nlohmann::json;

struct Position {
    std::size_t line = 0;
    std::size_t character = 0;
};

/// Where the lines of a text begin, for many places in it. The text must outlive it.
class Lines {
public:
    explicit Lines(std::string_view text);
    /// Beyond the end of the text it is the end.
    [[nodiscard]] Position position_at(std::size_t offset) const;
    /// "start" and "end" of the bytes [begin, end).
    [[nodiscard]] Json range_json(std::size_t begin, std::size_t end) const;
    /// Bytes of the longest line, its end included.
    [[nodiscard]] std::size_t longest() const;

private:
    std::string_view text_;
    std::vector<std::size_t> begins_{0};
};

/// Beyond the end of its line it is that end, beyond the last line the end of the text.
[[nodiscard]] std::size_t offset_at(std::string_view text, Position position);

[[nodiscard]] Json range_json(std::string_view text, std::size_t begin, std::size_t end);
[[nodiscard]] Json range_json(const Span& span);
/// Throws Json::exception where it is no position.
[[nodiscard]] Position position_of(const Json& json);

/// "file:///home/a%20b/heat.kas" → "/home/a b/heat.kas"; other names stay as they are.
[[nodiscard]] std::string path_of(const std::string& uri);
[[nodiscard]] std::string uri_of(const std::string& path);

}  // namespace kasc::lsp
