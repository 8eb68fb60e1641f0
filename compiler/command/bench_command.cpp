// kasc bench: kernels for every implementation of the library, built together, measured one after the other.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <set>
#include <tuple>

#include "api/data_folder.hpp"
#include "command/exit.hpp"
#include "command/options.hpp"
#include "command/request.hpp"
#include "command/streams.hpp"
#include "emit/emit.hpp"
#include "engine/machine.hpp"
#include "foundation/parallel.hpp"
#include "library/identity.hpp"
#include "model/device/device.hpp"
#include "model/device/measured_table.hpp"
#include "runtime/building/build.hpp"
#include "runtime/building/cache_place.hpp"
#include "runtime/files/check_places.hpp"
#include "runtime/files/output_folder.hpp"
#include "runtime/files/replacement.hpp"
#include "runtime/files/temporary_folder.hpp"
#include "runtime/processes/interrupt.hpp"
#include "runtime/progress/progress.hpp"
#include "runtime/runs/bench_library.hpp"
#include "tune/bench_source.hpp"
#include "tune/key.hpp"

namespace kasc::command {

namespace {

/// Bytes beside a block's own tiles, up to where the static shared memory of emitted kernels ends.
constexpr std::array extra_shared_bytes{0, 4096, 8192, 16384, 24576, 32768, 40960};
/// Far beyond a GPU's cache, so that loads and saves are those of memory; a CPU's runs should only be long enough to
/// time.
constexpr int size_on_gpu = 1 << 20, size_on_cpu = 1 << 14;

struct Subject {
    const Function* function = nullptr;
    const Implementation* implementation = nullptr;
    std::vector<int> elements;
    runtime::BuildRequest build;
    Diagnostics faults;
};

class Bench {
public:
    Bench(const BenchOptions& options, const Machine& machine) : options_(options), machine_(machine) {
        if (!cuda())
            extras_ = {0};  // a CPU has no such memory
        else
            extras_.assign(extra_shared_bytes.begin(), extra_shared_bytes.end());
    }

    int execute() {
        if (!options_.no_cache) {
            auto cache = runtime::users_cache();
            say(cache.diagnostics);
            cache_ = std::move(*cache.value);
        }
        if (!check_files() || !read() || !choose() || !write_sources() || !build() || !measure()) return end({});
        return end(write_table());
    }

private:
    const BenchOptions& options_;
    const Machine& machine_;
    std::vector<int> extras_;
    std::optional<runtime::TemporaryFolder> folder_;
    runtime::BuildCache cache_;
    Library library_;
    Device device_;
    std::vector<Subject> subjects_;
    MeasuredTable table_;
    Diagnostics said_;
    runtime::InterruptWatch interrupt_;

    [[nodiscard]] bool cuda() const { return machine_.target == emit::Target::cuda; }
    [[nodiscard]] runtime::BuildTarget build_target() const {
        return cuda() ? runtime::BuildTarget::cuda : runtime::BuildTarget::cpu;
    }
    void say(const Diagnostics& more) { said_.insert(said_.end(), more.begin(), more.end()); }
    int end(const Diagnostics& more) {
        say(more);
        return report(said_, options_.diagnostics);
    }
    bool stopped() {
        if (interrupt_.interrupted())
            say({placeless("K0814", "measuring was stopped; no table is written", "call again")});
        return interrupt_.interrupted();
    }

    bool check_files() {
        say(runtime::check_places({{options_.output, "the table"}}, library_files(options_.libraries)));
        return !has_errors(said_);
    }

    bool read() {
        std::vector<std::filesystem::path> folders{find_data_folder() / "elementlib"};
        folders.insert(folders.end(), options_.libraries.begin(), options_.libraries.end());
        auto library = read_library(folders);
        say(library.diagnostics);
        auto device = read_device(machine_.device, find_data_folder() / "devices");
        say(device.diagnostics);
        if (!library || !device) return false;
        library_ = std::move(*library.value);
        device_ = std::move(*device.value);
        return true;
    }

    bool choose() {
        std::vector<std::string> names;
        for (const Function& function : library_.functions) {
            names.push_back(function.name);
            if (!options_.function.empty() && options_.function != function.name) continue;
            for (const Implementation& implementation : function.implementations)
                subjects_.push_back({&function, &implementation, {}, {}, {}});
        }
        if (!subjects_.empty()) return true;
        const auto near = nearest_name(options_.function, names);
        say({placeless(
            "K0905", fmt::format("the library has no function '{}'", options_.function),
            near ? fmt::format("did you mean '{}'?", *near) : fmt::format("it has {}", fmt::join(names, ", ")))});
        return false;
    }

