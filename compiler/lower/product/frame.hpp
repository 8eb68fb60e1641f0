#pragma once
// What the parts of a kernel with tiles of results share: where blocks and threads stand, what things are called, how
// words come to shared memory.

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "frontend/reduction.hpp"
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
    Type word(const ProductRead& read) { return word_type(c().cell_type(read.value)); }

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

    ExprRef blocks_along(AxisId axis, int results) { return block_count(c().extent(axis), results); }
    std::vector<AxisId> others() const {
        std::vector<AxisId> axes;
        for (const AxisId axis : work_.pass->kept)
            if (axis != work_.across && axis != work_.down) axes.push_back(axis);
        return axes;
    }

    ExprRef grid() {
        ExprRef blocks = wide(blocks_along(work_.across, schedule_.width()));
        if (work_.down) blocks = multiply(blocks, blocks_along(*work_.down, schedule_.height()));
        if (!work_.joins()) blocks = multiply(blocks, c().extent(parts()));
        for (const AxisId axis : others()) blocks = multiply(blocks, c().extent(axis));
        return blocks;
    }

    /// Block level: blocks beside each other have tiles beside each other.
    Body place() {
        Body body;
        ExprRef number = block_index(Dimension::x);
        std::vector<AxisId> rest = others();
        if (!work_.joins()) rest.insert(rest.begin(), parts());
        std::size_t left = rest.size() + (work_.down ? 1 : 0);
        const auto take = [&](const std::string& n, const ExprRef& extent) {
            body.push_back({Let{Type::i32, n, left == 0 ? number : modulo(number, extent)}});
            if (left > 0) number = divide(number, extent), --left;
        };
        const auto take_tile = [&](AxisId axis, int results) {
            const std::string n = c().once(fmt::format("tile {}", axis.index), coordinate(axis) + "_tile");
            take(n, blocks_along(axis, results));
            body.push_back({Let{Type::i32, text_of(first_of(axis)), multiply(name(n), integer(results))}});
        };
        take_tile(work_.across, schedule_.width());
        if (work_.down) take_tile(*work_.down, schedule_.height());
        for (const AxisId axis : rest) take(coordinate(axis), c().extent(axis));
        return body;
    }

    ExprRef share() { return name(c().once("share", "share")); }
    /// Block level: of all cells, or of the part that the block has. Where parts have several chunks of 512 cells, the
    /// last ones may have none.
    Body start_of_cells() {
        const ExprRef all = c().extent(work_.pass->along);
        const Parts& cut = *program_.axes[parts()].parts;
        Body body{{Let{Type::i32, text_of(share()), convert(Type::i32, share_of_parts(cut, 1, wide(all)))}}};
        if (!work_.joins()) {
            // In 64 bits: behind the end it may be more than 32 hold.
            const ExprRef from = multiply(wide(share()), name(coordinate(parts())));
            body.push_back({Let{Type::i32, text_of(first()), convert(Type::i32, minimum(from, wide(all)))}});
        }
        const ExprRef left = work_.joins() ? all : minimum(subtract(all, first()), share());
        body.push_back({Let{Type::i32, text_of(count()), left}});
        body.push_back({Let{Type::i32, text_of(tiles()), block_count(count(), choice_.chunk)}});
        body.push_back({Threads{each_result(begin_of(folds_))}});
        return body;
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
        const int inner = cells_first ? chunk : words, all = words * chunk;
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
        const ExprRef place = cells_first ? of : within;
        const ExprRef along = cells_first ? within : of;
        const auto let = [&](Body& to, const char* what, const std::string& wish, const ExprRef& value) {
            const std::string n = c().once(fmt::format("{} of read {}", what, k), wish);
            to.push_back({Let{Type::i32, n, value}});
            return name(n);
        };
        Body each;
        const ExprRef in_chunk = let(each, "cell", variable_name(read.value) + "_cell", along);
        const AxisId of_tile = read.across ? work_.across : work_.down.value_or(work_.across);
        ExprRef result;
        if (words > 1) result = let(each, "place", variable_name(read.value) + "_place", place);
        const auto inside = [&](AxisId axis) {
            if (axis == work_.pass->along) {
                const ExprRef number = kernel::add(from, in_chunk);
                return kernel::add(first(), minimum(number, subtract(count(), integer(1))));
            }
            if (axis != of_tile || words == 1) return name(coordinate(axis));
            return minimum(kernel::add(first_of(axis), result), subtract(c().extent(axis), integer(1)));
        };
        const ExprRef start = multiply(slot, integer(std::int64_t{chunk} * schedule_.pitch(read)));
        ExprRef into = kernel::add(start, multiply(in_chunk, integer(schedule_.pitch(read))));
        if (words > 1) into = kernel::add(into, result);
        each.push_back({Fetch{tiles_[k], into, c().array_in(read.value), address(read, inside)}});
        if (all % threads != 0) {
            const ExprRef number = kernel::add(linear_thread(), multiply(turn, integer(threads)));
            each = {{If{binary("<", number, integer(all)), std::move(each), {}}}};
        }
        body.push_back({For{text_of(turn), integer(0), integer(turns), 1, -1, std::move(each)}});
    }
    /// The index of a word by where it stands along each of the kernel's axes. A read at another axis' coordinate sees
    /// the last cell beyond the end.
    ExprRef address(const ProductRead& read, const std::function<ExprRef(AxisId)>& place) {
        std::vector<ExprRef> at;
        for (std::size_t k = 0; k < read.indices.size(); ++k) {
            if (!read.places[k]) {
                at.push_back(c().scalar(std::get<Absolute>(read.indices[k]).position));
                continue;
            }
            const ExprRef where = place(work_.of().cells.axes()[*read.places[k]]);
            const bool gathers = std::holds_alternative<Computed>(read.indices[k]);
            const AxisId own = c().shape(read.value).axes[k];
            at.push_back(gathers ? minimum(where, subtract(c().extent(own), integer(1))) : where);
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
    /// Its coordinates along the tile.
    Body place_result() {
        Body body{{Let{Type::i32, coordinate(work_.across),
                       kernel::add(first_of(work_.across),
                                   place_in_tile(Dimension::x, choice_.threads_x, choice_.vector, across()))}}};
        if (work_.down)
            body.push_back({Let{Type::i32, coordinate(*work_.down),
                                kernel::add(first_of(*work_.down),
                                            place_in_tile(Dimension::y, choice_.threads_y, choice_.rows, down()))}});
        return body;
    }
    ExprRef is_result() {
        ExprRef there = binary("<", name(coordinate(work_.across)), c().extent(work_.across));
        if (work_.down) there = both(there, binary("<", name(coordinate(*work_.down)), c().extent(*work_.down)));
        return there;
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
