// Blocks of whole rows, where threads hold their cells: lanes of a team by the teams of a line by the lines of a
// block. Softmax with eight teams a line:
//
//   a_held[k] = a[…]                                              16 cells a thread, 32 apart, all under way together
//   lanes of a thread joined, those of the team exchanged; its first thread leaves largest_parts[team]
//   barrier
//   every team joins the line's parts and spreads the result:    largest[0] of each thread
//   exp(a_held[k] - largest[0]) …                                 the same once more, then the cells
//
// Lines of any length are gone through part by part (loops, schedule/line/block). Of columns a thread that has one
// alone does all that by itself; where eight have one, each leaves its lane in shared memory and joins all of them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/reduction.hpp"
#include "kernel/used_names.hpp"
#include "lower/block.hpp"
#include "lower/field/positions.hpp"
#include "lower/line/cells.hpp"
#include "lower/lower.hpp"

namespace kasc::kernel {

namespace {

class LineKernel : public LineCells {
public:
    using LineCells::LineCells;

    Kernel run(const std::string& kernel_name) {
        Kernel kernel;
        kernel.name = kernel_name;
        kernel.block = block_shape();
        Body opening = place();
        for (const FieldCall* word : words_of(work_)) keep_word(*word);
        if (schedule_.holds_cells())
            for (const ValueId value : again_)
                private_.push_back({PrivateArray{held_name(value), schedule_.choice.chunk, word_register(value)}});
        std::vector<Body> steps;
        if (work_.across) steps.resize(2);
        for (const LinePass& pass : work_.passes) lower(pass, steps);
        if (work_.across) lower_across(steps);
        append(kernel.body, context_->preamble());
        append(kernel.body, std::move(opening));
        append(kernel.body, declare_shared(*schedule_.block, region_names_, region_types_));
        append(kernel.body, std::move(private_));
        append(kernel.body, lower_block(*schedule_.block, std::move(steps)));
        kernel.body = without_unused(std::move(kernel.body));
        kernel.grid = {grid(), integer(1), integer(1)};
        kernel.parameters = context_->parameters();
        kernel.functions = context_->functions();
        kernel.value_names = context_->value_names();
        // Left alone, ptxas (13.0) holds a softmax at 32 registers and takes its loads one by one.
        kernel.min_blocks = least_blocks(schedule_);
        // Cells of a line are counted in 32 bits.
        constexpr long long most_counted = 2147483647 - 1024;
        const auto most = schedule_.most_cells();
        if (most || !work_.further.empty())
            kernel.requirement = Kernel::Requirement{work_.line_axes(), 1, most.value_or(most_counted)};
        if (work_.across) kernel.requirement = {}, kernel.lengths = schedule_.lengths;
        return kernel;
    }

private:
    struct AcrossFold {
        FoldedCall fold;
        const FieldSchedule* cells;
    };
    std::vector<AcrossFold> across_;  ///< in the order of the passes

    void lower(const LinePass& pass, std::vector<Body>& steps) {
        go_on_with(pass.cells);
        for (const FoldedCall& f : folds_of_pass(true)) across_.push_back({f, &pass.cells});
        const std::vector<FoldedCall> folds = folds_of_pass(false);
        Body cells = cells_of_part(pass, folds);
        const bool loops = !schedule_.holds_cells();
        if (folds.empty()) {
            if (loops) steps.push_back({{For{text_of(at()), integer(0), parts(), schedule_.teams(), 0, {}}}});
            steps.push_back({{Threads{std::move(cells)}}});
            if (loops) steps.emplace_back();
            return;
        }
        for (const FoldedCall& f : folds) private_.push_back({PrivateArray{f.exchanged, 2, f.type}});
        if (schedule_.columns())
            lower_columns(pass, folds, std::move(cells), steps);
        else
            lower_rows(pass, folds, std::move(cells), steps);
    }

