#pragma once
// Rows of series, read by a process of its own while the program computes: it is asked for the rows of the next window
// as soon as those of this one are in place. One process reads all windows of a run, with the file open all the time;
// it is started before the run takes its memory, so that no page is copied on its account.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "runtime/processes/child.hpp"
#include "runtime/processes/shared_memory.hpp"

namespace kasc::runtime {

struct ReadReport;

/// Rows [first, first + count) of a series.
struct RowSpan {
    long long first = 0, count = 0;
    auto operator<=>(const RowSpan&) const = default;
};

class RowReader {
public:
    /// `stamp`: of the file when it was surveyed. `series`: what they are; of each, `rows` at a time at most. K0711
    /// where there is no memory or process for it.
    [[nodiscard]] static Outcome<RowReader> start(const std::string& path, const FileStamp& stamp,
                                                  const std::vector<DatasetPart>& series);
    RowReader(RowReader&& other) noexcept = default;
    RowReader& operator=(RowReader&&) = delete;

    /// Begins to read; what was read of the series before is gone. Requires: no more rows than were said, one demand
    /// of a series at a time.
    void ask(std::size_t series, const RowSpan& rows);
    /// What was asked for last and not taken yet.
    [[nodiscard]] const std::optional<RowSpan>& asked(std::size_t series) const { return demands_[series].asked; }
    /// Waits for what was asked for. The values stay until the next ask. K0703, K0717, and warnings K0712, K0713.
    [[nodiscard]] Outcome<const void*> take(std::size_t series);

private:
    /// An end of a connection, which closes itself.
    class End {
    public:
        explicit End(int descriptor) : descriptor_(descriptor) {}
        End(End&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
        End& operator=(End&&) = delete;
        ~End();
        [[nodiscard]] int get() const { return descriptor_; }

    private:
        int descriptor_;
    };
    struct Demand {
        std::optional<RowSpan> asked;
        bool read = false;
    };

    RowReader(std::string path, std::vector<DatasetPart> series, std::unique_ptr<SharedMemory> memory,
              std::vector<std::byte*> values, End connection, Child child);
    [[nodiscard]] ReadReport& report(std::size_t series) const;

    std::string path_;
    std::vector<DatasetPart> series_;
    std::unique_ptr<SharedMemory> memory_;  ///< reports, then values
    std::vector<std::byte*> values_;        ///< by series
    std::vector<Demand> demands_;
    End connection_;
    Child child_;
    std::optional<ChildEnd> ended_;
};

}  // namespace kasc::runtime
