// float A[x, y], B[x, y];
//
//     rows and columns   rows = sum(A * A, x); columns = norm(A, y); pairs = maximum(rows * columns, x);
//     lines              level = mean(A, x); made = (A - level) * 0.5; across = sum((A - level) * B, y);
//     shares             peak = maximum(A, x); share = 1 / (1.5 + peak - A); share = share / sum(share, x);
//     weights            guess = sum(A * weight, x); weight = weight - 0.01 * sum(A * guess, y);
//     places             place = argmax(A, x); there = A[x = place];
//     products           score[y, out] = sum(A * layer, x), where float layer[x, out];
//     windows            blur = sum(taps * A[x = x + tap - 1], tap); axis tap = 3;
//     waves              wave = sum(A / (1.5 + wave_number), wave_number); axis wave_number = 5;
//     records            for (n = 0; n < 4; n++) { A = 0.5 * A; if (n % 2 == 0) { every[mark = n / 2] = sum(A); } }
//     parts              power = sum(abs(Z), x), of a complex Z
//
// A name stands in one form alone. The first four are of two axes or more. Where transforms are drawn, none of them
// jumps where a real number is a little another.
#include "random/field_folds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "random/field_terms.hpp"

namespace kasc::random {

namespace {

using Axes = std::vector<std::string>;

Axes without(Axes axes, const Axes& left_out) {
    std::erase_if(axes, [&](const std::string& axis) {
        return std::find(left_out.begin(), left_out.end(), axis) != left_out.end();
    });
    return axes;
}

class Folds {
public:
    Folds(Draw& draw, FieldProgram& program, const Axes& grid, std::set<std::string>& valued)
        : draw_(draw),
          program_(program),
          grid_(grid),
          valued_(valued),
          smooth_(program.spectra.drawn),
          least_(program.lines.empty() ? 2 : 1) {}

    void run() {
        if (grid_.size() > 1 && draw_.percent(40)) rows_and_columns();
        deliver();
        std::vector<Form> forms{&Folds::lines,  &Folds::lines,   &Folds::shares,   &Folds::weights,
                                &Folds::places, &Folds::places,  &Folds::products, &Folds::windows,
                                &Folds::waves,  &Folds::records, &Folds::records,  &Folds::parts};
        for (int k = draw_.of<int>({0, 1, 1, 1, 2}); k > 0; --k) {
            const Form form = draw_.of(forms);
            std::erase(forms, form);
            (this->*form)();
            deliver();
        }
    }

private:
    using Form = void (Folds::*)();

    Draw& draw_;
    FieldProgram& program_;
    const Axes& grid_;
    std::set<std::string>& valued_;
    bool smooth_;  ///< conditions are of integers alone
    int least_;    ///< cells of an axis: where other lines follow, they have positions 0 and 1
    std::vector<FieldLine> lines_;
    std::set<std::string> taken_;  ///< names that this has declared

    // --- what is folded ---

    /// Fields of numbers over the grid's axes that have a value.
    [[nodiscard]] std::vector<RandomField> fields(std::size_t least_axes) const {
        std::vector<RandomField> fit;
        for (const RandomField& f : program_.fields) {
            const bool number = f.cell.is_number() && !is_complex(f.type) && valued_.contains(f.name);
            const bool of_grid = without(f.axes, grid_).empty() && f.axes.size() >= least_axes;
            const bool plain = role_of(f.name) == Role::plain || role_of(f.name) == Role::labels;
            if (number && of_grid && plain && !taken_.contains(f.name)) fit.push_back(f);
        }
        return fit;
    }
    std::optional<RandomField> field(std::size_t least_axes) {
        const std::vector<RandomField> fit = fields(least_axes);
        return fit.empty() ? std::nullopt : std::optional(draw_.of(fit));
    }
    /// Another, or the same, that runs along no more axes; now and then its neighbour.
    std::string beside(const RandomField& of) {
        std::vector<RandomField> fit;
        for (const RandomField& f : fields(1))
            if (without(f.axes, of.axes).empty()) fit.push_back(f);
        const RandomField f = draw_.of(fit);
        return f.name + neighbour(f);
    }
    std::string neighbour(const RandomField& f) {
        if (f.bounded.empty() || !draw_.percent(20)) return "";
        const Axes bounded(f.bounded.begin(), f.bounded.end());
        return fmt::format("[{} {} {}]", draw_.of(bounded), draw_.percent(50) ? '+' : '-', draw_.between(1, 2));
    }
    /// The field's word; of integers mostly a small one.
    std::string word(const RandomField& f) {
        const std::string own = f.name + neighbour(f);
        return is_integer(f.type) && draw_.percent(70) ? fmt::format("({} % 7)", own) : own;
    }
    /// One axis, or some that follow each other, but not all.
    Axes some_of(const Axes& axes) {
        const int last = static_cast<int>(axes.size()) - 1;
        const int from = draw_.percent(60) ? 0 : draw_.between(0, last);
        const int to = last > 1 && draw_.percent(35) ? std::min(from + 1, last) : from;
        return {axes.begin() + from, axes.begin() + to + 1};
    }
    /// A reduction of any kind, also of integers.
    std::string fold_of(const std::string& cell, const Axes& along) {
        const std::string axes = fmt::format("{}", fmt::join(along, ", "));
        std::vector<std::string> forms{
            "sum({0}, {1})",     "sum({0}, {1})",  "sum({0}, {1})",  "minimum({0}, {1})",
            "maximum({0}, {1})", "mean({0}, {1})", "norm({0}, {1})", "product(1 + 0.01 * max(-1, min(1, {0})), {1})"};
        if (!smooth_) {
            forms.insert(forms.end(), {"count({0} > 0.25, {1})", "(any({0} > 0.75, {1}) ? 0.5 : 2)",
                                       "(all({0} < 0.75, {1}) ? 0.5 : 2)"});
            if (along.size() == 1) forms.emplace_back("argmin({0}, {1})");
            if (along.size() == 1) forms.emplace_back("argmax({0}, {1})");
        }
        return fmt::format(fmt::runtime(draw_.of(forms)), cell, axes);
    }

