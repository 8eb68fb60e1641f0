// pq = sum(p*q), of the parts that another kernel has folded, and alpha = rr/pq, in blocks of 256 threads:
//
//   for (at = thread; at < count; at += 1024)              four lanes of each thread, which it joins
//       folded[k] = folded[k] + pq_parts[at + 256 k]
//   lanes[thread] = folded[0]
//   barrier
//   taken[w] = lanes[thread % 32 + 32 w]                    each warp all of them, joined by halves
//   exchanges 16, 8, 4, 2, 1 threads apart                  its first thread has the sum, which all others take
//   pq_word = (float)joined
//   alpha_word = rr[0]/pq_word
//   if (first block and thread) alpha[0] = alpha_word
#include "lower/field/prologue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/reduction.hpp"
#include "graph/field_target.hpp"
#include "lower/block.hpp"
#include "lower/field/fold.hpp"

namespace kasc::kernel {

namespace {

std::string word_name(FieldContext& context, ValueId value) {
    return context.once(fmt::format("prologue {}", value.index), context.value_names().at(value) + "_word");
}

ExprRef word_of(FieldContext& context, ValueId value) { return element(word_name(context, value), integer(0)); }

class Prologue {
public:
    Prologue(FieldContext& kernel, const Walked& walked, std::list<PrologueContext>& contexts)
        : kernel_(kernel), walked_(walked), contexts_(contexts), threads_(thread_count(walked.block)) {}

    /// Sums of parts come first: numbers follow from them. A context knows the parameters that those before it ask for,
    /// so that all of a call is made before the next one's.
    Body run() {
        Body body, numbers;
        for (const PrologueCall& call : calls())
            if (!assigns_slice(*call.call().statement))
                body.push_back({PrivateArray{word_name(kernel_, call.call().value), 1, type_of(call)}});
        for (const PrologueCall& call : calls())
            if (call.join) add_join(call);
        for (const PrologueCall& call : calls())
            if (!call.join) append(numbers, number(call));
        if (!joins_.empty()) append(body, joined_parts());
        append(body, std::move(numbers));
        return body;
    }

private:
    struct Join {
        FoldedCall fold;
        std::string taken;  ///< by each thread, of what others have left
        Body folding, word;
    };
    FieldContext& kernel_;
    const Walked& walked_;
    std::list<PrologueContext>& contexts_;
    const int threads_;
    std::vector<Join> joins_;

    /// Adds one for the call.
    FieldContext& next_context(const PrologueCall& call) {
        const FieldContext& before = contexts_.empty() ? kernel_ : contexts_.back().context;
        return contexts_.emplace_back(before, alone(call)).context;
    }
    void add_join(const PrologueCall& call) {
        FieldContext& own = next_context(call);
        const FoldedCall fold = folded_calls(own).front();
        const std::string taken = own.fresh("taken");
        joins_.push_back({fold, taken, parts_folded(call, fold, own), joined_word(call, fold, own)});
    }
    [[nodiscard]] const std::vector<PrologueCall>& calls() const { return kernel_.schedule.work->prologue; }
    [[nodiscard]] FieldSchedule alone(const PrologueCall& call) const {
        const FieldScheduler scheduler(kernel_.program, kernel_.graph, call.work);
        FieldChoice choice;
        choice.threads_x = choice.threads_y = 1;
        return *scheduler.with(scheduler.choice_of_fold(false).value_or(choice)).value;
    }
    [[nodiscard]] Type type_of(const PrologueCall& call) const {
        return register_type(kernel_.cell_type(call.call().value));
    }
    [[nodiscard]] static ExprRef lane() { return modulo(linear_thread(), integer(warp_threads)); }
    [[nodiscard]] ExprRef is_first_thread() const {
        ExprRef first = binary("==", linear_thread(), integer(0));
        for (const Dimension d : {Dimension::x, Dimension::y, Dimension::z}) {
            const auto* blocks = std::get_if<Integer>(&walked_.grid[static_cast<std::size_t>(d)]->node);
            if (blocks == nullptr || blocks->value != 1) first = both(first, binary("==", block_index(d), integer(0)));
        }
        return first;
    }

    [[nodiscard]] Body joined_parts() {
        std::vector<std::string> names;
        std::vector<Type> types;
        Body body, folding;
        for (const Join& join : joins_) names.push_back(join.fold.lanes), types.push_back(join.fold.type);
        const block::BlockProgram& block = *kernel_.schedule.prologue;
        append(body, declare_shared(block, names, types));
        for (Join& join : joins_) {
            body.push_back({PrivateArray{join.fold.exchanged, 2, join.fold.type}});
            append(folding, std::move(join.folding));
        }
        append(body, lower_block(block, {{{Threads{std::move(folding)}}}, lanes_joined()}));
        return body;
    }

