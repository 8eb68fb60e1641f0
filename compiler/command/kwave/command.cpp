// kasc kwave: k-Wave's flags and files to a run of examples/kwave/kwave.kas, which has all of the physics.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "api/data_folder.hpp"
#include "command/exit.hpp"
#include "command/kwave/checks.hpp"
#include "command/kwave/output.hpp"
#include "command/run/together.hpp"
#include "command/streams.hpp"
#include "runtime/devices/gpu.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "runtime/hdf5/survey.hpp"
#include "runtime/processes/agreed.hpp"

namespace kasc::command {

namespace {

namespace fs = std::filesystem;

/// What the program's options record.
constexpr const char* recordings[] = {"p",         "p_max",     "p_min",   "p_rms",     "u",
                                      "u_max",     "u_min",     "u_rms",   "p_max_all", "p_min_all",
                                      "u_max_all", "u_min_all", "p_final", "u_final",   "u_non_staggered"};

Diagnostics check_flags(const KwaveOptions& o) {
    Diagnostics bad;
    for (const std::string& flag : o.refused)
        bad.push_back(placeless("K0914", fmt::format("{} is no flag of k-Wave 1.3, but of a development version", flag),
                                "an intensity is the mean of p u: record --p_raw and --u_non_staggered_raw, and "
                                "mind that u is half a step behind p"));
    return bad;
}

Diagnostics check_call(const KwaveOptions& o, const KwaveInput& input) {
    const auto steps = static_cast<long long>(input.number("Nt"));
    if (o.start > steps)
        return {placeless("K0910", fmt::format("-s {} asks for samples beyond the last step, {}", o.start, steps),
                          fmt::format("steps count from 1 to {}", steps))};
    const bool often = o.checkpoint_seconds > 0 || o.checkpoint_steps > 0;
    if (often == o.checkpoint.empty())
        return {placeless("K0911",
                          often ? "a checkpoint is asked for, and no file for it"
                                : "--checkpoint_file is given, and not when a checkpoint is due",
                          "give --checkpoint_file FILE.h5 with --checkpoint_timesteps or --checkpoint_interval")};
    return {};
}

/// The sensor's cells as the file lists them, for the copy in the output.
Outcome<std::vector<std::int32_t>> listed_cells(const std::string& path) {
    using Cells = std::vector<std::int32_t>;
    const std::string name = "sensor_mask_index";
    auto survey = runtime::survey_file(path, {name});
    if (!survey) return failure<Cells>(std::move(survey.diagnostics));
    const runtime::DatasetFacts& facts = survey->datasets.front();
    if (facts.state != runtime::DatasetFacts::State::good) {
        Diagnostic d =
            placeless("K0704", fmt::format("no dataset '{}' in '{}'", name, path), "leave --copy_sensor_mask out");
        d.span = runtime::dataset_place(path, name);
        return failure<Cells>(std::move(d));
    }
    const auto read =
        runtime::read_datasets(path, survey->stamp, {{name, facts.shape(), 0, 0, runtime::WordType::int32}});
    if (!read) return failure<Cells>(read.diagnostics);
    const auto* first = static_cast<const std::int32_t*>(read->arrays.front().values.data());
    return success(Cells(first, first + read->arrays.front().values.size()));
}

RunOptions run_options(const KwaveOptions& o, const KwaveInput& input) {
    RunOptions run;
    run.common.program = (find_data_folder() / "examples" / "kwave" / "kwave.kas").string();
    run.common.diagnostics = o.diagnostics;
    run.input = o.input;
    run.output = o.output;
    run.target = o.device >= 0 ? "cuda" : o.target;
    run.allow = o.allow;
    run.memory = o.memory;
    run.share = o.share;
    run.basis = o.basis;
    run.keep = o.keep;
    run.check = o.check;
    run.no_cache = o.no_cache;
    run.timing = o.timing;
    const auto set = [&](const std::string& name, long long value) {
        run.common.settings.push_back(fmt::format("{}={}", name, value));
    };
    for (const std::string name : recordings)
        set("record_" + name, o.recorded.contains(name) || (o.recorded.empty() && name == "p") ? 1 : 0);
    set("sampling_start", o.start);
    if (!input.boxes.empty()) set("sensor_mask_type", 0);
    if (o.benchmark > 0) set("Nt", o.benchmark);
    run.checkpoint = o.checkpoint;
    std::error_code error;
    if (!o.checkpoint.empty() && fs::exists(o.checkpoint, error)) run.restart = o.checkpoint;
    return run;
}

/// Whether there is the GPU that -g names, or any where one is asked for; the CPU in its place would be a surprise.
Diagnostics check_gpu(const KwaveOptions& o) {
    if (o.device < 0 && o.target != "cuda") return {};
    if (o.target == "cpu")
        return {placeless("K0912", fmt::format("-g {} names a GPU, and --target cpu takes none", o.device),
                          "leave one of them out")};
    const std::vector<std::string> names = runtime::gpu_names();
    if (names.empty())
        return {placeless("K0805", "no GPU found",
                          "run it on the CPU: as kspaceFirstOrder-OMP (is_gpu_simulation=False or device=\"cpu\" in "
                          "Python), or with --target cpu, without -g")};
    if (o.device < 0 || static_cast<std::size_t>(o.device) < names.size()) return {};
    Diagnostic d = placeless("K0913", fmt::format("there is no GPU {}", o.device), "give -g one of these numbers");
    for (std::size_t i = 0; i < names.size(); ++i) d.notes.push_back({{}, fmt::format("GPU {} is a {}", i, names[i])});
    return {d};
}

/// k-Wave's -g counts the GPUs that CUDA sees; to this process the one alone is left.
void choose_gpu(int number) {
    const char* seen = std::getenv("CUDA_VISIBLE_DEVICES");
    std::string chosen = std::to_string(number);
    if (seen != nullptr && *seen != '\0') {
        std::string_view left = seen;
        for (int k = 0; k < number && !left.empty(); ++k) {
            const std::size_t comma = left.find(',');
            left = comma == std::string_view::npos ? std::string_view{} : left.substr(comma + 1);
        }
        if (!left.empty()) chosen = left.substr(0, left.find(','));
    }
    setenv("CUDA_VISIBLE_DEVICES", chosen.c_str(), 1);
}

/// What is best for a usual simulation is good for any: transforms take most of a step, and what a kernel computes
/// again or reads makes little difference beside them. A usual one has 128 cells along an axis, in space 64, as many
/// entries of all that is listed, and 1000 steps.
void plan_for_usual_sizes(CheckedProgram& checked) {
    const Program& program = checked.program;
    std::vector<long long>& extents = checked.problem.extents;
    const auto axes = program.axes.ids();
    const bool plane = std::any_of(axes.begin(), axes.end(), [&](AxisId axis) {
        return program.axes[axis].name == "z" && extents.at(axis.index) == 1;
    });
    const long long n = plane ? 128 : 64;
    for (const AxisId axis : axes) {
        const bool one = plane && program.axes[axis].name == "z";
        extents.at(axis.index) = one ? 1 : program.axes[axis].half_of ? n / 2 + 1 : n;
    }
    checked.problem.given.assign(extents.size(), false);  // no plan is for one length alone
    for (const ParameterId p : program.parameters.ids()) {
        const Parameter& parameter = program.parameters[p];
        const bool real = parameter.kind == ScalarKind::real;
        checked.problem.parameters.at(p.index) = real ? 1.0 : parameter.name == "Nt" ? 1000.0 : static_cast<double>(n);
    }
}

void print_head(const KwaveInput& input) {
    const auto n = [&](const char* name) { return static_cast<long long>(input.number(name)); };
    tell(fmt::format("kasc {} for k-Wave: {} x {}{} points, {} steps\n", KASC_VERSION, n("Nx"), n("Ny"),
                     n("Nz") > 1 ? fmt::format(" x {}", n("Nz")) : "", n("Nt")));
    std::fflush(stdout);
}

/// What the call and its file ask for.
struct KwaveCall {
    KwaveInput input;
    std::vector<std::int32_t> sensor{};  ///< its cells, where the file has boxes or the output a copy
};

Outcome<KwaveCall> read_call(const KwaveOptions& options) {
    if (Diagnostics bad = check_flags(options); !bad.empty()) return failure<KwaveCall>(std::move(bad));
    auto input = read_kwave_input(options.input);
    if (!input) return failure<KwaveCall>(std::move(input.diagnostics));
    KwaveCall call{*std::move(input.value)};
    if (options.benchmark > 0) call.input.numbers["Nt"] = static_cast<double>(options.benchmark);
    if (Diagnostics bad = check_call(options, call.input); !bad.empty()) return failure<KwaveCall>(std::move(bad));
    if (Diagnostics bad = check_gpu(options); !bad.empty()) return failure<KwaveCall>(std::move(bad));
    if (!call.input.boxes.empty() || options.copy_sensor_mask) {
        auto cells = call.input.boxes.empty() ? listed_cells(options.input) : cells_of_boxes(options.input, call.input);
        if (!cells) return failure<KwaveCall>(std::move(cells.diagnostics));
        call.sensor = *std::move(cells.value);
    }
    return success(std::move(call));
}

}  // namespace

int kwave_command(const KwaveOptions& options) {
    RunFront front;
    front.times.enter(runtime::Phase::survey);
    // What is built serves any number of processes, and takes one.
    auto processes = options.build_only ? success<std::unique_ptr<runtime::Communicator>>(nullptr) : join_launched();
    if (!processes) return report(processes.diagnostics, options.diagnostics);
    front.processes = processes.value->get();
    const auto refuse = [&](const Diagnostics& said) {
        if (!speaks(front.processes)) return status_of(said);
        return report(in_words_of(kwave_words(), said), options.diagnostics);
    };
    auto asked = read_call(options);
    // What is wrong on one machine alone ends all processes, too.
    if (const Diagnostics bad = runtime::agreed(front.processes, asked.diagnostics, "K0817"); !bad.empty())
        return refuse(bad);
    const KwaveInput& input = asked->input;
    const std::vector<std::int32_t>& sensor = asked->sensor;
    if (options.threads > 0) setenv("OMP_NUM_THREADS", std::to_string(options.threads).c_str(), 1);
    if (options.device >= 0) choose_gpu(options.device);

    const RunOptions run = run_options(options, input);
    if (front.processes != nullptr) {
        if (const Diagnostics bad = check_together(run, *front.processes); !bad.empty()) return refuse(bad);
    }
    KwaveRecord record;
    if (!run.restart.empty()) record.seconds_before = told_seconds(options.output);
    front.quiet = options.verbose == 0;
    front.plan_for = plan_for_usual_sizes;
    front.build_only = options.build_only;
    front.portable_into = options.portable_into;
    front.purpose = runtime::BuildPurpose::soon;  // transforms take most of a step, and scripts have short runs
    if (!input.boxes.empty())
        front.inputs.push_back(
            {"sensor_mask_index", {sensor.size()}, {runtime::WordType::int32, sensor.data(), sensor.size()}});
    front.examine = check_kwave;
    front.form = [&](const runtime::ProgramInterface& face, const std::vector<long long>& extents) {
        return kwave_form(options, input, sensor, face, extents, record);
    };
    front.ended = [&](const RunFigures& figures) { record.figures = figures; };
    front.stop_at_checkpoint = !options.checkpoint.empty();
    front.flags = &kwave_words();
    // An initial pressure is the first step; the program's loop begins with the second.
    front.steps_before = static_cast<long long>(input.number("p0_source_flag"));
    front.report = {options.progress};
    front.every = {options.checkpoint_steps, static_cast<double>(options.checkpoint_seconds)};
    if (!options.build_only && speaks(front.processes)) print_head(input);
    const int status = run_with(run, front);
    if (status != good || options.build_only || !speaks(front.processes)) return status;
    const RunFigures& f = record.figures;
    tell(fmt::format("{} of {} steps in {:.2f} s{}\n", front.steps_before + f.done, front.steps_before + f.total,
                     record.seconds_before + f.compute_seconds,
                     f.done < f.total ? "; checkpoint written: the same call goes on" : ""));
    std::error_code error;
    if (f.done == f.total && !options.checkpoint.empty()) fs::remove(options.checkpoint, error);
    return status;
}

}  // namespace kasc::command
