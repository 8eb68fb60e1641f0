// Who knows a value: each block those of its own cells; what is read at a position, the block that has it.
//
//   rec[s, t = n] = p[x = px, y = py]      known where the cell (px[s], py[s]) is
//   most = max(most, rec_now)              likewise, if both are read at the same positions
//   p[x = px, y = py] = 2 * rec_now        right: assigned where it is known
//   q = p * rec_now                        no: all blocks need it
//
// So recordings, their statistics and sources need no message until the run ends.
#include <fmt/format.h>

#include <algorithm>

#include "basis/checks.hpp"
#include "frontend/expression_parts.hpp"
#include "graph/field_target.hpp"
#include "graph/statements.hpp"

namespace kasc::basis {

namespace {

class Finder {
public:
    Finder(const Program& program, const Domains& domains) : program_(program), domains_(domains) {}

    Holders run() {
        for (std::size_t before = 1, now = 0; before != now;) {
            before = now;
            statements::each_statement(program_.statements, [&](const Statement& statement) {
                if (const auto* field = std::get_if<FieldStatement>(&statement)) follow(*field);
                if (const auto* transform = std::get_if<TransformStatement>(&statement)) follow(*transform);
            });
            now = found_.known.size() + 1;
        }
        judging_ = true;
        statements::each_statement(program_.statements, [&](const Statement& statement) {
            if (const auto* field = std::get_if<FieldStatement>(&statement)) follow(*field);
            if (const auto* transform = std::get_if<TransformStatement>(&statement)) follow(*transform);
        });
        check_loops(program_.statements);
        return std::move(found_);
    }

private:
    const Program& program_;
    const Domains& domains_;
    Holders found_;
    bool judging_ = false;

    void add(std::string message, const Span& span, std::string label, std::string help) {
        if (judging_) found_.faults.push_back(basis_fault(std::move(message), span, std::move(label), std::move(help)));
    }
    [[nodiscard]] const std::string& name(VariableId v) const { return program_.variables[v].name; }
    [[nodiscard]] KnownAt known(VariableId v) const {
        const auto at = found_.known.find(v);
        return at == found_.known.end() ? KnownAt{} : at->second;
    }

    void not_here(const FieldStatement& s, const Operand& operand) {
        add(fmt::format("'{}' is known to the process alone that has the cell it was read at", name(operand.variable)),
            operand.span.source ? operand.span : s.span, "others need it here",
            "recordings may be returned, and assigned to the cells that they are of: all else is for a global "
            "transform");
    }
    /// The positions of an operand or of the target.
    [[nodiscard]] std::map<AxisId, std::string> positions(const FieldStatement& s, VariableId v,
                                                          const std::vector<AxisIndex>& indices) const {
        const auto& axes = field_shape(program_, v).axes;
        std::map<AxisId, std::string> at;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            const ExpressionRef position = position_of(indices[k]);
            if (position && domains_.cut(axes[k]) != nullptr)
                at[axes[k]] = to_text(*position, program_, operand_texts(s, program_));
        }
        return at;
    }
    [[nodiscard]] KnownAt known(const FieldStatement& s, const Operand& operand) {
        KnownAt of = known(operand.variable);
        auto at = positions(s, operand.variable, operand.indices);
        if (at.empty()) return of;
        if (!of.everywhere()) not_here(s, operand);
        return {std::move(at), &s, &operand};
    }
    /// Positions and conditions decide for all blocks alike.
    void check_positions(const FieldStatement& s) {
        const auto check = [&](const ExpressionRef& e) {
            if (!e) return;
            for_each_part(*e, [&](const Expression& part) {
                const auto* use = std::get_if<OperandUse>(&part.node);
                if (use == nullptr) return;
                const Operand& operand = s.operands.at(use->operand);
                if (!known(s, operand).everywhere()) not_here(s, operand);
            });
        };
        for (const AxisIndex& index : s.target_indices) check(position_of(index));
        for (const Operand& operand : s.operands) {
            for (const AxisIndex& index : operand.indices) check(position_of(index));
        }
    }
    void follow(const FieldStatement& s) {
        check_positions(s);
        KnownAt value;
        for (const Operand& operand : s.operands) {
            const KnownAt of = known(s, operand);
            if (of.everywhere()) continue;
            if (value.everywhere()) value = of;
            if (value.at != of.at) not_here(s, operand);
        }
        if (value.everywhere()) return;
        const auto blamed = [&]() -> const Operand& {
            const auto at = std::find_if(s.operands.begin(), s.operands.end(),
                                         [&](const Operand& o) { return !known(s, o).everywhere(); });
            return *at;
        };
        if (joins_cells(s)) return not_here(s, blamed());
        const auto target = positions(s, s.target, s.target_indices);
        if (!target.empty()) {
            if (target != value.at) not_here(s, blamed());
            return;
        }
        for (const AxisId axis : field_shape(program_, s.target).axes) {
            if (!value.at.contains(axis)) continue;
            if (!known(blamed().variable).everywhere()) return not_here(s, blamed());
            add(fmt::format("cells at a position along '{}' are read by all others, and each process has some",
                            program_.axes[axis].name),
                blamed().span, "they are another's", "");
            return;
        }
        check_that_stays(s, value);
        const auto [at, added] = found_.known.try_emplace(s.target, value);
        if (!added && at->second.at != value.at) not_here(s, blamed());
    }
    void follow(const TransformStatement& t) {
        if (known(t.source).everywhere()) return;
        add(fmt::format("'{}' is known to the process alone that has the cell it was read at", name(t.source)), t.span,
            "others transform it as well", "transform whole fields");
    }

    void check_loops(const std::vector<Statement>& list) {
        for (const Statement& statement : list) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
            if (loop == nullptr) continue;
            if ((*loop)->going && !known(*(*loop)->going).everywhere())
                add("a loop goes on by what one process alone knows", (*loop)->span, "all of them go on or end",
                    "give it a number of iterations");
            check_loops((*loop)->body);
        }
    }

    /// What is kept is looked at later, at the latest when the run ends and each entry is taken from the process whose
    /// cell it is.
    void check_that_stays(const FieldStatement& s, const KnownAt& value) {
        const FieldStatement& read = *value.read;
        const auto moves = [&](const Expression& part) {
            const auto* use = std::get_if<OperandUse>(&part.node);
            return std::holds_alternative<LoopIndexUse>(part.node) ||
                   (use != nullptr && !stays(read.operands.at(use->operand).variable));
        };
        for (const AxisIndex& index : value.operand->indices) {
            const ExpressionRef position = position_of(index);
            if (!position || !any_part(*position, moves)) continue;
            add(fmt::format("'{}' is kept, and the positions it was read at move", name(s.target)), value.operand->span,
                "they move here", "record at positions that stay");
            return;
        }
    }
    /// An input, or assigned once and outside of loops.
    [[nodiscard]] bool stays(VariableId v) const {
        int times = 0;
        for (const Statement& statement : program_.statements) {
            if (!statements::assigns(statement, v)) continue;
            const bool loop = std::holds_alternative<std::shared_ptr<const LoopStatement>>(statement);
            times += loop ? 2 : 1;
        }
        const bool input = std::find(program_.inputs.begin(), program_.inputs.end(), v) != program_.inputs.end();
        return times == (input ? 0 : 1);
    }
};

}  // namespace

Holders find_holders(const Program& program, const Domains& domains) { return Finder(program, domains).run(); }

}  // namespace kasc::basis
