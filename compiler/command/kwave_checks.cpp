#include "command/kwave_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kasc::command {

namespace {

/// So near to 1 the dispersion's factor tan(pi y / 2) exceeds 12, and what float32 rounds of it is felt.
constexpr double near_one = 0.05;

class Values {
public:
    explicit Values(const BoundRun& run) : run_(run) {}

    /// None: the program has no such parameter.
    [[nodiscard]] std::optional<double> number(const std::string& name) const {
        const auto& parameters = run_.checked.program.parameters;
        for (const ParameterId p : parameters.ids()) {
            if (parameters[p].name == name) return run_.parameters.at(p.index);
        }
        return std::nullopt;
    }
    /// Of a field, or of a number in its place.
    [[nodiscard]] double largest(const std::string& name) const {
        const auto& arrays = run_.inputs.arrays;
        const auto at = std::find_if(arrays.begin(), arrays.end(), [&](const auto& a) { return a.name == name; });
        if (at == arrays.end()) return number(name).value_or(0);
        double most = 0;
        for (std::size_t i = 0; i < at->values.size(); ++i) most = std::max(most, at->values[i]);
        return most;
    }

private:
    const BoundRun& run_;
};

/// The scheme is stable while |sin(c_ref k dt / 2)| <= c_ref / c0 at every k of the grid and c0 of the medium.
Diagnostics check_step(const Values& values) {
    const double c0 = values.largest("c0"), c_ref = values.number("c_ref").value_or(0);
    const double dt = values.number("dt").value_or(0), k = values.number("largest_k").value_or(0);
    if (!(c_ref > 0) || !(k > 0) || c0 <= c_ref) return {};
    const double most = 2 * std::asin(c_ref / c0) / (c_ref * k);
    if (dt <= most) return {};
    // Rounded down: what is named is stable.
    const double scale = std::pow(10.0, std::floor(std::log10(most)) - 2);
    Diagnostic d;
    d.code = "K0740";
    d.message = fmt::format("the time step is unstable: dt = {:.6g} exceeds the largest stable {:.3g}", dt,
                            std::floor(most / scale) * scale);
    d.notes.push_back({{}, fmt::format("the medium's speed of sound reaches {:g}, and c_ref is {:g}", c0, c_ref)});
    d.help = fmt::format("take a smaller time step, or a c_ref of {:g}, with which any is stable", c0);
    return {d};
}

Diagnostics check_power(const Values& values) {
    const auto power = values.number("alpha_power");
    if (!power || values.largest("alpha_coeff") <= 0 || *power == 1 || std::abs(*power - 1) > near_one) return {};
    Diagnostic d;
    d.severity = Severity::warning;
    d.code = "K0754";
    d.message = fmt::format("alpha_power = {:g} is near 1, where dispersion grows without bound", *power);
    d.help = fmt::format(
        "the factor tan(pi y/2) is {:.3g}: see whether the result changes with alpha_power a little "
        "farther from 1",
        std::tan(std::numbers::pi / 2 * *power));
    return {d};
}

}  // namespace

Diagnostics check_kwave(const BoundRun& run) {
    const Values values(run);
    Diagnostics found = check_step(values);
    const Diagnostics power = check_power(values);
    found.insert(found.end(), power.begin(), power.end());
    return found;
}

}  // namespace kasc::command
