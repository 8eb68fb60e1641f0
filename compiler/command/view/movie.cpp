// The file is read twice, some steps at a time: for the range of all values, then frame by frame. p (Nt, Nz, Ny, Nx)
// has Nt frames of three planes, through the cell whose value is farthest from zero at any step.

#include "command/view/movie.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "command/view/draw.hpp"
#include "runtime/pictures/movie.hpp"
#include "runtime/pictures/shown_array.hpp"
#include "runtime/processes/interrupt.hpp"
#include "runtime/progress/progress.hpp"

namespace kasc::command {

namespace {

constexpr std::uint64_t bytes_at_once = std::uint64_t{1} << 28U;  // of steps that are read together

/// Over all frames.
struct Range {
    double lowest = 0, highest = 0, strongest = -1;
    std::uint64_t cell = 0;  ///< of a frame, where the strongest is
    bool any = false;

    void add(double value, std::uint64_t at) {
        if (!std::isfinite(value)) return;
        lowest = any ? std::min(lowest, value) : value;
        highest = any ? std::max(highest, value) : value;
        any = true;
        if (std::abs(value) > strongest) {
            strongest = std::abs(value);
            cell = at;
        }
    }
};

class Filming {
public:
    Filming(const Dataset& dataset, const runtime::FileStamp& stamp, const ViewOptions& options, const ViewGrid& grid)
        : dataset_(dataset), stamp_(stamp), options_(options), grid_(grid), frames_(frames_of(dataset)) {
        for (const std::string& axis : frames_.axes) axes_.push_back(grid.axis(axis));
        style_ = field_style(dataset, options, grid);
    }

    Diagnostics execute() {
        Range range;
        const auto look = [&](std::uint64_t, const runtime::ArrayView& frame) {
            for (std::size_t i = 0; i < frame.values.size(); ++i) range.add(frame.values[i], i);
            return true;
        };
        if (Diagnostics bad = visit(look); !bad.empty()) return bad;
        if (stopped()) return stopped_text();
        const runtime::ColourScale scale = runtime::colour_scale(range.lowest, range.highest, style_.colours);
        style_.colours = {scale.map, scale.low, scale.high};
        cuts_ = cuts(range.cell);
        double width = 0;
        for (std::uint64_t step = 0; step < frames_.count; ++step) {
            const double needed = runtime::text_width(moment(step));
            if (needed <= width) continue;
            width = needed;
            longest_ = moment(step);
        }
        std::optional<runtime::Movie> movie;
        Diagnostics said;
        const auto film = [&](std::uint64_t step, const runtime::ArrayView& frame) {
            const runtime::Pixels pixels = drawn(step, frame);
            if (!movie) {
                auto started = runtime::Movie::start(options_.movie, {pixels.width, pixels.height, options_.fps},
                                                     [this] { return stopped(); });
                said = started.diagnostics;
                if (!started) return false;
                movie.emplace(*std::move(started.value));
            }
            display_.update(static_cast<long long>(step) + 1, static_cast<long long>(frames_.count));
            return movie->add(pixels);
        };
        Diagnostics bad = visit(film);
        display_.finish();
        if (!bad.empty() || !movie) return bad.empty() ? said : bad;
        return movie->finish();
    }

private:
    const Dataset& dataset_;
    const runtime::FileStamp& stamp_;
    const ViewOptions& options_;
    const ViewGrid& grid_;
    Frames frames_;
    std::vector<runtime::PictureAxis> axes_;
    runtime::FieldStyle style_;
    runtime::Cuts cuts_;
    std::string longest_;  ///< moment
    runtime::InterruptWatch interrupt_;
    runtime::ProgressDisplay display_{"movie of " + dataset_.name, runtime::ProgressDisplay::standard_error(), 0,
                                      "frames"};

    [[nodiscard]] bool stopped() const { return interrupt_.interrupted(); }
    static Diagnostics stopped_text() {
        return {placeless("K0814", "the movie was stopped; no file is left", "call again")};
    }

