#pragma once
// A built program run in pieces: the calls that the header of emitted code describes, found by their names.

#include <memory>
#include <string>
#include <vector>

#include "runtime/array.hpp"
#include "runtime/entry_library.hpp"

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
    /// The arrays must outlive it. K0804, K0811, K0812.
    [[nodiscard]] static Outcome<PiecewiseRun> begin(const Entry& entry, const EntryArguments& arguments);

    /// So many more iterations of the outermost loops; 0: what stands before the first. K0811 to K0813.
    [[nodiscard]] Diagnostics advance(long long iterations);
    /// Runs what is left; the outputs are complete.
    [[nodiscard]] Diagnostics finish();

    [[nodiscard]] long long done() const;
    [[nodiscard]] long long total() const;
    [[nodiscard]] double kernel_seconds() const { return kernel_seconds_; }

    /// At the start of an iteration.
    [[nodiscard]] std::vector<StateArray> state() const;
    [[nodiscard]] Diagnostics read_state(std::size_t index, void* values);
    [[nodiscard]] Diagnostics write_state(std::size_t index, const void* values);
    [[nodiscard]] Diagnostics seek(long long iteration);

    /// Rows of a series: into its window, null for zeros; out of it.
    [[nodiscard]] Diagnostics load(std::size_t series, long long first, long long rows, const void* values);
    [[nodiscard]] Diagnostics save(std::size_t series, long long first, long long rows, void* values);

private:
    struct Calls;
    PiecewiseRun(Entry entry, std::shared_ptr<const Calls> calls, std::shared_ptr<void> run)
        : entry_(std::move(entry)), calls_(std::move(calls)), run_(std::move(run)) {}
    [[nodiscard]] Diagnostics said(int status) const;

    Entry entry_;
    std::shared_ptr<const Calls> calls_;
    std::shared_ptr<void> run_;  ///< ends with the last of us
    double kernel_seconds_ = 0;
};

}  // namespace kasc::runtime
