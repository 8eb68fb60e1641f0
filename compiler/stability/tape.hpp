#pragma once
// One iteration of a time loop, seen from one cell, as a straight list of operations: what a statement reads at a
// neighbour is that neighbour's own list, in place. The list is the same for all cells and all parameters; only what
// its leaves read differs. Made once, evaluated often.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <variant>
#include <vector>

#include "frontend/program.hpp"
#include "graph/graph.hpp"

namespace kasc::stability {

using Slot = std::uint32_t;  ///< the number of an operation, which is where its value stands

/// One coordinate of a read: relative to the cell, or a fixed position on its axis.
struct Coordinate {
    int cells = 0;
    bool fixed = false;
    auto operator<=>(const Coordinate&) const = default;
};
using Position = std::vector<Coordinate>;  ///< by axis of the program; axes that the variable lacks: fixed 0

/// What absolute positions are computed from.
struct Uniforms {
    const std::vector<double>& parameters;
    const std::map<LoopId, double>& loop_indices;
    const std::vector<long long>& extents;
};

/// Leaves. An unknown value is NaN: a loop before this one, a slice of a series.
struct Uniform {
    const Expression* expression;  ///< of the graph
};
struct InputRead {
    std::size_t input;
    Position at;
};
/// A read of an input at positions that the cell computes: `k[m = tissue]`. A position beyond the grid means the
/// nearest cell.
struct GatheredRead {
    std::size_t input;
    std::vector<std::variant<Coordinate, Slot>> at;  ///< by axis of the input; a slot holds a position
};
/// Where the cell stands along an axis.
struct CoordinateRead {
    AxisId axis;
    Coordinate at;
};
struct Unknown {};
/// A carried field as it enters the iteration: what derivatives are taken by. `initial` has its value.
struct StateRead {
    std::size_t field;
    Position at;
    Slot initial;
};
struct Unary {
    UnaryOperator op;
    Slot operand;
};
struct Binary {
    BinaryOperator op;
    Slot left, right;
    bool whole = false;  ///< of integers
};
struct Select {
    Slot condition, then, otherwise;
};
struct Call {
    Intrinsic intrinsic;
    Slot first, second;  ///< equal for intrinsics of one argument
};
struct Operation {
    std::variant<Uniform, InputRead, GatheredRead, CoordinateRead, Unknown, StateRead, Unary, Binary, Select, Call>
        what;
    bool of_state = false;  ///< a state read is among what it depends on
};

/// A field that the loop carries from iteration to iteration.
struct CarriedField {
    VariableId variable;
    ValueId entering;  ///< in the body
    Slot leaving = 0;  ///< its new value at the cell
};

struct Tape {
    std::vector<Operation> operations;  ///< operands before what uses them
    std::vector<CarriedField> fields;
};

/// A loop and those around it, the outermost first.
using LoopPath = std::vector<const LoopNode*>;

/// The operations of the innermost loop of the path; what the others' iterations start with is what is known before the
/// first of them. `uniforms` are those of the first iterations. None where the list would be too long, and where the
/// loop carries no field.
[[nodiscard]] std::optional<Tape> make_tape(const Program& program, const Graph& graph, const LoopPath& path,
                                            const Uniforms& uniforms);

}  // namespace kasc::stability
