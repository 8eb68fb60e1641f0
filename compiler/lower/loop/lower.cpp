// A thread is a cell, and the loop stands in it:
//
//   float c_word = c[i]                                  what the first iteration is handed
//   for (int k = 1; k < nz; ++k) {
//       const int k_1 = k - 1                            what is the same for all cells of an iteration
//       const float c_new_0 = …                          statement by statement, through registers
//       d[k * plane + i] = d_new_0
//       c_word = c_new_0, d_former = d_new_0             what the next one is handed
//   }
//   c_out[i] = c_word
//
// Threads are counted through all cells, the first axis fastest: those beside each other are so in memory.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/rewrite_expression.hpp"
#include "frontend/same_expression.hpp"
#include "lower/field/positions.hpp"
#include "lower/lower.hpp"
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

namespace {

class LoopKernel {
public:
    LoopKernel(const LoopSchedule& schedule, const Program& program, const Graph& graph)
        : schedule_(schedule),
          work_(*schedule.work),
          program_(program),
          graph_(graph),
          context_(std::make_unique<FieldContext>(work_.statements.front(), program, *work_.loop.body)) {}

    Kernel run(const std::string& kernel_name) {
        context_->run_loop(work_.loop.loop, arrays(), stored_into());
        Kernel kernel;
        kernel.name = kernel_name;
        kernel.comment.push_back(node_text(graph_, program_, work_.node));
        Body cell = place();
        append(cell, words_before());
        append(cell, former_before());
        Body iterations;
        for (std::size_t k = 0; k < work_.statements.size(); ++k) append(iterations, statement(k, kernel));
        append(iterations, handed_on());
        Body whole = context_->iteration_preamble();
        append(whole, std::move(iterations));
        cell.push_back({For{c().loop_variable(), bound(work_.loop.from), bound(work_.loop.to), 1,
                            schedule_.choice.unroll, std::move(whole)}});
        append(cell, words_after());
        kernel.body = c().preamble();
        kernel.body.push_back({Threads{threads(std::move(cell))}});
        kernel.block = {c().rank() == 0 ? 1 : schedule_.choice.threads_x, 1, 1};
        kernel.grid = {c().rank() == 0 ? integer(1) : block_count(cells(), schedule_.choice.threads_x), integer(1),
                       integer(1)};
        kernel.parameters = c().parameters();
        kernel.functions = c().functions();
        return kernel;
    }

private:
    const LoopSchedule& schedule_;
    const LoopWork& work_;
    const Program& program_;
    const Graph& graph_;
    std::unique_ptr<FieldContext> context_;
    std::set<std::string> registers_;                  ///< of an iteration
    std::map<const WalkedField*, ExprRef> this_word_;  ///< that this iteration has made

    [[nodiscard]] FieldContext& c() { return *context_; }
    void go_on_with(const FieldSchedule& part) {
        context_ = std::make_unique<FieldContext>(std::move(*context_), part);
    }

    // ---- memory -----------------------------------------------------------------------------------------------------

    /// By values of the body, the values of the graph in whose arrays they lie.
    [[nodiscard]] std::map<ValueId, ValueId> arrays() const {
        std::map<ValueId, ValueId> all;
        for (const Captured& captured : work_.loop.captured) all[captured.inner] = captured.outer;
        for (const HandedWord& word : work_.words) {
            if (word.entering && word.initial) all[*word.entering] = *word.initial;
        }
        for (const WalkedField& field : work_.walked)
            for (const ValueId version : field.versions) all[version] = field.result;
        return all;
    }
    [[nodiscard]] std::set<ValueId> stored_into() const {
        std::set<ValueId> all;
        for (const WalkedField& field : work_.walked) all.insert(field.result);
        return all;
    }
    /// The cell's own word of a field over the kernel's axes.
    ExprRef own_cell(VariableId variable) {
        ExprRef at;
        const std::vector<AxisId>& axes = field_shape(program_, variable).axes;
        for (std::size_t k = axes.size(); k-- > 0;) {
            const ExprRef here = name(c().coordinate(c().kernel_axis(axes[k])));
            at = at ? kernel::add(multiply(at, c().extent(axes[k])), here) : wide(here);
        }
        return at ? at : integer(0);
    }

    // ---- threads ----------------------------------------------------------------------------------------------------

