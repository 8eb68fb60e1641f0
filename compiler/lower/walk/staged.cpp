// The cells of a row whose words lie beside each other in memory. A block of 128 threads, 19 words of a cell:
//
//   if (x0 + 128 <= nx)                                      all 19 loads of a thread are under way at once
//     for (int n = 0; n < 19; ++n)  f_in[n * 128 + t] = f[i_f + n * 128 + t]
//   else                                                     the end of a row
//     the same of f[i_f + min(n * 128 + t, (nx - x0) * 19 - 1)]
//   __syncthreads()
//   if (x < nx) { … f_in[t * 19 + 3] … g_out[t * 19 + 3] = … }
//   __syncthreads()
//   the same loops from g_out to g, at the end of a row for words of cells that there are
//
// Rows of one block follow each other in the grid's x, whatever axes count them.
#include <fmt/format.h>

#include "lower/block.hpp"
#include "lower/walk/walk.hpp"
#include "schedule/field/walk/staged.hpp"

namespace kasc::kernel {

namespace {

class StagedWalk {
public:
    explicit StagedWalk(FieldContext& context)
        : context_(context),
          program_(*context.schedule.block),
          fields_(context.schedule.kept<StagedParts>()->fields),
          threads_(context.schedule.choice.threads_x) {}

    Walked run() {
        Walked walked;
        walked.block = {threads_, 1, 1};
        const ExprRef blocks = block_count(context_.extent(std::size_t{0}), threads_);
        walked.grid = {blocks, integer(1), integer(1)};
        for (std::size_t k = 1; k < context_.rank(); ++k) walked.grid[0] = multiply(walked.grid[0], context_.extent(k));
        const bool rows = context_.rank() > 1;
        const ExprRef block = rows ? modulo(block_index(Dimension::x), blocks) : block_index(Dimension::x);
        const std::vector<ExprRef> positions =
            rows ? unfold(context_, 1, divide(block_index(Dimension::x), blocks)) : std::vector<ExprRef>();
        for (std::size_t k = 0; k < positions.size(); ++k)
            walked.body.push_back({Let{Type::i32, context_.coordinate(k + 1), positions[k]}});
        first_ =
            let(walked.body, Type::i32, "first cell", context_.coordinate(0) + "0", multiply(block, integer(threads_)));

        std::vector<std::string> arrays;
        std::vector<Type> types;
        for (const StagedField& field : fields_) {
            arrays.push_back(array_of(field));
            types.push_back(word_type(context_.cell_type(field.value)));
            std::vector<ExprRef> at;
            for (const AxisId axis : context_.shape(field.value).axes) at.push_back(coordinate_of_block(axis));
            starts_.push_back(let(walked.body, Type::i64, "start " + arrays.back(), "i_" + arrays.back(),
                                  context_.index(field.value, at)));
        }
        append(walked.body, declare_shared(program_, arrays, types));
        std::vector<Body> steps;
        for (const block::Step& step : program_.steps) {
            if (step.kind == block::StepKind::compute)
                steps.push_back({cells()});
            else
                steps.push_back({copies(step)});
        }
        append(walked.body, lower_block(program_, std::move(steps)));
        return walked;
    }

private:
    FieldContext& context_;
    const block::BlockProgram& program_;
    const std::vector<StagedField>& fields_;
    int threads_;
    ExprRef first_;                ///< cell of the block
    std::vector<ExprRef> starts_;  ///< in memory, of the block's words: one a field

    ExprRef let(Body& body, Type type, const std::string& key, const std::string& wish, const ExprRef& value) {
        const std::string own = context_.once(key, wish);
        body.push_back({Let{type, own, value}});
        return name(own);
    }
    std::string array_of(const StagedField& field) {
        const std::string& variable = context_.program.variables[field.variable].name;
        return context_.once(fmt::format("staged {} {}", field.value.index, field.stored),
                             variable + (field.stored ? "_out" : "_in"));
    }
    ExprRef coordinate_of_block(AxisId axis) {
        for (std::size_t k = 0; k < context_.rank(); ++k)
            if (context_.plan.axes[k] == axis) return k == 0 ? first_ : name(context_.coordinate(k));
        return integer(0);
    }

