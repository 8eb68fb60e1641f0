#include "rewrite/written_out.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "frontend/expression_parts.hpp"
#include "frontend/rewrite_expression.hpp"
#include "rewrite/known_values.hpp"
#include "rewrite/statements.hpp"
#include "rewrite/whole_numbers.hpp"

namespace kasc::rewriting {

namespace {

/// As many as iterations of a loop that are unrolled have together. What is more makes kernels by the hundred, which
/// compilers take a minute for.
constexpr std::size_t most_written_out = 128;

bool is_plain_loop(const kasc::Loop& loop) {
    return loop.by == 1 && !loop.rest && !loop.plain && !loop.inside && !loop.counts && !loop.alive;
}

class WritingOut {
public:
    WritingOut(const Program& program, AxisId axis, long long cells) : program_(program), axis_(axis), cells_(cells) {}

    std::optional<Program> run() {
        Program made = program_;
        made.statements = list(program_.statements, false);
        return found_ && !failed_ ? std::optional(std::move(made)) : std::nullopt;
    }

private:
    const Program& program_;
    AxisId axis_;
    long long cells_;  ///< along it
    bool found_ = false, failed_ = false;
    std::size_t count_ = 0;

    /// `within`: in a loop that is written out, as all are that stand there.
    Statements list(const Statements& from, bool within) {
        Statements made;
        for (const Statement& statement : from) {
            if (failed_) break;
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
            if (loop == nullptr) {
                made.push_back(within ? with_known_positions(statement) : statement);
                failed_ = within && ++count_ > most_written_out;
            } else if (within || concerns(**loop)) {
                found_ = true;
                add_iterations(**loop, made);
            } else {
                LoopStatement other = **loop;
                other.body = list(other.body, false);
                made.emplace_back(std::make_shared<const LoopStatement>(std::move(other)));
            }
        }
        return made;
    }

    void add_iterations(const LoopStatement& loop, Statements& made) {
        const auto from = bound(loop.from), to = bound(loop.to);
        failed_ = failed_ || !from || !to || loop.going || !has_cells_beside(loop) ||
                  !is_plain_loop(program_.loops[loop.loop]) || *to - *from > static_cast<long long>(most_written_out);
        for (long long k = failed_ ? 0 : *from; !failed_ && k < *to; ++k)
            for (Statement& s : list(at_index(loop.body, loop.loop, counted(k)), true)) made.push_back(std::move(s));
    }

    /// Threads have work: a matrix by itself, whose words were one thread's, is better left to its cells. Regressions
    /// of eight unknowns take 2.6 times as long on an H200 where they are written out.
    [[nodiscard]] bool has_cells_beside(const LoopStatement& loop) const {
        const std::set<VariableId> assigned = targets(Statement{std::make_shared<const LoopStatement>(loop)});
        return std::any_of(assigned.begin(), assigned.end(), [&](VariableId variable) {
            const std::vector<AxisId>& axes = field_shape(program_, variable).axes;
            return std::any_of(axes.begin(), axes.end(), [&](AxisId axis) {
                return declared_length(program_.axes[axis]).value_or(most_words + 1) > most_words;
            });
        });
    }

    [[nodiscard]] std::optional<long long> bound(const ExpressionRef& e) const {
        const ExpressionRef known = with_leaves(e, [&](const ExpressionRef& leaf) -> ExpressionRef {
            const auto* extent = std::get_if<ExtentUse>(&leaf->node);
            if (extent == nullptr) return leaf;
            const auto cells = extent->axis == axis_ ? cells_ : declared_length(program_.axes[extent->axis]);
            return cells ? counted(*cells) : leaf;
        });
        const auto value = known_value(*known, Precision::dual);
        return value ? std::optional(static_cast<long long>(*value)) : std::nullopt;
    }

    [[nodiscard]] bool concerns(const LoopStatement& loop) const {
        return std::any_of(loop.body.begin(), loop.body.end(), [&](const Statement& s) { return asks(s, loop.loop); });
    }
    /// The loop's variable says where along the axis the statement stands or reads.
    [[nodiscard]] bool asks(const Statement& statement, LoopId loop) const {
        if (const auto* inner = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
            const bool bounds = uses_loop(*(*inner)->from, loop) || uses_loop(*(*inner)->to, loop);
            const auto& body = (*inner)->body;
            return (bounds && concerns(**inner)) ||
                   std::any_of(body.begin(), body.end(), [&](const Statement& s) { return asks(s, loop); });
        }
        const auto* field = std::get_if<FieldStatement>(&statement);
        if (field == nullptr) return false;
        return stands_by(field->target, field->target_indices, loop) ||
               std::any_of(field->operands.begin(), field->operands.end(),
                           [&](const Operand& operand) { return stands_by(operand.variable, operand.indices, loop); });
    }
    [[nodiscard]] bool stands_by(VariableId variable, const std::vector<AxisIndex>& indices, LoopId loop) const {
        const FieldShape& shape = field_shape(program_, variable);
        for (std::size_t k = 0; k < indices.size(); ++k) {
            const auto* absolute = std::get_if<Absolute>(&indices[k]);
            const auto* computed = std::get_if<Computed>(&indices[k]);
            if (shape.axes[k] != axis_ || (absolute == nullptr && computed == nullptr)) continue;
            if (uses_loop(absolute ? *absolute->position : *computed->position, loop)) return true;
        }
        return false;
    }

    /// `L[node = 8 + 3]` is `L[node = 11]`.
    static Statement with_known_positions(const Statement& statement) {
        const auto* field = std::get_if<FieldStatement>(&statement);
        if (field == nullptr) return statement;
        FieldStatement made = *field;
        const auto know = [](std::vector<AxisIndex>& indices) {
            for (AxisIndex& index : indices) {
                auto* absolute = std::get_if<Absolute>(&index);
                if (absolute != nullptr) absolute->position = with_known_values(absolute->position, Precision::dual);
            }
        };
        know(made.target_indices);
        know(made.at);
        for (Operand& operand : made.operands) know(operand.indices);
        return with_equal_operands_once(made);
    }
};

}  // namespace

std::optional<Program> with_loops_written_out(const Program& program, const WordAxes& axes) {
    if (axes.window) return std::nullopt;
    return WritingOut(program, axes.axes.front(), axes.lengths.front()).run();
}

}  // namespace kasc::rewriting
