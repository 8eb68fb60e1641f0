// Planes one behind the other. Two steps of a stencil of one cell:
//
//   for p from the first plane that is needed to the last
//     T_queue moves on; T_queue[0] = what was asked for; plane p + 1 is asked for
//     stage 0: v at plane p - 1, of T_queue (z - 1 … z + 1) and of T_ring beside the cell;  v_queue[0] = v
//     stage 1: w at plane p - 2, of v_queue and v_ring, stored where the cell is the block's own
//     T_ring, v_ring: the planes that others look at next
//     barrier
//
// Cells of the halo beyond the grid compute what nobody reads: they stand at the nearest cell of the grid, or where it
// goes round, at the one that is there.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "kernel/used_names.hpp"
#include "lower/block.hpp"
#include "lower/field/positions.hpp"
#include "lower/field/span.hpp"
#include "lower/lower.hpp"
#include "lower/pipeline/frame.hpp"
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

namespace {

/// Cells that a plane in memory has at most: they are counted in 32 bits.
constexpr std::int64_t most_plane_cells = 2147483647;

class PipelineKernel : public PipelineFrame {
public:
    using PipelineFrame::PipelineFrame;

    Kernel run(const std::string& kernel_name) {
        Kernel kernel;
        kernel.name = kernel_name;
        kernel.block = {schedule_.choice.threads_x, schedule_.choice.threads_y, 1};
        kernel.grid = {integer(1), integer(1), integer(1)};
        Body opening = place(kernel.grid);
        std::vector<Body> steps;
        steps.push_back({{Threads{cleared()}}});
        const ExprRef begin = subtract(first(walk()), integer(work_.planes_before)),
                      end = add(last(), integer(work_.planes_behind));
        const int unroll = schedule_.choice.unroll > 1 ? schedule_.choice.unroll : 0;
        steps.push_back({{For{text_of(plane_), begin, end, 1, unroll, {}}}});
        Body load = slots();  // which the whole iteration knows
        load.push_back({Threads{each_row(loads())}});
        steps.push_back(std::move(load));
        Body stages;
        for (const PipelineStage& stage : work_.stages) append(stages, lowered(stage));
        steps.push_back({{Threads{std::move(stages)}}});
        steps.push_back({{Threads{each_row(left())}}});
        steps.emplace_back();
        append(kernel.body, context_->preamble());
        append(kernel.body, std::move(opening));
        append(kernel.body, rings());
        append(kernel.body, std::move(arrays_));
        Body own;
        for (const Mask& m : masks_) own.push_back({Assign{element(m.array, integer(0)), integer(0)}});
        append(own, each_row(start()));
        for (const Mask& m : masks_) {
            const ExprRef bits = element(m.array, integer(0));
            own.push_back({Assign{bits, math_call(whole_function::kept, {bits})}});
        }
        kernel.body.push_back({Threads{std::move(own)}});
        append(kernel.body, lower_block(*schedule_.block, std::move(steps)));
        kernel.body = without_unused(std::move(kernel.body));
        kernel.parameters = context_->parameters();
        kernel.functions = context_->functions();
        kernel.value_names = context_->value_names();
        kernel.span = span();
        return kernel;
    }

private:
    [[nodiscard]] std::optional<BlockSpan> span() const {
        std::vector<const FieldPlan*> plans;
        for (const PipelineStage& stage : work_.stages) plans.push_back(&stage.cells.plan());
        // What is loaded for a later stage follows by its lag from the first plane on; one plane is asked for ahead.
        int lag = 0;
        for (const KeptPlanes& kept : work_.kept) lag = std::max(lag, kept.extent.lag);
        const int reach = work_.planes_before + work_.planes_behind + lag + 1 + planes_beside();
        if (work_.around.back()) return std::nullopt;
        const TouchedArrays touched =
            touched_arrays(plans, work_.axes.size() - 1, program_, graph_, [](ValueId value) { return value; });
        BlockSpan span;
        span.along = walk(), span.axis = work_.axes.back();
        span.cells = integer(schedule_.choice.chunk), span.blocks = integer(1);
        span.reach = reach;
        for (const ValueId value : touched.near) {
            const bool placed = std::any_of(touched.placed.begin(), touched.placed.end(),
                                            [&](const PlacedArray& array) { return array.value == value; });
            if (!placed) span.near.push_back(value);
        }
        if (span.near.empty()) return std::nullopt;
        return span;
    }

