// k-Wave's datasets have rank 3: (Nz, Ny, Nx) of fields, (1, Nt, Ns) of series, (1, 1, Ns) of lists,
// p/1 (Nt, nz, ny, nx) of boxes. kasc's own have
// the rank that the program gives them, a series of sensors (Nt, Ns). What is no name of k-Wave's is told by its shape:
// long and at most eight wide is a table of series.

#include "command/view/contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>

namespace kasc::command {

namespace {

constexpr std::uint64_t most_curves = 8;

/// The quantity of a dataset: "p" of "p/1", a box of k-Wave's.
std::string quantity_of(const std::string& name) { return name.substr(0, name.find('/')); }

bool is_narrow(const runtime::Shape& shape) { return shape[1] <= most_curves && shape[0] >= 4 * shape[1]; }

void as_series(Shown& shown, bool over_time) {
    const bool many = shown.shape.size() == 2;
    shown.series = true;
    shown.axes = many ? std::vector<std::string>{"sensor", over_time ? "t" : "step"}
                      : std::vector<std::string>{over_time ? "t" : "entry"};
}

}  // namespace

std::vector<std::string> told_axes(const runtime::DatasetFacts& facts) {
    std::istringstream text(facts.axes.data());
    const std::vector<std::string> all{std::istream_iterator<std::string>(text), {}};
    const runtime::Shape whole = facts.shape();
    std::vector<std::string> several;
    for (std::size_t k = 0; k < all.size() && all.size() == whole.size(); ++k) {
        if (whole[whole.size() - 1 - k] > 1) several.push_back(all[k]);
    }
    return several;
}

std::vector<std::string> several_axes(const runtime::Shape& whole) {
    constexpr std::array names{"x", "y", "z", "t"};
    std::vector<std::string> several;
    for (std::size_t k = 0; k < whole.size(); ++k) {
        if (whole[whole.size() - 1 - k] > 1) several.emplace_back(k < names.size() ? names.at(k) : "?");
    }
    return several;
}

bool is_time_series(const std::string& name) {
    constexpr std::array series{"p", "ux", "uy", "uz"};
    const std::string quantity = quantity_of(name);
    if (quantity == "p0_source_input") return false;
    return std::find(series.begin(), series.end(), quantity) != series.end() || quantity.ends_with("_non_staggered") ||
           quantity.ends_with("_source_input");
}

Shown how_to_show(const std::string& name, const runtime::DatasetFacts& facts, const std::string& as) {
    Shown shown;
    const runtime::Shape whole = facts.shape();
    const auto cells = runtime::cell_count(whole);
    const bool complex = facts.state == runtime::DatasetFacts::State::complex;
    if ((facts.state != runtime::DatasetFacts::State::good && !complex) || !cells || *cells == 0) return shown;
    if (*cells == 1) {
        if (complex) return shown;
        shown.as = Showing::number;
        return shown;
    }
    shown.axes = several_axes(whole);
    std::copy_if(whole.begin(), whole.end(), std::back_inserter(shown.shape), [](auto extent) { return extent != 1; });
    const std::size_t axes = shown.shape.size();
    // A box, (Nt, Nz, Ny, Nx), is a series where it has one cell.
    const std::vector<std::string> told = told_axes(facts);
    const bool over_time = (is_time_series(name) && axes <= 2 &&
                            (whole.size() < 3 || whole.front() == 1 || (whole.size() == 4 && axes == 1))) ||
                           (axes <= 2 && !told.empty() && told.back() == "t");
    const bool table = axes == 2 && (over_time || (whole.size() == 2 && is_narrow(shown.shape)));
    if (axes == 1 || (axes == 2 && as == "traces") || (table && as.empty() && shown.shape[1] <= most_curves)) {
        shown.as = as == "slice" || as == "planes" ? Showing::nothing : Showing::traces;
        shown.obvious = axes == 2 || over_time || whole.size() == 1;
        as_series(shown, over_time);
    } else if (axes <= 3) {
        const bool steps = facts.series != 0 || shown.axes.back() == "t";
        shown.planes = axes == 3 && (as == "planes" || (as.empty() && !steps));
        shown.as = as == "traces" || (as == "planes" && !shown.planes) ? Showing::nothing : Showing::slice;
        shown.obvious = shown.as == Showing::slice;
        if (table) as_series(shown, over_time);
    }
    // k-Wave's series are of sensors, whatever a program calls them.
    const bool of_sensors = shown.series && is_time_series(name);
    if (told.size() == shown.axes.size() && !of_sensors) shown.axes = told;
    return shown;
}

std::string contents_text(const runtime::DatasetFacts& facts) {
    using State = runtime::DatasetFacts::State;
    if (facts.state == State::not_a_number) return facts.type_name.data();
    if (facts.state == State::external) return "in another file";
    if (facts.state != State::good && facts.state != State::complex) return "damaged";
    std::string text;
    for (const std::uint64_t extent : facts.shape()) text += fmt::format("{}{}", text.empty() ? "" : " x ", extent);
    if (text.empty()) text = "a number";
    return facts.state == State::complex ? text + ", complex" : text;
}

}  // namespace kasc::command
