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
//
// Stages are written three times: for planes at which all of them are under way, within the grid and outside of kept
// layers, once without any test for blocks whose cells all are, once for the others; and for all other planes.
//
// Words are asked for in the iteration before; where a thread has vectors, which few threads load, some planes before
// that they are on their way to the cache.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "kernel/used_names.hpp"
#include "lower/block.hpp"
#include "lower/field/positions.hpp"
#include "lower/field/span.hpp"
#include "lower/lower.hpp"
#include "lower/pipeline/loads.hpp"
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

namespace {

/// Cells of a grid that are counted in 32 bits.
constexpr std::int64_t most_cells = 2147483647;

class PipelineKernel : public PipelineLoads {
public:
    using PipelineLoads::PipelineLoads;

    Kernel run(const std::string& kernel_name) {
        Kernel kernel;
        kernel.name = kernel_name;
        kernel.block = {schedule_.choice.threads_x, schedule_.choice.threads_y, 1};
        kernel.grid = {integer(1), integer(1), integer(1)};
        Body opening = place(kernel.grid);
        append(opening, steadiness());
        std::vector<Body> steps;
        steps.push_back(region(cleared()));
        Body fetched = fetched_next();
        const bool fetches = !fetched.empty();
        for (int iteration = 0; fetches && iteration < schedule_.choice.ahead; ++iteration)
            steps.push_back(region(fetched_first(iteration)));
        const ExprRef end = add(subtract(last(), first(walk())), integer(work_.planes_before + work_.planes_behind));
        const int unroll = schedule_.choice.unroll > 1 ? schedule_.choice.unroll : 0;
        steps.push_back({{For{text_of(turn()), integer(0), end, 1, unroll, {}}}});
        // What the whole iteration knows.
        Body load{
            {Let{Type::i32, text_of(plane_), add(subtract(first(walk()), integer(work_.planes_before)), turn())}}};
        append(load, slots());
        append(load, loads());
        steps.push_back(std::move(load));
        if (fetches) steps.push_back(region(std::move(fetched)));
        steps.push_back(stages());
        steps.push_back(region(left()));
        steps.emplace_back();
        append(kernel.body, context_->preamble());
        append(kernel.body, std::move(opening));
        append(kernel.body, rings());
        Body own, frames = placed_in_frames();
        append(frames, fetches_placed());
        append(kernel.body, std::move(arrays_));
        for (const Mask& m : masks_) own.push_back({Assign{element(m.array, integer(0)), integer(0)}});
        append(own, std::move(frames));
        append(own, start());
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
        // What is loaded for a later stage follows by its lag, from the first plane on; behind the last some planes are
        // asked for ahead.
        int lag = 0;
        for (const KeptPlanes& kept : work_.kept) lag = std::max(lag, kept.extent.lag);
        const int reach =
            std::max(work_.planes_before + lag, work_.planes_behind + schedule_.choice.ahead) + planes_beside();
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
            if (placed) continue;
            span.near.push_back(value);
            const KeptPlanes* kept = work_.find(value);
            if (kept != nullptr && kept->value == value && kept->loaded && planes_beside() == 0)
                span.used[value] = std::max(kept->extent.planes_before, kept->extent.planes_behind);
        }
        if (span.near.empty()) return std::nullopt;
        return span;
    }