    // --- what is assigned ---

    CellType real_type() {
        return draw_.of<CellType>({CellType::float32, CellType::float32, CellType::float32, CellType::float32,
                                   CellType::float64, CellType::float64, CellType::float16, CellType::bfloat16});
    }
    CellType whole_type() {
        return draw_.of<CellType>(
            {CellType::int32, CellType::int32, CellType::int32, CellType::int64, CellType::uint8});
    }
    /// Declared once; another of the same name is the same field.
    void declare(const std::string& name, CellType type, const Axes& axes, bool input = false) {
        if (!taken_.insert(name).second) return;
        program_.declarations += fmt::format("{} {}[{}];\n", name_of(type), name, fmt::join(axes, ", "));
        program_.fields.push_back({name, type, axes, {}, {}, false, input});
        valued_.insert(name);
    }
    void axis(const std::string& name, const std::string& length) {
        if (!taken_.insert(name).second) return;
        program_.declarations += fmt::format("axis {} = {};\n", name, length);
        // Axes of lines that are transformed are numbered before those that no field has, unless they are read as text.
        if (smooth_) declare(name + "_cells", CellType::float32, {name}, true);
    }
    void line(std::string text) { lines_.push_back({std::move(text), {}}); }
    void assign(const std::string& name, const std::string& value) { line(fmt::format("{} = {};", name, value)); }
    void real(const std::string& name, const Axes& axes, const std::string& value) {
        declare(name, real_type(), axes);
        assign(name, value);
    }

    /// A field that goes on from iteration to iteration, and stays as large as it is.
    void go_on(const RandomField& f, std::vector<FieldLine>& body) {
        if (f.mirrored || role_of(f.name) != Role::plain) return;
        body.push_back({fmt::format("{} = {};", f.name,
                                    is_integer(f.type) ? fmt::format("({} + 5) % 97", f.name)
                                                       : fmt::format("0.5 * {} + 0.25", f.name + neighbour(f))),
                        {}});
    }
    /// The lines of a form, now and then again and again.
    void deliver() {
        if (lines_.size() > 1 && draw_.percent(30)) {
            if (const auto f = field(1)) go_on(*f, lines_);
            program_.lines.push_back({"for (n = 0; n < 2; n++)", std::move(lines_)});
        } else {
            program_.lines.insert(program_.lines.end(), lines_.begin(), lines_.end());
        }
        lines_.clear();
    }

    // --- forms ---

