// Statements inside of loops that run, and the loops that a position uses: on[t = f*steps + i] in loops of 60 and 10
// iterations is tried 600 times, T[x = px] once.

#include "contract/uniform_positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "contract/reach.hpp"
#include "frontend/evaluate.hpp"

namespace kasc {

using namespace contract;

namespace {

/// Of one position: a tenth of a second. What is left out then is the middle of loops along which positions mostly
/// grow.
constexpr double most_iterations = 2e6;

struct OpenLoop {
    LoopId loop;
    double from = 0, to = 0;
};

class UniformPositions {
public:
    UniformPositions(const Program& program, const std::vector<double>& parameters,
                     const std::vector<long long>& extents)
        : program_(program), parameters_(parameters), extents_(extents) {
        walk(program.statements);
    }

    [[nodiscard]] Diagnostics take() { return std::move(said_); }

private:
    void walk(const std::vector<Statement>& statements) {
        for (const Statement& statement : statements) {
            if (const auto* field = std::get_if<FieldStatement>(&statement)) {
                note(field->target, field->target_indices);
                for (const Operand& operand : field->operands) note(operand.variable, operand.indices);
            } else if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                const OpenLoop open{(*loop)->loop, evaluate(*(*loop)->from, parameters_, {}, extents_),
                                    evaluate(*(*loop)->to, parameters_, {}, extents_)};
                if (!(open.from < open.to)) continue;
                around_.push_back(open);
                walk((*loop)->body);
                around_.pop_back();
            }
        }
    }

    void note(VariableId variable, const std::vector<AxisIndex>& indices) {
        for (std::size_t k = 0; k < indices.size(); ++k) {
            const auto* at = std::get_if<Absolute>(&indices[k]);
            if (at) check(program_.variables[variable], field_shape(program_, variable).axes[k], *at->position);
        }
    }

    void check(const Variable& variable, AxisId axis, const Expression& position) {
        std::vector<OpenLoop> loops;
        double iterations = 1;
        for (const OpenLoop& loop : around_) {
            if (!uses_loop(position, loop.loop)) continue;
            loops.push_back(loop);
            iterations *= loop.to - loop.from;
        }
        std::map<LoopId, double> at;
        if (is_inside(position, axis, loops, 0, iterations <= most_iterations, at)) return;
        const std::string& name = program_.axes[axis].name;
        const std::string text = to_text(position, program_, {});
        if (!told_.insert({axis, text}).second) return;
        std::string where;
        for (const OpenLoop& loop : loops) {
            where += fmt::format("{}{} = {}", where.empty() ? " at " : ", ", program_.loops[loop.loop].name,
                                 at.at(loop.loop));
        }
        Diagnostic d;
        d.code = "K0746";
        d.message = fmt::format("the position '{}' of '{}' lies outside of the axis '{}'{}: it is {}", text,
                                variable.name, name, where, evaluate(position, parameters_, at, extents_));
        d.span = position.span;
        d.label = fmt::format("'{}' has {} cells, 0 to {}", name, extents_.at(axis.index), extents_[axis.index] - 1);
        if (!loops.empty()) d.help = "run the loop less often, or give data that are longer";
        said_.push_back(std::move(d));
    }

    /// For all iterations of the loops from `next` on, or for their first and last. `at`: where it is not.
    [[nodiscard]] bool is_inside(const Expression& position, AxisId axis, const std::vector<OpenLoop>& loops,
                                 std::size_t next, bool all, std::map<LoopId, double>& at) const {
        if (next == loops.size()) {
            const double place = evaluate(position, parameters_, at, extents_);
            return place >= 0 && place < static_cast<double>(extents_.at(axis.index));
        }
        const OpenLoop& loop = loops[next];
        const double step = all ? 1 : std::max(1.0, loop.to - 1 - loop.from);
        for (double i = loop.from; i < loop.to; i += step) {
            at[loop.loop] = i;
            if (!is_inside(position, axis, loops, next + 1, all, at)) return false;
        }
        return true;
    }

    const Program& program_;
    const std::vector<double>& parameters_;
    const std::vector<long long>& extents_;
    std::vector<OpenLoop> around_;
    std::set<std::pair<AxisId, std::string>> told_;
    Diagnostics said_;
};

}  // namespace

Diagnostics check_uniform_positions(const Program& program, const std::vector<double>& parameters,
                                    const std::vector<long long>& extents) {
    return program.kind == ProgramKind::stream ? Diagnostics{} : UniformPositions(program, parameters, extents).take();
}

}  // namespace kasc
