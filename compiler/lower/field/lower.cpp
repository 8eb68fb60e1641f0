// A field schedule becomes a kernel in three steps: the calls resolved against the kernel's axes (field_plan), the walk
// of the threads with a body for each path (field_walk_*), and around it the parameters that the bodies asked for.
// The prologue stands in front of the walk, riders between them, and behind it what the last block goes on with.
#include <fmt/format.h>

#include <algorithm>
#include <list>

#include "frontend/expression_parts.hpp"
#include "lower/field/fold.hpp"
#include "lower/field/last_block.hpp"
#include "lower/field/positions.hpp"
#include "lower/field/prologue.hpp"
#include "lower/field/rider.hpp"
#include "lower/field/span.hpp"
#include "lower/lower.hpp"
#include "schedule/field/calls_functions.hpp"
#include "schedule/field/walk/pieces.hpp"

namespace kasc {

namespace {

using namespace kernel;

/// The last block of a plane counts on beyond its cells.
constexpr std::int64_t most_flat_cells = 2147483647 - 1024;

Walked walk(FieldContext& context) {
    if (folds_both_ways(context.schedule.plan())) return walk_fold_tile(context);
    if (fold_of(*context.schedule.work) != nullptr) {
        if (context.schedule.choice.walk == Walk::row) return walk_fold_rows(context);
        return context.schedule.choice.vector > 1 ? walk_fold_groups(context) : walk_fold(context);
    }
    if (adds_in_pieces(context.plan)) return walk_pieces(context);
    if (context.rank() == 0) return walk_single(context);
    switch (context.schedule.choice.walk) {
        case Walk::grid:
            return walk_grid(context);
        case Walk::flat:
            return walk_flat(context);
        case Walk::column:
            return walk_column(context);
        case Walk::warp:
            return walk_warp(context);
        case Walk::row:
            return walk_row(context);
        case Walk::stored:
            return walk_stored(context);
        case Walk::histogram:
            return walk_histogram(context);
        case Walk::staged:
            return walk_staged(context);
        case Walk::product:
        case Walk::fft:
        case Walk::line:  // lower/line
        case Walk::pipeline:
        case Walk::loop:
        case Walk::scan:
            break;
    }
    return walk_grid(context);
}

/// Left alone, ptxas (13.0) holds kernels that call a function of double at 48 registers and spills; with a bound on
/// the blocks of a multiprocessor, any, it takes the 62 that they need. Others would take more than they need.
bool calls_functions_of_double(const FieldPlan& plan) {
    return std::any_of(plan.calls.begin(), plan.calls.end(), [](const FieldCall& call) {
        return call.statement->precision == Precision::dual && calls_functions(*call.statement->value);
    });
}

/// The same of quotients beside cells that are folded: held at 32 registers, they took 40.
bool divides_beside_folds(const FieldPlan& plan) {
    if (folds_of(plan).empty()) return false;
    return std::any_of(plan.calls.begin(), plan.calls.end(), [](const FieldCall& call) {
        return any_part(*call.statement->value, [](const Expression& part) {
            const auto* operation = std::get_if<BinaryOperation>(&part.node);
            return operation != nullptr && operation->op == BinaryOperator::divide && part.kind != ScalarKind::integer;
        });
    });
}

/// All of a multiprocessor's threads have 32 registers, half of them 64.
constexpr int registers_of_all = 32, resident_threads = 1024, registers_of_half = 64;

/// A second block has room where a thread takes what is counted and a twentieth more, and ptxas may not know: left
/// alone it loads what stencils of many words read one behind the other, and takes up to half as many registers again.
/// Two blocks of 256 threads, 128 registers each, in place of one of 134 to 180: elastic waves in two dimensions 0.80
/// of the time, Burgers' equation 0.63, of 16 programs 15 take 0.63 to 1.00 (H200). Told of three blocks or more of
/// fewer threads it takes more registers than by itself as often as fewer: 0.87 to 1.14.
bool two_have_room(int threads, int registers) {
    constexpr int of_multiprocessor = 65536, of_thread = of_multiprocessor / 512, many = 88;
    return threads == 256 && registers >= many && registers * 21 / 20 <= of_thread;
}
/// With a function at each of 25 neighbours it keeps to 128 registers by itself; told of two blocks it spills.
constexpr int most_functions_of_two = 8;
int functions_called(const FieldPlan& plan) {
    int count = 0;
    for (const FieldCall& call : plan.calls) count += functions_called(*call.statement->value);
    return count;
}

/// Groups of cells and their sums: 80 registers.
constexpr int blocks_of_folded_groups = 3;

/// Most words of a folded cell for which four blocks are asked for: the fields that it reads, and two for each
/// accumulator. Four cells have 64 registers.
constexpr std::size_t most_words_of_four_blocks = 9;

/// Each thread a lane of one of many columns, and no cell that takes long.
bool folds_a_column(const FieldSchedule& schedule) {
    const Fold* fold = fold_of(*schedule.work);
    return fold != nullptr && fold->parts && threads_of(*fold, schedule.choice).lanes_each == 1 &&
           !schedule.work->edges && cells_ahead(*schedule.work) > 1;
}

/// Blocks of a multiprocessor, by which ptxas (13.0) is told how many registers it may take; 0: it is left alone.
/// `registers`: what the model says that a thread takes; 0: nobody asked it.
int least_blocks(const FieldSchedule& schedule, int registers) {
    const FieldPlan& plan = schedule.plan();
    const std::size_t folds = folds_of(plan).size();
    // 128 registers, of which a product of a matrix and its transpose with vectors takes 116. Left alone it takes 157
    // for the tiles at the end of the grid.
    if (folds_both_ways(plan)) return 2;
    if (calls_functions_of_double(plan) || divides_beside_folds(plan)) return 1;
    if (folds > 0 && schedule.choice.vector > 1) return blocks_of_folded_groups;
    // Left alone it takes 74 registers for four cells of seven words at the edge, and three blocks are too few to hide
    // what waits for memory: a step of conjugate gradients 0.88 ms, with four blocks 0.68 (H100, 512^3).
    if (folds > 0 && schedule.work->edges && schedule.work->loads.size() + 2 * folds <= most_words_of_four_blocks)
        return 4;
    // Left alone it has one word of a join under way, for 2048 threads that are not there: its blocks are few.
    if (const Fold* fold = fold_of(*schedule.work); fold && groups_ahead(*fold, schedule.choice, *schedule.work) > 1)
        return 1;
    // Cells of a column, eight at a time: 40 registers, to which it keeps, are those of four. A matrix that is computed
    // of five vectors and another one, stored and summed up by columns: 0.74 in place of 0.88 ms (H100, 16384^2).
    if (folds_a_column(schedule)) return 4;
    // Left alone it loads the groups of a grid one behind the other and takes 40 registers where 64 leave half of a
    // multiprocessor's threads, with all that they read under way: 13 points, 252 in place of 230 GCell/s (H100,
    // 512^3).
    const FieldChoice& c = schedule.choice;
    const bool groups = folds == 0 && c.walk == Walk::grid && c.vector > 1 && reads_neighbours(*schedule.work);
    const int threads = c.threads_x * c.threads_y * c.threads_z;
    const bool fits = registers > registers_of_all && registers <= registers_of_half;
    if (groups && fits) return std::max(1, resident_threads / threads);
    const bool cells = folds == 0 && (c.walk == Walk::grid || c.walk == Walk::column || c.walk == Walk::flat);
    return cells && two_have_room(threads, registers) && functions_called(plan) <= most_functions_of_two ? 2 : 0;
}

Kernel lower_one(const FieldSchedule& schedule, const Program& program, const Graph& graph,
                 const std::string& kernel_name, const std::map<ValueId, ValueId>& overwritten,
                 const std::vector<Rider>& riders, const std::vector<Rider>& completed, int registers,
                 const std::set<ValueId>& padded) {
    const FieldPlan& plan = schedule.plan();
    FieldContext context(schedule, program, graph, overwritten);
    context.pad_rows(padded, padded_row_multiple);
    hold_prologue(context);
    Walked walked = walk(context);
    Kernel kernel;
    kernel.name = kernel_name;
    for (const NodeId call : schedule.fusion().calls) kernel.comment.push_back(node_text(graph, program, call));
    kernel.block = walked.block;
    kernel.grid = walked.grid;
    kernel.body = context.preamble();
    std::list<PrologueContext> of_prologue;
    kernel::append(kernel.body, prologue_body(context, walked, of_prologue));
    const FieldContext& opened = of_prologue.empty() ? context : of_prologue.back().context;
    for (const PrologueCall& call : schedule.work->prologue)
        add_position_checks(kernel.positions, call.work->plan, program, std::nullopt);
    kernel.parameters = opened.parameters();
    add_position_checks(kernel.positions, plan, program, std::nullopt);
    std::list<FieldContext> contexts;
    for (const Rider& rider : riders) {
        const FieldContext& before = contexts.empty() ? opened : contexts.back();
        FieldContext& own = contexts.emplace_back(before, rider);
        const FieldPlan& carried = rider.schedule.plan();
        for (const FieldCall& call : carried.calls) {
            const char* of = rider.former ? ", which the former iteration left" : "";
            kernel.comment.push_back(fmt::format("and {}{}", node_text(graph, program, call.node), of));
        }
        kernel.body.push_back({Comment{"the first blocks: " + node_text(graph, program, carried.calls.front().node)}});
        kernel::append(kernel.body, rider_body(own, walked));
        kernel.parameters = own.parameters();
        add_position_checks(kernel.positions, carried, program, rider.former);
    }
    kernel::append(kernel.body, std::move(walked.body));
    std::list<FieldContext> of_last_block;
    const FieldContext& carried = contexts.empty() ? opened : contexts.back();
    if (!completed.empty()) add_last_block(kernel, carried, walked, completed, of_last_block);
    const FieldContext& all = of_last_block.empty() ? carried : of_last_block.back();
    if (walked.at_store) {
        kernel.at_store = std::move(walked.at_store);
        Body& cell = kernel.at_store->cell;
        cell.insert(cell.begin(), context.preamble().begin(), context.preamble().end());
    }
    kernel.functions = all.functions();
    kernel.value_names = all.value_names();
    kernel.min_blocks = least_blocks(schedule, registers);
    if (riders.empty() && completed.empty() && !kernel.at_store && schedule.work->prologue.empty())
        set_span(kernel, context, walked.along);
    if (schedule.choice.vector > 1)
        kernel.requirement = Kernel::Requirement{{plan.axes[0]}, schedule.choice.vector, {}};
    if (schedule.choice.walk == Walk::flat)
        kernel.requirement = Kernel::Requirement{{plan.axes[0], plan.axes[1]}, 1, most_flat_cells};
    if (schedule.choice.walk == Walk::histogram && !adds_in_pieces(plan))
        kernel.requirement = histogram_requirement(schedule, program);
    return kernel;
}

}  // namespace

kernel::Lowered lower_field(const FieldAlternatives& schedules, const Program& program, const Graph& graph,
                            const std::string& kernel_name, const std::map<ValueId, ValueId>& overwritten,
                            const std::vector<Rider>& riders, const std::vector<Rider>& completed) {
    Lowered lowered;
    lowered.alternatives.push_back(lower_one(schedules.schedule, program, graph, kernel_name, overwritten, riders,
                                             completed, riders.empty() ? schedules.registers : 0, schedules.padded));
    if (schedules.otherwise)
        lowered.alternatives.push_back(lower_one(*schedules.otherwise, program, graph, kernel_name + schedules.suffix,
                                                 overwritten, riders, completed, 0, schedules.padded));
    return lowered;
}

}  // namespace kasc