    /// Each thread: its lanes of the parts, joined.
    [[nodiscard]] Body parts_folded(const PrologueCall& call, const FoldedCall& f, FieldContext& c) const {
        const FieldRead& read = call.call().reads.front();
        const int lanes = whole_lanes / threads_;
        const ExprRef at = name(c.once("number in part", "at")), k = name(c.once("cell of group", "ahead"));
        const ExprRef number = add(at, multiply(k, integer(threads_)));
        const ExprRef count = c.extent(call.call().statement->fold->axes.front());
        const ExprRef word = element(c.array_in(read.value), number);
        const Type own = word_type(c.cell_type(read.value));
        const ExprRef sum = element(f.sum, k);
        Body one{{Let{f.type, f.value, own == f.type ? word : convert(f.type, word)}},
                 {Assign{sum, FoldFrame::joined(f, sum, name(f.value))}}};
        Body some{{If{binary("<", number, count), std::move(one), {}}}};
        Body turn{{For{text_of(k), integer(0), integer(lanes), 1, lanes, std::move(some)}}};
        Body body{{RegisterArray{f.sum, lanes, f.type}}};
        for (int l = 0; l < lanes; ++l) body.push_back({Assign{element(f.sum, integer(l)), FoldFrame::nothing(f)}});
        body.push_back({For{text_of(at), linear_thread(), count, whole_lanes, 0, std::move(turn)}});
        append(body, FoldFrame::joined_halves(f, f.sum, lanes));
        body.push_back({Assign{element(f.lanes, linear_thread()), element(f.sum, integer(0))}});
        return body;
    }

    /// Each warp: the words that the block's threads have left.
    [[nodiscard]] Body lanes_joined() {
        const int words = threads_ / warp_threads;
        const std::string own_lane = contexts_.back().context.fresh("lane");
        Body taking{{Let{Type::i32, own_lane, lane()}}}, body, made;
        for (const auto& [f, taken, folding, word] : joins_) {
            taking.push_back({RegisterArray{taken, words, f.type}});
            for (int w = 0; w < words; ++w)
                taking.push_back(
                    {Assign{element(taken, integer(w)),
                            element(f.lanes, add(name(own_lane), integer(std::int64_t{w} * warp_threads)))}});
            append(taking, FoldFrame::joined_halves(f, taken, words));
            taking.push_back({Assign{element(f.exchanged, integer(0)), element(taken, integer(0))}});
        }
        body.push_back({Threads{std::move(taking)}});
        for (int half = warp_threads / 2; half > 0; half /= 2) {
            Body joining;
            for (const Join& join : joins_) {
                const std::string& array = join.fold.exchanged;
                const ExprRef own = element(array, integer(0)), other = element(array, integer(1));
                body.push_back({Exchange{array, 1, array, 0, 1, half}});
                joining.push_back({Assign{own, FoldFrame::joined(join.fold, own, other)}});
            }
            body.push_back({Threads{{{If{binary("<", lane(), integer(half)), std::move(joining), {}}}}}});
        }
        for (Join& join : joins_) {
            // The first thread of each warp has the sum.
            body.push_back({Exchange{join.fold.exchanged, 1, join.fold.exchanged, 0, 1, 0, warp_threads}});
            append(made, std::move(join.word));
        }
        body.push_back({Threads{std::move(made)}});
        return body;
    }

    /// The word that a thread has, once it has taken the sum; the first one stores it.
    [[nodiscard]] Body joined_word(const PrologueCall& call, const FoldedCall& f, FieldContext& own) const {
        const ValueId value = call.call().value;
        const ExprRef sum = element(f.exchanged, integer(1));
        const Type type = word_type(own.cell_type(value));
        Body body{{Assign{word_of(kernel_, value), type == f.type ? sum : convert(type, sum)}}};
        if (call.stored) append_if(body, is_first_thread(), stored(value, own));
        return body;
    }
    [[nodiscard]] Body stored(ValueId value, FieldContext& own) const {
        return {{Assign{element(own.array_out(value), integer(0)), word_of(kernel_, value)}}};
    }

    /// Each thread computes it; of a recording, the first one alone.
    [[nodiscard]] Body number(const PrologueCall& call) {
        FieldContext& own = next_context(call);
        for (const PrologueCall& before : calls()) own.hold(before.call().value, word_of(kernel_, before.call().value));
        const FieldCall& made = call.call();
        const CellProgram& cell = *own.schedule.paths.cells;
        CellWriter writer(own, cell, {});
        Body body;
        if (assigns_slice(*made.statement)) {
            writer.write();
            append_if(body, is_first_thread(), writer.take_body());
        } else {
            const ExprRef value = writer.result(made);
            body = writer.take_body();
            body.push_back({Assign{word_of(kernel_, made.value), value}});
            if (call.stored) append_if(body, is_first_thread(), stored(made.value, own));
        }
        return {{Threads{std::move(body)}}};
    }
};

}  // namespace

void hold_prologue(FieldContext& context) {
    std::vector<ValueId> words;
    for (const PrologueCall& call : context.schedule.work->prologue) words.push_back(call.call().value);
    context.name_also(words);
    for (const PrologueCall& call : context.schedule.work->prologue)
        context.hold(call.call().value, word_of(context, call.call().value));
}

Body prologue_body(FieldContext& context, const Walked& walked, std::list<PrologueContext>& contexts) {
    return Prologue(context, walked, contexts).run();
}

}  // namespace kasc::kernel
