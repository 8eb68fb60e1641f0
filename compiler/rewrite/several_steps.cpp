#include "rewrite/several_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/expression_parts.hpp"
#include "rewrite/repeated_body.hpp"

namespace kasc {

namespace {

using namespace rewriting;

/// Of one kernel's body: beyond that, no kernel has the registers and the shared memory for it.
constexpr std::size_t most_together_calls = 48;

bool reads_beside(const Operand& operand) {
    return std::any_of(operand.indices.begin(), operand.indices.end(), [](const AxisIndex& index) {
        const auto* offset = std::get_if<Offset>(&index);
        return offset != nullptr && offset->cells != 0;
    });
}

class Stepping {
public:
    Stepping(const Program& program, int together) : made_{program, {}, false}, together_(together) {}

    SeveralSteps run() {
        Statements all = with_lists(made_.program.statements, [&](const Statements& list) { return with_steps(list); });
        made_.program.statements = std::move(all);
        return std::move(made_);
    }

private:
    SeveralSteps made_;
    const int together_;

    Statements with_steps(const Statements& list) {
        Statements made;
        for (const Statement& statement : list) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
            if (loop == nullptr || !looks_beside(**loop)) {
                made.push_back(statement);
                continue;
            }
            Verdict verdict = may_be_stepped(**loop);
            if (verdict) {
                made_.changed = true;
                repeat_body(made_.program, **loop, {together_, {}}, made);
            } else {
                made.push_back(statement);
            }
            made_.verdicts.push_back({to_text(**loop, made_.program), std::move(verdict)});
        }
        return made;
    }

    /// A step reads at neighbours what the loop assigns.
    [[nodiscard]] static bool looks_beside(const LoopStatement& loop) {
        std::set<VariableId> assigned;
        for (const Statement& statement : loop.body)
            if (const auto* field = std::get_if<FieldStatement>(&statement)) assigned.insert(field->target);
        return std::any_of(loop.body.begin(), loop.body.end(), [&](const Statement& statement) {
            const auto* field = std::get_if<FieldStatement>(&statement);
            return field != nullptr &&
                   std::any_of(field->operands.begin(), field->operands.end(), [&](const Operand& operand) {
                       return assigned.contains(operand.variable) && reads_beside(operand);
                   });
        });
    }

    [[nodiscard]] Verdict may_be_stepped(const LoopStatement& loop) const {
        const Program& p = made_.program;
        if (loop.going) return Verdict::no("whether another step runs is known after each");
        for (const Statement& statement : loop.body) {
            const auto* field = std::get_if<FieldStatement>(&statement);
            const std::string text = field != nullptr ? statement_text(p, statement) : "";
            if (field == nullptr) return Verdict::no("a step transforms, or has a loop of its own");
            if (field->fold) return Verdict::no(fmt::format("'{}' needs all cells of a step", text));
            if (updates_in_place(*field))
                return Verdict::no(fmt::format("'{}' assigns some cells, in each step", text));
        }
        if (const auto series = read_at_index(loop))
            return Verdict::no(fmt::format("each step reads its own part of {}", p.variables[*series].name));
        if (loop.body.size() * static_cast<std::size_t>(together_) > most_together_calls)
            return Verdict::no("a step computes too much to stand in one kernel with another");
        return Verdict::yes(fmt::format("{} steps behind each other", together_));
    }
};

}  // namespace

SeveralSteps several_steps(const Program& program, int together) { return Stepping(program, together).run(); }

}  // namespace kasc
