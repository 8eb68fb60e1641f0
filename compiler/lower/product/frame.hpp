#pragma once
// What the parts of a kernel with tiles of results share: where blocks and threads stand, what things are called, how
// words come to shared memory.

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "frontend/reduction.hpp"
#include "lower/field/expression.hpp"
#include "lower/field/result_frame.hpp"
#include "schedule/product/schedule.hpp"

namespace kasc::kernel {

class ProductFrame : protected ResultFrame {
public:
    ProductFrame(const ProductSchedule& schedule, const Program& program, const Graph& graph)
        : ResultFrame(schedule.work->of().cells, schedule.fusion(), program, graph),
          schedule_(schedule),
          work_(*schedule.work),
          choice_(schedule.choice) {}

protected:
    const ProductSchedule& schedule_;
    const ProductWork& work_;
    const FieldChoice& choice_;
    std::vector<FoldedCall> folds_, joins_;
    /// By read: the array in shared memory, what the thread has of it in registers.
    std::vector<std::string> tiles_, own_;

    [[nodiscard]] AxisId parts() const { return work_.pass->parts; }
    /// A word in a tile and in registers.
    static Type word(const ProductRead& read) { return register_type(read.type); }

    void name_reads() {
        for (std::size_t k = 0; k < work_.reads.size(); ++k) {
            const ProductRead& read = work_.reads[k];
            const std::string& of = variable_name(read.value);
            tiles_.push_back(read.is_staged() ? c().once(fmt::format("tile of read {}", k), of + "_tile") : "");
            own_.push_back(c().once(fmt::format("own of read {}", k), of + "_own"));
            if (read.is_staged()) name_region(tiles_.back(), word(read));
        }
    }

    // --- where things stand ---

    ExprRef first_of(AxisId axis) {
        return name(c().once(fmt::format("first {}", axis.index), coordinate(axis) + "_from"));
    }
    ExprRef first() {
        return work_.joins() ? integer(0) : name(c().once("first cell", coordinate(work_.pass->along) + "_from"));
    }
    ExprRef count() { return name(c().once("cells of part", "count")); }
    ExprRef tiles() { return name(c().once("tiles of part", "tiles")); }
    ExprRef tile() { return name(c().once("tile", "tile")); }
    ExprRef cell() { return name(c().once("cell of tile", coordinate(work_.pass->along) + "_in_tile")); }

    /// How many cells there are along these axes, in 64 bits.
    ExprRef cells_along(const std::vector<AxisId>& axes) {
        ExprRef all = wide(integer(1));
        for (const AxisId axis : axes) all = multiply(all, c().extent(axis));
        return all;
    }
    /// A value as a register, called so or nearly so.
    using Named = std::function<ExprRef(const std::string& wish, const ExprRef&)>;
    /// Where the cell of this number stands along each of the axes, the first of which varies fastest. `rest`: what a
    /// number is called that counts through the axes that are left.
    std::map<AxisId, ExprRef> place_along(const std::vector<AxisId>& axes, ExprRef number, const char* rest,
                                          const Named& named) {
        std::map<AxisId, ExprRef> places;
        for (const AxisId axis : axes) {
            const bool is_last = axis == axes.back();
            // Compilers divide by a number without a division.
            const auto length = declared_length(program_.axes[axis]);
            const ExprRef extent = length ? integer(*length) : c().extent(axis);
            places[axis] = is_last ? number : named(coordinate(axis), modulo(number, extent));
            if (!is_last) number = named(rest, divide(number, extent));
        }
        return places;
    }
    /// The same of a cell that is folded.
    std::map<AxisId, ExprRef> place_of_cell(const ExprRef& number, const Named& named) {
        return place_along(work_.pass->line_axes(), number, "further", named);
    }

