#include "command/run/pieces.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/binding.hpp"
#include "frontend/evaluate.hpp"
#include "library/identity.hpp"
#include "runtime/processes/agreed.hpp"
#include "runtime/runs/digest_in_turn.hpp"
#include "tune/key.hpp"

namespace kasc::command {

namespace {

/// Rows of a series that tell it from another: reading all of what does not fit into memory would take a run's time.
constexpr std::uint64_t told_rows = 16;

/// The digest of some rows of a series, the first and the last among them.
Outcome<std::string> series_digest(const runtime::SurveyedInputs& surveyed, std::size_t input,
                                   const runtime::ArrayView& array, const FileParts& parts) {
    const bool in_memory = !array.values.empty() && (parts.inputs.empty() || !parts.inputs.at(input));
    const std::uint64_t extent = array.shape.front();
    std::set<std::uint64_t> rows;
    for (std::uint64_t k = 0; k < told_rows; ++k) rows.insert(k * (extent - 1) / (told_rows - 1));
    runtime::Digest digest;
    const std::size_t row_words = array.values.size() / extent;  // of one in memory
    for (const std::uint64_t row : rows) {
        if (in_memory) {
            const auto values = array.values.subspan(row * row_words, row_words);
            digest.add(values.data(), values.size_bytes());
            continue;
        }
        const auto read = runtime::read_datasets(surveyed.path, surveyed.stamp, {surveyed.rows(input, row, 1)});
        if (!read) return failure<std::string>(read.diagnostics);
        const auto values = read->arrays.front().values;
        digest.add(values.data(), values.size_bytes());
    }
    return success(digest.text());
}

/// "absorbing=1,record_p=1": what decides how the program is read, where it is not the program itself.
std::string options_text(const Program& program, const std::map<std::string, double>& settings) {
    std::string text;
    for (const auto* names : {&program.options, &program.may_be_uniform}) {
        for (const std::string& name : *names) {
            const auto setting = settings.find(name);
            if (setting != settings.end())
                text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, setting->second);
        }
    }
    return text;
}

}  // namespace

std::vector<OutermostLoop> outermost_loops(const Program& program, const HostPlan& plan,
                                           const std::vector<double>& parameters,
                                           const std::vector<long long>& extents) {
    std::vector<OutermostLoop> loops;
    long long start = 0;
    const LoopStep* several = nullptr;
    for (const HostStep& step : plan.steps) {
        const auto* loop = std::get_if<LoopStep>(&step.what);
        if (loop == nullptr) continue;
        if (rest_of(step, program)) {
            several = loop;
            continue;
        }
        const LoopStep* begins = several != nullptr ? std::exchange(several, nullptr) : loop;
        const auto from = static_cast<long long>(evaluate_integer(*begins->from, program, parameters, {}, extents)),
                   to = static_cast<long long>(evaluate_integer(*loop->to, program, parameters, {}, extents));
        const runtime::RowRange range{start, std::max(0LL, to - from), from};
        loops.push_back({loop->loop, range});
        start = range.end();
    }
    return loops;
}

std::vector<runtime::WindowedSeries> windowed_series(const Program& program, const Library& library,
                                                     const std::vector<Series>& series,
                                                     const std::vector<OutermostLoop>& loops,
                                                     const std::vector<long long>& extents,
                                                     const std::vector<long long>& rows) {
    std::vector<runtime::WindowedSeries> all;
    const runtime::ProgramInterface face = interface_of(program, library);
    for (std::size_t i = 0; i < series.size(); ++i) {
        const auto loop =
            std::find_if(loops.begin(), loops.end(), [&](const auto& l) { return l.loop == series[i].loop; });
        if (rows[i] == 0 || loop == loops.end()) continue;
        const runtime::ArrayInterface array = array_of(program, library, series[i].variable);
        runtime::RowRange range = loop->range;
        range.from += series[i].low;
        all.push_back({array.name, i, series[i].input, series[i].position, expected_shape(face, array, extents),
                       array.type, range, rows[i], series[i].rows_at_once() - 1, series[i].before});
    }
    return all;
}

std::vector<runtime::Shape> state_shapes(const Program& program, const Library& library,
                                         const std::vector<runtime::StateArray>& state,
                                         const std::vector<long long>& extents) {
    const runtime::ProgramInterface face = interface_of(program, library);
    std::vector<runtime::Shape> shapes;
    for (const runtime::StateArray& array : state) {
        shapes.push_back({array.words});
        const std::string name = array.name.substr(0, array.name.find('.'));
        for (const VariableId v : program.variables.ids()) {
            if (program.variables[v].name != name) continue;
            runtime::Shape shape = expected_shape(face, array_of(program, library, v), extents);
            if (runtime::cell_count(shape) == array.words) shapes.back() = std::move(shape);
        }
    }
    return shapes;
}

Outcome<runtime::Identity> identity_of(const CheckedProgram& checked, const CompileRequest& request,
                                       const std::vector<double>& parameters, const std::vector<long long>& extents,
                                       const runtime::SurveyedInputs& surveyed, const runtime::LoadedArrays& inputs,
                                       const std::vector<Series>& series, const FileParts& parts,
                                       runtime::Communicator* processes) {
    runtime::Identity identity{{"the version of kasc", KASC_VERSION},
                               {"the program", hash_of(request.source->text)},
                               {"the library", hash_of(tune::used_library_text(checked.program, checked.library))},
                               {"the options", options_text(checked.program, request.settings)},
                               {"the extents", fmt::format("{}", fmt::join(extents, ", "))},
                               {"the parameters", tune::parameters_text(checked.program, parameters)},
                               {"--no-rewrite", left_out_text(request.no_rewrite)},
                               {"--rewrite", asked_text(request.rewrite)}};
    const auto is_series = [&](std::size_t i) {
        return std::any_of(series.begin(), series.end(), [&](const Series& s) { return s.input && s.position == i; });
    };
    // What a process reads of its own comes before what all do together.
    std::vector<std::string> digests(inputs.arrays.size());
    Diagnostics bad;
    for (std::size_t i = 0; i < digests.size() && bad.empty(); ++i) {
        if (!is_series(i)) continue;
        auto digest = series_digest(surveyed, i, inputs.arrays[i], parts);
        if (digest) digests[i] = *std::move(digest.value);
        bad = std::move(digest.diagnostics);
    }
    if (bad = runtime::agreed(processes, std::move(bad), "K0703"); !bad.empty())
        return failure<runtime::Identity>(std::move(bad));
    for (std::size_t i = 0; i < digests.size(); ++i) {
        const runtime::ArrayView& array = inputs.arrays[i];
        const runtime::Words own = parts.own_words(i, array);
        const auto add = [&](runtime::Digest& digest) { digest.add(own.data(), own.size_bytes()); };
        if (!is_series(i)) digests[i] = runtime::digest_in_turn(processes, add).text();
        identity.emplace_back("the input " + array.name, runtime::to_text(array.shape) + " " + digests[i]);
    }
    return success(std::move(identity));
}

}  // namespace kasc::command
