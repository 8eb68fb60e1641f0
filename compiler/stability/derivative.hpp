#pragma once
// Values and derivatives of a tape at one cell.

#include <cstdint>
#include <map>

#include "stability/data.hpp"
#include "stability/tape.hpp"

namespace kasc::stability {

/// Whose data the reads at a cell's neighbours see.
enum class Coefficients : std::uint8_t {
    of_neighbours,  ///< each neighbour's own: what the row of this cell really has
    frozen,         ///< the cell's, as if the medium and the state were the same everywhere
};

/// A state read of the tape: which field, at which offset.
struct StateOffset {
    Slot slot;
    std::size_t field;
    Position at;
};

class Derivative {
public:
    /// Requires: the tape and the data outlive it; an array for each input, an extent for each axis.
    Derivative(const Program& program, const Tape& tape, const Data& data);
    Derivative(const Derivative&) = delete;
    Derivative& operator=(const Derivative&) = delete;

    [[nodiscard]] const std::vector<StateOffset>& states() const { return states_; }
    /// The parameters of all evaluations from here on.
    void bind(const std::vector<double>& parameters, const std::map<LoopId, double>& loop_indices);
    /// The values at a cell; reads beyond the grid see the nearest cell.
    void move_to(const Cell& cell, Coefficients coefficients);
    /// ∂(result)/∂(state read), by state read, at the values of the cell. NaN: the data do not tell.
    [[nodiscard]] const std::vector<double>& by_state(Slot result);
    /// By state read: can the result depend on it at all?
    [[nodiscard]] std::vector<bool> reaches(Slot result) const;

private:
    /// An input read as address arithmetic over the axes of the input.
    struct AxisRead {
        std::size_t axis;
        std::variant<Coordinate, Slot> at;
        long long extent;
        long long stride;
    };
    struct Read {
        const void* values;
        double assumed;
        CellType type;
        std::vector<AxisRead> axes;
        std::optional<Range> rows{};  ///< along the last of the axes, those that are known; none: all
    };

    [[nodiscard]] Read make_read(std::size_t input, const std::vector<std::variant<Coordinate, Slot>>& at) const;
    [[nodiscard]] double input(const Read& read) const;
    [[nodiscard]] double value_of(const Operation& operation) const;
    [[nodiscard]] long long place(const Coordinate& at, std::size_t axis) const;
    void pass_back(Slot slot, double weight);

    const Program& program_;
    const Tape& tape_;
    const Data data_;
    std::vector<StateOffset> states_;
    std::map<Slot, Read> reads_;
    std::vector<std::pair<Slot, const Read*>> computed_;  // what differs from cell to cell; null: no read
    std::vector<double> values_;                          // by operation
    std::vector<double> weights_;                         // by operation: ∂(result)/∂(its value)
    std::vector<double> by_state_;
    Cell cell_;  // where it stands
    Coefficients coefficients_ = Coefficients::of_neighbours;
};

}  // namespace kasc::stability
