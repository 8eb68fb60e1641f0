// Example: rows of 4 bytes, windows of 3 rows, a loop of 7 iterations. At iterations 0, 3 and 6 the window moves; a
// checkpoint at 4 flushes row 3, and what is flushed at 6 are rows 4 and 5.

#include "runtime/runs/series_windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace kasc::runtime {

namespace {

/// Outputs are written in parts of no more than this: the buffer is none that counts.
constexpr std::uint64_t flush_bytes = 16U << 20U;

Diagnostic rows_gone(const std::string& name) {
    Diagnostic d;
    d.code = "K0843";
    d.message = fmt::format("the rows of '{}' that were computed before the checkpoint are not there any more", name);
    d.help = "they stood beside the output, in a file that ends in .part: bring it back, or start the run anew";
    return d;
}

}  // namespace

std::uint64_t WindowedSeries::row_bytes() const { return *cell_count(shape) / shape.front() * word_bytes(type); }

long long WindowedSeries::assigned(long long done) const {
    if (done < range.start) return 0;
    const long long of_loop = std::min(done - range.start, range.iterations) + std::min(range.from, 0LL);
    return before + std::max(of_loop, 0LL);
}

std::vector<DatasetPart> read_parts(const std::vector<WindowedSeries>& series, const SurveyedInputs& surveyed) {
    std::vector<DatasetPart> parts;
    for (const WindowedSeries& s : series) {
        if (s.input) parts.push_back(surveyed.rows(s.position, 0, std::min<std::uint64_t>(s.rows, s.shape.front())));
    }
    return parts;
}

SeriesWindows::SeriesWindows(std::vector<WindowedSeries> series, RowReader* reader, ArrayFile* file)
    : reader_(reader), file_(file) {
    std::size_t inputs = 0;
    for (WindowedSeries& s : series) {
        const std::size_t number = s.input ? inputs++ : 0;
        NotFinite none{s.name};
        windows_.push_back({std::move(s), 0, 0, 0, {}, number, false, std::move(none)});
    }
}

Diagnostics SeriesWindows::begin(PiecewiseRun& run) {
    for (Window& w : windows_) {
        if (w.series.before == 0) continue;
        if (Diagnostics bad = move(run, w, w.series.first_row()); !bad.empty()) return bad;
    }
    return {};
}

Diagnostics SeriesWindows::prepare(PiecewiseRun& run) {
    Diagnostics said;
    for (Window& w : windows_) {
        const auto row = w.series.range.row(run.done());
        if (!row || w.holds(*row)) continue;
        Diagnostics more = flush(run, w);
        if (!has_errors(more)) {
            const Diagnostics moved = move(run, w, *row);
            more.insert(more.end(), moved.begin(), moved.end());
        }
        said.insert(said.end(), more.begin(), more.end());
        if (has_errors(said)) return said;
    }
    return said;
}

bool SeriesWindows::Window::holds(long long row) const {
    // Rows that the series has not got: the run itself says so, with the axis.
    const long long last = static_cast<long long>(series.shape.front()) - 1;
    const long long from = std::clamp(row, 0LL, last), to = std::clamp(row + series.ahead, 0LL, last);
    return from >= first && to < first + held;
}

/// At rows of an output that are complete.
void SeriesWindows::Window::look_at(const std::byte* rows, long long row, long long count) {
    Shape shape = series.shape;
    shape.front() = static_cast<std::uint64_t>(count);
    NotFinite found = runtime::not_finite({series.name, shape, Words(series.type, rows, *cell_count(shape))});
    if (found.count > 0) found.first.front() += static_cast<std::uint64_t>(row);
    not_finite.add(std::move(found));
}

RowSpan SeriesWindows::Window::from(long long row) const {
    const auto extent = static_cast<long long>(series.shape.front());
    const long long start = std::clamp(row, 0LL, extent - 1);
    const long long count = std::min(series.rows, extent - start);
    return {start, count};
}

Diagnostics SeriesWindows::move(PiecewiseRun& run, Window& w, long long row) {
    const RowSpan rows = w.from(row);
    w.first = rows.first;
    w.held = rows.count;
    return w.series.input ? fill(run, w, rows) : run.load(w.series.number, rows.first, rows.count, nullptr);
}