    // Where results are counted through several axes: the block's first one stands in a row, from there on they are
    // counted by 32 bits.
    ExprRef first_row() { return name(c().once("first row", "row_from")); }
    ExprRef row_count() {
        ExprRef rows = integer(1);
        for (const AxisId axis : work_.rows) rows = multiply(rows, c().extent(axis));
        return rows;
    }
    ExprRef row_of(const ExprRef& place) {
        return kernel::add(first_row(), divide(kernel::add(first_of(work_.across), place), c().extent(work_.across)));
    }
    /// Where the result at this place of the tile stands along `across` and through rows. `nearest`: one beyond the
    /// last row stands in that one.
    std::map<AxisId, ExprRef> place_across(const ExprRef& place, bool nearest, const Named& named) {
        const ExprRef at = kernel::add(first_of(work_.across), place);
        if (work_.rows.empty()) return {{work_.across, at}};
        const ExprRef own = named(coordinate(work_.across), modulo(at, c().extent(work_.across)));
        ExprRef row = row_of(place);
        if (nearest) row = minimum(row, subtract(row_count(), integer(1)));
        std::map<AxisId, ExprRef> places = place_along(work_.rows, named("row", row), "row", named);
        places[work_.across] = own;
        return places;
    }
    ExprRef blocks_across() {
        if (work_.rows.empty()) return blocks_along(work_.across, schedule_.width());
        std::vector<AxisId> axes{work_.across};
        axes.insert(axes.end(), work_.rows.begin(), work_.rows.end());
        return block_count(cells_along(axes), schedule_.width());
    }
    ExprRef blocks_along(AxisId axis, int results) { return block_count(c().extent(axis), results); }
    [[nodiscard]] bool several_tiles() const { return schedule_.tiles() > 1; }
    ExprRef first_beside() { return name(c().once("first tile", "first_tile")); }
    ExprRef tiles_beside() { return cells_along(work_.beside); }

    ExprRef grid() {
        ExprRef blocks = wide(blocks_across());
        if (work_.down) blocks = multiply(blocks, blocks_along(*work_.down, schedule_.height()));
        if (several_tiles()) return multiply(blocks, block_count(tiles_beside(), schedule_.tiles()));
        for (const AxisId axis : work_.beside) blocks = multiply(blocks, c().extent(axis));
        return blocks;
    }

    /// Block level: blocks beside each other have tiles beside each other.
    Body place() {
        Body body;
        ExprRef number = block_index(Dimension::x);
        std::size_t left = work_.beside.size() + (work_.down ? 1 : 0);
        const auto take = [&](const std::string& n, const ExprRef& extent) {
            body.push_back({Let{Type::i32, n, left == 0 ? number : modulo(number, extent)}});
            if (left > 0) number = divide(number, extent), --left;
        };
        const auto take_tile = [&](AxisId axis, int results) {
            const std::string n = c().once(fmt::format("tile {}", axis.index), coordinate(axis) + "_tile");
            take(n, blocks_along(axis, results));
            body.push_back({Let{Type::i32, text_of(first_of(axis)), multiply(name(n), integer(results))}});
        };
        if (work_.rows.empty()) {
            take_tile(work_.across, schedule_.width());
        } else {
            const std::string n = c().once("tile across", coordinate(work_.across) + "_tile");
            take(n, blocks_across());
            const ExprRef at = multiply(wide(name(n)), integer(schedule_.width())), row = c().extent(work_.across);
            body.push_back({Let{Type::i32, text_of(first_of(work_.across)), convert(Type::i32, modulo(at, row))}});
            body.push_back({Let{Type::i32, text_of(first_row()), convert(Type::i32, divide(at, row))}});
        }
        if (work_.down) take_tile(*work_.down, schedule_.height());
        if (several_tiles()) {
            body.push_back({Let{Type::i32, text_of(first_beside()), multiply(number, integer(schedule_.tiles()))}});
            return body;
        }
        for (const AxisId axis : work_.beside) take(coordinate(axis), c().extent(axis));
        return body;
    }
    /// Thread level, where a block has several tiles: where the k-th one is, and its part of the cells. One beyond the
    /// last sees that one.
    Body place_tile(const ExprRef& k) {
        if (!several_tiles()) return {};
        const std::string n = c().once("tile of thread", "tile_here");
        const ExprRef last = subtract(convert(Type::i32, tiles_beside()), integer(1));
        Body body{{Let{Type::i32, n, minimum(kernel::add(first_beside(), k), last)}}};
        ExprRef number = name(n);
        for (const AxisId axis : work_.beside) {
            const bool is_last = axis == work_.beside.back();
            body.push_back({Let{Type::i32, coordinate(axis), is_last ? number : modulo(number, c().extent(axis))}});
            number = divide(number, c().extent(axis));
        }
        if (!work_.joins()) append(body, cells_of_part());
        return body;
    }
    Body own_tile() { return place_tile(thread_index(Dimension::z)); }
    static Body behind(Body first, Body rest) {
        append(first, std::move(rest));
        return first;
    }

