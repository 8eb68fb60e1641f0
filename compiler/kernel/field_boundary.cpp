// Where a read beyond the grid goes. Extents may be smaller than the step, so every image ends inside [0, extent):
//
//   keep, value   x - 2 → max(x - 2, 0)                       x + 2 → min(x + 2, nx - 1)
//   mirror        x - 2 → min(x < 2 ? 1 - x : x - 2, nx - 1)  x + 2 → max(x + 2 < nx ? x + 2 : 2 nx - 1 - (x + 2), 0)
//   periodic      x - 2 → (x + (nx - 2 % nx)) % nx            x + 2 → (x + 2) % nx
//
// One step needs neither the second clamp nor a division.
#include <cstdlib>

#include "kernel/field_path.hpp"

namespace kasc::kernel {

namespace {

ExprRef nearest(const ExprRef& at, int step, const ExprRef& extent) {
    const ExprRef to = add(at, integer(step));
    return step < 0 ? maximum(to, integer(0)) : minimum(to, subtract(extent, integer(1)));
}

ExprRef mirror(const ExprRef& at, int step, const ExprRef& extent) {
    if (std::abs(step) == 1) return nearest(at, step, extent);
    const ExprRef to = add(at, integer(step)), last = subtract(extent, integer(1));
    if (step < 0) {
        const ExprRef image = subtract(integer(-step - 1), at);
        return minimum(select(binary("<", at, integer(-step)), image, to), last);
    }
    // The image is 2 n - 1 - to; written so that 2 n is never formed.
    const ExprRef image = subtract(last, subtract(to, extent));
    return maximum(select(binary("<", to, extent), to, image), integer(0));
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

ExprRef within(const ExprRef& at, int low, int high, const ExprRef& extent) {
    ExprRef inside;
    if (low > 0) inside = binary(">=", at, integer(low));
    if (high > 0) inside = both(inside, binary("<", at, subtract(extent, integer(high))));
    return inside;
}

}  // namespace kasc::kernel
