// A block of 256 threads has the 1024 lanes of one result, or the 128 of eight, or the eight of 32:
//
//   sum(u)          lanes along x         blocks (parts)
//   sum(u, x)       lanes along x, results along y       blocks (parts, ny / 8, nz)
//   sum(u, z)       results along x, lanes along y       blocks (parts, nx / 32, ny)
//   sum(u, y), of few x: the same of 32, 16, 8, … results and 1, 2, 4, … parts of each
//
// A fixed tree joins the lanes. Their accumulators meet in shared memory, with a barrier after each of its steps; on a
// GPU lanes along x that are threads of one warp exchange them: 16 apart, 8, … 1, without either.
#include "lower/field/fold.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "lower/block.hpp"

namespace kasc::kernel {

namespace {

Type accumulator_type(const Program& program, const FieldStatement& statement) {
    const FoldOperator op = statement.fold->op;
    if (is_integer(field_shape(program, statement.target).type))
        return op == FoldOperator::sum || computes_long(program, statement) ? Type::i64 : Type::i32;
    return rounds(op) && !statement.fold->chained ? Type::f64 : real_type(statement.precision);
}

bool is_moving_along(const FieldIndex& index, std::size_t axis) {
    const auto* moving = std::get_if<Moving>(&index);
    return moving && moving->axis == axis;
}

}  // namespace

std::vector<FoldedCall> folded_calls(FieldContext& context) {
    std::vector<FoldedCall> folds;
    const std::vector<const FieldCall*> calls = folds_of(context.plan);
    for (const FieldCall* call : calls) {
        // Where there are several folds, each name begins with that of what is folded into.
        const std::string of =
            calls.size() > 1 ? context.program.variables[context.variable(call->value)].name + "_" : "";
        const auto own = [&](const char* what, const char* wish) {
            return context.once(fmt::format("{} of fold {}", what, call->node.index), of + wish);
        };
        folds.push_back({call, call->statement->fold->op, accumulator_type(context.program, *call->statement),
                         own("sum", "folded"), own("accumulators", "lanes"), own("exchanged lanes", "joined"),
                         own("value of a cell", "value"), own("own", "own"), own("other", "other"),
                         own("accumulators of groups", "groups")});
    }
    return folds;
}

FoldFrame::FoldFrame(FieldContext& c)
    : context(c),
      fold(*fold_of(*c.schedule.work)),
      threads(threads_of(fold, c.schedule.choice)),
      lane_dimension(fold.side_by_side ? Dimension::y : Dimension::x),
      result_dimension(fold.side_by_side ? Dimension::x : Dimension::y) {
    for (const AxisId axis : fold.axes) folded.push_back(context.kernel_axis(axis));
    for (std::size_t k = 0; k < context.rank(); ++k) {
        const AxisId axis = context.plan.axes[k];
        if (axis != fold.parts && std::find(folded.begin(), folded.end(), k) == folded.end()) kept.push_back(k);
    }
    // A CPU's block has one result where nothing is left but parts, and no threads for others.
    if (kept.empty() && context.schedule.choice.walk == Walk::row) threads.results = 1;
    flat = is_flat();
    folds = folded_calls(context);
}

/// What moves along the folded axes moves along all of them, as they lie beside each other in memory, by no step.
bool FoldFrame::is_flat(const std::vector<FieldIndex>& indices) const {
    if (is_computed(indices)) return false;
    const auto along = [&](const FieldIndex& index) {
        return std::any_of(folded.begin(), folded.end(), [&](std::size_t k) { return is_moving_along(index, k); });
    };
    const auto start = std::find_if(indices.begin(), indices.end(), along);
    if (start == indices.end()) return true;
    if (static_cast<std::size_t>(indices.end() - start) < folded.size()) return false;
    for (std::size_t k = 0; k < folded.size(); ++k) {
        const auto* moving = std::get_if<Moving>(&start[static_cast<std::ptrdiff_t>(k)]);
        if (!moving || moving->axis != folded[k] || moving->step != 0) return false;
    }
    return std::none_of(start + static_cast<std::ptrdiff_t>(folded.size()), indices.end(), along);
}

bool FoldFrame::is_flat() const {
    const FieldWork& work = *context.schedule.work;
    for (const std::size_t k : folded)
        if (work.interior_low[k] > 0 || work.interior_high[k] > 0) return false;
    return std::all_of(context.plan.calls.begin(), context.plan.calls.end(), [&](const FieldCall& call) {
        bool coordinates = false;
        for_each_part(*call.statement->value, [&](const Expression& part) {
            const auto* use = std::get_if<CoordinateUse>(&part.node);
            coordinates =
                coordinates || (use && std::find(fold.axes.begin(), fold.axes.end(), use->axis) != fold.axes.end());
        });
        return !coordinates && is_flat(call.target) &&
               std::all_of(call.reads.begin(), call.reads.end(),
                           [&](const FieldRead& read) { return is_flat(read.indices); });
    });
}

ExprRef FoldFrame::cells(std::size_t from) {
    ExprRef product = integer(1);
    for (std::size_t k = folded.size(); k-- > from;) product = multiply(wide(context.extent(folded[k])), product);
    return product;
}

ExprRef FoldFrame::result_groups() { return block_count(result_extent(), threads.results); }

/// Nothing is left but parts where cells along the only other axis are words (rewrite/axis_words): a block has one
/// result then, and the threads of others nothing to do.
ExprRef FoldFrame::is_result() {
    const ExprRef is_part = threads.parts > 1 ? binary("<", name(part()), context.extent(*fold.parts)) : nullptr;
    ExprRef own;
    if (!kept.empty())
        own = binary("<", name(result()), result_extent());
    else if (threads.results > 1)
        own = binary("==", thread_index(result_dimension), integer(0));
    return own && is_part ? both(own, is_part) : own ? own : is_part;
}

ExprRef FoldFrame::lane() const {
    const ExprRef along = thread_index(lane_dimension);
    return threads.parts > 1 ? modulo(along, integer(threads.threads)) : along;
}

Body FoldFrame::own_result() {
    Body body;
    if (!kept.empty()) body.push_back({Let{Type::i32, result(), add(first_result(), thread_index(result_dimension))}});
    if (threads.parts > 1)
        body.push_back({Let{Type::i32, part(),
                            add(first_part(), divide(thread_index(lane_dimension), integer(threads.threads)))}});
    return body;
}

std::array<ExprRef, 3> FoldFrame::grid() {
    ExprRef blocks = wide(part_blocks());
    if (!kept.empty()) blocks = multiply(blocks, result_groups());
    for (std::size_t k = 1; k < kept.size(); ++k) blocks = multiply(blocks, context.extent(kept[k]));
    return {blocks, integer(1), integer(1)};
}

Walked FoldFrame::walked() {
    Walked walked;
    const bool lanes_first = lane_dimension == Dimension::x;
    const int of_lanes = threads.threads * threads.parts;
    walked.block = {lanes_first ? of_lanes : threads.results, lanes_first ? threads.results : of_lanes, 1};
    walked.grid = grid();
    return walked;
}

std::optional<BlocksAlong> FoldFrame::blocks_along() {
    if (context.plan.parts.size() > 1 || fold.pieces) return std::nullopt;
    const std::vector<std::size_t> order = context.plan.cell_axes();
    const std::size_t last = order.back();
    const ExprRef parts = part_blocks();
    if (kept.empty()) {
        if (!fold.parts || folded != order) return std::nullopt;
        ExprRef plane = wide(integer(1));
        for (std::size_t k = 0; k + 1 < order.size(); ++k) plane = multiply(plane, context.extent(order[k]));
        return BlocksAlong{last, Dimension::x, multiply(share_of_part(cells()), integer(threads.parts)), plane, true};
    }
    const bool parts_outermost = kept.size() == 1 && lane_dimension == Dimension::y && fold.parts;
    if (kept.back() != last || parts_outermost) return std::nullopt;
    if (kept.size() == 1) return BlocksAlong{last, Dimension::x, integer(threads.results), parts};
    ExprRef blocks = multiply(wide(parts), result_groups());
    for (std::size_t k = 1; k + 1 < kept.size(); ++k) blocks = multiply(blocks, context.extent(kept[k]));
    return BlocksAlong{last, Dimension::x, integer(1), blocks};
}

ExprRef FoldFrame::part_blocks() {
    return fold.parts ? block_count(context.extent(*fold.parts), threads.parts) : integer(1);
}

/// fold_share (frontend/reduction): where there would be more parts there are as many as may be.
ExprRef FoldFrame::share_of_part(const ExprRef& all) {
    const Parts& cut = *context.program.axes[*fold.parts].parts;
    return cut.most ? share_of_parts(cut, fold.lanes, all) : integer(cut.cells);
}

ExprRef share_of_parts(const Parts& parts, int lanes, const ExprRef& cells) {
    const int multiple = parts.chained ? chained_part_cells : lanes;
    const ExprRef even = divide(add(cells, integer(*parts.most - 1)), integer(*parts.most));
    const ExprRef rounded = multiply(divide(add(even, integer(multiple - 1)), integer(multiple)), integer(multiple));
    const ExprRef few = binary("<=", cells, integer(std::int64_t{parts.cells} * *parts.most));
    return select(few, wide(integer(parts.cells)), rounded);
}

Body FoldFrame::opening() {
    Body body;
    ExprRef number = block_index(Dimension::x);
    // The rest of a division, and what is left to divide.
    const auto take = [&](Type t, const std::string& n, const ExprRef& count, bool last) {
        body.push_back({Let{t, n, last ? number : modulo(number, count)}});
        if (!last) number = divide(number, count);
    };
    // Blocks that run together read what lies together: a row's parts, or results side by side.
    const bool results_first = lane_dimension == Dimension::y;
    const auto take_part = [&](bool last) {
        if (!fold.parts) return;
        if (threads.parts == 1) return take(Type::i32, part(), part_blocks(), last);
        const std::string group = context.once("group of parts", "part_group");
        take(Type::i32, group, part_blocks(), last);
        body.push_back({Let{Type::i32, text_of(first_part()), multiply(name(group), integer(threads.parts))}});
    };
    if (!results_first) take_part(kept.empty());
    if (!kept.empty()) {
        const std::string group = context.once("group of results", "group");
        take(Type::i32, group, result_groups(), kept.size() == 1 && !(results_first && fold.parts));
        body.push_back({Let{Type::i32, text_of(first_result()), multiply(name(group), integer(threads.results))}});
    }
    if (results_first) take_part(kept.size() <= 1);
    for (std::size_t k = 1; k < kept.size(); ++k)
        take(Type::i32, context.coordinate(kept[k]), context.extent(kept[k]), k + 1 == kept.size());
    body.push_back({Let{Type::i64, text_of(all_numbers()), cells()}});
    if (!fold.parts) {
        body.push_back({Let{Type::i64, text_of(first()), wide(integer(0))}});
        body.push_back({Let{Type::i32, text_of(count()), convert(Type::i32, all_numbers())}});
    } else {
        const ExprRef numbers = share();
        if (std::holds_alternative<Name>(numbers->node))
            body.push_back({Let{Type::i64, text_of(numbers), share_of_part(all_numbers())}});
        if (threads.parts == 1) append(body, numbers_of_part());
    }
    if (!in_warps(threads.threads / 2)) {
        std::vector<std::string> names;
        std::vector<Type> types;
        for (const FoldedCall& f : folds) names.push_back(f.lanes), types.push_back(f.type);
        if (threads.beside) {
            for (const FoldedCall& f : folds) names.push_back(f.exchanged), types.push_back(f.type);
            for (const FoldedCall& f : folds) names.push_back(f.groups), types.push_back(f.type);
        }
        append(body, declare_shared(*context.schedule.block, names, types));
    }
    for (const FoldedCall& f : folds)
        if (in_warps(1)) body.push_back({PrivateArray{f.exchanged, 2, f.type}});
    return body;
}

Body FoldFrame::numbers_of_part() {
    const ExprRef left = subtract(all_numbers(), first()), most = share();
    return {{Let{Type::i64, text_of(first()), multiply(wide(most), name(part()))}},
            {Let{Type::i32, text_of(count()), convert(Type::i32, select(binary("<", left, most), left, most))}}};
}

ExprRef FoldFrame::share() {
    const ExprRef numbers = share_of_part(all_numbers());
    return std::holds_alternative<Integer>(numbers->node) ? numbers : name(context.once("share", "share"));
}

/// The lanes that a thread has where its cells come one by one.
Body FoldFrame::lanes_of_groups() const {
    Body body;
    for (const FoldedCall& f : folds) {
        body.push_back({RegisterArray{f.sum, threads.lanes_each, f.type}});
        for (int k = 0; k < threads.lanes_each; ++k) {
            const ExprRef word = add(linear_thread(), integer(std::int64_t{k} * threads.threads));
            body.push_back({Assign{element(f.sum, integer(k)), element(f.groups, word)}});
        }
        append(body, joined_halves(f, f.sum, threads.lanes_each));
        body.push_back({Assign{lane_result(f), element(f.sum, integer(0))}});
    }
    return body;
}

ExprRef FoldFrame::lane_result(const FoldedCall& f) const {
    return in_warps(threads.threads / 2) ? element(f.exchanged, integer(0)) : accumulator(f, linear_thread());
}

ExprRef FoldFrame::accumulator(const FoldedCall& f, const ExprRef& thread) { return element(f.lanes, thread); }

/// Values are computed, and so is what is stored of other calls, before anything is stored.
Body folded_cell(CellWriter& writer, const std::vector<FoldedCall>& folds,
                 const std::function<ExprRef(const FoldedCall&)>& accumulator, const ExprRef& counts) {
    const auto in_chain = [](const FoldedCall& f) {
        return f.call->statement->fold->chained && f.op == FoldOperator::sum && is_real(f.type);
    };
    for (const FoldedCall& f : folds) {
        if (in_chain(f)) {
            static_cast<void>(writer.declare(f.type, f.value, writer.chained(*f.call, accumulator(f))));
            continue;
        }
        ExprRef value = writer.folded(*f.call, f.type);
        // Computed in any case: a branch around it would be taken cell by cell.
        if (counts && !std::holds_alternative<Name>(value->node)) value = writer.declare(f.type, f.own, value);
        static_cast<void>(
            writer.declare(f.type, f.value, counts ? select(counts, value, FoldFrame::nothing(f)) : value));
    }
    Body stores = writer.whole_stores(counts != nullptr);
    Body body = writer.take_body();
    if (counts && !stores.empty()) stores = {{If{counts, std::move(stores), {}}}};
    append(body, std::move(stores));
    for (const FoldedCall& f : folds)
        body.push_back({Assign{accumulator(f),
                               in_chain(f) ? name(f.value) : FoldFrame::joined(f, accumulator(f), name(f.value))}});
    return body;
}

Body FoldFrame::cell(const CellProgram& path, const std::function<ExprRef(const FoldedCall&)>& accumulator,
                     const ExprRef& number, const ExprRef& counts) {
    CellWriter writer(context, path, coordinates(context));
    if (flat) writer.walk_as_one(folded, number, cells());
    return folded_cell(writer, folds, accumulator, counts);
}

Body FoldFrame::join_cell(CellPath path, const std::function<ExprRef(const FoldedCall&)>& accumulator,
                          const ExprRef& number) {
    const FieldPaths& paths = context.schedule.paths;
    const FieldWork& work = *context.schedule.work;
    if (!work.edges || path == CellPath::interior) return cell(*paths.cell, accumulator, number);
    if (path == CellPath::any) return cell(*work.edge, accumulator, number);
    return {{If{in_interior(context, 0, context.rank()), cell(*paths.cell, accumulator, number),
                cell(*work.edge, accumulator, number)}}};
}

Body FoldFrame::join_cell_where(const ExprRef& counts, const std::function<ExprRef(const FoldedCall&)>& accumulator) {
    return cell(*context.schedule.paths.cell, accumulator, nullptr, counts);
}

Statement FoldFrame::store(const FoldedCall& f, const ExprRef& own) {
    std::vector<ExprRef> at;
    for (const FieldIndex& index : f.call->target) {
        const auto* moving = std::get_if<Moving>(&index);
        at.push_back(moving ? name(context.coordinate(moving->axis))
                            : context.scalar(std::get<Absolute>(index).position));
    }
    const Type word = word_type(context.cell_type(f.call->value));
    return {Assign{element(context.array_out(f.call->value), context.index(f.call->value, at)),
                   word == f.type ? own : convert(word, own)}};
}

/// The last steps of the tree, each thread's sums beside those that it is given.
Body FoldFrame::exchange_lanes() {
    Body body, taken;
    for (const FoldedCall& f : folds)
        taken.push_back({Assign{element(f.exchanged, integer(0)), accumulator(f, linear_thread())}});
    if (!in_warps(threads.threads / 2)) body.push_back({Threads{std::move(taken)}});
    append(body, exchange_in_warps(folds, lane_dimension, std::min(threads.threads, warp_threads)));
    return body;
}

Body FoldFrame::exchange_in_warps(const std::vector<FoldedCall>& some, Dimension lanes, int count) {
    Body body;
    for (int half = count / 2; half > 0; half /= 2) {
        Body join;
        for (const FoldedCall& f : some) {
            const ExprRef own = element(f.exchanged, integer(0)), other = element(f.exchanged, integer(1));
            body.push_back({Exchange{f.exchanged, 1, f.exchanged, 0, 1, half}});
            join.push_back({Assign{own, joined(f, own, other)}});
        }
        body.push_back({Threads{{{If{binary("<", thread_index(lanes), integer(half)), std::move(join), {}}}}}});
    }
    return body;
}

/// A thread's accumulators with those of the lane `half` lanes on.
Body FoldFrame::join(const ExprRef& thread, int half) {
    const int pitch = lane_dimension == Dimension::x ? 1 : threads.results;
    Body body;
    for (const FoldedCall& f : folds) {
        const ExprRef own = accumulator(f, thread);
        body.push_back({Let{f.type, f.own, own}});
        body.push_back({Let{f.type, f.other, accumulator(f, add(thread, integer(std::int64_t{half} * pitch)))}});
        body.push_back({Assign{own, joined(f, name(f.own), name(f.other))}});
    }
    return body;
}

Body FoldFrame::in_steps(std::vector<Body> steps) {
    Body body = opening();
    append(body, lower_block(*context.schedule.block, std::move(steps)));
    return body;
}

Body FoldFrame::block(Body folding) {
    std::vector<Body> steps{std::move(folding)};
    if (threads.beside) steps.push_back({{Threads{lanes_of_groups()}}});
    for (int half = threads.threads / 2; half > 0 && !in_warps(half); half /= 2)
        steps.push_back({{Threads{{{If{binary("<", lane(), integer(half)), join(linear_thread(), half), {}}}}}}});
    if (in_warps(1)) steps.push_back(exchange_lanes());
    Body last = own_result();
    ExprRef stores = binary("==", lane(), integer(0));
    if (const ExprRef counts = is_result()) stores = both(stores, counts);
    Body results_stored;
    for (const FoldedCall& f : folds)
        results_stored.push_back(
            store(f, in_warps(1) ? element(f.exchanged, integer(0)) : accumulator(f, linear_thread())));
    last.push_back({If{stores, std::move(results_stored), {}}});
    steps.push_back({{Threads{std::move(last)}}});
    return in_steps(std::move(steps));
}

Body FoldFrame::block(Body folding, const LanesBelow& lanes_below) {
    std::vector<Body> steps{std::move(folding)};
    for (int half = threads.threads / 2; half > 0; half /= 2)
        steps.push_back({lanes_below(integer(half), [&](const ExprRef& thread) { return join(thread, half); })});
    steps.push_back({lanes_below(integer(1), [&](const ExprRef& thread) {
        Body stored;
        for (const FoldedCall& f : folds) stored.push_back(store(f, accumulator(f, thread)));
        return stored;
    })});
    return in_steps(std::move(steps));
}

}  // namespace kasc::kernel