    ExprRef share() { return name(c().once("share", "share")); }
    /// Block level: of all cells, or of the part that the block has. Where parts have several chunks of 512 cells, the
    /// last ones may have none.
    Body start_of_cells() {
        const ExprRef all = convert(Type::i32, cells_along(work_.pass->line_axes()));
        const Parts& cut = *program_.axes[parts()].parts;
        Body body{{Let{Type::i32, text_of(share()),
                       convert(Type::i32, share_of_parts(cut, 1, cells_along(work_.pass->line_axes())))}}};
        ExprRef most = count();
        if (work_.joins())
            body.push_back({Let{Type::i32, text_of(count()), all}});
        else if (several_tiles())
            most = minimum(all, share());
        else
            append(body, cells_of_part());
        body.push_back({Let{Type::i32, text_of(tiles()), block_count(most, choice_.chunk)}});
        body.push_back({Threads{each_result(begin_of(folds_))}});
        return body;
    }

    Body cells_of_part() {
        const ExprRef all = convert(Type::i32, cells_along(work_.pass->line_axes()));
        // In 64 bits: behind the end it may be more than 32 hold.
        const ExprRef from = multiply(wide(share()), name(coordinate(parts())));
        return {
            {Let{Type::i32, text_of(first()), convert(Type::i32, minimum(from, cells_along(work_.pass->line_axes())))}},
            {Let{Type::i32, text_of(count()), minimum(subtract(all, first()), share())}}};
    }

    // --- copies ---

    /// Thread level: cells from `from` of the part on, into this copy of their tiles.
    Body copies(const ExprRef& from, const ExprRef& slot) {
        Body body;
        for (std::size_t k = 0; k < work_.reads.size(); ++k)
            if (work_.reads[k].is_staged()) copy(body, k, from, slot);
        return body;
    }
    Body next_cells() {
        const ExprRef next = kernel::add(tile(), integer(1));
        Body body = copies(multiply(next, integer(choice_.chunk)), modulo(next, integer(2)));
        if (body.empty()) return body;
        return {{If{binary("<", next, tiles()), std::move(body), {}}}};
    }