Diagnostics SeriesWindows::fill(PiecewiseRun& run, Window& w, const RowSpan& rows) {
    if (reader_->asked(w.reader) && *reader_->asked(w.reader) != rows) static_cast<void>(reader_->take(w.reader));
    if (!reader_->asked(w.reader)) reader_->ask(w.reader, rows);
    auto read = reader_->take(w.reader);
    if (!read) return read.diagnostics;
    Diagnostics said;
    if (!std::exchange(w.warned, w.warned || !read.diagnostics.empty())) said = std::move(read.diagnostics);
    const Diagnostics bad = run.load(w.series.number, rows.first, rows.count, *read);
    said.insert(said.end(), bad.begin(), bad.end());
    // The next window starts where this one ends, less what an iteration reads ahead.
    const long long next = rows.first + rows.count - w.series.ahead;
    const long long last = w.series.range.from + w.series.range.iterations - 1;
    if (next <= last && rows.first + rows.count < static_cast<long long>(w.series.shape.front()))
        reader_->ask(w.reader, w.from(next));
    return said;
}

long long SeriesWindows::ready(long long done) const {
    long long until = std::numeric_limits<long long>::max();
    for (const Window& w : windows_) {
        const RowRange& range = w.series.range;
        if (const auto row = range.row(done)) {
            const bool to_the_end = w.first + w.held == static_cast<long long>(w.series.shape.front());
            until = std::min(until, range.end());
            if (!to_the_end) until = std::min(until, done + w.first + w.held - w.series.ahead - *row);
        } else if (done < range.start) {
            until = std::min(until, range.start);  // where its first window must be there
        }
    }
    return until - done;
}

Diagnostics SeriesWindows::flush(PiecewiseRun& run) {
    for (Window& w : windows_) {
        if (Diagnostics bad = flush(run, w); !bad.empty()) return bad;
    }
    return {};
}

Diagnostics SeriesWindows::flush(PiecewiseRun& run, Window& w) {
    if (w.series.input) return {};
    const long long assigned = w.series.assigned(run.done());
    const std::uint64_t row_bytes = w.series.row_bytes();
    const auto most = static_cast<long long>(std::max<std::uint64_t>(1, flush_bytes / row_bytes));
    while (w.flushed < assigned) {
        const long long rows = std::min(most, assigned - w.flushed), row = w.series.first_row() + w.flushed;
        const std::uint64_t bytes = static_cast<std::uint64_t>(rows) * row_bytes;
        buffer_.resize(std::max<std::size_t>(buffer_.size(), bytes));
        if (Diagnostics bad = run.save(w.series.number, row, rows, buffer_.data()); !bad.empty()) return bad;
        const std::uint64_t offset = static_cast<std::uint64_t>(row) * row_bytes;
        if (Diagnostics bad = file_->write(w.series.position, offset, buffer_.data(), bytes); !bad.empty()) return bad;
        w.digest.add(buffer_.data(), bytes);
        w.look_at(buffer_.data(), row, rows);
        w.flushed += rows;
    }
    return {};
}

std::vector<SeriesSoFar> SeriesWindows::so_far() const {
    std::vector<SeriesSoFar> all;
    for (const Window& w : windows_) {
        if (!w.series.input) all.push_back({w.series.name, w.flushed, w.digest.text()});
    }
    return all;
}

std::vector<NotFinite> SeriesWindows::not_finite() const {
    std::vector<NotFinite> all;
    for (const Window& w : windows_) {
        if (!w.series.input) all.push_back(w.not_finite);
    }
    return all;
}

Diagnostics SeriesWindows::resume(const std::vector<SeriesSoFar>& series) {
    for (Window& w : windows_) {
        if (w.series.input) continue;
        const auto at =
            std::find_if(series.begin(), series.end(), [&](const SeriesSoFar& s) { return s.name == w.series.name; });
        if (at == series.end()) return {rows_gone(w.series.name)};
        const std::uint64_t row_bytes = w.series.row_bytes();
        buffer_.resize(std::max<std::size_t>(buffer_.size(), row_bytes));
        for (; w.flushed < at->rows; ++w.flushed) {
            const auto offset = static_cast<std::uint64_t>(w.series.first_row() + w.flushed) * row_bytes;
            if (!file_->read(w.series.position, offset, buffer_.data(), row_bytes)) return {rows_gone(w.series.name)};
            w.digest.add(buffer_.data(), row_bytes);
        }
        if (w.digest.text() != at->digest) return {rows_gone(w.series.name)};
    }
    return {};
}

}  // namespace kasc::runtime
