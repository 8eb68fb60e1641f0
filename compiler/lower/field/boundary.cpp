// Where a read beyond the grid goes. Extents may be smaller than the step, so every image ends inside [0, extent):
//
//   keep, value   x - 2 → max(x - 2, 0)                       x + 2 → min(x + 2, nx - 1)
//   mirror        x - 2 → min(x < 2 ? 1 - x : x - 2, nx - 1)  x + 2 → max(x + 2 < nx ? x + 2 : 2 nx - 1 - (x + 2), 0)
//                 x - 5 → nx < 5 ? again(4 - x) : x < 5 ? 4 - x : x - 5
//   -mirror       as mirror; the sign is turned where x < 2 (where nx < 2 and (1 - x) / nx is odd it is turned twice,
//                 where the other face is a mirror of the other kind, by each of the two in turn)
//   periodic      x - 2 → (x + (nx - 2 % nx)) % nx            x + 2 → (x + 2) % nx
//
// One step needs neither the second clamp nor a division. What the other face mirrors again, and again, repeats after
// 2 nx cells: again(at) = min(at % (2 nx), 2 nx - 1 - at % (2 nx)). A step of up to three cells that is mirrored twice
// ends at the nearest cell, so that the clamp serves; grids that are as wide as the step never mirror twice.
#include <cstdlib>

#include "lower/field/path.hpp"

namespace kasc::kernel {

namespace {

ExprRef nearest(const ExprRef& at, int step, const ExprRef& extent) {
    const ExprRef to = add(at, integer(step));
    return step < 0 ? maximum(to, integer(0)) : minimum(to, subtract(extent, integer(1)));
}

/// The longest step of which a second image, on a grid that is narrower, is the nearest cell. Four cells below cell 0
/// of a grid of two cells is cell 0 again, and the nearest to the first image is cell 1.
constexpr int longest_clamped_step = 3;

/// The cell that is seen at `at` >= 0, however far beyond the faces. `extent` is less than a step.
ExprRef mirrored_again(const ExprRef& at, const ExprRef& extent) {
    const ExprRef period = multiply(integer(2), extent), in_period = modulo(at, period);
    return minimum(in_period, subtract(subtract(period, integer(1)), in_period));
}

ExprRef mirror(const ExprRef& at, int step, const ExprRef& extent) {
    const int cells = std::abs(step);
    if (cells == 1) return nearest(at, step, extent);
    const ExprRef to = add(at, integer(step)), last = subtract(extent, integer(1));
    // Beyond the high face the image is 2 n - 1 - to; written so that 2 n is never formed.
    const ExprRef below = subtract(integer(cells - 1), at), above = subtract(last, subtract(to, extent));
    const ExprRef once =
        step < 0 ? select(binary("<", at, integer(cells)), below, to) : select(binary("<", to, extent), to, above);
    if (cells <= longest_clamped_step) return step < 0 ? minimum(once, last) : maximum(once, integer(0));
    return select(binary("<", extent, integer(cells)), mirrored_again(step < 0 ? below : to, extent), once);
}

ExprRef periodic(const ExprRef& at, int step, const ExprRef& extent) {
    const ExprRef to = add(at, integer(step));
    if (step == -1) return select(binary(">", at, integer(0)), to, subtract(extent, integer(1)));
    if (step == 1) return select(binary("<", to, extent), to, integer(0));
    if (step > 0) return modulo(to, extent);
    return modulo(add(at, subtract(extent, modulo(integer(-step), extent))), extent);
}

}  // namespace

ExprRef boundary_image(const ExprRef& at, const MappedStep& step, const ExprRef& extent) {
    switch (step.kind) {
        case BoundaryKind::mirror:
            return mirror(at, step.step, extent);
        case BoundaryKind::periodic:
            return periodic(at, step.step, extent);
        case BoundaryKind::none:
        case BoundaryKind::keep:
        case BoundaryKind::value:
            break;
    }
    return nearest(at, step.step, extent);
}

ExprRef cell_seen_at(const ExprRef& place, const Faces& faces, int low, int high, const ExprRef& extent) {
    const ExprRef last = subtract(extent, integer(1));
    const auto mirrors = [](const Face& face, int cells) { return face.kind == BoundaryKind::mirror && cells > 1; };
    // On a grid that is narrower than the longest step, as mirror() says.
    const auto narrow = [&](int cells, const ExprRef& beyond, const ExprRef& once) {
        if (cells <= longest_clamped_step) return minimum(maximum(once, integer(0)), last);
        return select(binary("<", extent, integer(cells)), mirrored_again(beyond, extent), once);
    };
    ExprRef seen = place;
    if (low > 0 && !mirrors(faces.low, low)) seen = maximum(seen, integer(0));
    if (high > 0 && !mirrors(faces.high, high)) seen = minimum(seen, last);
    if (mirrors(faces.low, low)) {
        const ExprRef below = subtract(integer(-1), place);
        seen = select(binary("<", place, integer(0)), narrow(low, below, below), seen);
    }
    if (mirrors(faces.high, high)) {
        const ExprRef above = subtract(last, subtract(place, extent));
        seen = select(binary(">=", place, extent), narrow(high, place, above), seen);
    }
    return seen;
}

ExprRef is_turned(const ExprRef& at, int step, const ExprRef& extent, const Faces& faces) {
    const Face& face = faces.crossed_by(step);
    const Face& opposite = faces.crossed_by(-step);
    const bool turns = face.odd, turns_there = opposite.kind == BoundaryKind::mirror ? opposite.odd : face.odd;
    const int cells = std::abs(step);
    if (!turns && (!turns_there || cells == 1)) return nullptr;
    const ExprRef beyond = step < 0 ? binary("<", at, integer(cells)) : binary(">=", add(at, integer(step)), extent);
    if (cells == 1) return beyond;
    // From the first image on, every `extent` cells further are one more, at the two faces in turn.
    const ExprRef further =
        step < 0 ? subtract(integer(cells - 1), at) : subtract(at, subtract(extent, integer(cells)));
    const ExprRef more = binary("/", further, extent);
    const ExprRef wide = binary(">=", extent, integer(cells));
    if (turns && turns_there) return both(beyond, binary("||", wide, equals(modulo(more, integer(2)), integer(0))));
    if (turns) return both(beyond, binary("||", wide, binary("<", modulo(more, integer(4)), integer(2))));
    const ExprRef of_four = modulo(add(more, integer(1)), integer(4));
    return both(beyond, both(binary("<", extent, integer(cells)), binary(">=", of_four, integer(2))));
}

ExprRef within(const ExprRef& at, int low, int high, const ExprRef& extent) {
    ExprRef inside;
    if (low > 0) inside = binary(">=", at, integer(low));
    if (high > 0) inside = both(inside, binary("<", at, subtract(extent, integer(high))));
    return inside;
}

}  // namespace kasc::kernel
