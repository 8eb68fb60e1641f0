// A thread stands at x, y and walks `chunk` planes of the last axis. What it reads at (0, 0, dz) stays in registers
// from plane to plane: a queue that is shifted at the end of each plane, moves that vanish when the loop is unrolled.
//
//   T_zm2 … T_zp1 = T[start - 2 * plane] … T[start + plane]
//   for z in z_first … z_last:  T_zp2 = T[i + 2 * plane];  …;  T_zm2 = T_zm1, T_zm1 = T_0, T_0 = T_zp1, T_zp1 = T_zp2
//
// Near the edge of the grid: a column whose x, y lie in the interior takes the edge path for its first and last planes
// only, any other for all of its planes (z_first = z_last = z_end). One loop runs over the planes outside
// [z_first, z_last).
#include <fmt/format.h>

#include <algorithm>

#include "kernel/field_group.hpp"
#include "kernel/field_walk.hpp"

namespace kasc::kernel {

namespace {

/// Planes [low, high] along the walk of one field. All but the last are there when an iteration starts.
struct Queue {
    const FieldRead* read = nullptr;
    int low = 0, high = 0;
};

/// `Read` is a FieldLoad or a FieldRow: reads that differ along the walk alone share a queue.
template <class Read>
std::vector<Queue> find_queues(FieldContext& context, const std::vector<Read>& reads) {
    const std::size_t walk = context.rank() - 1;
    std::vector<Queue> queues;
    for (const Read& r : reads) {
        if (!moves_along(r.read->indices, walk)) continue;
        if (std::any_of(r.offset.begin(), r.offset.end() - 1, [](int o) { return o != 0; })) continue;
        const int at = r.offset.back();
        const auto same = std::find_if(queues.begin(), queues.end(), [&](const Queue& q) {
            return q.read->value == r.read->value &&
                   context.layout(q.read->value, q.read->indices) == context.layout(r.read->value, r.read->indices);
        });
        if (same == queues.end()) {
            queues.push_back({r.read, at, at});
        } else {
            same->low = std::min(same->low, at);
            same->high = std::max(same->high, at);
        }
    }
    std::erase_if(queues, [](const Queue& q) { return q.low == q.high; });
    return queues;
}

class ColumnWalk {
public:
    explicit ColumnWalk(FieldContext& context)
        : context_(context),
          choice_(context.schedule.choice),
          walk_(context.rank() - 1),
          axis_(context.program.axes[context.plan.axes[walk_]].name),
          begin_(context.once("begin", axis_ + "_begin")),
          end_(context.once("end", axis_ + "_end")) {}

    Walked run() {
        Walked walked;
        walked.block = {choice_.threads_x, choice_.threads_y, 1};
        const int tile = choice_.threads_x * choice_.vector;
        walked.grid = {block_count(context_.extent(std::size_t{0}), tile), integer(1), integer(1)};
        Cells cells;
        cells.axes.push_back(cell_axis(context_, 0, multiply(block_index(Dimension::x), integer(tile)), Dimension::x,
                                       choice_.threads_x, choice_.vector));
        Dimension planes = Dimension::y;
        if (walk_ == 2) {
            planes = Dimension::z;
            walked.grid[1] = block_count(context_.extent(std::size_t{1}), choice_.threads_y);
            const ExprRef origin = multiply(block_index(Dimension::y), integer(choice_.threads_y));
            cells.axes.push_back(cell_axis(context_, 1, origin, Dimension::y, choice_.threads_y, 1));
        }
        walked.grid[walk_] = block_count(context_.extent(walk_), choice_.chunk);
        const int margin = context_.schedule.margin;
        const ExprRef start = multiply(block_index(planes), integer(choice_.chunk));
        const ExprRef stop =
            minimum(add(start, integer(choice_.chunk)), subtract(context_.extent(walk_), integer(margin)));
        walked.body.push_back({Let{Type::i32, begin_, margin > 0 ? maximum(start, integer(margin)) : start}});
        walked.body.push_back({Let{Type::i32, end_, stop}});
        context_.schedule.edges ? with_edges(cells.body) : interior(cells.body, name(begin_), name(end_));
        walked.body.push_back({std::move(cells)});
        return walked;
    }

private:
    FieldContext& context_;
    const FieldChoice& choice_;
    std::size_t walk_;
    std::string axis_, begin_, end_;

    void with_edges(Body& body) {
        const FieldSchedule& schedule = context_.schedule;
        const ExprRef begin = name(begin_), end = name(end_);
        const std::string first = context_.once("first", axis_ + "_first"),
                          last = context_.once("last", axis_ + "_last");
        ExprRef from = minimum(maximum(begin, integer(schedule.interior_low[walk_])), end);
        const ExprRef high = subtract(context_.extent(walk_), integer(schedule.interior_high[walk_]));
        if (const ExprRef inside = in_interior(context_, 0, walk_, choice_.vector)) from = select(inside, from, end);
        const ExprRef to = maximum(minimum(end, high), name(first));
        body.push_back({Let{Type::i32, first, from}});
        body.push_back({Let{Type::i32, last, to}});
        // Counts the planes outside the interior: those before `first`, then those from `last` on.
        const std::string step = context_.once("step", "step");
        const std::string z = context_.coordinate(walk_);
        const ExprRef skipped = subtract(name(last), name(first));
        const ExprRef at = select(binary("<", name(step), name(first)), name(step), add(name(step), skipped));
        Body plane{{Let{Type::i32, z, at}}};
        for (Statement& s : edge_of_thread(context_)) plane.push_back(std::move(s));
        body.push_back({For{step, begin, subtract(end, skipped), 1, 0, std::move(plane)}});
        interior(body, name(first), name(last));
    }

