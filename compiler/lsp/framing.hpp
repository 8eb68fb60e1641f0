#pragma once
// Messages of the Language Server Protocol in a stream of bytes:
//
//     Content-Length: 59\r\n
//     \r\n
//     {"jsonrpc": "2.0", "id": 1, "method": "shutdown"} …

#include <cstddef>
#include <string>
#include <string_view>

namespace kasc::lsp {

/// Longer messages are passed over: a program has a mebibyte at most.
inline constexpr std::size_t most_bytes = std::size_t{64} << 20;
/// Bytes that stand before a message, at most.
inline constexpr std::size_t most_header_bytes = std::size_t{1} << 16;

struct Incoming {
    /// malformed: bytes that are no message were passed over; reading goes on with the next one.
    enum class Kind { message, malformed, ended };
    Kind kind = Kind::ended;
    std::string text;  ///< the message, or what is wrong
};

/// A file descriptor from which messages come.
class MessageReader {
public:
    explicit MessageReader(int descriptor) : descriptor_(descriptor) {}
    /// Waits until there is one.
    [[nodiscard]] Incoming read();
    /// More has come already: read() need not wait long.
    [[nodiscard]] bool has_more() const;

private:
    /// False: nothing comes any more.
    bool receive();
    /// "Content-Length: 59"; npos: it has none, or one that is no number.
    [[nodiscard]] static std::size_t length_in(std::string_view header);

    int descriptor_;
    std::string bytes_;  ///< received, not yet read
};

[[nodiscard]] std::string framed(std::string_view message);

}  // namespace kasc::lsp
