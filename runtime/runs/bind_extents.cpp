// Each dataset: is it there and numeric, does its rank fit, is no dimension 0; then each dimension binds its axis or
// must agree. Example: T[x,y] with shape (4, 8) binds y = 4, x = 8; then beta[x] with shape (9,) is an error that names
// both. For u[x,y], whose cells are vectors, in one dataset (4, 8, 3) the last dimension is the cell's.

#include "runtime/runs/bind_extents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kasc::runtime {

namespace {

struct Binding {
    long long extent = 0;
    std::optional<std::size_t> input;  ///< none: set explicitly
};

class Binder {
public:
    Binder(const ProgramInterface& program, const std::vector<FileArray>& inputs, const FileSurvey& survey,
           const std::string& path)
        : program_(program),
          inputs_(inputs),
          survey_(survey),
          path_(path),
          axes_(program.stream ? std::vector<std::string>{"n"} : program.axes),
          bindings_(axes_.size()) {}

    void bind_explicit(const std::map<std::string, long long>& extents) {
        for (const auto& [name, extent] : extents) {
            const auto axis = std::find(axes_.begin(), axes_.end(), name);
            if (axis == axes_.end()) {
                Diagnostic& d = say("K0710", fmt::format("the program has no axis '{}'", name));
                d.help = axes_.empty() ? "it has no axes" : fmt::format("its axes are {}", fmt::join(axes_, ", "));
            } else if (extent < 1) {
                say("K0710", fmt::format("axis '{}' was set to {}; an extent is at least 1", name, extent));
            } else {
                bindings_.at(static_cast<std::size_t>(axis - axes_.begin())) = Binding{extent, std::nullopt};
            }
        }
    }

    void bind_input(std::size_t input) {
        if (!usable(input)) return;
        const DatasetFacts& facts = survey_.datasets.at(input);
        Shape shape = shape_of_complex(facts.shape(), form_of(inputs_.at(input), facts));
        if (program_.stream) {
            if (stream_shape_fits(input, shape)) bind(0, shape.front(), input);
            return;
        }
        if (!cells_fit(input, shape)) return;
        shape.resize(shape.size() - *cell_dimensions(inputs_.at(input), shape));
        const std::vector<int>& axes = array_of(input).axes;
        if (axes.empty() && cell_count(shape) == 1U) return;  // a number may be stored as (), (1,) or (1, 1, 1)
        // A format may store everything with a fixed rank: (1, 1, n) for a list.
        while (shape.size() > axes.size() && shape.front() == 1) shape.erase(shape.begin());
        if (!rank_fits(input, shape, axes.size())) return;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            bind(static_cast<std::size_t>(axes[i]), shape.at(axes.size() - 1 - i), input);
        }
    }

    Outcome<BoundExtents> result() {
        if (has_errors(diagnostics_)) return failure<BoundExtents>(std::move(diagnostics_));
        BoundExtents extents;
        for (const auto& binding : bindings_) {
            extents.push_back(binding ? std::optional(binding->extent) : std::nullopt);
        }
        return success(std::move(extents), std::move(diagnostics_));
    }

private:
    Diagnostic& say(std::string code, std::string message, const std::string& dataset = "") {
        Diagnostic d;
        d.code = std::move(code);
        d.message = std::move(message);
        if (!dataset.empty()) d.span = dataset_place(path_, dataset);
        return diagnostics_.emplace_back(std::move(d));
    }

    [[nodiscard]] const ArrayInterface& array_of(std::size_t input) const { return inputs_.at(input).array; }

    std::string names_in_file() const {
        if (survey_.names.empty()) return "the file's root group holds no dataset";
        return fmt::format("the file's root group holds {}", fmt::join(survey_.names, ", "));
    }

    /// The file has as many datasets F_… as an element of F has words.
    [[nodiscard]] bool are_words(const std::string& name, const std::vector<int>& element) const {
        std::uint64_t words = 1;
        for (const int extent : element) words *= static_cast<std::uint64_t>(extent);
        const auto found = std::count_if(survey_.names.begin(), survey_.names.end(),
                                         [&](const std::string& other) { return other.starts_with(name + "_"); });
        return words > 1 && static_cast<std::uint64_t>(found) == words;
    }

