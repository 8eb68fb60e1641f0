#include "command/kwave/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numbers>
#include <utility>

#include "runtime/hdf5/survey.hpp"

#include "foundation/extremes.hpp"

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
    [[nodiscard]] long long extent(const std::string& axis) const {
        const auto& axes = run_.checked.program.axes;
        for (const AxisId id : axes.ids()) {
            if (axes[id].name == axis) return run_.extents.at(id.index);
        }
        return 1;
    }
    /// How many samples the signal has; 0: it is no input.
    [[nodiscard]] double samples(const std::string& name) const {
        const auto& arrays = run_.inputs.arrays;
        const auto at = std::find_if(arrays.begin(), arrays.end(), [&](const auto& a) { return a.name == name; });
        return at == arrays.end() ? 0 : static_cast<double>(runtime::cell_count(at->shape).value_or(0));
    }
    /// The largest value of a field, or the number in its place. By all processes, each of which looks at its rows.
    [[nodiscard]] double largest(const std::string& name) const {
        const auto& arrays = run_.inputs.arrays;
        const auto at = std::find_if(arrays.begin(), arrays.end(), [&](const auto& a) { return a.name == name; });
        if (at == arrays.end()) return number(name).value_or(0);
        runtime::Words own = at->values;
        if (const auto input = static_cast<std::size_t>(at - arrays.begin()); !run_.is_whole(input)) {
            const std::size_t row = own.size() / at->shape.at(0);
            own = own.subspan(run_.held[input]->first * row, run_.held[input]->rows * row);
        }
        double most = 0;
        if (!own.empty()) most = std::max(most, all_extremes_of(own.type(), own.data(), own.size()).most);
        if (run_.processes == nullptr) return most;
        std::vector<std::byte> bytes(sizeof(most));
        std::memcpy(bytes.data(), &most, sizeof(most));
        for (const auto& of_rank : run_.processes->gather(bytes)) {
            double other = 0;
            std::memcpy(&other, of_rank.data(), sizeof(other));
            most = std::max(most, other);
        }
        return most;
    }

    /// The largest wave number of the grid: half a wave a cell along each axis.
    [[nodiscard]] double largest_wave_number() const {
        double squares = 0;
        const auto& axes = run_.checked.program.axes;
        for (const AxisId axis : axes.ids()) {
            const std::string& name = axes[axis].name;
            if (name != "x" && name != "y" && name != "z") continue;
            const double d = number("d" + name).value_or(0);
            if (run_.extents.at(axis.index) > 1) squares += 1 / (d * d);
        }
        return std::numbers::pi * std::sqrt(squares);
    }

private:
    const BoundRun& run_;
};

/// In a medium that is the same everywhere the scheme is stable while |sin(c_ref k dt / 2)| <= c_ref / c0 at every k of
/// the grid. With the largest c0 of a medium that varies, that is enough, but not always needed: where fast parts are
/// thin, no wave of the shortest kind lies in them alone. So this is no proof.
Diagnostics check_step(const Values& values) {
    const double c0 = values.largest("c0"), c_ref = values.number("c_ref").value_or(0);
    const double dt = values.number("dt").value_or(0), k = values.largest_wave_number();
    if (!(c_ref > 0) || !(k > 0) || c0 <= c_ref) return {};
    const double most = 2 * std::asin(c_ref / c0) / (c_ref * k);
    if (dt <= most) return {};
    // Rounded down: what is named is stable.
    const double scale = std::pow(10.0, std::floor(std::log10(most)) - 2);
    Diagnostic d;
    d.severity = Severity::warning;
    d.code = "K0740";
    d.message = fmt::format("the step dt = {:.6g} is likely unstable: the largest stable is {:.3g}", dt,
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

/// A list of the file: numbers of points, or of samples of a signal. Its entries are counted from 1, as k-Wave's are.
class ListCheck {
public:
    ListCheck(const BoundRun& run, const runtime::ArrayView& list) : run_(run), list_(list) {}

    /// Every entry is from 1 to `most`: what the help says of them.
    void check_range(double most, const std::string& what, const std::string& help) {
        std::size_t count = 0, first = 0;
        for (std::size_t i = 0; i < list_.values.size(); ++i) {
            if (list_.values[i] >= 1 && list_.values[i] <= most) continue;
            if (count++ == 0) first = i;
        }
        if (count == 0) return;
        add("K0756",
            fmt::format("entry {} of '{}' is {}, and {} {}", first + 1, list_.name, list_.values[first], what, most),
            help, count);
    }
    /// A point has one source.
    void check_once() {
        std::vector<std::pair<double, std::size_t>> entries;
        for (std::size_t i = 0; i < list_.values.size(); ++i) entries.emplace_back(list_.values[i], i + 1);
        std::sort(entries.begin(), entries.end());
        const auto twice = std::adjacent_find(entries.begin(), entries.end(),
                                              [](const auto& a, const auto& b) { return a.first == b.first; });
        if (twice == entries.end()) return;
        add("K0743",
            fmt::format("entries {} and {} of '{}' are both {}", twice->second, std::next(twice)->second, list_.name,
                        twice->first),
            "of two signals for one point either may count: give each point one entry", 1);
    }
    [[nodiscard]] Diagnostics take() { return std::move(said_); }

private:
    void add(const char* code, std::string message, std::string help, std::size_t count) {
        Diagnostic d;
        d.code = code;
        d.message = std::move(message);
        d.span = runtime::dataset_place(run_.surveyed.path, list_.name);
        if (count > 1)
            d.notes.push_back({{}, fmt::format("so it is with {} of its {} entries", count, list_.values.size())});
        d.help = std::move(help);
        said_.push_back(std::move(d));
    }

    const BoundRun& run_;
    const runtime::ArrayView& list_;
    Diagnostics said_;
};

Diagnostics check_lists(const BoundRun& run, const Values& values) {
    const long long nx = values.extent("x"), ny = values.extent("y"), nz = values.extent("z");
    Diagnostics found;
    for (const runtime::ArrayView& list : run.inputs.arrays) {
        const bool source = list.name == "p_source_index" || list.name == "u_source_index";
        ListCheck check(run, list);
        if (source || list.name == "sensor_mask_index")
            check.check_range(static_cast<double>(nx * ny * nz),
                              fmt::format("the grid of {} x {} x {} has the points 1 to", nx, ny, nz),
                              "k-Wave counts points from 1, along x first, then y, then z");
        if (source) check.check_once();
        if (list.name == "delay_mask")
            check.check_range(
                values.samples("transducer_source_input") - values.number("transducer_source_flag").value_or(0) + 1,
                "delays of this signal are 1 to",
                "a delay is the sample that the element begins with, from 1; transducer_source_flag samples "
                "follow it");
        const Diagnostics more = check.take();
        found.insert(found.end(), more.begin(), more.end());
    }
    return found;
}

}  // namespace

Diagnostics check_kwave(const BoundRun& run) {
    const Values values(run);
    Diagnostics found = check_lists(run, values);
    const Diagnostics step = check_step(values);
    found.insert(found.end(), step.begin(), step.end());
    const Diagnostics power = check_power(values);
    found.insert(found.end(), power.begin(), power.end());
    return found;
}

}  // namespace kasc::command
