// First, how fast each wave grows by the equations themselves: its growth at steps so small that nothing else is left.
//
//   T' = T + dt (ΔT + r T)       log|g(π)| at dt, dt/4, dt/16 …: 2.9, -0.3, …       ends: the scheme's
//   Turing's u and v             log|g(π/2)|: 0.08, 0.02, 0.005, …                  a quarter each: the equations'
//   T' = T - dt (T[1] - T[-1])   log|g(π/2)|: 0.11, 0.008, 0.0005, …                faster, without an end: the
//   scheme's
//
// Then the limit. The cell that is worst at the present step is worst at most smaller ones, so it is bisected there,
// and then all cells are tested at that limit; where another cell is unstable still, the search goes on from there.
//
//   dt = 2      all: cell 17 unstable      bisect cell 17 in (0, 2]      → 0.91
//   dt = 0.91   all: cell 4 unstable       bisect cell 4 in (0, 0.91]    → 0.78
//   dt = 0.78   all: stable                the limit is 0.78

#include "stability/step.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace kasc::stability {

namespace {

// A step that is a billion times too large is a wrong unit at worst; 0 itself may be a division by zero.
constexpr double least_share = 1e-9;
// From a step to the next smaller one, while its growth is watched; 4^15 reaches least_share.
constexpr double quarter = 0.25;
constexpr int quarterings = 15;
// By how much growth differs between a step and a quarter of it: 4 where it is in proportion, 16 where it is squared.
constexpr double least_ratio = 2.5, largest_ratio = 8;
// What a step may add to the growth of the equations: Euler's step of a growing wave that travels grows a little
// faster.
constexpr double physical_multiple = 2;
// A factor 1e9 in steps of 1e-7: log2(ln(1e9) / 1e-7) = 28 bisections.
constexpr double precision = 1e-7;
// Each round ends at a cell that was stable in no earlier one; materials are few.
constexpr int most_rounds = 16;
// How many of the cells whose waves grow are looked into: those with the fastest.
constexpr std::size_t most_judged = 32;
// Beyond a limit growth leaps, at a quarter more than the step by orders of magnitude. What grows with the 4th power of
// the step (Adams-Bashforth's and Heun's waves) and crosses the tolerance there comes to 1.25^4 = 2.4 tolerances.
constexpr double beyond = 1.25, leap = 3;
// Waves that grow slowly are told where the loop makes so much of a wave of rounding errors that a person sees it.
constexpr double seen_growth = 1000;

class StepSearch {
public:
    StepSearch(const Program& program, Scheme& scheme, std::size_t group, const std::vector<double>& parameters,
               ParameterId step)
        : program_(program), scheme_(scheme), group_(group), parameters_(parameters), step_(step) {}

    /// At a cell where waves grow; none: by the equations alone.
    std::optional<UnstableStep> at(const GrowingCell& growing) {
        const double value = parameters_.at(step_.index);
        const auto here = excess(value, growing.cell);
        if (!here || *here == 0 || slow_) return std::nullopt;
        UnstableStep found{step_, growing.cell, std::exp(growing.logarithm), limit(growing.cell)};
        if (!found.limit) return std::nullopt;
        if (leaps(*found.limit)) return found;
        found.limit.reset();
        slow_ = *here * scheme_.iterations(parameters_) < std::log(seen_growth);
        return slow_ ? std::nullopt : std::optional(found);
    }

private:
    const Program& program_;
    Scheme& scheme_;
    std::size_t group_;
    const std::vector<double>& parameters_;
    ParameterId step_;
    std::map<std::size_t, std::vector<double>> rates_;  // by cell and wave
    std::size_t limiting_ = 0;                          // the cell that the limit is of
    bool slow_ = false;                                 // growth has no limit, and the loop ends before it is seen

    std::vector<double> with(double value) const { return with_value(program_, parameters_, step_, value); }

    /// By wave, the growth in a unit of the step that is left as the step becomes small; infinite where it stays.
    const std::vector<double>& rates(std::size_t cell) {
        const auto [place, added] = rates_.try_emplace(cell);
        std::vector<double>& rates = place->second;
        if (!added) return rates;
        WaveGrowths smaller;
        std::vector<bool> seen;
        for (int k = quarterings; k >= 0; --k) {
            const double value = parameters_.at(step_.index) * std::pow(quarter, k);
            const auto waves = scheme_.at_cell(group_, cell, with(value));
            if (!waves) continue;
            rates.resize(waves->size(), 0);
            seen.resize(waves->size(), false);
            for (std::size_t i = 0; i < waves->size(); ++i) {
                if (seen[i] || !(*waves)[i].grows) continue;
                seen[i] = true;
                rates[i] = smaller.empty() ? INFINITY : rate((*waves)[i], smaller[i], value);
            }
            smaller = *waves;
        }
        return rates;
    }

