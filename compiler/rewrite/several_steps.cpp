#include "rewrite/several_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/expression_parts.hpp"
#include "rewrite/repeated_body.hpp"

namespace kasc {

namespace {

using namespace rewriting;

/// Calls of one kernel's body: beyond that, no kernel has the registers and the shared memory for it.
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

    /// A step, but for what stands beside it, reads at neighbours what the loop assigns.
    [[nodiscard]] static bool looks_beside(const LoopStatement& loop) {
        std::set<VariableId> assigned;
        for (const Statement& statement : loop.body)
            if (const auto* field = std::get_if<FieldStatement>(&statement)) assigned.insert(field->target);
        return std::any_of(loop.body.begin(), loop.body.end(), [&](const Statement& statement) {
            const auto* field = std::get_if<FieldStatement>(&statement);
            return field != nullptr && !stands_aside(*field) &&
                   std::any_of(field->operands.begin(), field->operands.end(), [&](const Operand& operand) {
                       return assigned.contains(operand.variable) && reads_beside(operand);
                   });
        });
    }

    [[nodiscard]] Verdict may_be_stepped(const LoopStatement& loop) const {
        const Program& p = made_.program;
        if (loop.going && !ends_in_conditions(loop))
            return Verdict::no("whether another step runs is known after each");
        if (!std::all_of(loop.body.begin(), loop.body.end(), [](const Statement& s) {
                return std::holds_alternative<FieldStatement>(s) || conditional_in(s) != nullptr;
            }))
            return Verdict::no("a step transforms, or has a loop of its own");
        const bool has_conditions = std::any_of(loop.body.begin(), loop.body.end(),
                                                [](const Statement& s) { return conditional_in(s) != nullptr; });
        // One within another runs to its end, and then its rest.
        if (has_conditions && !is_outermost(loop))
            return Verdict::no("some of its steps have more to do, and it stands in another loop");
        const std::vector<FieldStatement> steps = fields_of(loop);
        std::set<VariableId> of_stages;
        for (const FieldStatement& field : steps) {
            if (!stands_aside(field))
                for (const Operand& operand : field.operands) of_stages.insert(operand.variable);
        }
        for (const FieldStatement& field : steps) {
            const Verdict aside = stands_aside(field);
            if (aside && needs_result(steps, field.target, of_stages))
                return Verdict::no(fmt::format("'{}' {}", statement_text(p, field), aside.reason()));
        }
        if (const auto made = made_in_conditions(loop.body, steps))
            return Verdict::no(fmt::format("steps read '{}', which some of them assign", p.variables[*made].name));
        if (steps.size() * static_cast<std::size_t>(together_) > most_together_calls)
            return Verdict::no("a step computes too much to stand in one kernel with another");
        return Verdict::yes(fmt::format("{} steps behind each other", together_));
    }

    [[nodiscard]] bool is_outermost(const LoopStatement& loop) const {
        const Statements& all = made_.program.statements;
        return std::any_of(all.begin(), all.end(), [&](const Statement& s) {
            const auto* outermost = std::get_if<std::shared_ptr<const LoopStatement>>(&s);
            return outermost != nullptr && (*outermost)->loop == loop.loop;
        });
    }
    /// But for what says whether another step runs.
    [[nodiscard]] static std::vector<FieldStatement> fields_of(const LoopStatement& loop) {
        std::vector<FieldStatement> fields;
        for (const Statement& statement : loop.body) {
            const auto* field = std::get_if<FieldStatement>(&statement);
            if (field != nullptr && field->target != loop.going) fields.push_back(*field);
        }
        return fields;
    }
    /// What the loop ends by changes in conditions alone: behind a step without them another one runs.
    [[nodiscard]] bool ends_in_conditions(const LoopStatement& loop) const {
        bool has_conditions = false;
        std::set<VariableId> of_steps;
        const FieldStatement* going = nullptr;
        for (const Statement& statement : loop.body) {
            const auto* field = std::get_if<FieldStatement>(&statement);
            has_conditions = has_conditions || conditional_in(statement) != nullptr;
            if (field == nullptr && assigns(statement, *loop.going)) return false;
            if (field != nullptr && field->target == loop.going && going != nullptr) return false;
            if (field != nullptr && field->target == loop.going)
                going = field;
            else if (field != nullptr)
                of_steps.insert(field->target);
        }
        return made_.program.loops[loop.loop].counts && has_conditions && going != nullptr &&
               !uses_loop(*going->value) &&
               std::none_of(going->operands.begin(), going->operands.end(),
                            [&](const Operand& operand) { return of_steps.contains(operand.variable); });
    }
    /// What only conditions assign and steps read: kernels of several steps would read it where it was before the loop.
    [[nodiscard]] static std::optional<VariableId> made_in_conditions(const Statements& body,
                                                                      const std::vector<FieldStatement>& steps) {
        std::set<VariableId> made;
        for (const Statement& statement : body)
            if (!std::holds_alternative<FieldStatement>(statement)) made.merge(targets(statement));
        for (const FieldStatement& step : steps) made.erase(step.target);
        for (const FieldStatement& step : steps)
            for (const Operand& operand : step.operands)
                if (made.contains(operand.variable)) return operand.variable;
        return std::nullopt;
    }

    /// No kernel of several steps has it: what it reads of them is stored, and kernels of its own look at that.
    [[nodiscard]] static Verdict stands_aside(const FieldStatement& field) {
        if (joins_cells(field)) return Verdict::yes("needs all cells of a step");
        if (updates_in_place(field)) return Verdict::yes("assigns some cells, in each step");
        return Verdict::no("it is computed cell by cell");
    }
    /// Some step reads what is assigned beside the steps, or what is made of it.
    [[nodiscard]] static bool needs_result(const std::vector<FieldStatement>& steps, VariableId target,
                                           const std::set<VariableId>& of_stages) {
        std::set<VariableId> made{target};
        for (std::size_t before = 0; before != made.size();) {
            before = made.size();
            for (const FieldStatement& field : steps) {
                if (stands_aside(field) && std::any_of(field.operands.begin(), field.operands.end(),
                                                       [&](const Operand& o) { return made.contains(o.variable); }))
                    made.insert(field.target);
            }
        }
        return std::any_of(made.begin(), made.end(), [&](VariableId v) { return of_stages.contains(v); });
    }
};

}  // namespace

SeveralSteps several_steps(const Program& program, int together) { return Stepping(program, together).run(); }

}  // namespace kasc