    /// How far from its plane, along the walk, a stage reads what is not in its rings and queues.
    [[nodiscard]] int planes_beside() const {
        int farthest = 0;
        const auto look = [&](const FieldRead& read) {
            const auto* moving = read.indices.empty() ? nullptr : std::get_if<Moving>(&read.indices.back());
            const bool at_cells = std::all_of(read.indices.begin(), read.indices.end(), [](const FieldIndex& index) {
                return std::holds_alternative<Moving>(index);
            });
            if (moving && !(at_cells && work_.find(read.value))) farthest = std::max(farthest, std::abs(moving->step));
        };
        for (const PipelineStage& stage : work_.stages)
            for (const FieldCall& call : stage.cells.plan().calls)
                for (const FieldRead& read : call.reads) look(read);
        return farthest;
    }

    // --- what is kept ---

    Body rings() {
        std::vector<std::string> names;
        std::vector<Type> types;
        for (const KeptPlanes& kept : work_.kept) {
            names.push_back(queue_name(kept.value));
            types.push_back(type_of(kept.value));
            if (kept.copies == 0) continue;
            names.push_back(ring_name(kept.value));
            types.push_back(word_type(context_->cell_type(kept.value)));
        }
        return declare_shared(*schedule_.block, names, types);
    }

    /// Block level: where in a ring the planes are that it holds.
    Body slots() {
        Body body;
        const int copies = work_.ring_copies;
        const ExprRef turn = add(subtract(plane_, first(walk())), integer(work_.planes_before));
        for (int copy = 0; copy < copies; ++copy) {
            const ExprRef number = copies > 1 ? modulo(add(turn, integer(copies - copy)), integer(copies)) : integer(0);
            body.push_back(
                {Let{Type::i32, text_of(slot(copy)),
                     add(multiply(number, integer(schedule_.plane_words())), integer(schedule_.margin_words()))}});
        }
        return body;
    }

    /// Rings are as if zeros had been computed before.
    Body cleared() {
        Body body;
        const ExprRef word = named("word of ring", "w");
        for (const KeptPlanes& kept : work_.kept)
            if (kept.copies > 0)
                body.push_back({Assign{element(ring_name(kept.value), word), context_->zero(kept.value)}});
        return {{For{text_of(word), linear_thread(), integer(std::int64_t{work_.ring_copies} * schedule_.plane_words()),
                     schedule_.threads(), 0, std::move(body)}}};
    }

    /// Before the first plane: nothing is in the queues, the first planes are asked for.
    Body start() {
        Body body;
        declared_.clear();
        ExprRef place = name(context_->coordinate(std::size_t{0}));
        if (wide_) place = wide(place);
        if (walk() > 1) {
            const ExprRef y = name(context_->coordinate(1));
            place = add(multiply(wide_ ? wide(y) : y, context_->extent(std::size_t{0})), place);
        }
        body.push_back({Assign{in_plane(), place}});
        for (const Mask& m : masks_) {
            const ExprRef bits = element(m.array, integer(0));
            const ExprRef bit = select(m.condition, binary("<<", integer(1), row_), integer(0));
            body.push_back({Assign{bits, binary("|", bits, bit)}});
        }
        for (const KeptPlanes& kept : work_.kept) {
            for (int age = 0; age < kept.queue; ++age)
                body.push_back({Assign{queued(kept.value, age), context_->zero(kept.value)}});
            if (!kept.loaded) continue;
            const ExprRef from = subtract(first(walk()), integer(work_.planes_before + kept.extent.lag));
            const ExprRef word = word_of_plane(kept, from, body);
            body.push_back({Assign{element(ahead_name(kept.value), row_), word}});
        }
        return body;
    }

    Body loads() {
        Body body;
        declared_.clear();
        arrays_.push_back(
            {PrivateArray{context_->once("in plane", "in_plane"), rows(), wide_ ? Type::i64 : Type::i32}});
        for (const KeptPlanes& kept : work_.kept) {
            arrays_.push_back({PrivateArray{queue_name(kept.value), kept.queue * rows(), type_of(kept.value)}});
            if (kept.loaded) arrays_.push_back({PrivateArray{ahead_name(kept.value), rows(), type_of(kept.value)}});
            for (int age = kept.queue - 1; age > 0; --age)
                body.push_back({Assign{queued(kept.value, age), queued(kept.value, age - 1)}});
            if (!kept.loaded) continue;
            body.push_back({Assign{queued(kept.value, 0), element(ahead_name(kept.value), row_)}});
            const ExprRef next = add(plane_, integer(1 - kept.extent.lag));
            const ExprRef word = word_of_plane(kept, next, body);
            body.push_back({Assign{element(ahead_name(kept.value), row_), word}});
        }
        return body;
    }

