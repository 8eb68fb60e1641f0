#include "random/field_staggered.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

namespace kasc::random {

namespace {

struct DrawnFace {
    std::string kind;   ///< keep, value, mirror, -mirror
    std::string value;  ///< or the number of layers

    [[nodiscard]] std::string text() const { return value.empty() ? kind : fmt::format("{}({})", kind, value); }
};

struct DrawnField {
    std::string name, axis;
    DrawnFace low, high;

    [[nodiscard]] std::string word(const std::string& place, const std::string& others) const {
        return fmt::format("{}[{} = {}{}]", name, axis, place, others);
    }
};

class Staggered {
public:
    Staggered(Draw& draw, FieldProgram& program, const std::vector<std::string>& grid)
        : draw_(draw), program_(program), grid_(grid), whole_(draw.percent(20)) {}

    void run() {
        // What is periodic has as many faces as cells.
        const bool periodic = program_.declarations.find("periodic") != std::string::npos;
        const bool same = periodic || draw_.percent(35);
        program_.declarations += either(same ? "axis xs = staggered(x, same);\n" : "axis xs = staggered(x);\n",
                                        {same ? "axis xs = extent(x);\n" : "axis xs = extent(x) + 1;\n"});
        cells_ = declared("cells", "x", true);
        faces_ = declared("faces", "xs", draw_.percent(30));
        if (!program_.fields.back().input) assign("faces", whole_ ? "xs % 5" : "xs * 0.25");
        const bool loop = draw_.percent(60);
        std::vector<FieldLine> lines;
        lines.push_back({fmt::format("faces = {};", of(faces_, sum(cells_, "xs"))), {}});
        lines.push_back({fmt::format("cells = {};", of(cells_, sum(faces_, "x"))), {}});
        if (draw_.percent(25)) {
            const std::string along = draw_.of<std::string>({"x", "-x"});
            lines.push_back(
                {fmt::format("cells = {};",
                             of(cells_, fmt::format("running_{}({}, {})", draw_.of<std::string>({"sum", "maximum"}),
                                                    sum(faces_, "x"), along))),
                 {}});
        }
        if (loop) lines = {{"for (n = 0; n < 2; n++)", std::move(lines)}};
        program_.lines.insert(program_.lines.end(), lines.begin(), lines.end());
        if (grid_.size() == 1 || !draw_.percent(40)) return;
        const std::vector<std::string> rest(grid_.begin() + 1, grid_.end());
        const CellType type = whole_ ? CellType::int32 : CellType::float64;
        program_.declarations += fmt::format("{} flow[{}];\n", name_of(type), fmt::join(rest, ", "));
        program_.fields.push_back({"flow", type, rest, {}, {}, false, false});
        assign("flow", fmt::format("{}({}, x)", draw_.of<std::string>({"sum", "maximum"}), sum(faces_, "x")));
    }

private:
    Draw& draw_;
    FieldProgram& program_;
    const std::vector<std::string>& grid_;
    bool whole_;  ///< of integers
    DrawnField cells_, faces_;

    void assign(const std::string& target, const std::string& value) {
        program_.lines.push_back({fmt::format("{} = {};", target, value), {}});
    }
    DrawnFace face(bool input) {
        switch (draw_.between(input ? 0 : 1, 5)) {
            case 0:
                return {"keep", std::to_string(draw_.between(1, 2))};
            case 1:
                return {"keep", "0"};
            case 2:
                return {"mirror", ""};
            case 3:
                return {"-mirror", ""};
            default:
                break;
        }
        if (grid_.size() > 1 && draw_.percent(60)) return {"value", whole_ ? "y % 3" : "y * 0.125"};
        return {"value", whole_ ? "extent(x)" : "0.75"};
    }
    DrawnField declared(const std::string& name, const std::string& axis, bool input) {
        const CellType type = whole_ ? CellType::int32 : draw_.percent(70) ? CellType::float32 : CellType::float64;
        std::vector<std::string> axes = grid_;
        axes.front() = axis;
        const DrawnField made{name, axis, face(input), face(input)};
        program_.declarations +=
            fmt::format("{} {}[{}] boundary ({}: {} / {}{});\n", name_of(type), name, fmt::join(axes, ", "), axis,
                        made.low.text(), made.high.text(), axes.size() > 1 ? ", mirror" : "");
        program_.fields.push_back({name, type, axes, {}, {}, false, input});
        return made;
    }

    /// The word so many cells across, seen from an axis.
    std::string across(const DrawnField& field, const std::string& own, int cells) {
        const std::string other = grid_.size() > 1 && draw_.percent(25) ? ", y + 1" : "";
        const std::string place =
            cells == 0 ? own : fmt::format("{} {} {}", own, cells < 0 ? '-' : '+', std::abs(cells));
        const std::string end = fmt::format("extent({})", field.axis);
        const auto beyond = [&](const DrawnFace& face, const std::string& image) {
            if (face.kind == "value") {
                const bool along = face.value.starts_with("y") && !other.empty();
                return along ? "((y + 1)" + face.value.substr(1) + ")" : "(" + face.value + ")";
            }
            if (face.kind == "keep") return field.word(place, other);
            return fmt::format("{}{}", face.kind == "mirror" ? "" : "-", field.word(image, other));
        };
        const std::string by_hand = fmt::format(
            "({0} < 0 ? {2} : {0} >= {1} ? {3} : {4})", place, end, beyond(field.low, fmt::format("-1 - ({})", place)),
            beyond(field.high, fmt::format("2 * {} - 1 - ({})", end, place)), field.word(place, other));
        return either(field.word(place, other), {by_hand});
    }
    std::string sum(const DrawnField& field, const std::string& own) {
        const int first = own == "x" ? 1 : 0;
        std::string text = fmt::format("{} - {}", across(field, own, first), across(field, own, first - 1));
        if (draw_.percent(50))
            text += fmt::format(" + {} * {}", whole_ ? "2" : "0.25", across(field, own, draw_.between(-2, 2)));
        return text;
    }
    std::string of(const DrawnField& target, const std::string& terms) {
        if (whole_) return fmt::format("({}{}) % 97", target.name == "cells" ? "cells + " : "", terms);
        return fmt::format("{} * 0.5 + 0.125 * ({})", target.name, terms);
    }
};

}  // namespace

void add_staggered(Draw& draw, FieldProgram& program, const std::vector<std::string>& grid) {
    Staggered(draw, program, grid).run();
}

}  // namespace kasc::random
