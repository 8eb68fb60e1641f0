#include "command/tune/binding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command/data_faults.hpp"
#include "command/run/data.hpp"
#include "contract/check_data.hpp"
#include "contract/random_integers.hpp"
#include "contract/uniform_positions.hpp"
#include "engine/binding.hpp"
#include "frontend/axis_lengths.hpp"

namespace kasc::command {

namespace {

class Binder {
public:
    Binder(const CheckedProgram& checked, const std::string& path) : checked_(checked), path_(path) {}

    Outcome<TuneBinding> run(const std::map<std::string, double>& settings) {
        const Program& program = checked_.program;
        bound_.face = interface_of(program, checked_.library);
        const auto set = set_extents(program, settings);
        runtime::SurveyedInputs surveyed;
        if (path_.empty()) surveyed.extents = default_extents(set);
        const bool bound = take(parameter_values(program), bound_.parameters) &&
                           well(check_numbers(program, bound_.parameters)) &&
                           (path_.empty() || take(runtime::survey_inputs(path_, bound_.face, set), surveyed)) &&
                           take(extent_values(program, surveyed.extents, bound_.parameters), bound_.extents) &&
                           well(check_uniform_positions(program, bound_.parameters, bound_.extents)) &&
                           (path_.empty() ? draw() : load(surveyed));
        if (!bound) return failure<TuneBinding>(std::move(said_));
        return success(std::move(bound_), std::move(said_));
    }

private:
    const CheckedProgram& checked_;
    const std::string& path_;
    TuneBinding bound_;
    Diagnostics said_;

    /// False: it is an error.
    bool well(const Diagnostics& more) {
        said_.insert(said_.end(), more.begin(), more.end());
        return !has_errors(more);
    }
    template <class T>
    bool take(Outcome<T> outcome, T& to) {
        if (outcome.value) to = std::move(*outcome.value);
        return well(outcome.diagnostics) && outcome.value.has_value();
    }

    /// Integers alone: reals are drawn where they are needed.
    bool draw() {
        std::uint64_t bytes = 0;
        for (const runtime::ArrayInterface& input : bound_.face.inputs) {
            if (!is_integer(input.type)) continue;
            const auto cells = runtime::cell_count(runtime::expected_shape(bound_.face, input, bound_.extents));
            bytes += cells.value_or(runtime::physical_memory_bytes()) * runtime::word_bytes(input.type);
        }
        if (bytes > runtime::available_memory_bytes())
            return well(
                {placeless("K0711",
                           fmt::format("inputs of integers take {}, of memory {} are free", runtime::bytes_text(bytes),
                                       runtime::bytes_text(runtime::available_memory_bytes())),
                           "tune smaller sizes")});
        return bytes == 0 ||
               take(random_integers(checked_.program, bound_.parameters, bound_.extents), bound_.integers);
    }
    bool load(const runtime::SurveyedInputs& surveyed) {
        auto loaded = runtime::load_inputs(surveyed, bound_.face, std::vector<bool>(bound_.face.inputs.size(), true));
        loaded.diagnostics = judged(std::move(loaded.diagnostics), allowable_faults());
        bound_.inputs.emplace();
        if (!take(std::move(loaded), *bound_.inputs)) return false;
        const std::vector<long long> whole(bound_.face.inputs.size(), 0);
        const BoundRun run{checked_, bound_.parameters, bound_.extents, surveyed, *bound_.inputs, whole};
        return well(judged(examine_data(run).found, allowable_faults()));
    }
    /// An axis that no input has is left open: extent_values computes its length.
    [[nodiscard]] runtime::BoundExtents default_extents(const std::map<std::string, long long>& set) const {
        if (bound_.face.stream) return {checked_.problem.elements};
        runtime::BoundExtents extents;
        const std::vector<AxisId> computed = axes_by_length(checked_.program);
        for (const AxisId id : checked_.program.axes.ids()) {
            const bool open = std::find(computed.begin(), computed.end(), id) != computed.end() &&
                              !set.contains(checked_.program.axes[id].name);
            extents.push_back(open ? std::nullopt : std::optional(checked_.problem.extents.at(id.index)));
        }
        return extents;
    }
};

}  // namespace

Outcome<TuneBinding> bind_tuning(const CheckedProgram& checked, const std::string& path,
                                 const std::map<std::string, double>& settings) {
    return Binder(checked, path).run(settings);
}

}  // namespace kasc::command
