#pragma once
// Schedule → kernel IR.

#include <map>
#include <optional>
#include <set>

#include "graph/graph.hpp"
#include "kernel/kernel.hpp"
#include "lower/rider.hpp"
#include "schedule/field/alternatives.hpp"
#include "schedule/schedule.hpp"

namespace kasc {

/// Requires of the host: n is at least the schedule's elements and a multiple of 4 (the host pads the data), so that
/// every tile, the last one too, begins at a 16-byte boundary, as authors' vector loads and staged copies need.
[[nodiscard]] kernel::Lowered lower_stream(const StreamSchedule& schedule, const Program& program, const Graph& graph,
                                           const Library& library, const std::string& kernel_name);
/// `overwritten`: by a value that the kernel stores, the former version that lies in its array, which the schedule
/// allows. `riders` are of the same graph, none has more than one axis; none touches what the kernel stores, or stores
/// what the kernel or another rider reads. `completed`: kernels of one block, of the same graph, that the last block
/// runs (lower/field/last_block.hpp).
[[nodiscard]] kernel::Lowered lower_field(const FieldAlternatives& schedules, const Program& program,
                                          const Graph& graph, const std::string& kernel_name,
                                          const std::map<ValueId, ValueId>& overwritten = {},
                                          const std::vector<kernel::Rider>& riders = {},
                                          const std::vector<kernel::Rider>& completed = {});

[[nodiscard]] kernel::Lowered lower_pipeline(const PipelineSchedule& schedule, const Program& program,
                                             const Graph& graph, const std::string& kernel_name);

[[nodiscard]] kernel::Lowered lower_loop(const LoopSchedule& schedule, const Program& program, const Graph& graph,
                                         const std::string& kernel_name);

[[nodiscard]] kernel::Lowered lower_scan(const ScanSchedule& schedule, const Program& program, const Graph& graph,
                                         const std::string& kernel_name);

/// The kernel serves lines of one length alone: it requires it. `padded`: values whose rows are a multiple of
/// padded_row_multiple cells apart.
[[nodiscard]] kernel::Lowered lower_fft(const FftSchedule& schedule, const Program& program, const Graph& graph,
                                        const std::string& kernel_name, const std::set<ValueId>& padded = {});

/// `longer`: serves lines that the schedule's threads cannot hold.
[[nodiscard]] kernel::Lowered lower_product(const ProductSchedule& schedule, const Program& program, const Graph& graph,
                                            const std::string& kernel_name);
[[nodiscard]] kernel::Lowered lower_lines(const LineSchedule& schedule, const std::optional<LineSchedule>& longer,
                                          const Program& program, const Graph& graph, const std::string& kernel_name);

}  // namespace kasc