    [[nodiscard]] static Body region(Body body) { return body.empty() ? Body{} : Body{{Threads{std::move(body)}}}; }

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
            if (schedule_.copies(kept) == 0) continue;
            names.push_back(ring_name(kept.value));
            types.push_back(word_type(context_->cell_type(kept.value)));
        }
        return declare_shared(*schedule_.block, names, types);
    }

    /// Block level: where in rings the planes are that they hold.
    Body slots() {
        Body body;
        std::set<std::string> made;
        for (const KeptPlanes& kept : work_.kept) {
            const int copies = schedule_.copies(kept);
            const PlaneLayout layout = schedule_.layout(kept);
            if (copies == 0 || !made.insert(text_of(slot(kept, 0))).second) continue;
            const auto place = [&](int before) {
                const ExprRef number =
                    copies > 1 ? modulo(add(turn(), integer((copies - before) % copies)), integer(copies)) : integer(0);
                body.push_back({Let{Type::i32, text_of(slot(kept, before)),
                                    add(multiply(number, integer(layout.words())), integer(layout.first_cell()))}});
            };
            place(-schedule_.choice.ahead);
            for (int before = 0; before < copies; ++before) place(before);
        }
        return body;
    }
    /// The iteration's number.
    ExprRef turn() { return named("turn", "turn"); }

    /// Before the first plane: nothing is in the queues, the first planes are asked for.
    Body start() {
        Body row, body;
        declared_.clear();
        if (lane_) {
            // Vectors lie on the grid as a whole; where rows are none, those that do not are stored word by word.
            const ExprRef at = add(first(0), named("first column", "first_column"));
            const ExprRef x = where_vectors(vector(), vector_on_grid(at, vector()), on_grid(0, at));
            row.push_back({Assign{in_plane(), kept_in_registers(place_in_plane(x))}});
        } else {
            body.push_back({Assign{in_plane(), place_in_plane(name(context_->coordinate(std::size_t{0})))}});
        }
        for (const Mask& m : masks_) {
            const ExprRef bits = element(m.array, integer(0));
            const ExprRef bit = select(m.condition, binary("<<", integer(1), number_in_thread()), integer(0));
            body.push_back({Assign{bits, binary("|", bits, bit)}});
        }
        for (const KeptPlanes& kept : work_.kept) {
            const QueuedPlanes queue = schedule_.queue(kept);
            for (int age = queue.first; age < queue.end; ++age)
                body.push_back({Assign{queued(kept.value, age), context_->zero(kept.value)}});
            if (kept.loaded && !schedule_.is_fetched(kept))
                body.push_back(
                    load_ahead(kept, subtract(first(walk()), integer(work_.planes_before + kept.extent.lag)), body));
        }
        return each_row(std::move(row), std::move(body), {});
    }

    // --- stages ---

    /// Where a call assigns its target: outside of the layers that it keeps. `body`: the stage's, at its plane.
    ExprRef assigned(const PipelineStage& stage, const FieldCall& call, Body& body) {
        const std::vector<AxisId>& axes = context_->shape(call.value).axes;
        ExprRef cells, plane;
        std::string key = "assigned", of_plane;
        for (std::size_t k = call.target.size(); k-- > 0;) {
            const std::size_t axis = std::get<Moving>(call.target[k]).axis;
            if (axis == walk() ? planes_inside_ : cells_inside_) continue;
            const auto [low, high] = call.kept[k];
            const ExprRef here = within(name(context_->coordinate(axis)), low, high, context_->extent(axes[k]));
            if (axis == walk()) {
                plane = here;
                of_plane = fmt::format(" {} {}", low, high);
            } else {
                cells = both(cells, here);
                key += fmt::format(" {} {} {}", axis, low, high);
            }
        }
        if (!cells) return plane;
        const ExprRef bits = mask(key, "is_inside", cells);
        if (!plane) return has_bit(bits, number_in_thread());
        const std::string now =
            context_->once(key + of_plane + fmt::format(" of stage {}", number_of(stage)), "inside");
        if (declared_.insert(now).second) body.push_back({Let{Type::i32, now, select(plane, bits, integer(0))}});
        return has_bit(name(now), number_in_thread());
    }

    /// Block level: all stages at one plane.
    Body stages() {
        const auto all = [&](bool cells_inside, bool planes_inside) {
            cells_inside_ = cells_inside, planes_inside_ = planes_inside;
            Body body;
            for (const PipelineStage& stage : work_.stages) append(body, lowered(stage));
            cells_inside_ = planes_inside_ = false;
            return body;
        };
        const Statement of_cells{If{has_cells_inside(), all(true, true), all(false, true)}};
        return {{If{has_planes_inside(), {of_cells}, all(false, false)}}};
    }

    Body lowered(const PipelineStage& stage) {
        go_on_with(stage);
        hold_rows_of(stage);
        const ExprRef z = plane_of(stage);
        Body planes{{Let{Type::i32, context_->coordinate(walk()), on_grid(walk(), z)}}};
        context_->serve({[&](const FieldRead& read, const CellPlace& place) { return served(stage, read, place); },
                         [&](const FieldCall& call) { return assigned(stage, call, planes); },
                         {},
                         [&](const FieldRead& read, std::size_t axis) {
                             return is_kept(read) && (is_within(axis) || finds_value(read, axis));
                         },
                         [&](const FieldRead& read, std::size_t axis) {
                             return is_kept(read) && (is_within(axis) || (axis == 0 && lane_));
                         }});
        const PipelineExtent& extent = stage.extent;
        declared_.clear();
        Body rows = rows_of(stage);
        append(rows, own_images(stage));
        append_if(planes, has_rows(extent), std::move(rows));
        Body body{{Comment{comment_of(stage)}}};
        body.push_back({Let{Type::i32, text_of(z), subtract(plane_, integer(extent.lag))}});
        Body parts = exchanges() ? rows_exchanged() : Body{};
        parts.push_back({Threads{std::move(planes)}});
        const ExprRef begun = binary(">=", z, subtract(first(walk()), integer(extent.planes_before)));
        const ExprRef goes_on = binary("<", z, add(last(), integer(extent.planes_behind)));
        append_if(body, planes_inside_ ? nullptr : both(begun, goes_on), std::move(parts));
        return body;
    }
    /// The thread has rows that the stage is to compute; null: some thread of each warp has. Those beyond compute what
    /// nobody needs.
    ExprRef has_rows(const PipelineExtent& extent) {
        const int threads = schedule_.threads_of(extent);
        if (threads == schedule_.threads()) return nullptr;
        if (!schedule_.frames().empty()) return binary("<", linear_thread(), integer(threads));
        const int idle = schedule_.idle_rows(extent);
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

    Body rows_of(const PipelineStage& stage) {
        CellWriter writer(*context_, *stage.cells.paths.cell, coordinates(*context_));
        std::vector<std::pair<const FieldCall*, ExprRef>> made;
        for (const FieldCall& call : context_->plan.calls)
            if (call.stored) made.emplace_back(&call, writer.result(call));
        const bool vectors = lane_ && planes_inside_;
        Body before = rows_filled(), body = writer.take_body(), stores, words, behind;
        const ExprRef z = name(context_->coordinate(walk()));
        for (const auto& [call, value] : made) {
            const KeptPlanes* kept = work_.find(call->value);
            if (kept != nullptr && kept->value == call->value) body.push_back({Assign{queued(call->value, 0), value}});
            const auto& outputs = work_.fusion.outputs;
            if (!std::binary_search(outputs.begin(), outputs.end(), call->value)) continue;
            const std::string array = context_->array_out(call->value);
            if (!vectors) {
                words.push_back({Assign{element(array, index_in(z)), value}});
                continue;
            }
            const std::string row =
                context_->once(fmt::format("stored {}", call->value.index), variable(call->value) + "_stored");
            before.push_back({RegisterArray{row, vector(), type_of(call->value)}});
            body.push_back({Assign{element(row, lane_), value}});
            const ExprRef at = place_in_memory(behind, fmt::format("stored {}", number_of(stage)), z, in_plane());
            stores.push_back({StoreVector{array, at, row, integer(0), vector()}});
            words.push_back({Assign{element(array, add(at, counted(lane_))), element(row, lane_)}});
        }
        if (words.empty()) return each_row(std::move(before), std::move(body), {});
        const ExprRef plane = stores_plane(stage);
        const auto is_own = [&](const ExprRef& number) { return has_bit(own_cells(), number); };
        if (!vectors) {
            body.push_back({If{both(is_own(number_in_thread()), plane), std::move(words), {}}});
        } else {
            const ExprRef first_cell = multiply(row_, integer(vector()));
            Body whole{{If{both(is_own(first_cell), plane), std::move(stores), {}}}};
            append(behind, where_vectors(vector(), std::move(whole), stored_by_words(plane, words)));
        }
        return each_row(std::move(before), std::move(body), std::move(behind));
    }
    /// The words of a row of the thread, of those cells that are the block's own, as most often all of them are.
    Body stored_by_words(const ExprRef& plane, const Body& words) {
        const ExprRef row = binary("<<", integer((1 << vector()) - 1), multiply(row_, integer(vector())));
        const auto each = [&](Body body) {
            return Body{{For{text_of(lane_), integer(0), integer(vector()), 1, -1, std::move(body)}}};
        };
        Body tested = each({{If{has_bit(own_cells(), number_in_thread()), words, {}}}}), stored;
        append_if(stored, plane, {{If{equals(binary("&", own_cells(), row), row), each(words), std::move(tested)}}});
        return stored;
    }
    /// The stage's plane is one that the block stores; null: all are.
    ExprRef stores_plane(const PipelineStage& stage) {
        const ExprRef z = plane_of(stage);
        const ExprRef from = stage.extent.planes_before > 0 ? binary(">=", z, first(walk())) : nullptr;
        const ExprRef to = stage.extent.planes_behind > 0 ? binary("<", z, last()) : nullptr;
        return both(from, to);
    }

    /// The planes that the block keeps have the word. What memory has may lie farther beyond the block than they reach.
    [[nodiscard]] bool is_kept(const FieldRead& read) const {
        return work_.find(read.value) != nullptr && moves_everywhere(read.indices);
    }
    /// The word of a value that is kept, at one step along each axis at most; null: it is not kept for so long.
    ExprRef served(const PipelineStage& stage, const FieldRead& read, const CellPlace& place) {
        if (!is_kept(read)) return nullptr;
        const KeptPlanes* kept = work_.find(read.value);
        const int age = stage.extent.lag - kept->extent.lag;
        const int columns = schedule_.layout(*kept).columns;
        bool own = true, plain = true;
        int words = 0;
        ExprRef mapped;
        for (std::size_t axis = walk(); axis-- > 0;) {
            own = own && place[axis].empty();
            plain = plain && !is_mapped(stage, read.value, place, axis);
            words = words * columns + sum(place[axis]);
            const ExprRef along = step_along(stage, read.value, place, axis);
            mapped = mapped ? add(multiply(mapped, integer(columns)), along) : along;
        }
        const ExprRef beside = !plain      ? mapped
                               : words < 0 ? subtract(cell(*kept), integer(-words))
                                           : add(cell(*kept), integer(words));
        const QueuedPlanes queue = schedule_.queue(*kept);
        const bool in_ring_alone = queue.count() == 0;
        if (own && place.back().empty() && age >= queue.end && !in_ring_alone) return nullptr;
        const int row = walk() > 1 && plain && place[0].empty() ? sum(place[1]) : 0;
        RowOf row_of{kept->value, walk() > 1 ? sum(place[1]) : 0};
        const auto word = [&](int plane) {
            const int of_age = age - plane;
            if (own && queue.has(of_age)) return queued(kept->value, of_age);
            row_of.age = of_age;
            if (lane_) return in_row(row_of, sum(place[0]));
            const ExprRef in_ring = element(ring_name(kept->value), add(slot_of(*kept, of_age), beside));
            if (row == 0 || std::abs(row) >= rows() || !queue.has(of_age)) return in_ring;
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
        return !place[axis].empty() && crosses(stage, value, axis, sum(place[axis]));
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
               const std::string& kernel_name, PipelineGrids grids) {
    Kernel made = PipelineKernel(schedule, program, graph, grids).run(kernel_name);
    const int multiple = grids.whole == true ? schedule.whole_cells() : 1;
    if (!grids.wide) made.requirement = Kernel::Requirement{schedule.work->axes, multiple, most_cells};
    for (const NodeId call : schedule.fusion().calls) made.comment.push_back(node_text(graph, program, call));
    if (grids.whole == false)
        made.comment.push_back(fmt::format("Where rows are no multiple of {} cells.", schedule.whole_cells()));
    if (grids.wide) made.comment.emplace_back("Where 32 bits do not count the cells of the grid.");
    for (const PipelineStage& stage : schedule.work->stages)
        add_position_checks(made.positions, stage.cells.plan(), program, std::nullopt);
    return made;
}

}  // namespace

}  // namespace kasc::kernel

namespace kasc {

kernel::Lowered lower_pipeline(const PipelineSchedule& schedule, const Program& program, const Graph& graph,
                               const std::string& kernel_name) {
    const auto lowered = [&](const char* suffix, kernel::PipelineGrids grids) {
        return kernel::lowered(schedule, program, graph, kernel_name + suffix, grids);
    };
    // Vectors and words in one kernel would leave registers for neither; the largest grids are rare.
    kernel::Lowered made;
    made.alternatives.push_back(lowered("", {false, true}));
    if (schedule.choice.vector > 1) made.alternatives.push_back(lowered("_parted", {false, false}));
    made.alternatives.push_back(lowered("_wide", {true, std::nullopt}));
    return made;
}

}  // namespace kasc
