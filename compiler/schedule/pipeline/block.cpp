// What a block does, plane by plane:
//
//   copy       rings are cleared: cells at the rim of the block look beyond it, at what nobody needs
//   copy       the first planes are fetched, those of each iteration by a step
//   loop
//     copy     planes that were asked for in the iteration before, into queues; the next ones are asked for
//     copy     or fetched, some iterations ahead
//     compute  a stage, from rings and queues     of each stage, the one behind the first
//     move     planes that others will look at, from queues into rings
//   end                                           barrier
//
// Over two axes it is known which thread has which words: thread t the cells t, t + threads, … of a line. What lies a
// whole number of blocks beside a cell is the thread's own, 8 cells of a block of 8 threads with three rows: where
// nothing else is read beside a cell, there is nothing to wait for. Of threads with cells side by side it is not looked
// at.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <numeric>

#include "schedule/pipeline/schedule.hpp"
#include "schedule/registers.hpp"

namespace kasc {

namespace {

using namespace block;

constexpr int most_threads_of_pipeline = 1024;

using Words = std::shared_ptr<const AddressSet>;

/// Over two axes: thread t has word `first` + t, and of each such word those at `offsets`. Null: over more axes nobody
/// looks at its own.
Words words_of_line(const PipelineSchedule& schedule, int first, std::vector<std::int32_t> offsets) {
    if (schedule.work->tiled() != 1 || schedule.choice.vector > 1) return nullptr;
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    AddressSet set;
    set.start.resize(static_cast<std::size_t>(schedule.threads()));
    std::iota(set.start.begin(), set.start.end(), first);
    set.offsets = std::move(offsets);
    return std::make_shared<const AddressSet>(std::move(set));
}

/// The copies of a ring are cleared as one: thread t has its words t, t + threads, …
Words words_cleared(const PipelineSchedule& schedule, int words, int copy) {
    const int threads = schedule.threads();
    std::vector<std::int32_t> offsets;
    for (int first = 0; first < words + threads; first += threads) offsets.push_back(first);
    return words_of_line(schedule, -(copy * words % threads), std::move(offsets));
}

/// Words of a thread's rows, so many steps beside each.
Words words_beside(const PipelineSchedule& schedule, const KeptPlanes& kept, const std::vector<int>& steps) {
    std::vector<std::int32_t> offsets;
    for (int row = 0; row < schedule.choice.rows; ++row)
        for (const int step : steps) offsets.push_back(row * schedule.threads() + step);
    return words_of_line(schedule, schedule.layout(kept).first_cell(), std::move(offsets));
}

/// What is read of a ring. Null: where a face maps what is read it may be any cell.
Words words_looked_at(const PipelineSchedule& schedule, const KeptPlanes& looked_at) {
    const PipelineWork& work = *schedule.work;
    if (work.tiled() != 1 || schedule.choice.vector > 1) return nullptr;
    std::vector<int> steps;
    for (const PipelineStage& stage : work.stages)
        for (const FieldCall& call : stage.cells.plan().calls)
            for (const FieldRead& read : call.reads) {
                const KeptPlanes* kept = work.find(read.value);
                if (kept != &looked_at || !moves_everywhere(read.indices)) continue;
                for (const FieldIndex& index : read.indices) {
                    const auto& [axis, step] = std::get<Moving>(index);
                    if (axis != 0 || step == 0) continue;
                    if (may_cross_face(work, stage, read.value, 0, step)) return nullptr;
                    steps.push_back(step);
                }
            }
    return words_beside(schedule, looked_at, steps);
}

/// What a block holds of each value: its queue, and behind that its ring, if it has one.
std::vector<Region> regions_of(const PipelineSchedule& schedule, const Program& program, const Graph& graph) {
    std::vector<Region> regions;
    for (std::size_t k = 0; k < schedule.work->kept.size(); ++k) {
        const KeptPlanes& kept = schedule.work->kept[k];
        const Variable& variable = program.variables[graph.values[kept.value].variable];
        const auto bytes = static_cast<int>(cell_bytes(std::get<FieldShape>(variable.shape).type));
        const int copies = schedule.all_copies()[k];
        regions.push_back({variable.name + "_queue", Residence::registers,
                           schedule.queue(kept).count() * schedule.cells_of_thread(), 1, bytes});
        if (copies > 0)
            regions.push_back({variable.name + "_ring", Residence::shared, schedule.layout(kept).words(), copies, bytes,
                               fmt::format("{} planes of the block with its halo", copies)});
    }
    return regions;
}

/// Without its barriers. Requires: the schedule's block has its regions.
BlockProgram planes_of(const PipelineSchedule& schedule) {
    const PipelineWork& work = *schedule.work;
    BlockProgram made = *schedule.block;
    Step load{StepKind::copy, "planes", "the next planes", "loaded"};
    Step leave{StepKind::move, "rings", "planes for others", "left"};
    std::vector<Touch> looked_at;
    Step clear{StepKind::copy, "rings", "the start of rings", "cleared"};
    Step next{StepKind::copy, "next planes", "the fetched planes", "fetched"};
    next.asynchronous = true;
    std::vector<Step> first(static_cast<std::size_t>(schedule.choice.ahead), next);
    for (Step& step : first) step.label = "first planes", step.actor = "the first planes";
    std::size_t region = 0;
    for (const KeptPlanes& kept : work.kept) {
        const QueuedPlanes queue = schedule.queue(kept);
        const std::size_t ring = ++region;
        if (schedule.copies(kept) == 0) continue;
        ++region;
        const auto [cells, copies] = std::pair{made.regions[ring].words, made.regions[ring].copies};
        for (int copy = 0; copy < copies; ++copy)
            clear.touches.push_back({ring, copy, true, words_cleared(schedule, cells, copy), {}, cells});
        const Words read = words_looked_at(schedule, kept);
        if (schedule.is_fetched(kept)) {
            for (int plane = 0; plane < schedule.choice.ahead; ++plane)
                first[static_cast<std::size_t>(plane)].touches.push_back({ring, plane, true, nullptr, {}, cells});
            next.touches.push_back({ring, schedule.choice.ahead, true, nullptr, {}, cells});
            // What has no queue stages read in the ring.
            if (queue.count() > 0)
                load.touches.push_back({ring, (copies - queue.first) % copies, false, nullptr, {}, cells});
        } else {
            leave.touches.push_back({ring, 0, true, words_beside(schedule, kept, {0}), {}, cells});
        }
        const int oldest = schedule.oldest_turn(kept);
        for (int turns = schedule.is_fetched(kept) ? 0 : 1; turns <= oldest; ++turns)
            looked_at.push_back({ring, (copies - turns) % copies, false, read, {}, cells});
    }
    const bool fetches = !next.touches.empty();
    made.steps.push_back(std::move(clear));
    if (fetches) std::move(first.begin(), first.end(), std::back_inserter(made.steps));
    made.steps.push_back({StepKind::loop_begin, "", "", "", {}, false, schedule.iterations()});
    made.steps.push_back(std::move(load));
    if (fetches) made.steps.push_back(std::move(next));
    Step compute{StepKind::compute, "stages", "the stages", "computed"};
    compute.touches = std::move(looked_at);
    made.steps.push_back(std::move(compute));
    made.steps.push_back(std::move(leave));
    made.steps.push_back({StepKind::loop_end});
    return made;
}

/// Queues of stencils of one cell hold three planes: in so many iterations of the loop no word moves.
constexpr int usual_unroll = 3, most_unroll = 8;

/// As many iterations as the longest queue has planes.
int unrolled(const PipelineWork& work) {
    int longest = usual_unroll;
    for (const KeptPlanes& kept : work.kept) longest = std::max(longest, kept.queue);
    return longest <= most_unroll ? longest : usual_unroll;
}

FieldChoice pipeline_of(int x, int y, int vector, int rows, int chunk) {
    FieldChoice choice;
    choice.unroll = usual_unroll;
    choice.walk = Walk::pipeline;
    choice.threads_x = x, choice.threads_y = y, choice.vector = vector, choice.rows = rows, choice.chunk = chunk;
    return choice;
}

/// Cells of a thread have a bit each in one word.
constexpr int most_cells_of_thread = 32;

/// Fewer bytes a cell are loaded and unpacked: of those that a stage makes anew, 14 to 400 words spilled (ptxas 13.0).
constexpr int least_made_bytes = 4;

std::string fault_of_vectors(const PipelineSchedule& s, const Program& program, const Graph& graph) {
    const int vector = s.choice.vector;
    const auto is_narrow = [&](ValueId value) {
        const auto& shape = std::get<FieldShape>(program.variables[graph.values[value].variable].shape);
        return cell_bytes(shape.type) < least_made_bytes;
    };
    const auto& outputs = s.work->fusion.outputs;
    const auto& kept = s.work->kept;
    if (vector > 1 && (std::any_of(outputs.begin(), outputs.end(), is_narrow) ||
                       std::any_of(kept.begin(), kept.end(), [&](const KeptPlanes& k) {
                           return is_narrow(k.value) && (!k.loaded || s.work->tiled() == 1);
                       })))
        return "threads have several cells of a row where fields have at least 32 bits a cell, but for those that are "
               "read alone over three axes";
    if (vector != 1 && vector != 2 && vector != 4) return "a thread has 1, 2 or 4 cells of a row side by side";
    if (s.cells_of_thread() > most_cells_of_thread)
        return fmt::format("a thread has at most {} cells of a plane", most_cells_of_thread);
    return {};
}

/// Bytes that are on their way to L2 for all blocks of a multiprocessor, in whole planes, one at least. On an H100 with
/// one block of 24 KB a plane, 13 points, 512³, one plane takes 0.84 of the time that eight take: L2 does not hold them
/// until they are read. Of 12 blocks of 512 B, heat in two dimensions, eight take 0.83 of the time without.
constexpr int bytes_sent_for = 40960, most_planes_sent_for = 8;
/// Planes that are fetched while one is computed: where there is room, and where a plan says so.
constexpr int usual_planes_ahead = 3, most_planes_ahead = 8;
/// Shared memory of a multiprocessor, registers of a thread besides its planes: for a rough count.
constexpr int all_shared_bytes = 232448, registers_besides = 40;

/// What the planes of a block take, by a rough count.
struct Room {
    int registers = registers_besides;       ///< of a thread
    int shared_bytes = 0, loaded_bytes = 0;  ///< of rings; of a plane of each value that is loaded
    int resident = 1;                        ///< blocks that a multiprocessor has
};
Room room_of(const PipelineSchedule& schedule, const Program& program, const Graph& graph) {
    Room room;
    const std::vector<int>& copies = schedule.all_copies();
    for (std::size_t k = 0; k < copies.size(); ++k) {
        const KeptPlanes& kept = schedule.work->kept[k];
        const auto& shape = std::get<FieldShape>(program.variables[graph.values[kept.value].variable].shape);
        const auto word = static_cast<int>(cell_bytes(shape.type));
        room.registers += schedule.queue(kept).count() * schedule.cells_of_thread() * kept.word_registers;
        room.shared_bytes += copies[k] * schedule.layout(kept).words() * word;
        if (kept.loaded) room.loaded_bytes += schedule.layout(kept).cells() * word;
    }
    room.resident = std::max(1, std::min(registers_of_multiprocessor / (room.registers * schedule.threads()),
                                         all_shared_bytes / std::max(1, room.shared_bytes)));
    return room;
}

/// Registers that a thread needs besides its planes at least.
constexpr int least_registers_besides = 24;

std::string fault_of_room(const PipelineSchedule& schedule, const Program& program, const Graph& graph) {
    const int planes = room_of(schedule, program, graph).registers - registers_besides;
    const int has = schedule.most_registers();
    if (planes + least_registers_besides <= has) return {};
    return fmt::format("the planes of a thread take {} registers, and it has {}", planes, has);
}

/// As many as leave a multiprocessor the blocks that it has with one.
int planes_ahead(PipelineSchedule schedule, int most_shared_bytes, const Program& program, const Graph& graph) {
    schedule.fetch_ahead(1);
    if (!schedule.fetches()) return 1;
    const int resident = room_of(schedule, program, graph).resident;
    int most = 1;
    for (int ahead = 2; ahead <= usual_planes_ahead; ++ahead) {
        schedule.fetch_ahead(ahead);
        const Room room = room_of(schedule, program, graph);
        if (room.shared_bytes <= most_shared_bytes && room.resident >= resident) most = ahead;
    }
    return most;
}

int planes_sent_for(const PipelineSchedule& schedule, const Program& program, const Graph& graph) {
    if (schedule.choice.vector == 1 || schedule.choice.ahead > 1) return 0;
    const Room room = room_of(schedule, program, graph);
    if (room.loaded_bytes == 0) return 0;
    return std::clamp(bytes_sent_for / (room.resident * room.loaded_bytes), 1, most_planes_sent_for);
}

std::string fault_of_numbers(const FieldChoice& c) {
    FieldChoice plain = pipeline_of(c.threads_x, c.threads_y, c.vector, c.rows, c.chunk);
    plain.unroll = c.unroll, plain.ahead = c.ahead;
    if (c != plain || c.threads_x < 1 || c.threads_y < 1 || c.rows < 1 || c.chunk < 1 || c.unroll < 1 ||
        c.unroll > most_unroll)
        return "a pipeline has threads along the axes of its planes, cells of a row and rows of a thread, and a chunk "
               "of "
               "planes: pipeline 64x8 vector 1 rows 4 chunk 128";
    return {};
}

std::string fault_of_shape(const PipelineSchedule& s, const Program& program, const Graph& graph) {
    const FieldChoice& c = s.choice;
    if (s.work->tiled() == 1 && c.threads_y != 1) return "a pipeline over two axes is one row of threads";
    if (s.threads() > most_threads_of_pipeline)
        return fmt::format("a block has at most {} threads", most_threads_of_pipeline);
    for (std::size_t axis = 0; axis < s.work->tiled(); ++axis)
        if (s.own(axis) < 1)
            return fmt::format("the halo of a block is {} cells on either side, it has {}", s.halo(axis),
                               s.cells(axis));
    for (const KeptPlanes& kept : s.work->kept)
        if (s.is_fetched(kept) && s.work->tiled() > 1 && s.layout(kept).columns / s.fetched_together() > s.threads())
            return "a row of the block is more vectors than it has threads";
    if (c.ahead > most_planes_ahead || (c.ahead > 1 && !s.fetches()))
        return fmt::format("{} planes are fetched ahead at most, 1 where threads load into registers",
                           most_planes_ahead);
    return fault_of_vectors(s, program, graph);
}

}  // namespace

PipelineScheduler::PipelineScheduler(std::shared_ptr<const PipelineWork> work, const Program& program,
                                     const Graph& graph, int most_shared_bytes)
    : work_(std::move(work)), program_(program), graph_(graph), most_shared_bytes_(most_shared_bytes) {}

PipelineScheduleResult PipelineScheduler::open(const FieldChoice& choice) {
    if (std::string fault = fault_of_numbers(choice); !fault.empty()) return {std::nullopt, std::move(fault)};
    PipelineScheduleResult made = open_shape(shape_of(choice));
    if (made.value) made.value->choice.chunk = choice.chunk, made.value->choice.unroll = choice.unroll;
    return made;
}

PipelineScheduleResult PipelineScheduler::with(const FieldChoice& choice) {
    if (std::string fault = fault_of_numbers(choice); !fault.empty()) return {std::nullopt, std::move(fault)};
    const auto [at, added] = by_shape_.try_emplace(shape_of(choice));
    if (added) at->second = with_shape(choice);
    PipelineScheduleResult made = at->second;
    if (!made.value || added) return made;
    PipelineSchedule& schedule = *made.value;
    schedule.choice.chunk = choice.chunk;
    schedule.choice.unroll = choice.unroll;
    schedule.block = std::make_shared<const BlockProgram>(with_iterations(*schedule.block, schedule.iterations()));
    return made;
}

const PipelineScheduleResult& PipelineScheduler::open_shape(const FieldChoice& shape) {
    const auto [at, added] = opened_.try_emplace(shape);
    if (!added) return at->second;
    PipelineScheduleResult& made = at->second;
    PipelineSchedule schedule(work_, shape);
    made.reason = fault_of_shape(schedule, program_, graph_);
    if (made.reason.empty()) made.reason = fault_of_room(schedule, program_, graph_);
    if (!made.reason.empty()) return made;
    if (shape.ahead == 0) schedule.fetch_ahead(planes_ahead(schedule, most_shared_bytes_, program_, graph_));
    BlockProgram held;
    held.regions = regions_of(schedule, program_, graph_);
    if (shared_bytes(held) > most_shared_bytes_) {
        made.reason =
            fmt::format("the planes of a block take more than {} KB of shared memory", most_shared_bytes_ / 1024);
        return made;
    }
    schedule.planes_sent_for = planes_sent_for(schedule, program_, graph_);
    schedule.block = std::make_shared<const BlockProgram>(std::move(held));
    made.value = std::move(schedule);
    return made;
}

PipelineScheduleResult PipelineScheduler::with_shape(const FieldChoice& choice) {
    PipelineScheduleResult made = open(choice);
    if (made.value) made.value->block = with_barriers(planes_of(*made.value));
    return made;
}

std::shared_ptr<const BlockProgram> PipelineScheduler::with_barriers(BlockProgram block) {
    for (const auto& known : blocks_)
        if (differ_in_sizes(*known, block)) {
            block.barriers = known->barriers;
            return std::make_shared<const BlockProgram>(std::move(block));
        }
    return blocks_.emplace_back(std::make_shared<const BlockProgram>(block::with_barriers(std::move(block))));
}

PipelineScheduleResult schedule_pipeline(std::shared_ptr<const PipelineWork> work, const FieldChoice& choice,
                                         const Program& program, const Graph& graph, int most_shared_bytes) {
    return PipelineScheduler(std::move(work), program, graph, most_shared_bytes).with(choice);
}

/// The threads of a block with so many own cells, its halo besides.
std::array<int, 4> with_halo(const PipelineWork& work, int x, int y, int vector, int rows) {
    const auto threads = [](int own, int halo, int of_thread) {
        return own / of_thread + 2 * ((halo + of_thread - 1) / of_thread);
    };
    return {threads(x, work.computed[0], vector), (y + 2 * work.computed[1] + rows - 1) / rows, vector, rows};
}

std::vector<FieldChoice> pipeline_choices(const PipelineWork& work) {
    std::vector<FieldChoice> all;
    const auto add = [&](std::initializer_list<std::array<int, 4>> shapes, std::initializer_list<int> chunks) {
        for (const int chunk : chunks)
            for (const auto& [x, y, vector, rows] : shapes) {
                all.push_back(pipeline_of(x, y, vector, rows, chunk));
                if (vector > 1) all.back().unroll = unrolled(work);
            }
    };
    if (work.axes.size() == 2) {
        add({{128, 1, 1, 2}, {128, 1, 1, 4}, {256, 1, 1, 2}, {256, 1, 1, 4}, {512, 1, 1, 2}}, {64, 128, 256, 512});
        add({{32, 1, 4, 1}, {32, 1, 2, 1}}, {128, 256, 512, 1024});
    }
    if (work.axes.size() == 3) {
        add({{32, 8, 1, 2}, {32, 8, 1, 4}, {32, 16, 1, 4}, {64, 4, 1, 4}, {64, 8, 1, 4}, {64, 16, 1, 2}},
            {32, 64, 128, 256, 512});
        add({{16, 16, 4, 2}, {16, 24, 4, 2}, {16, 32, 4, 1}, {32, 16, 2, 2}, {32, 24, 2, 1}}, {64, 128, 256, 512});
        // A power of two of own cells along each axis, which grids often have a multiple of.
        constexpr std::array<std::array<int, 4>, 6> own{
            {{64, 32, 4, 2}, {64, 32, 2, 4}, {96, 16, 4, 2}, {64, 16, 4, 1}, {32, 32, 4, 2}, {32, 32, 2, 2}}};
        for (const auto& [x, y, vector, rows] : own) add({with_halo(work, x, y, vector, rows)}, {64, 128, 256, 512});
    }
    return all;
}

FieldChoice shape_of(FieldChoice choice) {
    choice.chunk = 1;
    choice.unroll = 1;
    return choice;
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
                            value_name(graph, program, kept.value), extent(kept.extent), schedule.queue(kept).count(),
                            schedule.copies(kept), kept.delay);
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
