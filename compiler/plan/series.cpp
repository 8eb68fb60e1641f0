#include "plan/series.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "plan/near_rows.hpp"

namespace kasc {

namespace {

constexpr int farthest_row = 64;  ///< the language's bound on neighbours, which a window can hold

/// How a field is used so far.
struct Use {
    std::optional<LoopId> loop;  ///< whose iteration is the row
    bool elsewhere = false;      ///< a use that does not stand near the iteration of that one loop
    bool read = false, assigned = false;
    int low = 0, high = 0;  ///< rows from the iteration on
    bool to_last = false;
    std::optional<int> first, last;  ///< rows that are assigned before the loop, by their number
    std::optional<int> begin;        ///< the loop's first iteration, where it is a number

    [[nodiscard]] bool serves(bool input) const {
        if (!loop || elsewhere) return false;
        if (input) return !assigned && !first && low >= -farthest_row && high <= farthest_row;
        // The last row would be assigned again after it was written.
        if (read || low != high || to_last) return false;
        return !first || (begin && *last < *begin + low && before() <= farthest_row);
    }
    [[nodiscard]] int before() const { return first ? *begin + low - *first : 0; }
};

std::optional<int> whole_number(const Expression& e) {
    const auto* literal = std::get_if<Literal>(&e.node);
    if (literal == nullptr || literal->value != std::trunc(literal->value) || std::abs(literal->value) > 1e9)
        return std::nullopt;
    return static_cast<int>(literal->value);
}

class Uses {
public:
    explicit Uses(const Program& program) : program_(program) { walk(program.statements, std::nullopt); }

    /// Null: it is used otherwise than as a series is.
    [[nodiscard]] const Use* as_series(VariableId variable, bool input) const {
        const auto at = uses_.find(variable);
        const bool serves = at != uses_.end() && at->second.serves(input) && !open_.contains(*at->second.loop);
        return serves ? &at->second : nullptr;
    }

private:
    const Program& program_;
    std::map<VariableId, Use> uses_;
    std::map<LoopId, std::optional<int>> begins_;  ///< of outermost loops
    /// Loops that may end earlier, so that what rows they leave is known then, or that a kernel may run as one.
    std::set<LoopId> open_;

    void walk(const std::vector<Statement>& statements, std::optional<LoopId> outermost) {
        for (const Statement& s : statements) {
            if (const auto* update = std::get_if<FieldStatement>(&s)) {
                if (!outermost && note_before(*update)) continue;
                note(update->target, update->target_indices, outermost).assigned = true;
                note_operands(*update, outermost);
            } else if (const auto* transform = std::get_if<TransformStatement>(&s)) {
                uses_[transform->target].elsewhere = uses_[transform->source].elsewhere = true;
            } else if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s)) {
                // Several iterations of it stand in the body: what is left of the loop says how one uses the fields.
                const auto& rest = program_.loops[(*loop)->loop].rest;
                if ((*loop)->going || program_.loops[(*loop)->loop].inside) open_.insert((*loop)->loop);
                if (!outermost) begins_.try_emplace(rest.value_or((*loop)->loop), whole_number(*(*loop)->from));
                if (!rest) walk((*loop)->body, outermost ? outermost : (*loop)->loop);
            }
        }
    }
    void note_operands(const FieldStatement& update, std::optional<LoopId> outermost) {
        for (const Operand& operand : update.operands) note(operand.variable, operand.indices, outermost).read = true;
    }
    /// Is it a row by its number, of a field that no loop has assigned yet?
    bool note_before(const FieldStatement& update) {
        const auto* slowest =
            update.target_indices.empty() ? nullptr : std::get_if<Absolute>(&update.target_indices.back());
        const auto row = slowest == nullptr ? std::nullopt : whole_number(*slowest->position);
        if (!row || uses_[update.target].loop) return false;
        Use& use = uses_[update.target];
        use.first = std::min(use.first.value_or(*row), *row);
        use.last = std::max(use.last.value_or(*row), *row);
        note_operands(update, std::nullopt);
        return true;
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
        use.to_last = use.to_last || rows->to_last;
        use.begin = begins_[*outermost];
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
            const auto* field = std::get_if<FieldShape>(&program.variables[variables[i]].shape);
            if (field == nullptr || both(variables[i])) continue;
            if (field->axes.size() < 2) continue;  // a number a step: no memory to speak of
            const Use* use = uses.as_series(variables[i], input);
            if (use)
                all.push_back(
                    {variables[i], *use->loop, input, i, use->low, use->high, use->before(), use->first.value_or(0)});
        }
    };
    collect(program.inputs, true);
    collect(program.outputs, false);
    return all;
}

}  // namespace kasc
