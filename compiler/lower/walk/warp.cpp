// A warp holds a piece of a row of x, each word once, and walks `chunk` rows along y; over three axes a block has one
// z. What is read at y - 1 … y + 1 is a queue of rows, shifted at the end of each; what is read beside a cell comes
// from the thread beside:
//
//   T_ym1 = T[i - nx], T_0[1] = T[i]              each thread, also one whose cell lies beyond the grid
//   for y in y_first … y_last:
//       T_yp1 = T[i + nx]
//       T_0[0] = T_0[1] of thread - 1             exchanged by all threads of the warp
//       T_0[2] = T_0[1] of thread + 1
//       T_new[i] = …                              all threads of the warp but the first and the last
//       T_ym1 = T_0, T_0 = T_yp1
//
// Words beside a row are exchanged where they are first read and move on with it: of a box, once when the row comes in.
#include <algorithm>
#include <cstdlib>

#include "lower/block.hpp"
#include "lower/field/group.hpp"
#include "lower/walk/planes.hpp"
#include "schedule/field/walk/warp.hpp"

namespace kasc::kernel {

namespace {

/// A row in the registers of a warp.
struct HeldRow {
    int z = 0;
    const WarpRow& row;
    FieldRow words;
};

enum class Side { low, high };
constexpr std::array both_sides{Side::low, Side::high};

bool takes(const WarpRow& row, Side side) { return side == Side::low ? row.takes_low : row.takes_high; }

class WarpWalk {
public:
    explicit WarpWalk(FieldContext& context)
        : context_(context),
          choice_(context.schedule.choice),
          piece_(context.schedule.kept<WarpParts>()->piece),
          planes_(context, 1) {}

    Walked run() {
        const int cells = piece_.cells * choice_.threads_x / warp_threads;
        Walked walked;
        walked.block = {choice_.threads_x, 1, 1};
        walked.grid = {block_count(context_.extent(std::size_t{0}), cells),
                       block_count(context_.extent(std::size_t{1}), choice_.chunk), integer(1)};
        if (context_.plan.parts.empty())
            walked.along = loaded_ahead(context_.rank() > 2 ? BlocksAlong{2, Dimension::z, integer(1)}
                                                            : BlocksAlong{1, Dimension::y, integer(choice_.chunk)},
                                        context_);
        origin_ = multiply(block_index(Dimension::x), integer(cells));
        Body& body = walked.body;
        ExprRef visited, plane_inside;
        if (context_.rank() > 2) {
            walked.grid[2] = context_.extent(std::size_t{2});
            body.push_back({Let{Type::i32, context_.coordinate(2), block_index(Dimension::z)}});
            visited = is_visited(context_, 2);
            if (context_.schedule.work->edges) plane_inside = in_interior(context_, 2, 3);
        }
        append(body, planes_.own(block_index(Dimension::y), visited));
        append(body, planes_.interior(plane_inside));
        const ExprRef inside = takes_interior_path(context_, 1);
        if (has_cell_path(context_)) body.push_back(computing_threads(planes_.edge_columns(inside), nullptr));
        interior(body, inside);
        return walked;
    }

private:
    FieldContext& context_;
    const FieldChoice& choice_;
    WarpPiece piece_;
    WalkedPlanes planes_;
    ExprRef origin_;  ///< of the block along the first axis

    // --- threads and their cells ---

    /// Names the thread's place in its warp and its cell along the first axis, which may lie beyond the grid.
    Body coordinate_of_thread() {
        const ExprRef thread = thread_index(Dimension::x);
        const bool one = choice_.threads_x == warp_threads;
        const std::string place = context_.once("place in the warp", "place");
        ExprRef x = origin_;
        if (!one) x = add(x, multiply(divide(thread, integer(warp_threads)), integer(piece_.cells)));
        const ExprRef first = subtract(name(place), integer(piece_.before));
        return {{Let{Type::i32, place, one ? thread : modulo(thread, integer(warp_threads))}},
                {Let{Type::i32, context_.coordinate(0), add(x, multiply(first, integer(choice_.vector)))}}};
    }

    /// The thread computes cells that are visited.
    ExprRef computes() {
        const ExprRef place = name(context_.once("place in the warp", "place"));
        ExprRef own;
        if (piece_.before > 0) own = binary(">=", place, integer(piece_.before));
        if (piece_.after > 0) own = both(own, binary("<", place, integer(warp_threads - piece_.after)));
        const CellAxis x = cell_axis(context_, 0, origin_, Dimension::x, choice_.threads_x);
        return both(own, visited_cells({x}));
    }

    /// `then` for threads that compute, and whose cells are `inside`; then `behind` for all.
    Statement computing_threads(Body then, const ExprRef& inside, Body behind = {}) {
        Body body = coordinate_of_thread();
        append_if(body, both(computes(), inside), std::move(then));
        append(body, std::move(behind));
        return {Threads{std::move(body)}};
    }

    // --- the rows that a warp holds ---

    [[nodiscard]] std::vector<HeldRow> held(GroupWriter& writer, const WarpRows& field) const {
        std::vector<HeldRow> all;
        for (const WarpRow& row : field.rows) {
            std::vector<int> offset(context_.rank(), 0);
            offset[1] = row.y;
            if (offset.size() > 2) offset[2] = field.z;
            all.push_back({field.z, row, writer.row_of(*field.read, offset)});
        }
        return all;
    }

