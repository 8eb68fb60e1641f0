#include "runtime/pictures/shown_array.hpp"

#include <cmath>
#include <cstddef>

namespace kasc::runtime {

namespace {

template <class Real>
std::vector<float> magnitudes(const void* words, std::size_t count) {
    const auto* parts = static_cast<const Real*>(words);
    std::vector<float> all(count);
    for (std::size_t i = 0; i < count; ++i)
        all[i] =
            static_cast<float>(std::hypot(static_cast<double>(parts[2 * i]), static_cast<double>(parts[2 * i + 1])));
    return all;
}

}  // namespace

ShownArray::ShownArray(const ArrayView& array) : array_(array) {
    const Words& words = array.values;
    if (!is_complex(words.type())) return;
    magnitudes_ = is_dual(words.type()) ? magnitudes<double>(words.data(), words.size())
                                        : magnitudes<float>(words.data(), words.size());
    array_.name = "|" + array.name + "|";
    array_.values = Words(magnitudes_);
}

}  // namespace kasc::runtime
