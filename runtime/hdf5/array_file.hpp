#pragma once
// An HDF5 file of arrays whose places are settled before any data come: HDF5 lays the file out and is done with it,
// then data are written where they belong by plain writes. So a series may be written row by row in a run of days, a
// kill harms no structure, and the bytes are the same in whatever pieces they came.

#include <functional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/hdf5/array_layout.hpp"

namespace kasc::runtime {

class ArrayFile {
public:
    /// Lays out `path` anew. K0721.
    [[nodiscard]] static Outcome<ArrayFile> create(const std::string& path, const FileLayout& layout);
    /// One of these arrays that was laid out before, with the places that it had then. K0701; K0843 it is cut short.
    [[nodiscard]] static Outcome<ArrayFile> reopen(const std::string& path, const std::vector<ArraySpec>& arrays,
                                                   std::vector<std::uint64_t> places);
    ArrayFile(ArrayFile&& other) noexcept;
    ArrayFile& operator=(ArrayFile&&) = delete;
    ~ArrayFile();

    /// Where the datasets' data begin, in bytes.
    [[nodiscard]] const std::vector<std::uint64_t>& places() const { return places_; }
    [[nodiscard]] std::uint64_t bytes() const;
    /// Where those of the last end.
    [[nodiscard]] std::uint64_t end() const;
    /// `offset`: in bytes; all of it within the array. K0721.
    [[nodiscard]] Diagnostics write(std::size_t array, std::uint64_t offset, const void* data, std::uint64_t bytes);
    /// False: the file has not so much.
    [[nodiscard]] bool read(std::size_t array, std::uint64_t offset, void* data, std::uint64_t bytes) const;
    /// To disk. K0721.
    [[nodiscard]] Diagnostics sync();

private:
    /// A run of bytes of each of an array's rows.
    struct Piece {
        std::uint64_t place = 0, first = 0, bytes = 0;  ///< in the file; within a row
    };
    struct Placed {
        std::vector<Piece> pieces;
        std::uint64_t row_bytes = 0, rows = 1;
    };
    /// Where a run of bytes of an array lies, piece by piece: place in the file, offset from its first, length. Ends
    /// where `visit` says false.
    void visit_pieces(std::size_t array, std::uint64_t offset, std::uint64_t bytes,
                      const std::function<bool(std::uint64_t, std::uint64_t, std::uint64_t)>& visit) const;

    ArrayFile(std::string path, int descriptor, const std::vector<ArraySpec>& arrays,
              std::vector<std::uint64_t> places);
    std::string path_;
    int descriptor_;
    std::vector<std::uint64_t> places_;
    std::vector<Placed> arrays_;
};

}  // namespace kasc::runtime
