// A thread stands at x, y and walks `chunk` planes of the last axis. What it reads at (0, 0, dz) stays in registers
// from plane to plane: a queue that is shifted at the end of each plane, moves that vanish when the loop is unrolled.
//
//   T_zm2 … T_zp1 = T[start - 2 * plane] … T[start + plane]
//   for z in z_first … z_last:  T_zp2 = T[i + 2 * plane];  …;  T_zm2 = T_zm1, T_zm1 = T_0, T_0 = T_zp1, T_zp1 = T_zp2
//
// Near the edge of the grid one loop runs over the planes outside [z_first, z_last) by the edge path (planes.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "lower/block.hpp"
#include "lower/field/group.hpp"
#include "lower/field/tile.hpp"
#include "lower/walk/planes.hpp"

namespace kasc::kernel {

namespace {

class ColumnWalk {
public:
    explicit ColumnWalk(FieldContext& context)
        : context_(context), choice_(context.schedule.choice), walk_(context.rank() - 1), planes_(context, walk_) {}

    Walked run() {
        Walked walked;
        walked.block = {choice_.threads_x, choice_.threads_y, 1};
        walked.grid = {integer(1), integer(1), integer(1)};
        constexpr std::array dimensions{Dimension::x, Dimension::y, Dimension::z};
        const std::array<int, 2> threads{choice_.threads_x, choice_.threads_y};
        for (std::size_t k = 0; k < walk_; ++k) {
            walked.grid[k] = block_count(context_.extent(k), choice_.tile(k));
            origins_.push_back(multiply(block_index(dimensions[k]), integer(choice_.tile(k))));
            axes_.push_back(cell_axis(context_, k, origins_[k], dimensions[k], threads[k]));
        }
        walked.grid[walk_] = block_count(context_.extent(walk_), choice_.chunk);
        if (context_.plan.parts.empty())
            walked.along = loaded_ahead({walk_, dimensions[walk_], integer(choice_.chunk)}, context_);
        walked.body = planes_.own(block_index(dimensions[walk_]));
        if (choice_.neighbours == Neighbours::shared) {
            shared_planes(walked);
        } else if (choice_.borders == Borders::uniform) {
            uniform(walked.body);
        } else {
            walked.body.push_back({Cells{axes_, tested()}});
        }
        return walked;
    }

private:
    FieldContext& context_;
    const FieldChoice& choice_;
    std::size_t walk_;
    WalkedPlanes planes_;
    std::vector<CellAxis> axes_;    ///< but for the walk
    std::vector<ExprRef> origins_;  ///< of the block, along them

    /// Each thread tests its own cells.
    Body tested() {
        if (choice_.borders == Borders::mapped)
            return {planes_.each(planes_.begin(), planes_.end(), cell_path(context_))};
        if (!has_cell_path(context_)) return interior(planes_.begin(), planes_.end());
        return with_edges(takes_interior_path(context_, walk_));
    }

    /// A block in the interior tests nothing but its planes.
    void uniform(Body& body) {
        Body inside = context_.schedule.work->edges ? with_edges(nullptr) : interior(planes_.begin(), planes_.end());
        Body border = context_.schedule.work->edges
                          ? Body{planes_.each(planes_.begin(), planes_.end(), cell_path(context_))}
                          : tested();
        body.push_back({If{block_in_interior(context_, origins_, walk_),
                           {all_threads(axes_, std::move(inside))},
                           {{Cells{axes_, std::move(border)}}}}});
    }

    Body with_edges(const ExprRef& inside) {
        Body body = planes_.interior(inside);
        body.push_back(planes_.edges(planes_.first(), planes_.last()));
        append(body, interior(planes_.first(), planes_.last(), inside != nullptr));
        return body;
    }

