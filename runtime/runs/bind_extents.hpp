#pragma once
// The datasets' shapes against the program's declarations: what N or each axis' extent is, or what does not fit.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/file_arrays.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "runtime/hdf5/survey.hpp"

namespace kasc::runtime {

/// By axis in the program's order; streams: one, the number of elements. None: no input has the axis and nothing sets
/// it.
using BoundExtents = std::vector<std::optional<long long>>;

/// So many of the last dimensions of a dataset of this shape number the words of the array's cells: those of the cell,
/// one for all of them, or, of a cell of one word, none. None: it does not have the array's axes before those.
[[nodiscard]] std::optional<std::size_t> cell_dimensions(const FileArray& array, const Shape& shape);

/// How the dataset holds the array's complex numbers.
[[nodiscard]] ComplexForm form_of(const FileArray& array, const DatasetFacts& facts);

/// `inputs`: the program's as the file has them; `survey.datasets` by these. `explicit_extents` by the axis' name; a
/// stream program's only one is "n". The first input that has an axis binds it; explicit extents come before all
/// inputs. Diagnostics K0704 to K0710, K0719.
[[nodiscard]] Outcome<BoundExtents> bind_extents(const ProgramInterface& program, const std::vector<FileArray>& inputs,
                                                 const FileSurvey& survey, const std::string& path,
                                                 const std::map<std::string, long long>& explicit_extents);

}  // namespace kasc::runtime
