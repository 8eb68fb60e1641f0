#include "random/field_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "random/field_conditions.hpp"
#include "random/field_faces.hpp"
#include "random/field_folds.hpp"
#include "random/field_inner_loops.hpp"
#include "random/field_levels.hpp"
#include "random/field_spectra.hpp"
#include "random/field_staggered.hpp"
#include "random/field_sweeps.hpp"
#include "random/field_tallies.hpp"

namespace kasc::random {

namespace {

/// One program in four has transforms.
bool has_transforms(unsigned seed) { return seed % 4 == 3; }

/// By hand they are expanded where they are called (field_cell_terms.cpp). A and B are fields as well.
const std::string cell_functions =
    "function dot(A, B) = sum(A * B);\n"
    "function turn(e) = e.1 - e;\n"
    "function around(B) = turn(dot(B, B) * turn(B));\n"
    "function ahead(e, a) = e[a + 1].0 + e;\n";

std::string cell_parameter() {
    return either("param vector3 wind = vector3(f, -0.5, 2*f);\n",
                  {"param float wind_x = f, wind_y = -0.5, wind_z = 2*f;\n"});
}

/// Positions and slopes are as Terms says where transforms are drawn.
std::string parameters_text(bool spectral, bool of_cells) {
    return fmt::format(
        "param float f = 0.75; param double d = 0.3; param int q0 = {}; param int steps = 2;\n"
        "function steep(u) = sqrt({}abs(axis_sum(a, u, (u[a + 1] - u[a - 1]) * 0.5)));\n"
        "function mix(a, b) = a * 0.25 + b;\n"
        "{}",
        spectral ? 0 : 1, spectral ? "0.5 + " : "", of_cells ? cell_functions + cell_parameter() : "");
}

class Drawing {
public:
    explicit Drawing(unsigned seed) : draw_(seed) { program_.spectra.drawn = has_transforms(seed); }

    FieldProgram run() {
        const int dimensions = draw_.of<int>({1, 2, 2, 2, 2, 3});
        grid_.assign({"x", "y", "z"});
        grid_.resize(static_cast<std::size_t>(dimensions));
        if (draw_.percent(35)) draw_cells();
        program_.streams = !cells_.empty() && grid_.size() == 1;
        declare();
        for (const RandomField& f : program_.fields) {
            if (f.input) valued_.insert(f.name);
        }
        // What folds give is then read by other lines, and assigned anew.
        const bool folds_first = draw_.percent(40);
        if (folds_first) add_folds(draw_, program_, grid_, valued_);
        const int lines = draw_.between(2, 5);
        for (int k = 0; k < lines; ++k) add_line(program_.lines, {});
        if (program_.spectra.drawn) see_complex_fields();
        if (!folds_first) add_folds(draw_, program_, grid_, valued_);
        if (!program_.spectra.drawn && draw_.percent(30)) add_staggered(draw_, program_, grid_);
        if (!program_.streams && draw_.percent(20)) add_tallies(draw_, program_, grid_, valued_);
        return std::move(program_);
    }

private:
    Draw draw_;
    FieldProgram program_;
    std::vector<std::string> grid_;
    std::set<std::string> valued_;   ///< fields that have a value
    std::vector<RandomCell> cells_;  ///< that fields may have
    int places_ = 0;                 ///< assignments to positions so far

    // --- declarations ---