    /// Rows and columns of a field, folded behind each other: kernels may do both in one reading.
    void rows_and_columns() {
        const auto of = field(2);
        if (!of) return;
        const RandomField u = *of;
        const auto fold = [&](const std::string& name, const std::string& along) {
            const Axes rest = without(u.axes, {along});
            const std::string e =
                draw_.of<std::string>({"{0}", "{0} * {0}", "{0} * 0.5 + {1}", "({0} > 0.25 ? {1} : 2)"});
            real(name, rest, fold_of(fmt::format(fmt::runtime(e), u.name, draw_.of(rest)), {along}));
        };
        const std::string first = u.axes.front();
        const std::string other =
            u.axes[static_cast<std::size_t>(draw_.between(1, static_cast<int>(u.axes.size()) - 1))];
        fold("rows", first);
        fold("columns", other);
        if (draw_.percent(30)) fold("columns2", other);
        if (draw_.percent(30)) fold("rows2", first);
        if (draw_.percent(60)) pairs(u.axes, first, other);
    }

    /// Rows and columns with each other: folds of more cells than words, some of results that others are made of.
    void pairs(const Axes& axes, const std::string& first, const std::string& other) {
        const std::string folded = draw_.percent(50) ? first : other;
        const auto fold = [&](const std::string& name) {
            const std::string e = draw_.of<std::string>(
                {"rows * columns", "rows * columns", "(rows - columns) * (rows - columns)",
                 "rows * 0.5 - columns * {0}", "abs(rows - columns)", "(rows > columns ? {0} : 1)"});
            const std::string result = draw_.of<std::string>({"{}", "{}", "max({}, 0) * 0.25 + 1"});
            const std::string cell = fmt::format(fmt::runtime(e), draw_.of(axes));
            real(name, without(axes, {folded}), fmt::format(fmt::runtime(result), fold_of(cell, {folded})));
        };
        fold("pairs");
        if (draw_.percent(40)) fold("pairs2");
    }

    /// Along lines of a field, and across them of what is made of the lines' own.
    void lines() {
        const auto of = field(2);
        if (!of) return;
        const RandomField u = *of;
        const Axes along = some_of(u.axes), rest = without(u.axes, along);
        const std::string own = word(u), v = beside(u), axes = fmt::format("{}", fmt::join(along, ", "));
        if (is_integer(u.type) && draw_.percent(40)) {
            declare("extreme", whole_type(), rest);
            assign("extreme", fmt::format("{}({}, {})", draw_.percent(50) ? "minimum" : "maximum", own, axes));
            declare("hits", whole_type(), without(u.axes, {rest.front()}));
            assign("hits", fmt::format(fmt::runtime(draw_.of<std::string>(
                                           {"count({0} == extreme, {1})", "sum({0} - extreme, {1})",
                                            "(any({0} == extreme, {1}) ? 3 : 4)", "maximum({0} - extreme, {1})"})),
                                       own, rest.front()));
            return;
        }
        std::vector<std::string> crossed{fmt::format("({} - level) * {}", own, v), fmt::format("{} * level", own),
                                         fmt::format("abs({} - level)", own), fmt::format("{} - level", v)};
        // Where nothing else asks for it, what each line gives stands in the statements that need it.
        const std::string inline_level = fmt::format("mean({}, {})", own, axes);
        if (draw_.percent(25)) {
            real("made", u.axes, fmt::format("({0} - {1}) / (1.5 + norm({0} - {1}, {2}))", own, inline_level, axes));
            crossed = {fmt::format("made * {}", v), fmt::format("({} - {}) * {}", own, inline_level, v)};
        } else {
            real("level", rest, fold_of(own, along));
            if (draw_.percent(40)) {
                real("spread", rest, fmt::format("norm({} - level, {})", own, axes));
                crossed.push_back(fmt::format("({} - level) / (1.5 + spread)", own));
            }
            if (draw_.percent(50)) {
                real("made", u.axes, fmt::format("({} - level) * 0.5", own));
                crossed.push_back("made");
            }
        }
        const Axes across = draw_.percent(70) ? rest : Axes{draw_.of(rest)};
        for (const char* name : {"across", "across2"}) {
            real(name, without(u.axes, across), fold_of(draw_.of(crossed), across));
            if (draw_.percent(60)) break;
        }
    }

    /// As of a softmax and its derivative, of a function that computers of all kinds agree on.
    void shares() {
        const auto of = field(2);
        if (!of) return;
        const RandomField u = *of;
        const Axes along = some_of(u.axes), rest = without(u.axes, along);
        const std::string own = word(u), axes = fmt::format("{}", fmt::join(along, ", "));
        real("peak", rest, fmt::format("maximum({}, {})", own, axes));
        real("share", u.axes, fmt::format("1 / (1.5 + peak - {})", own));
        assign("share", fmt::format("share / sum(share, {})", axes));
        if (draw_.percent(40)) return;
        const std::string v = beside(u);
        real("inner", rest, fmt::format("sum(share * {}, {})", v, axes));
        real("slope", u.axes, fmt::format("share * ({} - inner)", v));
        if (draw_.percent(60)) real("bias", along, fmt::format("sum(slope, {})", fmt::join(rest, ", ")));
    }

