#include "plan/series.hpp"

#include <algorithm>
#include <map>

#include "plan/near_rows.hpp"

namespace kasc {

namespace {

/// How a field is used so far.
struct Use {
    std::optional<LoopId> loop;  ///< whose iteration is the row
    bool elsewhere = false;      ///< a use that does not stand near the iteration of that one loop
    bool read = false, assigned = false;
    int low = 0, high = 0;  ///< rows from the iteration on

    [[nodiscard]] bool serves(bool input) const {
        return loop && !elsewhere && !(input ? assigned : read || low != high);
    }
};

class Uses {
public:
    explicit Uses(const Program& program) : program_(program) { walk(program.statements, std::nullopt); }

    /// Null: it is used otherwise than as a series is.
    [[nodiscard]] const Use* as_series(VariableId variable, bool input) const {
        const auto at = uses_.find(variable);
        return at == uses_.end() || !at->second.serves(input) ? nullptr : &at->second;
    }

private:
    const Program& program_;
    std::map<VariableId, Use> uses_;

    void walk(const std::vector<Statement>& statements, std::optional<LoopId> outermost) {
        for (const Statement& s : statements) {
            if (const auto* update = std::get_if<FieldStatement>(&s)) {
                note(update->target, update->target_indices, outermost).assigned = true;
                for (const Operand& operand : update->operands)
                    note(operand.variable, operand.indices, outermost).read = true;
            } else if (const auto* transform = std::get_if<TransformStatement>(&s)) {
                uses_[transform->target].elsewhere = uses_[transform->source].elsewhere = true;
            } else if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s)) {
                walk((*loop)->body, outermost ? outermost : (*loop)->loop);
            }
        }
    }
    Use& note(VariableId variable, const std::vector<AxisIndex>& indices, std::optional<LoopId> outermost) {
        Use& use = uses_[variable];
        const auto* slowest = indices.empty() ? nullptr : std::get_if<Absolute>(&indices.back());
        const auto rows = slowest == nullptr
                              ? std::nullopt
                              : near_rows(*slowest->position, field_shape(program_, variable).axes.back());
        const bool here = rows && outermost && rows->loop == *outermost;
        if (!here || (use.loop && *use.loop != *outermost)) use.elsewhere = true;
        if (!here) return use;
        use.low = use.loop ? std::min(use.low, rows->low) : rows->low;
        use.high = use.loop ? std::max(use.high, rows->high) : rows->high;
        use.loop = outermost;
        return use;
    }
};

}  // namespace

std::vector<Series> series_of(const Program& program) {
    std::vector<Series> all;
    const Uses uses(program);
    const auto both = [&](VariableId v) {
        return std::find(program.inputs.begin(), program.inputs.end(), v) != program.inputs.end() &&
               std::find(program.outputs.begin(), program.outputs.end(), v) != program.outputs.end();
    };
    const auto collect = [&](const std::vector<VariableId>& variables, bool input) {
        for (std::size_t i = 0; i < variables.size(); ++i) {
            if (program.kind == ProgramKind::stream || both(variables[i])) continue;
            if (field_shape(program, variables[i]).axes.size() < 2) continue;  // a number a step: no memory to speak of
            const Use* use = uses.as_series(variables[i], input);
            if (use) all.push_back({variables[i], *use->loop, input, i, use->low, use->high});
        }
    };
    collect(program.inputs, true);
    collect(program.outputs, false);
    return all;
}

}  // namespace kasc