    void interior(Body& body, const ExprRef& first, const ExprRef& last) {
        Body planes = choice_.vector == 1 ? cells(first, last) : groups(first, last);
        // A block in the rim has no plane to fill the queue from.
        const bool may_be_empty = context_.schedule.edges || context_.schedule.margin > 0;
        append_if(body, may_be_empty ? binary("<", first, last) : nullptr, std::move(planes));
    }

    Body loop(Body outer, Body prologue, Body plane, Body shift, const ExprRef& first, const ExprRef& last) {
        for (Statement& s : prologue) outer.push_back(std::move(s));
        for (Statement& s : shift) plane.push_back(std::move(s));
        // Four planes return a queue of two neighbours either side to its registers; groups hold four times as much.
        const int unroll = choice_.vector == 1 ? 4 : 2;
        outer.push_back({For{context_.coordinate(walk_), first, last, 1, unroll, std::move(plane)}});
        return outer;
    }

    /// Index of the column's cell in plane `first`.
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

    ExprRef plane_index(const FieldRead& read, const ExprRef& start, int plane) {
        for (std::size_t k = 0; k < read.indices.size(); ++k) {
            const auto* moving = std::get_if<Moving>(&read.indices[k]);
            if (!moving || moving->axis != walk_) continue;
            const ExprRef words = multiply(integer(std::abs(plane)), context_.stride(read.value, k));
            return plane < 0 ? subtract(start, words) : add(start, words);
        }
        return start;
    }

    [[nodiscard]] std::vector<int> in_plane(int plane) const {
        std::vector<int> offset(context_.rank(), 0);
        offset.back() = plane;
        return offset;
    }

    Body cells(const ExprRef& first, const ExprRef& last) {
        CellWriter trial(context_, Path::interior, coordinates(context_), walk_);
        trial.write();
        CellWriter writer(context_, Path::interior, coordinates(context_), walk_);
        Body prologue, shift;
        std::set<std::string> declared;
        for (const Queue& q : find_queues(context_, trial.loads())) {
            const ExprRef start = start_index(*q.read, first, prologue, declared);
            for (int plane = q.low; plane < q.high; ++plane) {
                const std::string n = writer.load_name(*q.read, in_plane(plane));
                const ExprRef word = element(context_.array_in(q.read->value), plane_index(*q.read, start, plane));
                prologue.push_back({Variable{register_type(context_.cell_type(q.read->value)), n, word}});
                shift.push_back({Assign{name(n), name(writer.load_name(*q.read, in_plane(plane + 1)))}});
                writer.hold(n);
            }
        }
        writer.write();
        return loop(writer.take_outer(), std::move(prologue), writer.take_body(), std::move(shift), first, last);
    }

    Body groups(const ExprRef& first, const ExprRef& last) {
        GroupWriter trial(context_, coordinates(context_), walk_);
        trial.write();
        const auto words = [&](const std::string& n) {
            for (const FieldRow& row : trial.rows()) {
                if (row.name == n) return std::pair{row.low, row.high};
            }
            return std::pair{0, 0};
        };
        GroupWriter writer(context_, coordinates(context_), walk_);
        Body prologue, shift;
        std::set<std::string> declared;
        const std::string v = context_.once("lane", "v");
        for (const Queue& q : find_queues(context_, trial.rows())) {
            if (!moves_along(q.read->indices, 0)) continue;
            const ExprRef start = start_index(*q.read, first, prologue, declared);
            Body moves;
            for (int plane = q.low; plane < q.high; ++plane) {
                const std::string n = writer.row_name(*q.read, in_plane(plane));
                const std::string next = writer.row_name(*q.read, in_plane(plane + 1));
                const auto [low, high] = words(n);
                prologue.push_back(
                    {RegisterArray{n, low + GroupWriter::width + high, word_type(context_.cell_type(q.read->value))}});
                prologue.push_back({LoadVector{n, integer(low), context_.array_in(q.read->value),
                                               plane_index(*q.read, start, plane), GroupWriter::width}});
                moves.push_back({Assign{element(n, add(name(v), integer(low))),
                                        element(next, add(name(v), integer(words(next).first)))}});
                writer.hold_group(n);
            }
            shift.push_back({For{v, integer(0), integer(GroupWriter::width), 1, -1, std::move(moves)}});
        }
        writer.write();
        return loop(writer.take_outer(), std::move(prologue), writer.take_body(), std::move(shift), first, last);
    }
};

}  // namespace

Walked walk_column(FieldContext& context) { return ColumnWalk(context).run(); }

}  // namespace kasc::kernel
