#include <algorithm>

#include "runtime/hdf5/read_datasets.hpp"

namespace kasc::runtime {

Shape DatasetPart::shape() const {
    Shape part = whole;
    if (rows > 0) part.at(0) = rows;
    if (word) std::fill(part.end() - static_cast<std::ptrdiff_t>(cell_dimensions), part.end(), 1);
    return part;
}

Shape DatasetPart::start() const {
    Shape place(whole.size(), 0);
    if (rows > 0) place.at(0) = first;
    if (word) {
        const auto cell = static_cast<std::ptrdiff_t>(cell_dimensions);
        const Shape of_cell = cell_position({whole.end() - cell, whole.end()}, *word);
        std::copy(of_cell.begin(), of_cell.end(), place.end() - cell);
    }
    return place;
}

std::uint64_t DatasetPart::arrays() const {
    if (word) return 1;
    return cell_count({whole.end() - static_cast<std::ptrdiff_t>(cell_dimensions), whole.end()}).value_or(0);
}

Shape DatasetPart::array_shape() const {
    Shape part = shape();
    part.resize(part.size() - cell_dimensions);
    return part;
}

std::uint64_t DatasetPart::array_stride() const {
    return to_page(cell_count(array_shape()).value_or(0) * word_bytes(type));
}

}  // namespace kasc::runtime
