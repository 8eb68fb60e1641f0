#pragma once
// A program's outputs: memory to compute into, and the HDF5 file they go to, where the words of a field whose cells
// have a shape lie together in one dataset. Whether the file can be written is settled before the run, so that hours of
// computing do not end in "permission denied".
//
// Where several processes share a run, each has its rows of the outputs. Rank 0 makes the file; where its data belong
// is known then, and all processes write their rows there (array_file.hpp). Calls that say so are made by all of them.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"
#include "runtime/file_arrays.hpp"
#include "runtime/files/replacement.hpp"
#include "runtime/hdf5/array_file.hpp"
#include "runtime/processes/communicator.hpp"
#include "runtime/reserved_memory.hpp"
#include "runtime/runs/held_rows.hpp"
#include "runtime/runs/not_finite.hpp"

namespace kasc::runtime {

/// How outputs stand in their file.
struct OutputForm {
    FileLayout layout;  ///< an array an output, in their order
    /// Attributes and constants that are known at the end of a run only, after `done` iterations, with the sizes that
    /// they have in the layout; may be empty.
    std::function<FileLayout(long long done)> amended{};
    int compression = 0;  ///< of the finished file's datasets, 1 to 9; 0: none
};

struct OutputRequest {
    std::string path;
    std::string input_path;        ///< refused as the output; may be empty
    std::string version;           ///< of kasc, for the attribute created_by
    std::vector<bool> streamed{};  ///< by output: written row by row while the run goes on; empty: none
    bool lasting = false;          ///< what is streamed stays in <path>.part when the run does not come to its end
    bool at_once = false;          ///< the file is made at its place when the run begins, and stays there
    /// None: datasets of the outputs' names, types and shapes; of cells with a shape, one of the field's name for all
    /// words, with the attribute cell_shape; of fields with the attribute axes.
    std::optional<OutputForm> form{};
    Attributes attributes{};            ///< more of the file
    std::vector<bool> over_steps{};     ///< by output: the last of its axes counts steps of a loop; empty: none
    Communicator* processes = nullptr;  ///< that have the outputs together; null: this one alone
    HeldArrays held{};                  ///< by output, what this one has of it; none: rank 0 has all of it
};

class Outputs {
public:
    /// By output, in the order of the return statement; zero until computed. There are addresses alone for rows that
    /// others have.
    [[nodiscard]] std::vector<void*> pointers();          ///< null: streamed
    [[nodiscard]] std::vector<ArrayView> arrays() const;  ///< without values: streamed
    [[nodiscard]] bool streams() const;
    /// By all processes: what is not finite in the outputs that lie in memory, the same on all of them.
    [[nodiscard]] std::vector<NotFinite> not_finite() const;
    /// Before anything is streamed; `places`: of the file that is there, where a run goes on. K0720, K0721, K0843.
    [[nodiscard]] Diagnostics open(const std::vector<std::uint64_t>& places = {});
    /// Requires: open().
    [[nodiscard]] ArrayFile& file() { return *file_; }
    /// The file, whole or not at all, after `done` iterations. Where nothing else is asked for, datasets of the
    /// outputs' types, shapes as for inputs; attributes created_by, program and those asked for. By all processes: rank
    /// 0 says what is wrong with any.
    [[nodiscard]] Diagnostics write(long long done = 0);
    /// Writes into a file that was made at once what is known after `done` iterations.
    [[nodiscard]] Diagnostics suspend(long long done);

private:
    friend Outcome<Outputs> create_outputs(const OutputRequest&, const ProgramInterface&,
                                           const std::vector<long long>&);
    OutputRequest request_;
    FileLayout layout_;
    std::vector<FileArray> in_file_;  ///< the outputs as the file has them
    std::vector<std::string> names_;
    std::vector<Shape> shapes_;
    std::vector<WordType> types_;
    struct Held {
        ReservedMemory memory;            ///< of all rows
        std::uint64_t low = 0, high = 0;  ///< where in it the bytes of this process begin and end
    };
    std::vector<std::optional<Held>> values_;  ///< none: streamed
    std::optional<ReplacementFile> target_;
    std::optional<ArrayFile> file_;

    /// Holds the file that this run goes on with, from the beginning, so that no other run does.
    [[nodiscard]] Diagnostics hold_place();
    [[nodiscard]] Diagnostics open_in_place();
    [[nodiscard]] Diagnostics amend_file(long long done);
    [[nodiscard]] bool leads() const { return request_.processes == nullptr || request_.processes->rank() == 0; }
    [[nodiscard]] Diagnostics take_memory();
    [[nodiscard]] Diagnostics store(long long done);
    /// Opens the file that rank 0 has made, on all.
    [[nodiscard]] Diagnostics open_together();
    [[nodiscard]] Diagnostics store_own();
    [[nodiscard]] bool word_by_word(const FileArray& array) const;
    [[nodiscard]] Diagnostics store_array(const FileArray& array);
    /// Nothing where all processes could do it.
    [[nodiscard]] Diagnostics all_stored(Diagnostics own) const;
    [[nodiscard]] Diagnostics store_packed(long long done);
};

/// `extents` as kasc_entry_call has them, all at least 1. K0720 unwritable, or no library to compress with, K0722 no
/// room on the disk or in memory, K0726 another run goes on writing the file.
[[nodiscard]] Outcome<Outputs> create_outputs(const OutputRequest& request, const ProgramInterface& program,
                                              const std::vector<long long>& extents);

}  // namespace kasc::runtime