    bool usable(std::size_t input) {
        using State = DatasetFacts::State;
        const std::string& name = array_of(input).name;
        const DatasetFacts& facts = survey_.datasets.at(input);
        switch (facts.state) {
            case State::good:
                return has_cells(input, facts.shape()) && complex_fit(input, facts.shape());
            case State::complex:
                if (is_complex(array_of(input).type)) return has_cells(input, facts.shape());
                say("K0705", fmt::format("dataset '{}' holds complex numbers", name), name).help =
                    fmt::format("the program's {} is real: declare it of 'complex', or store one part",
                                declared_text(program_, array_of(input)));
                return false;
            case State::missing: {
                Diagnostic& d = say("K0704", fmt::format("no dataset '{}' in '{}'", name, path_), name);
                const auto near = nearest_name(name, survey_.names);
                d.help = near ? fmt::format("did you mean '{}'? {}", *near, names_in_file()) : names_in_file();
                if (inputs_.at(input).holds_cells()) d.help += "; " + words_text(input);
                if (program_.stream && are_words(name, array_of(input).element_shape))
                    d.help = fmt::format("declare it as it comes, an array for each word: '{} layout(soa)'", name);
                return false;
            }
            case State::not_a_dataset:
                say("K0704", fmt::format("'{}' in '{}' is a group, not a dataset", name, path_), name).help =
                    names_in_file();
                return false;
            case State::external:
                say("K0705", fmt::format("dataset '{}' lies in another file, which is not followed", name), name).help =
                    "store the data in the input file itself, e.g. with h5repack";
                return false;
            case State::not_a_number:
                say("K0705", fmt::format("dataset '{}' holds {}, not numbers", name, facts.type_name.data()), name)
                    .help = "any integer or floating-point type is read, and complex numbers as h5py writes them";
                return false;
            case State::damaged:
                diagnostics_.push_back(damaged_file(path_, name, ""));
                return false;
        }
        return false;
    }

    /// Reals that are to be complex numbers.
    bool complex_fit(std::size_t input, const Shape& shape) {
        const ArrayInterface& array = array_of(input);
        if (!is_complex(array.type) || inputs_.at(input).holds_cells() || complex_form(shape, array.axes.size()))
            return true;
        say("K0706",
            fmt::format("dataset '{}' holds reals of shape {}, the program's {} is complex", array.name, to_text(shape),
                        declared_text(program_, array)),
            array.name)
            .help = "store complex numbers as h5py does, or real and imaginary parts in turn along the last dimension";
        return false;
    }

    bool has_cells(std::size_t input, const Shape& shape) {
        if (std::find(shape.begin(), shape.end(), 0U) == shape.end()) return true;
        const std::string& name = array_of(input).name;
        say("K0708", fmt::format("dataset '{}' is empty: its shape is {}", name, to_text(shape)), name);
        return false;
    }

    bool stream_shape_fits(std::size_t input, const Shape& shape) {
        const ArrayInterface& array = array_of(input);
        Shape element(array.element_shape.begin(), array.element_shape.end());
        const std::uint64_t words = cell_count(element).value_or(0);
        const bool single = words == 1;
        const Shape found(shape.empty() ? shape.end() : shape.begin() + 1, shape.end());
        if (!shape.empty() && (found == element || found == Shape{words} || (single && found.empty()))) return true;
        std::string expected = "(N,)";
        if (!single) expected = fmt::format("(N, {})", fmt::join(element, ", "));
        Diagnostic& d = say("K0707",
                            fmt::format("dataset '{}' has shape {}, the program's '{}' needs {}", array.name,
                                        to_text(shape), array.name, expected),
                            array.name);
        d.help = "the first dimension counts the elements of the stream, the others are the element's own";
        return false;
    }

    /// "a dataset of each word will do: u_x, u_y, u_z"
    [[nodiscard]] std::string words_text(std::size_t input) const {
        constexpr std::size_t most_words = 9;
        const std::vector<std::size_t>& words = inputs_.at(input).words;
        std::string text = "datasets of its words will do as well: ";
        for (std::size_t k = 0; k < words.size(); ++k) {
            const bool left_out = words.size() > most_words && k >= 2 && k + 1 < words.size();
            if (!left_out) text += (k == 0 ? "" : ", ") + program_.inputs.at(words[k]).name;
            if (left_out && k == 2) text += ", …";
        }
        return text;
    }

