#pragma once
// What a picture shows of complex numbers.

#include <vector>

#include "runtime/array.hpp"

namespace kasc::runtime {

/// |z|, with a name that says so; an array of reals is shown as it is.
class ShownArray {
public:
    explicit ShownArray(const ArrayView& array);
    ShownArray(const ShownArray&) = delete;
    ShownArray& operator=(const ShownArray&) = delete;
    [[nodiscard]] const ArrayView& array() const { return array_; }

private:
    std::vector<float> magnitudes_;
    ArrayView array_;
};

}  // namespace kasc::runtime
