// kasc view: what is in a file, then pictures of it. All faults of the call are found before the first picture.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "command/exit.hpp"
#include "command/streams.hpp"
#include "command/view/dataset.hpp"
#include "command/view/draw.hpp"
#include "command/view/movie.hpp"
#include "command/view/texts.hpp"
#include "command/view/words.hpp"
#include "foundation/printable.hpp"
#include "runtime/files/check_places.hpp"
#include "runtime/pictures/shown_array.hpp"

namespace kasc::command {

namespace {

constexpr std::size_t most_pictures = 20;  // that nobody named

class View {
public:
    explicit View(const ViewOptions& options) : options_(options) {}

    int execute() {
        if (!look() || !choose() || !check() || !read_units()) return report(said_, options_.diagnostics);
        if (!options_.movie.empty()) {
            if (well(make_movie(datasets_.front(), stamp_, options_, grid_))) tell(options_.movie + "\n");
            return report(said_, options_.diagnostics);
        }
        for (const Dataset& dataset : datasets_) {
            if (!show(dataset)) break;
        }
        return report(said_, options_.diagnostics);
    }

private:
    const ViewOptions& options_;
    Diagnostics said_;
    std::vector<Dataset> datasets_;
    runtime::FileStamp stamp_;
    ViewGrid grid_;

    bool well(const Diagnostics& more) {
        said_.insert(said_.end(), more.begin(), more.end());
        return !has_errors(more);
    }
    bool fault(const char* code, std::string message, std::string help) {
        return well({placeless(code, std::move(message), std::move(help))});
    }

    bool look() {
        const auto names = runtime::list_datasets(options_.file, runtime::for_pictures);
        if (!names) return well(names.diagnostics);
        const auto survey = runtime::survey_file(options_.file, *names, runtime::for_pictures);
        if (!survey) return well(survey.diagnostics);
        stamp_ = survey->stamp;
        stamp_.modified_ns = 0;  // a run that goes on writing to it may be looked at
        for (std::size_t i = 0; i < names->size(); ++i) {
            const std::string& name = (*names)[i];
            const runtime::DatasetFacts& facts = survey->datasets[i];
            const std::vector<ViewWord> words = words_of(name, facts);
            if (words.empty()) datasets_.push_back({name, facts, shown(name, facts), {name, facts.shape()}});
            for (const ViewWord& word : words) datasets_.push_back(word_of({name, facts.shape()}, word));
        }
        return true;
    }

    [[nodiscard]] Dataset word_of(runtime::DatasetPart part, const ViewWord& word) const {
        part.cell_dimensions = word.cell_dimensions;
        part.word = word.word;
        return {word.name, word.facts, shown(word.name, word.facts), std::move(part)};
    }

    /// A call that names sensors wants traces of them.
    [[nodiscard]] Shown shown(const std::string& name, const runtime::DatasetFacts& facts) const {
        // An axis, or one index, is a plane.
        const bool plane = !options_.axis.empty() || read_place(options_.at)->kind == Place::Kind::index;
        if (options_.as.empty() && plane) {
            Shown shown = how_to_show(name, facts, "");
            shown.planes = false;
            return shown;
        }
        Shown shown = how_to_show(name, facts, options_.as);
        const bool sensors = shown.as == Showing::slice && shown.series;
        const bool wanted = options_.as.empty() && !options_.sensors.empty();
        return sensors && wanted ? how_to_show(name, facts, "traces") : shown;
    }

