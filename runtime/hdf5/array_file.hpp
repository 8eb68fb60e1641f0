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

    [[nodiscard]] const std::string& path() const { return path_; }
    /// Where the datasets' data begin, in bytes; as lay_out() gives them.
    [[nodiscard]] const std::vector<std::uint64_t>& places() const { return places_; }
    [[nodiscard]] std::uint64_t bytes() const;
    /// Where those of the last end.
    [[nodiscard]] std::uint64_t end() const;
    /// `offset`: in bytes; all of it within the array. K0721. An array that is a word of cells is written word by word
    /// among the others, which costs reading and writing all of them.
    [[nodiscard]] Diagnostics write(std::size_t array, std::uint64_t offset, const void* data, std::uint64_t bytes);
    /// Whole cells from the `first` on of the dataset that holds this array among the words of its cells. K0721.
    [[nodiscard]] Diagnostics write_cells(std::size_t array, std::uint64_t first, const void* cells,
                                          std::uint64_t count);
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
        std::uint64_t cell_words = 1, word = 0;  ///< more than one word: a piece, a row and the words of others in it
        std::size_t word_bytes = 4;

        [[nodiscard]] std::uint64_t cell_bytes() const { return cell_words * word_bytes; }
        [[nodiscard]] std::uint64_t bytes() const { return rows * row_bytes / cell_words; }
    };
    /// Where a run of bytes of an array lies, piece by piece: place in the file, offset from its first, length. Ends
    /// where `visit` says false.
    void visit_pieces(std::size_t array, std::uint64_t offset, std::uint64_t bytes,
                      const std::function<bool(std::uint64_t, std::uint64_t, std::uint64_t)>& visit) const;

    /// Visits the words of a run of bytes of an array that is a word of cells, block of whole cells by block: the
    /// block, as it stands in the file, and where in the run its words are. What `visit` leaves there is stored again
    /// where it says true. An error number, 0 for none.
    int visit_cells(std::size_t array, std::uint64_t offset, std::uint64_t bytes,
                    const std::function<bool(std::byte* cells, std::uint64_t from, std::uint64_t count)>& visit) const;

    ArrayFile(std::string path, int descriptor, const std::vector<ArraySpec>& arrays,
              std::vector<std::uint64_t> places);
    std::string path_;
    int descriptor_;
    std::vector<std::uint64_t> places_;
    std::vector<Placed> arrays_;
};

}  // namespace kasc::runtime
