// Who reads a field and what was folded of it stands in another kernel than who folds it, so that all its cells go
// through memory. Of a field over pairs, made of what each of the two has, arithmetic costs less:
//
//   d = (a[q] - b[n])*(a[q] - b[n]);           d = …
//   least = minimum(d, n);                     least = minimum(d, n);            d stays on the chip
//   nearest = minimum(d == least ? n : N, n);  d_again = (a[q] - b[n])*(a[q] - b[n]);
//                                              nearest = minimum(d_again == least ? n : N, n);
//
// How many folds are behind a field, one after the other, says what may stand in one kernel with what made it.
#include "rewrite/remake_behind_folds.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "rewrite/line_formulas.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

using namespace rewriting;

class BehindFolds {
public:
    explicit BehindFolds(const Program& program) { result_.program = program; }

    RemadeFields run() {
        result_.program.statements = again(result_.program.statements);
        return std::move(result_);
    }

private:
    RemadeFields result_;
    std::set<VariableId> told_;

    /// A field that was made anew, for whoever waits for as many folds.
    struct Copy {
        int behind = 0;
        VariableId name{};
        std::set<VariableId> made_of;  ///< itself, and what it is made of
    };

    Statements again(const Statements& list) {
        std::map<VariableId, int> behind;
        std::map<VariableId, Copy> copies;
        int latest = 0;
        Statements made;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&list[i]);
            const auto* field = std::get_if<FieldStatement>(&list[i]);
            if (field != nullptr) {
                int own = 0;
                for (const Operand& operand : field->operands) own = std::max(own, behind[operand.variable]);
                made.emplace_back(reading_copies(*field, own, list, i, behind, copies, made));
                behind[field->target] = own + (field->fold || field->running || field->adding ? 1 : 0);
                latest = std::max(latest, behind[field->target]);
            } else {
                made.push_back(loop != nullptr ? in_loop(**loop) : list[i]);
                ++latest;
                for (const VariableId target : targets(list[i])) behind[target] = latest;
            }
            for (const VariableId target : targets(list[i]))
                std::erase_if(copies, [&](const auto& copy) { return copy.second.made_of.contains(target); });
        }
        return made;
    }
    Statement in_loop(const LoopStatement& loop) {
        LoopStatement made = loop;
        const Loop& of = result_.program.loops[loop.loop];
        if (!of.inside && !of.alive) made.body = again(loop.body);
        return std::make_shared<const LoopStatement>(std::move(made));
    }

    FieldStatement reading_copies(const FieldStatement& reader, int own, const Statements& list, std::size_t at,
                                  std::map<VariableId, int>& behind, std::map<VariableId, Copy>& copies,
                                  Statements& made) {
        std::map<VariableId, VariableId> others;
        for (const Operand& operand : reader.operands) {
            const VariableId field = operand.variable;
            const FieldShape& shape = field_shape(result_.program, field);
            if (!is_plain(operand) || shape.axes.size() < 2 || behind[field] >= own) continue;
            if (!definition(list, field, at)) continue;
            const auto known = copies.find(field);
            if (known == copies.end() || known->second.behind != own) {
                const Statements before(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(at));
                const LineFormula formula = line_formula(result_.program, before, field, {});
                tell(field, formula);
                if (!formula.fault.empty()) continue;
                copies[field] = copy(field, own, before, formula, made);
            }
            others[field] = copies.at(field).name;
        }
        return reading(reader, others);
    }
    void tell(VariableId field, const LineFormula& formula) {
        if (!told_.insert(field).second) return;
        result_.verdicts.push_back({result_.program.variables[field].name,
                                    formula.fault.empty()
                                        ? Verdict::yes("made of lines and numbers alone, and read behind a sum of it")
                                        : Verdict::no(formula.fault)});
    }
    /// Adds the statements that make the field, with names of their own.
    Copy copy(VariableId field, int own, const Statements& before, const LineFormula& formula, Statements& made) {
        Copy copy{own, {}, {field}};
        std::map<VariableId, VariableId> names;
        for (const std::size_t place : formula.statements) {
            const auto& from = std::get<FieldStatement>(before[place]);
            copy.made_of.insert(from.target);
            for (const Operand& operand : from.operands) copy.made_of.insert(operand.variable);
        }
        make_anew(result_.program, before, formula.statements, names, made);
        copy.name = names.at(field);
        result_.changed = true;
        return copy;
    }
};

}  // namespace

RemadeFields remake_behind_folds(const Program& program) {
    if (has_streams(program)) return {program, {}, false};
    return BehindFolds(program).run();
}

}  // namespace kasc