    /// Where word `at` of the block's lies in shared memory.
    [[nodiscard]] static ExprRef padded(const ExprRef& at, const TilePitch& pitch) {
        if (pitch.padding == 0) return at;
        return add(at, multiply(divide(at, integer(pitch.element_words)), integer(pitch.padding)));
    }

    /// Word `at` of the block's. `last`: of those that there are; null: there are all. Beyond it a load brings that one
    /// again, and nothing is stored.
    [[nodiscard]] Body copied(std::size_t k, const ExprRef& at, const ExprRef& last) {
        const StagedField& field = fields_[k];
        const ExprRef here = element(array_of(field), padded(at, program_.regions[k].pitch));
        const std::string array = field.stored ? context_.array_out(field.value) : context_.array_in(field.value);
        const ExprRef there = element(array, add(starts_[k], last && !field.stored ? minimum(at, last) : at));
        Body one;
        append_if(one, last && field.stored ? binary("<=", at, last) : nullptr,
                  {{field.stored ? Assign{there, here} : Assign{here, there}}});
        return one;
    }

    /// All words of the block's cells, as they lie in memory.
    Statement copies(const block::Step& step) {
        Body whole, end;
        const std::string turn = context_.once("staged turn", "n"), word = context_.once("staged word", "w");
        const ExprRef rest = subtract(context_.extent(std::size_t{0}), first_);
        const auto loop = [&](std::size_t k, const ExprRef& last) {
            Body one{{Let{Type::i32, word, add(multiply(name(turn), integer(threads_)), linear_thread())}}};
            append(one, copied(k, name(word), last));
            return Statement{For{turn, integer(0), integer(fields_[k].words), 1, -1, std::move(one)}};
        };
        for (const block::Touch& touch : step.touches) {
            const ExprRef words = integer(fields_[touch.region].words);
            whole.push_back(loop(touch.region, nullptr));
            end.push_back(loop(touch.region, subtract(multiply(rest, words), integer(1))));
        }
        return {Threads{{{If{binary(">=", rest, integer(threads_)), std::move(whole), std::move(end)}}}}};
    }

    /// The thread's word of a field that is staged; null: of another.
    ExprRef word_of_thread(ValueId value, bool stored, const std::vector<FieldIndex>& indices) {
        for (std::size_t k = 0; k < fields_.size(); ++k) {
            if (fields_[k].value != value || fields_[k].stored != stored) continue;
            const std::optional<int> word = word_of_cell(indices, context_.shape(value), context_.program);
            if (!word) return nullptr;
            const int cell = fields_[k].words + program_.regions[k].pitch.padding;
            return element(array_of(fields_[k]), add(multiply(linear_thread(), integer(cell)), integer(*word)));
        }
        return nullptr;
    }

    Statement cells() {
        FieldContext::Served served;
        served.word = [this](const FieldRead& read, const CellPlace& at) -> ExprRef {
            return !is_own(at) ? nullptr : word_of_thread(read.value, false, read.indices);
        };
        served.stored = [this](const FieldCall& call) { return word_of_thread(call.array, true, call.target); };
        context_.serve(std::move(served));
        const ExprRef on_grid = binary("<", name(context_.coordinate(0)), context_.extent(std::size_t{0}));
        Body body;
        append_if(body, both(on_grid, is_visited(context_, 0)), cells_of_thread(context_));
        body.insert(body.begin(), {Let{Type::i32, context_.coordinate(0), add(first_, linear_thread())}});
        context_.serve({});
        return {Threads{std::move(body)}};
    }
};

}  // namespace

Walked walk_staged(FieldContext& context) { return StagedWalk(context).run(); }

}  // namespace kasc::kernel
