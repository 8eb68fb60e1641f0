#pragma once
// What an HDF5 file holds, as far as a program's inputs are concerned: looked up in a child process, no data read.
// The types are plain data: the child leaves them in shared memory.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"
#include "runtime/hdf5/file_stamp.hpp"

namespace kasc::runtime {

struct DatasetFacts {
    enum class State : std::uint8_t {
        missing,
        not_a_dataset,  ///< a group or a named type
        external,       ///< lies in another file, which is not followed
        not_a_number,   ///< neither integer nor floating point
        damaged,
        complex,  ///< pairs of reals as h5py writes them
        good,
    };
    State state = State::missing;
    std::array<char, 24> type_name{};  ///< not_a_number: what it is
    int rank = 0;
    std::array<std::uint64_t, 32> dimensions{};  ///< 32: H5S_MAX_RANK
    /// So many of the last dimensions are a cell's: they are those that the attribute cell_shape says, as `kasc run`
    /// writes it. 0: it says nothing that fits.
    int cell_dimensions = 0;
    // What attributes of these names say, as `kasc run` writes them; empty: nothing.
    std::array<char, 64> axes{};   ///< the names of the axes, the contiguous one first: "x y z"
    std::array<char, 32> units{};  ///< of the values: "Pa"
    std::uint8_t series = 0;       ///< series_axis is there: the last of the axes counts steps of a loop

    [[nodiscard]] Shape shape() const { return {dimensions.begin(), dimensions.begin() + rank}; }
};

struct FileSurvey {
    std::vector<DatasetFacts> datasets;  ///< by input
    std::vector<std::string> names;      ///< of the root group's datasets, by name, at most 32
    FileStamp stamp;
};

/// What the file is read for: the help of diagnostics.
struct Purpose {
    const char* flag;       ///< of the call, that names the file; empty: none
    const char* of_file;    ///< which file is wanted, with {} for the flag
    const char* of_format;  ///< why it must be HDF5
};
inline constexpr Purpose for_inputs{"--in", "{} names an HDF5 file that holds the program's inputs as datasets",
                                    "inputs are datasets of an HDF5 file, as h5py or MATLAB (-v7.3) write them"};
inline constexpr Purpose for_pictures{"",
                                      "kasc view shows what is in an HDF5 file: results of kasc run, k-Wave's files",
                                      "results and inputs are datasets of HDF5 files"};

/// Names may be paths, as "p/1". Diagnostics K0701 to K0703: no such file, not HDF5, damaged.
[[nodiscard]] Outcome<FileSurvey> survey_file(const std::string& path, const std::vector<std::string>& names,
                                              const Purpose& purpose = for_inputs);

/// Paths of all datasets of the file, those in groups too, by name; at most `most_listed`. Diagnostics as above.
[[nodiscard]] Outcome<std::vector<std::string>> list_datasets(const std::string& path, const Purpose& purpose);
inline constexpr std::size_t most_listed = 1000;

/// The place of a dataset in diagnostics: "in.h5:/T".
[[nodiscard]] Span dataset_place(const std::string& path, const std::string& dataset);
[[nodiscard]] Diagnostic damaged_file(const std::string& path, const std::string& dataset, const std::string& why);

}  // namespace kasc::runtime
