#include <algorithm>
#include <cmath>

#include "frontend/evaluate.hpp"
#include "frontend/expression_parts.hpp"
#include "model/counted_loop.hpp"
#include "model/settled_value.hpp"

namespace kasc {

namespace {

constexpr double unknown_iterations = 100;
/// Half of the `if`s whose conditions nobody knows hold.
constexpr double unknown_share = 0.5;
/// What a loop that runs none weighs: it may have some in a run of other lengths.
constexpr double no_iterations = 0.01;
/// Runs that are looked at, of each loop: those of longer ones are alike.
constexpr std::size_t most_runs = 1024;
/// Iterations of one loop, in all runs around it, whose conditions are looked at one after the other.
constexpr double most_looked_at = 65536;

/// The values of parameters. An integer that is not known counts as many iterations as are assumed, so that steps / 4
/// of them are a quarter.
std::vector<double> assumed_in(const std::vector<ExpressionRef>& integers, const Problem& problem) {
    std::vector<double> assumed = problem.parameters;
    for (const ExpressionRef& integer : integers) {
        for_each_part(*integer, [&](const Expression& part) {
            const auto* use = std::get_if<ParameterUse>(&part.node);
            if (use == nullptr || part.kind != ScalarKind::integer) return;
            if (use->parameter.index >= assumed.size()) return;
            double& value = assumed[use->parameter.index];
            if (std::isnan(value)) value = unknown_iterations;
        });
    }
    return assumed;
}

/// So many whole numbers below `count`, evenly spread, whose distances are those of no period: multiples of the golden
/// section without their whole parts.
std::vector<double> some_below(double count, std::size_t most) {
    std::vector<double> some;
    const bool all = count <= static_cast<double>(most);
    const auto number = all ? static_cast<std::size_t>(std::max(0.0, count)) : most;
    for (std::size_t k = 0; k < number; ++k) {
        const double share = std::fmod(static_cast<double>(k) * 0.6180339887498949, 1.0);
        some.push_back(all ? static_cast<double>(k) : std::floor(share * count));
    }
    return some;
}

bool ends_earlier(const Program& program, LoopId outermost) {
    return std::any_of(program.statements.begin(), program.statements.end(), [&](const Statement& s) {
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s);
        return loop != nullptr && (*loop)->loop == outermost && (*loop)->going;
    });
}

/// The turns of one of two loops that share their iterations (Loop::plain).
class Turns {
public:
    Turns(const Loop& several, bool of_rest, const std::vector<double>& parameters,
          const std::vector<long long>& extents)
        : several_(several), of_rest_(of_rest), parameters_(parameters), extents_(extents) {}