    /// A regression: rows that are weighted, columns of what is made of them.
    void weights() {
        const auto of = field(2);
        if (!of) return;
        const RandomField u = *of;
        const Axes along = some_of(u.axes), rest = without(u.axes, along);
        const std::string own = word(u), axes = fmt::format("{}", fmt::join(along, ", "));
        real("weight", along, fmt::format("{} * 0.125", draw_.of(along)));
        real("guess", rest, fmt::format("sum({} * weight, {})", own, axes));
        if (!smooth_ && draw_.percent(40)) assign("guess", "guess > 0.5 ? guess : 0.25 * guess");
        assign("weight", fmt::format("weight - 0.01 * sum({} * (guess - 0.5), {})", own, fmt::join(rest, ", ")));
        if (draw_.percent(40)) real("cost", {}, "sum((guess - 0.5) * (guess - 0.5))");
    }

    /// Where lines have their extremes, and what stands there.
    void places() {
        const auto of = field(1);
        if (!of || (smooth_ && !is_integer(of->type))) return;
        const RandomField u = *of;
        const std::string along = draw_.of(u.axes), own = word(u);
        const Axes rest = without(u.axes, {along});
        const std::string cell = smooth_ || draw_.percent(60) ? own
                                 : draw_.percent(50)          ? fmt::format("abs({} - 0.5)", own)
                                                              : fmt::format("({} * {})", own, beside(u));
        declare("place", whole_type(), rest);
        assign("place", fmt::format("arg{}({}, {})", draw_.percent(50) ? "min" : "max", cell, along));
        const std::string there =
            draw_.of<std::string>({"{0}[{1} = place]", "sum({1} == place ? {0} : 0, {1})",
                                   "{0}[{1} = place] - minimum({0}, {1})", "maximum({1} < place ? {0} : 1, {1})"});
        if (draw_.percent(70)) real("there", rest, fmt::format(fmt::runtime(there), u.name, along));
        // Over the line's cells, in the kernel that folds it.
        if (draw_.percent(30)) real("beyond", u.axes, fmt::format("{} > place ? 0 : {}", along, own));
    }

    /// Weights of an axis of their own: a matrix product where the field has another axis than the one that is folded.
    void products() {
        const auto of = field(1);
        if (!of) return;
        const RandomField u = *of;
        const std::string along = draw_.of(u.axes), own = word(u);
        if (draw_.percent(60)) axis("out", std::to_string(draw_.between(least_, 5)));
        Axes layer{along, "out"}, scored = without(u.axes, {along});
        if (draw_.percent(50)) std::swap(layer[0], layer[1]);
        scored.insert(draw_.percent(50) ? scored.begin() : scored.end(), "out");
        declare("layer", draw_.percent(70) ? real_type() : draw_.of<CellType>({CellType::int32, CellType::uint8}),
                layer, true);
        const std::string e = draw_.of<std::string>({"{0} * layer", "{0} * layer", "{0} * layer", "abs({0} - layer)",
                                                     "({0} - layer) * ({0} - layer)", "{0} * layer + {1}"});
        const std::string cell = fmt::format(fmt::runtime(e), own, along);
        real("score", scored, draw_.percent(60) ? fmt::format("sum({}, {})", cell, along) : fold_of(cell, {along}));
        if (!smooth_ && draw_.percent(30)) {
            declare("nearest", whole_type(), without(scored, {"out"}));
            assign("nearest", "argmin(score, out)");
        }
        if (draw_.percent(30)) assign("score", "max(score, 0.25) * 0.5");
        if (scored.size() > 1 && draw_.percent(40))
            real("back", layer, fmt::format("sum({} * score, {})", own, fmt::join(without(u.axes, {along}), ", ")));
    }