    CellType type() {
        return draw_.of<CellType>({CellType::float32, CellType::float32, CellType::float32, CellType::float64,
                                   CellType::int32, CellType::int64, CellType::uint8, CellType::float16,
                                   CellType::bfloat16});
    }
    void draw_cells() {
        const int kind = draw_.between(0, 99);
        if (kind < 45) {
            cells_ = {{"vector3", {3}}};
        } else if (kind < 55) {
            cells_ = {{"vector3", {3}}, {"vector3", {3}}, {"matrix3x3", {3, 3}}};
        } else if (kind < 60) {
            cells_ = {{"quaternion", {4}}};
        } else if (kind < 67) {
            cells_ = {{"symmetric3x3", {6}}, {"symmetric3x3", {6}}, {"vector3", {3}}};
        } else {
            cells_ = {draw_.percent(60) ? declared_cells[0] : draw_.of(declared_cells)};
        }
        if (cells_.front().words() < 4 && draw_.percent(20)) cells_.push_back(declared_cells[0]);
    }
    /// Now and then a field of cells in place of one of numbers.
    void make_cell(RandomField& f, int chance) {
        if (cells_.empty() || !draw_.percent(chance)) return;
        f.cell = draw_.of(cells_);
        f.type = f.cell.of;
    }
    std::string boundary(RandomField& f) { return draw_boundary(f, program_.fields, draw_); }
    void field(RandomField f, const std::string& of_boundary = "") {
        const std::string axes = fmt::format("[{}]", fmt::join(f.axes, ", "));
        const auto declared = [&](const std::string& type, const std::string& name, const std::string& bounded) {
            return fmt::format("{} {}{}{};\n", type, name, axes, bounded);
        };
        if (f.cell.is_number()) {
            program_.declarations += declared(name_of(f.type), f.name, of_boundary);
        } else {
            std::string by_hand;
            for (std::size_t k = 0; k < f.cell.words(); ++k) {
                const std::string name = fmt::format("{}_{}", f.name, word_of(f.cell, k));
                by_hand += declared(name_of(f.type), name, of_boundary) + declared(name_of(f.type), computed(name), "");
            }
            program_.declarations += either(declared(f.cell.type, f.name, of_boundary), {by_hand});
        }
        program_.fields.push_back(std::move(f));
    }
    void bounded_field(const std::string& name, CellType of, const std::vector<std::string>& axes, bool input) {
        RandomField f{name, of, axes, {}, {}, false, input};
        make_cell(f, 50);
        const std::string text = boundary(f);
        field(std::move(f), text);
    }

    void declare() {
        program_.declarations = parameters_text(program_.spectra.drawn, !cells_.empty());
        for (const RandomCell& cell : declared_cells) {
            if (std::find(cells_.begin(), cells_.end(), cell) == cells_.end()) continue;
            program_.declarations += either(
                fmt::format("type {} = {}[{}];\n", cell.type, name_of(cell.of), fmt::join(cell.extents, ", ")), {""});
        }
        if (program_.spectra.drawn) declare_spectra();
        const int fields = draw_.between(3, 5);
        for (int k = 0; k < fields; ++k) {
            std::vector<std::string> axes = grid_;
            if (k > 1 && axes.size() > 1 && draw_.percent(30)) axes.erase(axes.begin() + draw_.between(0, 1));
            if (k > 1 && axes.size() > 1 && draw_.percent(10)) std::swap(axes[0], axes[1]);
            bounded_field(std::string(1, static_cast<char>('A' + k)), type(), axes, k == 0 || draw_.percent(75));
        }
        field({"lab", draw_.percent(60) ? CellType::uint8 : CellType::int32, grid_});
        field({"tab", draw_.of<CellType>({CellType::float32, CellType::float64, CellType::int32}), {"m"}});
        for (const std::string& axis : grid_)
            field({"p" + axis, draw_.percent(80) ? CellType::int32 : CellType::int64, {"p"}});
        field({"ix", CellType::int32, {"j"}});
        field({"src", CellType::float32, {"p", "t"}});
        if (draw_.percent(70)) series();
        if (draw_.percent(40)) {
            program_.declarations += "axis u = (extent(x) + 1) / 2;\n";
            std::vector<std::string> axes = grid_;
            axes[0] = "u";
            unbounded_field("small", axes, false);
        }
    }
    void declare_spectra() {
        program_.spectra = draw_spectra(grid_, draw_);
        program_.declarations += spectra_text(program_.spectra);
        for (RandomField& f : spectral_fields(program_.spectra, grid_, draw_)) {
            const bool bounded = !f.mirrored && draw_.percent(40);
            const std::string text = bounded ? boundary(f) : "";
            field(std::move(f), text);
        }
        field({"seen", draw_.percent(50) ? CellType::float32 : CellType::float64, grid_, {}, {}, false, false});
    }
    void series() {
        unbounded_field("rec", {"t"}, draw_.percent(30));
        unbounded_field("probe", {"p", "t"}, false);
        std::vector<std::string> axes = grid_;
        if (draw_.percent(50)) axes.erase(axes.begin() + draw_.between(0, static_cast<int>(axes.size()) - 1));
        axes.push_back("t");
        unbounded_field("movie", axes, false);
    }
    void unbounded_field(const std::string& name, const std::vector<std::string>& axes, bool input) {
        RandomField f{name, type(), axes, {}, {}, false, input};
        make_cell(f, 35);
        field(std::move(f));
    }