    /// Around the passes: lanes begin with nothing, and are joined when the block has had all lines of its parts.
    void lower_across(std::vector<Body>& steps) {
        const auto& values = work_.across->values;
        std::sort(across_.begin(), across_.end(), [&](const AcrossFold& a, const AcrossFold& b) {
            const auto place = [&](const AcrossFold& f) {
                return std::find(values.begin(), values.end(), f.fold.call->value);
            };
            return place(a) < place(b);
        });
        std::vector<std::string> names;
        std::vector<Type> types;
        for (const AcrossFold& f : across_) names.push_back(f.fold.lanes), types.push_back(f.fold.type);
        region_names_.insert(region_names_.begin(), names.begin(), names.end());
        region_types_.insert(region_types_.begin(), types.begin(), types.end());
        steps[0] = {{Threads{lanes_begun()}}};
        steps[1] = {{For{text_of(turn()), integer(0), turns(), 1, 0, {}}}};
        steps.emplace_back();
        steps.push_back({{Threads{lanes_joined()}}});
    }
    /// Each thread those that it folds.
    Body lanes_begun() {
        const ExprRef k = name(c().once("cell of thread", "k"));
        const ExprRef own = kernel::add(first_in_row(), multiply(k, integer(schedule_.lanes())));
        Body cell;
        for (int lane = 0; lane < column_lanes; lane += schedule_.lines_of_part())
            for (const AcrossFold& f : across_)
                cell.push_back(
                    {Assign{element(f.fold.lanes, kernel::add(row_of_lane(kernel::add(line(), integer(lane))), own)),
                            FoldFrame::nothing(f.fold)}});
        return {each(k, schedule_.choice.chunk, std::move(cell))};
    }
    /// The lines of a part share its cells.
    Body lanes_joined() {
        const int beside = schedule_.lines_of_part();
        const ExprRef k = name(c().once("cell of thread", "k")), lines = integer(beside);
        const ExprRef cell = name(coordinate(work_.along)), part = name(coordinate(work_.across->parts));
        const ExprRef part_of_block = divide(line(), lines), slot = modulo(line(), lines);
        const ExprRef first = divide(first_across(), integer(column_part_cells));
        Body body{{Let{Type::i32, text_of(part), kernel::add(convert(Type::i32, first), part_of_block)}}}, joined;
        for (const AcrossFold& across : across_) {
            const FoldedCall& f = across.fold;
            go_on_with(*across.cells);
            joined.push_back({RegisterArray{f.sum, column_lanes, f.type}});
            for (int lane = 0; lane < column_lanes; ++lane) {
                const ExprRef row = kernel::add(multiply(part_of_block, integer(column_lanes)), integer(lane));
                joined.push_back(
                    {Assign{element(f.sum, integer(lane)), element(f.lanes, kernel::add(row_of_lane(row), cell))}});
            }
            append(joined, FoldFrame::joined_halves(f, f.sum, column_lanes));
            joined.push_back(stored(f));
        }
        const ExprRef there = both(binary("<", cell, length()), binary("<", part, c().extent(work_.across->parts)));
        Body each_cell{
            {Let{Type::i32, text_of(cell), kernel::add(first_in_row(), multiply(k, integer(schedule_.lanes())))}}};
        append_if(each_cell, there, std::move(joined));
        body.push_back({For{text_of(k), slot, integer(schedule_.choice.chunk), beside, 0, std::move(each_cell)}});
        return body;
    }
    Statement stored(const FoldedCall& f) {
        std::vector<ExprRef> place;
        for (const FieldIndex& index : f.call->target)
            place.push_back(name(c().coordinate(std::get<Moving>(index).axis)));
        return {Assign{element(c().array_out(f.call->value), c().index(f.call->value, place)),
                       part_word(f, element(f.sum, integer(0)))}};
    }

    void lower_columns(const LinePass& pass, const std::vector<FoldedCall>& folds, Body cells,
                       std::vector<Body>& steps) {
        const bool loops = !schedule_.holds_cells(), shared = schedule_.lanes() > 1;
        Body left;
        for (const FoldedCall& f : folds) {
            if (!shared) continue;
            name_region(f.lanes, f.type);
            left.push_back({Assign{element(f.lanes, linear_thread()), element(f.exchanged, integer(0))}});
        }
        go_on_with(*pass.joins);
        const std::vector<FoldedCall> joins = folded_calls(c());
        ColumnJoin join = column_join(*pass.joins, joins, folds);
        if (loops) {
            steps.push_back({{Threads{std::move(join.before)}}});
            steps.push_back({{For{text_of(at()), integer(0), parts(), 1, 0, {}}}});
        }
        steps.push_back({{Threads{std::move(cells)}}});
        if (shared) steps.push_back({{Threads{std::move(left)}}});
        steps.push_back({{Threads{std::move(join.taken)}}});
        if (loops) steps.emplace_back();
        append(join.joined, words_kept(pass, joins));
        steps.push_back({{Threads{std::move(join.joined)}}});
    }

