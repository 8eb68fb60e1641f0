#pragma once
// A program's outputs: memory to compute into, and the HDF5 file they go to. Whether the file can be written is settled
// before the run, so that hours of computing do not end in "permission denied".

#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"

namespace kasc::runtime {

struct OutputRequest {
    std::string path;
    std::string input_path;  ///< refused as the output; may be empty
    std::string version;     ///< of kasc, for the attribute created_by
};

class Outputs {
public:
    /// By output, in the order of the return statement; zero until computed.
    [[nodiscard]] std::vector<float*> pointers();
    [[nodiscard]] std::vector<ArrayView> arrays() const;
    /// The file, whole or not at all. Datasets float32, shapes as for inputs; attributes created_by, program.
    [[nodiscard]] Diagnostics write() const;

private:
    friend Outcome<Outputs> create_outputs(const OutputRequest&, const ProgramInterface&,
                                           const std::vector<long long>&);
    OutputRequest request_;
    std::string program_;
    std::vector<std::string> names_;
    std::vector<Shape> shapes_;
    std::vector<std::vector<float>> values_;
};

/// `extents` as kasc_entry_call has them, all at least 1. K0720 unwritable, K0722 no room on the disk or in memory.
[[nodiscard]] Outcome<Outputs> create_outputs(const OutputRequest& request, const ProgramInterface& program,
                                              const std::vector<long long>& extents);

}  // namespace kasc::runtime
