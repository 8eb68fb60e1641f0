#include "rewrite/remake_in_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "frontend/new_field.hpp"
#include "rewrite/repeated_body.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

using namespace rewriting;
using Loop = std::shared_ptr<const LoopStatement>;

class RemakingInConditions {
public:
    explicit RemakingInConditions(const Program& program) { result_.program = program; }

    RemadeFields run() {
        Statements all =
            with_lists(result_.program.statements, [&](const Statements& list) { return with_copies(list); });
        result_.program.statements = std::move(all);
        return std::move(result_);
    }

private:
    /// The statements of the body that make a field, by their places.
    using Places = std::set<std::size_t>;
    RemadeFields result_;

    [[nodiscard]] const std::string& name(VariableId v) const { return result_.program.variables[v].name; }

    Statements with_copies(Statements body) {
        for (std::size_t at = 0; at < body.size(); ++at) {
            const LoopStatement* condition = conditional_in(body[at]);
            if (condition == nullptr) continue;
            Places all;
            for (const VariableId field : read_by(*condition)) {
                Places own;
                if (!is_temporary(body, field) || !definition(body, field, at)) continue;
                const std::string fault = collect(body, field, at, at, own);
                result_.verdicts.push_back({name(field), fault.empty()
                                                             ? Verdict::yes("conditions alone need it in memory")
                                                             : Verdict::no(fault)});
                if (fault.empty()) all.merge(own);
            }
            if (!all.empty()) body[at] = with_copies_of(body, all, *condition);
        }
        return body;
    }

    [[nodiscard]] static std::set<VariableId> read_by(const LoopStatement& condition) {
        std::set<VariableId> all;
        for (const Statement& statement : condition.body)
            if (const auto* field = std::get_if<FieldStatement>(&statement))
                for (const Operand& operand : field->operands) all.insert(operand.variable);
        for (const Statement& statement : condition.body)
            for (const VariableId made : targets(statement)) all.erase(made);
        return all;
    }

    /// A field over cells that each step makes and reads at the cell itself, and nothing else does.
    [[nodiscard]] bool is_temporary(const Statements& body, VariableId field) const {
        const Program& p = result_.program;
        if (field_shape(p, field).axes.empty()) return false;
        if (std::find(p.outputs.begin(), p.outputs.end(), field) != p.outputs.end()) return false;
        std::size_t here = 0, everywhere = 0;
        each_statement(p.statements, [&](const Statement& s) { everywhere += reads(s, field) ? 1 : 0; });
        for (std::size_t k = 0; k < body.size(); ++k) {
            if (!reads(body[k], field)) continue;
            if (!definition(body, field, k)) return false;
            const LoopStatement* condition = conditional_in(body[k]);
            const Statements one = condition != nullptr ? condition->body : Statements{body[k]};
            for (const Statement& s : one) {
                const auto* statement = std::get_if<FieldStatement>(&s);
                if (!reads(s, field)) continue;
                if (statement == nullptr || !reads_at_cell(*statement, field)) return false;
                ++here;
            }
        }
        return here == everywhere;
    }
    [[nodiscard]] static bool reads_at_cell(const FieldStatement& statement, VariableId field) {
        return std::all_of(statement.operands.begin(), statement.operands.end(),
                           [&](const Operand& o) { return o.variable != field || is_plain(o); });
    }

    /// What makes the value that the field has before statement `before`, of what still lies in memory before the
    /// condition. Why it is not made again; empty: it may be.
    [[nodiscard]] std::string collect(const Statements& body, VariableId field, std::size_t before,
                                      std::size_t condition, Places& places) const {
        const std::size_t place = *definition(body, field, before);
        const auto* statement = std::get_if<FieldStatement>(&body[place]);
        if (statement == nullptr || joins_cells(*statement) || statement->where ||
            !is_whole(result_.program, *statement))
            return fmt::format("{} is not computed cell by cell", name(field));
        places.insert(place);
        for (const Operand& operand : statement->operands) {
            const VariableId read = operand.variable;
            std::string fault;
            if (definition(body, read, place) && is_temporary(body, read))
                fault = collect(body, read, place, condition, places);
            else if (!unchanged(body, read, place, condition))
                fault = fmt::format("{} changes before the condition", name(read));
            if (!fault.empty()) return fault;
        }
        return {};
    }

    Statement with_copies_of(const Statements& body, const Places& places, const LoopStatement& condition) {
        LoopStatement made = condition;
        made.body.clear();
        std::map<VariableId, VariableId> again;
        for (const std::size_t place : places) {
            FieldStatement copy = reading(std::get<FieldStatement>(body[place]), again);
            const FieldShape& shape = field_shape(result_.program, copy.target);
            const Variable& variable = result_.program.variables[copy.target];
            const VariableId own =
                new_field(result_.program, variable.name + "_again", shape.axes, shape.type, variable.span);
            again[std::exchange(copy.target, own)] = own;
            made.body.emplace_back(std::move(copy));
        }
        for (const Statement& statement : condition.body) {
            const auto* field = std::get_if<FieldStatement>(&statement);
            made.body.push_back(field == nullptr ? statement : Statement(reading(*field, again)));
        }
        result_.changed = true;
        return std::make_shared<const LoopStatement>(std::move(made));
    }
};

}  // namespace

RemadeFields remake_in_conditions(const Program& program) {
    if (has_streams(program)) return {program, {}, false};
    return RemakingInConditions(program).run();
}

}  // namespace kasc
