#include <algorithm>

#include "runtime/hdf5/read_datasets.hpp"

namespace kasc::runtime {

// For two axes (8, 16): (8, 32) are in turn, (8, 16, 2) have a last dimension of two; so has (1, 8, 32), a file of one
// rank.
std::optional<ComplexForm> complex_form(const Shape& shape, std::size_t axes) {
    const auto front = static_cast<std::size_t>(
        std::find_if(shape.begin(), shape.end(), [](std::uint64_t n) { return n != 1; }) - shape.begin());
    if (shape.empty()) return std::nullopt;
    const std::size_t fewest = shape.size() - front;  // dimensions that count
    const bool fits_two = shape.size() >= axes + 1 && fewest <= axes + 1, fits = shape.size() >= axes && fewest <= axes;
    if (fits_two && shape.back() == 2) return ComplexForm::last_of_two;
    if (fits && axes > 0 && shape.back() % 2 == 0) return ComplexForm::in_turn;
    return std::nullopt;
}

Shape shape_of_complex(Shape shape, ComplexForm form) {
    if (form == ComplexForm::in_turn) shape.back() /= 2;
    if (form == ComplexForm::last_of_two) shape.pop_back();
    return shape;
}

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
    Shape part = shape_of_complex(shape(), form);
    part.resize(part.size() - cell_dimensions);
    return part;
}

Shape DatasetPart::memory_shape() const {
    DatasetPart all = *this;
    if (at_its_place) all.rows = 0;
    return all.array_shape();
}

std::uint64_t DatasetPart::memory_offset() const {
    if (!at_its_place || rows == 0) return 0;
    return cell_count(array_shape()).value_or(0) / rows * first * word_bytes(type);
}

std::uint64_t DatasetPart::array_stride() const {
    return to_page(cell_count(memory_shape()).value_or(0) * word_bytes(type));
}

}  // namespace kasc::runtime
