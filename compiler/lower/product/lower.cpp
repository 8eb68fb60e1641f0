// A tile of results and what their cells are made of (schedule/product):
//
//   fetch(A_tile + …, A + …), fetch(B_tile + …, B + …)            the first 16 of k
//   for (tile …)                                                 16 of k each
//     barrier                                                     they are there, and nobody reads the ones before them
//     fetch …                                                     the next 16, into the other place
//     for (kk < 16)  A_own[8], B_own[8]; folded[64] = fmaf(A_own[r], B_own[c], folded[c*8 + r])
//     where a part of 512 ends: sums[64] += folded[64], folded[64] = 0
//
// Threads beyond the end of the grid compute what the last result is made of, and store nothing.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "lower/block.hpp"
#include "lower/field/fold.hpp"
#include "lower/field/positions.hpp"
#include "lower/lower.hpp"

namespace kasc::kernel {

namespace {

/// Operations that one pass of the loop over cells has, all results together: 16 cells of 64 multiplications. Of what
/// takes more fewer, as they are of several instructions each: sums of Gaussians of 51 KB of code take 1.06 to 1.25
/// times as long as of 25 KB.
constexpr int unrolled_products = 1024, unrolled_operations = 256;

class ProductKernel {
public:
    ProductKernel(const ProductSchedule& schedule, const Program& program, const Graph& graph)
        : schedule_(schedule),
          work_(*schedule.work),
          choice_(schedule.choice),
          program_(program),
          context_(std::make_unique<FieldContext>(work_.of().cells, program, graph)) {}

    Kernel run(const std::string& kernel_name) {
        Kernel kernel;
        kernel.name = kernel_name;
        kernel.block = {choice_.threads_x, choice_.threads_y, 1};
        name_reads();
        folds_ = folded_calls(c());
        Body opening = place();
        for (const FoldedCall& f : folds_) private_.push_back({PrivateArray{f.sum, schedule_.results(), f.type}});
        Body begin = loads_held();
        Body start = start_of_cells(), first = copies(integer(0), integer(0)), next = next_cells();
        Body products = all_products();
        Body joined, store;
        if (work_.joins()) {
            go_on_with(*work_.of().joins);
            joins_ = folded_calls(c());
            for (const FoldedCall& f : joins_) {
                if (!schedule_.joins_in_shared()) {
                    private_.push_back({PrivateArray{f.sum, schedule_.results(), f.type}});
                    continue;
                }
                tile_names_.push_back(f.sum);
                tile_types_.push_back(f.type);
            }
            Body nothing;
            for (const FoldedCall& f : joins_) nothing.push_back({Assign{joined_sum(f), FoldFrame::nothing(f)}});
            start.push_back({Threads{each_result(std::move(nothing))}});
            joined = join_parts();
        }
        store = results();
        std::vector<Body> steps;
        steps.push_back(std::move(start));
        steps.push_back({{Threads{{{If{binary("<", integer(0), tiles()), std::move(first), {}}}}}}});
        steps.push_back({{For{text_of(tile()), integer(0), tiles(), 1, 0, {}}}});
        steps.push_back({{Threads{std::move(next)}}});
        steps.push_back({{Threads{std::move(products)}}});
        if (work_.joins()) steps.push_back({{Threads{std::move(joined)}}});
        steps.emplace_back();
        steps.push_back({{Threads{std::move(store)}}});
        append(kernel.body, c().preamble());
        append(kernel.body, std::move(opening));
        append(kernel.body, declare_shared(*schedule_.block, tile_names_, tile_types_));
        append(kernel.body, std::move(private_));
        if (!begin.empty()) kernel.body.push_back({Threads{std::move(begin)}});
        append(kernel.body, lower_block(*schedule_.block, std::move(steps)));
        kernel.grid = {grid(), integer(1), integer(1)};
        kernel.parameters = c().parameters();
        kernel.functions = c().functions();
        kernel.value_names = c().value_names();
        return kernel;
    }

private:
    const ProductSchedule& schedule_;
    const ProductWork& work_;
    const FieldChoice& choice_;
    const Program& program_;
    std::unique_ptr<FieldContext> context_;
    std::vector<FoldedCall> folds_, joins_;
    Body private_;
    /// By read: the array in shared memory, what the thread has of it in registers.
    std::vector<std::string> tiles_, own_;
    std::vector<std::string> tile_names_;  ///< by region
    std::vector<Type> tile_types_;

    FieldContext& c() { return *context_; }
    void go_on_with(const FieldSchedule& part) {
        context_ = std::make_unique<FieldContext>(std::move(*context_), part);
    }
    [[nodiscard]] AxisId parts() const { return work_.pass->parts; }
    std::string coordinate(AxisId axis) {
        return c().once(fmt::format("coordinate {}", axis.index), program_.axes[axis].name);
    }
    const std::string& variable_name(ValueId value) { return program_.variables[c().variable(value)].name; }
    Type word(const ProductRead& read) { return word_type(c().cell_type(read.value)); }

