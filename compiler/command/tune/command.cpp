// kasc tune: the model's best plans, each built, checked and timed; results are kept, so that tuning can be interrupted
// and its findings used by compile and run.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "command/exit.hpp"
#include "command/file_settings.hpp"
#include "command/request.hpp"
#include "command/streams.hpp"
#include "command/tune/binding.hpp"
#include "command/tune/candidates.hpp"
#include "command/tune/data.hpp"
#include "command/tune/key.hpp"
#include "driver/plan_text.hpp"
#include "driver/report.hpp"
#include "engine/binding.hpp"
#include "foundation/parallel.hpp"
#include "frontend/rounding.hpp"
#include "runtime/building/build.hpp"
#include "runtime/building/cache_place.hpp"
#include "runtime/files/check_places.hpp"
#include "runtime/files/output_folder.hpp"
#include "runtime/files/replacement.hpp"
#include "runtime/files/temporary_folder.hpp"
#include "runtime/processes/interrupt.hpp"
#include "runtime/progress/progress.hpp"
#include "tune/database.hpp"
#include "tune/export_t4.hpp"
#include "tune/fused_minimum.hpp"
#include "tune/plan_text.hpp"
#include "tune/report.hpp"

namespace kasc::command {

namespace {

/// Everything between the call and the table, in the order in which it is made.
class Tuning {
public:
    Tuning(const TuneOptions& options, const Machine& machine, runtime::PhaseTimes times)
        : options_(options), machine_(machine), times_(times) {}

    int execute() {
        times_.enter(runtime::Phase::check);
        auto request = make_request(options_.common, machine_.device);
        if (!request) return end(request.diagnostics);
        request.value->plan.count = options_.top;
        *request.value = with_file_settings(std::move(*request.value), options_.input);
        auto checked = check_program(*request);
        say(checked.diagnostics);
        if (!checked || !check_files() || !make_folder() || !bind(*checked.value, request->settings) ||
            !open_database())
            return end({});
        times_.enter(runtime::Phase::plan);
        const auto compilation = plan_program(*checked, *request);
        say(compilation.diagnostics);
        if (!compilation) return end({});
        compilation_ = &*compilation.value;
        key_ = tuning_key(*compilation_, *request, machine_);
        if (!recall() || !try_missing(*request)) return end({});
        times_.enter(runtime::Phase::write);
        print_report();
        const int status = end(write_export());
        if (status == good) tell(times_.told(options_.timing));
        return status;
    }

private:
    const TuneOptions& options_;
    const Machine& machine_;
    const Compilation* compilation_ = nullptr;
    Diagnostics said_;
    std::optional<runtime::TemporaryFolder> folder_;
    runtime::BuildCache cache_;
    runtime::PhaseTimes times_;
    TuneBinding bound_;
    std::optional<tune::TuningDatabase> database_;
    tune::TuningKey key_;
    std::vector<std::optional<tune::Measurement>> results_;  ///< by plan
    double minimum_bytes_ = 0;

    void say(const Diagnostics& more) { said_.insert(said_.end(), more.begin(), more.end()); }
    int end(const Diagnostics& more) {
        say(more);
        return report(said_, options_.common.diagnostics);
    }
    template <class T>
    bool take(Outcome<T> outcome, T& to) {
        say(outcome.diagnostics);
        if (outcome.value) to = std::move(*outcome.value);
        return outcome.value.has_value();
    }
    [[nodiscard]] bool cuda() const { return machine_.target == emit::Target::cuda; }

    [[nodiscard]] std::string database_file() const {
        return options_.database.empty() ? tune::default_database().string() : options_.database;
    }
    bool check_files() {
        std::vector<runtime::CallFile> others = read_files(options_.common);
        others.push_back({options_.input, "the input file"});
        others.push_back({database_file(), "the tuning database"});
        say(runtime::check_places({{options_.export_file, "the exported file"}}, others));
        return !has_errors(said_);
    }
    bool make_folder() {
        auto made = runtime::TemporaryFolder::create();
        say(made.diagnostics);
        if (made) folder_.emplace(*std::move(made.value));
        return folder_.has_value();
    }

