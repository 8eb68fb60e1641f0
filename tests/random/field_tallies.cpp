// axis bin = 7; axis part = 2;
// int label[x, y], tally[bin]; int64 total[bin, part]; double mass[bin];
// label = (x + 3*y + k) % 9 - 1;
// tally = 2;                      total = 0;                                         mass = bin;
// tally[bin = label] += 1;        total[bin = label] += x > 1 ? 3 - part : 0;        mass[bin = label] += A * 0.75;
#include "random/field_tallies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "random/field_terms.hpp"

namespace kasc::random {

namespace {

class Tallies {
public:
    Tallies(Draw& draw, FieldProgram& program, const std::vector<std::string>& grid,
            const std::set<std::string>& valued)
        : draw_(draw), program_(program), grid_(grid) {
        for (const RandomField& f : program.fields) {
            const bool over_grid = std::all_of(f.axes.begin(), f.axes.end(), [&](const std::string& axis) {
                return std::find(grid.begin(), grid.end(), axis) != grid.end();
            });
            const bool whole = f.type == CellType::int32 || f.type == CellType::uint8;
            if (over_grid && f.cell.is_number() && valued.contains(f.name) && role_of(f.name) == Role::plain) {
                if (whole) seen_.push_back(f.name);
                if (!is_integer(f.type) && !is_complex(f.type)) weights_.push_back(f);
            }
        }
    }

    void run() {
        cells_ = draw_.of<int>({1, 2, 5, 7, 16, 40});
        // Where the text does not say how many there are, reals are added along an ordered list.
        const std::string more = draw_.percent(40) ? fmt::format(" + extent({})", grid_.front()) : "";
        program_.declarations += fmt::format("axis bin = {}{};\n", cells_, more);
        field("label", CellType::int32, grid_);
        line(fmt::format("label = {};", label()));
        bool has_parts = false;
        const int tallies = draw_.between(1, 3);
        for (int k = 0; k < tallies; ++k) {
            const std::string name = fmt::format("tally{}", k);
            const bool parts = draw_.percent(30);
            if (parts && !std::exchange(has_parts, true))
                program_.declarations += fmt::format("axis part = {};\n", draw_.between(1, 3));
            const std::vector<std::string> axes =
                parts ? std::vector<std::string>{"bin", "part"} : std::vector<std::string>{"bin"};
            const CellType type =
                draw_.of<CellType>({CellType::int32, CellType::int32, CellType::int64, CellType::float32,
                                    CellType::float32, CellType::float64, CellType::float16});
            field(name, type, axes);
            line(fmt::format("{} = {};", name, draw_.of<std::string>({"0", "2", "bin"})));
            const std::string at = draw_.percent(70) ? "label" : draw_.percent(50) ? "label - 1" : moved_label();
            const bool both = parts && draw_.percent(40);
            added_.push_back(
                {fmt::format("{}[bin = {}{}] += {};", name, at, both ? ", part = " + grid_.front() + " % 2" : "",
                             value(parts && !both, !is_integer(type))),
                 {}});
            if (draw_.percent(30)) fold_last();
        }
        if (draw_.percent(35)) {
            added_.insert(added_.begin(), {fmt::format("label = (label + 2) % {};", cells_ + 1), {}});
            program_.lines.push_back({"for (n = 0; n < 2; n++)", std::move(added_)});
        } else {
            program_.lines.insert(program_.lines.end(), added_.begin(), added_.end());
        }
    }

private:
    Draw& draw_;
    FieldProgram& program_;
    const std::vector<std::string>& grid_;
    std::vector<std::string> seen_;
    std::vector<RandomField> weights_;
    std::vector<FieldLine> added_;
    int cells_ = 1;

    void line(std::string text) { program_.lines.push_back({std::move(text), {}}); }
    void field(const std::string& name, CellType type, const std::vector<std::string>& axes) {
        program_.declarations += fmt::format("{} {}[{}];\n", name_of(type), name, fmt::join(axes, ", "));
        program_.fields.push_back({name, type, axes, {}, {}, false, false});
    }
    /// Folds what the cells have so far, beside what is still added to others.
    void fold_last() {
        const RandomField tally = program_.fields.back();
        const bool whole = is_integer(tally.type), jumps = whole || !program_.spectra.drawn;
        const std::string name = "of_" + tally.name,
                          at = tally.axes.size() > 1 ? "bin = label, part = 0" : "bin = label";
        switch (draw_.between(jumps ? 0 : 1, 3)) {
            case 0: {
                field(name, CellType::int32, {tally.axes.begin() + 1, tally.axes.end()});
                const char* of = draw_.of<const char*>({"argmax", "argmin"});
                added_.push_back({fmt::format("{} = {}({}, bin);", name, of, tally.name), {}});
                break;
            }
            case 1: {
                field(name, whole ? CellType::int64 : CellType::float64, {});
                added_.push_back(
                    {fmt::format("{} = {}({});", name, draw_.of<const char*>({"sum", "maximum"}), tally.name), {}});
                break;
            }
            default:
                // How far the cells are from what theirs have, as of means by label.
                field(name, CellType::float32, {});
                added_.push_back({fmt::format("{} = sum(abs({} - {}[{}]));", name, weight(), tally.name, at), {}});
        }
    }
    std::string word() {
        return !seen_.empty() && draw_.percent(60) ? draw_.of(seen_)
                                                   : draw_.of(grid_) + fmt::format(" * {}", draw_.between(1, 5));
    }
    /// Mostly one of the cells, else beside them.
    std::string label() {
        return fmt::format("({} + {}) % {} - {}", word(), word(), cells_ + draw_.between(0, 2), draw_.between(0, 1));
    }
    /// Over the grid, whatever else it is made of: along its axes entries are counted.
    std::string moved_label() { return fmt::format("(label + {}) % {}", word(), cells_ + 1); }
    std::string weight() {
        if (weights_.empty() || draw_.percent(20)) return "0.3";
        const RandomField& weight = draw_.of(weights_);
        return !weight.axes.empty() && draw_.percent(20) ? fmt::format("({0} - mean({0}))", weight.name) : weight.name;
    }
    /// What is added under a condition is added by some cell.
    std::string value(bool parts, bool real) {
        const std::string weight = real && draw_.percent(70) ? this->weight() + " * " : "";
        const std::string own = weight + (parts && draw_.percent(50) ? "(part + 1)"
                                          : draw_.percent(50)        ? "1"
                                                                     : "(" + word() + ")");
        return draw_.percent(30) ? fmt::format("{} % 2 == 0 ? {} : 0", word(), own) : own;
    }
};

}  // namespace

void add_tallies(Draw& draw, FieldProgram& program, const std::vector<std::string>& grid,
                 const std::set<std::string>& valued) {
    Tallies(draw, program, grid, valued).run();
}

}  // namespace kasc::random
