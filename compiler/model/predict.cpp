// From what a kernel asks to what it takes.
//
// Device memory. A device moves bytes at its copy rate only while enough of them are under way (Little's law): it needs
// latency × rate / multiprocessors of them in each, an H100 600 ns × 3030 GB/s / 132 = 13.8 kB. With x = under way /
// needed the share reached is x / (1 + x³)^(1/3): x while x is small, 1 when it is large, 0.79 where they are equal.
// Latency. A multiprocessor holds `resident` blocks, each of which takes its chain of waits (memory, barriers) and the
// time of its own bytes and operations, mostly one after the other: waves × chain + 0.7 (bytes + operations) /
// resident; where it has no barriers each warp is a block of its own. The first block's chain is hidden by none: it is
// added to the traffic. Arithmetic. Warps that go through more code than the cache of instructions holds wait for what
// is fetched again. Dispatch. Blocks begin one after the other: small ones are bound by that. What overlaps is not
// added, but it is not free: time = launch + (memory⁴ + (shared memory, arithmetic)⁴ + latency⁴ + dispatch⁴)^(1/4), the
// largest where one stands out, 1.19 of it where two are alike. The power is fitted to 1143 plans measured on an H100.

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "model/constants.hpp"
#include "model/parts.hpp"

namespace kasc {

namespace model {

long long extent_of(const Problem& problem, AxisId axis) {
    return axis.index < problem.extents.size() ? std::max(1LL, problem.extents[axis.index]) : 1;
}

double together(std::initializer_list<double> parts) {
    double sum = 0;
    for (const double part : parts) sum += std::pow(part, overlap_power);
    return std::pow(sum, 1 / overlap_power);
}

int resident_blocks(const Demand& demand, const Device& device) {
    const auto rounded = [](int n, int to) { return (n + to - 1) / to * to; };
    const int threads = rounded(std::max(1, demand.threads), warp_threads);
    const int registers = rounded(std::clamp(demand.registers, 1, most_registers), register_granularity);
    const int shared =
        rounded(demand.shared_bytes_per_block, shared_granularity) + device.reserved_shared_bytes_per_block;
    if (demand.threads > device.max_threads_per_block ||
        demand.shared_bytes_per_block > device.max_dynamic_shared_bytes_per_block)
        return 0;
    return std::min({device.max_blocks_per_multiprocessor, device.max_threads_per_multiprocessor / threads,
                     device.registers_per_multiprocessor / (registers * threads),
                     device.shared_bytes_per_multiprocessor / shared});
}

namespace {

Prediction common(const Demand& demand, const Device& device) {
    Prediction p;
    p.blocks = demand.blocks;
    p.threads = demand.threads;
    p.global_bytes = demand.global_bytes;
    p.moved_bytes = demand.global_bytes + demand.extra_bytes;
    p.l2_bytes = demand.l2_bytes;
    p.shared_bytes = demand.shared_lines * line_words * 4;
    p.flops = demand.flops;
    p.instructions = demand.instructions;
    p.barriers = demand.barriers + demand.prologue_barriers;
    p.registers = std::min(demand.registers, most_registers);
    p.shared_bytes_per_block = demand.shared_bytes_per_block;
    p.code_bytes = demand.code_bytes;
    p.launch_ns = device.launch_us * 1000;
    return p;
}

/// Cores of a host: caches in place of shared memory, no waves, no barriers (phases are loops).
Prediction on_cpu(const Demand& demand, const Device& device) {
    Prediction p = common(demand, device);
    const double clocks_per_ns = device.clock_ghz * device.multiprocessors;
    p.occupancy = 1;
    p.waves = 1;
    // What comes again hides behind nothing: planes that stayed in the core's own cache gave a core of a Xeon 1.4 times
    // the cells of a 13-point stencil, though its memory was far from busy.
    const double again_ns =
        demand.extra_bytes / device.copy_gb_s + demand.from_l2_bytes / std::max(device.l2_gb_s, device.copy_gb_s);
    const double compulsory_ns = demand.global_bytes / device.copy_gb_s;
    p.global_ns = compulsory_ns + again_ns;
    p.shared_ns = p.shared_bytes / (cpu_cache_bytes_per_clock * clocks_per_ns);
    p.arithmetic_ns = (demand.core_clocks + demand.instructions / (device.fp32_per_clock / 2)) / clocks_per_ns +
                      demand.extra_compute_ns;
    p.time_ns = p.launch_ns + again_ns;
    // A block of a stream copies its tile before it computes, so that a core does one after the other.
    if (demand.core_clocks > 0)
        p.time_ns += compulsory_ns + std::max(p.shared_ns, p.arithmetic_ns);
    else
        p.time_ns += std::max({compulsory_ns, p.shared_ns, p.arithmetic_ns});
    return p;
}

/// How much longer warps take to issue instructions of so much code.
double fetching(double code_bytes, const Device& device) {
    if (code_bytes <= static_cast<double>(device.instruction_cache_bytes)) return 1;
    return 1 + fetched_again * (1 - static_cast<double>(device.instruction_cache_bytes) / code_bytes);
}

}  // namespace

Prediction predict(const Demand& demand, const Device& device) {
    if (device.kind == DeviceKind::cpu) return on_cpu(demand, device);
    Prediction p = common(demand, device);
    const int fits = resident_blocks(demand, device);
    if (fits == 0) {
        p.time_ns = std::numeric_limits<double>::infinity();
        return p;
    }
    const double sms = device.multiprocessors;
    const double resident = std::min<double>(fits, std::max(1.0, std::ceil(demand.blocks / sms)));
    p.occupancy = static_cast<double>(fits) * demand.threads / device.max_threads_per_multiprocessor;
    p.waves = demand.blocks / (fits * sms);

    const double needed = device.memory_latency_ns * device.copy_gb_s / sms * demand.read_share;
    const double x = needed > 0 ? resident * std::min(1.0, demand.blocks / sms) * demand.in_flight_bytes / needed : 1e3;
    const double reached = std::max(x / std::cbrt(1 + x * x * x), 1e-6);
    const double bytes = demand.global_bytes + demand.extra_bytes;
    const double l2_bytes = std::max(bytes, demand.l2_bytes);
    p.global_ns = demand.block_latency_ns +
                  std::max(bytes / (device.copy_gb_s * reached * demand.access_efficiency), l2_bytes / device.l2_gb_s);
    // The last blocks leave multiprocessors idle: their share of a whole round.
    const double idle = std::ceil(demand.blocks / sms) * sms / std::max(1.0, demand.blocks);
    const double passes = p.shared_bytes + demand.crossed_lines * line_words * 4;
    p.shared_ns = idle * passes / (device.shared_bytes_per_clock * device.clock_ghz * sms);
    p.arithmetic_ns = idle * fetching(demand.code_bytes, device) * demand.instructions /
                          (device.fp32_per_clock / 2 * device.clock_ghz * sms) +
                      demand.extra_compute_ns;
    const double computing = std::max(p.shared_ns, p.arithmetic_ns);
    // Barriers hold a block's warps together; without one each goes its own way.
    const int warps = (demand.threads + warp_threads - 1) / warp_threads;
    const int parts = demand.parts > 0 ? demand.parts : demand.barriers > 0 ? 1 : warps;
    const double of_a_part = (bytes / (device.copy_gb_s * demand.own_rate) + computing) / (resident * parts);
    p.latency_ns = std::max(1.0, p.waves) * demand.rounds * demand.block_latency_ns + one_after_the_other * of_a_part;
    p.dispatch_ns = demand.blocks * device.block_dispatch_ns;
    p.time_ns = p.launch_ns + together({p.global_ns, computing, p.latency_ns, p.dispatch_ns});
    return p;
}

}  // namespace model

Prediction predict(const KernelSchedule& schedule, const Program& program, const Graph& graph, const Library& library,
                   const Device& device, const Problem& problem) {
    if (const auto* stream = std::get_if<StreamSchedule>(&schedule)) {
        return model::predict_stream(*stream, program, graph, library, device, problem);
    }
    if (const auto* transform = std::get_if<TransformSchedule>(&schedule))
        return model::predict_transform(*transform, program, graph, device, problem);
    if (const auto* line = std::get_if<LineSchedule>(&schedule))
        return model::predict_lines(*line, program, graph, device, problem);
    if (const auto* product = std::get_if<ProductSchedule>(&schedule))
        return model::predict_product(*product, program, graph, device, problem);
    if (const auto* fft = std::get_if<FftSchedule>(&schedule))
        return model::predict_fft(*fft, program, graph, device, problem);
    if (const auto* scan = std::get_if<ScanSchedule>(&schedule))
        return model::predict_scan(*scan, program, graph, device, problem);
    if (const auto* loop = std::get_if<LoopSchedule>(&schedule))
        return LoopPredictor(*loop->work, program, device, problem).of(*loop);
    if (const auto* pipeline = std::get_if<PipelineSchedule>(&schedule))
        return model::predict_pipeline(*pipeline, program, graph, device, problem);
    if (fold_of(*std::get<FieldSchedule>(schedule).work) != nullptr)
        return model::predict_fold(std::get<FieldSchedule>(schedule), program, graph, device, problem);
    return model::predict_field(std::get<FieldSchedule>(schedule), program, graph, device, problem);
}

}  // namespace kasc
