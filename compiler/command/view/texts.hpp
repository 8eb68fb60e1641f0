#pragma once
// What the options of kasc view mean. None: it is no such text.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace kasc::command {

struct Place {
    enum class Kind { index, cell, middle, peak } kind = Kind::peak;
    std::uint64_t index = 0;
    std::array<std::uint64_t, 3> cell{};
};
/// "17", "12,20,31", "middle", "peak".
[[nodiscard]] std::optional<Place> read_place(const std::string& text);
/// "3" is (3, 3), "3-5" is (3, 5).
[[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>> read_span(const std::string& text);
/// "0:3e6", the first less than the second, both finite.
[[nodiscard]] std::optional<std::pair<double, double>> read_range(const std::string& text);

/// How far apart the cells of an axis are. A unit of metres or seconds with a prefix becomes the one without.
struct AxisSpacing {
    std::string axis;
    double step = 1;
    std::string unit;
};
/// "x=1.5mm", "t=40 ns", "u=0.2".
[[nodiscard]] std::optional<AxisSpacing> read_spacing(const std::string& text);

}  // namespace kasc::command
