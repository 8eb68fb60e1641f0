// Whatever the choice, a kernel of some calls takes at least: launch + (memory⁴ + arithmetic⁴)^(1/4), the compulsory
// bytes at the copy rate and the operations at the device's peak; everything else only adds to that.
//
// What a call on fields reads and stores is counted as if it were alone: in a kernel with others over more axes it
// touches as much or more. Its operations are counted where all kernels have the same axes: a call is evaluated at each
// cell at least once; where a field is needed at one slice alone, a kernel over fewer axes computes no more. A
// transform's result is never stored where calls behind it take it as it is stored; a transform of lines reads and
// stores like a call on fields.
//
// Threads wait at slow paths, of quotients and roots, as often as cells are computed at least, and this is another part
// of a kernel's time than its arithmetic. Both are sums over its calls. For sums a and s,
//
//   (a⁴ + s⁴)^(1/4)  ≥  u³ a + v³ s     where u⁴ + v⁴ = 1 (Hölder), equal where a : s = u : v
//
// so that one number a call is enough: u and v are those of the whole program.

#include "model/least_time.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "graph/expand.hpp"
#include "model/constants.hpp"
#include "model/field/facts.hpp"
#include "model/least_under_way.hpp"
#include "model/parts.hpp"
#include "schedule/transform_schedule.hpp"
#include "search/set_rules.hpp"
#include "search/transform_lines.hpp"

namespace kasc {

namespace {

/// A kernel over fields waits for memory at least once. Transforms have it in their own time.
double launch_ns(const Program& program, const Device& device) {
    const bool waits = !has_streams(program) && device.kind == DeviceKind::gpu;
    return device.launch_us * 1000 + (waits ? device.memory_latency_ns : 0);
}

/// The least work of one call.
struct LeastCount {
    LeastParts parts;
    double slow_ns = 0;  ///< at slow paths
};

class LeastCounts {
public:
    LeastCounts(const Program& program, const Graph& graph, const Graph& expanded, const Library& library,
                const Device& device, const Problem& problem)
        : program_(program),
          graph_(graph),
          expanded_(expanded),
          library_(library),
          device_(device),
          problem_(problem),
          maker_(graph),
          same_axes_(model::have_same_axes(program, graph)) {}

    LeastCount of(NodeId node) const {
        const auto& what = graph_.nodes[node].what;
        if (std::holds_alternative<Transform>(what)) return {of_transform(node)};
        if (std::holds_alternative<FieldUpdate>(what)) return of_field(node);
        return {has_streams(program_) ? of_stream(node) : LeastParts{}};
    }

private:
    const Program& program_;
    const Graph& graph_;
    const Graph& expanded_;
    const Library& library_;
    const Device& device_;
    const Problem& problem_;
    FusionMaker maker_;
    bool same_axes_;  ///< of kernels of any calls over fields

    LeastParts of_stream(NodeId node) const {
        const auto n = static_cast<double>(problem_.elements);
        const Fusion alone = maker_.of({node.index});
        LeastParts parts;
        const auto touch = [&](ValueId v) {
            const auto& shape = std::get<StreamShape>(program_.variables[graph_.values[v].variable].shape);
            return LeastTouch{v, 4.0 * library_.types[shape.type].words * n / device_.copy_gb_s};
        };
        for (const ValueId v : alone.inputs) parts.reads.push_back(touch(v));
        for (const ValueId v : graph_.nodes[node].writes) parts.writes.push_back(touch(v));
        // The calls of a loop are counted for one iteration: it may run no more.
        double flops = 0;
        for (const NodeId call : functions_of(expanded_, alone.calls))
            flops += library_.functions[std::get<StreamCall>(expanded_.nodes[call].what).callee].flops;
        parts.arithmetic_ns = flops * n / (device_.fp32_per_clock / 2 * device_.clock_ghz * device_.multiprocessors);
        return parts;
    }

    LeastCount of_field(NodeId node) const {
        const Fusion alone = maker_.of({node.index});
        const FieldScheduler scheduler(program_, graph_, alone);
        LeastCount made;
        LeastParts& parts = made.parts;
        if (!scheduler.reason().empty() || scheduler.choice_of_fold(device_.kind == DeviceKind::cpu)) return made;
        parts.waits = device_.kind == DeviceKind::gpu;
        const FieldSchedule& schedule = scheduler.open();
        model::StatementCosts costs;
        const model::FieldFacts facts = model::field_facts(schedule, program_, expanded_, problem_, costs);
        for (const model::ReadValue& read : facts.reads)
            parts.reads.push_back({read.value, read.bytes / device_.copy_gb_s});
        if (same_axes_) {
            parts.arithmetic_ns = std::max(0.0, facts.computing - facts.sharable) /
                                  (device_.fp32_per_clock / 2 * device_.clock_ghz * device_.multiprocessors);
            for (std::size_t k = 0; k < facts.slow_paths.size(); ++k)
                made.slow_ns += facts.cells * least_wait_ns(facts.slow_paths[k], facts.slow_ns[k]);
        }
        for (std::size_t k = 0; k < facts.stores.size(); ++k)
            parts.writes.push_back({schedule.work->stores[k].value, facts.stores[k].bytes / device_.copy_gb_s});
        return made;
    }

    /// For a cell. Cell by cell all threads that a device holds wait beside each other; in planes that follow each
    /// other a slow path is so many instructions.
    [[nodiscard]] double least_wait_ns(int slow_paths, double slow_ns) const {
        if (device_.kind == DeviceKind::cpu) return 0;
        const double issued =
            slow_paths * model::slow_path_instructions / (device_.fp32_per_clock / 2 * device_.clock_ghz);
        return std::min(slow_ns / device_.max_threads_per_multiprocessor, issued) / device_.multiprocessors;
    }