    /// At the smallest step at which a wave grows, and a quarter of it; 0 where growth is not in proportion.
    static double rate(const WaveGrowth& wave, const WaveGrowth& smaller, double value) {
        const double ratio = wave.logarithm / smaller.logarithm;
        return ratio >= least_ratio && ratio <= largest_ratio ? wave.logarithm / value : 0;
    }

    /// The growth of the wave that grows fastest of those that grow faster than by the equations; 0: none does.
    std::optional<double> excess(double value, std::size_t cell) {
        const auto waves = scheme_.at_cell(group_, cell, with(value));
        if (!waves) return std::nullopt;
        const std::vector<double>& physical = rates(cell);
        double most = 0;
        for (std::size_t i = 0; i < waves->size() && i < physical.size(); ++i) {
            const WaveGrowth& wave = (*waves)[i];
            if (wave.grows && wave.logarithm > physical_multiple * physical[i] * value)
                most = std::max(most, wave.logarithm);
        }
        return most;
    }

    bool stable(double value, std::size_t cell) { return excess(value, cell) == 0.0; }

    /// The largest stable step, by what all cells say; none where no smaller step is stable.
    std::optional<double> limit(std::size_t cell) {
        double upper = parameters_.at(step_.index);
        const double least = upper * least_share;
        for (int round = 0; round < most_rounds; ++round) {
            if (!stable(least, cell)) return std::nullopt;
            upper = bisect(least, upper, cell);
            limiting_ = cell;
            const auto worse = unstable_cell(upper);
            if (!worse) return upper;
            cell = *worse;
        }
        return std::nullopt;
    }

    /// Stable at `lower`; the result is stable too.
    double bisect(double lower, double upper, std::size_t cell) {
        while (upper > lower * (1 + precision)) {
            const double between = std::sqrt(lower) * std::sqrt(upper);
            (stable(between, cell) ? lower : upper) = between;
        }
        return lower;
    }

    std::optional<std::size_t> unstable_cell(double value) {
        const Growth all = scheme_.growth(group_, with(value));
        for (std::size_t i = 0; i < std::min(all.cells.size(), most_judged); ++i) {
            if (!stable(value, all.cells[i].cell)) return all.cells[i].cell;
        }
        return std::nullopt;
    }

    bool leaps(double limit) {
        const auto more = excess(beyond * limit, limiting_);
        return more && *more > leap * tolerance;
    }
};

/// The step at a cell; none: no parameter is one.
std::optional<ParameterId> step_at(const Program& program, Scheme& scheme, std::size_t group, std::size_t cell,
                                   const std::vector<double>& parameters) {
    for (const ParameterId parameter : step_candidates(program, parameters)) {
        if (is_time_step(program, scheme, group, cell, parameters, parameter)) return parameter;
    }
    return std::nullopt;
}

}  // namespace

std::optional<UnstableStep> find_unstable_step(const Program& program, Scheme& scheme, std::size_t group,
                                               const std::vector<double>& parameters) {
    const Growth growth = scheme.growth(group, parameters);
    std::map<ParameterId, StepSearch> searches;
    for (std::size_t i = 0; i < std::min(growth.cells.size(), most_judged); ++i) {
        const auto step = step_at(program, scheme, group, growth.cells[i].cell, parameters);
        if (!step) continue;
        const auto search = searches.try_emplace(*step, program, scheme, group, parameters, *step).first;
        if (const auto found = search->second.at(growth.cells[i])) return found;
    }
    return std::nullopt;
}

std::optional<UnstableStep> find_unstable_step(const Program& program, Scheme& scheme, std::size_t group,
                                               const std::vector<double>& parameters, ParameterId parameter) {
    const Growth growth = scheme.growth(group, parameters);
    StepSearch search(program, scheme, group, parameters, parameter);
    for (std::size_t i = 0; i < std::min(growth.cells.size(), most_judged); ++i) {
        if (!is_time_step(program, scheme, group, growth.cells[i].cell, parameters, parameter)) continue;
        if (const auto found = search.at(growth.cells[i])) return found;
    }
    return std::nullopt;
}

double rounded_down(double value, int digits) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) + 1 - digits);
    return std::floor(value / unit * (1 + 2 * precision)) * unit;  // a limit of 1 is found as 0.99999995
}

}  // namespace kasc::stability
