// The cell that is worst at the present step is worst at most smaller ones, so the limit is bisected there, and then
// all cells are tested at that limit; where another cell is unstable still, the search goes on from there.
//
//   dt = 2      all: cell 17 unstable      bisect cell 17 in (0, 2]      → 0.91
//   dt = 0.91   all: cell 4 unstable       bisect cell 4 in (0, 0.91]    → 0.78
//   dt = 0.78   all: stable                the limit is 0.78

#include "stability/step.hpp"

#include <algorithm>
#include <cmath>

#include "frontend/evaluate.hpp"

namespace kasc::stability {

namespace {

// A step that is a billion times too large is a wrong unit at worst; 0 itself may be a division by zero.
constexpr double least_share = 1e-9;
// A factor 1e9 in steps of 1e-7: log2(ln(1e9) / 1e-7) = 28 bisections.
constexpr double precision = 1e-7;
// Each round ends at a cell that was stable in no earlier one; materials are few.
constexpr int most_rounds = 16;
// Parameters are given as float32.
constexpr double rounding = 1e-6;

class StepSearch {
public:
    StepSearch(const Program& program, Scheme& scheme, std::size_t group, const std::vector<double>& parameters)
        : program_(program), scheme_(scheme), group_(group), parameters_(parameters) {}

    std::optional<double> limit(ParameterId step, std::size_t cell) {
        double upper = parameters_.at(step.index);
        const double least = upper * least_share;
        for (int round = 0; round < most_rounds; ++round) {
            if (!stable(step, least, cell)) return std::nullopt;
            const double found = bisect(step, least, upper, cell);
            const Growth all = scheme_.growth(group_, with_value(program_, parameters_, step, found));
            if (!all.known) return std::nullopt;
            if (!all.worst.unstable()) return found;
            upper = found;
            cell = all.cell;
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] bool stable(ParameterId step, double value, std::size_t cell) {
        const auto there = scheme_.at_cell(group_, cell, with_value(program_, parameters_, step, value));
        return there && !there->unstable();
    }

    /// Stable at `lower`; the result is stable too.
    double bisect(ParameterId step, double lower, double upper, std::size_t cell) {
        while (upper > lower * (1 + precision)) {
            const double between = std::sqrt(lower) * std::sqrt(upper);
            (stable(step, between, cell) ? lower : upper) = between;
        }
        return lower;
    }

    const Program& program_;
    Scheme& scheme_;
    std::size_t group_;
    const std::vector<double>& parameters_;
};

}  // namespace

std::vector<ParameterId> step_candidates(const Program& program, const std::vector<double>& parameters) {
    std::vector<ParameterId> all;
    for (const ParameterId id : program.parameters.ids()) {
        const double value = parameters.at(id.index);
        if (program.parameters[id].kind == ScalarKind::real && value > 0 && std::isfinite(value)) all.push_back(id);
    }
    std::stable_partition(all.begin(), all.end(), [&](ParameterId id) { return program.parameters[id].name == "dt"; });
    return all;
}

std::vector<double> with_value(const Program& program, const std::vector<double>& parameters, ParameterId changed,
                               double value) {
    std::vector<double> all = parameters;
    all.at(changed.index) = value;
    for (std::uint32_t i = changed.index + 1; i < all.size(); ++i) {
        const ExpressionRef& fallback = program.parameters[ParameterId{i}].fallback;
        if (!fallback) continue;
        const double before = evaluate(*fallback, parameters);
        const double after = evaluate(*fallback, all);
        if (after != before && std::abs(before - parameters[i]) <= rounding * std::abs(before)) all[i] = after;
    }
    return all;
}

std::optional<StableStep> find_stable_step(const Program& program, Scheme& scheme, std::size_t group,
                                           const std::vector<double>& parameters, std::size_t cell) {
    StepSearch search(program, scheme, group, parameters);
    for (const ParameterId parameter : step_candidates(program, parameters)) {
        if (const auto limit = search.limit(parameter, cell)) return StableStep{parameter, *limit};
    }
    return std::nullopt;
}

double rounded_down(double value, int digits) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) + 1 - digits);
    return std::floor(value / unit * (1 + 2 * precision)) * unit;  // a limit of 1 is found as 0.99999995
}

}  // namespace kasc::stability
