#include "lower/field/counted_places.hpp"

#include <fmt/format.h>

namespace kasc::kernel {

std::string CountedPlaces::step(std::size_t k) { return c_.once(fmt::format("step {}", k), along(k) + "_step"); }

void CountedPlaces::steps(Body& body) {
    ExprRef left = integer(numbers_);
    for (std::size_t k = 0; k < axes_.size(); ++k) {
        const bool last = k + 1 == axes_.size();
        const ExprRef extent = c_.extent(axes_[k]);
        body.push_back({Let{Type::i32, step(k), last ? left : modulo(left, extent)}});
        left = divide(left, extent);
    }
}

void CountedPlaces::begin(Body& body, const ExprRef& first) {
    const std::string left = c_.once("numbers left", "left");
    body.push_back({Let{Type::i64, left, first}});
    ExprRef number = name(left);
    for (std::size_t k = 0; k < axes_.size(); ++k) {
        const bool last = k + 1 == axes_.size();
        const ExprRef extent = c_.extent(axes_[k]);
        body.push_back({Variable{Type::i32, along(k), convert(Type::i32, last ? number : modulo(number, extent))}});
        number = divide(number, extent);
    }
}

void CountedPlaces::advance(Body& body) {
    ExprRef carry = integer(0);
    for (std::size_t k = 0; k < axes_.size(); ++k) {
        const ExprRef x = name(along(k)), extent = c_.extent(axes_[k]);
        body.push_back({Assign{x, add(x, add(name(step(k)), carry))}});
        if (k + 1 == axes_.size()) break;
        const std::string over = c_.once(fmt::format("carry {}", k), along(k) + "_over");
        body.push_back({Let{Type::i32, over, select(binary(">=", x, extent), integer(1), integer(0))}});
        body.push_back({Assign{x, subtract(x, multiply(name(over), extent))}});
        carry = name(over);
    }
}

}  // namespace kasc::kernel
