#include "random/field_plans.hpp"
#include "frontend/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/field_target.hpp"
#include "kernel/check_shared.hpp"
#include "plan/run_ahead.hpp"
#include "random/cover.hpp"
#include "schedule/field/walk/histogram.hpp"
#include "search/legality.hpp"
#include "search/lines.hpp"
#include "search/loop_cells.hpp"

namespace kasc::random {

namespace {

// The words of a cell are calls side by side, of which any few may fuse: of these some are drawn, so that programs with
// cells take a second in place of minutes.
constexpr std::size_t most_fusions = 500, most_fusions_of_words = 12;
// Several steps of a loop behind each other are several times the calls, and of what follows each other all runs fuse.
constexpr std::size_t most_fusions_of_steps = 8;
constexpr int most_shared_bytes = 232448;  // an H100's blocks

std::size_t most_drawn(const Program& program) {
    const bool steps = std::any_of(program.loops.begin(), program.loops.end(), [](const auto& l) { return l.by > 1; });
    const std::size_t most = program.shaped.empty() ? most_fusions : most_fusions_of_words;
    return steps ? std::min(most, most_fusions_of_steps) : most;
}

/// Small blocks: tiny extents then meet every region of every walk.
FieldChoice draw_choice(std::size_t axes, Walks walks, Draw& draw) {
    FieldChoice choice;
    if (axes == 0) {
        choice.threads_x = choice.threads_y = 1;
        return choice;
    }
    choice.walk = draw.of<Walk>({Walk::grid, Walk::grid, Walk::flat, Walk::column, Walk::warp, Walk::warp, Walk::row});
    if (walks == Walks::host) choice.walk = Walk::row;
    if (walks == Walks::device && choice.walk == Walk::row) choice.walk = Walk::grid;
    choice.threads_x = draw.of<int>({1, 2, 3, 4, 5, 8});
    choice.threads_y = axes < 2 ? 1 : draw.of<int>({1, 1, 2, 3});
    if ((axes < 2 || axes > 3) && choice.walk == Walk::flat) choice.walk = Walk::grid;
    if (choice.walk == Walk::flat) {
        choice.threads_y = 1;
        choice.borders = draw.of<Borders>({Borders::cell, Borders::mapped});
        return choice;
    }
    if (choice.walk == Walk::row) return choice;
    if ((axes < 2 || axes > 3) && choice.walk == Walk::warp) choice.walk = Walk::grid;
    if (choice.walk == Walk::warp) {
        choice.threads_x = draw.of<int>({32, 32, 64});
        choice.threads_y = 1;
        choice.vector = draw.of<int>({1, 1, 2, 4});
        choice.chunk = draw.of<int>({1, 2, 3, 5});
        choice.unroll = draw.of<int>({1, 1, 2});
        return choice;
    }
    choice.vector = draw.of<int>({1, 1, 2, 4});
    choice.rows = axes < 2 ? 1 : draw.of<int>({1, 1, 2, 3});
    choice.neighbours = draw.of<Neighbours>({Neighbours::registers, Neighbours::registers, Neighbours::shared});
    choice.borders = draw.of<Borders>({Borders::cell, Borders::cell, Borders::mapped, Borders::uniform});
    if (choice.walk == Walk::grid) {
        choice.threads_z = axes < 3 ? 1 : draw.of<int>({1, 1, 2});
        return choice;
    }
    choice.chunk = draw.of<int>({1, 2, 3, 5});
    choice.unroll = draw.of<int>({1, 1, 2, 3});
    if (draw.percent(25)) choice.neighbours = Neighbours::cache;
    return choice;
}

/// Blocks of 32 threads have words for 512 cells: of some programs too few, so that the alternative runs.
FieldChoice draw_histogram_choice(Draw& draw) {
    FieldChoice choice;
    choice.walk = Walk::histogram;
    choice.threads_x = draw.of<int>({32, 32, 64});
    choice.threads_y = 1;
    choice.vector = draw.of<int>({1, 1, 2, 4, 8});
    choice.chunk = draw.of<int>({1, 2, 3, 5});
    choice.unroll = draw.of<int>({1, 2, 4});
    return choice;
}

/// Draws a choice of few threads: interpreted kernels take long for each.
FieldChoice draw_line_choice(const LineWork& work, Draw& draw) {
    FieldChoice choice;
    choice.walk = Walk::line;
    if (work.columns) {
        choice.threads_x = draw.of<int>({1, 1, column_lanes});
        choice.threads_y = choice.threads_x == 1 ? 1 : draw.of<int>({1, 1, 2, 4});
        choice.threads_z = 32 / choice.threads_x;
        choice.chunk = choice.threads_y > 1    ? column_part_cells / column_lanes
                       : choice.threads_x == 1 ? draw.of<int>({1, 1, 2, 3, 8, 20, 64})
                                               : draw.of<int>({2, 3, 8, 32});
        return choice;
    }
    choice.threads_x = draw.of<int>({1, 2, 8, 16, 32, 32, 32});
    choice.threads_y = choice.threads_x == 32 ? draw.of<int>({1, 1, 2, 4}) : 1;
    choice.threads_z = work.across ? draw.of<int>({1, 2, 4, 8, 16}) : 32 / choice.threads_x;
    choice.threads_z = std::max(choice.threads_z, 32 / choice.threads_x);
    choice.chunk = choice.threads_x < 32 ? draw.of<int>({2, 3, 8, 16}) : draw.of<int>({work.across ? 16 : 1, 16});
    return choice;
}

FieldChoice draw_product_choice(bool two_axes, Draw& draw) {
    FieldChoice choice;
    choice.walk = Walk::product;
    choice.threads_x = two_axes ? draw.of<int>({1, 4, 8, 32}) : 32;
    choice.threads_y = 32 / choice.threads_x;
    choice.vector = draw.of<int>({1, 2, 4, 8});
    choice.rows = two_axes ? draw.of<int>({1, 2, 4}) : 1;
    choice.chunk = draw.of<int>({1, 2, 4, 8, 32});
    return choice;
}

FieldChoice draw_pipeline_choice(std::size_t axes, Draw& draw) {
    FieldChoice choice;
    choice.walk = Walk::pipeline;
    choice.threads_x = draw.of<int>({4, 7, 8, 12, 16, 32});
    choice.threads_y = axes < 3 ? 1 : draw.of<int>({2, 4, 6, 8});
    choice.vector = draw.of<int>({1, 1, 2, 4});
    choice.rows = draw.of<int>({1, 2, 3});
    choice.chunk = draw.of<int>({1, 2, 3, 5});
    choice.unroll = draw.of<int>({1, 1, 2, 3});
    if (choice.vector > 1 && axes == 3) choice.ahead = draw.of<int>({0, 1, 2, 3});
    return choice;
}

FieldChoice draw_loop_choice(bool tiles, Draw& draw) {
    FieldChoice choice;
    choice.walk = Walk::loop;
    tiles = tiles && draw.percent(70);
    choice.threads_x = tiles ? draw.of<int>({4, 8, 32}) : draw.of<int>({1, 3, 4, 8, 32});
    choice.threads_y = tiles ? draw.of<int>({1, 2}) : 1;
    choice.chunk = tiles ? draw.of<int>({2, 4, 8, 32}) : 1;
    choice.unroll = draw.of<int>({1, 2, 4, 16});
    return choice;
}

/// Cells of a thread, lines of a block and threads without cells, as lines of these lengths have them.
std::optional<KernelSchedule> drawn_loop_of_lines(const std::shared_ptr<const LoopWork>& work,
                                                  const std::vector<long long>* lengths, const Program& program,
                                                  Draw& draw) {
    if (lengths == nullptr) return std::nullopt;
    std::vector<int> of_lines;
    for (const AxisId axis : work->line_axes()) of_lines.push_back(static_cast<int>(lengths->at(axis.index)));
    FieldChoice choice = loop_choice(draw.of<int>({1, 2, 3, 8, 32, 64}), draw.of<int>({1, 2, 3}));
    if (draw.percent(50)) choice.threads_x = cells_of(of_lines);
    choice.threads_y = work->lines.beside.empty() ? 1 : draw.of<int>({1, 2, 3, 8});
    auto made = schedule_loop(work, choice, program, of_lines);
    if (!made.value) return std::nullopt;
    return std::move(*made.value);
}

/// Blocks of 256 threads a line have 4096 cells of each in hand, however few there are: they take long to interpret.
FieldChoice draw_scan_choice(const ScanWork& work, bool host, Draw& draw) {
    if (host) return draw.of(scan_choices(work, true));
    const bool one_line = work.cells.plan().cell_rank() == 1;
    FieldChoice choice;
    choice.walk = Walk::scan;
    choice.threads_x = draw.percent(15) ? 256 : one_line ? 1 : draw.of<int>({1, 16});
    choice.threads_y = choice.threads_x == 256  ? (one_line ? 1 : draw.of<int>({1, 2}))
                       : choice.threads_x == 16 ? draw.of<int>({2, 4, 8})
                                                : draw.of<int>({32, 64});
    return choice;
}

/// Plans of one program: one that can be fused in a thousand ways leaves most of them untried.
constexpr std::size_t most_plans = 100;

std::string text_but_for_its_name(kernel::Kernel kernel) {
    kernel.name.clear();
    return print(kernel);
}

bool holds_transform(const Graph& graph, const Fusion& fusion) {
    return std::any_of(fusion.calls.begin(), fusion.calls.end(),
                       [&](NodeId call) { return std::holds_alternative<Transform>(graph.nodes[call].what); });
}

/// The library's transform may compute all other calls as it stores.
bool behind_one_transform(const Program& program, const Graph& graph, const Fusion& fusion) {
    const auto is_transform = [&](NodeId call) { return std::holds_alternative<Transform>(graph.nodes[call].what); };
    const NodeId transform = *std::find_if(fusion.calls.begin(), fusion.calls.end(), is_transform);
    return std::all_of(fusion.calls.begin(), fusion.calls.end(), [&](NodeId call) {
        return call == transform || computed_as_stored(program, graph, transform, call);
    });
}

std::optional<FftSchedule> drawn_fft(const Program& program, const Graph& graph, const Fusion& fusion,
                                     const std::vector<long long>& lengths, Draw& draw) {
    const FftWorkResult work = fft_work(program, graph, fusion);
    if (!work.value) return std::nullopt;
    FieldChoice choice;
    choice.walk = Walk::fft;
    choice.threads_x = draw.of<int>({1, 2, 3, 4, 8});
    choice.threads_y = draw.of<int>({1, 2, 3, 4, 5, 8});
    FftShapes shapes;
    return schedule_fft(work.value, choice, lengths.at(work.value->lines.along.index), program, graph, shapes).value;
}

/// Values whose cells the kernel reads and writes in one array.
std::set<ValueId> updated_in_place(const Program& program, const Graph& graph, const FieldSchedule& field) {
    std::set<ValueId> values;
    for (const NodeId call : field.fusion().calls) {
        const Node& node = graph.nodes[call];
        const FieldStatement& s = std::get<FieldUpdate>(node.what).statement;
        if (updates_some_cells(s) && !reads_what_it_assigns(program, s)) values.insert(node.writes.front());
    }
    for (const Overwrite& over : field.work->overwrites) {
        if (over.verdict) values.insert(over.value);
    }
    // Values that are stored at a cell may lie over another one that dies in the kernel.
    values.insert(field.work->stored_at_cell.begin(), field.work->stored_at_cell.end());
    return values;
}

/// In the order in which a host plan names its kernels.
void collect_kernels(const Program& program, const PlannedGraph& planned,
                     std::map<std::string, PlannedKernel>& kernels) {
    for (const Launch& launch : planned.launches) {
        if (const auto* loop = std::get_if<NodeId>(&launch.what)) {
            collect_kernels(program, *planned.loops.at(*loop), kernels);
            continue;
        }
        PlannedKernel kernel{planned.graph, planned.costed, std::get<std::size_t>(launch.what), {}};
        const auto* transform = std::get_if<TransformSchedule>(&planned.costed->candidates[kernel.candidate].schedule);
        if (transform && !transform->stored) continue;
        if (kernel.loop() != nullptr) {
            for (const WalkedField& field : kernel.loop()->work->walked) kernel.in_place.insert(field.result);
        } else if (kernel.lines() == nullptr && kernel.pipeline() == nullptr && kernel.product() == nullptr &&
                   kernel.transforms() == nullptr && kernel.scan() == nullptr) {
            kernel.in_place = updated_in_place(program, *planned.graph, kernel.schedule());
        }
        kernels.emplace(fmt::format("{}_k{}", program.name, kernels.size()), std::move(kernel));
    }
}

}  // namespace

const FieldSchedule& PlannedKernel::schedule() const {
    const KernelSchedule& all = costed->candidates[candidate].schedule;
    const auto* transform = std::get_if<TransformSchedule>(&all);
    return transform ? *transform->stored : std::get<FieldSchedule>(all);
}

const LineSchedule* PlannedKernel::lines() const {
    return std::get_if<LineSchedule>(&costed->candidates[candidate].schedule);
}

const ProductSchedule* PlannedKernel::product() const {
    return std::get_if<ProductSchedule>(&costed->candidates[candidate].schedule);
}

const PipelineSchedule* PlannedKernel::pipeline() const {
    return std::get_if<PipelineSchedule>(&costed->candidates[candidate].schedule);
}

const FftSchedule* PlannedKernel::transforms() const {
    return std::get_if<FftSchedule>(&costed->candidates[candidate].schedule);
}

const ScanSchedule* PlannedKernel::scan() const {
    return std::get_if<ScanSchedule>(&costed->candidates[candidate].schedule);
}

bool PlannedKernel::has_prologue() const {
    const auto* field = std::get_if<FieldSchedule>(&costed->candidates[candidate].schedule);
    return field != nullptr && !field->work->prologue.empty();
}

const LoopSchedule* PlannedKernel::loop() const {
    return std::get_if<LoopSchedule>(&costed->candidates[candidate].schedule);
}

bool PlannedKernel::folds_across_lines() const {
    const auto* lines = std::get_if<LineSchedule>(&costed->candidates[candidate].schedule);
    return lines != nullptr && lines->work->across.has_value();
}

TestedFieldPlans covering_field_plans(const Program& program, const Graph& graph, const Library& library, Walks walks,
                                      Draw& draw, const std::vector<long long>* lengths) {
    TestedFieldPlans result;
    Cover cover(
        program, graph, library, draw,
        [&](const Graph& of, const Fusion& fusion) -> std::optional<KernelSchedule> {
            if (holds_transform(of, fusion)) {
                if (lengths != nullptr && transforms_lines(program, of, fusion.calls) && draw.percent(80))
                    if (auto made = drawn_fft(program, of, fusion, *lengths, draw)) return std::move(*made);
                if (fusion.calls.size() > 1 && !behind_one_transform(program, of, fusion)) return std::nullopt;
                auto made = schedule_transform(program, of, fusion);
                if (!made.value) return std::nullopt;
                return std::move(*made.value);
            }
            if (loop_among(of, fusion.calls)) {
                const LoopWorkResult work = loop_work(program, of, fusion);
                if (!work.value || (walks == Walks::host && !goes_along_lines(*work.value))) return std::nullopt;
                if (work.value->of_lines()) return drawn_loop_of_lines(work.value, lengths, program, draw);
                const FieldChoice choice = walks == Walks::host ? draw.of(loop_choices(*work.value, true))
                                                                : draw_loop_choice(!work.value->tiles.empty(), draw);
                auto made = schedule_loop(work.value, choice, program);
                if (!made.value) return std::nullopt;
                return std::move(*made.value);
            }
            if (run_along_lines(of, fusion.calls)) {
                const ScanWorkResult work = scan_work(program, of, fusion);
                if (!work.value) return std::nullopt;
                auto made =
                    schedule_scan(work.value, draw_scan_choice(*work.value, walks == Walks::host, draw), program);
                if (!made.value) return std::nullopt;
                return std::move(*made.value);
            }
            const LineCalls calls = find_line_calls(program, of);
            if (folds_chained(calls, fusion.calls) && walks != Walks::host && draw.percent(80)) {
                const ProductWorkResult work = product_work(program, of, fusion);
                if (work.value) {
                    const FieldChoice choice = draw_product_choice(work.value->down.has_value(), draw);
                    auto made = schedule_product(work.value, choice, program, of);
                    if (made.value) return std::move(*made.value);
                }
            }
            if (folds_chained(calls, fusion.calls) && has_lines(calls, fusion.calls)) return std::nullopt;
            if (has_lines(calls, fusion.calls)) {
                if (walks == Walks::host) return std::nullopt;
                const LineWorkResult work = line_work(program, of, fusion);
                if (!work.value) return std::nullopt;
                std::optional<long long> cells;
                if (lengths != nullptr) cells = lengths->at(work.value->along.index);
                auto made = schedule_lines(work.value, draw_line_choice(*work.value, draw), cells, program, of);
                if (!made.value) return std::nullopt;
                return std::move(*made.value);
            }
            if (walks != Walks::host && draw.percent(30)) {
                const PipelineWorkResult work = pipeline_work(program, of, fusion);
                if (work.value) {
                    auto made = schedule_pipeline(work.value, draw_pipeline_choice(work.value->axes.size(), draw),
                                                  program, of, most_shared_bytes);
                    if (made.value) return std::move(*made.value);
                }
            }
            const FieldScheduler scheduler(program, of, fusion);
            FieldChoice drawn = draw_choice(scheduler.axes(), walks, draw);
            // Parts are folded by a power of two of threads, a warp at least.
            if (scheduler.reason().empty() && joins_parts(scheduler.work()) && drawn.walk != Walk::warp)
                drawn.threads_x = draw.of<int>({32, 64, 128}), drawn.threads_y = drawn.threads_z = 1;
            const bool grid = drawn.walk == Walk::grid && drawn.neighbours == Neighbours::registers && drawn.vector > 1;
            if (grid && access_cells(scheduler.work()) == 8 && draw.percent(60)) drawn.vector = 8;
            if (walks != Walks::host && scheduler.reason().empty() && !additions_of(scheduler.work().plan).empty() &&
                draw.percent(70)) {
                if (auto made = scheduler.with(draw_histogram_choice(draw)); made.value) return std::move(*made.value);
            }
            if (walks != Walks::host && scheduler.reason().empty() && scheduler.has_words_of_cells() &&
                draw.percent(60)) {
                FieldChoice staged{Walk::staged, draw.of<int>({1, 2, 3, 4, 8, 32}), 1, 1, 1};
                if (joins_parts(scheduler.work())) staged.threads_x = 32;
                if (auto made = scheduler.with(staged); made.value) return std::move(*made.value);
            }
            const auto groups = drawn.walk != Walk::row && drawn.vector > 1 ? scheduler.groups_of_fold() : std::nullopt;
            auto made = scheduler.with(groups.value_or(drawn));
            FieldChoice other = scheduler.choice_of_fold(drawn.walk == Walk::row).value_or(drawn);
            if (const auto shared_out = scheduler.choices_of_fold(drawn.walk == Walk::row); shared_out.size() > 1)
                other = shared_out[static_cast<std::size_t>(draw.between(0, static_cast<int>(shared_out.size()) - 1))];
            if (drawn.walk != Walk::row &&
                completes_parts(program, of, find_prologue_roles(program, of), fusion.calls) && draw.percent(70)) {
                if (scheduler.axes() == 0) other = cell_by_cell(0);
                other.launch = KernelLaunch::last;
                made.value = std::nullopt;
            }
            if (!groups || !made.value) made = scheduler.with(other);
            if (!made.value) return std::nullopt;
            return std::move(*made.value);
        },
        most_drawn(program));
    std::set<std::string> checked;  // kernels stand in many plans
    for (bool fuse = false; !fuse || (!cover.covered() && result.plans.size() < most_plans); fuse = true) {
        const PlannedGraph planned = cover.next(fuse);
        HostPlan host = build_host_plan(program, library, planned, program.name);
        // Where the walks are a CPU's, the host looks before each iteration.
        if (walks != Walks::host) host = run_ahead(std::move(host), program).plan;
        TestedFieldPlan plan{std::move(host), {}};
        collect_kernels(program, planned, plan.kernels);
        for (const kernel::Lowered& lowered : plan.host.kernels) {
            for (const kernel::Kernel& k : lowered.alternatives) {
                if (const std::string fault = kernel::verify(k); !fault.empty())
                    result.faults.push_back("kernel: " + fault);
                if (!checked.insert(text_but_for_its_name(k)).second) continue;
                for (const std::string& finding : kernel::check_shared(k))
                    result.faults.push_back("shared: " + finding);
            }
        }
        result.plans.push_back(std::move(plan));
    }
    result.fusions = cover.feasible(), result.refused = cover.refused();
    return result;
}

}  // namespace kasc::random
