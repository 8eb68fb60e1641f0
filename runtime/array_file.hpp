#pragma once
// An HDF5 file of arrays whose places are settled before any data come: HDF5 lays the file out and is done with it,
// then data are written where they belong by plain writes. So a series may be written row by row in a run of days, a
// kill harms no structure, and the bytes are the same in whatever pieces they came.

#include <string>
#include <utility>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"

namespace kasc::runtime {

using Attributes = std::vector<std::pair<std::string, std::string>>;  ///< of the file: name, text

struct ArraySpec {
    std::string name;
    Shape shape;
    WordType type = WordType::float32;
};

class ArrayFile {
public:
    /// Lays out `path` anew; what is never written is zero. K0721.
    [[nodiscard]] static Outcome<ArrayFile> create(const std::string& path, const std::vector<ArraySpec>& arrays,
                                                   const Attributes& attributes);
    /// One that was laid out before, with the places that it had then. K0701.
    [[nodiscard]] static Outcome<ArrayFile> reopen(const std::string& path, std::vector<std::uint64_t> places);
    ArrayFile(ArrayFile&& other) noexcept;
    ArrayFile& operator=(ArrayFile&&) = delete;
    ~ArrayFile();

    /// Where the arrays' data begin, in bytes.
    [[nodiscard]] const std::vector<std::uint64_t>& places() const { return places_; }
    [[nodiscard]] std::uint64_t bytes() const;
    /// `offset`: in bytes, within the array. K0721.
    [[nodiscard]] Diagnostics write(std::size_t array, std::uint64_t offset, const void* data, std::uint64_t bytes);
    /// False: the file has not so much.
    [[nodiscard]] bool read(std::size_t array, std::uint64_t offset, void* data, std::uint64_t bytes) const;
    /// To disk. K0721.
    [[nodiscard]] Diagnostics sync();

private:
    ArrayFile(std::string path, int descriptor, std::vector<std::uint64_t> places)
        : path_(std::move(path)), descriptor_(descriptor), places_(std::move(places)) {}
    std::string path_;
    int descriptor_;
    std::vector<std::uint64_t> places_;
};

/// K0721, with the system's word for why.
[[nodiscard]] Diagnostic not_stored(const std::string& path, int error);

}  // namespace kasc::runtime
