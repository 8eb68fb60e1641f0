#include "random/field_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kasc::random {

namespace {

constexpr const char* parameters =
    "param float f = 0.75; param double d = 0.3; param int q0 = 1; param int steps = 2;\n"
    "function steep(u) = sqrt(abs(axis_sum(a, u, (u[a + 1] - u[a - 1]) * 0.5)));\n"
    "function mix(a, b) = a * 0.25 + b;\n";

class Drawing {
public:
    explicit Drawing(unsigned seed) : draw_(seed) {}

    FieldProgram run() {
        const int dimensions = draw_.of<int>({1, 2, 2, 2, 2, 3});
        grid_.assign({"x", "y", "z"});
        grid_.resize(static_cast<std::size_t>(dimensions));
        declare();
        for (const RandomField& f : program_.fields) {
            if (f.input) valued_.insert(f.name);
        }
        const int lines = draw_.between(2, 5);
        for (int k = 0; k < lines; ++k) program_.lines.push_back(line({}));
        return std::move(program_);
    }

private:
    Draw draw_;
    FieldProgram program_;
    std::vector<std::string> grid_;
    std::set<std::string> valued_;  ///< fields that have a value

    // --- declarations ---

    CellType type() {
        return draw_.of<CellType>({CellType::float32, CellType::float32, CellType::float32, CellType::float64,
                                   CellType::int32, CellType::uint8});
    }
    std::string face(const RandomField& f, bool keeps) {
        const int kind = draw_.between(keeps ? 0 : 1, 3);
        if (kind == 0) return fmt::format("keep({})", draw_.between(1, 2));
        if (kind != 1) return "mirror";
        const bool whole = is_integer(f.type);
        return fmt::format("value({})", whole ? draw_.of<std::string>({"3", "q0 + 1", "extent(x)"})
                                              : draw_.of<std::string>({"0.1", "2", "f / 3", "d"}));
    }
    /// Of its grid axes; a field that is no input has nothing to keep.
    std::string boundary(RandomField& f) {
        if (draw_.percent(12)) return "";
        if (draw_.percent(25)) {
            for (const std::string& axis : f.axes) f.bounded.insert(axis);
            f.periodic = draw_.percent(50);
            return " boundary " + (f.periodic ? std::string("periodic") : face(f, f.input));
        }
        std::vector<std::string> entries;
        for (const std::string& axis : f.axes) {
            const int kind = draw_.between(0, 9);
            if (kind == 0) continue;
            f.bounded.insert(axis);
            f.periodic = f.periodic || kind == 1;
            const std::string low = face(f, f.input);
            entries.push_back(fmt::format("{}: {}", axis,
                                          kind == 1  ? "periodic"
                                          : kind < 5 ? low
                                                     : fmt::format("{} / {}", low, face(f, f.input))));
        }
        return entries.empty() ? "" : fmt::format(" boundary ({})", fmt::join(entries, ", "));
    }
    void field(RandomField f, const std::string& of_boundary = "") {
        program_.declarations +=
            fmt::format("{} {}[{}]{};\n", name_of(f.type), f.name, fmt::join(f.axes, ", "), of_boundary);
        program_.fields.push_back(std::move(f));
    }
    void bounded_field(const std::string& name, CellType of, const std::vector<std::string>& axes, bool input) {
        RandomField f{name, of, axes, {}, false, input};
        const std::string text = boundary(f);
        field(std::move(f), text);
    }

    void declare() {
        program_.declarations = parameters;
        const int fields = draw_.between(3, 5);
        for (int k = 0; k < fields; ++k) {
            std::vector<std::string> axes = grid_;
            if (k > 1 && axes.size() > 1 && draw_.percent(30)) axes.erase(axes.begin() + draw_.between(0, 1));
            if (k > 1 && axes.size() > 1 && draw_.percent(10)) std::swap(axes[0], axes[1]);
            bounded_field(std::string(1, static_cast<char>('A' + k)), type(), axes, k == 0 || draw_.percent(75));
        }
        field({"lab", draw_.percent(60) ? CellType::uint8 : CellType::int32, grid_});
        field({"tab", draw_.of<CellType>({CellType::float32, CellType::float64, CellType::int32}), {"m"}});
        for (const std::string& axis : grid_) field({"p" + axis, CellType::int32, {"p"}});
        field({"ix", CellType::int32, {"j"}});
        field({"src", CellType::float32, {"p", "t"}});
        if (draw_.percent(70)) series();
        if (draw_.percent(40)) {
            program_.declarations += "axis u = (extent(x) + 1) / 2;\n";
            std::vector<std::string> axes = grid_;
            axes[0] = "u";
            field({"small", type(), axes, {}, false, false});
        }
    }
    void series() {
        field({"rec", type(), {"t"}, {}, false, draw_.percent(30)});
        field({"probe", type(), {"p", "t"}, {}, false, false});
        std::vector<std::string> axes = grid_;
        if (draw_.percent(50)) axes.erase(axes.begin() + draw_.between(0, static_cast<int>(axes.size()) - 1));
        axes.push_back("t");
        field({"movie", type(), axes, {}, false, false});
    }

    // --- statements ---

