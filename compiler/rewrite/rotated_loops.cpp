#include "rewrite/rotated_loops.hpp"

#include <algorithm>
#include <set>

#include "frontend/expression_parts.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

using namespace rewriting;

bool uses_index(const FieldStatement& s, LoopId loop) {
    const auto in_positions = [&](const std::vector<AxisIndex>& indices) {
        return std::any_of(indices.begin(), indices.end(), [&](const AxisIndex& index) {
            const auto* absolute = std::get_if<Absolute>(&index);
            const auto* computed = std::get_if<Computed>(&index);
            return (absolute && uses_loop(*absolute->position, loop)) ||
                   (computed && uses_loop(*computed->position, loop));
        });
    };
    return uses_loop(*s.value, loop) || (s.where && uses_loop(*s.where, loop)) || in_positions(s.target_indices) ||
           std::any_of(s.operands.begin(), s.operands.end(),
                       [&](const Operand& operand) { return in_positions(operand.indices); });
}

class Finding {
public:
    explicit Finding(const Program& program) : program_(program) {}

    std::vector<Rotation> run() {
        look_at(program_.statements);
        return std::move(found_);
    }

private:
    const Program& program_;
    std::vector<Rotation> found_;

    void look_at(const Statements& list) {
        for (const Statement& statement : list) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
            if (!loop) continue;
            look_at((*loop)->body);
            if (const std::size_t count = beginning_of(**loop))
                found_.push_back({(*loop)->loop, count, to_text(**loop, program_)});
        }
    }

    [[nodiscard]] bool is_number(VariableId variable) const {
        const auto* field = std::get_if<FieldShape>(&program_.variables[variable].shape);
        return field && field->axes.empty();
    }
    /// Its value behind the loop is nobody's.
    [[nodiscard]] bool is_of_loop(VariableId variable, const LoopStatement& loop) const {
        return loop.going != variable && !is_seen_outside(program_, loop.body, variable);
    }

    /// The longest beginning that may be moved and ends with a number, behind which something else is computed; 0: none
    /// that folds what the rest assigns.
    [[nodiscard]] std::size_t beginning_of(const LoopStatement& loop) const {
        std::size_t best = 0;
        bool folds = false;
        std::set<VariableId> assigned, read;
        for (std::size_t k = 0; k + 1 < loop.body.size(); ++k) {
            const auto* s = std::get_if<FieldStatement>(&loop.body[k]);
            if (!s || s->adding || s->running || !is_whole_or_number(*s) || uses_index(*s, loop.loop) ||
                !is_of_loop(s->target, loop))
                break;
            folds = folds || s->fold;
            assigned.insert(s->target);
            for (const Operand& operand : s->operands) read.insert(operand.variable);
            const auto* next = std::get_if<FieldStatement>(&loop.body[k + 1]);
            const bool ends = is_number(s->target) && !(next && is_number(next->target));
            if (folds && ends) best = k + 1;
        }
        if (best == 0) return 0;
        const auto rest = loop.body.begin() + static_cast<std::ptrdiff_t>(best);
        const bool joins = std::any_of(rest, loop.body.end(), [&](const Statement& s) {
            const std::set<VariableId> made = targets(s);
            return std::any_of(made.begin(), made.end(), [&](VariableId v) { return read.contains(v); });
        });
        return joins ? best : 0;
    }
    [[nodiscard]] bool is_whole_or_number(const FieldStatement& s) const { return s.fold || is_whole(program_, s); }
};

}  // namespace

std::vector<Rotation> rotations(const Program& program) { return Finding(program).run(); }

Program rotated(const Program& program, const Rotation& rotation) {
    Program made = program;
    made.statements = with_lists(program.statements, [&](const Statements& list) {
        Statements all;
        for (const Statement& statement : list) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
            if (!loop || (*loop)->loop != rotation.loop) {
                all.push_back(statement);
                continue;
            }
            const auto end = (*loop)->body.begin() + static_cast<std::ptrdiff_t>(rotation.statements);
            all.insert(all.end(), (*loop)->body.begin(), end);
            LoopStatement turned = **loop;
            std::rotate(turned.body.begin(), turned.body.begin() + static_cast<std::ptrdiff_t>(rotation.statements),
                        turned.body.end());
            all.emplace_back(std::make_shared<const LoopStatement>(std::move(turned)));
        }
        return all;
    });
    return made;
}

}  // namespace kasc