    Body left() {
        Body body;
        for (const KeptPlanes& kept : work_.kept)
            if (kept.copies > 0)
                body.push_back(
                    {Assign{element(ring_name(kept.value), add(slot(0), cell())), queued(kept.value, kept.delay)}});
        return body;
    }

    // --- stages ---

    /// Where a call assigns its target: outside of the layers that it keeps. `body`: the stage's, at its plane.
    ExprRef assigned(const PipelineStage& stage, const FieldCall& call, Body& body) {
        const std::vector<AxisId>& axes = context_->shape(call.value).axes;
        ExprRef rows, plane;
        std::string key = "assigned";
        for (std::size_t k = call.target.size(); k-- > 0;) {
            const std::size_t axis = std::get<Moving>(call.target[k]).axis;
            const auto [low, high] = call.kept[k];
            const ExprRef here = within(name(context_->coordinate(axis)), low, high, context_->extent(axes[k]));
            if (axis == walk())
                plane = here;
            else
                rows = both(rows, here);
            key += fmt::format(" {} {} {}", axis, low, high);
        }
        if (!rows) return plane;
        const ExprRef bits = mask(key, "is_inside", rows);
        const std::string now = context_->once(key + fmt::format(" of stage {}", number_of(stage)), "inside");
        if (declared_.insert(now).second)
            body.push_back({Let{Type::i32, now, plane ? select(plane, bits, integer(0)) : bits}});
        return has_bit(name(now));
    }

    Body lowered(const PipelineStage& stage) {
        go_on_with(stage);
        const ExprRef z = plane_of(stage);
        Body planes{{Let{Type::i32, context_->coordinate(walk()), on_grid(walk(), z)}}};
        context_->serve({[&](const FieldRead& read, const CellPlace& place) { return served(stage, read, place); },
                         [&](const FieldCall& call) { return assigned(stage, call, planes); }});
        const PipelineExtent& extent = stage.extent;
        declared_.clear();
        Body cells = each_row(cells_of(stage));
        append_if(planes, has_rows(extent), std::move(cells));
        const ExprRef begun = binary(">=", z, subtract(first(walk()), integer(extent.planes_before)));
        const ExprRef goes_on = binary("<", z, add(last(), integer(extent.planes_behind)));
        Body body{{Comment{comment_of(stage)}}};
        body.push_back({Let{Type::i32, text_of(z), subtract(plane_, integer(extent.lag))}});
        body.push_back({If{both(begun, goes_on), std::move(planes), {}}});
        return body;
    }
    /// The thread has rows that the stage is to compute; null: all threads have. Those beyond compute what nobody
    /// needs.
    ExprRef has_rows(const PipelineExtent& extent) {
        const int beyond = walk() > 1 ? work_.halo[1] - extent.halo[1] : 0;
        const int idle = beyond / rows();  // threads at either end
        if (idle == 0) return nullptr;
        const ExprRef thread = thread_index(Dimension::y);
        return both(binary(">=", thread, integer(idle)),
                    binary("<", thread, integer(schedule_.choice.threads_y - idle)));
    }
    [[nodiscard]] std::ptrdiff_t number_of(const PipelineStage& stage) const { return &stage - work_.stages.data(); }
    /// Where the stage is along the walk, also beyond the grid. Stages stand in one scope.
    ExprRef plane_of(const PipelineStage& stage) {
        return named(fmt::format("plane of stage {}", number_of(stage)), context_->coordinate(walk()) + "_of_stage");
    }

    [[nodiscard]] std::string comment_of(const PipelineStage& stage) const {
        std::string names;
        for (const FieldCall& call : stage.cells.plan().calls)
            names += fmt::format("{}{}", names.empty() ? "" : ", ", variable(call.value));
        return fmt::format("{}: {} planes behind", names, stage.extent.lag);
    }

    Body cells_of(const PipelineStage& stage) {
        CellWriter writer(*context_, *stage.cells.paths.cell, coordinates(*context_));
        std::vector<std::pair<const FieldCall*, ExprRef>> made;
        for (const FieldCall& call : context_->plan.calls)
            if (call.stored) made.emplace_back(&call, writer.result(call));
        Body body = writer.take_body(), stores;
        for (const auto& [call, value] : made) {
            const KeptPlanes* kept = work_.find(call->value);
            if (kept != nullptr && kept->value == call->value) body.push_back({Assign{queued(call->value, 0), value}});
            const auto& outputs = work_.fusion.outputs;
            if (!std::binary_search(outputs.begin(), outputs.end(), call->value)) continue;
            const ExprRef z = name(context_->coordinate(walk()));
            stores.push_back({Assign{element(context_->array_out(call->value), index_in(z)), value}});
        }
        if (!stores.empty()) body.push_back({If{is_stored(stage), std::move(stores), {}}});
        return body;
    }
    ExprRef is_stored(const PipelineStage& stage) {
        const PipelineExtent& extent = stage.extent;
        ExprRef stored = has_bit(own_rows());
        const ExprRef z = plane_of(stage);
        if (extent.planes_before > 0) stored = both(stored, binary(">=", z, first(walk())));
        if (extent.planes_behind > 0) stored = both(stored, binary("<", z, last()));
        return stored;
    }