    FieldLine line(std::vector<std::string> loops) {
        if (loops.size() < 2 && draw_.percent(loops.empty() ? 40 : 12)) return loop(std::move(loops));
        std::vector<RandomField> targets;
        for (const RandomField& f : program_.fields) {
            const bool of_time = f.axes.back() == "t";
            if (role_of(f.name) != Role::plain || f.name == "src" || f.name == "tab" || (of_time && loops.empty()))
                continue;
            targets.push_back(f);
        }
        const RandomField target = draw_.of(targets);
        const std::string text = statement(target, loops);
        valued_.insert(target.name);
        return {text, {}};
    }

    FieldLine loop(std::vector<std::string> loops) {
        loops.push_back(loops.empty() ? "n" : "r");
        const std::string end = draw_.of<std::string>({"steps", "2", "3", "extent(t)"});
        FieldLine made{fmt::format("for ({0} = 0; {0} < {1}; {0}++)", loops.back(), end), {}};
        // What the body alone assigns may have no value behind it.
        const std::set<std::string> before = valued_;
        const int lines = draw_.between(1, 4);
        for (int k = 0; k < lines; ++k) made.body.push_back(line(loops));
        valued_ = before;
        return made;
    }

    std::string statement(const RandomField& target, const std::vector<std::string>& loops) {
        const bool valued = valued_.contains(target.name);
        const bool grid = target.axes == grid_;
        Place place{target.axes, loops, target.name, 0};
        std::string indices, colours;
        const int kind = draw_.between(0, 99);
        if (target.axes.back() == "t") {
            place.running.pop_back();
            indices = fmt::format("[t = {}]", loops.front());
        } else if (valued && grid && kind < 16) {
            indices = listed(place);
        } else if (valued && kind < 26) {
            const std::size_t k = static_cast<std::size_t>(draw_.between(0, static_cast<int>(target.axes.size()) - 1));
            indices = fmt::format("[{} = {}]", target.axes[k],
                                  draw_.of<std::string>({"q0", "0", fmt::format("extent({}) - 1", target.axes[k])}));
            place.running.erase(place.running.begin() + static_cast<std::ptrdiff_t>(k));
        } else if (valued && kind < 38 && !target.periodic && !target.bounded.empty()) {
            place.colours = draw_.between(2, 4);
            colours = fmt::format(" coloured({})", place.colours);
        }
        Terms terms(draw_, program_.fields, valued_, place);
        const bool adds = valued && draw_.percent(25);
        const std::string value = is_integer(target.type) ? fmt::format("({}) % 97", terms.integer(2)) : terms.real(3);
        return fmt::format("{}{} {} {}{};", target.name, indices, adds ? "+=" : "=", value, colours);
    }

    /// "[x = px, y = py]" and what the statement then runs over.
    std::string listed(Place& place) {
        switch (draw_.between(0, 3)) {
            case 0:
                place.running[0] = "j";
                return "[x = ix]";
            case 1:
                place.running[0] = "j";
                return "[x = extent(x) - 1 - j]";
            default: {
                std::vector<std::string> all;
                for (const std::string& axis : grid_) all.push_back(fmt::format("{0} = p{0}", axis));
                place.running = {"p"};
                return fmt::format("[{}]", fmt::join(all, ", "));
            }
        }
    }
};

bool is_loop(const FieldLine& line) { return line.text.starts_with("for "); }

void write(std::string& text, const std::vector<FieldLine>& lines, std::size_t depth) {
    for (const FieldLine& line : lines) {
        text += std::string(4 * depth, ' ') + line.text;
        if (is_loop(line)) {
            text += " {\n";
            write(text, line.body, depth + 1);
            text += std::string(4 * depth, ' ') + "}";
        }
        text += "\n";
    }
}

/// Of fields that some line assigns; `certainly`: one that is in no loop.
std::set<std::string> assigned(const std::vector<FieldLine>& lines, bool certainly) {
    std::set<std::string> names;
    for (const FieldLine& line : lines) {
        if (!is_loop(line)) {
            names.insert(line.text.substr(0, line.text.find_first_of(" [")));
        } else if (!certainly) {
            names.merge(assigned(line.body, false));
        }
    }
    return names;
}

bool drop(std::vector<FieldLine>& lines, std::size_t& k) {
    for (auto it = lines.begin(); it != lines.end(); ++it) {
        if (k-- == 0) {
            lines.erase(it);
            return true;
        }
        if (drop(it->body, k)) return true;
    }
    return false;
}

}  // namespace

FieldProgram random_field_program(unsigned seed) { return Drawing(seed).run(); }

std::string text_of(const FieldProgram& program) {
    std::vector<std::string> inputs, outputs;
    const std::set<std::string> somewhere = assigned(program.lines, false), certainly = assigned(program.lines, true);
    for (const RandomField& f : program.fields) {
        if (f.input) inputs.push_back(f.name);
        const bool has_value = f.input || f.axes.back() == "t";  // what no iteration assigns of a series is zero
        if ((has_value ? somewhere : certainly).contains(f.name)) outputs.push_back(f.name);
    }
    if (outputs.empty()) outputs.push_back("A");
    std::string text = program.declarations + fmt::format("input {};\n", fmt::join(inputs, ", "));
    write(text, program.lines, 0);
    return text + fmt::format("return {};\n", fmt::join(outputs, ", "));
}

bool drop_line(FieldProgram& program, std::size_t k) { return drop(program.lines, k); }

}  // namespace kasc::random