    // --- statements ---

    void add_line(std::vector<FieldLine>& list, const std::vector<std::string>& loops) {
        if (loops.size() < 2 && draw_.percent(8)) {
            if (auto inner = random_inner_loop(draw_, program_, valued_)) {
                const bool around = draw_.percent(60);
                if (around) beside(*inner, loops, list);
                list.push_back(*inner);
                if (around) beside(*inner, loops, list);
                return;
            }
        }
        list.push_back(line(loops));
        const std::string& text = list.back().text;
        if (text.starts_with("if") && text.find('%') != std::string::npos && draw_.percent(50))
            list.push_back(otherwise(loops));
    }
    /// Behind an `if`. What it alone assigns has no value behind it.
    FieldLine otherwise(const std::vector<std::string>& loops) {
        const std::set<std::string> before = valued_;
        FieldLine made{"else", {}};
        for (int lines = draw_.between(1, 2); lines > 0; --lines) add_line(made.body, loops);
        valued_ = before;
        return made;
    }
    void beside(const FieldLine& inner, const std::vector<std::string>& loops, std::vector<FieldLine>& list) {
        const std::vector<RandomField> fields = fields_beside(program_, inner);
        for (int lines = fields.empty() ? 0 : draw_.between(0, 2); lines > 0; --lines) {
            const RandomField target = draw_.of(fields);
            list.push_back({statement(target, loops), {}});
            valued_.insert(target.name);
        }
    }

    FieldLine line(std::vector<std::string> loops) {
        if (loops.size() < 2 && draw_.percent(loops.empty() ? 40 : 12)) return loop(std::move(loops));
        std::vector<RandomField> targets;
        for (const RandomField& f : program_.fields) {
            const bool plain = role_of(f.name) == Role::plain && f.name != "src" && f.name != "tab";
            // Without transforms none of its complex fields is assigned.
            const bool of_kind = program_.spectra.drawn || !is_complex(f.type);
            if (plain && of_kind && !(f.is_series() && loops.empty())) targets.push_back(f);
        }
        const RandomField target = draw_.of(targets);
        const std::string text = statement(target, loops);
        valued_.insert(target.name);
        return {text, {}};
    }

    FieldLine loop(std::vector<std::string> loops) {
        loops.push_back(loops.empty() ? "n" : "r");
        const std::string end = draw_.of<std::string>({"steps", "2", "3", "extent(t)"});
        const std::string goes_on = random_condition(draw_, program_, valued_, loops);
        FieldLine made{loop_head(draw_, loops.back(), end, goes_on), {}};
        if (made.text.starts_with("if")) loops.pop_back();
        // What one side of an `if` alone assigns, or a loop that cells end by themselves, has no value behind it.
        const bool gives_values = goes_on.empty() && draw_.percent(60);
        const std::set<std::string> before = valued_;
        for (int lines = draw_.between(1, 4); lines > 0; --lines) add_line(made.body, loops);
        if (const auto levels = draw_.percent(30) ? time_levels(program_, valued_) : std::nullopt) {
            made.body.push_back({assignment(levels->seen, "", "=", levels->value, ""), {}});
            const RandomField& own = levels->own;
            made.body.push_back({assignment(levels->former, "", "=", named(own.name, own.cell), ""), {}});
            made.body.push_back({statement(own, loops), {}});
        }
        if (!gives_values) valued_ = before;
        return made;
    }

