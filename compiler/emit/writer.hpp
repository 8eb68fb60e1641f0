#pragma once
// Lines of C-like text with indentation. Counts lines, so that #line can lead back to the file that is written.

#include <fmt/format.h>

#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace kasc::emit {

class Writer {
public:
    explicit Writer(int depth = 0) : depth_(depth) {}

    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        raw_line(std::string(static_cast<std::size_t>(depth_) * 4, ' ') +
                 fmt::format(format, std::forward<Args>(args)...));
    }
    void blank() { raw_line(""); }
    /// What another wrote.
    void lines(const std::string& text) {
        text_.append(text);
        for (const char c : text) lines_ += c == '\n' ? 1 : 0;
    }
    /// The text as it is, without indentation; it may hold several lines.
    void raw_line(std::string_view text) {
        text_.append(text);
        text_.push_back('\n');
        for (const char c : text) lines_ += c == '\n' ? 1 : 0;
        ++lines_;
    }
    template <class... Args>
    void open(fmt::format_string<Args...> format, Args&&... args) {
        line("{} {{", fmt::format(format, std::forward<Args>(args)...));
        ++depth_;
    }
    void open_block() {
        line("{{");
        ++depth_;
    }
    void close(std::string_view after = "") {
        --depth_;
        line("}}{}", after);
    }
    void reopen(std::string_view middle) {
        --depth_;
        line("}} {} {{", middle);
        ++depth_;
    }

    /// Number of the next line, from 1.
    [[nodiscard]] int next_line() const { return lines_ + 1; }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    std::string text_;
    int depth_;
    int lines_ = 0;
};

/// Identifiers and all else that C text is made of, comments aside.
[[nodiscard]] std::set<std::string> words_of(const std::string& text);

}  // namespace kasc::emit
