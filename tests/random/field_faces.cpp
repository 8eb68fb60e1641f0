#include "random/field_faces.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kasc::random {

namespace {

struct DrawnFace {
    std::string text;
    int layers = 0;
};

/// Inputs of numbers that lie along the face, and may be read beside its cells.
std::vector<std::string> along_face(const RandomField& field, const std::string& axis,
                                    const std::vector<RandomField>& declared) {
    std::vector<std::string> names;
    for (const RandomField& f : declared) {
        const auto lies_there = [&](const std::string& a) {
            return a != axis && f.bounded.contains(a) &&
                   std::find(field.axes.begin(), field.axes.end(), a) != field.axes.end();
        };
        const bool number =
            f.cell.is_number() && !is_complex(f.type) && (!is_integer(field.type) || is_integer(f.type));
        if (f.input && number && std::all_of(f.axes.begin(), f.axes.end(), lies_there)) names.push_back(f.name);
    }
    return names;
}

/// `axis`: of the face; empty: of those along all axes.
DrawnFace draw_face(const RandomField& field, const std::string& axis, const std::vector<RandomField>& declared,
                    Draw& draw) {
    const int kind = draw.between(field.input ? 0 : 1, 3);
    if (kind == 0) {
        const int layers = draw.between(1, 2);
        return {fmt::format("keep({})", layers), layers};
    }
    if (kind != 1) return {draw.percent(40) ? "-mirror" : "mirror"};
    const bool whole = is_integer(field.type);
    if (!axis.empty() && draw.percent(50)) {
        std::vector<std::string> values;
        for (const std::string& name : along_face(field, axis, declared)) {
            values.push_back(name);
            values.push_back(whole ? fmt::format("{} % 4 + 1", name) : fmt::format("{} / 2", name));
        }
        for (const std::string& other : field.axes)
            if (other != axis) values.push_back(other + (whole ? " + 1" : " * 0.125"));
        if (!values.empty()) return {fmt::format("value({})", draw.of(values))};
    }
    return {fmt::format("value({})", whole ? draw.of<std::string>({"3", "q0 + 1", "extent(x)"})
                                           : draw.of<std::string>({"0.1", "2", "f / 3", "d"}))};
}

}  // namespace

std::string draw_boundary(RandomField& field, const std::vector<RandomField>& declared, Draw& draw) {
    if (draw.percent(12)) return "";
    if (draw.percent(25)) {
        field.periodic = draw.percent(50);
        const DrawnFace all = field.periodic ? DrawnFace{"periodic"} : draw_face(field, "", declared, draw);
        for (const std::string& axis : field.axes) {
            field.bounded.insert(axis);
            field.kept[axis] = {all.layers, all.layers};
        }
        return " boundary " + all.text;
    }
    std::vector<std::string> entries;
    for (const std::string& axis : field.axes) {
        const int kind = draw.between(0, 9);
        if (kind == 0) continue;
        field.bounded.insert(axis);
        field.periodic = field.periodic || kind == 1;
        const auto face = [&] { return draw_face(field, axis, declared, draw); };
        const DrawnFace low = kind == 1 ? DrawnFace{"periodic"} : face(), high = kind < 5 ? low : face();
        field.kept[axis] = {low.layers, high.layers};
        entries.push_back(kind < 5 ? fmt::format("{}: {}", axis, low.text)
                                   : fmt::format("{}: {} / {}", axis, low.text, high.text));
    }
    return entries.empty() ? "" : fmt::format(" boundary ({})", fmt::join(entries, ", "));
}

}  // namespace kasc::random
