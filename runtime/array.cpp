#include "runtime/array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <limits>

namespace kasc::runtime {

std::optional<std::uint64_t> cell_count(const Shape& shape) {
    constexpr std::uint64_t most_cells = std::numeric_limits<std::int64_t>::max() / sizeof(double);
    if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return 0;
    std::uint64_t count = 1;
    for (const std::uint64_t dimension : shape) {
        if (dimension > most_cells / count) return std::nullopt;
        count *= dimension;
    }
    return count;
}

Shape expected_shape(const ProgramInterface& program, const ArrayInterface& array,
                     const std::vector<long long>& extents) {
    Shape shape;
    if (program.stream) shape.push_back(static_cast<std::uint64_t>(extents.at(0)));
    for (const int axis : array.axes)
        shape.insert(shape.begin(), static_cast<std::uint64_t>(extents.at(static_cast<std::size_t>(axis))));
    // A type of one word is a stream or a field of numbers: (N), not (N, 1).
    const Shape element(array.element_shape.begin(), array.element_shape.end());
    if (cell_count(element) != 1U) shape.insert(shape.end(), element.begin(), element.end());
    return shape;
}

std::string to_text(const Shape& shape) {
    if (shape.size() == 1) return fmt::format("({},)", shape[0]);
    return fmt::format("({})", fmt::join(shape, ", "));
}

std::string declared_text(const ProgramInterface& program, const ArrayInterface& array) {
    if (program.stream || array.axes.empty()) return array.name;
    std::string axes;
    for (const int axis : array.axes) {
        if (!axes.empty()) axes += ',';
        axes += program.axes.at(static_cast<std::size_t>(axis));
    }
    return fmt::format("{}[{}]", array.name, axes);
}

std::string bytes_text(std::uint64_t bytes) {
    constexpr std::array<const char*, 5> units = {"KiB", "MiB", "GiB", "TiB", "PiB"};
    if (bytes < 1024) return fmt::format("{} B", bytes);
    double amount = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
    return fmt::format("{:.1f} {}", amount, units.at(unit));
}

Shape cell_position(const Shape& shape, std::uint64_t offset) {
    Shape position(shape.size());
    for (std::size_t i = shape.size(); i-- > 0;) {
        position[i] = offset % shape[i];
        offset /= shape[i];
    }
    return position;
}

std::uint64_t physical_memory_bytes() {
    return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t available_memory_bytes() {
    std::ifstream meminfo("/proc/meminfo");
    std::string name;
    std::uint64_t kib = 0;
    for (std::string unit; meminfo >> name >> kib && std::getline(meminfo, unit);) {
        if (name == "MemAvailable:") return kib * 1024;
    }
    return physical_memory_bytes();
}

std::optional<std::uint64_t> read_bytes(const std::string& text) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || !(number > 0)) return std::nullopt;
    std::string unit(rest, end);
    constexpr std::string_view prefixes = "KMGTP";
    std::uint64_t factor = 1;
    if (!unit.empty()) {
        const std::size_t prefix = prefixes.find(static_cast<char>(std::toupper(unit.front())));
        if (prefix != std::string_view::npos) {
            factor = std::uint64_t{1} << (10 * (prefix + 1));
            unit.erase(0, 1);
        }
    }
    if (!unit.empty() && unit != "B" && unit != "iB") return std::nullopt;
    const double bytes = number * static_cast<double>(factor);
    if (bytes < 1 || bytes > 0x1p62) return std::nullopt;
    return static_cast<std::uint64_t>(bytes);
}

}  // namespace kasc::runtime
