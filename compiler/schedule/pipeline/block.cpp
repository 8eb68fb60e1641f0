// What a block does, plane by plane:
//
//   copy       rings are cleared: cells at the rim of the block look beyond it, at what nobody needs
//   loop
//     copy     planes that were asked for in the iteration before, into queues; the next ones are asked for
//     compute  a stage, from rings and queues     of each stage, the one behind the first
//     move     planes that others will look at, from queues into rings
//   end                                           barrier
//
// Over two axes it is known which thread has which words: thread t the cells t, t + threads, … of a line. What lies a
// whole number of blocks beside a cell is the thread's own, 8 cells of a block of 8 threads with three rows: where
// nothing else is read beside a cell, there is nothing to wait for.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/pipeline/schedule.hpp"

namespace kasc {

namespace {

using namespace block;

constexpr int most_threads_of_pipeline = 1024;

using Words = std::shared_ptr<const AddressSet>;

/// Over two axes: thread t has word `first` + t, and of each such word those at `offsets`. Null: over more axes nobody
/// looks at its own.
Words words_of_line(const PipelineSchedule& schedule, int first, std::vector<std::int32_t> offsets) {
    if (schedule.work->tiled() != 1) return nullptr;
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    AddressSet set;
    for (int thread = 0; thread < schedule.threads(); ++thread) set.start.push_back(first + thread);
    set.offsets = std::move(offsets);
    return std::make_shared<const AddressSet>(std::move(set));
}

/// The copies of a ring are cleared as one: thread t has its words t, t + threads, …
Words words_cleared(const PipelineSchedule& schedule, int copy) {
    const int threads = schedule.threads(), words = schedule.plane_words();
    std::vector<std::int32_t> offsets;
    for (int first = 0; first < words + threads; first += threads) offsets.push_back(first);
    return words_of_line(schedule, -(copy * words % threads), std::move(offsets));
}

/// Words of a thread's rows, so many steps beside each.
Words words_beside(const PipelineSchedule& schedule, const std::vector<int>& steps) {
    std::vector<std::int32_t> offsets;
    for (int row = 0; row < schedule.choice.rows; ++row)
        for (const int step : steps) offsets.push_back(row * schedule.threads() + step);
    return words_of_line(schedule, schedule.margin_words(), std::move(offsets));
}

/// What is read of a ring. Null: where a face maps what is read it may be any cell.
Words words_looked_at(const PipelineSchedule& schedule, ValueId value) {
    const PipelineWork& work = *schedule.work;
    if (work.tiled() != 1) return nullptr;
    std::vector<int> steps;
    for (const PipelineStage& stage : work.stages)
        for (const FieldCall& call : stage.cells.plan().calls)
            for (const FieldRead& read : call.reads) {
                const KeptPlanes* kept = work.find(read.value);
                if (kept == nullptr || kept->value != value || !moves_everywhere(read.indices)) continue;
                for (const FieldIndex& index : read.indices) {
                    const auto& [axis, step] = std::get<Moving>(index);
                    if (axis != 0 || step == 0) continue;
                    if (may_cross_face(work, stage, read.value, 0, step)) return nullptr;
                    steps.push_back(step);
                }
            }
    return words_beside(schedule, steps);
}

/// Without its barriers.
BlockProgram planes_of(const PipelineSchedule& schedule, const Program& program, const Graph& graph) {
    const PipelineWork& work = *schedule.work;
    BlockProgram made;
    Step load{StepKind::copy, "planes", "the next planes", "loaded"};
    Step leave{StepKind::move, "rings", "planes for others", "left"};
    std::vector<Touch> looked_at;
    const int cells = schedule.plane_words(), of_thread = schedule.choice.rows;
    const Words left = words_beside(schedule, {0});
    std::vector<Words> cleared;
    for (int copy = 0; copy < work.ring_copies; ++copy) cleared.push_back(words_cleared(schedule, copy));
    Step clear{StepKind::copy, "rings", "the start of rings", "cleared"};
    for (const KeptPlanes& kept : work.kept) {
        const Variable& variable = program.variables[graph.values[kept.value].variable];
        const auto bytes = static_cast<int>(cell_bytes(std::get<FieldShape>(variable.shape).type));
        made.regions.push_back({variable.name + "_queue", Residence::registers, kept.queue * of_thread, 1, bytes});
        if (kept.copies == 0) continue;
        const std::size_t ring = made.regions.size();
        made.regions.push_back({variable.name + "_ring", Residence::shared, cells, work.ring_copies, bytes,
                                fmt::format("{} planes of the block with its halo", work.ring_copies)});
        leave.touches.push_back({ring, 0, true, left, {}, cells});
        for (int copy = 0; copy < work.ring_copies; ++copy)
            clear.touches.push_back({ring, copy, true, cleared[static_cast<std::size_t>(copy)], {}, cells});
        const Words read = words_looked_at(schedule, kept.value);
        for (int copy = 1; copy < kept.copies; ++copy)
            looked_at.push_back({ring, work.ring_copies - copy, false, read, {}, cells});
    }
    made.steps.push_back(std::move(clear));
    made.steps.push_back({StepKind::loop_begin, "", "", "", {}, false, schedule.iterations()});
    made.steps.push_back(std::move(load));
    Step compute{StepKind::compute, "stages", "the stages", "computed"};
    compute.touches = std::move(looked_at);
    made.steps.push_back(std::move(compute));
    made.steps.push_back(std::move(leave));
    made.steps.push_back({StepKind::loop_end});
    return made;
}

/// Queues of stencils of one cell hold three planes: in so many iterations of the loop no word moves.
constexpr int usual_unroll = 3;

FieldChoice pipeline_of(int x, int y, int rows, int chunk) {
    FieldChoice choice;
    choice.unroll = usual_unroll;
    choice.walk = Walk::pipeline;
    choice.threads_x = x, choice.threads_y = y, choice.rows = rows, choice.chunk = chunk;
    return choice;
}

std::string fault_of_pipeline(const PipelineSchedule& s) {
    const FieldChoice& c = s.choice;
    FieldChoice plain = pipeline_of(c.threads_x, c.threads_y, c.rows, c.chunk);
    plain.unroll = c.unroll;
    if (c != plain || c.threads_x < 1 || c.threads_y < 1 || c.rows < 1 || c.chunk < 1 || c.unroll < 1 || c.unroll > 8)
        return "a pipeline has threads along the axes of its planes, rows of a thread, and a chunk of planes: pipeline "
               "64x8 rows 4 chunk 128";
    if (s.work->tiled() == 1 && c.threads_y != 1) return "a pipeline over two axes is one row of threads";
    if (s.threads() > most_threads_of_pipeline)
        return fmt::format("a block has at most {} threads", most_threads_of_pipeline);
    for (std::size_t axis = 0; axis < s.work->tiled(); ++axis)
        if (s.own(axis) < 1)
            return fmt::format("the halo of a block is {} cells on either side, it has {}", s.work->halo[axis],
                               s.cells(axis));
    return {};
}

}  // namespace

int PipelineSchedule::cells(std::size_t axis) const {
    if (work->tiled() == 1) return choice.threads_x * choice.rows;
    return axis == 0 ? choice.threads_x : choice.threads_y * choice.rows;
}

int PipelineSchedule::plane_cells() const {
    int all = 1;
    for (std::size_t axis = 0; axis < work->tiled(); ++axis) all *= cells(axis);
    return all;
}

int PipelineSchedule::margin_words() const {
    int words = 0;
    for (std::size_t axis = work->tiled(); axis-- > 0;) words = words * cells(0) + work->beside[axis];
    return words;
}

PipelineScheduleResult schedule_pipeline(std::shared_ptr<const PipelineWork> work, const FieldChoice& choice,
                                         const Program& program, const Graph& graph, int most_shared_bytes,
                                         const PipelineSchedule* alike) {
    PipelineSchedule schedule{std::move(work), choice, {}};
    if (std::string fault = fault_of_pipeline(schedule); !fault.empty()) return {std::nullopt, std::move(fault)};
    BlockProgram block =
        alike != nullptr ? with_iterations(*alike->block, schedule.iterations()) : planes_of(schedule, program, graph);
    if (shared_bytes(block) > most_shared_bytes)
        return {std::nullopt,
                fmt::format("the planes of a block take more than {} KB of shared memory", most_shared_bytes / 1024)};
    if (alike == nullptr) block = with_barriers(std::move(block));
    schedule.block = std::make_shared<const BlockProgram>(std::move(block));
    return {std::move(schedule), {}};
}

std::vector<FieldChoice> pipeline_choices(std::size_t axes) {
    std::vector<FieldChoice> all;
    if (axes == 2)
        for (const int chunk : {64, 128, 256, 512})
            for (const auto& [threads, rows] : {std::pair{128, 2}, {128, 4}, {256, 2}, {256, 4}, {512, 2}})
                all.push_back(pipeline_of(threads, 1, rows, chunk));
    if (axes == 3)
        for (const int chunk : {32, 64, 128, 256, 512})
            for (const auto& [x, y, rows] :
                 {std::tuple{32, 8, 2}, {32, 8, 4}, {32, 16, 4}, {64, 4, 4}, {64, 8, 4}, {64, 16, 2}})
                all.push_back(pipeline_of(x, y, rows, chunk));
    return all;
}

std::string print(const PipelineSchedule& schedule, const Program& program, const Graph& graph) {
    const PipelineWork& work = *schedule.work;
    std::string text =
        fmt::format("pipeline along {}: {}\n", program.axes[work.axes.back()].name, print(Choice{schedule.choice}));
    const auto extent = [](const PipelineExtent& e) {
        std::string halo;
        for (const int cells : e.halo) halo += fmt::format("{}{}", halo.empty() ? "" : "x", cells);
        return fmt::format("{} planes behind, halo {}, planes -{} +{}", e.lag, halo, e.planes_before, e.planes_behind);
    };
    for (const KeptPlanes& kept : work.kept)
        text += fmt::format("  {} {}: {}; registers {}, shared {} from age {}\n", kept.loaded ? "load" : "keep",
                            value_name(graph, program, kept.value), extent(kept.extent), kept.queue, kept.copies,
                            kept.delay);
    for (std::size_t k = 0; k < work.stages.size(); ++k) {
        const PipelineStage& stage = work.stages[k];
        text += fmt::format("  stage {}: {}\n", k, extent(stage.extent));
        for (const NodeId call : stage.cells.fusion().calls)
            text += fmt::format("    evaluate {}\n", node_text(graph, program, call));
        for (const FieldStore& store : stage.cells.work->stores)
            if (std::binary_search(work.fusion.outputs.begin(), work.fusion.outputs.end(), store.value))
                text += fmt::format("    store {}\n", value_name(graph, program, store.value));
    }
    for (const BarrierDecision& b : schedule.block->barriers)
        text += fmt::format("  {} before step {}: {}\n", b.needed ? "barrier" : "no barrier", b.before, b.reason);
    return text;
}

}  // namespace kasc
