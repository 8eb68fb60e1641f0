#pragma once
// What the runtime needs to know of a program: names, shapes, parameters. Made from a checked Program by the driver;
// the runtime itself knows nothing of compiling.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "foundation/cell_layout.hpp"
#include "foundation/cell_type.hpp"

namespace kasc::runtime {

/// What an array holds; numbered as in the headers of emitted programs.
using WordType = CellType;

/// The word that an array holds of the cells of a field whose cells have a shape.
struct CellWord {
    std::string field;         ///< as the program says it
    std::vector<int> extents;  ///< of a cell, row-major
    std::size_t word = 0;
    CellLayout layout = CellLayout::structures;  ///< of the field
};

/// One input or output. Streams: HDF5 shape (N, shape…). Fields: HDF5 shape = the axes reversed, so that the first
/// axis of the program is contiguous (as k-Wave stores it).
struct ArrayInterface {
    std::string name;
    std::vector<int> element_shape;  ///< of an element, and of a cell where a file holds its words together
    std::vector<int> axes;           ///< fields: indices into ProgramInterface::axes
    WordType type = WordType::float32;
    std::optional<CellWord> of_cell{};  ///< none: a cell is a word
};

struct ParameterInterface {
    std::string name;
    bool integer = false;
};

struct ProgramInterface {
    std::string name;
    bool stream = true;
    std::vector<std::string> axes;  ///< fields
    std::vector<ParameterInterface> parameters;
    std::vector<ArrayInterface> inputs, outputs;
};

}  // namespace kasc::runtime