    LeastParts of_transform(NodeId node) const {
        LeastParts parts;
        const auto bytes_ns = [&](ValueId value) {
            const FieldShape& shape = field_shape(program_, graph_.values[value].variable);
            auto bytes = static_cast<double>(cell_bytes(shape.type));
            for (const AxisId axis : shape.axes) bytes *= static_cast<double>(model::extent_of(problem_, axis));
            return bytes / device_.copy_gb_s;
        };
        const Node& own = graph_.nodes[node];
        const auto lines = line_transform(program_, graph_, node);
        if (lines && device_.kind == DeviceKind::gpu && problem_.is_given(lines->along)) {
            parts.reads.push_back({own.reads.front(), bytes_ns(own.reads.front())});
            parts.writes.push_back({own.writes.front(), bytes_ns(own.writes.front())});
            return parts;
        }
        const TransformScheduleResult alone = schedule_transform(program_, graph_, maker_.of({node.index}));
        if (!alone.value) return parts;
        const Prediction p = predict(*alone.value, program_, expanded_, library_, device_, problem_);
        parts.writes.push_back({own.writes.front(), bytes_ns(own.writes.front())});
        parts.own_ns = p.time_ns - launch_ns(program_, device_) - parts.writes.front().ns;
        return parts;
    }
};

}  // namespace

LeastTimes::LeastTimes(const Program& program, const Graph& graph, const Graph& expanded, const Library& library,
                       const Device& device, const Problem& problem, Choices choices)
    : launch_ns_(kasc::launch_ns(program, device)), cpu_(device.kind == DeviceKind::cpu) {
    const LeastCounts counts(program, graph, expanded, library, device, problem);
    double arithmetic_ns = 0, slow_ns = 0;
    std::vector<LeastCount> all;
    for (const NodeId node : graph.nodes.ids()) {
        all.push_back(counts.of(node));
        arithmetic_ns += all.back().parts.arithmetic_ns, slow_ns += all.back().slow_ns;
    }
    const double both = slow_ns > 0 ? model::together({arithmetic_ns, slow_ns}) : 1;
    const auto weight = [&](double part) { return std::pow(part / both, model::overlap_power - 1); };
    for (LeastCount& count : all) {
        if (slow_ns > 0)
            count.parts.arithmetic_ns =
                weight(arithmetic_ns) * count.parts.arithmetic_ns + weight(slow_ns) * count.slow_ns;
        parts_.push_back(std::move(count.parts));
    }
    fields_ = !has_streams(program);
    if (cpu_ || !fields_) return;
    latency_ns_ = device.memory_latency_ns;
    if (choices == Choices::offered)
        under_way_ns_ = model::least_under_way_ns(program, graph, expanded, device, problem);
}

// The least time of a kernel over fields: launch - latency + ((latency + (memory³ + under way³)^(1/3))⁴ + arithmetic⁴ +
// latency⁴)^(1/4), convex in both times.
double LeastTimes::of_kernel(double memory_ns, double arithmetic_ns, bool waits) const {
    if (cpu_) return launch_ns_ + std::max(memory_ns, arithmetic_ns);
    if (!fields_) return launch_ns_ + (arithmetic_ns == 0 ? memory_ns : model::together({memory_ns, arithmetic_ns}));
    if (!waits) return launch_ns_ + memory_ns;
    return launch_ns_ - latency_ns_ +
           model::together({latency_ns_ + model::with_under_way(memory_ns, under_way_ns_), arithmetic_ns, latency_ns_});
}

/// A tangent: a convex function lies above each of them.
LeastLine LeastTimes::line_at(double memory_ns, double arithmetic_ns, bool waits) const {
    if (cpu_) return memory_ns >= arithmetic_ns ? LeastLine{launch_ns_, 1, 0} : LeastLine{launch_ns_, 0, 1};
    const double ns = of_kernel(memory_ns, arithmetic_ns, waits);
    const bool alone = memory_ns <= 0 && arithmetic_ns <= 0;
    if (alone || (fields_ && !waits)) return {launch_ns_, fields_ && waits ? 0.0 : 1.0, 0};
    const double whole = ns - launch_ns_ + (fields_ ? latency_ns_ : 0);
    const auto slope = [&](double part) { return std::pow(part / whole, model::overlap_power - 1); };
    LeastLine line{0, slope(memory_ns), slope(arithmetic_ns)};
    if (fields_) {
        const double cubes = model::with_under_way(memory_ns, under_way_ns_);
        line.memory = cubes > 0 ? slope(latency_ns_ + cubes) * std::pow(memory_ns / cubes, 2) : 0;
    }
    line.fixed_ns = ns - line.memory * memory_ns - line.arithmetic * arithmetic_ns;
    return line;
}

double LeastTimes::of(const Fusion& fusion) const {
    double memory = 0, arithmetic = 0, own = 0;
    bool waits = true;
    std::map<ValueId, double> reads;
    for (const NodeId call : fusion.calls) {
        const LeastParts& parts = parts_[call.index];
        arithmetic += parts.arithmetic_ns;
        own += parts.own_ns;
        waits = waits && parts.waits;
        for (const LeastTouch& read : parts.reads) {
            if (!std::binary_search(fusion.inputs.begin(), fusion.inputs.end(), read.value)) continue;
            double& ns = reads[read.value];
            ns = std::max(ns, read.ns);
        }
        for (const LeastTouch& write : parts.writes) {
            if (std::binary_search(fusion.outputs.begin(), fusion.outputs.end(), write.value)) memory += write.ns;
        }
    }
    for (const auto& read : reads) memory += read.second;
    return own + of_kernel(memory, arithmetic, waits);
}

}  // namespace kasc
