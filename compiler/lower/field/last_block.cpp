// rr = sum(r*r), of the parts that all blocks have left:
//
//   if (thread == 0) last[0] = is this the last block to count itself
//   barrier
//   if (last[0] != 0)
//       the body of rr's own kernel, whose block has as many threads
//       if (thread == 0) residual[n] = …      of a kernel of one thread
//
// A kernel that is one block itself goes on without a count.
#include "lower/field/last_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "lower/block.hpp"
#include "lower/field/positions.hpp"
#include "schedule/field/last_block.hpp"
#include "schedule/field/walk/fold.hpp"

namespace kasc::kernel {

namespace {

/// The kernel joins parts, and is one block.
[[nodiscard]] bool is_one_block(const std::array<ExprRef, 3>& grid) {
    return std::all_of(grid.begin(), grid.end(), [](const ExprRef& blocks) {
        const auto* wide = std::get_if<Wide>(&blocks->node);
        const auto* number = std::get_if<Integer>(&(wide != nullptr ? wide->operand : blocks)->node);
        return number != nullptr && number->value == 1;
    });
}

[[nodiscard]] ExprRef is_first_of_block() { return binary("==", linear_thread(), integer(0)); }

/// A kernel of one block, in a block of another.
Body body_within(FieldContext& own, const BlockShape& block) {
    const bool folds = fold_of(*own.schedule.work) != nullptr;
    Walked walked = folds ? walk_fold(own) : walk_single(own);
    Body body = own.preamble();
    if (!folds) {
        Body& thread = std::get<Threads>(walked.body.front().node).body;
        thread = {{If{is_first_of_block(), std::move(thread), {}}}};
    } else if (walked.block != block) {
        throw std::logic_error("a block goes on with a kernel of another");
    }
    append(body, std::move(walked.body));
    return body;
}

}  // namespace

void add_last_block(Kernel& kernel, const FieldContext& before, const Walked& carrier,
                    const std::vector<Rider>& completed, std::list<FieldContext>& contexts) {
    Body going_on;
    std::string texts;
    const bool alone = is_one_block(carrier.grid);
    for (const Rider& one : completed) {
        FieldContext& own = contexts.emplace_back(contexts.empty() ? before : contexts.back(), one);
        for (const FieldCall& call : own.plan.calls) {
            const std::string text = node_text(own.graph, own.program, call.node);
            kernel.comment.push_back((alone ? "then: " : "then, by the last block to finish: ") + text);
            texts += (texts.empty() ? "" : "; ") + text;
        }
        append(going_on, body_within(own, kernel.block));
        add_position_checks(kernel.positions, own.plan, own.program, std::nullopt);
    }
    FieldContext& last_context = contexts.back();
    if (alone) {
        append(kernel.body, std::move(going_on));
        kernel.parameters = last_context.parameters();
        return;
    }
    const std::string finished = last_context.fresh("finished"), last = last_context.fresh("last");
    ExprRef blocks = integer(1);
    for (const ExprRef& of_dimension : carrier.grid) blocks = multiply(blocks, of_dimension);
    const block::BlockProgram& counting = counting_block();
    append(kernel.body, declare_shared(counting, {last}, {Type::i32}));
    Body count{{Threads{{{If{is_first_of_block(), {{CountBlock{last, integer(0), finished, blocks}}}, {}}}}}}};
    kernel.body.push_back({Comment{"the last block to finish has what all have left: " + texts}});
    append(
        kernel.body,
        lower_block(counting, {std::move(count),
                               {{If{binary("!=", element(last, integer(0)), integer(0)), std::move(going_on), {}}}}}));
    kernel.parameters = last_context.parameters();
    kernel.parameters.push_back({Type::i32, finished, FinishedBlocks{}});
}

}  // namespace kasc::kernel