    bool write_sources() {
        auto made = runtime::TemporaryFolder::create();
        say(made.diagnostics);
        if (!made) return false;
        folder_.emplace(*std::move(made.value));
        const auto folder = folder_->path() / "source";
        std::vector<TextFile> files;
        const std::vector<const char*> headers =
            cuda() ? std::vector<const char*>{"kasc_bench_cuda.cuh", "kasc_device.cuh",    "kasc_half.h",
                                              "kasc_integers.hpp",   "kasc_quotients.hpp", "kasc_random.hpp",
                                              "kasc_vectors.cuh"}
                   : std::vector<const char*>{"kasc_bench_cpu.hpp", "kasc_cpu.hpp",      "kasc_crew.hpp",
                                              "kasc_half.h",        "kasc_integers.hpp", "kasc_planes.hpp",
                                              "kasc_quotients.hpp", "kasc_random.hpp",   "kasc_rooms.hpp"};
        for (const char* header : headers) {
            auto file = emit::data_file((find_data_folder() / "support").string(), header);
            say(file.diagnostics);
            if (!file) return false;
            files.push_back(*std::move(file.value));
        }
        Diagnostics unusable;
        for (Subject& s : subjects_) {
            const auto source =
                tune::bench_source(library_, *s.function, *s.implementation, options_.elements, machine_.target);
            if (!source) {
                const Diagnostics& why = s.implementation->faults;
                unusable.insert(unusable.end(), why.begin(), why.end());
                continue;
            }
            s.elements = source->elements;
            files.push_back({s.implementation->name + (cuda() ? ".cu" : ".cpp"), source->text});
            s.build.target = build_target();
            s.build.compute_capability = machine_.compute_capability;
            s.build.sources = {(folder / files.back().name).string()};
            s.build.library = (folder_->path() / (s.implementation->name + ".so")).string();
            s.build.cache = cache_;
            s.build.watch.stop = [this] { return interrupt_.interrupted(); };
        }
        std::erase_if(subjects_, [](const Subject& s) { return s.elements.empty(); });
        // Beside others that can be measured, what cannot is left out of the table.
        if (!subjects_.empty())
            for (Diagnostic& d : unusable) d.severity = Severity::warning;
        say(unusable);
        say(runtime::write_folder(folder, files));
        return !has_errors(said_);
    }

    bool build() {
        const auto jobs = static_cast<std::size_t>(options_.jobs > 0 ? options_.jobs : usable_cores());
        parallel_for(
            subjects_.size(),
            [&](std::size_t i) {
                if (!interrupt_.interrupted())
                    subjects_[i].faults = runtime::build_shared_library(subjects_[i].build).diagnostics;
            },
            jobs);
        if (stopped()) return false;
        for (const Subject& s : subjects_) say(s.faults);
        return !has_errors(said_);
    }

    bool measure() {
        table_.size = options_.size > 0 ? options_.size : cuda() ? size_on_gpu : size_on_cpu;
        runtime::ProgressDisplay display("measuring", runtime::ProgressDisplay::standard_error(), 0, "functions");
        long long done = 0;
        for (const Subject& s : subjects_) {
            if (!measure(s)) return false;
            display.update(++done, static_cast<long long>(subjects_.size()));
        }
        display.finish();
        std::sort(table_.entries.begin(), table_.entries.end(), [](const MeasuredEntry& a, const MeasuredEntry& b) {
            return std::tie(a.implementation, a.elements) < std::tie(b.implementation, b.elements);
        });
        return true;
    }

    bool measure(const Subject& s) {
        const auto memory = runtime::open_device_memory(build_target());
        std::vector<int> inputs;
        for (const TypeId type : s.function->arguments) inputs.push_back(library_.types[type].words);
        if (!memory) {
            say({placeless("K0805", "no GPU found", "run with --target cpu")});
            return false;
        }
        const auto bench = runtime::BenchLibrary::open(s.build.library, *memory, static_cast<int>(table_.size), inputs,
                                                       library_.types[s.function->result].words);
        say(bench.diagnostics);
        if (!bench) return false;
        for (const int elements : s.elements) {
            MeasuredEntry entry{s.implementation->name, code_hash(s), elements, {}};
            for (const int extra : extras_) {
                if (stopped()) return false;
                const auto times = bench->measure({elements, extra}, options_.repeats);
                say(times.diagnostics);
                if (!times) return false;
                if (times->fits) entry.times.push_back(an_element(extra, *times));
            }
            if (!entry.times.empty()) table_.entries.push_back(std::move(entry));
        }
        return true;
    }

    [[nodiscard]] std::string code_hash(const Subject& s) const {
        return hash_of(identity_text(*s.implementation, library_));
    }

    [[nodiscard]] MeasuredTimes an_element(int extra, const runtime::BenchTimes& times) const {
        const auto n = static_cast<double>(table_.size);
        const double occupancy =
            cuda() ? static_cast<double>(times.resident_threads) / device_.max_threads_per_multiprocessor : 1;
        return {extra,           times.load_ns / n,       times.compute_ns / n, times.save_ns / n,
                times.registers, std::min(1.0, occupancy)};
    }

    Diagnostics write_table() {
        table_.kasc = KASC_VERSION;
        table_.device = machine_.name;
        table_.driver = machine_.driver;
        table_.compiler = runtime::compiler_version(build_target());
        table_.library = hash_of(tune::whole_library_text(library_));
        const std::time_t now = std::time(nullptr);
        std::array<char, 11> date{};
        std::tm parts{};
        std::strftime(date.data(), date.size(), "%Y-%m-%d", gmtime_r(&now, &parts));
        table_.date = date.data();
        const std::string text = print(table_);
        if (options_.output.empty()) {
            tell(text);
            return {};
        }
        return runtime::replace_file(options_.output, text);
    }
};

}  // namespace

int bench_command(const BenchOptions& options) {
    auto machine = choose_machine(options.target, GpuCompiler::nvcc);
    if (!machine) return report(machine.diagnostics, options.diagnostics);
    return Bench(options, *machine).execute();
}

}  // namespace kasc::command
