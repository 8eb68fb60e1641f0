#pragma once
// A program that is run in pieces: an iteration of its outermost loops is the least of them. Emitted code that was
// built is one (its header's calls, found by their names), a host plan that kasc walks by itself another
// (compiler/execute).

#include <memory>
#include <string>
#include <vector>

#include "runtime/array.hpp"
#include "runtime/files/digest.hpp"
#include "runtime/hdf5/array_file.hpp"
#include "runtime/runs/entry_library.hpp"

namespace kasc::runtime {

/// What the next iteration needs of those before it.
struct StateArray {
    std::string name;  ///< the same in every plan of the program
    WordType type = WordType::float32;
    std::uint64_t words = 0;

    [[nodiscard]] std::uint64_t bytes() const { return words * word_bytes(type); }
};

class PiecewiseRun {
public:
    virtual ~PiecewiseRun() = default;

    /// So many more iterations of the outermost loops; 0: what stands before the first. K0811 to K0813.
    [[nodiscard]] virtual Diagnostics advance(long long iterations) = 0;
    /// Runs what is left; the outputs are complete.
    [[nodiscard]] virtual Diagnostics finish() = 0;

    [[nodiscard]] virtual long long done() const = 0;
    [[nodiscard]] virtual long long total() const = 0;
    [[nodiscard]] virtual double kernel_seconds() const = 0;

    /// At the start of an iteration.
    [[nodiscard]] virtual std::vector<StateArray> state() const = 0;
    [[nodiscard]] virtual Diagnostics read_state(std::size_t index, void* values) = 0;
    [[nodiscard]] virtual Diagnostics write_state(std::size_t index, const void* values) = 0;
    /// The same without all of an array in one process: of several each does it with its rows, and all make the call.
    /// The digest of an array; stores it as this array of the file; takes it from `values`, where a process has its own
    /// rows where they belong. K0721.
    [[nodiscard]] virtual Diagnostics digest_state(std::size_t index, Digest& digest);
    [[nodiscard]] virtual Diagnostics store_state(std::size_t index, ArrayFile& file, std::size_t array);
    [[nodiscard]] virtual Diagnostics take_state(std::size_t index, const void* values) {
        return write_state(index, values);
    }
    [[nodiscard]] virtual Diagnostics seek(long long iteration) = 0;

    /// Rows of a series: into its window, null for zeros; out of it.
    [[nodiscard]] virtual Diagnostics load(std::size_t series, long long first, long long rows, const void* values) = 0;
    [[nodiscard]] virtual Diagnostics save(std::size_t series, long long first, long long rows, void* values) = 0;
};

/// All of a program at each call, on other arrays and with other parameters each time; extents are the same.
class RepeatedRun {
public:
    virtual ~RepeatedRun() = default;
    /// Seconds of the kernels. K0811, K0812.
    [[nodiscard]] virtual Outcome<double> compute(const EntryArguments& arguments) = 0;
};

/// Prepares emitted code that was built for these extents. K0804, K0811, K0812.
[[nodiscard]] Outcome<std::unique_ptr<RepeatedRun>> prepare_built(const Entry& entry, const EntryArguments& arguments);
/// Begins a run of emitted code that was built. The arrays must outlive the run. K0804, K0811, K0812.
[[nodiscard]] Outcome<std::unique_ptr<PiecewiseRun>> begin_built(const Entry& entry, const EntryArguments& arguments);

}  // namespace kasc::runtime