    /// Chooses which datasets are drawn, and where to.
    bool choose() {
        if (!options_.movie.empty() && options_.datasets.empty())
            return fault("K0909", "--movie shows one dataset", "name it: kasc view FILE.h5 DATASET --movie FILE.mp4");
        if (!options_.datasets.empty()) return choose_named();
        std::size_t pictures = 0;
        for (Dataset& dataset : datasets_) {
            if (!options_.list && dataset.shown.obvious && pictures < most_pictures) {
                dataset.picture = picture_of(dataset);
                ++pictures;
            }
        }
        return true;
    }
    bool choose_named() {
        std::vector<Dataset> named;
        for (const std::string& wanted : options_.datasets) {
            const std::vector<Dataset> found = find(wanted);
            if (found.empty()) return unknown(wanted);
            for (Dataset dataset : found) {
                if (dataset.shown.as != Showing::number && !options_.list && options_.movie.empty()) {
                    if (dataset.shown.as == Showing::nothing) return not_drawn(dataset);
                    dataset.picture = picture_of(dataset);
                }
                named.push_back(std::move(dataset));
            }
        }
        datasets_ = std::move(named);
        return true;
    }
    /// The dataset of this name, the words of that which holds cells, or one word of a dataset.
    [[nodiscard]] std::vector<Dataset> find(const std::string& wanted) const {
        std::vector<Dataset> found;
        const auto take_if = [&](const auto& is_wanted) {
            if (found.empty()) std::copy_if(datasets_.begin(), datasets_.end(), std::back_inserter(found), is_wanted);
        };
        take_if([&](const Dataset& d) { return d.name == wanted && !d.part.word; });
        take_if([&](const Dataset& d) { return d.name == wanted; });
        take_if([&](const Dataset& d) { return d.part.name == wanted; });
        for (const Dataset& dataset : datasets_) {
            if (!found.empty() || dataset.part.word) continue;
            if (const auto word = find_word(wanted, dataset.name, dataset.facts))
                found.push_back(word_of(dataset.part, *word));
        }
        return found;
    }
    bool unknown(const std::string& wanted) {
        std::string there;
        for (std::size_t i = 0; i < std::min<std::size_t>(datasets_.size(), 30); ++i)
            there += (i == 0 ? "" : ", ") + datasets_[i].name;
        if (datasets_.size() > 30) there += ", …";
        return fault("K0909", fmt::format("'{}' has no dataset '{}'", options_.file, wanted),
                     there.empty() ? "it has none" : "it has " + there);
    }
    bool not_drawn(const Dataset& dataset) {
        Diagnostic d;
        d.code = "K0730";
        d.message = fmt::format("'{}' ({}) cannot be shown as {}", dataset.name, contents_text(dataset.facts),
                                options_.as.empty() ? "a picture" : options_.as);
        d.span = runtime::dataset_place(options_.file, dataset.part.name);
        d.help = "a picture shows a field of two axes, planes of a field of three, or series over one axis";
        return well({d});
    }
    [[nodiscard]] std::string picture_of(const Dataset& dataset) const {
        namespace fs = std::filesystem;
        if (names_one_picture()) return options_.output;
        std::string name = fs::path(options_.file).stem().string() + "-" + dataset.name + ".png";
        std::replace_if(
            name.begin(), name.end(), [](unsigned char c) { return c == '/' || c < ' ' || c == 0x7F; }, '-');
        return (fs::path(options_.output) / name).lexically_normal().string();
    }
    /// A folder that is there may have any name.
    [[nodiscard]] bool names_one_picture() const {
        return runtime::picture_format(options_.output) && !std::filesystem::is_directory(options_.output);
    }

