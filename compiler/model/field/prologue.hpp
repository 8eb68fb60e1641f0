#pragma once
// What a prologue asks for: each block reads all parts once more, mostly from L2, and waits for them before its cells.

#include "model/parts.hpp"

namespace kasc::model {

/// The same for all blocks.
struct PrologueWork {
    double parts = 0;         ///< words of them, of the longest join
    double part_bytes = 0;    ///< of all joins together
    double number_flops = 0;  ///< of the numbers
    double read_bytes = 0;    ///< from memory: parts and words once
    double stored_bytes = 0;
    int joins = 0;
};
[[nodiscard]] PrologueWork prologue_work(const FieldWork& work, const Program& program, const Graph& graph,
                                         const Problem& problem);
/// Adds it to what the kernel's cells ask for. Requires: `demand` is theirs.
void add_prologue(Demand& demand, const PrologueWork& prologue, const FieldSchedule& schedule, const Device& device);

}  // namespace kasc::model
