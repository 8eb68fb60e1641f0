#include "command/run/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command/run/spacing.hpp"
#include "runtime/pictures/field_picture.hpp"
#include "runtime/pictures/picture_format.hpp"
#include "runtime/pictures/shown_array.hpp"

namespace kasc::command {

std::size_t drawn_output(const std::string& wish, const runtime::ProgramInterface& face) {
    const std::string name = wish.substr(0, wish.find('='));
    const auto& outputs = face.outputs;
    return static_cast<std::size_t>(
        std::find_if(outputs.begin(), outputs.end(), [&](const auto& o) { return o.name == name; }) - outputs.begin());
}

std::string picture_file(const std::string& wish) {
    const std::size_t equals = wish.find('=');
    return equals == std::string::npos ? "" : wish.substr(equals + 1);
}

Diagnostics check_picture(const std::string& wish, const runtime::ProgramInterface& face) {
    if (wish.empty()) return {};
    if (picture_file(wish).empty()) {
        return {placeless("K0904", fmt::format("'{}' does not say what to draw into which file", wish),
                          "write --picture OUTPUT=FILE.png, or FILE.svg, FILE.pdf")};
    }
    if (drawn_output(wish, face) < face.outputs.size()) return {};
    const std::string name = wish.substr(0, wish.find('='));
    std::string known, words;
    for (const auto& output : face.outputs) {
        known += (known.empty() ? "" : ", ") + output.name;
        if (output.of_cell && output.of_cell->field == name) words += (words.empty() ? "" : ", ") + output.name;
    }
    if (!words.empty())
        return {placeless("K0904",
                          fmt::format("the cells of output '{}' have several words, a picture shows one", name),
                          "they are " + words)};
    return {
        placeless("K0904", fmt::format("the program has no output '{}' to draw", name), "its outputs are " + known)};
}

Diagnostics check_picture_file(const std::string& wish) {
    return wish.empty() ? Diagnostics{} : runtime::check_picture_format(picture_file(wish));
}

namespace {

/// The outputs are the inputs of whoever reads them.
Outcome<runtime::LoadedArrays> read_drawn(const RunBinding& bound, std::size_t drawn, const std::string& path) {
    runtime::ProgramInterface written = bound.face;
    written.inputs = std::move(written.outputs);
    std::map<std::string, long long> extents;
    for (std::size_t k = 0; k < written.axes.size(); ++k) extents[written.axes[k]] = bound.extents.at(k);
    if (written.stream) extents = {{"n", bound.extents.at(0)}};
    const auto surveyed = runtime::survey_inputs(path, written, extents);
    if (!surveyed) return failure<runtime::LoadedArrays>(surveyed.diagnostics);
    std::vector<bool> wanted(written.inputs.size(), false);
    wanted.at(drawn) = true;
    return runtime::load_inputs(*surveyed.value, written, wanted);
}

}  // namespace

Diagnostics draw_picture(const std::string& wish, const RunBinding& bound, const runtime::Outputs& outputs,
                         const std::string& written) {
    if (wish.empty()) return {};
    const runtime::ProgramInterface& face = bound.face;
    const std::size_t drawn = drawn_output(wish, face);
    const auto read =
        written.empty() ? success(runtime::LoadedArrays{outputs.arrays(), nullptr}) : read_drawn(bound, drawn, written);
    if (!read) return read.diagnostics;
    const auto steps = spacings(face, bound.parameters);
    std::vector<runtime::PictureAxis> axes;
    for (const int axis : face.outputs.at(drawn).axes)
        axes.push_back(picture_axis(face.axes.at(static_cast<std::size_t>(axis)), steps));
    const runtime::ShownArray shown(read->arrays.at(drawn));
    const bool planes = shown.array().shape.size() == 3 && !bound.outputs_over_steps().at(drawn);
    const runtime::Cuts cuts = planes ? runtime::three_planes(shown.array(), {}) : runtime::Cuts{runtime::Cut{}};
    return runtime::write_field(picture_file(wish), shown.array(), axes, cuts);
}

}  // namespace kasc::command
