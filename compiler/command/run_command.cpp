// kasc run: compile, bind to the inputs, build with the machine's compiler, call, write.
#include <fmt/format.h>

#include <algorithm>

#include "command/binding.hpp"
#include "command/exit.hpp"
#include "command/machine.hpp"
#include "command/request.hpp"
#include "command/temporary_folder.hpp"
#include "command/tune_key.hpp"
#include "driver/output_folder.hpp"
#include "driver/report.hpp"
#include "runtime/build.hpp"
#include "runtime/compare.hpp"
#include "runtime/entry_library.hpp"
#include "runtime/interrupt.hpp"
#include "runtime/outputs.hpp"
#include "runtime/progress.hpp"
#include "runtime/slice_picture.hpp"
#include "stability/stability.hpp"

namespace kasc::command {

namespace {

/// Everything between a compilation and its results, in the order in which it is made.
class Run {
public:
    Run(const RunOptions& options, const Machine& machine) : options_(options), machine_(machine) {}

    int execute() {
        auto request = make_request(options_.common, machine_.device);
        if (!request) return end(request.diagnostics);
        auto checked = check_program(*request);
        say(checked.diagnostics);
        if (!checked) return end({});
        if (!bind(*checked.value, request->settings)) return end({});
        const auto compilation = plan(*checked, *request);
        say(compilation.diagnostics);
        if (!compilation) return end({});
        compilation_ = &compilation->compilation;
        if (!build(*request)) return end({});
        fmt::print("{}{}", short_report(*compilation_, 0), compilation->note);
        std::fflush(stdout);
        if (!compute() || (options_.check && !check_against_reference())) return end({});
        const int written = end(outputs_->write());
        return written == good ? picture() : written;
    }

private:
    const RunOptions& options_;
    const Machine& machine_;
    const Compilation* compilation_ = nullptr;
    Diagnostics said_;
    std::vector<double> parameters_;
    std::vector<long long> extents_;
    Outcome<runtime::Inputs> inputs_;
    std::optional<runtime::Outputs> outputs_;
    TemporaryFolder folder_;
    std::string library_;
    runtime::ProgramInterface face_;

    void say(const Diagnostics& more) { said_.insert(said_.end(), more.begin(), more.end()); }
    int end(const Diagnostics& more) {
        say(more);
        const int status = report(said_, options_.common.diagnostics);
        said_.clear();
        return status;
    }
    template <class T>
    bool take(Outcome<T> outcome, T& to) {
        say(outcome.diagnostics);
        if (outcome.value) to = std::move(*outcome.value);
        return outcome.value.has_value();
    }

    /// Reads the inputs, and sets the sizes that the program is planned for to theirs.
    bool bind(CheckedProgram& checked, const std::map<std::string, double>& settings) {
        const Program& program = checked.program;
        face_ = interface_of(program, checked.library);
        std::map<std::string, long long> extents;
        for (const AxisId axis : program.axes.ids()) {
            const auto setting = settings.find(program.axes[axis].name);
            if (setting != settings.end()) extents[setting->first] = static_cast<long long>(setting->second);
        }
        if (const auto n = settings.find("n"); n != settings.end() && face_.stream)
            extents["n"] = static_cast<long long>(n->second);
        if (!picture_can_be_drawn() || !take(parameter_values(program), parameters_)) return false;
        inputs_ = runtime::open_inputs(options_.input, face_, extents);
        say(inputs_.diagnostics);
        if (!inputs_ || !take(extent_values(program, inputs_->extents, parameters_), extents_)) return false;
        if (face_.stream) {
            checked.problem.elements = extents_.front();
        } else {
            checked.problem.extents = extents_;
        }
        std::vector<const float*> arrays;
        for (const auto& array : inputs_->data.arrays) arrays.push_back(array.values.data());
        say(check_stability(program, checked.graph, parameters_, extents_, arrays));
        auto outputs = runtime::create_outputs({options_.output, options_.input, KASC_VERSION}, face_, extents_);
        say(outputs.diagnostics);
        outputs_ = std::move(outputs.value);
        return outputs_.has_value();
    }
    Outcome<TunedCompilation> plan(const CheckedProgram& checked, const CompileRequest& request) {
        if (options_.tuned.wanted) return plan_tuned(checked, request, options_.tuned, machine_);
        auto first = plan_program(checked, request);
        if (!first) return failure<TunedCompilation>(first.diagnostics);
        return success(TunedCompilation{std::move(*first.value), ""}, first.diagnostics);
    }
    bool build(const CompileRequest& request) {
        const auto files = emit_plan(*compilation_, request, 0, machine_.target);
        say(files.diagnostics);
        if (!files) return false;
        const std::filesystem::path folder =
            options_.keep.empty() ? folder_.path() / "source" : std::filesystem::path(options_.keep);
        const Diagnostics unwritable = write_folder(folder, *files);
        say(unwritable);
        if (!unwritable.empty()) return false;
        const std::string& p = compilation_->program.name;
        const bool cuda = machine_.target == emit::Target::cuda;
        runtime::BuildRequest build;
        build.target = cuda ? runtime::BuildTarget::cuda : runtime::BuildTarget::cpu;
        build.compute_capability = machine_.compute_capability;
        build.library = (folder_.path() / "program.so").string();
        build.sources.push_back((folder / (p + (cuda ? ".cu" : ".cpp"))).string());
        if (options_.check) build.sources.push_back((folder / (p + "_reference.cpp")).string());
        return take(runtime::build_shared_library(build), library_);
    }

