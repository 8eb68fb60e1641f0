#pragma once
// A program's arrays as files hold them. A field whose cells have a shape is an array a word in memory, in files the
// words of a cell lie together:
//
//   u_x, u_y, u_z (Y, X) of vector3 u[x, y]  →  one array u (Y, X, 3)

#include <cstddef>
#include <vector>

#include "runtime/interface.hpp"

namespace kasc::runtime {

struct FileArray {
    ArrayInterface array;            ///< element_shape: of its cells
    std::vector<std::size_t> words;  ///< the program's arrays of its words, among `arrays`, in the cell's order

    /// The array holds the cells of a field whose cells have a shape.
    [[nodiscard]] bool holds_cells() const { return array.of_cell && !array.element_shape.empty(); }
};

/// Inputs as files may have them: where all words of a field are among them, one array; each of the others as it is. In
/// the order of the first word of each.
[[nodiscard]] std::vector<FileArray> file_arrays(const std::vector<ArrayInterface>& inputs);
/// Outputs as they are written: the same, but for fields that are declared with an array for each word.
[[nodiscard]] std::vector<FileArray> written_arrays(const std::vector<ArrayInterface>& outputs);

}  // namespace kasc::runtime