    /// Do the options fit the datasets?
    bool check() {
        if (!options_.movie.empty()) return check_movie_call();
        const bool folder =
            runtime::ending_of(options_.output).empty() || std::filesystem::is_directory(options_.output);
        if (!folder && !well(runtime::check_picture_format(options_.output))) return false;
        const auto drawn =
            std::count_if(datasets_.begin(), datasets_.end(), [](const Dataset& d) { return !d.picture.empty(); });
        if (names_one_picture() && drawn > 1)
            return fault("K0909", fmt::format("'{}' is one picture, but {} are drawn", options_.output, drawn),
                         "name one dataset, or a folder for the pictures");
        std::vector<runtime::CallFile> pictures;
        for (const Dataset& dataset : datasets_) {
            if (!dataset.picture.empty() && (!check_place(dataset) || !check_sensors(dataset))) return false;
            pictures.push_back({dataset.picture, fmt::format("the picture of '{}'", dataset.name)});
        }
        return well(runtime::check_places(pictures, read_files()));
    }
    bool check_movie_call() {
        if (datasets_.size() != 1)
            return fault("K0909",
                         fmt::format("'{}' is one movie, but {} datasets are named", options_.movie, datasets_.size()),
                         "name one dataset, or one word of its cells");
        const Dataset& dataset = datasets_.front();
        if (!well(check_movie(dataset, options_))) return false;
        const Frames frames = frames_of(dataset);
        return (frames.shape.size() != 3 || check_cut(dataset.name, frames.axes, frames.shape)) &&
               well(runtime::check_places({{options_.movie, "the movie"}}, read_files()));
    }
    [[nodiscard]] std::vector<runtime::CallFile> read_files() const {
        return {{options_.file, "the file that is shown"}, {options_.grid, "the file of the grid"}};
    }
    bool check_place(const Dataset& dataset) {
        const Shown& shown = dataset.shown;
        if (shown.as != Showing::slice || shown.shape.size() != 3) return true;
        return check_cut(dataset.name, shown.axes, shown.shape);
    }
    /// Is the place within a field of three axes?
    bool check_cut(const std::string& name, const std::vector<std::string>& axes, const runtime::Shape& shape) {
        const auto axis = cut_axis(axes, options_.axis);
        if (!options_.axis.empty() && !axis && !options_.datasets.empty())
            return fault("K0909", fmt::format("'{}' has no axis '{}'", name, options_.axis),
                         fmt::format("its axes are {}", fmt::join(axes, ", ")));
        const Place place = *read_place(options_.at);
        for (std::size_t k = 0; k < 3; ++k) {
            const bool cut =
                place.kind == Place::Kind::cell || (place.kind == Place::Kind::index && k == axis.value_or(2));
            const std::uint64_t at = place.kind == Place::Kind::cell ? place.cell.at(k) : place.index;
            if (!cut || at < shape[2 - k]) continue;
            return fault("K0909",
                         fmt::format("'{}' cannot be cut at {}: the axis has {} cells", name, at, shape[2 - k]),
                         "positions count from 0");
        }
        return true;
    }
    bool check_sensors(const Dataset& dataset) {
        if (dataset.shown.as != Showing::traces || dataset.shown.shape.size() != 2) return true;
        for (const std::string& text : options_.sensors) {
            const auto span = *read_span(text);
            if (span.second < dataset.shown.shape[1]) continue;
            return fault(
                "K0909",
                fmt::format("'{}' has no sensor {}: it has {}", dataset.name, span.second, dataset.shown.shape[1]),
                "sensors count from 0");
        }
        return true;
    }
    bool read_units() {
        std::vector<AxisSpacing> spacings;
        for (const std::string& text : options_.spacing) spacings.push_back(*read_spacing(text));
        const auto grid = read_grid(options_.grid.empty() ? options_.file : options_.grid, spacings);
        if (!grid) return well(grid.diagnostics);
        grid_ = *grid;
        return true;
    }

    /// A line of the list, and the picture.
    bool show(const Dataset& dataset) {
        std::string line = fmt::format("{:24} {:>18}", printable(dataset.name), contents_text(dataset.facts));
        if (dataset.shown.as == Showing::number || !dataset.picture.empty()) {
            const bool number = dataset.shown.as == Showing::number;
            runtime::DatasetPart part = dataset.part;
            part.type = dataset.word_type();
            const auto read = runtime::read_datasets(options_.file, stamp_, {part});
            // Values that are not finite are seen in the picture: no warning.
            if (!read) return well(read.diagnostics);
            const runtime::ArrayView& array = read->arrays.front();
            line += number ? fmt::format("   {:.9g}", array.values[0]) : "   " + printable(dataset.picture);
            const runtime::ShownArray shown({dataset.name, dataset.shown.shape, array.values});
            if (!number && !well(draw_dataset(dataset, shown.array(), options_, grid_))) return false;
        }
        tell(fmt::format("{}\n", line));
        return true;
    }
};

}  // namespace

int view_command(const ViewOptions& options) { return View(options).execute(); }

}  // namespace kasc::command
