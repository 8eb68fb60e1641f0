#pragma once
// What predictions of streams and fields share.

#include <initializer_list>

#include "model/prediction.hpp"
#include "patterns/pattern.hpp"

namespace kasc::model {

/// What a kernel asks of a device, in device-independent units.
struct Demand {
    double blocks = 1;
    int threads = 1;    ///< a block
    int registers = 0;  ///< a thread
    int shared_bytes_per_block = 0;
    int barriers = 0;
    int prologue_barriers = 0;     ///< before the cells, where warps go their own ways again
    double global_bytes = 0;       ///< compulsory
    double extra_bytes = 0;        ///< traffic of device memory beyond that: halos read again, spilled registers
    double read_share = 0.5;       ///< of the global bytes
    double access_efficiency = 1;  ///< against the device's copy rate
    double in_flight_bytes = 0;    ///< reads of one block that are under way together
    double shared_lines = 0;       ///< 128-byte passes through shared memory and L1, of all blocks
    double crossed_lines = 0;      ///< the same of words that each lie in a line of their own, a pass each
    double l2_bytes = 0;           ///< between L2 and the multiprocessors; 0: the global bytes
    double from_l2_bytes = 0;      ///< on a CPU: what cores fetch again from the cache that they share
    double flops = 0;
    double instructions = 0;  ///< of all threads
    double code_bytes = 0;    ///< that a warp goes through, where the cache of instructions does not hold it; else 0
    double core_clocks = 0;   ///< of streams on a CPU, in place of the instructions: of all cores together
    double extra_compute_ns = 0;  ///< measured, beyond the instructions, with the whole device at work
    double block_latency_ns = 0;  ///< the chain of waits of one block
    double rounds = 1;            ///< in which a block goes through that chain
    int parts = 0;                ///< of a block that do not wait for each other; 0: its warps, or with barriers itself
    double own_rate = 1;  ///< at which a multiprocessor moves words while others compute, in its share of the copy rate
};

/// Cells along an axis; 1 where the problem does not say.
[[nodiscard]] long long extent_of(const Problem& problem, AxisId axis);

/// Bounds that hold at the same time: at least the largest of them.
[[nodiscard]] double together(std::initializer_list<double> parts);
/// Blocks that a multiprocessor holds at a time; 0: not one fits.
[[nodiscard]] int resident_blocks(const Demand& demand, const Device& device);
[[nodiscard]] Prediction predict(const Demand& demand, const Device& device);

/// Passes of the shared-memory port for one access of all words of the set by `threads` threads: for each word of the
/// set, in each warp, the largest number of distinct words in one bank. The first warp stands for the others.
[[nodiscard]] double shared_passes(const AddressSet& set, int threads);
/// The same through L1 when the addresses are those of global memory: distinct 128-byte lines.
[[nodiscard]] double line_passes(const AddressSet& set, int threads);

[[nodiscard]] Prediction predict_stream(const StreamSchedule& schedule, const Program& program, const Graph& graph,
                                        const Library& library, const Device& device, const Problem& problem);
[[nodiscard]] Prediction predict_transform(const TransformSchedule& schedule, const Program& program,
                                           const Graph& graph, const Device& device, const Problem& problem);
[[nodiscard]] Prediction predict_field(const FieldSchedule& schedule, const Program& program, const Graph& graph,
                                       const Device& device, const Problem& problem);
[[nodiscard]] Prediction predict_fold(const FieldSchedule& schedule, const Program& program, const Graph& graph,
                                      const Device& device, const Problem& problem);
[[nodiscard]] long long cells_of_line(const LineWork& work, const Problem& problem);
[[nodiscard]] Prediction predict_lines(const LineSchedule& schedule, const Program& program, const Graph& graph,
                                       const Device& device, const Problem& problem);
[[nodiscard]] Prediction predict_product(const ProductSchedule& schedule, const Program& program, const Graph& graph,
                                         const Device& device, const Problem& problem);
[[nodiscard]] Prediction predict_fft(const FftSchedule& schedule, const Program& program, const Graph& graph,
                                     const Device& device, const Problem& problem);
[[nodiscard]] Prediction predict_pipeline(const PipelineSchedule& schedule, const Program& program, const Graph& graph,
                                          const Device& device, const Problem& problem);
[[nodiscard]] Prediction predict_scan(const ScanSchedule& schedule, const Program& program, const Graph& graph,
                                      const Device& device, const Problem& problem);
/// Cells along these axes of lines that a block has for a loop. None: it can have none of them.
struct LineLengths {
    std::optional<std::vector<int>> value;
    std::string reason;
};
[[nodiscard]] LineLengths line_lengths(const std::vector<AxisId>& along, const Program& program,
                                       const Problem& problem);
[[nodiscard]] Prediction predict_line_loop(const LoopSchedule& schedule, const Program& program, const Device& device,
                                           const Problem& problem);

}  // namespace kasc::model
