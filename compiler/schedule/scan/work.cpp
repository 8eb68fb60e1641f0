// Finds the lines that a running sum has, and how blocks may share them out.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "schedule/scan/schedule.hpp"
#include "search/set_rules.hpp"

namespace kasc {

namespace {

constexpr int most_scan_threads = 1024;
/// Bytes of a block, so that a multiprocessor of compute capability 8.0 holds two.
constexpr int most_scan_bytes = 80 * 1024;

FieldChoice scan_choice(int threads_of_line, int lines) {
    FieldChoice choice;
    choice.walk = Walk::scan;
    choice.threads_x = threads_of_line, choice.threads_y = lines;
    return choice;
}

/// Empty: none.
std::string scan_fault(const ScanWork& work, const FieldChoice& c) {
    constexpr std::array<int, 3> of_line{1, running_base, running_base * running_base};
    if (c != scan_choice(c.threads_x, c.threads_y) ||
        std::find(of_line.begin(), of_line.end(), c.threads_x) == of_line.end() || c.threads_y < 1)
        return "the blocks of a running sum have 1, 16 or 256 threads a line, and some lines: scan 256x1";
    const int threads = c.threads_x * c.threads_y;
    if (threads > most_scan_threads || threads % warp_threads != 0 || (threads & (threads - 1)) != 0)
        return fmt::format("the blocks of a running sum have a power of two of threads, from {} to {}", warp_threads,
                           most_scan_threads);
    return work.cells.plan().cell_rank() == 1 && c.threads_y > 1 && c.threads_x > 1 ? "there is one line: scan 256x1"
                                                                                    : "";
}

}  // namespace

int ScanSchedule::joined_levels() const {
    int levels = 0;
    for (int threads = threads_of_line(); threads > 1; threads /= running_base) ++levels;
    return levels;
}

int scanned_bytes(const ScanWork& work, const Program& program) {
    const FieldStatement& statement = *work.call().statement;
    const CellType type = field_shape(program, statement.target).type;
    if (is_integer(type)) return is_long(type) || computes_long(program, statement) ? 8 : 4;
    return statement.precision == Precision::dual ? 8 : 4;
}

int accumulator_bytes(const ScanWork& work, const Program& program) {
    const bool integers = is_integer(field_shape(program, work.call().statement->target).type);
    const FoldOperator op = work.running().op;
    const bool wide = integers ? op == FoldOperator::sum : rounds(op);
    return wide ? 8 : scanned_bytes(work, program);
}

bool runs_along_lines(const Graph& graph, NodeId call) {
    const auto* update = std::get_if<FieldUpdate>(&graph.nodes[call].what);
    if (update == nullptr) return false;
    const FieldStatement& s = update->statement;
    return s.running || (s.fold && s.fold->pieces);
}

bool run_along_lines(const Graph& graph, const std::vector<NodeId>& calls) {
    return std::any_of(calls.begin(), calls.end(), [&](NodeId call) { return runs_along_lines(graph, call); });
}

bool ScanWork::is_stored() const {
    return std::find(fusion.outputs.begin(), fusion.outputs.end(), call().value) != fusion.outputs.end();
}

namespace {

/// The schedule, and what is right at any cell.
struct SingleCells {
    std::optional<FieldSchedule> schedule;
    std::shared_ptr<const CellProgram> cell;
    std::string reason;
};
SingleCells single_cells(const Program& program, const Graph& graph, const Fusion& fusion) {
    const FieldScheduler scheduler(program, graph, fusion);
    if (!scheduler.reason().empty()) return {std::nullopt, nullptr, scheduler.reason()};
    const auto of_fold = scheduler.choice_of_fold(false);
    FieldScheduleResult made = scheduler.with(of_fold ? *of_fold : cell_by_cell(scheduler.axes()));
    if (!made.value) return {std::nullopt, nullptr, made.reason};
    const FieldWork& work = *made.value->work;
    const bool anywhere = work.edges || work.margin > 0;
    auto cell = anywhere ? work.edge : made.value->paths.cell;
    return {std::move(made.value), std::move(cell), {}};
}

/// Some of it is computed at another cell than the thread's.
bool reads_beside(const FieldSchedule& points, ValueId sums) {
    return std::any_of(points.work->loads.begin(), points.work->loads.end(), [&](const ValueAt& load) {
        return load.value == sums &&
               std::any_of(load.offset.begin(), load.offset.end(), [](int step) { return step != 0; });
    });
}

}  // namespace

ScanWorkResult scan_work(const Program& program, const Graph& graph, const Fusion& fusion) {
    std::vector<std::uint32_t> along, others;
    for (const NodeId call : fusion.calls) (runs_along_lines(graph, call) ? along : others).push_back(call.index);
    if (along.size() != 1) return {nullptr, "a kernel sums up along lines once"};
    const FusionMaker maker(graph);
    SingleCells cells = single_cells(program, graph, maker.of(along));
    if (!cells.schedule) return {nullptr, std::move(cells.reason)};
    auto work = std::make_shared<ScanWork>();
    work->fusion = fusion;
    work->cells = std::move(*cells.schedule);
    work->cell = std::move(cells.cell);
    const FieldStatement& statement = *work->call().statement;
    const Running& running = work->running();
    work->part = statement.fold      ? ScanWork::Part::sums
                 : running.of_pieces ? ScanWork::Part::carries
                 : running.carries   ? ScanWork::Part::cells
                                     : ScanWork::Part::lines;
    const std::vector<AxisId>& axes = work->cells.axes();
    work->along = static_cast<std::size_t>(std::find(axes.begin(), axes.end(), running.axis) - axes.begin());
    work->lies_along = statement.fold ? !statement.fold->side_by_side : work->along == 0;
    if (!others.empty()) {
        SingleCells points = single_cells(program, graph, maker.of(others));
        if (!points.schedule) return {nullptr, std::move(points.reason)};
        if (points.schedule->axes() != axes) return {nullptr, "its cells lie in another order"};
        if (reads_beside(*points.schedule, work->call().value))
            return {nullptr, "sums of other cells are there when the kernel ends"};
        work->points = std::move(points.schedule);
        work->point = std::move(points.cell);
    }
    return {std::move(work), {}};
}

ScanScheduleResult schedule_scan(std::shared_ptr<const ScanWork> work, const FieldChoice& choice,
                                 const Program& program) {
    if (std::string fault = scan_fault(*work, choice); !fault.empty()) return {std::nullopt, std::move(fault)};
    ScanSchedule schedule{std::move(work), choice, nullptr};
    block::BlockProgram block = scan_block(schedule, program);
    if (const int bytes = block::shared_bytes(block); bytes > most_scan_bytes)
        return {std::nullopt, fmt::format("it takes {} bytes of shared memory", bytes)};
    schedule.block = std::make_shared<const block::BlockProgram>(std::move(block));
    return {std::move(schedule), {}};
}

/// Left alone, ptxas takes 48 registers for rows and lets loads wait for each other: 8192², 256 threads a row, 0.178
/// ms, with this bound 0.146; with 32 registers 0.142, which cells that are computed have no room in (H200). With fewer
/// threads a row it is left alone: rows of 64 took 0.51 ms with the bound (H100), 0.22 without (H200).
int least_blocks(const ScanSchedule& schedule) {
    constexpr int resident_threads = 1280, most_loads = 6;
    const ScanWork& work = *schedule.work;
    std::size_t loads = work.cells.work->loads.size();
    if (work.points) loads += work.points->work->loads.size();
    const bool dual = work.call().statement->precision == Precision::dual;
    const bool whole_pieces = schedule.step_cells() == running_piece;
    if (!work.lies_along || !whole_pieces || dual || loads > most_loads) return 0;
    return std::max(1, resident_threads / schedule.threads());
}

std::vector<FieldChoice> scan_choices(const ScanWork& work, bool cpu) {
    // A core goes through lines by itself: some at a time, whose cells lie beside each other.
    if (cpu) return {scan_choice(1, 32)};
    std::vector<std::array<int, 2>> shapes{{256, 1}, {256, 2}, {256, 4}, {16, 4}, {16, 8},
                                           {16, 16}, {16, 32}, {1, 32},  {1, 64}, {1, 128}};
    if (!work.lies_along) shapes.insert(shapes.end(), {{16, 64}, {1, 256}});
    std::vector<FieldChoice> all;
    for (const auto& [threads, lines] : shapes) all.push_back(scan_choice(threads, lines));
    return all;
}

std::string print(const ScanSchedule& schedule, const Program& program, const Graph& graph) {
    const ScanWork& work = *schedule.work;
    std::string text = fmt::format("scan along {}{}: {}\n", work.running().backward ? "-" : "",
                                   program.axes[work.running().axis].name, print(Choice{schedule.choice}));
    for (const block::Region& region : schedule.block->regions)
        text += fmt::format("  {} in shared memory, {} words: {}\n", region.name, region.words, region.what);
    text += fmt::format("    evaluate {}\n", node_text(graph, program, work.call().node));
    for (const BarrierDecision& b : schedule.block->barriers)
        text += fmt::format("  {} before step {}: {}\n", b.needed ? "barrier" : "no barrier", b.before, b.reason);
    return text;
}

}  // namespace kasc
