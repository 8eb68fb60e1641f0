#pragma once
// A program's inputs from an HDF5 file: datasets of the root group with the inputs' names, of any integer or
// floating-point type, converted to float32. The words of a field whose cells have a shape come from one dataset of the
// field's name, with the cell's dimensions last, or from a dataset each. The file is only ever touched by child
// processes (see child.hpp), so any bytes end in arrays or in a diagnostic; a small file within 5 s.

#include <map>
#include <string>

#include "runtime/hdf5/read_datasets.hpp"
#include "runtime/runs/bind_extents.hpp"
#include "runtime/runs/held_rows.hpp"

namespace kasc::runtime {

struct Inputs {
    BoundExtents extents;  ///< axes that no input has and nothing sets are left open
    LoadedArrays data;     ///< arrays in the order of the program's inputs
};

/// What stands in a file, before any data are read.
struct SurveyedInputs {
    std::string path;
    BoundExtents extents;
    std::vector<DatasetPart> parts;  ///< by input: its dataset, or its word of one; all rows
    FileStamp stamp;
    std::vector<ArrayView> given{};  ///< inputs that the caller has, in place of datasets

    /// `rows` rows of an input from `first` on.
    [[nodiscard]] DatasetPart rows(std::size_t input, std::uint64_t first, std::uint64_t rows) const;
};

/// A program without inputs opens no file. `given`: arrays of the inputs' types; they outlive what is loaded.
/// Diagnostics K0701 to K0710, K0719, K0729.
[[nodiscard]] Outcome<SurveyedInputs> survey_inputs(const std::string& path, const ProgramInterface& program,
                                                    const std::map<std::string, long long>& explicit_extents,
                                                    std::vector<ArrayView> given = {});
/// Reads the inputs that `wanted` says, in the order of the program's inputs; the others have no values. `held`: rows
/// that are read, where they belong in an array of the whole size (a process that has none of them may read one);
/// empty: all. What the caller has given is whole. K0703, K0711 to K0713.
[[nodiscard]] Outcome<LoadedArrays> load_inputs(const SurveyedInputs& surveyed, const ProgramInterface& program,
                                                const std::vector<bool>& wanted, const HeldArrays& held = {});

/// Both, one after the other. Diagnostics K0701 to K0713, K0719, K0729.
[[nodiscard]] Outcome<Inputs> open_inputs(const std::string& path, const ProgramInterface& program,
                                          const std::map<std::string, long long>& explicit_extents);

}  // namespace kasc::runtime
