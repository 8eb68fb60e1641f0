#include "frontend/number_value.hpp"

#include <charconv>

namespace kasc::frontend {

std::optional<double> real_value(std::string_view text) {
    if (text.ends_with('f') || text.ends_with('F')) text.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    float rounded = 0;  // a float must be able to hold it, whatever the precision of its statement
    const auto [float_end, float_error] = std::from_chars(text.data(), text.data() + text.size(), rounded);
    if (error != std::errc() || float_error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<int> integer_value(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace kasc::frontend