    bool bind(CheckedProgram& checked, const std::map<std::string, double>& settings) {
        times_.enter(runtime::Phase::read);
        if (!take(bind_tuning(checked, options_.input, settings), bound_)) return false;
        fix_sizes(checked, bound_.extents);
        minimum_bytes_ = tune::fused_minimum_bytes(checked, bound_.parameters);
        return true;
    }

    bool open_database() {
        auto database = tune::TuningDatabase::open(database_file());
        say(database.diagnostics);
        if (database) database_ = std::move(database.value);
        return database_.has_value();
    }

    /// Results of an earlier call with the same key, by the plans' texts.
    bool recall() {
        const auto known = database_->load(key_);
        say(known.diagnostics);
        if (!known) return false;
        results_.resize(compilation_->plans.size());
        for (std::size_t i = 0; i < results_.size(); ++i) {
            const std::string text = plan_text(*compilation_, compilation_->plans[i]);
            const auto at = std::find_if(known->begin(), known->end(), [&](const auto& m) { return m.plan == text; });
            if (at == known->end()) continue;
            results_[i] = *at;
            // What is asked for now may place it otherwise among more plans.
            results_[i]->position = static_cast<int>(i) + 1;
        }
        return true;
    }

    /// All, or as many as --spread says, evenly through their order, the first among them.
    [[nodiscard]] bool is_wanted(std::size_t plan) const {
        const std::size_t all = results_.size();
        if (options_.spread == 0 || options_.spread >= all) return true;
        // Plan floor(k all / spread) is the k-th of them.
        const std::size_t k = (plan * options_.spread + all - 1) / all;
        return k < options_.spread && k * all / options_.spread == plan;
    }

    bool try_missing(const CompileRequest& request) {
        std::vector<std::size_t> missing;
        for (std::size_t i = 0; i < results_.size(); ++i) {
            if (!results_[i] && is_wanted(i)) missing.push_back(i);
        }
        const std::size_t wanted = options_.spread > 0 ? std::min(options_.spread, results_.size()) : results_.size();
        if (missing.size() < wanted)
            tell_error(fmt::format("{} of {} plans were measured before\n", wanted - missing.size(), wanted));
        if (missing.empty()) return true;
        if (!options_.no_cache) take(runtime::users_cache(), cache_);
        const runtime::InterruptWatch interrupt;
        runtime::ProgressDisplay display("tuning " + compilation_->program.name,
                                         runtime::ProgressDisplay::standard_error(), 0, "plans");
        const auto data = make_data(request, interrupt);
        if (!data) return false;
        auto done = static_cast<long long>(wanted - missing.size());
        CandidateRequest candidates{*compilation_,
                                    request,
                                    machine_,
                                    job_for(*data),
                                    folder_->path(),
                                    options_.jobs > 0 ? options_.jobs : usable_cores(),
                                    cache_,
                                    times_,
                                    tune::default_database().replace_filename("measuring.lock"),
                                    [&] { return interrupt.interrupted() || has_errors(said_); },
                                    [&](std::size_t plan, const tune::Measurement& result) {
                                        learn(plan, result, data->has_reference);
                                        display.update(++done, static_cast<long long>(wanted));
                                    }};
        say(try_candidates(candidates, missing));
        display.finish();
        if (has_errors(said_)) return false;
        if (interrupt.interrupted()) {
            say({placeless("K0814", fmt::format("tuning was stopped after {} of {} plans", done, wanted),
                           "call again to measure the others: what was measured is kept")});
            return false;
        }
        return true;
    }