    /// `some_columns`: others, which lie partly beyond the grid, have no plane in [first, last).
    Body interior(const ExprRef& first, const ExprRef& last, bool some_columns = false) {
        Parts parts = choice_.vector == 1 ? cells(first) : groups(first, false);
        Body planes = std::move(parts.before);
        const auto statements = [&](const block::Step& step) -> Body {
            switch (step.kind) {
                case block::StepKind::copy:
                    return std::move(parts.fill);
                case block::StepKind::loop_begin:
                    return {planes_.each(first, last, {}, choice_.unroll)};
                case block::StepKind::compute:
                    return std::move(parts.plane);
                case block::StepKind::move:
                    return std::move(parts.shift);
                default:
                    return {};
            }
        };
        append(planes, lower_block(*context_.schedule.block, statements));
        // A block in the rim has no plane to fill the queue from.
        Body body;
        append_if(body, planes_.may_have_no_interior(some_columns) ? binary("<", first, last) : nullptr,
                  std::move(planes));
        return body;
    }

    /// The block walks together: fill the plane's tile, a barrier, compute. One half of each tile is filled while
    /// slower warps read the other, so that one barrier a plane is enough. The queues outlive the barriers.
    void shared_planes(Walked& walked) {
        const bool two_paths = has_cell_path(context_);
        const ExprRef inside = two_paths ? takes_interior_path(context_, walk_) : nullptr;
        const auto visited = [&](Body body) {
            const ExprRef cells = visited_cells(axes_);
            return all_threads(axes_, {{If{cells, std::move(body), {}}}});
        };
        append(walked.body, planes_.interior(nullptr));
        append(walked.body, declare_tiles(context_));
        Parts parts = groups(planes_.first(), true);
        if (two_paths) walked.body.push_back(visited(planes_.edge_columns(inside)));
        append(walked.body, std::move(parts.arrays));
        const auto statements = [&](const block::Step& step) -> Body {
            Body own;
            switch (step.kind) {
                case block::StepKind::copy:
                    if (!step.touches.empty()) return filled_tiles();
                    append_if(own, both(binary("<", planes_.first(), planes_.last()), inside), std::move(parts.fill));
                    return {visited(std::move(own))};
                case block::StepKind::loop_begin:
                    return {planes_.each(planes_.first(), planes_.last(), {}, choice_.unroll)};
                case block::StepKind::compute:
                    append_if(own, inside, computed(parts));
                    return {visited(std::move(own))};
                default:
                    return {};
            }
        };
        append(walked.body, lower_block(*context_.schedule.block, statements));
    }

    Body filled_tiles() {
        Body fill = tile_slots();
        fill.push_back(fill_tiles(context_, origins_));
        return fill;
    }

    Body tile_slots() {
        Body slots;
        const FieldSchedule& schedule = context_.schedule;
        for (std::size_t k = 0; k < schedule.tiles.size(); ++k) {
            const block::Region& region = schedule.block->regions[k];
            const ExprRef copy = modulo(name(context_.coordinate(walk_)), integer(region.copies));
            slots.push_back(
                {Let{Type::i32, plane_slot(context_, schedule.tiles[k]), multiply(copy, integer(region.words))}});
        }
        return slots;
    }

    /// The pieces of the walk through the interior.
    struct Parts {
        Body before;  ///< what does not move along the walk
        Body arrays;  ///< queues that outlive barriers
        Body fill;    ///< the queues, before the first plane
        Body plane, shift;
    };

    /// A plane, and the queues' move with it: the same threads do both.
    static Body computed(Parts& parts) {
        Body compute = std::move(parts.before);
        append(compute, std::move(parts.plane));
        append(compute, std::move(parts.shift));
        return compute;
    }

    /// Index of the column's first cell in plane `first`.
    ExprRef start_index(const FieldRead& read, const ExprRef& first, Body& prologue, std::set<std::string>& declared) {
        const std::string n =
            context_.once("start" + context_.layout(read.value, read.indices),
                          context_.is_cell_layout(read.value, read.indices)
                              ? "start"
                              : "start_" + context_.program.variables[context_.variable(read.value)].name);
        if (!declared.insert(n).second) return name(n);
        std::vector<ExprRef> at;
        for (const FieldIndex& index : read.indices) {
            const auto* moving = std::get_if<Moving>(&index);
            at.push_back(!moving                 ? context_.scalar(std::get<Absolute>(index).position)
                         : moving->axis == walk_ ? first
                                                 : name(context_.coordinate(moving->axis)));
        }
        prologue.push_back({Let{Type::i64, n, context_.index(read.value, at)}});
        return name(n);
    }

