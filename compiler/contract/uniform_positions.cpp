// Statements inside of loops that run, and the loops that a position uses: on[t = f*steps + i] in loops of 60 and 10
// iterations is tried 600 times, T[x = px] once. Where a loop or an `if` within runs not at all, nothing is looked at:
//
//     for (k = 0; k < 8; k++) { if (k < 7) { v[j = k + 1] = w; } }       8 cells along j are enough

#include "contract/uniform_positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "contract/reach.hpp"
#include "contract/zero_divisors.hpp"
#include "frontend/evaluate.hpp"

namespace kasc {

using namespace contract;

namespace {

/// Iterations that are looked at for one position: a tenth of a second. What is left out is the middle of loops, along
/// which positions mostly grow.
constexpr double most_iterations = 2e6;

/// Bounds may depend on the loops around: such a loop (an `if` is one as well) may run for some of their iterations
/// alone. `once`: the position is the same in all its iterations, so that one of them is enough.
struct OpenLoop {
    LoopId loop;
    const Expression *from, *to;
    bool once = false;
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
                const FieldShape& target = field_shape(program_, field->target);
                note(field->target, field->target_indices, &target.faces);
                for (const Operand& operand : field->operands) note(operand.variable, operand.indices, nullptr);
            } else if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                const LoopStatement& open = **loop;
                const bool alone = !uses_loop(*open.from) && !uses_loop(*open.to);
                if (alone && !(bound(*open.from, {}) < bound(*open.to, {}))) continue;
                around_.push_back({open.loop, open.from.get(), open.to.get()});
                walk((*loop)->body);
                around_.pop_back();
            }
        }
    }

    [[nodiscard]] double bound(const Expression& e, const std::map<LoopId, double>& at) const {
        return evaluate_integer(e, program_, parameters_, at, extents_);
    }

    /// `kept`: of a target, whose boundary may keep layers.
    void note(VariableId variable, const std::vector<AxisIndex>& indices, const std::vector<Faces>* kept) {
        for (std::size_t k = 0; k < indices.size(); ++k) {
            const auto* at = std::get_if<Absolute>(&indices[k]);
            if (!at) continue;
            const int low = kept ? (*kept)[k].low.layers : 0, high = kept ? (*kept)[k].high.layers : 0;
            check(program_.variables[variable], field_shape(program_, variable).axes[k], *at->position, low, high,
                  kept != nullptr);
        }
    }

    void check(const Variable& variable, AxisId axis, const Expression& position, int low, int high, bool assigned) {
        std::vector<OpenLoop> loops;
        double iterations = 1;
        for (auto loop = around_.rbegin(); loop != around_.rend(); ++loop) {
            const bool of_others = std::any_of(loops.begin(), loops.end(), [&](const OpenLoop& other) {
                return uses_loop(*other.from, loop->loop) || uses_loop(*other.to, loop->loop);
            });
            const bool varies = of_others || uses_loop(position, loop->loop);
            if (!varies && !uses_loop(*loop->from) && !uses_loop(*loop->to)) continue;
            loops.insert(loops.begin(), *loop);
            loops.front().once = !varies;
        }
        std::map<LoopId, double> first;
        for (const OpenLoop& loop : loops) {
            first[loop.loop] = bound(*loop.from, first);
            if (!loop.once) iterations *= std::max(1.0, bound(*loop.to, first) - first[loop.loop]);
        }
        const long long extent = extents_.at(axis.index);
        const Range allowed{static_cast<double>(low), static_cast<double>(extent - high)};
        std::map<LoopId, double> at;
        if (is_inside(position, allowed, loops, 0, iterations <= most_iterations, at)) return;
        const std::string& name = program_.axes[axis].name;
        const std::string text = to_text(position, program_, {});
        if (!told_.insert({axis, text}).second) return;
        const double place = evaluate_integer(position, program_, parameters_, at, extents_);
        const bool on_grid = place >= 0 && place < static_cast<double>(extent);
        std::string where;
        for (const OpenLoop& loop : loops) {
            if (loop.once) continue;
            where += fmt::format("{}{} = {}", where.empty() ? " at " : ", ", program_.loops[loop.loop].name,
                                 at.at(loop.loop));
        }
        Diagnostic d;
        d.code = "K0746";
        d.message = on_grid
                        ? fmt::format("the position '{}' lies in a layer that the boundary of '{}' keeps{}: it is {}",
                                      text, variable.name, where, place)
                        : fmt::format("the position '{}' of '{}' lies outside of the axis '{}'{}: it is {}", text,
                                      variable.name, name, where, place);
        d.span = position.span;
        d.label = !on_grid ? fmt::format("'{}' has {} cells, 0 to {}", name, extent, extent - 1)
                  : low < extent - high
                      ? fmt::format("along '{}', cells {} to {} can be assigned", name, low, extent - high - 1)
                      : fmt::format("along '{}', none of {} cells can be assigned", name, extent);
        if (on_grid)
            d.help = "choose a cell between the layers that are kept, or let the boundary keep fewer";
        else if (!loops.empty())
            d.help = help_off_grid(text, name, place < 0, assigned);
        said_.push_back(std::move(d));
    }

    [[nodiscard]] static std::string help_off_grid(const std::string& position, const std::string& axis, bool before,
                                                   bool assigned) {
        const std::string less =
            "run the loop less often, give data that are longer, or leave these iterations out: 'if (…) { … }'";
        if (assigned) return less;
        const std::string within =
            before ? fmt::format("max({}, 0)", position) : fmt::format("min({}, extent({}) - 1)", position, axis);
        return less + fmt::format("; where a condition leaves the read out, any cell within serves: '{}'", within);
    }

    struct Range {
        double from = 0, to = 0;
    };
    /// For all iterations of the loops from `next` on, or for their first and last. `at`: where it is not.
    [[nodiscard]] bool is_inside(const Expression& position, const Range& allowed, const std::vector<OpenLoop>& loops,
                                 std::size_t next, bool all, std::map<LoopId, double>& at) const {
        if (next == loops.size()) {
            const double place = evaluate_integer(position, program_, parameters_, at, extents_);
            return place >= allowed.from && place < allowed.to;
        }
        const OpenLoop& loop = loops[next];
        const double from = bound(*loop.from, at);
        const double to = loop.once ? std::min(bound(*loop.to, at), from + 1) : bound(*loop.to, at);
        const double step = all ? 1 : std::max(1.0, to - 1 - from);
        for (double i = from; i < to; i += step) {
            at[loop.loop] = i;
            if (!is_inside(position, allowed, loops, next + 1, all, at)) return false;
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
    if (has_streams(program)) return {};
    if (Diagnostics divided = check_divisors(program, parameters, extents); !divided.empty()) return divided;
    return UniformPositions(program, parameters, extents).take();
}

}  // namespace kasc