    std::string statement(const RandomField& target, const std::vector<std::string>& loops) {
        const bool valued = valued_.contains(target.name);
        Place place{target.axes, loops, target.name, 0, program_.spectra, 3, target.cell};
        if (!target.cell.is_number() && valued && draw_.percent(25)) return word_statement(target, place);
        std::string indices, colours;
        const int kind = draw_.between(0, 99);
        const bool adds = valued && draw_.percent(25);
        if (target.mirrored) {
            // All of it or none: a part of it has no mirror image.
        } else if (target.is_series()) {
            place.running.pop_back();
            indices = fmt::format("[t = {}]", loops.front());
        } else if (valued && target.axes == grid_ && kind < 16) {
            indices = listed(place, adds);
        } else if (valued && !target.axes.empty() && kind < 26) {
            indices = slice(target, place);
        } else if (valued && kind < 38 && !target.periodic && !target.bounded.empty()) {
            place.colours = draw_.between(2, 4);
            colours = fmt::format(" coloured({})", place.colours);
        }
        if (!colours.empty()) place.transforms = 0;
        Terms terms(draw_, program_.fields, valued_, place);
        const bool made_of_lines = program_.spectra.drawn && place.transforms > 0 && loops.empty() && draw_.percent(20);
        const bool folds = colours.empty() && !is_complex(target.type) && draw_.percent(12);
        const std::string value = target.mirrored ? terms.mirrored(3)
                                  : folds         ? terms.reduction(3, is_integer(target.type))
                                  : made_of_lines && !is_integer(target.type) ? terms.of_lines(2)
                                  : is_complex(target.type)                   ? terms.complex(3)
                                  : !is_integer(target.type)                  ? terms.real(3)
                                                             : fmt::format("({}) % {}", terms.integer(2),
                                                                           is_long(target.type) ? 99999999977 : 97);
        const bool entries = valued && target.axes == grid_ && kind < 16 && !target.mirrored;
        // A product would be rounded with the sum, in one of the two ways.
        const bool apart = entries && adds && !target.cell.is_number() && !is_integer(target.type);
        // By hand what is added is rounded to the target's type before.
        const bool longer = apart && !is_dual(target.type) &&
                            std::any_of(program_.fields.begin(), program_.fields.end(),
                                        [](const RandomField& f) { return is_dual(f.type); });
        const std::string rounded = longer  ? fmt::format("0.25 * {}", draw_.of(place.running))
                                    : apart ? fmt::format("max({}, -1e30)", value)
                                            : value;
        return assignment(target, indices, adds ? "+=" : "=", rounded, colours, place.running, entries);
    }

    /// By hand the words of a field are computed before any is assigned; of `entries` of a list what each adds.
    std::string assignment(const RandomField& target, const std::string& indices, const std::string& sign,
                           const std::string& value, const std::string& colours,
                           const std::vector<std::string>& running = {}, bool entries = false) {
        const auto one = [&](const std::string& name, const std::string& of) {
            return fmt::format("{}{} {} {}{};", name, indices, sign, of, colours);
        };
        if (target.cell.is_number()) return one(target.name, value);
        const std::string behind = indices.empty() ? "" : fmt::format("_at_{}", ++places_);
        // All words of a cell are updated at the turn of its colour.
        const std::string turns = fmt::format("turn{}", places_);
        const std::string colour_count = colours.empty() ? "" : colours.substr(colours.find('(') + 1, 1);
        const std::string turn =
            colours.empty() ? "" : fmt::format("({}) % {} == {}", fmt::join(target.axes, " + "), colour_count, turns);
        std::string declarations, computes, assigns;
        for (std::size_t k = 0; k < target.cell.words(); ++k) {
            const std::string name = fmt::format("{}_{}", target.name, word_of(target.cell, k)), of = by_word(value, k);
            const std::string next = computed(name) + behind, at = by_word(indices, 0);
            if (!indices.empty())
                declarations += fmt::format("{} {}[{}];\n", name_of(target.type), next, fmt::join(running, ", "));
            const std::string then = sign == "=" || entries ? of : name + at + " + (" + of + ")";
            computes += turn.empty() ? fmt::format("{} = {}; ", next, then)
                                     : fmt::format("{} = {} ? {} : {}; ", next, turn, then, name);
            assigns += fmt::format("{}{} {} {}; ", name, at, entries ? sign : "=", next);
        }
        if (!declarations.empty()) program_.declarations += either("", {declarations});
        const std::string by_hand = turn.empty() ? computes + assigns
                                                 : fmt::format("for ({0} = 0; {0} < {1}; {0}++) {{ {2}{3}}}", turns,
                                                               colour_count, computes, assigns);
        return either(one(target.name, of_cells(value)), {by_hand});
    }
    static std::string computed(const std::string& name) { return name + "_computed"; }

