// heat: a polynomial of degree 6 a channel, fitted to matplotlib's map "inferno" (S. van der Walt, N. Smith, 2015) by
// least squares over its 256 entries; the coefficients are Matt Zucker's (public domain, 2019). Largest error about 1
// %. balance: the eleven colours RdBu of ColorBrewer (C. Brewer, 2002), turned round, with straight lines between them.

#include "runtime/pictures/colour_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kasc::runtime {

namespace {

using Polynomial = std::array<double, 7>;  // constant term first

constexpr Polynomial red_of = {0.0002189403691192265, 0.1065134194856116, 11.60249308247187, -41.70399613139459,
                               77.162935699427,       -71.31942824499214, 25.13112622477341};
constexpr Polynomial green_of = {0.001651004631001012, 0.5639564367884091, -3.972853965665698, 17.43639888205313,
                                 -33.40235894210092,   32.62606426397723,  -12.24266895238567};
constexpr Polynomial blue_of = {-0.01948089843709184, 3.932712388889277, -15.9423941062914, 44.35414519872813,
                                -81.80730925738993,   73.20951985803202, -23.07032500287172};

std::uint8_t channel(const Polynomial& coefficients, double share) {
    double value = 0;
    for (auto term = coefficients.rbegin(); term != coefficients.rend(); ++term) value = value * share + *term;
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
}

Colour heat(double share) { return {channel(red_of, share), channel(green_of, share), channel(blue_of, share)}; }

Colour balance(double share) {
    constexpr std::array<Colour, 11> colours{{{5, 48, 97},
                                              {33, 102, 172},
                                              {67, 147, 195},
                                              {146, 197, 222},
                                              {209, 229, 240},
                                              {247, 247, 247},
                                              {253, 219, 199},
                                              {244, 165, 130},
                                              {214, 96, 77},
                                              {178, 24, 43},
                                              {103, 0, 31}}};
    const double at = share * (colours.size() - 1);
    const auto left = std::min(static_cast<std::size_t>(at), colours.size() - 2);
    const double part = at - static_cast<double>(left);
    const Colour &a = colours.at(left), &b = colours.at(left + 1);
    const auto between = [&](std::uint8_t from, std::uint8_t to) {
        return static_cast<std::uint8_t>(std::lround(from + (to - from) * part));
    };
    return {between(a.red, b.red), between(a.green, b.green), between(a.blue, b.blue)};
}

}  // namespace

Colour colour_of(ColourMap map, double share) {
    const double t = std::round(std::clamp(share, 0.0, 1.0) * colour_steps) / colour_steps;
    if (map == ColourMap::heat) return heat(t);
    if (map == ColourMap::balance) return balance(t);
    const auto level = static_cast<std::uint8_t>(std::lround(255 * t));
    return {level, level, level};
}

}  // namespace kasc::runtime
