#pragma once
// A program's outputs: memory to compute into, and the HDF5 file they go to. Whether the file can be written is settled
// before the run, so that hours of computing do not end in "permission denied".

#include <optional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"
#include "runtime/array_file.hpp"
#include "runtime/replacement_file.hpp"

namespace kasc::runtime {

struct OutputRequest {
    std::string path;
    std::string input_path;        ///< refused as the output; may be empty
    std::string version;           ///< of kasc, for the attribute created_by
    std::vector<bool> streamed{};  ///< by output: written row by row while the run goes on; empty: none
    bool lasting = false;          ///< what is streamed stays in <path>.part when the run does not come to its end
};

class Outputs {
public:
    /// By output, in the order of the return statement; zero until computed.
    [[nodiscard]] std::vector<void*> pointers();          ///< null: streamed
    [[nodiscard]] std::vector<ArrayView> arrays() const;  ///< without values: streamed
    [[nodiscard]] bool streams() const;
    /// Before anything is streamed; `places`: of the file that is there, where a run goes on. K0720, K0721, K0843.
    [[nodiscard]] Diagnostics open(const std::vector<std::uint64_t>& places = {});
    /// Requires: open().
    [[nodiscard]] ArrayFile& file() { return *file_; }
    /// The file, whole or not at all. Datasets of the outputs' types, shapes as for inputs; attributes created_by,
    /// program.
    [[nodiscard]] Diagnostics write();

private:
    friend Outcome<Outputs> create_outputs(const OutputRequest&, const ProgramInterface&,
                                           const std::vector<long long>&);
    OutputRequest request_;
    std::string program_;
    std::vector<std::string> names_;
    std::vector<Shape> shapes_;
    std::vector<WordType> types_;
    std::vector<std::vector<std::byte>> values_;
    std::optional<ReplacementFile> target_;
    std::optional<ArrayFile> file_;
};

/// Can the file be made there, and is it not the input? K0720.
[[nodiscard]] Diagnostics check_place(const OutputRequest& request);

/// `extents` as kasc_entry_call has them, all at least 1. K0720 unwritable, K0722 no room on the disk or in memory.
[[nodiscard]] Outcome<Outputs> create_outputs(const OutputRequest& request, const ProgramInterface& program,
                                              const std::vector<long long>& extents);

}  // namespace kasc::runtime