    struct ColumnJoin {
        Body before, taken, joined;  ///< before the loop over parts; of a part, or all; behind the loop
    };
    /// A thread joins the parts of its column, in turn or as they are in shared memory.
    ColumnJoin column_join(const FieldSchedule& part, const std::vector<FoldedCall>& joins,
                           const std::vector<FoldedCall>& folds) {
        const bool loops = !schedule_.holds_cells(), shared = schedule_.lanes() > 1;
        const int most = parts_at_a_time(schedule_);
        const bool alone = most == 1;
        const ExprRef k = alone ? integer(0) : name(c().once("part of column", "k"));
        const ExprRef own = loops ? (schedule_.any_length ? modulo(at(), integer(most)) : at()) : k;
        ColumnJoin made;
        Body each_part;
        for (const FoldedCall& f : folds) {
            if (!shared) {
                c().hold(f.call->value, part_word(f, element(f.exchanged, integer(0))));
                continue;
            }
            const int lanes = schedule_.lanes();
            each_part.push_back({RegisterArray{f.sum, lanes, f.type}});
            for (int lane = 0; lane < lanes; ++lane) {
                const ExprRef row = kernel::add(multiply(k, integer(lanes)), integer(lane));
                const ExprRef word = kernel::add(multiply(row, integer(schedule_.lines())), line());
                each_part.push_back({Assign{element(f.sum, integer(lane)), element(f.lanes, word)}});
            }
            append(each_part, FoldFrame::joined_halves(f, f.sum, lanes));
            c().hold(f.call->value, part_word(f, element(f.sum, integer(0))));
        }
        CellWriter writer(c(), *part.paths.cell, coordinates(c()));
        int halves = 1;
        while (halves < most) halves *= 2;
        const ExprRef count = name(c().once("lanes that join", "joining"));
        const auto start = [&](const FoldedCall& f, const ExprRef& at) {
            return Statement{Assign{element(f.lanes, at), FoldFrame::nothing(f)}};
        };
        if (loops) {
            const ExprRef some = minimum(parts(), integer(most));
            made.joined.push_back({Let{Type::i32, text_of(count), some}});
            Body started;
            for (const FoldedCall& f : joins) started.push_back(start(f, k));
            made.before.push_back({For{text_of(k), integer(0), some, 1, 1, std::move(started)}});
        }
        for (const FoldedCall& f : joins) {
            static_cast<void>(writer.declare(f.type, f.value, writer.folded(*f.call, f.type)));
            private_.push_back({PrivateArray{f.exchanged, 2, f.type}});
            name_region(f.lanes, f.type);
            if (loops) {
                private_.push_back({PrivateArray{f.lanes, most, f.type}});
                append(made.joined, joined_of(f, halves, count));
            } else if (!alone) {
                made.taken.push_back({RegisterArray{f.lanes, halves, f.type}});
                for (int j = 0; j < halves; ++j) made.taken.push_back(start(f, integer(j)));
                append(made.joined, FoldFrame::joined_halves(f, f.lanes, halves));
            }
            const ExprRef sum =
                alone ? FoldFrame::joined(f, FoldFrame::nothing(f), name(f.value)) : element(f.lanes, integer(0));
            // Lanes that no part has change a number alone that is not one.
            const bool cleans = !rounds(f.op) && is_real(f.type);
            const ExprRef clean = cleans ? FoldFrame::joined(f, sum, FoldFrame::nothing(f)) : sum;
            const bool full = loops && schedule_.any_length;
            made.joined.push_back(
                {Assign{element(f.exchanged, integer(1)),
                        full && cleans ? select(binary("<", count, integer(most)), clean, sum) : clean}});
        }
        append(each_part, writer.take_body());
        for (const FoldedCall& f : joins)
            if (!alone)
                each_part.push_back(
                    {Assign{element(f.lanes, own), FoldFrame::joined(f, element(f.lanes, own), name(f.value))}});
        if (loops) {
            append(made.taken, std::move(each_part));
            return made;
        }
        if (alone) {
            append(made.taken, std::move(each_part));
        } else {
            each_part = {{If{binary("<", k, parts()), std::move(each_part), {}}}};
            made.taken.push_back(each(k, schedule_.teams(), std::move(each_part)));
        }
        append(made.taken, std::exchange(made.joined, {}));
        return made;
    }
    /// The lanes of a thread that are there, joined by halves into the first.
    static Body joined_of(const FoldedCall& f, int lanes, const ExprRef& count) {
        Body body;
        const ExprRef j = name("j"), own = element(f.lanes, j);
        for (int half = lanes / 2; half > 0; half /= 2)
            body.push_back(
                {For{text_of(j),
                     integer(0),
                     minimum(subtract(count, integer(half)), integer(half)),
                     1,
                     1,
                     {{Assign{own, FoldFrame::joined(f, own, element(f.lanes, kernel::add(j, integer(half))))}}}}});
        return body;
    }

