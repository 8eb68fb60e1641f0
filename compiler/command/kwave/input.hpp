#pragma once
// An input file of k-Wave's: its header, its numbers, and the boxes of a sensor by corners. The arrays are read like
// those of any program.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"

namespace kasc::command {

/// x1 y1 z1 x2 y2 z2, counted from 1, both corners part of it.
struct KwaveBox {
    std::array<long long, 3> low{}, high{};

    [[nodiscard]] long long cells(std::size_t axis) const { return high.at(axis) - low.at(axis) + 1; }
    [[nodiscard]] long long cells() const { return cells(0) * cells(1) * cells(2); }
};

struct KwaveInput {
    std::string description;  ///< the attribute file_description
    /// Values of the datasets that hold one number each; integers have 31 bits.
    std::map<std::string, double> numbers;
    std::vector<KwaveBox> boxes;  ///< of a sensor by corners

    [[nodiscard]] double number(const std::string& name) const {
        const auto at = numbers.find(name);
        return at == numbers.end() ? 0 : at->second;
    }
};

/// A number of k-Wave's files, in the order in which its commands copy them into their output.
struct KwaveNumber {
    enum class Kind { count, whole, real };  ///< a whole number from 1 on, one from 0 on, any
    const char* name;
    Kind kind;
    /// Files that have the number: those of three dimensions alone, of simulations whose flag is not 0, all ("");
    /// "never": some do, and none must.
    const char* where;
};
[[nodiscard]] const std::vector<KwaveNumber>& kwave_numbers();
/// Whether a file with these numbers has this one.
[[nodiscard]] bool applies(const KwaveNumber& number, const KwaveInput& input);

/// K0701 to K0703; K0750 it is none; K0751 of another version; K0755 in one dimension; K0704, K0752 numbers that
/// are missing or none.
[[nodiscard]] Outcome<KwaveInput> read_kwave_input(const std::string& path);

/// The cells of the boxes, one box after the other, x fastest, as k-Wave counts them. K0753: a box that is none or lies
/// outside of the grid.
[[nodiscard]] Outcome<std::vector<std::int32_t>> cells_of_boxes(const std::string& path, const KwaveInput& input);

}  // namespace kasc::command