    ExprRef cells() {
        ExprRef all = c().extent(std::size_t{0});
        for (std::size_t k = 1; k < c().rank(); ++k) all = multiply(k == 1 ? wide(all) : all, c().extent(k));
        return all;
    }
    ExprRef number() { return name(c().once("number of the cell", "cell")); }
    Body place() {
        Body body;
        const std::vector<ExprRef> at = unfold(c(), 0, number());
        for (std::size_t k = 0; k < c().rank() && c().rank() > 1; ++k)
            body.push_back({Let{Type::i32, c().coordinate(k), convert(Type::i32, at[k])}});
        return body;
    }
    Body threads(Body cell) {
        if (c().rank() == 0) return cell;
        const bool line = c().rank() == 1;
        const ExprRef block = line ? block_index(Dimension::x) : wide(block_index(Dimension::x));
        const ExprRef own =
            kernel::add(multiply(block, integer(schedule_.choice.threads_x)), thread_index(Dimension::x));
        const std::string named = line ? c().coordinate(0) : text_of(number());
        Body body{{Let{line ? Type::i32 : Type::i64, named, own}}};
        append_if(body, binary("<", name(named), cells()), std::move(cell));
        return body;
    }

    ExprRef bound(const ExpressionRef& e) {
        const auto* all = std::get_if<ExtentUse>(&e->node);
        return all != nullptr ? c().extent(all->axis) : c().scalar(e);
    }

    // ---- what iterations hand on ------------------------------------------------------------------------------------

    ExprRef word_of_loop(const HandedWord& word) {
        return name(
            c().once(fmt::format("word {}", word.result.index), program_.variables[word.variable].name + "_word"));
    }
    ExprRef former_word(const WalkedField& field) {
        return name(c().once(fmt::format("former {}", field.result.index),
                             program_.variables[field.variable].name + "_former"));
    }
    [[nodiscard]] Type type_of(VariableId variable) const {
        return register_type(field_shape(program_, variable).type);
    }

    Body words_before() {
        Body body;
        for (const HandedWord& word : work_.words) {
            const ValueId known = word.entering.value_or(word.leaving);
            c().name_also({known, word.leaving});
            const ExprRef first =
                word.initial && word.entering ? element(c().array_in(known), own_cell(word.variable)) : c().zero(known);
            body.push_back({Variable{type_of(word.variable), text_of(word_of_loop(word)), first}});
            if (word.entering) c().hold(*word.entering, word_of_loop(word));
        }
        return body;
    }

    /// Of a walked field whose word of the iteration before is at hand, what memory has for the first.
    Body former_before() {
        Body body;
        for (const WalkedField& field : work_.walked) {
            const FieldRead* read = read_of_former(field);
            if (read == nullptr) continue;
            body.push_back(
                {Variable{type_of(field.variable), text_of(former_word(field)), c().zero(field.versions.front())}});
            c().name_also({read->value});
            std::vector<ExprRef> at;
            for (std::size_t k = 0; k < read->indices.size(); ++k) {
                const auto* moving = std::get_if<Moving>(&read->indices[k]);
                at.push_back(moving != nullptr ? name(c().coordinate(moving->axis))
                                               : c().scalar(in_iteration(std::get<Absolute>(read->indices[k]).position,
                                                                         work_.loop.from)));
            }
            const ExprRef runs = binary("<", bound(work_.loop.from), bound(work_.loop.to));
            body.push_back(
                {If{runs,
                    {{Assign{former_word(field), element(c().array_in(read->value), c().index(read->value, at))}}},
                    {}}});
        }
        return body;
    }
    [[nodiscard]] const FieldRead* read_of_former(const WalkedField& field) const {
        for (std::size_t k = 0; k < work_.statements.size(); ++k)
            for (const FieldRead& read : work_.call(k).reads)
                if (work_.walked_of(read.value) == &field &&
                    word_of(work_, k, read, program_) == WordOf::former_iteration)
                    return &read;
        return nullptr;
    }

    /// Words that are handed on as others' change places: all are known before one is assigned.
    Body handed_on() {
        Body body, assigned;
        for (const HandedWord& word : work_.words) {
            if (word.entering == word.leaving) continue;
            ExprRef leaving = c().held(word.leaving);
            if (!leaving) leaving = element(c().array_in(word.leaving), own_cell(word.variable));
            if (!body_made(word.leaving)) {
                const std::string n = c().fresh(program_.variables[word.variable].name + "_next");
                body.push_back({Let{type_of(word.variable), n, leaving}});
                leaving = name(n);
            }
            assigned.push_back({Assign{word_of_loop(word), leaving}});
        }
        for (const WalkedField& field : work_.walked)
            if (read_of_former(field) != nullptr)
                assigned.push_back({Assign{former_word(field), this_word_.at(&field)}});
        append(body, std::move(assigned));
        return body;
    }
    [[nodiscard]] bool body_made(ValueId value) const { return work_.loop.body->values[value].producer.has_value(); }