    void learn(std::size_t plan, tune::Measurement result, bool has_reference) {
        const PlannedGraph& planned = compilation_->plans[plan];
        result.plan = plan_text(*compilation_, planned);
        result.parts = tune::parts_text(*compilation_, planned);
        result.position = static_cast<int>(plan) + 1;
        result.asked = static_cast<int>(options_.top);
        result.predicted_ns = planned.time_ns;
        result.checked = has_reference;
        result.minimum_bytes = minimum_bytes_;
        say(database_->store(key_, result));
        results_[plan] = std::move(result);
    }

    /// Random or given inputs, and what the reference makes of them.
    std::optional<TuneData> make_data(const CompileRequest& request, const runtime::InterruptWatch& interrupt) {
        times_.enter(runtime::Phase::build);
        const auto code = emit_plan(*compilation_, request, 0, emit::Target::cpu);
        say(code.diagnostics);
        if (!code) return std::nullopt;
        const auto source = folder_->path() / "reference";
        std::vector<emit::EmittedFile> files = code->files;
        files.push_back(code->reference_entry);
        say(runtime::write_folder(source, files));
        runtime::BuildRequest build;
        build.library = (source / "reference.so").string();
        build.sources = {(source / (compilation_->program.name + "_reference.cpp")).string(),
                         (source / code->reference_entry.name).string()};
        build.link_names = code->reference_libraries;
        build.watch.stop = [&] { return interrupt.interrupted(); };
        build.cache = cache_;
        std::string library;
        if (has_errors(said_) || !take(runtime::build_shared_library(build), library)) return std::nullopt;
        times_.enter(runtime::Phase::compare);
        TuneDataRequest wanted{
            bound_.face,     bound_.extents, bound_.parameters, bound_.inputs ? &*bound_.inputs : nullptr,
            bound_.integers, library,        folder_->path(),   [&] { return interrupt.interrupted(); }};
        auto data = make_tune_data(wanted);
        say(data.diagnostics);
        if (data && !data->has_reference) {
            Diagnostic d = placeless("K0831", "the library has no reference of a function: results are not checked",
                                     "add a cpu_<function> to the library (docs/library.md)");
            d.severity = Severity::warning;
            say({d});
        }
        return data.value;
    }

    [[nodiscard]] runtime::MeasureJob job_for(const TuneData& data) const {
        runtime::MeasureJob job;
        job.target = cuda() ? runtime::BuildTarget::cuda : runtime::BuildTarget::cpu;
        job.extents = bound_.extents;
        job.parameters = bound_.parameters;
        job.inputs = data.inputs;
        job.outputs = data.outputs;
        job.check = data.has_reference;
        job.tolerance = result_tolerance(*compilation_, machine_.target);
        job.repeats = options_.repeats;
        job.limit_seconds = options_.limit_seconds;
        return job;
    }

    [[nodiscard]] std::vector<tune::Measurement> measurements() const {
        std::vector<tune::Measurement> all;
        for (const auto& result : results_) {
            if (result) all.push_back(*result);
        }
        return all;
    }
    void print_report() {
        const auto all = measurements();
        const std::string& name = compilation_->program.name;
        if (options_.format != "json") return tell(tune::report_text(key_, name, all));
        std::vector<nlohmann::ordered_json> kernels;
        for (const auto& result : results_)
            kernels.push_back(result ? kernels_json(*compilation_, compilation_->plans[kernels.size()])
                                     : nlohmann::ordered_json());
        tell(tune::report_json(key_, name, all, kernels));
    }
    Diagnostics write_export() {
        if (options_.export_file.empty()) return {};
        return runtime::replace_file(options_.export_file, tune::export_t4(key_, measurements()));
    }
};

}  // namespace

int tune_command(const TuneOptions& options) {
    runtime::PhaseTimes times;
    times.enter(runtime::Phase::device);
    auto machine = choose_machine(options.target, GpuCompiler::nvrtc, GpuUser::forks);
    if (!machine) return report(machine.diagnostics, options.common.diagnostics);
    return Tuning(options, *machine, times).execute();
}

}  // namespace kasc::command
