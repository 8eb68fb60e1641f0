// Complex numbers and transforms in expressions, well-typed by construction: which axes run inside of a transform
// follows from those that run outside and from which of them have halves (docs/language.md, "Transforms").

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "random/field_terms.hpp"

namespace kasc::random {

namespace {

bool is_half(const std::string& axis) { return axis.size() == 2 && axis[0] == 'k'; }
std::string wave(const std::string& axis) { return fmt::format("wave({0}, extent({0}))", axis); }

}  // namespace

std::optional<Terms::Transformed> Terms::transformed(bool forward) {
    if (place_.transforms <= 0 || place_.running.empty()) return std::nullopt;
    const int last = static_cast<int>(place_.running.size()) - 1;
    const int from = draw_.percent(60) ? 0 : draw_.between(0, last);
    const int to = from == 0 && draw_.percent(60) ? last : draw_.between(from, last);
    Transformed along{{place_.running.begin() + from, place_.running.begin() + to + 1}, place_.running, {}, {}, {}};
    // Axes with others between them.
    if (to > from + 1 && draw_.percent(25)) along.axes.erase(along.axes.begin() + draw_.between(1, to - from - 1));
    std::string& first = along.inner[static_cast<std::size_t>(from)];
    // A half is the first axis that is transformed.
    const bool half_behind = std::any_of(along.axes.begin() + 1, along.axes.end(), is_half);
    if (half_behind && (forward || place_.spectra.halved.contains(first))) return std::nullopt;
    if (forward) {
        along.real_inner = is_half(first);
        if (along.real_inner) first = listed_axis(first);
    } else {
        along.real_outer = place_.spectra.halved.contains(first);
        if (along.real_outer) first = half_of(first);
    }
    const bool all = along.axes.size() == place_.running.size();
    if (!all || draw_.percent(20)) {
        std::vector<std::string> names = along.axes;
        if (draw_.percent(30)) draw_.shuffle(names);
        along.names = fmt::format(", {}", fmt::join(names, ", "));
    }
    --place_.transforms;
    return along;
}

std::string Terms::transform(bool forward, const Transformed& along, int depth) {
    const auto around = std::exchange(place_.running, along.inner);
    const int colours = std::exchange(place_.colours, 0);
    std::string argument;
    std::vector<std::string> whole;  // what is transformed as it stands, and perhaps elsewhere, too
    for (const RandomField& f : fields_) {
        const bool fits = f.axes == along.inner && !is_integer(f.type) && is_complex(f.type) == !along.real_inner;
        if (fits && is_readable(f)) whole.push_back(named(f.name, f.cell));
    }
    if (!along.real_outer && !whole.empty() && draw_.percent(50))
        argument = draw_.of(whole);
    else if (along.real_inner)
        argument = real(depth - 1);
    else if (along.real_outer && (!place_.spectra.any || draw_.percent(50)))
        argument = mirrored_over(along.axes, along.names, depth - 1);
    else
        argument = complex(depth - 1);
    place_.running = around;
    place_.colours = colours;
    const char* name = forward ? "fft" : draw_.percent(85) ? "ifft" : "0.01 * unscaled_ifft";
    return fmt::format("{}({}{})", name, argument, along.names);
}

/// There, back and there again, by way of reals that see a part of the spectrum alone: what may be left out between
/// depends on whether the factor is even in the wave numbers.
std::string Terms::there_and_back(const Transformed& along) {
    const auto around = std::exchange(place_.running, along.inner);
    std::vector<std::string> halves = along.axes;
    halves.front() = half_of(halves.front());
    const std::string spectrum = complex_leaf(0);
    const std::string factor = draw_.percent(50)   ? even(halves)
                               : draw_.percent(50) ? fmt::format("1 + {}", wave(draw_.of(halves)))
                                                   : of_lines(1);
    place_.running = around;
    return fmt::format("ifft(({}) * fft(ifft({}{}){}){})", factor, spectrum, along.names, along.names, along.names);
}

/// A sum with uniform factors here and there, and inverse transforms that are transformed again.
std::string Terms::inverse_to_reals(const Transformed& along, int depth) {
    if (place_.spectra.any && place_.transforms > 0 && draw_.percent(50)) {
        --place_.transforms;
        return there_and_back(along);
    }
    const std::string factor = draw_.of<std::string>({"f", "0.25", "(1 / d)", "(f - d)"});
    if (!draw_.percent(25) || place_.transforms <= 0) return transform(false, along, depth);
    --place_.transforms;
    const std::string first = transform(false, along, depth), second = transform(false, along, depth);
    return fmt::format("({} * {} {} {})", factor, first, draw_.of<std::string>({"+", "-"}), second);
}

/// A sine or cosine transform of what runs along the same axes. Not dct1, which a line of one cell has none of.
std::optional<std::string> Terms::walls(int depth) {
    if (place_.transforms <= 0 || place_.running.empty()) return std::nullopt;
    const std::string axis = draw_.of(place_.running);
    const bool all = draw_.percent(25);
    if (is_half(axis) || (all && std::any_of(place_.running.begin(), place_.running.end(), is_half)))
        return std::nullopt;
    --place_.transforms;
    const char* way = draw_.of<const char*>({"idct", "idst", "0.1 * dct", "0.1 * dst"});
    const bool sine = std::string_view(way).ends_with("dst");
    return fmt::format("{}{}({}{})", way, draw_.between(sine ? 1 : 2, 4), real(depth - 1), all ? "" : ", " + axis);
}

std::string Terms::real_transform(int depth) {
    if (place_.colours == 0 && draw_.percent(30)) {
        if (auto found = walls(depth)) return *std::move(found);
    }
    const char* part = draw_.percent(50) ? "real" : "imag";
    if (place_.colours == 0 && draw_.percent(80)) {
        const bool forward = draw_.percent(25);
        if (const auto along = transformed(forward))
            return along->real_outer ? inverse_to_reals(*along, depth)
                                     : fmt::format("{}({})", part, transform(forward, *along, depth));
    }
    return fmt::format("{}({})", part, complex_leaf(0));
}

std::string Terms::complex_transform(int depth) {
    const bool forward = draw_.percent(60);
    const auto along = place_.colours == 0 ? transformed(forward) : std::nullopt;
    if (!along) return complex_leaf(0);
    // The argument stands beside the transform and within it, and may have transforms of its own.
    if (forward && !along->real_inner && along->names.empty() && draw_.percent(40))
        return fmt::format("beside({})", complex(depth - 1));
    return along->real_outer ? inverse_to_reals(*along, depth) : transform(forward, *along, depth);
}

/// Always complex: a real would do for most.
std::string Terms::complex_leaf(int depth) {
    std::vector<RandomField> fit;
    for (const RandomField& f : fields_) {
        if (is_complex(f.type) && readable_.contains(f.name)) fit.push_back(f);
    }
    if (!fit.empty() && draw_.percent(80)) return read(draw_.of(fit), depth);
    return fmt::format("complex({}, {})", real(depth - 1), real(depth - 1));
}

std::string Terms::complex(int depth) {
    const int kind = draw_.between(0, 99);
    if (depth <= 0 || kind < 15) return complex_leaf(depth);
    const auto part = [&] { return complex(depth - 1 - draw_.between(0, 1)); };
    if (kind < 35) return complex_transform(depth);
    if (kind < 50) return fmt::format("{} + {}", part(), part());
    if (kind < 58) return fmt::format("{} - ({})", part(), part());
    if (kind < 68) return fmt::format("({}) * ({})", part(), part());
    if (kind < 74) return fmt::format("({}) * ({})", real(depth - 1), part());
    if (kind < 78) return fmt::format("({}) + ({})", part(), real(depth - 1));
    if (kind < 82) return fmt::format("({}) / complex(1.5 + abs({}), {})", part(), real(0), real(0));
    if (kind < 85) return fmt::format("({}) / (2 + abs({}))", part(), real(depth - 2));
    if (kind < 90) return fmt::format("conj({})", complex_leaf(depth - 1));
    if (kind < 93) return fmt::format("-({})", part());
    if (kind < 96) return fmt::format("({} ? {} : {})", condition(depth - 1), part(), part());
    if (kind < 98) return fmt::format("exp(complex(-abs({}), {}))", complex_leaf(depth - 1), real(depth - 2));
    return fmt::format("complex({}, {})", real(depth - 1), real(depth - 1));
}

std::string Terms::of_lines(int depth) {
    if (depth > 0)
        return fmt::format("({}) {} ({})", of_lines(depth - 1), draw_.of<std::string>({"*", "+", "-"}),
                           of_lines(depth - 1 - draw_.between(0, 1)));
    std::vector<std::string> fit{"f", "0.5", "(1 / d)"};
    for (const std::string& axis : place_.running) fit.push_back(fmt::format("cos({})", wave(axis)));
    for (const RandomField& f : fields_) {
        const bool line = f.axes.size() == 1 && runs_along(f.axes[0]) && !is_complex(f.type);
        if (line && role_of(f.name) == Role::plain && is_readable(f)) fit.insert(fit.end(), 2, named(f.name, f.cell));
    }
    return draw_.of(fit);
}

/// A real function of the wave numbers that is the same at k and -k.
std::string Terms::even(const std::vector<std::string>& axes) {
    const std::string& axis = draw_.of(axes);
    switch (draw_.between(0, 5)) {
        case 0:
            return fmt::format("(1 / (1 + square({})))", wave(axis));
        case 1:
            return fmt::format("cos(0.5 * {})", wave(axis));
        case 2:
            return is_half(axis) ? fmt::format("(0.5 + {} / 8)", axis) : fmt::format("square({})", wave(axis));
        case 3: {
            // A line of the halved axis, or of one that is not transformed.
            for (const RandomField& f : fields_) {
                const bool line = f.axes.size() == 1 && runs_along(f.axes.front()) && !is_complex(f.type);
                const bool fits = line && (is_half(f.axes[0]) || std::count(axes.begin(), axes.end(), f.axes[0]) == 0);
                if (fits && is_readable(f) && !is_integer(f.type)) return named(f.name, f.cell);
            }
            return "0.5";
        }
        default:
            return draw_.of<std::string>({"f", "0.25", "(1 / d)", "(f - d)"});
    }
}

/// A purely imaginary one whose sign changes, and which is zero where k and -k are one.
std::string Terms::odd(const std::string& axis) {
    const std::string cells = is_half(axis) ? listed_axis(axis) : axis;
    return fmt::format("complex(0, 2 * {0} == extent({1}) ? 0 : {2})", axis, cells,
                       is_half(axis) ? axis : fmt::format("0.5 * {}", wave(axis)));
}

std::string Terms::mirrored(int depth) { return mirrored_over(place_.running, "", depth); }

/// `axes`: those of the real field, or of its spectrum.
std::string Terms::mirrored_over(const std::vector<std::string>& of, const std::string& names, int depth) {
    std::vector<std::string> axes = of;
    if (!is_half(axes.front())) axes.front() = half_of(axes.front());
    const auto again = [&](int less) { return mirrored_over(axes, names, depth - less); };
    const int kind = draw_.between(0, 99);
    if (depth > 0 && kind < 20) return fmt::format("{} * {}", even(axes), again(1));
    if (depth > 0 && kind < 32) return fmt::format("{} * ({})", odd(draw_.of(axes)), again(1));
    if (depth > 0 && kind < 44) return fmt::format("{} + {}", again(1), again(1));
    if (depth > 0 && kind < 52) return fmt::format("{} - {} * ({})", again(1), even(axes), again(1));
    if (depth > 0 && kind < 56) return fmt::format("({}) * ({})", again(2), again(2));
    std::vector<std::string> whole;
    for (const RandomField& f : fields_) {
        if (f.mirrored && f.axes == place_.running && f.axes == axes && readable_.contains(f.name))
            whole.push_back(f.name);
    }
    if (!whole.empty() && draw_.percent(50)) return kind % 5 == 0 ? "conj(" + draw_.of(whole) + ")" : draw_.of(whole);
    Transformed along{axes, place_.running, true, false, names};
    *std::find(along.inner.begin(), along.inner.end(), axes.front()) = listed_axis(axes.front());
    return transform(true, along, std::max(depth, 1));
}

}  // namespace kasc::random
