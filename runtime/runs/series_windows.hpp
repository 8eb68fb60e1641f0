#pragma once
// Series that pass through memory window by window while a run goes on: rows of inputs come from the input file, rows
// of outputs go to the output's file. A row is what one iteration of the series' loop reads or assigns; of an input it
// may read some rows behind it too, then windows overlap. The rows of the next window are read while the run goes on.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/files/digest.hpp"
#include "runtime/hdf5/array_file.hpp"
#include "runtime/hdf5/row_reader.hpp"
#include "runtime/runs/checkpoint.hpp"
#include "runtime/runs/inputs.hpp"
#include "runtime/runs/not_finite.hpp"
#include "runtime/runs/piecewise_run.hpp"

namespace kasc::runtime {

/// Where a series' loop stands among the iterations of all outermost loops.
struct RowRange {
    long long start = 0;       ///< iterations before the loop
    long long iterations = 0;  ///< its own
    long long from = 0;        ///< the row of its first

    [[nodiscard]] std::optional<long long> row(long long done) const {
        if (done < start || done >= start + iterations) return std::nullopt;
        return from + done - start;
    }
    [[nodiscard]] long long end() const { return start + iterations; }
};

struct WindowedSeries {
    std::string name;
    std::size_t number = 0;  ///< among the program's series
    bool input = true;
    std::size_t position = 0;  ///< among the program's inputs, or outputs
    Shape shape;               ///< HDF5 order: the rows are the first dimension
    WordType type = WordType::float32;
    RowRange range;
    long long rows = 1;    ///< of its window
    long long ahead = 0;   ///< rows behind that of the range which an iteration needs as well
    long long before = 0;  ///< outputs: rows up to the first of the range that are assigned before the loop

    /// Outputs: the first row that is assigned. Iterations whose row is before the series' first assign that, and
    /// again.
    [[nodiscard]] long long first_row() const { return std::max(range.from, 0LL) - before; }
    /// Rows from there on that are not assigned any more, when `done` iterations are.
    [[nodiscard]] long long assigned(long long done) const;
    [[nodiscard]] std::uint64_t row_bytes() const;
};

/// What a reader reads for these windows. A window takes its own word alone from a dataset that holds whole cells.
[[nodiscard]] std::vector<DatasetPart> read_parts(const std::vector<WindowedSeries>& series,
                                                  const SurveyedInputs& surveyed);

class SeriesWindows {
public:
    /// `reader`: of the inputs among the series, in their order; may be null if there are none. `file`: where outputs
    /// go; may be null if there are none. Both outlive it.
    SeriesWindows(std::vector<WindowedSeries> series, RowReader* reader, ArrayFile* file);

    /// Windows over what is assigned before the loops. Requires: nothing was run yet.
    [[nodiscard]] Diagnostics begin(PiecewiseRun& run);
    /// Windows over what iteration `done` needs; rows that leave theirs are written first. K0703, K0711, K0721, and
    /// warnings of values that are not finite.
    [[nodiscard]] Diagnostics prepare(PiecewiseRun& run);
    /// Iterations from here that all windows have the rows of.
    [[nodiscard]] long long ready(long long done) const;
    /// Rows that were assigned since: into the output's file.
    [[nodiscard]] Diagnostics flush(PiecewiseRun& run);

    [[nodiscard]] std::vector<SeriesSoFar> so_far() const;
    /// What is not finite in the rows that this run has written.
    [[nodiscard]] std::vector<NotFinite> not_finite() const;
    /// Goes on after rows that stand in the output's file. K0843 where they are not those.
    [[nodiscard]] Diagnostics resume(const std::vector<SeriesSoFar>& series);

private:
    struct Window {
        WindowedSeries series;
        long long first = 0, held = 0;  ///< rows in memory
        long long flushed = 0;          ///< rows of the loop that stand in the file
        Digest digest;                  ///< of those
        std::size_t reader = 0;         ///< inputs: its number among the reader's
        bool warned = false;
        NotFinite not_finite{};  ///< outputs: of the rows that this run has written

        /// The window holds all that the loop's iteration needs which reads or assigns this row.
        [[nodiscard]] bool holds(long long row) const;
        void look_at(const std::byte* rows, long long row, long long count);
        /// The window that begins there.
        [[nodiscard]] RowSpan from(long long row) const;
    };
    std::vector<Window> windows_;
    RowReader* reader_;
    ArrayFile* file_;
    std::vector<std::byte> buffer_;

    [[nodiscard]] Diagnostics flush(PiecewiseRun& run, Window& window);
    [[nodiscard]] Diagnostics move(PiecewiseRun& run, Window& window, long long row);
    [[nodiscard]] Diagnostics fill(PiecewiseRun& run, Window& window, const RowSpan& rows);
};

}  // namespace kasc::runtime
