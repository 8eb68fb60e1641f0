#pragma once
// How functions of the wave numbers change when all wave numbers change their sign.
//
// A spectrum over axes of n cells has, beside the wave number k, the wave number -k = (n - k) mod n; where they are one
// (0, and n/2 of an even n) nothing changes. The axis of a half spectrum is left as it is: there only its first and its
// last plane matter, on which it is its own mirror image.
//
//     w(y) = y < (n + 1) / 2 ? y : y - n      w(-y) = -w(y), but for y = n/2, where w(-y) = w(y)
//     cos(w), w * w, abs(w)                   even: the same at -y everywhere
//     w * v(z)                                changes sign with either
//
// A function is said to flip with a set of axes: for each of them its sign changes where that axis is not its own
// mirror image. Products add sets (twice the same axis: not at all), sums need the same set.

#include <optional>
#include <set>

#include "frontend/program.hpp"

namespace kasc::rewriting {

/// Real functions of coordinates and of fields that are assigned such functions: none is known of inputs.
class Parity {
public:
    /// `mirrored`: the axes of a spectrum whose wave numbers change sign.
    Parity(const Program& program, std::set<AxisId> mirrored);

    /// The expression, a part of the statement's, is real and has the same value at -k as at k.
    [[nodiscard]] bool even(const Expression& e, const FieldStatement& statement) const;

    enum class State { unseen, zero, flips, unknown };
    struct Sign {
        State state = State::unseen;
        std::set<AxisId> axes;  ///< flips: with these
        bool operator==(const Sign&) const = default;
    };
    struct Signs {
        Sign real, imaginary;
        bool operator==(const Signs&) const = default;
    };

private:
    const Program& program_;
    std::set<AxisId> mirrored_;
    std::vector<Signs> fields_;  ///< by variable
};

}  // namespace kasc::rewriting