    /// Each thread loads its own words of some rows, at y + the row's: of the grid's last cells where its own lie
    /// beyond.
    Statement load(const ExprRef& y, const std::vector<HeldRow>& rows) {
        const std::string x = context_.once("loaded coordinate", context_.coordinate(0) + "_held");
        const std::string i = context_.once("loaded index", "i_held");
        const int width = choice_.vector;
        const ExprRef end = subtract(context_.extent(std::size_t{0}), integer(width));
        Body body = coordinate_of_thread();
        body.push_back({Let{Type::i32, x, minimum(maximum(name(context_.coordinate(0)), integer(0)), end)}});
        std::vector<ExprRef> at{name(x), y};
        if (context_.rank() > 2) at.push_back(name(context_.coordinate(2)));
        body.push_back({Let{Type::i64, i, context_.index(rows.front().words.read->value, at)}});
        for (const HeldRow& held : rows) {
            const FieldRow& row = held.words;
            const ValueId value = row.read->value;
            const std::string array = context_.array_in(value);
            const ExprRef word = moved(moved(name(i), value, 1, held.row.y), value, 2, held.z);
            body.push_back(width == 1 ? Statement{Assign{element(row.name, integer(row.low)), element(array, word)}}
                                      : Statement{LoadVector{row.name, integer(row.low), array, word, width}});
        }
        return {Threads{std::move(body)}};
    }
    ExprRef moved(ExprRef index, ValueId value, std::size_t axis, int cells) {
        if (cells == 0) return index;
        const ExprRef words = multiply(integer(std::abs(cells)), context_.stride(value, axis));
        return cells < 0 ? subtract(std::move(index), words) : add(std::move(index), words);
    }

    /// The words on one side of a row, from as many threads as hold them.
    void exchange(Body& body, const FieldRow& row, Side side) const {
        append(body, side == Side::low ? exchanged_before(row.name, row.low, choice_.vector, row.low)
                                       : exchanged_behind(row.name, row.low, choice_.vector, row.high));
    }

    /// Each row takes the words of the one behind it: all threads their own, those that compute the words beside too,
    /// which others were not given.
    void shift(const std::vector<HeldRow>& rows, Body& own, Body& beside) {
        const std::string v = context_.once("lane", "v");
        for (std::size_t k = 0; k + 1 < rows.size(); ++k) {
            const FieldRow &row = rows[k].words, &next = rows[k + 1].words;
            const auto taken = [&](int words, int first) {
                const ExprRef to = add(name(v), integer(row.low + first)),
                              from = add(name(v), integer(next.low + first));
                const Statement word{Assign{element(row.name, to), element(next.name, from)}};
                return Statement{For{v, integer(0), integer(words), 1, -1, {word}}};
            };
            own.push_back(taken(choice_.vector, 0));
            if (row.low > 0 && !rows[k].row.takes_low) beside.push_back(taken(row.low, -row.low));
            if (row.high > 0 && !rows[k].row.takes_high) beside.push_back(taken(row.high, choice_.vector));
        }
    }

    // --- the interior ---

    void interior(Body& body, const ExprRef& inside) {
        GroupWriter writer(context_, *context_.schedule.paths.cells, coordinates(context_), 1);
        Body filled, exchanged, shift_own, shift_beside;
        std::vector<HeldRow> there, coming;
        for (const WarpRows& field : context_.schedule.kept<WarpParts>()->fields) {
            const Type type = row_type(context_.cell_type(field.read->value));
            const std::vector<HeldRow> rows = held(writer, field);
            for (const HeldRow& row : rows) {
                const FieldRow& words = row.words;
                body.push_back({PrivateArray{words.name, words.low + choice_.vector + words.high, type}});
                writer.hold(words.name);
                (&row == &rows.back() ? coming : there).push_back(row);
                for (const Side side : both_sides) exchange(takes(row.row, side) ? exchanged : filled, words, side);
            }
            shift(rows, shift_own, shift_beside);
        }
        const auto load_queued = [&] {
            filled.insert(filled.begin(), load(planes_.first(), there));
            Body rows;
            append_if(rows,
                      planes_.may_have_no_interior(false) ? binary("<", planes_.first(), planes_.last()) : nullptr,
                      std::move(filled));
            return rows;
        };
        const auto compute = [&] {
            writer.write();
            Body cells = writer.take_outer();
            append(cells, writer.take_body());
            append(cells, std::move(shift_beside));
            return computing_threads(std::move(cells), inside, std::move(shift_own));
        };
        bool walking = false;
        append(body, lower_block(*context_.schedule.block, [&](const block::Step& step) -> Body {
                   switch (step.kind) {
                       case block::StepKind::copy:
                           if (!walking) return load_queued();
                           return {load(name(context_.coordinate(1)), coming)};
                       case block::StepKind::loop_begin:
                           walking = true;
                           return {planes_.each(planes_.first(), planes_.last(), {}, choice_.unroll)};
                       case block::StepKind::exchange:
                           return std::move(exchanged);
                       case block::StepKind::compute:
                           return {compute()};
                       default:
                           return {};
                   }
               }));
    }
};

}  // namespace

Walked walk_warp(FieldContext& context) { return WarpWalk(context).run(); }

}  // namespace kasc::kernel