    /// Every frame, until `visit_frame` says false or the user stops it.
    Diagnostics visit(const std::function<bool(std::uint64_t, const runtime::ArrayView&)>& visit_frame) const {
        const auto cells = runtime::cell_count(frames_.shape);
        const std::uint64_t frame_bytes = *cells * runtime::word_bytes(dataset_.word_type());
        const std::uint64_t most = std::max<std::uint64_t>(1, bytes_at_once / frame_bytes);
        for (std::uint64_t first = 0; first < frames_.count; first += most) {
            runtime::DatasetPart part = dataset_.part;
            part.type = dataset_.word_type();
            part.first = first;
            part.rows = std::min(most, frames_.count - first);
            const auto read = runtime::read_datasets(options_.file, stamp_, {part});
            if (!read) return read.diagnostics;
            const runtime::ArrayView& array = read->arrays.front();
            for (std::uint64_t n = 0; n < part.rows; ++n) {
                const runtime::ShownArray shown(
                    {dataset_.name, frames_.shape, array.values.subspan(n * *cells, *cells)});
                if (stopped()) return stopped_text();
                if (!visit_frame(first + n, shown.array())) return {};
            }
        }
        return {};
    }
    [[nodiscard]] runtime::Cuts cuts(std::uint64_t strongest) const {
        if (frames_.shape.size() != 3) return {runtime::Cut{}};
        Place place = *read_place(options_.at);
        if (place.kind == Place::Kind::peak) {
            place.kind = Place::Kind::cell;
            const runtime::Shape at = runtime::cell_position(frames_.shape, strongest);
            place.cell = {at[2], at[1], at[0]};
        }
        if (options_.axis.empty() && place.kind != Place::Kind::index)
            return planes_of({dataset_.name, frames_.shape, {}}, place);
        const std::size_t axis = cut_axis(frames_.axes, options_.axis).value_or(2);
        const std::uint64_t middle = frames_.shape[2 - axis] / 2;
        return {{axis, place.kind == Place::Kind::index  ? place.index
                       : place.kind == Place::Kind::cell ? place.cell.at(axis)
                                                         : middle}};
    }
    /// "t = 12 µs"
    [[nodiscard]] std::string moment(std::uint64_t step) const {
        const runtime::PictureAxis steps = grid_.axis(frames_.steps);
        return fmt::format("{} = {}", steps.name,
                           runtime::place_text(steps, step, steps.step * static_cast<double>(frames_.count)));
    }
    /// All frames have the size of the one with the longest title, and even sides, as players want them.
    [[nodiscard]] runtime::Pixels drawn(std::uint64_t step, const runtime::ArrayView& frame) const {
        std::vector<runtime::Slice> slices;
        for (const runtime::Cut& cut : cuts_) slices.push_back(runtime::cut_slice(frame, axes_, cut));
        runtime::FieldStyle style = style_;
        style.moment = longest_;
        const runtime::FieldFigure largest = runtime::lay_out(slices, style);
        style.moment = moment(step);
        const runtime::FieldFigure figure = runtime::lay_out(slices, style);
        const auto even = [](int side) { return side + side % 2; };
        runtime::Page page(runtime::PictureFormat::png, even(largest.width), even(largest.height), figure.title);
        runtime::draw(page, figure);
        return page.pixels();
    }
};

}  // namespace

Frames frames_of(const Dataset& dataset) {
    const runtime::Shape whole = dataset.facts.shape();
    Frames frames;
    if (whole.empty()) return frames;
    frames.count = whole.front();
    frames.shape.assign(whole.begin() + 1, whole.end());
    std::erase(frames.shape, 1U);
    const std::vector<std::string> told = told_axes(dataset.facts);
    if (told.size() == frames.shape.size() + 1) {
        frames.axes.assign(told.begin(), told.end() - 1);
        frames.steps = told.back();
    } else {
        frames.axes = several_axes(whole);
        // A file that names no axis counts steps, or times where it is k-Wave's.
        if (frames.count > 1) frames.axes.pop_back();
        frames.steps = is_time_series(dataset.name) || whole.size() == 4 ? "t" : "step";
    }
    return frames;
}

Diagnostics check_movie(const Dataset& dataset, const ViewOptions& options) {
    const Frames frames = frames_of(dataset);
    const auto cells = runtime::cell_count(dataset.facts.shape());
    const bool numbers = dataset.facts.state == runtime::DatasetFacts::State::good ||
                         dataset.facts.state == runtime::DatasetFacts::State::complex;
    if (!numbers || !cells || *cells == 0 || frames.count < 2 || frames.shape.size() < 2 || frames.shape.size() > 3) {
        Diagnostic d;
        d.code = "K0730";
        d.message = fmt::format("'{}' ({}) cannot be shown as a movie", dataset.name, contents_text(dataset.facts));
        d.span = runtime::dataset_place(options.file, dataset.part.name);
        d.help = "a movie shows fields of two or three axes over the steps of the dataset's first dimension";
        return {d};
    }
    if (Diagnostics bad = runtime::check_movie_format(options.movie); !bad.empty()) return bad;
    return runtime::find_ffmpeg().diagnostics;
}

Diagnostics make_movie(const Dataset& dataset, const runtime::FileStamp& stamp, const ViewOptions& options,
                       const ViewGrid& grid) {
    return Filming(dataset, stamp, options, grid).execute();
}

}  // namespace kasc::command