    void lower_rows(const LinePass& pass, const std::vector<FoldedCall>& folds, Body cells, std::vector<Body>& steps) {
        const bool loops = !schedule_.holds_cells();
        const bool leaves_parts = parts_at_a_time(schedule_) > 1;
        std::vector<std::string> arrays;
        Body left;
        for (const FoldedCall& f : folds) {
            arrays.push_back(c().once(fmt::format("parts in hand {}", f.call->value.index),
                                      variable_name(f.call->value) + (loops ? "_in_hand" : "_of_lines")));
            left.push_back(part_left(f, arrays.back()));
        }
        Statement outer{For{text_of(from()), integer(0), parts(), parts_at_a_time(schedule_), 0, {}}};
        const ExprRef end = minimum(kernel::add(from(), integer(parts_at_a_time(schedule_))), parts());
        Statement inner{For{text_of(at()), from(), end, schedule_.teams(), 0, {}}};
        go_on_with(*pass.joins);
        const std::vector<FoldedCall> joins = folded_calls(c());
        JoinSteps join = join_steps(*pass.joins, joins, folds, arrays);
        if (loops) {
            steps.push_back({{Threads{std::move(join.before)}}});
            steps.push_back({std::move(outer)});
            steps.push_back({std::move(inner)});
        }
        steps.push_back({{Threads{std::move(cells)}}});
        steps.push_back(FoldFrame::exchange_in_warps(folds, Dimension::x, schedule_.lanes()));
        if (leaves_parts) steps.push_back({{Threads{std::move(left)}}});
        if (loops) steps.emplace_back();
        steps.push_back({{Threads{std::move(join.taken)}}});
        if (loops) steps.emplace_back();
        if (loops) steps.push_back({{Threads{std::move(join.joined)}}});
        Body spread = FoldFrame::exchange_in_warps(joins, Dimension::x, leaves_parts ? warp_threads : 1);
        for (const FoldedCall& f : joins)
            spread.push_back(schedule_.lanes() > 1
                                 ? Statement{Exchange{f.exchanged, 1, f.exchanged, 0, 1, 0, schedule_.lanes()}}
                                 : Statement{Threads{{{Assign{element(f.exchanged, integer(1)),
                                                              element(f.exchanged, integer(0))}}}}});
        append(steps.back(), std::move(spread));
        steps.push_back({{Threads{words_kept(pass, joins)}}});
    }

    /// The first thread of the team leaves what it has folded of a part.
    Statement part_left(const FoldedCall& f, const std::string& array) {
        const bool loops = !schedule_.holds_cells();
        const ExprRef part = loops ? kernel::add(at(), team()) : team();
        const ExprRef own = kernel::add(multiply(line(), integer(parts_at_a_time(schedule_))),
                                        loops ? kernel::add(subtract(at(), from()), team()) : team());
        ExprRef there = is_first();
        if (schedule_.teams() > 1) there = both(there, binary("<", part, parts()));
        return {If{there, {{Assign{element(array, own), part_word(f, element(f.exchanged, integer(0)))}}}, {}}};
    }