    bool cells_fit(std::size_t input, const Shape& shape) {
        if (cell_dimensions(inputs_.at(input), shape)) return true;
        const ArrayInterface& array = array_of(input);
        const Shape cell(array.element_shape.begin(), array.element_shape.end());
        std::string axes;
        for (const int axis : array.axes) axes = axes_.at(static_cast<std::size_t>(axis)) + ", " + axes;
        Diagnostic& d = say("K0719",
                            fmt::format("dataset '{}' has shape {}, the program's {} has {} {} and cells of shape {}",
                                        array.name, to_text(shape), declared_text(program_, array), array.axes.size(),
                                        array.axes.size() == 1 ? "axis" : "axes", to_text(cell)),
                            array.name);
        d.help = fmt::format("a dataset's dimensions are the axes reversed and then the cell's: ({}{}{}); {}", axes,
                             fmt::join(cell, ", "), axes.empty() && cell.size() == 1 ? "," : "", words_text(input));
        return false;
    }

    bool rank_fits(std::size_t input, const Shape& shape, std::size_t rank) {
        if (shape.size() == rank) return true;
        const ArrayInterface& array = array_of(input);
        Diagnostic& d =
            say("K0706",
                fmt::format("dataset '{}' has shape {}, the program's {} has {} {}", array.name, to_text(shape),
                            declared_text(program_, array), rank, rank == 1 ? "axis" : "axes"),
                array.name);
        std::vector<std::string> reversed;
        for (const int axis : array.axes) reversed.insert(reversed.begin(), axes_.at(static_cast<std::size_t>(axis)));
        d.help = rank == 0 ? "it is one number: shape () or (1,)"
                           : fmt::format("a dataset's dimensions are the axes reversed: ({}{})",
                                         fmt::join(reversed, ", "), rank == 1 ? "," : "");
        return false;
    }

    void bind(std::size_t axis, std::uint64_t dimension, std::size_t input) {
        const auto extent = static_cast<long long>(dimension);
        std::optional<Binding>& binding = bindings_.at(axis);
        if (!binding) {
            binding = Binding{extent, input};
        } else if (binding->extent != extent) {
            disagree(axis, *binding, extent, input);
        }
    }

    void disagree(std::size_t axis, const Binding& first, long long extent, std::size_t input) {
        const std::string what = program_.stream ? "the number of elements" : fmt::format("axis '{}'", axes_.at(axis));
        const std::string& name = array_of(input).name;
        if (!first.input) {
            say("K0709", fmt::format("{} is {} in '{}' and was set to {}", what, extent, name, first.extent), name)
                .help = "leave the setting out: an extent follows from the inputs that have the axis";
            return;
        }
        const std::string& other = array_of(*first.input).name;
        Diagnostic& d =
            say("K0709", fmt::format("{} is {} in '{}' and {} in '{}'", what, extent, name, first.extent, other), name);
        const std::string shape = to_text(survey_.datasets.at(*first.input).shape());
        d.notes.push_back({dataset_place(path_, other), fmt::format("'{}' has shape {}", other, shape)});
    }

    const ProgramInterface& program_;
    const std::vector<FileArray>& inputs_;
    const FileSurvey& survey_;
    const std::string& path_;
    std::vector<std::string> axes_;
    std::vector<std::optional<Binding>> bindings_;
    Diagnostics diagnostics_;
};

}  // namespace

ComplexForm form_of(const FileArray& array, const DatasetFacts& facts) {
    if (!is_complex(array.array.type) || facts.state == DatasetFacts::State::complex || array.holds_cells())
        return ComplexForm::pairs;
    return complex_form(facts.shape(), array.array.axes.size()).value_or(ComplexForm::pairs);
}

std::optional<std::size_t> cell_dimensions(const FileArray& array, const Shape& shape) {
    if (!array.holds_cells()) return 0;
    const Shape cell(array.array.element_shape.begin(), array.array.element_shape.end());
    const std::uint64_t words = array.words.size();
    std::vector<Shape> forms{cell, {words}};
    if (words == 1) forms.emplace_back();
    for (const Shape& form : forms) {
        const std::size_t rank = array.array.axes.size() + form.size();
        if (shape.size() < rank || !std::equal(form.rbegin(), form.rend(), shape.rbegin())) continue;
        const auto more = static_cast<std::ptrdiff_t>(shape.size() - rank);
        if (std::all_of(shape.begin(), shape.begin() + more, [](std::uint64_t n) { return n == 1; }))
            return form.size();
    }
    return std::nullopt;
}

Outcome<BoundExtents> bind_extents(const ProgramInterface& program, const std::vector<FileArray>& inputs,
                                   const FileSurvey& survey, const std::string& path,
                                   const std::map<std::string, long long>& explicit_extents) {
    Binder binder(program, inputs, survey, path);
    binder.bind_explicit(explicit_extents);
    for (std::size_t input = 0; input < inputs.size(); ++input) binder.bind_input(input);
    return binder.result();
}

}  // namespace kasc::runtime
