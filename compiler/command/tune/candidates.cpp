// Plans 0 … 49 with 16 compilers: 16 are built at once and timed in turns, then the next 16. A plan that crashes ends
// the measuring process; its result says so, and another process goes on with those of the wave that have none yet.
#include "command/tune/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "engine/run_engine.hpp"
#include "runtime/processes/turn.hpp"
#include "runtime/runs/measure.hpp"

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
    std::unique_ptr<RunEngine> engine;
    tune::Measurement result;
    bool told = false;
};

class Wave {
public:
    Wave(const CandidateRequest& request, const std::vector<std::size_t>& plans) : request_(request) {
        for (const std::size_t plan : plans) candidates_.push_back({plan, nullptr, {}, false});
    }

    Diagnostics run() {
        if (Diagnostics bad = build_all(); !bad.empty()) return bad;
        request_.times.enter(runtime::Phase::compute);
        if (request_.interrupted()) return {};
        for (Candidate& c : candidates_) {
            if (failed(c)) tell(c);
        }
        while (told() < candidates_.size()) {
            const auto before = told();
            Diagnostics faults = measure();
            if (!faults.empty() || request_.interrupted()) return faults;
            if (told() == before) return {placeless("K0830", "the measuring process tells nothing", "")};
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

    [[nodiscard]] bool failed(const Candidate& c) const { return c.result.invalidity != tune::correct; }

    /// Emitted, and its compiler called.
    Diagnostics start(Candidate& c) {
        EngineRequest wanted;
        wanted.scratch = folder_of(c);
        wanted.cache = request_.cache;
        wanted.plan = c.plan;
        wanted.watch.limit_seconds = request_.job.limit_seconds;
        wanted.watch.stop = request_.interrupted;
        std::error_code refused;  // what is to be written there says so
        std::filesystem::create_directory(wanted.scratch, refused);
        auto engine = RunEngine::start(request_.compilation, request_.compile, request_.machine, std::move(wanted),
                                       request_.times);
        if (!engine) return engine.diagnostics;
        c.engine = std::make_unique<RunEngine>(std::move(*engine.value));
        return {};
    }

    void finish(Candidate& c) {
        const Diagnostics said = c.engine->finish();
        c.result.compilation_s = c.engine->compiler_seconds();
        const auto why =
            std::find_if(said.begin(), said.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
        if (why == said.end()) return;
        std::string message = why->message;
        for (const Note& note : why->notes) message += "\n" + note.text;
        fail(c, why->code == "K0807" ? tune::invalid_timeout : tune::invalid_compile, std::move(message));
    }

    /// About as many compilers at a time as are wanted: no plan is begun while so many work. The plan that is begun
    /// first is waited for first.
    Diagnostics build_all() {
        const auto jobs = static_cast<std::size_t>(request_.jobs);
        std::size_t next = 0, at_work = 0;
        for (Candidate& first : candidates_) {
            for (; next < candidates_.size() && at_work < jobs && !request_.interrupted(); ++next) {
                if (Diagnostics bad = start(candidates_[next]); !bad.empty()) return bad;
                at_work += candidates_[next].engine->compilers();
            }
            request_.times.enter(runtime::Phase::build);
            if (!first.engine || request_.interrupted()) break;
            at_work -= first.engine->compilers();
            finish(first);
        }
        return {};
    }

    /// One measuring process for all that have no result yet. Tells at least one, or fails.
    Diagnostics measure() {
        const auto blocks = std::make_shared<runtime::SharedBlocks>();
        runtime::MeasureJob job = request_.job;
        for (const Candidate& c : candidates_) {
            if (!c.told) job.candidates.push_back({static_cast<int>(c.plan), c.engine->trial(blocks)});
        }
        begun_ = nullptr;
        ended_ = false;
        const runtime::Turn turn(request_.turns, request_.interrupted);
        if (request_.interrupted()) return {};
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
        const auto work = [&job] {
            runtime::measure(job, [](const runtime::MeasureEvent& event) {
                fmt::print("{}\n", to_json(event));
                std::fflush(stdout);  // it must be known even if this process ends now
            });
            return 0;
        };
        const auto process = runtime::run_process(work, watch);
        if (request_.interrupted() || ended_) return {};
        const int status = process ? process->exit_code : -1;
        if (begun_ == nullptr)
            return {placeless("K0830",
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