    /// Those of iterations 0 to count - 1 behind `first` with which a turn of the loop's begins.
    [[nodiscard]] std::vector<double> within(double first, double count, LoopIndices around) const {
        std::vector<double> turns;
        for (double n = 0; n < count;) {
            around[*several_.rest] = first + n;
            const bool plain =
                n + several_.by <= count && evaluate(*several_.plain, parameters_, around, extents_) != 0;
            if (plain != of_rest_) turns.push_back(n);
            n += plain ? several_.by : 1;
        }
        return turns;
    }

private:
    const Loop& several_;
    const bool of_rest_;
    const std::vector<double>& parameters_;
    const std::vector<long long>& extents_;
};

/// None: the expression uses a parameter that has no value, or has no finite value.
std::optional<double> value_of(const Expression& e, const std::vector<double>& parameters, const LoopIndices& indices,
                               const std::vector<long long>& extents) {
    bool known = true;
    for_each_part(e, [&](const Expression& part) {
        const auto* use = std::get_if<ParameterUse>(&part.node);
        if (use == nullptr) return;
        const std::size_t parameter = use->parameter.index;
        known = known && parameter < parameters.size() && !std::isnan(parameters[parameter]);
    });
    if (!known) return std::nullopt;
    const double value = evaluate(e, parameters, indices, extents);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<double> settled_value(const Expression& expression, const Problem& problem) {
    return value_of(expression, problem.parameters, {}, problem.extents);
}

double estimated_iterations(const ExpressionRef& from, const ExpressionRef& to, const Problem& problem, int by,
                            bool may_end_earlier) {
    const std::vector<double> assumed = assumed_in({from, to}, problem);
    const auto value = [&](const Expression& e, const LoopIndices& indices, double otherwise) {
        return value_of(e, assumed, indices, problem.extents).value_or(otherwise);
    };
    if (uses_loop(*from) || uses_loop(*to)) {
        double all = 0;
        for (const LoopIndices& indices : problem.runs)
            all += std::max(0.0, value(*to, indices, unknown_share) - value(*from, indices, 0)) / by;
        return std::max(no_iterations, all / static_cast<double>(problem.runs.size()));
    }
    const double first = value(*from, {}, 0), iterations = value(*to, {}, first + unknown_iterations) - first;
    if (may_end_earlier) return std::clamp(iterations, no_iterations, unknown_iterations);
    return iterations > 0 ? std::max(1.0, std::ceil(iterations / by)) : no_iterations;
}

CountedLoop counted_loop(const Program& program, LoopId loop, const ExpressionRef& from, const ExpressionRef& to,
                         bool may_end_earlier, const Problem& problem) {
    const std::vector<LoopIndices>& around = problem.runs;
    const Loop& own = program.loops[loop];
    const auto before = std::find_if(program.loops.begin(), program.loops.end(),
                                     [&](const Loop& l) { return l.plain != nullptr && l.rest == loop; });
    const bool is_rest = before != program.loops.end(), takes_turns = own.plain != nullptr || is_rest;
    const Loop& several = is_rest ? *before : own;
    if (own.plain != nullptr) may_end_earlier = ends_earlier(program, *own.rest);
    const std::vector<double> assumed =
        takes_turns ? assumed_in({from, to, several.plain}, problem) : assumed_in({from, to}, problem);
    const auto value = [&](const Expression& e, const LoopIndices& indices, double otherwise) {
        return value_of(e, assumed, indices, problem.extents).value_or(otherwise);
    };
    const std::size_t most = std::max<std::size_t>(1, most_runs / std::max<std::size_t>(1, around.size()));
    const bool asks = uses_loop(*from) || uses_loop(*to);
    const double unknown = asks ? unknown_share : unknown_iterations;
    CountedLoop counted;
    double all = 0;
    for (const LoopIndices& indices : around) {
        const double first = value(*from, indices, 0), end = value(*to, indices, first + unknown);
        double count = std::max(0.0, asks ? (end - first) / own.by : std::ceil((end - first) / own.by));
        const auto add = [&](double n) {
            counted.runs.push_back(indices);
            counted.runs.back()[loop] = first + n;
        };
        if (takes_turns) {
            // The bound of several leaves room for the last ones (rewrite/repeated_body).
            const double singles = std::max(0.0, end - first + (is_rest ? 0 : own.by - 1));
            const double looked = std::min(singles, std::ceil(most_looked_at / static_cast<double>(around.size())));
            const std::vector<double> turns =
                Turns(several, is_rest, assumed, problem.extents).within(first, looked, indices);
            for (const double k : some_below(static_cast<double>(turns.size()), most))
                add(turns[static_cast<std::size_t>(k)]);
            const double weighed = may_end_earlier ? std::min(singles, unknown_iterations) : singles;
            count = looked > 0 ? static_cast<double>(turns.size()) * weighed / looked : 0;
        } else {
            for (const double n : some_below(count, most)) add(n * own.by);
        }
        all += count;
    }
    counted.iterations = asks || takes_turns ? std::max(no_iterations, all / static_cast<double>(around.size()))
                                             : estimated_iterations(from, to, problem, own.by, may_end_earlier);
    // A body that runs in none of those is one whose variables nobody knows.
    if (counted.runs.empty()) counted.runs.push_back(around.front());
    return counted;
}

Problem problem_within(const CountedLoop& loop, Problem around) {
    around.runs = loop.runs;
    return around;
}

}  // namespace kasc
