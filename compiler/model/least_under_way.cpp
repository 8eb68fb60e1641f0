// By what predict.cpp says of device memory, x = under way / needed, and the share x / (1 + x³)^(1/3) of the copy rate,
// a kernel takes (memory³ + (memory / x)³)^(1/3) for its traffic, and memory / x does not depend on how much it reads:
// each cell's read is under way once, as many together as there are threads.
//
//   memory / x = latency · cells / (0.6 · cells of all threads at a time)
//
// 1000 cells of a line, 256 threads a block: 4 blocks, 1024 cells at a time: 600 ns · 1000 / (0.6 · 1024) = 977 ns.
//
// A choice that waits longer, column by column, has that on top: (m³ + u³)^(1/3) + w ≥ (m³ + (u + w)³)^(1/3).

#include "model/least_under_way.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/constants.hpp"
#include "model/field/facts.hpp"
#include "model/parts.hpp"
#include "search/set_rules.hpp"

namespace kasc::model {

namespace {

/// What kernels over these axes have in common, of some calls.
struct Common {
    std::vector<AxisId> axes;
    std::vector<double> extents;
    double reads_a_cell = std::numeric_limits<double>::infinity();  ///< the least, of any value: its bytes / a cell's
};

/// The most cells that are read at a time. A warp's walk has pieces of any length.
double cells_at_a_time(const FieldChoice& choice, const std::vector<double>& extents, const Device& device) {
    const int threads = choice.threads_x * choice.threads_y * choice.threads_z;
    const int fits =
        std::min(device.max_blocks_per_multiprocessor,
                 device.max_threads_per_multiprocessor / ((threads + warp_threads - 1) / warp_threads * warp_threads));
    double blocks = 1;
    for (std::size_t k = 0; k < extents.size(); ++k) {
        const bool walked = choice.walk == Walk::column && k + 1 == extents.size();
        blocks *= std::ceil(extents[k] / (walked ? choice.chunk : choice.tile(k)));
    }
    if (choice.walk == Walk::flat) {
        blocks = std::ceil(extents[0] * extents[1] / choice.tile(0));
        for (std::size_t k = 2; k < extents.size(); ++k) blocks *= extents[k];
    }
    if (choice.walk == Walk::warp) blocks = std::numeric_limits<double>::infinity();
    const double sms = device.multiprocessors;
    const double resident = std::min<double>(fits, std::max(1.0, std::ceil(blocks / sms)));
    return sms * resident * std::min(1.0, blocks / sms) * threads * choice.vector * choice.rows * choice.unroll;
}

double under_way_ns(const FieldChoice& choice, const Common& common, const Device& device) {
    const bool shared = choice.neighbours == Neighbours::shared;
    const double part = loads_under_way * (shared ? under_way_between_barriers : 1);
    const double planes = choice.walk == Walk::column || choice.walk == Walk::warp ? choice.chunk : 1;
    const double waits = planes / choice.unroll + (planes > 1 || shared ? 1 : 0);
    return device.memory_latency_ns *
           (common.reads_a_cell / (part * cells_at_a_time(choice, common.extents, device)) + waits - 1);
}

}  // namespace

bool have_same_axes(const Program& program, const Graph& graph) {
    const FusionMaker maker(graph);
    std::optional<std::vector<AxisId>> axes;
    for (const NodeId node : graph.nodes.ids()) {
        if (!std::holds_alternative<FieldUpdate>(graph.nodes[node].what)) continue;
        const FieldScheduler scheduler(program, graph, maker.of({node.index}));
        if (!scheduler.reason().empty() || scheduler.choice_of_fold(false)) continue;
        if (axes && *axes != scheduler.open().axes()) return false;
        axes = scheduler.open().axes();
    }
    return axes.has_value();
}

double with_under_way(double memory_ns, double under_way_ns) {
    return std::cbrt(std::pow(memory_ns, 3) + std::pow(under_way_ns, 3));
}

double least_under_way_ns(const Program& program, const Graph& graph, const Graph& expanded, const Device& device,
                          const Problem& problem) {
    const FusionMaker maker(graph);
    if (!have_same_axes(program, graph)) return 0;
    std::optional<Common> common;
    StatementCosts costs;
    int cells = 1;  // of a vector, at most
    for (const NodeId node : graph.nodes.ids()) {
        if (!std::holds_alternative<FieldUpdate>(graph.nodes[node].what)) continue;
        const FieldScheduler scheduler(program, graph, maker.of({node.index}));
        if (!scheduler.reason().empty() || scheduler.choice_of_fold(false)) continue;
        const FieldSchedule& schedule = scheduler.open();
        const FieldFacts facts = field_facts(schedule, program, expanded, problem, costs);
        if (facts.reads.empty()) return 0;
        cells = std::max(cells, access_cells(scheduler.work()));
        if (!common) common = Common{schedule.axes(), facts.extents};
        for (const ReadValue& read : facts.reads)
            common->reads_a_cell = std::min(common->reads_a_cell, read.bytes / read.cell);
    }
    if (!common || common->axes.empty()) return 0;
    double least = std::numeric_limits<double>::infinity();
    for (const FieldChoice& choice : field_choices(
             {common->axes.size(), false, cells, true, static_cast<long long>(common->extents.front()), true}))
        least = std::min(least, under_way_ns(choice, *common, device));
    return least;
}

}  // namespace kasc::model