    /// "u.x = ...;", at a place or not.
    std::string word_statement(const RandomField& target, Place place) {
        place.cell = {};
        std::string indices, colours;
        const int kind = draw_.between(0, 99);
        const bool adds = draw_.percent(25);
        if (target.is_series()) {
            place.running.pop_back();
            indices = fmt::format("[t = {}]", place.loops.front());
        } else if (target.axes == grid_ && kind < 20) {
            indices = listed(place, adds);
        } else if (kind < 35) {
            indices = slice(target, place);
        } else if (kind < 45 && !target.periodic && !target.bounded.empty()) {
            place.colours = draw_.between(2, 4);
            place.transforms = 0;
            colours = fmt::format(" coloured({})", place.colours);
        }
        const auto k = static_cast<std::size_t>(draw_.between(0, static_cast<int>(target.cell.words()) - 1));
        const std::string word = word_of(target.cell, k);
        const std::string value = Terms(draw_, program_.fields, valued_, place).real(3);
        const std::string rest = fmt::format(" {} {}{};", adds ? "+=" : "=", value, colours);
        return either(fmt::format("{}{}.{}{}", target.name, indices, word, of_cells(rest)),
                      {fmt::format("{}_{}{}{}", target.name, word, indices, by_word(rest, 0))});
    }

    /// "[x = 1]", where the target may be assigned on every grid that is drawn; nothing where there is no such place.
    std::string slice(const RandomField& target, Place& place) {
        const auto axis = place.running.begin() + draw_.between(0, static_cast<int>(target.axes.size()) - 1);
        const auto [low, high] = target.kept.contains(*axis) ? target.kept.at(*axis) : std::pair(0, 0);
        const int q0 = program_.spectra.drawn ? 0 : 1;
        const bool of_grid = std::find(grid_.begin(), grid_.end(), *axis) != grid_.end();
        const int least = program_.spectra.drawn ? 1 : of_grid ? 3 : 2;  // draw_extent (field_run.cpp)
        std::vector<std::string> places;
        for (const int cell : {0, 1, 2}) {
            if (cell < low || cell >= least - high) continue;
            places.push_back(std::to_string(cell));
            if (cell == q0) places.emplace_back("q0");
        }
        for (const int cell : {1, 2, 3}) {
            if (cell > high && least - cell >= low) places.push_back(fmt::format("extent({}) - {}", *axis, cell));
        }
        if (places.empty()) return "";
        std::string text = fmt::format("[{} = {}]", *axis, draw_.of(places));
        place.running.erase(axis);
        return text;
    }

    /// Complex fields are no outputs: what they hold is added up in one that is.
    void see_complex_fields() {
        for (const RandomField& f : program_.fields) {
            if (!is_complex(f.type) || !valued_.contains(f.name)) continue;
            Terms terms(draw_, program_.fields, valued_, {grid_, {}, "seen", 0, program_.spectra, 0});
            const bool back = f.mirrored && draw_.percent(60);
            const std::string value =
                back ? fmt::format("ifft({})", f.name)
                     : fmt::format("{}({})", draw_.percent(50) ? "real" : "imag", terms.read(f, 0));
            program_.lines.push_back({fmt::format("seen {} {};", valued_.contains("seen") ? "+=" : "=", value), {}});
            valued_.insert("seen");
        }
    }

    /// "[x = px, y = py]" and what the statement then runs over. What is added may have several entries of a cell.
    std::string listed(Place& place, bool adds) {
        place.transforms = 0;
        const auto some = [&] { return adds && draw_.percent(70) ? fmt::format("/{}", draw_.between(2, 9)) : ""; };
        if (const int kind = draw_.between(0, 3); kind < 2) {
            place.running[0] = "j";
            return fmt::format("[x = {}{}]", kind == 0 ? "ix" : "(extent(x) - 1 - j)", some());
        }
        std::vector<std::string> all;
        for (const std::string& axis : grid_) all.push_back(fmt::format("{0} = p{0}{1}", axis, some()));
        place.running = {"p"};
        return fmt::format("[{}]", fmt::join(all, ", "));
    }
};

}  // namespace

FieldProgram random_field_program(unsigned seed) { return Drawing(seed).run(); }

}  // namespace kasc::random
