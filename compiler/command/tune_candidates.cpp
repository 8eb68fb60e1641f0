// Plans 0 … 49 with 16 compilers: 16 are built at once and timed in turns, then the next 16. A plan that crashes ends
// the measuring process; its result says so, and another process goes on with those of the wave that have none yet.
#include "command/tune_candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>

#include "foundation/parallel.hpp"
#include "runtime/host.hpp"
#include "runtime/output_folder.hpp"
#include "runtime/replacement_file.hpp"

namespace kasc::command {

namespace {

/// Fewer would leave little to take turns with.
constexpr int smallest_wave = 4;

/// Statuses above 128 stand for signals (process.hpp).
std::string ending_text(int status) {
    return status > 128 ? fmt::format("ended the process: {}", strsignal(status - 128))
                        : fmt::format("ended the process with status {}", status);
}

struct Candidate {
    std::size_t plan = 0;
    runtime::BuildRequest build;
    tune::Measurement result;
    bool told = false;
};

class Wave {
public:
    Wave(const CandidateRequest& request, const std::vector<std::size_t>& plans) : request_(request) {
        for (const std::size_t plan : plans) candidates_.push_back({plan, {}, {}, false});
    }

    Diagnostics run() {
        request_.times.enter(runtime::Phase::emit);
        for (Candidate& c : candidates_) {
            Diagnostics faults = write_source(c);
            if (!faults.empty()) return faults;
        }
        request_.times.enter(runtime::Phase::build);
        build_all();
        request_.times.enter(runtime::Phase::compute);
        if (request_.interrupted()) return {};
        for (Candidate& c : candidates_) {
            if (c.result.invalidity != tune::correct) tell(c);
        }
        while (told() < candidates_.size()) {
            const auto before = told();
            Diagnostics faults = measure();
            if (!faults.empty() || request_.interrupted()) return faults;
            if (told() == before) return {call_fault("K0830", "the measuring process tells nothing", "")};
        }
        std::error_code ignored;
        for (const Candidate& c : candidates_) std::filesystem::remove_all(folder_of(c), ignored);
        return {};
    }

private:
    const CandidateRequest& request_;
    std::vector<Candidate> candidates_;
    Candidate* begun_ = nullptr;  ///< what the measuring process is at
    bool ended_ = false;

    [[nodiscard]] std::filesystem::path folder_of(const Candidate& c) const {
        return request_.folder / fmt::format("plan{}", c.plan);
    }
    [[nodiscard]] std::size_t told() const {
        return static_cast<std::size_t>(
            std::count_if(candidates_.begin(), candidates_.end(), [](const Candidate& c) { return c.told; }));
    }
    void tell(Candidate& c) {
        c.told = true;
        request_.learnt(c.plan, c.result);
    }
    void fail(Candidate& c, const char* invalidity, std::string message) {
        c.result.invalidity = invalidity;
        c.result.message = std::move(message);
    }

    Diagnostics write_source(Candidate& c) {
        const auto code = emit_plan(request_.compilation, request_.compile, c.plan, request_.machine.target);
        if (!code) return code.diagnostics;
        Diagnostics faults = runtime::write_folder(folder_of(c), code->files);
        const bool cuda = request_.machine.target == emit::Target::cuda;
        const std::string source = request_.compilation.program.name + (cuda ? ".cu" : ".cpp");
        c.build.target = request_.job.target;
        c.build.compute_capability = request_.machine.compute_capability;
        c.build.sources = {(folder_of(c) / source).string()};
        c.build.link_names = code->libraries;
        c.build.library = (folder_of(c) / "program.so").string();
        c.build.cache = request_.cache;
        c.build.watch.limit_seconds = request_.job.limit_seconds;
        c.build.watch.stop = request_.interrupted;
        return faults;
    }

