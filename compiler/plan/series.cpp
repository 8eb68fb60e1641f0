#include "plan/series.hpp"

#include <algorithm>
#include <map>

namespace kasc {

namespace {

/// How a field is used so far.
struct Use {
    std::optional<LoopId> loop;  ///< whose iteration is the row
    bool elsewhere = false;      ///< a use that does not stand at the iteration of that one loop
    bool read = false, assigned = false;
};

class Uses {
public:
    explicit Uses(const Program& program) { walk(program.statements, std::nullopt); }

    [[nodiscard]] std::optional<LoopId> row_loop(VariableId variable, bool input) const {
        const auto at = uses_.find(variable);
        if (at == uses_.end() || at->second.elsewhere || (input ? at->second.assigned : at->second.read))
            return std::nullopt;
        return at->second.loop;
    }

private:
    std::map<VariableId, Use> uses_;

    void walk(const std::vector<Statement>& statements, std::optional<LoopId> outermost) {
        for (const Statement& s : statements) {
            if (const auto* update = std::get_if<FieldStatement>(&s)) {
                note(uses_[update->target], update->target_indices, outermost).assigned = true;
                for (const Operand& operand : update->operands)
                    note(uses_[operand.variable], operand.indices, outermost).read = true;
            } else if (const auto* transform = std::get_if<TransformStatement>(&s)) {
                uses_[transform->target].elsewhere = uses_[transform->source].elsewhere = true;
            } else if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s)) {
                walk((*loop)->body, outermost ? outermost : (*loop)->loop);
            }
        }
    }
    static Use& note(Use& use, const std::vector<AxisIndex>& indices, std::optional<LoopId> outermost) {
        const auto* slowest = indices.empty() ? nullptr : std::get_if<Absolute>(&indices.back());
        const auto* row = slowest == nullptr ? nullptr : std::get_if<LoopIndexUse>(&slowest->position->node);
        const bool here = row != nullptr && outermost && row->loop == *outermost;
        if (!here || (use.loop && *use.loop != *outermost)) use.elsewhere = true;
        if (here) use.loop = outermost;
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
            const auto loop = uses.row_loop(variables[i], input);
            if (loop) all.push_back({variables[i], *loop, input, i});
        }
    };
    collect(program.inputs, true);
    collect(program.outputs, false);
    return all;
}

}  // namespace kasc
