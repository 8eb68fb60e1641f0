#pragma once
// Values and derivatives of a tape at one cell.

#include "stability/tape.hpp"

namespace kasc::stability {

using Cell = std::vector<long long>;  ///< by axis of the program

/// The data of one run, as kasc_entry_call has them.
struct Data {
    const std::vector<long long>& extents;
    const std::vector<const void*>& inputs;
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

    [[nodiscard]] const std::vector<StateOffset>& states() const { return states_; }
    /// The parameters of all evaluations from here on.
    void bind(const std::vector<double>& parameters, const std::map<LoopId, double>& loop_indices);
    /// The values at a cell; reads beyond the grid see the nearest cell.
    void move_to(const Cell& cell);
    /// ∂(result)/∂(state read), by state read, at the values of the cell. NaN: the data do not tell.
    [[nodiscard]] const std::vector<double>& by_state(Slot result);
    /// By state read: can the result depend on it at all?
    [[nodiscard]] std::vector<bool> reaches(Slot result) const;

private:
    /// An input read as address arithmetic over the axes of the input.
    struct AxisRead {
        std::size_t axis;
        Coordinate at;
        long long extent;
        long long stride;
    };
    struct Read {
        const void* values;
        CellType type;
        std::vector<AxisRead> axes;
    };

    [[nodiscard]] Read make_read(const Program& program, const Data& data, const InputRead& read) const;
    [[nodiscard]] double input(const Read& read, const Cell& cell) const;
    [[nodiscard]] double value_of(const Operation& operation) const;
    void pass_back(Slot slot, double weight);

    const Tape& tape_;
    std::vector<StateOffset> states_;
    std::vector<std::pair<Slot, Read>> reads_;
    std::vector<Slot> computed_;   // what is no leaf, and state reads
    std::vector<double> values_;   // by operation
    std::vector<double> weights_;  // by operation: ∂(result)/∂(its value)
    std::vector<double> by_state_;
};

}  // namespace kasc::stability
