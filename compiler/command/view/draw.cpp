#include "command/view/draw.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command/view/texts.hpp"
#include "runtime/pictures/trace.hpp"

namespace kasc::command {

namespace {

std::string unit_of(const Dataset& dataset, const ViewOptions& options, const ViewGrid& grid) {
    if (!options.unit.empty()) return options.unit;
    const std::string told = dataset.facts.units.data();
    return told.empty() ? grid.unit(dataset.name) : told;
}

runtime::Cuts cuts_of(const Shown& shown, const runtime::ArrayView& array, const ViewOptions& options) {
    const Place place = *read_place(options.at);
    if (shown.planes) return planes_of(array, place);
    runtime::Cut cut;
    if (shown.shape.size() != 3) return {cut};
    cut.axis = cut_axis(shown.axes, options.axis).value_or(2);
    if (place.kind == Place::Kind::index) cut.at = place.index;
    if (place.kind == Place::Kind::cell) cut.at = place.cell.at(*cut.axis);
    if (place.kind == Place::Kind::middle) cut.at = shown.shape[2 - *cut.axis] / 2;
    return {cut};
}

std::vector<runtime::Trace> traces_of(const Shown& shown, const runtime::ArrayView& array,
                                      const std::vector<std::string>& sensors) {
    const std::uint64_t count = array.shape.size() == 2 ? array.shape[1] : 1;
    std::vector<std::uint64_t> wanted;
    for (const std::string& text : sensors) {
        const auto span = *read_span(text);
        for (std::uint64_t s = span.first; s <= span.second && s < count; ++s) wanted.push_back(s);
    }
    for (std::uint64_t s = 0; sensors.empty() && s < count; ++s) wanted.push_back(s);
    std::vector<runtime::Trace> traces;
    for (const std::uint64_t s : wanted) {
        runtime::Trace& trace = traces.emplace_back();
        if (count > 1) trace.name = fmt::format("{} {}", shown.axes.front(), s);
        for (std::uint64_t n = 0; n < array.shape[0]; ++n) trace.values.push_back(array.values[n * count + s]);
    }
    return traces;
}

}  // namespace

std::optional<std::size_t> cut_axis(const std::vector<std::string>& axes, const std::string& wanted) {
    const auto found = std::find(axes.begin(), axes.end(), wanted);
    if (wanted.empty() || found == axes.end()) return std::nullopt;
    return static_cast<std::size_t>(found - axes.begin());
}

runtime::FieldStyle field_style(const Dataset& dataset, const ViewOptions& options, const ViewGrid& grid) {
    runtime::FieldStyle style;
    style.unit = unit_of(dataset, options, grid);
    style.stretch = dataset.shown.series;
    if (!options.colours.empty()) {
        style.colours.colours = options.colours == "heat"   ? runtime::ColourMap::heat
                                : options.colours == "grey" ? runtime::ColourMap::grey
                                                            : runtime::ColourMap::balance;
    }
    if (const auto range = read_range(options.range))
        style.colours.low = range->first, style.colours.high = range->second;
    return style;
}

runtime::Cuts planes_of(const runtime::ArrayView& array, const Place& place) {
    if (place.kind == Place::Kind::cell) return runtime::three_planes(array, place.cell);
    if (place.kind != Place::Kind::middle) return runtime::three_planes(array, {});
    return runtime::three_planes(array, {{array.shape[2] / 2, array.shape[1] / 2, array.shape[0] / 2}});
}

Diagnostics draw_dataset(const Dataset& dataset, const runtime::ArrayView& array, const ViewOptions& options,
                         const ViewGrid& grid) {
    const Shown& shown = dataset.shown;
    std::vector<runtime::PictureAxis> axes;
    for (const std::string& name : shown.axes) axes.push_back(grid.axis(name));
    if (shown.as == Showing::slice)
        return runtime::write_field(dataset.picture, array, axes, cuts_of(shown, array, options),
                                    field_style(dataset, options, grid));
    runtime::TraceStyle style{dataset.name, axes.back(), unit_of(dataset, options, grid), {}, {}};
    if (const auto range = read_range(options.range)) style.low = range->first, style.high = range->second;
    return runtime::write_traces(dataset.picture, traces_of(shown, array, options.sensors), style);
}

}  // namespace kasc::command
