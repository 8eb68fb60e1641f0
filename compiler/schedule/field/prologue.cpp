#include "schedule/field/prologue.hpp"

#include <fmt/format.h>

#include <bit>

#include "block/block_program.hpp"
#include "frontend/reduction.hpp"

namespace kasc {

namespace {

using namespace block;

/// Bytes of an accumulator, of the widest (frontend/reduction).
constexpr int widest_accumulator_bytes = 8;

/// The touches of all threads, in each of so many regions.
std::vector<Touch> touches_of_all(std::size_t regions, bool writes, int threads, int words) {
    AddressSet set;
    for (int w = 0; w < words; ++w) set.offsets.push_back(w * warp_threads);
    for (int t = 0; t < threads; ++t) set.start.push_back(words == 1 ? t : t % warp_threads);
    const auto all = std::make_shared<const AddressSet>(std::move(set));
    std::vector<Touch> made;
    for (std::size_t r = 0; r < regions; ++r) made.push_back({r, 0, writes, all});
    return made;
}

}  // namespace

std::string prologue_fault(int threads) {
    const bool serves =
        threads >= warp_threads && threads <= whole_lanes && std::has_single_bit(static_cast<unsigned>(threads));
    return serves ? "" : fmt::format("blocks of {} threads fold no parts: those of 32, 64, … 1024 do", threads);
}

BlockProgram prologue_block(const FieldWork& work, int threads, const Program& program, const Graph& graph) {
    BlockProgram made;
    for (const PrologueCall& call : work.prologue) {
        if (!call.join) continue;
        const std::string name = value_name(graph, program, call.call().value);
        made.regions.push_back(
            {"lanes of " + name, Residence::shared, threads, 1, widest_accumulator_bytes,
             fmt::format("what {} lanes each have folded of the parts of {}, joined", whole_lanes / threads, name)});
    }
    const std::size_t joins = made.regions.size();
    made.steps.push_back(
        {StepKind::fold, "fold of parts", "the fold", "folded", touches_of_all(joins, true, threads, 1)});
    made.steps.push_back({StepKind::exchange, "join of parts", "the join", "joined",
                          touches_of_all(joins, false, threads, threads / warp_threads)});
    return with_barriers(std::move(made));
}

}  // namespace kasc