    [[nodiscard]] runtime::EntryArguments arguments(std::vector<float*> results) const {
        runtime::EntryArguments a;
        a.extents = extents_;
        a.parameters = parameters_;
        for (const auto& array : inputs_->data.arrays) a.inputs.push_back(array.values.data());
        a.outputs = std::move(results);
        return a;
    }

    bool compute() {
        const auto entry = runtime::load_entry(library_, compilation_->program.name);
        say(entry.diagnostics);
        if (!entry) return false;
        runtime::EntryArguments call = arguments(outputs_->pointers());
        runtime::InterruptWatch interrupt;
        runtime::ProgressDisplay display(compilation_->program.name, runtime::ProgressDisplay::standard_error());
        call.go_on = [&](long long done, long long total) {
            display.update(done, total);
            return !interrupt.interrupted();
        };
        const auto run = runtime::invoke(*entry, call);
        display.finish();
        say(run.diagnostics);
        if (run)
            fmt::print("ran on {} in {:.3f} s, {:.3f} s of it in kernels\n", machine_.name, run->seconds,
                       run->kernel_seconds);
        return run.value.has_value();
    }

    bool check_against_reference() {
        const std::string name = compilation_->program.name + "_reference";
        const auto entry = runtime::load_entry(library_, name);
        say(entry.diagnostics);
        if (!entry) return false;
        std::vector<std::vector<float>> expected;
        std::vector<float*> results;
        results.reserve(outputs_->arrays().size());
        for (const runtime::ArrayView& array : outputs_->arrays()) expected.emplace_back(array.values.size());
        for (auto& values : expected) results.push_back(values.data());
        const auto run = runtime::invoke(*entry, arguments(results));
        if (!run) {
            say(run.diagnostics);
            return false;
        }
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (!equal(outputs_->arrays()[i], expected[i])) return false;
        }
        fmt::print("checked: all results equal the unfused reference on the CPU, {}\n",
                   tolerance() == 0 ? "bit for bit" : fmt::format("to {} of the largest value", tolerance()));
        return true;
    }

    [[nodiscard]] float tolerance() const { return result_tolerance(*compilation_, machine_.target); }

    bool equal(const runtime::ArrayView& array, const std::vector<float>& expected) {
        const auto word = runtime::first_difference(array.values, expected, tolerance());
        if (word)
            say({call_fault("K0813", runtime::difference_text(array.name, array.values, expected, *word),
                            "please report this, with the program")});
        return !word;
    }

    /// The output that --picture names, as its place among the outputs.
    [[nodiscard]] std::size_t drawn_output() const {
        const std::string name = options_.picture.substr(0, options_.picture.find('='));
        const auto& outputs = face_.outputs;
        return static_cast<std::size_t>(
            std::find_if(outputs.begin(), outputs.end(), [&](const auto& o) { return o.name == name; }) -
            outputs.begin());
    }

    /// Asked before the run, which may be long.
    bool picture_can_be_drawn() {
        if (options_.picture.empty()) return true;
        if (options_.picture.find('=') == std::string::npos) {
            say({call_fault("K0904", fmt::format("'{}' does not say what to draw into which file", options_.picture),
                            "write --picture OUTPUT=FILE.png")});
            return false;
        }
        if (drawn_output() < face_.outputs.size()) return true;
        std::string known;
        for (const auto& output : face_.outputs) known += (known.empty() ? "" : ", ") + output.name;
        say({call_fault("K0904",
                        fmt::format("the program has no output '{}' to draw",
                                    options_.picture.substr(0, options_.picture.find('='))),
                        "its outputs are " + known)});
        return false;
    }

    int picture() {
        if (options_.picture.empty()) return good;
        const std::size_t drawn = drawn_output();
        std::vector<std::string> axes;
        for (const int axis : face_.outputs.at(drawn).axes)
            axes.push_back(face_.axes.at(static_cast<std::size_t>(axis)));
        return end(runtime::write_slice_png(options_.picture.substr(options_.picture.find('=') + 1),
                                            outputs_->arrays().at(drawn), axes));
    }
};

}  // namespace

int run_command(const RunOptions& options) {
    auto machine = choose_machine(options.target);
    if (!machine) return report(machine.diagnostics, options.common.diagnostics);
    // Checking mode is there to check what a GPU would run.
    if (options.check && machine->target == emit::Target::cpu)
        machine.value = {emit::Target::cpu_checking, "h100", 0, "CPU in checking mode", ""};
    return Run(options, *machine).execute();
}

}  // namespace kasc::command
