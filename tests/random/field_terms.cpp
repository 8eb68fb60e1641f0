#include "random/field_terms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace kasc::random {

namespace {

bool has(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

std::string neighbour(const std::string& axis, int offset) {
    return fmt::format("{} {} {}", axis, offset < 0 ? '-' : '+', std::abs(offset));
}

}  // namespace

Role role_of(const std::string& name) {
    if (name == "lab") return Role::labels;
    if (name == "px" || name == "py" || name == "pz") return Role::list;
    return name == "ix" ? Role::distinct : Role::plain;
}

bool Terms::runs_along(const std::string& axis) const { return has(place_.running, axis); }

bool Terms::is_readable(const RandomField& field) const {
    return readable_.contains(field.name) && (field.cell.is_number() || field.cell == place_.cell);
}

std::optional<RandomField> Terms::field(bool whole) {
    std::vector<RandomField> fit;
    for (const RandomField& f : fields_) {
        if (is_complex(f.type) || is_integer(f.type) != whole || !is_readable(f)) continue;
        fit.insert(fit.end(), f.cell.is_number() ? 1 : 3, f);
    }
    return fit.empty() ? std::nullopt : std::optional(draw_.of(fit));
}

/// On the grid where it is the same for all cells; anywhere where each cell computes it.
std::string Terms::position(const std::string& axis, int depth) {
    if (axis == "t" && !place_.loops.empty() && draw_.percent(85)) return place_.loops.front();
    if (axis == "m" && draw_.percent(60)) {
        for (const RandomField& f : fields_) {
            const bool runs = std::all_of(f.axes.begin(), f.axes.end(), [&](const auto& a) { return runs_along(a); });
            if (role_of(f.name) == Role::labels && runs && readable_.contains(f.name) && f.name != place_.target)
                return f.name;
        }
    }
    for (const RandomField& f : fields_) {
        const Role role = role_of(f.name);
        const bool lists = (role == Role::list || role == Role::distinct) && listed_axis(f.name) == axis;
        if (lists && runs_along(f.axes[0]) && draw_.percent(60)) return f.name;
    }
    const bool cuts = depth > 0 && !place_.spectra.drawn && !place_.running.empty();
    if (cuts && draw_.percent(15)) return fmt::format("{} < 0 ? 0 : {}", draw_.of(place_.running), cut(depth - 1));
    if (depth > 0 && !place_.running.empty() && draw_.percent(50)) {
        const bool around = std::exchange(in_position_, true);
        std::string computed = fmt::format("{} + {}", draw_.of(place_.running), integer(depth - 1));
        in_position_ = around;
        return computed;
    }
    // Where transforms are drawn, axes of one cell are as well, and q0 is 0.
    return draw_.of<std::string>({"0", place_.spectra.drawn ? "0" : "1", "q0", fmt::format("extent({}) - 1", axis)});
}

/// An integer made of a real, of any size.
std::string Terms::cut(int depth) {
    const RandomCell cell = std::exchange(place_.cell, {});
    const bool around = std::exchange(in_position_, true);
    std::string drawn = fmt::format("int({})", real(depth));
    in_position_ = around;
    place_.cell = cell;
    return drawn;
}

std::string Terms::coloured_indices(const RandomField& field) {
    if (draw_.percent(40)) return "";
    const std::string& axis = draw_.of(field.axes);
    if (!field.bounded.contains(axis)) return "";
    int offset = 0;
    while (offset == 0) offset = draw_.between(1 - place_.colours, place_.colours - 1);
    return fmt::format("[{}]", neighbour(axis, std::clamp(offset, -3, 3)));
}

std::string Terms::read(const RandomField& field, int depth) {
    if (!field.cell.is_number() && place_.cell.is_number()) return word_read(field, depth);
    return named(field.name, field.cell) + indices(field, depth);
}

std::string Terms::indices(const RandomField& field, int depth) {
    if (place_.colours > 0 && field.name == place_.target) return coloured_indices(field);
    std::vector<std::string> indices;
    for (const std::string& axis : field.axes) {
        const bool neighbours = field.bounded.contains(axis);
        if (!runs_along(axis) || draw_.percent(6)) {
            indices.push_back(fmt::format("{} = {}", axis, position(axis, depth)));
        } else if (neighbours && draw_.percent(40)) {
            // Now and then farther than the grid is wide, more than once.
            const int farthest = draw_.percent(85) ? 2 : draw_.percent(80) ? 4 : 9;
            const int offset = draw_.between(-farthest, farthest);
            if (offset != 0) indices.push_back(neighbour(axis, offset));
        }
    }
    draw_.shuffle(indices);
    return indices.empty() ? "" : fmt::format("[{}]", fmt::join(indices, ", "));
}

std::string Terms::real_leaf(int depth) {
    if (place_.spectra.drawn && !in_position_ && draw_.percent(25)) return real_transform(depth);
    if (!place_.cell.is_number() && draw_.percent(20)) return cell_term(depth);
    if (place_.cell.is_number() && draw_.percent(20)) {
        if (const auto term = word_term(depth)) return *term;
    }
    const int kind = draw_.between(0, 99);
    if (kind < 62) {
        if (const auto f = field(false)) return read(*f, depth);
    }
    if (kind < 70) {
        if (const auto f = field(true)) return read(*f, depth);
    }
    if (kind < 75 && !place_.running.empty()) return draw_.of(place_.running);
    if (kind < 79 && !place_.loops.empty()) return draw_.of(place_.loops);
    if (kind < 82 && !in_position_) return fmt::format("random({}, {}, {})", integer(0), integer(0), integer(0));
    return draw_.of<std::string>({"0.5", "0.1", "2", "1e-3", "f", "d", "q0", "(f + d)", "(1 / d)", "extent(x)"});
}

/// A function of the program or the library over a field that the statement runs along.
std::string Terms::library_call(int depth) {
    std::vector<const RandomField*> fit;
    for (const RandomField& f : fields_) {
        const bool runs = std::all_of(f.axes.begin(), f.axes.end(),
                                      [&](const auto& a) { return runs_along(a) && f.bounded.contains(a); });
        const bool coloured = place_.colours > 0 && f.name == place_.target;
        if (runs && !f.axes.empty() && !coloured && !is_complex(f.type) && is_readable(f) &&
            role_of(f.name) == Role::plain)
            fit.push_back(&f);
    }
    if (fit.empty()) return real_leaf(depth);
    const RandomField& u = *draw_.of(fit);
    const RandomField& k = *draw_.of(fit);
    const std::string name = named(u.name, u.cell);
    switch (draw_.between(0, 5)) {
        case 0:
            return fmt::format("laplace2({}, 2)", name);
        case 1:
            return fmt::format("laplace4({}, 1.5)", name);
        case 2:
            return fmt::format("second2({}, {}, d)", name, draw_.of(u.axes));
        case 3:
            // divergence2 divides by sums of neighbours.
            if (!place_.spectra.drawn &&
                std::includes(k.bounded.begin(), k.bounded.end(), u.bounded.begin(), u.bounded.end()))
                return fmt::format("divergence2({}, {}, 2)", named(k.name, k.cell), name);
            return fmt::format("steep({})", name);
        case 4:
            return fmt::format("steep({})", name);
        default:
            return fmt::format("mix({}, {})", real(depth - 1), name);
    }
}

/// A reduction of a field that the statement need not run along: the axes along which it does not are folded, of the
/// others some. Neighbours stand along either.
std::string Terms::reduction(int depth, bool whole) {
    if (draw_.percent(25)) {
        if (auto term = running(depth, whole)) return *term;
    }
    // Integers are also made of reals: counts, and where they are largest.
    const bool counts = whole && !place_.spectra.drawn && draw_.percent(25), of_integers = whole && !counts;
    const bool of_words = !whole && place_.cell.is_number() && draw_.percent(20);
    std::vector<const RandomField*> fit, shaped;
    for (const RandomField& f : fields_) {
        const bool of_kind = of_integers ? is_integer(f.type) : !is_complex(f.type);
        if (of_kind && !f.axes.empty() && is_readable(f) && role_of(f.name) == Role::plain) fit.push_back(&f);
        if (of_words && !f.cell.is_number() && readable_.contains(f.name)) shaped.push_back(&f);
    }
    if (!shaped.empty()) fit = shaped;
    if (fit.empty() || place_.colours > 0 || in_position_) return whole ? integer(0) : real_leaf(depth);
    const RandomField& u = *draw_.of(fit);
    std::vector<std::string> steps;
    for (const std::string& axis : u.axes) {
        const int offset = draw_.of<int>({-3, -2, -1, 1, 2, 3});
        if (u.bounded.contains(axis) && draw_.percent(35)) steps.push_back(neighbour(axis, offset));
    }
    // Integers stay small where a loop sums them up again and again.
    const std::string small = of_integers ? " % 97" : "";
    const std::string name = named(u.name, u.cell);
    const auto word = [&](const std::string& cell) {
        return shaped.empty() ? cell + small : folded_words(u, cell, depth - 1);
    };
    std::string folded = word(steps.empty() ? name : fmt::format("{}[{}]", name, fmt::join(steps, ", ")));
    if (!steps.empty() && draw_.percent(50)) folded = fmt::format("{} - {}", word(name), folded);
    // Less what lines have.
    if (draw_.percent(15)) {
        const std::string line = draw_.of<std::string>({"sum", "minimum", "maximum", of_integers ? "maximum" : "mean"});
        folded = fmt::format("({} - {}({}, {}))", folded, line, word(name), draw_.of(u.axes));
    }
    if (draw_.percent(30)) folded = fmt::format("({}) * {} + {}", folded, of_integers ? "2" : "0.5", draw_.of(u.axes));
    if (depth > 1 && draw_.percent(30))
        folded = fmt::format("{} + {}", folded, argument_beside(u, depth - 2, of_integers));
    std::vector<std::string> axes;
    for (const std::string& axis : u.axes) {
        if (!runs_along(axis) || draw_.percent(50)) axes.push_back(axis);
    }
    // Without any named, all are folded.
    const bool all = axes.empty() || (axes.size() == u.axes.size() && draw_.percent(60));
    // Without any named, a reduction of cells would be one of their words.
    if (all && !place_.cell.is_number()) axes = u.axes;
    std::string named_axes;
    if (!all || !place_.cell.is_number()) {
        draw_.shuffle(axes);
        named_axes = fmt::format(", {}", fmt::join(axes, ", "));
    }
    const bool jumps = of_integers || !place_.spectra.drawn;
    const bool one = !named_axes.empty() && axes.size() == 1;
    if (jumps && one && draw_.percent(counts ? 50 : 20))
        return fmt::format("arg{}({}{})", draw_.percent(50) ? "min" : "max", folded, named_axes);
    if (counts)
        return fmt::format(fmt::runtime(draw_.of<std::string>(
                               {"count({} > 0.25{})", "(any({} > 0.75{}) ? 2 : 5)", "(all({} > -0.5{}) ? 2 : 5)"})),
                           folded, named_axes);
    return reduction_of(folded, named_axes, whole);
}

std::string Terms::reduction_of(const std::string& folded, const std::string& axes, bool whole) {
    const auto of = [&](const char* form) { return fmt::format(fmt::runtime(form), folded, axes); };
    switch (draw_.between(0, whole ? 7 : 9)) {
        case 0:
        case 1:
            return of("sum({}{})");
        case 2:
            return of("minimum({}{})");
        case 3:
            return of("maximum({}{})");
        case 4:
            // Factors near 1, of any number of cells; of integers odd ones, which never become 0.
            if (!whole) return of("product(1 + 0.01 * max(-1, min(1, {})){})");
            // Products of 64 bits are not taken modulo any number that a double has.
            return of(std::any_of(fields_.begin(), fields_.end(), [](const RandomField& f) { return is_long(f.type); })
                          ? "product(1 - 2 * (({}) & 1){})"
                          : "(product(2 * ({}) + 1{}) % 97)");
        case 5:
            return of(whole ? "count(({}) % 3 == 1{})" : "count({} > 0.25{})");
        case 6:
            return of(whole ? "(any(({}) % 3 == 1{}) ? 2 : 5)" : "(any({} > 0.25{}) ? 0.5 : 0.75)");
        case 7:
            return of(whole ? "(all(({}) % 7 > -1{}) ? 2 : 5)" : "(all({} > -0.5{}) ? 0.5 : 0.75)");
        case 8:
            return of("norm({}{})");
        default:
            return of("mean({}{})");
    }
}

/// A running reduction of a field that runs along no other axes than the statement does.
std::optional<std::string> Terms::running(int depth, bool whole) {
    std::vector<const RandomField*> fit;
    for (const RandomField& f : fields_) {
        const bool of_kind = whole ? is_integer(f.type) : !is_complex(f.type);
        const bool within =
            std::all_of(f.axes.begin(), f.axes.end(), [&](const std::string& axis) { return runs_along(axis); });
        if (of_kind && within && !f.axes.empty() && is_readable(f) && role_of(f.name) == Role::plain) fit.push_back(&f);
    }
    // Sums over lines have steep slopes, of which transforms would make noise.
    if (fit.empty() || place_.colours > 0 || in_position_ || place_.spectra.drawn) return std::nullopt;
    const RandomField& u = *draw_.of(fit);
    std::vector<std::string> steps;
    for (const std::string& axis : u.axes) {
        if (u.bounded.contains(axis) && draw_.percent(30)) steps.push_back(neighbour(axis, draw_.of<int>({-2, -1, 1})));
    }
    std::string e = named(u.name, u.cell);
    if (!steps.empty()) e = fmt::format("{}[{}]", e, fmt::join(steps, ", "));
    if (whole) e += " % 97";
    if (draw_.percent(30)) e = fmt::format("({}) * {} + {}", e, whole ? "3" : "0.5", draw_.of(u.axes));
    if (depth > 1 && draw_.percent(30)) e = fmt::format("{} + {}", e, argument_beside(u, depth - 2, whole));
    const std::string along = (draw_.percent(40) ? "-" : "") + draw_.of(u.axes);
    const auto of = [&](const char* form) { return fmt::format(fmt::runtime(form), e, along); };
    switch (draw_.between(0, 4)) {
        case 0:
            return of("running_minimum({}, {})");
        case 1:
            return of("running_maximum({}, {})");
        case 2:
            // As of products that are folded: near 1, or of 1 and -1.
            return of(whole ? "running_product(1 - 2 * (({}) & 1), {})"
                            : "running_product(1 + 0.01 * max(-1, min(1, {})), {})");
        default:
            return of("running_sum({}, {})");
    }
}

/// Whatever else runs along no other axes than the field does.
std::string Terms::argument_beside(const RandomField& field, int depth, bool whole) {
    const auto around = std::exchange(place_.running, field.axes);
    const int transforms = std::exchange(place_.transforms, 0);
    std::string argument = whole ? integer(depth) : real(depth);
    place_.running = around;
    place_.transforms = transforms;
    return argument;
}

std::string Terms::real(int depth) {
    if (depth <= 0) return real_leaf(0);
    const auto part = [&] { return real(depth - 1 - draw_.between(0, 1)); };
    const int kind = draw_.between(0, 99);
    if (kind < 18) return real_leaf(depth);
    if (kind < 44) return fmt::format("{} + {}", part(), part());
    if (kind < 54) return fmt::format("{} - ({})", part(), part());
    if (kind < 68) return fmt::format("({}) * ({})", part(), part());
    if (kind < 70) return fmt::format("({}) / (1.5 + abs({}))", part(), part());
    if (kind < 72)
        return fmt::format("({}) / {}", part(), draw_.of<std::string>({"f", "(f*d)", "(2*d)", "extent(x)", "-0.3"}));
    if (kind < 78) return library_call(depth);
    if (kind < 82) return reduction(depth, false);
    // Either of 0 and -0 may be the smaller: the sum is the same.
    if (kind < 84) return fmt::format("({}({}, {}) + 1)", draw_.of<std::string>({"min", "max"}), part(), part());
    const bool smooth = place_.spectra.drawn;
    if (kind < 87) return fmt::format("sqrt({}abs({}))", smooth ? "0.5 + " : "", part());
    if (smooth && kind < 93) return fmt::format("-({})", part());
    if (kind < 88) return fmt::format("{}({})", draw_.of<std::string>({"floor", "ceil", "round"}), part());
    if (kind < 89) return fmt::format("float({})", integer(depth - 1));
    if (kind < 91) return fmt::format("-({})", part());
    if (kind < 93) return fmt::format("({}) % 3", part());
    return fmt::format("({} ? {} : {})", condition(depth - 1), part(), part());
}

/// No cell is an integer, whatever is drawn around it.
std::string Terms::integer(int depth) {
    const RandomCell around = std::exchange(place_.cell, {});
    std::string drawn = integer_number(depth);
    place_.cell = around;
    return drawn;
}

std::string Terms::integer_number(int depth) {
    const int kind = draw_.between(0, 99);
    if (depth <= 0 || kind < 40) {
        if (kind % 4 == 0 && !place_.running.empty()) return draw_.of(place_.running);
        if (kind % 4 == 1 && !place_.loops.empty()) return draw_.of(place_.loops);
        if (kind % 4 <= 2) {
            if (const auto f = field(true)) return read(*f, 0);
        }
        return draw_.of<std::string>({"0", "1", "3", "7", "q0", "steps", "extent(x)"});
    }
    const auto part = [&] { return integer(depth - 1); };
    const int literal = draw_.between(2, 5);
    if (kind < 54) return fmt::format("{} + {}", part(), part());
    if (kind < 62) return fmt::format("{} - ({})", part(), part());
    if (kind < 66) return bits(depth);
    if (kind < 69) return fmt::format("{}({}, {})", draw_.of<std::string>({"min", "max"}), part(), part());
    if (kind < 70) return fmt::format("abs({})", part());
    if (kind < 73 && !place_.spectra.drawn) return fmt::format("max(-40, min({}, 41))", cut(depth - 1));
    if (kind < 78) return fmt::format("({}) * {}", part(), literal);
    if (kind < 84) return fmt::format("({}) / {}", part(), literal);
    if (kind < 90) return fmt::format("({}) % {}", part(), literal);
    if (kind < 93) return reduction(depth, true);
    return fmt::format("({} ? {} : {})", condition(depth - 1), part(), part());
}

std::string Terms::bits(int depth) {
    const std::string a = integer(depth - 1), b = integer(depth - 1);
    const int count = draw_.between(0, 2);
    switch (draw_.between(0, 6)) {
        case 0:
            return fmt::format("(({}) << {})", a, count);
        case 1:
            return fmt::format("(({}) >> {})", a, count);
        case 2:
            // Counts beyond 31 and below 0, too, which no number may be.
            return fmt::format("(({}) >> (q0 + {}))", a, b);
        case 3:
            return fmt::format("~({})", a);
        default:
            return fmt::format("(({}) {} ({}))", a, draw_.of<std::string>({"&", "|", "^"}), b);
    }
}

std::string Terms::condition(int depth) {
    const int kind = draw_.between(0, 99);
    const std::string compare = draw_.of<std::string>({"<", "<=", ">", ">=", "==", "!="});
    if (depth > 0 && kind < 12) return fmt::format("{} && {}", condition(depth - 1), condition(depth - 1));
    if (depth > 0 && kind < 22) return fmt::format("({} || {})", condition(depth - 1), condition(depth - 1));
    if (depth > 0 && kind < 27) return fmt::format("!({})", condition(depth - 1));
    if (depth > 0 && kind < 30)
        return fmt::format("({} ? {} : {})", condition(depth - 1), condition(depth - 1), condition(depth - 1));
    if (kind < 55 || place_.spectra.drawn) return fmt::format("({}) {} ({})", integer(depth), compare, integer(depth));
    if (kind < 62) return fmt::format("({}) / 2 {} 1.0", integer(0), compare);
    return fmt::format("({}) {} ({})", real(depth), compare, real(depth));
}

}  // namespace kasc::random
