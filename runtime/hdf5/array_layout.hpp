#pragma once
// What an HDF5 file of arrays holds, and where: laid out before any data come. Same layout: the same bytes.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"

namespace kasc::runtime {

using Attributes = std::vector<std::pair<std::string, std::string>>;  ///< name, text

/// An array, and the dataset that holds it. Groups in its name are made: "p/1" stands in the group p.
struct ArraySpec {
    std::string name;
    Shape shape;
    WordType type = WordType::float32;
    Attributes attributes{};  ///< of the dataset
    /// Where there are any, the array lies in these datasets in place of its own, its type and `rows` rows being
    /// theirs: of every row the first has the first words, the second those that follow, …
    std::vector<ArraySpec> parts{};
    std::uint64_t rows = 1;
    /// Where more than one, the dataset's cells are of so many words, its last dimensions, and the array is the
    /// `word`-th of each. The arrays of the other words stand in the layout too, with the same dataset.
    std::uint64_t cell_words = 1, word = 0;
};

/// A dataset whose values are known when the file is laid out.
struct ConstantSpec {
    std::string name;
    Shape shape;
    std::variant<std::vector<float>, std::vector<std::uint64_t>> values;
    Attributes attributes{};
};

struct FileLayout {
    std::vector<ArraySpec> arrays;
    Attributes attributes{};  ///< of the file
    std::vector<ConstantSpec> constants{};
};

/// Makes the file anew; what is never written is zero. Where the data of its arrays' datasets begin, in bytes, of words
/// of one dataset the same. K0721.
[[nodiscard]] Outcome<std::vector<std::uint64_t>> lay_out(const std::string& path, const FileLayout& layout);

/// Gives attributes and constants of a file that was laid out other values of the same sizes. K0721.
[[nodiscard]] Diagnostics amend(const std::string& path, const Attributes& attributes,
                                const std::vector<ConstantSpec>& constants);

/// K0721, with the system's word for why; 0: it has none.
[[nodiscard]] Diagnostic not_stored(const std::string& path, int error);

}  // namespace kasc::runtime
