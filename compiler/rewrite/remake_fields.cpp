// A field over many cells that is made before a loop of lines, coordinates and numbers alone costs a read of memory
// wherever the loop reads it; made anew there, it costs arithmetic. Which is faster, the model says of both programs.
//
//   k = sqrt(kx * kx + ky * ky);                    for (n = 0; n < N; n++) {
//   kappa = sin(c * k) / (c * k);                       P = fft(p);
//   for (n = 0; n < N; n++) {                           k_again = sqrt(kx * kx + ky * ky);
//       P = fft(p);                            →        kappa_again = sin(c * k_again) / (c * k_again);
//       A = kappa * P;                                  A = kappa_again * P;
//       B = kappa * ky * P;                             B = kappa_again * ky * P;
//   }                                               }
//
// Statements that follow the same number of transforms may share a kernel, and so share what is made anew; those behind
// another transform have it made again, since no kernel holds both. Where transforms compute what stands behind them as
// they store, statements share it that read the same transform.
#include "rewrite/remake_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "rewrite/line_formulas.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

using namespace rewriting;
using Loop = std::shared_ptr<const LoopStatement>;

class Remaking {
public:
    Remaking(const Program& program, MadeFor shared_by) : shared_by_(shared_by) { result_.program = program; }

    RemadeFields run() {
        Statements list = result_.program.statements;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!std::holds_alternative<Loop>(list[i])) continue;
            before_ = Statements(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i));
            assigned_ = targets(list[i]);
            formulas_.clear();
            list[i] = remade(*std::get<Loop>(list[i]));
        }
        result_.program.statements = std::move(list);
        return std::move(result_);
    }

private:
    /// Statements of one list behind the same number of transforms, or that read the same one too (0: none, else its
    /// place and 1).
    struct GroupKey {
        int behind = -1;
        std::size_t transform = 0;
        auto operator<=>(const GroupKey&) const = default;
    };
    struct Group {
        std::size_t first = 0;
        std::set<VariableId> read;               ///< fields that may be made anew
        std::map<VariableId, VariableId> again;  ///< their names in the loop, and of what makes them
    };

    MadeFor shared_by_;
    RemadeFields result_;
    Statements before_;              ///< the outermost loop
    std::set<VariableId> assigned_;  ///< in it
    std::map<VariableId, LineFormula> formulas_;

    [[nodiscard]] const FieldShape& shape(VariableId v) const { return field_shape(result_.program, v); }
    [[nodiscard]] const std::string& name(VariableId v) const { return result_.program.variables[v].name; }

    Statement remade(const LoopStatement& loop) {
        LoopStatement made = loop;
        for (Statement& s : made.body) {
            if (const auto* inner = std::get_if<Loop>(&s)) s = remade(**inner);
        }
        made.body = with_formulas(made.body);
        return std::make_shared<const LoopStatement>(std::move(made));
    }

    Statements with_formulas(const Statements& body) {
        std::map<VariableId, int> behind;           // how many transforms, by variable
        std::map<VariableId, std::size_t> made_by;  // a transform: its place and 1
        std::map<GroupKey, Group> groups;
        std::vector<GroupKey> group_of(body.size());
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (const auto* transform = std::get_if<TransformStatement>(&body[i])) {
                behind[transform->target] = behind[transform->source] + 1;
                if (shared_by_ == MadeFor::transform) made_by[transform->target] = i + 1;
            }
            const auto* field = std::get_if<FieldStatement>(&body[i]);
            if (field == nullptr) continue;
            int& own = behind[field->target];
            made_by.erase(field->target);
            std::size_t transform = 0;
            for (const Operand& operand : field->operands) {
                own = std::max(own, behind[operand.variable]);
                if (const auto by = made_by.find(operand.variable); by != made_by.end())
                    transform = std::max(transform, by->second);
            }
            for (const Operand& operand : field->operands) {
                if (!may_be_made(operand)) continue;
                group_of[i] = {own, transform};
                groups.try_emplace(group_of[i], Group{i, {}, {}}).first->second.read.insert(operand.variable);
            }
        }
        Statements made;
        for (std::size_t i = 0; i < body.size(); ++i) {
            const auto group = groups.find(group_of[i]);
            if (group == groups.end()) {
                made.push_back(body[i]);
                continue;
            }
            if (group->second.first == i) make_here(group->second, made);
            made.emplace_back(reading(std::get<FieldStatement>(body[i]), group->second.again));
        }
        return made;
    }

    bool may_be_made(const Operand& operand) {
        if (!is_plain(operand) || assigned_.contains(operand.variable)) return false;
        if (shape(operand.variable).axes.size() < 2) return false;  // few words, read once
        if (!definition(before_, operand.variable, before_.size())) return false;
        const auto known = formulas_.find(operand.variable);
        if (known != formulas_.end()) return known->second.fault.empty();
        const LineFormula formula = line_formula(result_.program, before_, operand.variable, assigned_);
        result_.verdicts.push_back({name(operand.variable), formula.fault.empty()
                                                                ? Verdict::yes("made of lines and numbers alone")
                                                                : Verdict::no(formula.fault)});
        return formulas_.emplace(operand.variable, formula).first->second.fault.empty();
    }

    /// The statements that make what the group reads, with names of their own.
    void make_here(Group& group, Statements& made) {
        std::set<std::size_t> all;
        for (const VariableId read : group.read) {
            const auto& statements = formulas_.at(read).statements;
            all.insert(statements.begin(), statements.end());
        }
        make_anew(result_.program, before_, all, group.again, made);
        result_.changed = true;
    }
};

}  // namespace

RemadeFields remake_fields(const Program& program, MadeFor shared_by) {
    if (has_streams(program)) return {program, {}, false};
    return Remaking(program, shared_by).run();
}

}  // namespace kasc
