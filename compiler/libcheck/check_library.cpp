// Each function runs in a child process with a clock that starts anew for each part. A child that ends early leaves in
// shared memory where it was and what it had found; the next child goes on with the implementation after that.

#include "libcheck/check_library.hpp"

#include <chrono>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "libcheck/build_units.hpp"
#include "libcheck/diagnose.hpp"
#include "runtime/processes/child.hpp"
#include "runtime/processes/shared_memory.hpp"

namespace kasc::libcheck {

namespace {

constexpr std::size_t most_findings_bytes = std::size_t{1} << 20;
constexpr runtime::ChildLimits limits{1, 60, std::uint64_t{1} << 30};  // a part takes some milliseconds

/// What a child tells its parent.
struct Channel {
    Whereabouts now;
    std::size_t bytes = 0;
    char findings[most_findings_bytes] = {};
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class FunctionRun {
public:
    FunctionRun(const CheckRequest& request, const CheckedFunction& checked, const BuiltFunction& built)
        : request_(request), checked_(checked), built_(built) {}

    FunctionReport report;
    Diagnostics said;

    void run() {
        const Function& function = request_.library.functions[checked_.function];
        const auto begin = std::chrono::steady_clock::now();
        report.name = function.name;
        report.implementations = checked_.implementations.size();
        report.reference = function.reference.has_value();
        if (built_.library.empty()) {
            said.push_back(diagnose_build(request_.library, checked_, built_.refused));
        } else {
            for (std::size_t next = 0; next < checked_.implementations.size();) next = run_from(next);
            const Diagnostics found = diagnose(request_.library, checked_, findings_);
            said.insert(said.end(), found.begin(), found.end());
            add_useless();
        }
        report.good = !has_errors(said);
        report.seconds = seconds_since(begin);
    }

private:
    const CheckRequest& request_;
    const CheckedFunction& checked_;
    const BuiltFunction& built_;
    Findings findings_;
    std::vector<bool> ended_early_ = std::vector<bool>(checked_.implementations.size(), false);

    /// The implementation to go on with.
    std::size_t run_from(std::size_t first) {
        const std::size_t none = checked_.implementations.size();
        const auto memory = runtime::SharedMemory::allocate(sizeof(Channel));
        if (!memory) {
            said.push_back(no_process());
            return none;
        }
        auto* channel = new (memory->data()) Channel;
        const runtime::ChildEnd end = runtime::run_in_child(limits, [&] { return work(first, *channel); });
        findings_.merge(Findings::restore({channel->findings, std::min(channel->bytes, most_findings_bytes)}));
        report.checks += channel->now.checks;
        if (end == runtime::ChildEnd::finished) return none;
        if (end == runtime::ChildEnd::no_child) {
            said.push_back(no_process());
            return none;
        }
        const EarlyEnd early = end == runtime::ChildEnd::out_of_time ? EarlyEnd::endless : EarlyEnd::crash;
        said.push_back(diagnose_end(request_.library, checked_, channel->now, early));
        if (channel->now.site.part == PartKind::reference) return none;
        const auto at = std::max(first, static_cast<std::size_t>(channel->now.site.implementation));
        ended_early_[std::min(at, none - 1)] = true;
        return at + 1;
    }

    bool work(std::size_t first, Channel& channel) const {
        const TracedUnit unit = load_traced_unit(built_.library);
        if (!unit) return false;
        const auto keep = [&](const Findings& findings) {
            const std::string text = findings.store();
            channel.bytes = std::min(text.size(), most_findings_bytes);
            std::memcpy(channel.findings, text.data(), channel.bytes);
        };
        const FunctionTask task{
            request_.library, checked_, built_.place, unit, first, [] { runtime::restart_child_clock(limits); }, keep,
            channel.now};
        keep(check_function(task));
        return true;
    }

    /// An implementation that no block suits is of no use: where nothing else told why, that is the fault.
    void add_useless() {
        for (std::size_t i = 0; i < checked_.implementations.size(); ++i) {
            const CheckedImplementation& how = checked_.implementations[i];
            if (how.no_block.empty() || ended_early_[i] || findings_.has_any(static_cast<int>(i))) continue;
            said.push_back(diagnose_no_block(request_.library, checked_, how));
        }
    }

    static Diagnostic no_process() {
        Diagnostic d;
        d.code = "K0711";
        d.message = "the machine cannot start a process to run the library's code in";
        d.help = "end other programs first";
        return d;
    }
};

/// A helper that does not compile is a fault of every function of its file: the compiler's words come once.
void say_once(Diagnostics& said) {
    std::set<std::string> told;
    for (Diagnostic& d : said) {
        if (d.code != "K0423") continue;
        std::vector<Note> fresh;
        for (Note& note : d.notes)
            if (told.insert(note.text).second) fresh.push_back(std::move(note));
        if (fresh.empty() && !d.notes.empty()) fresh.push_back({{}, "for the reasons that are told above"});
        d.notes = std::move(fresh);
    }
}

}  // namespace

Outcome<LibraryReport> check_library(const CheckRequest& request) {
    LibraryReport report;
    const auto begin = std::chrono::steady_clock::now();
    const auto built = build_units(request);
    if (!built) return failure<LibraryReport>(built.diagnostics);
    report.build_seconds = seconds_since(begin);
    Diagnostics said;
    const auto total = static_cast<long long>(request.plan.size());
    for (std::size_t f = 0; f < request.plan.size(); ++f) {
        FunctionRun run(request, request.plan[f], (*built)[f]);
        run.run();
        said.insert(said.end(), run.said.begin(), run.said.end());
        report.functions.push_back(run.report);
        if (request.go_on && !request.go_on(static_cast<long long>(f) + 1, total)) {
            said.push_back(stopped_check());
            return failure<LibraryReport>(std::move(said));
        }
    }
    said = tidy(std::move(said), said.size());  // in the order in which they are read
    say_once(said);
    return success(std::move(report), std::move(said));
}

}  // namespace kasc::libcheck
