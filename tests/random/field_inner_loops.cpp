#include "random/field_inner_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "random/field_sweeps.hpp"
#include "random/field_terms.hpp"

namespace kasc::random {

namespace {

/// Grows no value that is not large already, whatever the others are.
std::string next_of(Draw& draw, const RandomField& f, const RandomField& other) {
    const bool whole = is_integer(f.type), other_whole = is_integer(other.type);
    if (whole)
        return other_whole ? fmt::format("({} + {}) % 97", f.name, other.name) : fmt::format("({} + 5) % 89", f.name);
    if (other_whole || draw.percent(50)) return fmt::format("0.5*{} + 0.01", f.name);
    return fmt::format("0.5*{} + 0.25*{}", f.name, other.name);
}

std::string goes_on(Draw& draw, const RandomField& f) {
    if (is_integer(f.type)) {
        if (draw.percent(30)) return fmt::format("{} > 3*s", f.name);
        return fmt::format("{} % 7 != 2", f.name);
    }
    if (draw.percent(30)) return fmt::format("{} > 0.1*s", f.name);
    return draw.percent(50) ? fmt::format("abs({}) > 0.4", f.name) : fmt::format("{0} < 0.7 && {0} > 0.05", f.name);
}

/// Fields of numbers that have a value, over some axes.
std::vector<RandomField> numbers_with_values(const FieldProgram& program, const std::set<std::string>& valued) {
    std::vector<RandomField> fields;
    for (const RandomField& f : program.fields) {
        const bool number = f.cell.is_number() && !is_complex(f.type) && !f.mirrored && valued.contains(f.name);
        if (role_of(f.name) == Role::plain && number && !f.axes.empty() && f.name != "src" && f.name != "tab")
            fields.push_back(f);
    }
    return fields;
}

/// Two words of fields beside each other, of which those along the axis may be of a neighbour, of the cell that is
/// nearest to a position that each cell computes, or of the one `cell` that all look at.
std::string next_along(Draw& draw, const RandomField& f, const RandomField& other, const std::string& axis,
                       const std::string& cell) {
    const auto word = [&](const RandomField& of) {
        if (std::find(of.axes.begin(), of.axes.end(), axis) == of.axes.end()) return of.name;
        if (draw.percent(15)) return fmt::format("{}[{} = {}]", of.name, axis, cell);
        if (draw.percent(15)) return fmt::format("{0}[{1} = {1} - {2}]", of.name, axis, draw.between(-2, 2));
        const int step = of.bounded.contains(axis) && draw.percent(75) ? draw.of<int>({-2, -1, 1, 2, 5}) : 0;
        if (step == 0) return of.name;
        return fmt::format("{}[{} {} {}]", of.name, axis, step < 0 ? '-' : '+', std::abs(step));
    };
    if (!is_integer(f.type)) {
        if (is_integer(other.type)) return fmt::format("0.5*{} + 0.25*{}", word(f), word(f));
        return fmt::format("0.5*{} - 0.25*{}", word(f), word(other));
    }
    if (!is_integer(other.type)) return fmt::format("({} + 5*{}) % 89", word(f), word(f));
    return fmt::format("({} + 3*{}) % 97", word(f), word(other));
}

/// Cells look at each other along one axis, or along two.
std::optional<FieldLine> loop_of_lines(Draw& draw, const FieldProgram& program, const std::set<std::string>& valued) {
    const std::vector<RandomField> fields = numbers_with_values(program, valued);
    if (fields.empty()) return std::nullopt;
    const RandomField first = draw.of(fields);
    std::vector<RandomField> beside, fewer;
    for (const RandomField& f : fields) {
        const bool along_these = std::all_of(f.axes.begin(), f.axes.end(), [&](const std::string& axis) {
            return std::find(first.axes.begin(), first.axes.end(), axis) != first.axes.end();
        });
        if (f.axes == first.axes) beside.push_back(f);
        if (along_these && f.axes.size() < first.axes.size() && f.kept.empty()) fewer.push_back(f);
    }
    const std::string axis = draw.of(first.axes), second = draw.percent(20) ? draw.of(first.axes) : axis;
    const bool each = draw.percent(25);  // all cells in turn
    const std::string end = each ? fmt::format("extent({})", axis) : std::to_string(draw.between(0, 5));
    FieldLine loop{fmt::format("for (s = 0; s < {}; s++)", end), {}};
    for (int lines = draw.between(1, 3); lines > 0; --lines) {
        const RandomField f = draw.of(beside);
        const std::string& along = draw.percent(50) ? axis : second;
        const std::string cell = each && along == axis && draw.percent(75) ? "s" : "0";
        const RandomField other = !fewer.empty() && draw.percent(40) ? draw.of(fewer) : draw.of(beside);
        const std::string value = next_along(draw, f, other, along, cell);
        loop.body.push_back({fmt::format("{} = {};", f.name, value), {}});
    }
    if (!fewer.empty() && draw.percent(60)) {
        const RandomField f = draw.of(fewer);
        const auto place = loop.body.begin() + draw.between(0, static_cast<int>(loop.body.size()));
        loop.body.insert(place, {fmt::format("{} = {};", f.name, next_of(draw, f, f)), {}});
    }
    return loop;
}

std::optional<FieldLine> cells_that_end(Draw& draw, const FieldProgram& program, const std::set<std::string>& valued) {
    const std::vector<RandomField> fields = numbers_with_values(program, valued);
    if (fields.empty()) return std::nullopt;
    const RandomField first = draw.of(fields);
    std::vector<RandomField> beside;
    for (const RandomField& f : fields)
        if (f.axes == first.axes) beside.push_back(f);
    // Halved until it is small: 0.05 is passed by all that is finite.
    if (!is_integer(first.type) && first.kept.empty() && draw.percent(20)) {
        FieldLine loop{fmt::format("while (abs({0}) > 0.4 && abs({0}) < 1000)", first.name), {}};
        loop.body.push_back({fmt::format("{0} = 0.5*{0};", first.name), {}});
        return loop;
    }
    FieldLine loop{fmt::format("for (s = 0; s < {} && {}; s++)", draw.between(1, 6), goes_on(draw, first)), {}};
    loop.body.push_back({fmt::format("{} = {};", first.name, next_of(draw, first, draw.of(beside))), {}});
    for (int more = draw.between(0, 2); more > 0; --more) {
        const RandomField f = draw.of(beside);
        loop.body.push_back({fmt::format("{} = {};", f.name, next_of(draw, f, draw.of(beside))), {}});
    }
    return loop;
}

}  // namespace

std::vector<RandomField> fields_beside(const FieldProgram& program, const FieldLine& loop) {
    const auto is_handed_on = [&](const RandomField& f) {
        return std::any_of(loop.body.begin(), loop.body.end(),
                           [&](const FieldLine& line) { return line.text.starts_with(f.name + " ="); });
    };
    std::vector<RandomField> fields;
    for (const RandomField& f : program.fields) {
        const bool plain = role_of(f.name) == Role::plain && !f.is_series() && f.name != "tab";
        const bool alike = std::any_of(program.fields.begin(), program.fields.end(), [&](const RandomField& other) {
            return other.axes == f.axes && is_handed_on(other);
        });
        if (plain && alike && (program.spectra.drawn || !is_complex(f.type))) fields.push_back(f);
    }
    return fields;
}

std::optional<FieldLine> random_inner_loop(Draw& draw, const FieldProgram& program,
                                           const std::set<std::string>& valued) {
    if (!program.spectra.drawn && draw.percent(40))
        if (auto loop = loop_of_lines(draw, program, valued)) return loop;
    if (!program.spectra.drawn && draw.percent(40))
        if (auto loop = cells_that_end(draw, program, valued)) return loop;
    return random_sweep(draw, program, valued);
}

}  // namespace kasc::random