    /// Cells that stand at positions beside the own one, of a grid as fine or half as fine.
    void windows() {
        const auto of = field(1);
        if (!of) return;
        const RandomField u = *of;
        const std::string along = draw_.of(u.axes);
        const int cells = draw_.between(least_, 5);
        axis("tap", std::to_string(cells));
        if (draw_.percent(30)) {
            axis("pooled", fmt::format("(extent({}) + 1) / 2", along));
            Axes axes = u.axes;
            std::replace(axes.begin(), axes.end(), along, std::string("pooled"));
            const std::string cell = fmt::format("{}[{} = 2 * pooled + tap]", u.name, along);
            return real("pool", axes, fold_of(cell, {"tap"}));
        }
        if (draw_.percent(60)) declare("taps", real_type(), {"tap"}, true);
        const std::string weight = taken_.contains("taps") ? "taps" : "(tap + 1)";
        std::string at = fmt::format("{0} = {0} + tap - {1}", along, cells / 2);
        Axes window{"tap"};
        if (u.axes.size() > 1 && draw_.percent(40)) {
            const std::string second = draw_.of(without(u.axes, {along}));
            axis("tap2", std::to_string(draw_.between(least_, 3)));
            at += fmt::format(", {0} = {0} + tap2 - 1", second);
            window.emplace_back("tap2");
        }
        const std::string cell = fmt::format("{}[{}]", u.name, at);
        real("blur", u.axes,
             draw_.percent(60) ? fmt::format("sum({} * {}, {})", weight, cell, fmt::join(window, ", "))
                               : fold_of(cell, window));
    }

    /// A series at each cell, along an axis that no field has.
    void waves() {
        const auto of = field(1);
        if (!of) return;
        const RandomField u = *of;
        axis("wave_number", std::to_string(draw_.between(2, 9)));
        const std::string e = draw_.of<std::string>({"{} / (1.5 + wave_number)", "abs({} - 0.25 * wave_number)",
                                                     "{} * wave_number", "min({}, 0.125 * wave_number)"});
        real("series", u.axes, fold_of(fmt::format(fmt::runtime(e), word(u)), {"wave_number"}));
    }

    /// Folds that some iterations alone record, or look at.
    void records() {
        const auto of = field(1);
        if (!of) return;
        const RandomField u = *of;
        const int every = draw_.between(1, 3), marks = draw_.between(least_, 2);
        axis("mark", std::to_string(marks));
        FieldLine loop{fmt::format("for (n = 0; n < {}; n++)", every * marks), {}};
        go_on(u, loop.body);
        std::vector<FieldLine> recorded;
        const Axes along = draw_.percent(50) ? u.axes : Axes{draw_.of(u.axes)};
        Axes axes = without(u.axes, along);
        axes.emplace_back("mark");
        declare("every", draw_.percent(80) || !is_integer(u.type) ? real_type() : whole_type(), axes);
        const bool whole = is_integer(program_.fields.back().type);
        const std::string value =
            whole ? fmt::format("sum({} % 7, {})", u.name, fmt::join(along, ", ")) : fold_of(word(u), along);
        recorded.push_back({fmt::format("every[mark = n / {}] = {};", every, value), {}});
        if (draw_.percent(25)) {
            real("total", {}, "0.25");
            program_.lines.push_back(lines_.back());
            lines_.clear();
            recorded.push_back({fmt::format("total = total * 0.5 + mean({});", word(u)), {}});
        }
        if (draw_.percent(70)) {
            loop.body.push_back({fmt::format("if (n % {} == {})", every, draw_.between(0, every - 1)), recorded});
        } else {
            loop.body.insert(loop.body.end(), recorded.begin(), recorded.end());
        }
        if (draw_.percent(30)) go_on(u, loop.body);
        program_.lines.push_back(std::move(loop));
    }

    /// What complex numbers are made of: their absolute values, or parts.
    void parts() {
        std::vector<RandomField> fit;
        for (const RandomField& f : program_.fields)
            if (is_complex(f.type) && valued_.contains(f.name)) fit.push_back(f);
        if (fit.empty()) {
            declare("waves", draw_.percent(70) ? CellType::complex64 : CellType::complex128, grid_, true);
            fit.push_back(program_.fields.back());
        }
        const RandomField z = draw_.of(fit);
        const Axes along = draw_.percent(40) ? z.axes : Axes{draw_.of(z.axes)};
        const std::string e =
            draw_.of<std::string>({"abs({0})", "abs({0})", "abs({0}) * abs({0})", "real({0}) * imag({0})", "real({0})",
                                   "(abs({0}) - abs(0.5 * {0})) * (real({0}) - imag({0}))"});
        const Axes rest = without(z.axes, along);
        real("power", rest, fold_of(fmt::format(fmt::runtime(e), z.name), along));
        if (!rest.empty() && draw_.percent(40))
            real("shares", z.axes, fmt::format("abs({}) / (1.5 + abs(power))", z.name));
    }
};

}  // namespace

void add_folds(Draw& draw, FieldProgram& program, const std::vector<std::string>& grid, std::set<std::string>& valued) {
    Folds(draw, program, grid, valued).run();
}

}  // namespace kasc::random