    /// The word at a queue's place in the plane, `plane` planes from the start.
    ExprRef plane_index(const ColumnQueue& queue, const ExprRef& start, int plane) {
        ExprRef at = start;
        for (std::size_t k = queue.read->indices.size(); k-- > 0;) {
            const auto* moving = std::get_if<Moving>(&queue.read->indices[k]);
            const int step = !moving ? 0 : moving->axis == walk_ ? plane : moving->axis == 1 ? queue.row : 0;
            if (step == 0) continue;
            const ExprRef words = multiply(integer(std::abs(step)), context_.stride(queue.read->value, k));
            at = step < 0 ? subtract(at, words) : add(at, words);
        }
        return at;
    }

    [[nodiscard]] std::vector<int> place(const ColumnQueue& queue, int plane) const {
        std::vector<int> offset(context_.rank(), 0);
        if (queue.row != 0) offset[1] = queue.row;
        offset.back() = plane;
        return offset;
    }

    Parts cells(const ExprRef& first) {
        CellWriter writer(context_, *context_.schedule.paths.cells, coordinates(context_), walk_);
        Parts parts;
        std::set<std::string> declared;
        for (const ColumnQueue& q : context_.schedule.kept<ColumnParts>()->queues) {
            const ExprRef start = start_index(*q.read, first, parts.fill, declared);
            for (int plane = q.low; plane < q.high; ++plane) {
                const std::string n = writer.load_name(*q.read, place(q, plane));
                const ExprRef word = element(context_.array_in(q.read->value), plane_index(q, start, plane));
                parts.fill.push_back({Variable{register_type(context_.cell_type(q.read->value)), n, word}});
                parts.shift.push_back({Assign{name(n), name(writer.load_name(*q.read, place(q, plane + 1)))}});
                writer.hold(n);
            }
        }
        writer.write();
        parts.before = writer.take_outer();
        parts.plane = writer.take_body();
        return parts;
    }

    Parts groups(const ExprRef& first, bool outlive) {
        GroupWriter writer(context_, *context_.schedule.paths.cells, coordinates(context_), walk_);
        const int width = writer.width();
        Parts parts;
        std::set<std::string> declared;
        const std::string v = context_.once("lane", "v");
        for (const ColumnQueue& q : context_.schedule.kept<ColumnParts>()->queues) {
            const ExprRef start = start_index(*q.read, first, parts.fill, declared);
            Body moves;
            for (int plane = q.low; plane < q.high; ++plane) {
                const FieldRow row = writer.row_of(*q.read, place(q, plane));
                const FieldRow next = writer.row_of(*q.read, place(q, plane + 1));
                const Type type = row_type(context_.cell_type(q.read->value));
                if (outlive)
                    parts.arrays.push_back({PrivateArray{row.name, row.low + width + row.high, type}});
                else
                    parts.fill.push_back({RegisterArray{row.name, row.low + width + row.high, type}});
                const std::string array = context_.array_in(q.read->value);
                const ExprRef word = plane_index(q, start, plane);
                parts.fill.push_back(width == 1
                                         ? Statement{Assign{element(row.name, integer(row.low)), element(array, word)}}
                                         : Statement{LoadVector{row.name, integer(row.low), array, word, width}});
                moves.push_back({Assign{element(row.name, add(name(v), integer(row.low))),
                                        element(next.name, add(name(v), integer(next.low)))}});
                writer.hold_group(row.name);
            }
            parts.shift.push_back({For{v, integer(0), integer(width), 1, -1, std::move(moves)}});
        }
        writer.write();
        parts.before = writer.take_outer();
        parts.plane = writer.take_body();
        return parts;
    }
};

}  // namespace

Walked walk_column(FieldContext& context) { return ColumnWalk(context).run(); }

}  // namespace kasc::kernel