    struct JoinSteps {
        Body before, taken, joined;  ///< before the loops; behind the parts; behind the loops
    };
    /// Where all parts are there at once, they are joined where they are taken.
    JoinSteps join_steps(const FieldSchedule& part, const std::vector<FoldedCall>& joins,
                         const std::vector<FoldedCall>& folds, const std::vector<std::string>& arrays) {
        const bool loops = !schedule_.holds_cells(), alone = parts_at_a_time(schedule_) == 1;
        constexpr int lanes = joined_lanes / warp_threads;
        const ExprRef k = loops ? name(c().once("lane of thread", "k")) : integer(0);
        const ExprRef in_hand = kernel::add(lane(), multiply(k, integer(warp_threads)));
        for (std::size_t j = 0; j < folds.size(); ++j)
            c().hold(folds[j].call->value,
                     alone ? part_word(folds[j], element(folds[j].exchanged, integer(0)))
                           : element(arrays[j],
                                     kernel::add(multiply(line(), integer(parts_at_a_time(schedule_))), in_hand)));
        CellWriter writer(c(), *part.paths.cell, coordinates(c()));
        JoinSteps made;
        for (const FoldedCall& f : joins) {
            if (loops) private_.push_back({PrivateArray{f.lanes, lanes, f.type}});
            private_.push_back({PrivateArray{f.exchanged, 2, f.type}});
            Body& start = loops ? made.before : made.taken;
            if (!loops) start.push_back({RegisterArray{f.lanes, lanes, f.type}});
            for (int j = 0; j < lanes; ++j)
                start.push_back({Assign{element(f.lanes, integer(j)), FoldFrame::nothing(f)}});
            static_cast<void>(writer.declare(f.type, f.value, writer.folded(*f.call, f.type)));
            append(made.joined, FoldFrame::joined_halves(f, f.lanes, lanes));
            made.joined.push_back({Assign{element(f.exchanged, integer(0)), element(f.lanes, integer(0))}});
        }
        Body values = writer.take_body();
        for (const FoldedCall& f : joins)
            values.push_back({Assign{element(f.lanes, k), FoldFrame::joined(f, element(f.lanes, k), name(f.value))}});
        if (alone) {
            append(made.taken, std::move(values));
        } else {
            const ExprRef in_line = loops ? kernel::add(from(), in_hand) : in_hand;
            Body each_part{{Let{Type::i32, coordinate(work_.parts), in_line}}};
            each_part.push_back({If{binary("<", name(coordinate(work_.parts)), parts()), std::move(values), {}}});
            if (loops)
                made.taken.push_back(each(k, lanes, std::move(each_part)));
            else
                append(made.taken, std::move(each_part));
        }
        if (!loops) append(made.taken, std::move(made.joined));
        name_regions(folds, arrays, joins);
        return made;
    }
    /// In the order of the block program's.
    void name_regions(const std::vector<FoldedCall>& folds, const std::vector<std::string>& arrays,
                      const std::vector<FoldedCall>& joins) {
        std::set<ValueId> named;  // two joins may be of the same parts
        for (const FoldedCall& join : joins) {
            for (std::size_t j = 0; j < folds.size() && parts_at_a_time(schedule_) > 1; ++j)
                if (join.call->reads.front().value == folds[j].call->value && named.insert(folds[j].call->value).second)
                    name_region(arrays[j], word_type(c().cell_type(folds[j].call->value)));
            if (!schedule_.holds_cells()) name_region(join.lanes, join.type);
            name_region(join.exchanged, join.type);
        }
    }

    /// Each thread keeps its line's words; the first thread of the line stores those that are results.
    Body words_kept(const LinePass& pass, const std::vector<FoldedCall>& joins) {
        Body body, own, stores;
        place_line(body);
        for (const FoldedCall& f : joins) keep(own, stores, *f.call, part_word(f, element(f.exchanged, integer(1))));
        if (pass.words) {
            for (const auto& [call, value] : words_made(own, *pass.words)) keep(own, stores, *call, value);
        }
        for (const auto& [value, word] : words_) c().hold(value, element(word, integer(0)));
        if (!stores.empty()) {
            ExprRef first = is_first();
            if (schedule_.teams() > 1) first = both(first, binary("==", team(), integer(0)));
            append_if(own, first, std::move(stores));
        }
        append_if(body, is_line(), std::move(own));
        return body;
    }
    void keep(Body& body, Body& stores, const FieldCall& call, const ExprRef& value) {
        const ExprRef own = keep_result(body, stores, call, value);
        if (const auto word = words_.find(call.value); word != words_.end())
            body.push_back({Assign{element(word->second, integer(0)), own}});
    }
};

Kernel lowered(const LineSchedule& schedule, const Program& program, const Graph& graph,
               const std::string& kernel_name) {
    Kernel made = LineKernel(schedule, program, graph).run(kernel_name);
    for (const NodeId call : schedule.fusion().calls) made.comment.push_back(node_text(graph, program, call));
    for (const LinePass& pass : schedule.work->passes) {
        add_position_checks(made.positions, pass.cells.plan(), program, std::nullopt);
        if (pass.words) add_position_checks(made.positions, pass.words->plan(), program, std::nullopt);
    }
    return made;
}

}  // namespace

}  // namespace kasc::kernel

namespace kasc {

kernel::Lowered lower_lines(const LineSchedule& schedule, const std::optional<LineSchedule>& longer,
                            const Program& program, const Graph& graph, const std::string& kernel_name) {
    kernel::Lowered made{{kernel::lowered(schedule, program, graph, kernel_name)}};
    if (longer) made.alternatives.push_back(kernel::lowered(*longer, program, graph, kernel_name + "_long"));
    return made;
}

}  // namespace kasc
