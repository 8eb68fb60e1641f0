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
            if (loop == nullptr || conditional_in(statement) != nullptr) {
                made.push_back(statement);
                continue;
            }
            const bool within = !is_outermost(**loop);
            const SettledSteps steps = settled_steps(**loop, together_, within);
            if (!looks_beside(steps)) {
                made.push_back(statement);
                continue;
            }
            Verdict verdict = may_be_stepped(**loop, steps, within);
            if (verdict) {
                made_.changed = true;
                repeat_steps(made_.program, **loop, steps, made);
            } else {
                made.push_back(statement);
            }
            made_.verdicts.push_back({to_text(**loop, made_.program), std::move(verdict)});
        }
        return made;
    }

    /// A step, but for what stands beside it, reads at neighbours what the loop assigns.
    [[nodiscard]] static bool looks_beside(const SettledSteps& steps) {
        std::set<VariableId> assigned;
        const std::vector<FieldStatement> all = fields_of(steps, {});
        for (const FieldStatement& field : all) assigned.insert(field.target);
        return std::any_of(all.begin(), all.end(), [&](const FieldStatement& field) {
            return !stands_aside(field) &&
                   std::any_of(field.operands.begin(), field.operands.end(), [&](const Operand& operand) {
                       return assigned.contains(operand.variable) && reads_beside(operand);
                   });
        });
    }

    [[nodiscard]] Verdict may_be_stepped(const LoopStatement& loop, const SettledSteps& steps, bool within) const {
        const Program& p = made_.program;
        const std::vector<FieldStatement> fields = fields_of(steps, loop.going);
        if (loop.going && !ends_in_conditions(loop, steps, fields))
            return Verdict::no("whether another step runs is known after each");
        for (const Statements& step : steps.steps)
            if (!std::all_of(step.begin(), step.end(),
                             [](const Statement& s) { return std::holds_alternative<FieldStatement>(s); }))
                return Verdict::no("a step transforms, or has a loop of its own");
        // One within another runs to its end, and then its rest.
        if (steps.plain != nullptr && within)
            return Verdict::no("some of its steps have more to do, and it stands in another loop");
        if (!steps.possible) return steps.possible;
        std::set<VariableId> of_stages;
        for (const FieldStatement& field : fields) {
            if (!stands_aside(field))
                for (const Operand& operand : field.operands) of_stages.insert(operand.variable);
        }
        for (const FieldStatement& field : fields) {
            const Verdict aside = stands_aside(field);
            if (aside && needs_result(fields, field.target, of_stages))
                return Verdict::no(fmt::format("'{}' {}", statement_text(p, field), aside.reason()));
        }
        if (const auto made = made_in_conditions(steps, fields))
            return Verdict::no(fmt::format("steps read '{}', which some of them assign", p.variables[*made].name));
        if (fields.size() > most_together_calls)
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
    /// All that the steps assign, but for what says whether another step runs.
    [[nodiscard]] static std::vector<FieldStatement> fields_of(const SettledSteps& steps,
                                                               std::optional<VariableId> going) {
        std::vector<FieldStatement> fields;
        for (const Statements& step : steps.steps)
            for (const Statement& statement : step) {
                const auto* field = std::get_if<FieldStatement>(&statement);
                if (field != nullptr && field->target != going) fields.push_back(*field);
            }
        return fields;
    }
    /// What the loop ends by changes in single iterations alone: behind a step of several another one runs.
    [[nodiscard]] bool ends_in_conditions(const LoopStatement& loop, const SettledSteps& steps,
                                          const std::vector<FieldStatement>& fields) const {
        const auto is_end = [&](const Statement& s) { return assigns(s, *loop.going); };
        if (steps.left.empty() || !made_.program.loops[loop.loop].counts ||
            std::count_if(loop.body.begin(), loop.body.end(), is_end) != 1)
            return false;
        const auto* end = std::get_if<FieldStatement>(&*std::find_if(loop.body.begin(), loop.body.end(), is_end));
        return end != nullptr && !uses_loop(*end->value) &&
               std::none_of(end->operands.begin(), end->operands.end(), [&](const Operand& operand) {
                   return std::any_of(fields.begin(), fields.end(),
                                      [&](const FieldStatement& f) { return f.target == operand.variable; });
               });
    }
    /// What only conditions assign and steps read: kernels of several steps would read it where it was before the loop.
    [[nodiscard]] static std::optional<VariableId> made_in_conditions(const SettledSteps& steps,
                                                                      const std::vector<FieldStatement>& fields) {
        std::set<VariableId> made;
        for (const LoopStatement* left : steps.left)
            for (const Statement& statement : left->body) made.merge(targets(statement));
        for (const FieldStatement& field : fields) made.erase(field.target);
        for (const FieldStatement& field : fields)
            for (const Operand& operand : field.operands)
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
