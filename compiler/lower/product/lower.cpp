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
#include "kernel/used_names.hpp"
#include "lower/block.hpp"
#include "lower/field/fold.hpp"
#include "lower/field/positions.hpp"
#include "lower/lower.hpp"
#include "lower/product/frame.hpp"
#include "schedule/registers.hpp"

namespace kasc::kernel {

namespace {

/// Operations that one pass of the loop over cells has, all results together: 16 cells of 64 multiplications. What
/// takes more has fewer, as they are of several instructions each: sums of Gaussians of 51 KB of code take 1.06 to 1.25
/// times as long as of 25 KB.
constexpr int unrolled_products = 1024, unrolled_operations = 256;
constexpr int group_words = 4;  // of an access of 16 bytes

class ProductKernel : public ProductFrame {
public:
    using ProductFrame::ProductFrame;

    Kernel run(const std::string& kernel_name) {
        Kernel kernel;
        kernel.name = kernel_name;
        kernel.block = {choice_.threads_x, choice_.threads_y, choice_.threads_z};
        // Small tiles wait for memory: so many blocks that registers are used up, where ptxas would take twice as many.
        if (several_tiles())
            kernel.min_blocks =
                std::max(1, registers_of_multiprocessor / (schedule_.threads() * registers_of(schedule_)));
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
                if (schedule_.joins_in_shared())
                    name_region(f.sum, f.type);
                else
                    private_.push_back({PrivateArray{f.sum, schedule_.results(), f.type}});
            }
            Body nothing;
            for (const FoldedCall& f : joins_) nothing.push_back({Assign{joined_sum(f), FoldFrame::nothing(f)}});
            start.push_back({Threads{each_result(std::move(nothing))}});
            joined = join_parts();
        }
        store = results();
        std::vector<Body> steps;
        steps.push_back(std::move(start));
        // Where no word is another for each cell that is folded, nothing is copied.
        const bool staged = !first.empty();
        steps.push_back(staged ? Body{{Threads{{{If{binary("<", integer(0), tiles()), std::move(first), {}}}}}}}
                               : Body{});
        steps.push_back({{For{text_of(tile()), integer(0), tiles(), 1, 0, {}}}});
        steps.push_back(staged ? Body{{Threads{std::move(next)}}} : Body{});
        steps.push_back({{Threads{std::move(products)}}});
        if (work_.joins()) steps.push_back({{Threads{std::move(joined)}}});
        steps.emplace_back();
        steps.push_back({{Threads{std::move(store)}}});
        append(kernel.body, c().preamble());
        append(kernel.body, std::move(opening));
        append(kernel.body, declare_shared(*schedule_.block, region_names_, region_types_));
        append(kernel.body, std::move(private_));
        if (!begin.empty()) kernel.body.push_back({Threads{std::move(begin)}});
        append(kernel.body, lower_block(*schedule_.block, std::move(steps)));
        kernel.body = without_unused(std::move(kernel.body));
        kernel.grid = {grid(), integer(1), integer(1)};
        kernel.parameters = c().parameters();
        kernel.functions = c().functions();
        kernel.value_names = c().value_names();
        return kernel;
    }

private:
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
                const bool counted = !work_.rows.empty() && axis == work_.rows.back();
                return axis == work_.across || axis == work_.down || counted
                           ? minimum(where, subtract(c().extent(axis), integer(1)))
                           : where;
            };
            loads.push_back({Assign{own_word(k), element(c().array_in(read.value), address(read, inside))}});
        }
        if (loads.empty()) return loads;
        Body one = behind(own_tile(), place_result());
        append(one, std::move(loads));
        return each_result(std::move(one));
    }
    /// What the thread has of a read for the result at hand.
    ExprRef own_word(std::size_t k) {
        const ProductRead& read = work_.reads[k];
        if ((!read.across && !read.down) || (read.is_staged() && schedule_.words(read) == 1)) return name(own_[k]);
        if (read.across && read.down) return element(own_[k], result());
        return element(own_[k], read.across ? across() : down());
    }

    // --- cells ---

    [[nodiscard]] bool asks_for(AxisId axis) {
        return std::any_of(folds_.begin(), folds_.end(),
                           [&](const FoldedCall& f) { return kasc::asks_for(*f.call->statement->value, axis); });
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
        return behind(own_tile(),
                      {{If{binary(">=", left, integer(choice_.chunk)), {std::move(whole)}, {std::move(some)}}}});
    }

    Body products() {
        Body body;
        append(body, place_cell());
        for (std::size_t k = 0; k < work_.reads.size(); ++k)
            if (work_.reads[k].is_staged()) take_own(body, k);
        c().serve({[this](const FieldRead& read, const CellPlace&) { return served(read); },
                   {},
                   [this](const FieldRead& read) { return served(read); }});
        CellWriter writer(c(), *work_.of().cells.paths.cell, coordinates(c()));
        Body one;
        const bool of_row =
            std::any_of(work_.rows.begin(), work_.rows.end(), [&](AxisId axis) { return asks_for(axis); });
        if (asks_for(work_.across) || of_row || (work_.down && asks_for(*work_.down))) one = place_result();
        append(one, folded_cell(
                        writer, folds_, [this](const FoldedCall& f) { return element(f.sum, result()); }, nullptr));
        append(body, each_result(std::move(one)));
        c().serve({});
        return body;
    }
    /// Where the cell stands along the folded axes that are asked for.
    Body place_cell() {
        const std::vector<AxisId> line = work_.pass->line_axes();
        if (std::none_of(line.begin(), line.end(), [&](AxisId axis) { return asks_for(axis); })) return {};
        Body body;
        const auto let = [&](const std::string& n, const ExprRef& value) {
            body.push_back({Let{Type::i32, n, value}});
            return name(n);
        };
        const auto named = [&](const std::string& what, const ExprRef& value) { return let(c().fresh(what), value); };
        const ExprRef number = kernel::add(first(), kernel::add(multiply(tile(), integer(choice_.chunk)), cell()));
        for (const auto& [axis, at] : place_of_cell(line.size() > 1 ? named("number", number) : number, named))
            if (asks_for(axis)) let(coordinate(axis), at);
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
        const std::int64_t tile_words = schedule_.tile_pitch(read);
        ExprRef slot = multiply(modulo(tile(), integer(2)), integer(schedule_.copies(read) * tile_words));
        if (schedule_.copies(read) > 1)
            slot = kernel::add(slot, multiply(thread_index(Dimension::z), integer(tile_words)));
        const ExprRef start = kernel::add(slot, multiply(cell(), integer(pitch)));
        if (schedule_.words(read) == 1) {
            body.push_back({Let{word(read), own_[k], element(tiles_[k], start)}});
            return;
        }
        const int results = schedule_.results_along(read);
        const int threads = read.across ? choice_.threads_x : choice_.threads_y;
        const Dimension dimension = read.across ? Dimension::x : Dimension::y;
        body.push_back({RegisterArray{own_[k], results, word(read)}});
        const int together = words_of_access(results, tile_word_bytes(read.type));
        for (int own = 0; own < results; own += together) {
            const ExprRef at = kernel::add(start, place_in_tile(dimension, threads, results, integer(own)));
            if (together > 1)
                body.push_back({LoadVector{own_[k], integer(own), tiles_[k], at, together}});
            else
                body.push_back({Assign{element(own_[k], integer(own)), element(tiles_[k], at)}});
        }
    }

    // --- parts and results ---

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
        return behind(own_tile(), {{If{ends, each_result(std::move(body)), {}}}});
    }

    Body results() {
        Body one = behind(own_tile(), place_result()), own;
        Body stores;
        for (const FoldedCall& f : work_.joins() ? joins_ : folds_)
            keep_result(own, stores, *f.call, part_word(f, work_.joins() ? joined_sum(f) : element(f.sum, result())));
        if (work_.of().words) {
            for (const auto& [call, value] : words_made(own, *work_.of().words)) keep_result(own, stores, *call, value);
        }
        Body stored = own;
        append(stored, stores);
        one.push_back({If{is_result(), std::move(stored), {}}});
        if (!stores_groups(stores)) return each_result(std::move(one));
        return in_groups(std::move(one), std::move(own), stores);
    }

    /// Four results beside each other lie beside each other in memory, words of 4 bytes each.
    [[nodiscard]] bool stores_groups(const Body& stores) {
        const FieldPlan& results = work_.joins() ? work_.of().joins->plan() : work_.of().cells.plan();
        const auto lies_so = [&](const FieldPlan& plan) {
            return std::all_of(plan.calls.begin(), plan.calls.end(), [&](const FieldCall& call) {
                if (!holds(schedule_.fusion().outputs, call.value)) return true;
                const auto* first = call.target.empty() ? nullptr : std::get_if<Moving>(&call.target.front());
                return first && plan.axes[first->axis] == work_.across &&
                       cell_bytes(c().cell_type(call.value)) == sizeof(float);
            });
        };
        return !stores.empty() && group_of(choice_.vector) == group_words && lies_so(results) &&
               (!work_.of().words || lies_so(work_.of().words->plan()));
    }
    Type type_of_result(const std::string& array) {
        const auto type_in = [&](const FieldPlan& plan) -> std::optional<Type> {
            for (const FieldCall& call : plan.calls)
                if (holds(schedule_.fusion().outputs, call.value) && c().array_out(call.value) == array)
                    return word_register(call.value);
            return std::nullopt;
        };
        const auto of_words = work_.of().words ? type_in(work_.of().words->plan()) : std::nullopt;
        return of_words ? *of_words
                        : type_in(work_.joins() ? work_.of().joins->plan() : work_.of().cells.plan()).value();
    }
    /// `one`: a result, where it is one. `own`: its words, where it is; `stores`: of each of them.
    Body in_groups(Body one, Body own, const Body& stores) {
        const ExprRef first = name(c().once("first of group", "r_from")), v = name(c().once("of group", "v"));
        const ExprRef place = place_in_tile(Dimension::x, choice_.threads_x, choice_.vector, first);
        const ExprRef at = kernel::add(first_of(work_.across), place);
        const ExprRef extent = c().extent(work_.across);
        // Where rows are whole groups, none of these lies in two.
        ExprRef whole = both(equals(modulo(extent, integer(group_words)), integer(0)),
                             work_.rows.empty() ? binary("<=", kernel::add(at, integer(group_words)), extent)
                                                : binary("<", row_of(place), row_count()));
        if (work_.down)
            whole = both(whole, binary("<",
                                       kernel::add(first_of(*work_.down), place_in_tile(Dimension::y, choice_.threads_y,
                                                                                        choice_.rows, down())),
                                       c().extent(*work_.down)));
        if (several_tiles()) whole = both(whole, is_tile());
        const auto result_at = [&](const ExprRef& k) { return Body{{Let{Type::i32, text_of(across()), k}}}; };
        const auto each = [&](Body body) {
            return unrolled(v, group_words, behind(result_at(kernel::add(first, v)), std::move(body)));
        };
        Body group, kept = behind(own_tile(), place_result()), together = behind(result_at(first), own_tile());
        append(kept, std::move(own));
        append(together, place_result());
        for (const Statement& s : stores) {
            const auto& store = std::get<Assign>(s.node);
            const auto& word = std::get<Element>(store.target->node);
            const std::string registers = c().once("group of " + word.array, word.array + "_group");
            group.push_back({RegisterArray{registers, group_words, type_of_result(word.array)}});
            kept.push_back({Assign{element(registers, v), store.value}});
            together.push_back({StoreVector{word.array, word.index, registers, integer(0), group_words}});
        }
        group.push_back(each(std::move(kept)));
        append(group, std::move(together));
        Body body{{For{text_of(first),
                       integer(0),
                       integer(choice_.vector),
                       group_words,
                       -1,
                       {{If{whole, std::move(group), {each(std::move(one))}}}}}}};
        return choice_.rows > 1 ? Body{unrolled(down(), choice_.rows, std::move(body))} : body;
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
