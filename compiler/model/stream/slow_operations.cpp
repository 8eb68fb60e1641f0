// Tokens are counted: nothing is expanded, and a loop's body counts once. Author functions of many operations are
// written out; those with loops mostly sum products.
//
//   const float scale = 1.0f / sqrtf(x);  return x > 0 ? scale : 0;      a division, a root, a condition

#include "model/stream/slow_operations.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

namespace kasc::model {

namespace {

constexpr std::array<std::string_view, 4> roots{"sqrtf", "rsqrtf", "sqrt", "rsqrt"};
constexpr std::array<std::string_view, 22> functions{
    "expf",  "exp2f", "expm1f", "logf",   "log2f", "log10f", "log1pf", "powf",  "sinf",   "cosf", "tanf",
    "asinf", "acosf", "atanf",  "atan2f", "sinhf", "coshf",  "tanhf",  "cbrtf", "hypotf", "erff", "sincosf"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Counter {
public:
    explicit Counter(const Implementation& implementation) : implementation_(implementation) {}

    SlowOperations run() {
        count(implementation_.compute.text);
        return found_;
    }

private:
    void count(std::string_view text) {
        for (std::size_t at = 0; at < text.size();) {
            if (text.substr(at, 2) == "//") {
                at = std::min(text.find('\n', at), text.size());
            } else if (text.substr(at, 2) == "/*") {
                const std::size_t end = text.find("*/", at + 2);
                at = end == std::string_view::npos ? text.size() : end + 2;
            } else if (is_word(text[at])) {
                const std::size_t begin = at;
                while (at < text.size() && is_word(text[at])) ++at;
                word(text.substr(begin, at - begin));
            } else {
                if (text[at] == '?') ++found_.conditions;
                if (text[at] == '/' && !by_whole_number(text, at + 1)) ++found_.divisions;
                ++at;
            }
        }
    }

    /// A quotient by a whole number is one of coordinates, which costs next to nothing.
    static bool by_whole_number(std::string_view text, std::size_t at) {
        while (at < text.size() && text[at] == ' ') ++at;
        std::size_t end = at;
        while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
        return end > at && (end == text.size() || (text[end] != '.' && !is_word(text[end])));
    }

    void word(std::string_view word) {
        if (word == "if") ++found_.conditions;
        if (std::find(roots.begin(), roots.end(), word) != roots.end()) ++found_.divisions;
        if (std::find(functions.begin(), functions.end(), word) != functions.end()) ++found_.calls;
        for (const DeviceFunction& helper : implementation_.helpers) {
            if (helper.name != word || !open_.insert(word).second) continue;
            count(helper.text);
            open_.erase(word);
        }
    }

    const Implementation& implementation_;
    std::set<std::string_view> open_;  ///< helpers whose text is being counted: their own names do not open them again
    SlowOperations found_;
};

}  // namespace

SlowOperations slow_operations(const Implementation& implementation) { return Counter(implementation).run(); }

}  // namespace kasc::model