    void name_reads() {
        for (std::size_t k = 0; k < work_.reads.size(); ++k) {
            const ProductRead& read = work_.reads[k];
            const std::string& of = variable_name(read.value);
            tiles_.push_back(read.is_staged() ? c().once(fmt::format("tile of read {}", k), of + "_tile") : "");
            own_.push_back(c().once(fmt::format("own of read {}", k), of + "_own"));
            if (!read.is_staged()) continue;
            tile_names_.push_back(tiles_.back());
            tile_types_.push_back(word(read));
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
        const int inner = read.along_first || words == 1 ? chunk : words, all = words * chunk;
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
        const ExprRef place = read.along_first || words == 1 ? of : within;
        const ExprRef along = read.along_first || words == 1 ? within : of;
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
    /// Of a word, where it stands along each of the kernel's axes. A read at another axis' coordinate sees the last
    /// cell beyond the end.
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

    /// Words of results that are the same for all cells of the fold.
    Body loads_held() {
        Body loads;
        for (std::size_t k = 0; k < work_.reads.size(); ++k) {
            const ProductRead& read = work_.reads[k];
            if (read.is_staged() || (!read.across && !read.down)) continue;
            private_.push_back({PrivateArray{
                own_[k], (read.across ? choice_.vector : 1) * (read.down ? choice_.rows : 1), word(read)}});
            const auto inside = [&](AxisId axis) {
                const ExprRef where = name(coordinate(axis));
                return axis == work_.across || axis == work_.down
                           ? minimum(where, subtract(c().extent(axis), integer(1)))
                           : where;
            };
            loads.push_back({Assign{own_word(k), element(c().array_in(read.value), address(read, inside))}});
        }
        if (loads.empty()) return loads;
        Body one = place_result();
        append(one, std::move(loads));
        return each_result(std::move(one));
    }
    /// What the thread has of a read for the result at hand.
    ExprRef own_word(std::size_t k) {
        const ProductRead& read = work_.reads[k];
        if (!read.across && !read.down) return name(own_[k]);
        if (read.across && read.down) return element(own_[k], result());
        return element(own_[k], read.across ? across() : down());
    }

    // --- cells ---

    [[nodiscard]] bool asks_for(AxisId axis) {
        return std::any_of(folds_.begin(), folds_.end(), [&](const FoldedCall& f) {
            return any_part(*f.call->statement->value, [&](const Expression& part) {
                const auto* use = std::get_if<CoordinateUse>(&part.node);
                return use != nullptr && use->axis == axis;
            });
        });
    }
    [[nodiscard]] int operations() const {
        int sum = 0;
        for (const FoldedCall& f : folds_) sum += std::max(1, operation_count(*f.call->statement->value));
        return sum * schedule_.results();
    }

    /// Thread level: all cells of a tile that are there.
    Body all_products() {
        const ExprRef left = subtract(count(), multiply(tile(), integer(choice_.chunk)));
        int together = choice_.chunk;
        const int all = operations();
        const bool products_alone = all <= schedule_.results() * static_cast<int>(folds_.size());
        while (together > 1 && together * all > (products_alone ? unrolled_products : unrolled_operations))
            together /= 2;
        Statement whole{For{text_of(cell()), integer(0), integer(choice_.chunk), 1, together, products()}};
        Statement some{For{text_of(cell()), integer(0), left, 1, 1, products()}};
        return {{If{binary(">=", left, integer(choice_.chunk)), {std::move(whole)}, {std::move(some)}}}};
    }

    Body products() {
        Body body;
        if (asks_for(work_.pass->along))
            body.push_back({Let{Type::i32, coordinate(work_.pass->along),
                                kernel::add(first(), kernel::add(multiply(tile(), integer(choice_.chunk)), cell()))}});
        for (std::size_t k = 0; k < work_.reads.size(); ++k)
            if (work_.reads[k].is_staged()) take_own(body, k);
        c().serve({[this](const FieldRead& read, const CellPlace&) { return served(read); },
                   {},
                   [this](const FieldRead& read) { return served(read); }});
        CellWriter writer(c(), *work_.of().cells.paths.cell, coordinates(c()));
        Body one;
        if (asks_for(work_.across) || (work_.down && asks_for(*work_.down))) one = place_result();
        append(one, folded_cell(
                        writer, folds_, [this](const FoldedCall& f) { return element(f.sum, result()); }, nullptr));
        append(body, each_result(std::move(one)));
        c().serve({});
        return body;
    }
    ExprRef served(const FieldRead& read) {
        for (std::size_t k = 0; k < work_.reads.size(); ++k) {
            const ProductRead& known = work_.reads[k];
            if (std::find(known.by.begin(), known.by.end(), &read) == known.by.end()) continue;
            return known.along || known.across || known.down ? own_word(k) : nullptr;
        }
        return nullptr;
    }

    /// Words of one cell from the tile to registers.
    void take_own(Body& body, std::size_t k) {
        const ProductRead& read = work_.reads[k];
        const int pitch = schedule_.pitch(read);
        const ExprRef slot = multiply(modulo(tile(), integer(2)), integer(std::int64_t{choice_.chunk} * pitch));
        const ExprRef start = kernel::add(slot, multiply(cell(), integer(pitch)));
        if (schedule_.words(read) == 1) {
            body.push_back({Let{word(read), own_[k], element(tiles_[k], start)}});
            return;
        }
        const int results = read.across ? choice_.vector : choice_.rows, group = group_of(results);
        const int threads = read.across ? choice_.threads_x : choice_.threads_y;
        const Dimension dimension = read.across ? Dimension::x : Dimension::y;
        body.push_back({RegisterArray{own_[k], results, word(read)}});
        const bool vectors = group == 4 && cell_bytes(c().cell_type(read.value)) == 4;
        for (int g = 0; g < results; g += vectors ? group : 1) {
            const ExprRef at = kernel::add(start, place_in_tile(dimension, threads, results, integer(g)));
            if (vectors)
                body.push_back({LoadVector{own_[k], integer(g), tiles_[k], at, group}});
            else
                body.push_back({Assign{element(own_[k], integer(g)), element(tiles_[k], at)}});
        }
    }

    // --- parts and results ---

    /// A word of the parts' array.
    ExprRef part_word(const FoldedCall& f, const ExprRef& sum) {
        const Type stored = word_type(c().cell_type(f.call->value));
        return stored == f.type ? sum : convert(stored, sum);
    }

    Body join_parts() {
        for (const FoldedCall& f : folds_) c().hold(f.call->value, part_word(f, element(f.sum, result())));
        CellWriter writer(c(), *work_.of().joins->paths.cell, coordinates(c()));
        for (const FoldedCall& f : joins_)
            static_cast<void>(writer.declare(f.type, f.value, writer.folded(*f.call, f.type)));
        Body body = writer.take_body();
        for (const FoldedCall& f : joins_) {
            const ExprRef total = joined_sum(f);
            body.push_back({Assign{total, FoldFrame::joined(f, total, name(f.value))}});
        }
        append(body, begin_of(folds_));
        const ExprRef next = kernel::add(tile(), integer(1));
        const ExprRef of_part = divide(share(), integer(choice_.chunk));
        const ExprRef ends = binary("||", binary("==", modulo(next, of_part), integer(0)), binary("==", next, tiles()));
        return {{If{ends, each_result(std::move(body)), {}}}};
    }

    Body results() {
        Body one = place_result(), own;
        Body stores;
        for (const FoldedCall& f : work_.joins() ? joins_ : folds_)
            keep(own, stores, *f.call, part_word(f, work_.joins() ? joined_sum(f) : element(f.sum, result())));
        if (work_.of().words) {
            go_on_with(*work_.of().words);
            CellWriter writer(c(), *work_.of().words->paths.cell, coordinates(c()));
            std::vector<std::pair<const FieldCall*, ExprRef>> made;
            for (const FieldCall& call : c().plan.calls) made.emplace_back(&call, writer.result(call));
            append(own, writer.take_body());
            for (const auto& [call, value] : made) keep(own, stores, *call, value);
        }
        append(own, std::move(stores));
        one.push_back({If{is_result(), std::move(own), {}}});
        return each_result(std::move(one));
    }
    void keep(Body& body, Body& stores, const FieldCall& call, const ExprRef& value) {
        const std::string n =
            c().once(fmt::format("own word {}", call.value.index), variable_name(call.value) + "_own");
        body.push_back({Let{register_type(c().cell_type(call.value)), n, value}});
        c().hold(call.value, name(n));
        const std::vector<ValueId>& outputs = schedule_.fusion().outputs;
        if (std::find(outputs.begin(), outputs.end(), call.value) == outputs.end()) return;
        std::vector<ExprRef> at;
        for (const FieldIndex& index : call.target) {
            const auto* moving = std::get_if<Moving>(&index);
            at.push_back(moving ? name(c().coordinate(moving->axis)) : c().scalar(std::get<Absolute>(index).position));
        }
        stores.push_back({Assign{element(c().array_out(call.value), c().index(call.value, at)), name(n)}});
    }
};

}  // namespace

}  // namespace kasc::kernel

namespace kasc {

kernel::Lowered lower_product(const ProductSchedule& schedule, const Program& program, const Graph& graph,
                              const std::string& kernel_name) {
    kernel::Kernel made = kernel::ProductKernel(schedule, program, graph).run(kernel_name);
    for (const NodeId call : schedule.fusion().calls) made.comment.push_back(node_text(graph, program, call));
    const LinePass& pass = schedule.work->of();
    kernel::add_position_checks(made.positions, pass.cells.plan(), program, std::nullopt);
    if (pass.words) kernel::add_position_checks(made.positions, pass.words->plan(), program, std::nullopt);
    return {{std::move(made)}};
}

}  // namespace kasc
