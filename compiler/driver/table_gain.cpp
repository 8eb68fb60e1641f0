#include "driver/table_gain.hpp"

#include <fmt/format.h>

#include "model/counted_loop.hpp"
#include "model/field/instruction_count.hpp"

namespace kasc {

namespace {

/// Instructions of a read in place of the part: an address, the load, and what waits for it.
constexpr double instructions_of_read = 6;
/// A part of fewer is not looked at: even a root is nine. Of pairs all words are read whatever is computed of them.
constexpr double least_instructions = 12, least_of_pairs = 1;
/// How often each word of a table is read, at least: it is stored, and a kernel of its own may make it.
constexpr double least_reads = 16;

double cells_along(const std::vector<AxisId>& axes, const Problem& problem) {
    double cells = 1;
    for (const AxisId axis : axes) cells *= static_cast<double>(problem.extents.at(axis.index));
    return cells;
}

}  // namespace

PricedTables tables_that_pay(const CheckedProgram& checked) {
    const Device& device = checked.device;
    // An fma is one instruction, and two operations.
    const double instructions_per_ns = device.fp32_per_clock / 2 * device.multiprocessors * device.clock_ghz;
    PricedTables priced;
    const auto worth = [&](const TablePart& part) -> std::optional<Verdict> {
        const double instructions = model::instruction_count(part.value, part.precision);
        if (instructions < (part.of_pairs ? least_of_pairs : least_instructions)) return std::nullopt;
        const double cells = cells_along(part.cells, checked.problem);
        const double reads = cells / cells_along(part.axes, checked.problem);
        if (reads < least_reads) return Verdict::no(fmt::format("each word would be read {:.0f} times alone", reads));
        double times = 1;
        Problem within = checked.problem;
        for (const LoopStatement* loop : part.loops) {
            const CountedLoop counted =
                counted_loop(checked.program, loop->loop, loop->from, loop->to, loop->going.has_value(), within);
            times *= counted.iterations;
            within = problem_within(counted, std::move(within));
        }
        priced.saved_ns +=
            (instructions - (part.of_pairs ? 0 : instructions_of_read)) * cells * times / instructions_per_ns;
        return Verdict::yes(
            fmt::format("{:.0f} instructions, of which each word would be read {:.0f} times", instructions, reads));
    };
    priced.tables = axis_tables(checked.program, worth);
    return priced;
}

}  // namespace kasc
