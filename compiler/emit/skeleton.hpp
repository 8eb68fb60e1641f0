#pragma once
// A file as its reader sees it: one text with named holes, in place of lines that are written from many places.

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace kasc::emit {

using Holes = std::map<std::string, std::string, std::less<>>;

/// The text with every ${name} filled:
///
///     int ${p}_run() {          int heat_run() {
///         ${steps}         →        first();
///     }                             second();
///                               }
///
/// A line that is nothing but a hole becomes the lines of what fills it, each with the blanks before the hole; no line
/// where that is empty. What fills a hole has no line break at its end. A first line break of the text is left out, so
/// that a raw string may begin on a line of its own. Throws std::logic_error where a name has nothing that fills it, or
/// a filling has no hole: both are faults of kasc's.
[[nodiscard]] std::string filled(std::string_view text, const Holes& holes);
/// The same without its last line break: itself what fills a hole.
[[nodiscard]] std::string filled_part(std::string_view text, const Holes& holes);

/// Lines for a hole, the last without a break.
class Lines {
public:
    template <class... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        if (!text_.empty()) text_ += '\n';
        text_ += fmt::format(format, std::forward<Args>(args)...);
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    std::string text_;
};

}  // namespace kasc::emit