    void copy(Body& body, std::size_t k, const ExprRef& from, const ExprRef& slot) {
        const ProductRead& read = work_.reads[k];
        const int words = schedule_.words(read), chunk = choice_.chunk, threads = schedule_.threads();
        // What lies beside each other in memory goes to threads beside each other.
        const bool cells_first = read.along_first || words == 1;
        const int inner = cells_first ? chunk : words, outer = cells_first ? words : chunk;
        const int tiles = schedule_.copies(read), all = words * chunk * tiles;
        const ExprRef turn = name(c().once("turn of copies", "turn"));
        const int turns = (all + threads - 1) / threads;
        ExprRef within, of;
        if (threads % inner == 0) {
            within = modulo(linear_thread(), integer(inner));
            of = kernel::add(divide(linear_thread(), integer(inner)), multiply(turn, integer(threads / inner)));
        } else {
            const int rounds = inner / threads;
            within = kernel::add(linear_thread(), multiply(modulo(turn, integer(rounds)), integer(threads)));
            of = divide(turn, integer(rounds));
        }
        const ExprRef of_tile_here = tiles == 1 ? nullptr : divide(of, integer(outer));
        if (tiles > 1) of = modulo(of, integer(outer));
        const ExprRef place = cells_first ? of : within;
        const ExprRef along = cells_first ? within : of;
        const auto let = [&](Body& to, const char* what, const std::string& wish, const ExprRef& value) {
            const std::string n = c().once(fmt::format("{} of read {}", what, k), wish);
            to.push_back({Let{Type::i32, n, value}});
            return name(n);
        };
        Body each;
        ExprRef in_block;
        if (tiles > 1) {
            in_block = let(each, "copied tile", variable_name(read.value) + "_of", of_tile_here);
            append(each, place_tile(in_block));
        }
        const ExprRef in_chunk = let(each, "cell", variable_name(read.value) + "_cell", along);
        const AxisId of_tile = read.across ? work_.across : work_.down.value_or(work_.across);
        ExprRef result;
        if (words > 1) result = let(each, "place", variable_name(read.value) + "_place", place);
        const ExprRef number =
            kernel::add(first(), minimum(kernel::add(from, in_chunk), subtract(count(), integer(1))));
        std::map<AxisId, ExprRef> cell_at{{work_.pass->along, number}};
        const auto in_register = [&](const std::string& what, const ExprRef& value) {
            const std::string n = c().fresh(variable_name(read.value) + "_" + what);
            each.push_back({Let{Type::i32, n, value}});
            return name(n);
        };
        if (!work_.pass->further.empty())
            cell_at = place_of_cell(let(each, "number", variable_name(read.value) + "_number", number), in_register);
        if (read.across && !work_.rows.empty())
            cell_at.merge(place_across(result ? result : integer(0), true, in_register));
        const auto inside = [&](AxisId axis) {
            if (const auto at = cell_at.find(axis); at != cell_at.end()) return at->second;
            if (axis != of_tile || !(read.across || read.down)) return name(coordinate(axis));
            if (words == 1) return first_of(axis);
            return minimum(kernel::add(first_of(axis), result), subtract(c().extent(axis), integer(1)));
        };
        const std::int64_t tile_words = schedule_.tile_pitch(read);
        ExprRef start = multiply(slot, integer(tiles * tile_words));
        if (tiles > 1) start = kernel::add(start, multiply(in_block, integer(tile_words)));
        ExprRef into = kernel::add(start, multiply(in_chunk, integer(schedule_.pitch(read))));
        if (words > 1) into = kernel::add(into, result);
        if (is_widened(read.type))
            each.push_back(
                {Assign{element(tiles_[k], into), element(c().array_in(read.value), address(read, inside))}});
        else
            each.push_back({Fetch{tiles_[k], into, c().array_in(read.value), address(read, inside)}});
        if (all % threads != 0) {
            const ExprRef copied = kernel::add(linear_thread(), multiply(turn, integer(threads)));
            each = {{If{binary("<", copied, integer(all)), std::move(each), {}}}};
        }
        body.push_back({For{text_of(turn), integer(0), integer(turns), 1, -1, std::move(each)}});
    }
    /// The index of a word by where the cell stands along each of the kernel's axes. A read at a position sees the
    /// nearest cell beyond both ends.
    ExprRef address(const ProductRead& read, const std::function<ExprRef(AxisId)>& place) {
        const std::vector<AxisId>& own = c().shape(read.value).axes;
        ExpressionSources sources;
        sources.uniform = [this](const ExpressionRef& e, Precision precision) { return c().scalar(e, precision); };
        sources.coordinate = place;
        sources.hold = [](Type, const ExprRef& e) { return e; };
        std::vector<ExprRef> at;
        for (std::size_t k = 0; k < read.indices.size(); ++k) {
            if (const auto* moving = std::get_if<Moving>(&read.indices[k])) {
                at.push_back(place(work_.of().cells.axes()[moving->axis]));
                continue;
            }
            const auto* computed = std::get_if<Computed>(&read.indices[k]);
            if (computed == nullptr) {
                at.push_back(c().scalar(std::get<Absolute>(read.indices[k]).position));
                continue;
            }
            const ExprRef last = subtract(c().extent(own[k]), integer(1));
            const bool is_place = std::holds_alternative<CoordinateUse>(computed->position->node);
            const ExprRef below = minimum(lower_position(computed->position, sources, read.precision), last);
            at.push_back(is_place ? below : maximum(below, integer(0)));
        }
        return c().index(read.value, at);
    }