    Body words_after() {
        Body body;
        const std::vector<ValueId>& outputs = work_.fusion.outputs;
        for (const HandedWord& word : work_.words) {
            if (!std::binary_search(outputs.begin(), outputs.end(), word.result)) continue;
            const std::string array = c().array_out_of(word.result, word.variable);
            body.push_back({Assign{element(array, own_cell(word.variable)), word_of_loop(word)}});
        }
        return body;
    }

    // ---- an iteration -----------------------------------------------------------------------------------------------

    Body statement(std::size_t k, Kernel& kernel) {
        const FieldSchedule& cells = work_.statements[k];
        go_on_with(cells);
        const FieldCall& call = work_.call(k);
        kernel.comment.push_back("    " + node_text(*work_.loop.body, program_, call.node));
        check_positions(kernel, cells.plan());
        c().serve({[this, k](const FieldRead& read, const CellPlace&) -> ExprRef {
                       const WordOf of = word_of(work_, k, read, program_);
                       if (of == WordOf::memory) return nullptr;
                       const WalkedField& field = *work_.walked_of(read.value);
                       return of == WordOf::this_iteration ? this_word_.at(&field) : former_word(field);
                   },
                   nullptr});
        CellWriter writer(c(), *work_.cells[k], coordinates(c()));
        for (const std::string& known : registers_) writer.hold(known);
        const WalkedField* walked = work_.walked_of(call.value);
        Body stores;
        if (walked == nullptr) {
            c().hold(call.value, writer.result(call));
        } else {
            if (walked->kept_of) this_word_[walked] = writer.result(call);
            stores = writer.whole_stores(walked->kept_of.has_value());
        }
        registers_ = writer.held();
        Body body = writer.take_body();
        append(body, std::move(stores));
        return body;
    }

    // ---- positions --------------------------------------------------------------------------------------------------

    /// The expression with a number in place of the loop's variable.
    [[nodiscard]] ExpressionRef in_iteration(const ExpressionRef& e, const ExpressionRef& number) const {
        return with_leaves(e, [&](const ExpressionRef& leaf) {
            const auto* use = std::get_if<LoopIndexUse>(&leaf->node);
            return use != nullptr && use->loop == work_.loop.loop ? number : leaf;
        });
    }
    /// Positions go evenly with the iterations: where the first and the last stand on the grid, all do. A loop without
    /// iterations asks for nothing.
    void check_positions(Kernel& kernel, const FieldPlan& plan) const {
        std::vector<PositionCheck> checks;
        add_position_checks(checks, plan, program_, std::nullopt);
        const LoopNode& loop = work_.loop;
        const Span& span = loop.from->span;
        const auto whole = [&](int n) { return make_expression(Literal{double(n)}, ScalarKind::integer, span); };
        const auto runs =
            make_expression(BinaryOperation{BinaryOperator::less, loop.from, loop.to}, ScalarKind::boolean, span);
        const auto last =
            make_expression(BinaryOperation{BinaryOperator::subtract, loop.to, whole(1)}, ScalarKind::integer, span);
        for (const PositionCheck& check : checks) {
            std::vector<ExpressionRef> iterations{loop.from};
            if (uses_loop(*check.position, loop.loop)) iterations.push_back(last);
            for (const ExpressionRef& iteration : iterations) {
                PositionCheck own = check;
                own.position =
                    make_expression(Conditional{runs, in_iteration(check.position, iteration), whole(check.low)},
                                    ScalarKind::integer, check.span);
                add(kernel, own);
            }
        }
    }
    static void add(Kernel& kernel, const PositionCheck& check) {
        const auto known = [&](const PositionCheck& c) {
            return c.axis == check.axis && c.low == check.low && c.high == check.high &&
                   same_expression(c.position, check.position);
        };
        if (std::none_of(kernel.positions.begin(), kernel.positions.end(), known)) kernel.positions.push_back(check);
    }
};

}  // namespace

}  // namespace kasc::kernel

namespace kasc {

kernel::Lowered lower_loop(const LoopSchedule& schedule, const Program& program, const Graph& graph,
                           const std::string& kernel_name) {
    kernel::Lowered lowered;
    lowered.alternatives.push_back(kernel::LoopKernel(schedule, program, graph).run(kernel_name));
    return lowered;
}

}  // namespace kasc
