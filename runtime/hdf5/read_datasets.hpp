#pragma once
// The data of surveyed datasets, as words of the wanted type, read by a child process straight into memory that the
// parent keeps: each byte is read and converted once, whatever the file's size, and a crash of the HDF5 library ends
// the child alone.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"
#include "runtime/hdf5/file_stamp.hpp"
#include "runtime/processes/shared_memory.hpp"

namespace kasc::runtime {

/// How a dataset holds complex numbers: each a pair of reals of a type of its own; the reals, real and imaginary parts
/// in turn, as numbers along the last dimension, twice as many as there are (k-Wave's form); or a last dimension of
/// two.
enum class ComplexForm : std::uint8_t { pairs, in_turn, last_of_two };
/// The form of complex numbers in a dataset of reals; none: it holds no complex field of so many axes.
[[nodiscard]] std::optional<ComplexForm> complex_form(const Shape& shape, std::size_t axes);
/// The shape of the complex numbers.
[[nodiscard]] Shape shape_of_complex(Shape shape, ComplexForm form);

/// A dataset, or the rows of it that start with index `first` of its first dimension.
struct DatasetPart {
    std::string name;
    Shape whole;
    std::uint64_t first = 0, rows = 0;  ///< no rows: all of it
    WordType type = WordType::float32;
    std::size_t cell_dimensions = 0;        ///< so many of the last dimensions number the words of a cell
    std::optional<std::uint64_t> word{};    ///< of each cell this word alone
    ComplexForm form = ComplexForm::pairs;  ///< of complex numbers
    bool at_its_place = false;  ///< in memory there is room for all rows: these lie among them where they belong

    /// What is read of each dimension.
    [[nodiscard]] Shape shape() const;
    /// Its first word in each dimension of the dataset.
    [[nodiscard]] Shape start() const;
    /// Arrays that it is read into: one a word of a cell.
    [[nodiscard]] std::uint64_t arrays() const;
    /// The shape of each of these.
    [[nodiscard]] Shape array_shape() const;
    /// The shape of the room for it.
    [[nodiscard]] Shape memory_shape() const;
    /// Where in that its first row lies, in bytes.
    [[nodiscard]] std::uint64_t memory_offset() const;
    /// From the begin of each of these to that of the next; a page at least.
    [[nodiscard]] std::uint64_t array_stride() const;
};

struct LoadedArrays {
    std::vector<ArrayView> arrays;  ///< into `storage`; of cells one a word, each by the dataset's name
    std::shared_ptr<const SharedMemory> storage;
};

/// `stamp`: of the file when it was surveyed. Requires: `wanted` are names and shapes of good datasets, and rows that
/// they have. Any integer or floating-point type is converted to that of the part. Diagnostics: K0703 damaged, K0711
/// too large, K0717 no integers of the part's type; warnings K0712 not finite, K0713 beyond float32.
[[nodiscard]] Outcome<LoadedArrays> read_datasets(const std::string& path, const FileStamp& stamp,
                                                  const std::vector<DatasetPart>& wanted);

}  // namespace kasc::runtime