    // --- results of a thread ---

    /// Where the k-th result of the thread stands from the tile's first on.
    static ExprRef place_in_tile(Dimension dimension, int threads, int results, const ExprRef& k) {
        const int group = group_of(results);
        const ExprRef own = multiply(thread_index(dimension), integer(group));
        if (group == results) return kernel::add(own, k);
        return kernel::add(
            kernel::add(multiply(divide(k, integer(group)), integer(std::int64_t{threads} * group)), own),
            modulo(k, integer(group)));
    }
    ExprRef across() { return choice_.vector > 1 ? name(c().once("result across", "r")) : integer(0); }
    ExprRef down() { return choice_.rows > 1 ? name(c().once("result down", "s")) : integer(0); }
    ExprRef result() { return kernel::add(multiply(down(), integer(choice_.vector)), across()); }
    static Statement unrolled(const ExprRef& variable, int count, Body body) {
        return {For{text_of(variable), integer(0), integer(count), 1, -1, std::move(body)}};
    }
    /// The body for each result of the thread, by across() and down().
    Body each_result(Body body) {
        if (choice_.vector > 1) body = {unrolled(across(), choice_.vector, std::move(body))};
        if (choice_.rows > 1) body = {unrolled(down(), choice_.rows, std::move(body))};
        return body;
    }
    [[nodiscard]] static bool is_named(const ExprRef& e, const std::string& n) {
        const auto* named = std::get_if<Name>(&e->node);
        return named != nullptr && text_of(e) == n;
    }
    /// Its coordinates along the tile.
    Body place_result() {
        Body body;
        const ExprRef place = place_in_tile(Dimension::x, choice_.threads_x, choice_.vector, across());
        const auto let = [&](const std::string& n, const ExprRef& value) {
            body.push_back({Let{Type::i32, n, value}});
            return name(n);
        };
        const auto row = [&](const std::string& what, const ExprRef& value) {
            return let(what == "row" ? c().fresh(what) : what, value);
        };
        for (const auto& [axis, at] : place_across(place, false, row))
            if (!is_named(at, coordinate(axis))) let(coordinate(axis), at);
        if (work_.down)
            body.push_back({Let{Type::i32, coordinate(*work_.down),
                                kernel::add(first_of(*work_.down),
                                            place_in_tile(Dimension::y, choice_.threads_y, choice_.rows, down()))}});
        return body;
    }
    ExprRef is_result() {
        // Counted through rows, results beyond the end are in rows that there are not.
        const AxisId counted = work_.rows.empty() ? work_.across : work_.rows.back();
        ExprRef there = binary("<", name(coordinate(counted)), c().extent(counted));
        if (work_.down) there = both(there, binary("<", name(coordinate(*work_.down)), c().extent(*work_.down)));
        return several_tiles() ? both(there, is_tile()) : there;
    }
    ExprRef is_tile() {
        return binary("<", kernel::add(wide(first_beside()), thread_index(Dimension::z)), tiles_beside());
    }
    Body begin_of(const std::vector<FoldedCall>& folds) {
        Body body;
        for (const FoldedCall& f : folds) body.push_back({Assign{element(f.sum, result()), FoldFrame::nothing(f)}});
        return body;
    }
    /// What the parts before have given of the result.
    ExprRef joined_sum(const FoldedCall& f) {
        if (!schedule_.joins_in_shared()) return element(f.sum, result());
        return element(f.sum, kernel::add(multiply(linear_thread(), integer(schedule_.joined_pitch())), result()));
    }
};

}  // namespace kasc::kernel