    void build(Candidate& c) {
        const auto began = std::chrono::steady_clock::now();
        const auto built = runtime::build_shared_library(c.build);
        c.result.compilation_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        if (built) return;
        const Diagnostic& why = built.diagnostics.front();
        std::string message = why.message;
        for (const Note& note : why.notes) message += "\n" + note.text;
        const bool late = c.result.compilation_s > request_.job.limit_seconds;
        fail(c, late ? tune::invalid_timeout : tune::invalid_compile, std::move(message));
    }

    void build_all() {
        parallel_for(
            candidates_.size(),
            [&](std::size_t i) {
                if (!request_.interrupted()) build(candidates_[i]);
            },
            static_cast<std::size_t>(request_.jobs));
    }

    /// One measuring process for all that have no result yet. Tells at least one, or fails.
    Diagnostics measure() {
        runtime::MeasureJob job = request_.job;
        for (const Candidate& c : candidates_) {
            if (!c.told) job.candidates.push_back({static_cast<int>(c.plan), c.build.library});
        }
        const auto file = request_.folder / "job.json";
        if (Diagnostics bad = runtime::replace_file(file.string(), to_json(job)); !bad.empty()) return bad;
        begun_ = nullptr;
        ended_ = false;
        runtime::ProcessWatch watch;
        watch.stop = request_.interrupted;
        std::string said;  // what is no event: words of a crash
        watch.on_line = [&](const std::string& line) {
            const auto event = runtime::event_from_json(line);
            if (event) {
                take(*event);
            } else {
                said += line + "\n";
            }
        };
        const auto process = runtime::run_process({runtime::own_executable(), "measure", file.string()}, watch);
        if (request_.interrupted() || ended_) return {};
        const int status = process ? process->exit_code : -1;
        if (begun_ == nullptr)
            return {call_fault("K0830",
                               fmt::format("measuring failed before it began (status {}){}", status,
                                           said.empty() ? "" : ": " + said.substr(0, said.find('\n'))),
                               "do the arrays fit the device? tune smaller sizes with --set")};
        if (begun_->told) return {};  // a device failure that was told of
        if (status == 128 + SIGALRM) {
            fail(*begun_, tune::invalid_timeout, fmt::format("took more than {} s", request_.job.limit_seconds));
        } else {
            fail(*begun_, tune::invalid_runtime, ending_text(status) + (said.empty() ? "" : ": " + said));
        }
        tell(*begun_);
        return {};
    }

    void take(const runtime::MeasureEvent& event) {
        using Kind = runtime::MeasureEvent::Kind;
        if (event.kind == Kind::ended) ended_ = true;
        if (event.kind == Kind::copy) {
            for (Candidate& c : candidates_) c.result.copy_gb_s = c.told ? c.result.copy_gb_s : event.gb_s;
        }
        const auto at = std::find_if(candidates_.begin(), candidates_.end(),
                                     [&](const Candidate& c) { return static_cast<int>(c.plan) == event.candidate; });
        if (at == candidates_.end() || event.kind == Kind::ended || event.kind == Kind::copy) return;
        begun_ = &*at;
        if (event.kind == Kind::invalid) fail(*at, event.invalidity.c_str(), event.message);
        if (event.kind == Kind::measured) at->result.times_ns = event.times_ns;
        if (event.kind != Kind::begun && !at->told) tell(*at);
    }
};

}  // namespace

Diagnostics try_candidates(const CandidateRequest& request, const std::vector<std::size_t>& plans) {
    const auto size = static_cast<std::size_t>(std::max(request.jobs, smallest_wave));
    for (std::size_t begin = 0; begin < plans.size() && !request.interrupted(); begin += size) {
        const auto end = std::min(plans.size(), begin + size);
        const std::vector<std::size_t> wave(plans.begin() + static_cast<std::ptrdiff_t>(begin),
                                            plans.begin() + static_cast<std::ptrdiff_t>(end));
        Diagnostics faults = Wave(request, wave).run();
        if (!faults.empty()) return faults;
    }
    return {};
}

}  // namespace kasc::command