    /// The word of a value that is kept, at one step along each axis at most; null: it is not kept for so long.
    ExprRef served(const PipelineStage& stage, const FieldRead& read, const CellPlace& place) {
        const KeptPlanes* kept = work_.find(read.value);
        if (kept == nullptr || !moves_everywhere(read.indices)) return nullptr;
        const int age = stage.extent.lag - kept->extent.lag;
        bool own = true, plain = true;
        int words = 0;
        ExprRef mapped;
        for (std::size_t axis = walk(); axis-- > 0;) {
            own = own && place[axis].empty();
            plain = plain && !is_mapped(stage, read.value, place, axis);
            words = words * schedule_.cells(0) + sum(place[axis]);
            const ExprRef along = step_along(stage, read.value, place, axis);
            mapped = mapped ? add(multiply(mapped, integer(schedule_.cells(0))), along) : along;
        }
        const ExprRef beside = !plain      ? mapped
                               : words < 0 ? subtract(cell(), integer(-words))
                                           : add(cell(), integer(words));
        if (own && place.back().empty() && age >= kept->queue) return nullptr;
        const int row = walk() > 1 && plain && place[0].empty() ? sum(place[1]) : 0;
        const auto word = [&](int plane) {
            const int of_age = age - plane;
            if (own) return queued(kept->value, of_age);
            const ExprRef in_ring = element(ring_name(kept->value), add(slot(of_age - kept->delay), beside));
            if (row == 0 || std::abs(row) >= rows() || of_age >= kept->queue) return in_ring;
            // The thread has the row itself, but at the ends of its own.
            const ExprRef has = row < 0 ? binary(">=", row_, integer(-row)) : binary("<", row_, integer(rows() - row));
            return select(has, queued(kept->value, of_age, row), in_ring);
        };
        const int step = sum(place.back());
        if (!is_mapped(stage, read.value, place, walk())) return word(step);
        const BoundaryKind kind = place.back().front().kind;
        const PlanesRead planes = planes_read(kind, step, false);
        const ExprRef z = name(context_->coordinate(walk()));
        const ExprRef image = boundary_image(z, place.back().front(), context_->extent(walk()));
        ExprRef chosen = word(step);
        for (int plane = planes.low; plane <= planes.high; ++plane)
            if (plane != step) chosen = select(equals(image, add(z, integer(plane))), word(plane), chosen);
        return chosen;
    }
    [[nodiscard]] bool is_mapped(const PipelineStage& stage, ValueId value, const CellPlace& place,
                                 std::size_t axis) const {
        return !place[axis].empty() && may_cross_face(work_, stage, value, axis, sum(place[axis]));
    }
    ExprRef step_along(const PipelineStage& stage, ValueId value, const CellPlace& place, std::size_t axis) {
        if (place[axis].empty()) return own(axis);
        if (!is_mapped(stage, value, place, axis)) return add(own(axis), integer(sum(place[axis])));
        const ExprRef image =
            boundary_image(name(context_->coordinate(axis)), place[axis].front(), context_->extent(axis));
        return subtract(image, first(axis));
    }
};

Kernel lowered(const PipelineSchedule& schedule, const Program& program, const Graph& graph,
               const std::string& kernel_name, bool wide) {
    Kernel made = PipelineKernel(schedule, program, graph, wide).run(kernel_name);
    const auto& axes = schedule.work->axes;
    if (!wide) made.requirement = Kernel::Requirement{{axes.begin(), axes.end() - 1}, 1, most_plane_cells};
    for (const NodeId call : schedule.fusion().calls) made.comment.push_back(node_text(graph, program, call));
    for (const PipelineStage& stage : schedule.work->stages)
        add_position_checks(made.positions, stage.cells.plan(), program, std::nullopt);
    return made;
}

}  // namespace

}  // namespace kasc::kernel

namespace kasc {

kernel::Lowered lower_pipeline(const PipelineSchedule& schedule, const Program& program, const Graph& graph,
                               const std::string& kernel_name) {
    return {{kernel::lowered(schedule, program, graph, kernel_name, false),
             kernel::lowered(schedule, program, graph, kernel_name + "_wide", true)}};
}

}  // namespace kasc
