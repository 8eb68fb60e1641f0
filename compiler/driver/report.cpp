#include "driver/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "driver/fold_report.hpp"
#include "driver/plan_text.hpp"
#include "driver/report_parts.hpp"
#include "driver/step_depths.hpp"

namespace kasc {

namespace {

std::string parts_text(const Prediction& p) {
    return fmt::format(
        "global {} ({:.1f} MB), shared {} ({:.1f} MB), arithmetic {}, latency {}, dispatch {}, launch {}; {} "
        "registers, {} B shared a block, occupancy {:.0f} %, {:.1f} waves, {} barriers{}",
        time_text(p.global_ns), p.global_bytes / 1e6, time_text(p.shared_ns), p.shared_bytes / 1e6,
        time_text(p.arithmetic_ns), time_text(p.latency_ns), time_text(p.dispatch_ns), time_text(p.launch_ns),
        p.registers, p.shared_bytes_per_block, p.occupancy * 100, p.waves, p.barriers,
        p.code_bytes > 0 ? fmt::format(", {:.0f} KB of instructions: more than their cache holds", p.code_bytes / 1024)
                         : "");
}

std::string schedule_text(const Compilation& c, const Graph& graph, const KernelSchedule& schedule) {
    return print(schedule, c.program, graph, c.library);
}

std::string indented(const std::string& text, int columns) {
    std::string out;
    bool start = true;
    for (const char ch : text) {
        if (start && ch != '\n') out.append(static_cast<std::size_t>(columns), ' ');
        out.push_back(ch);
        start = ch == '\n';
    }
    return out;
}

/// Why the kernel is as it is, in one line: what stays inside and need not pass through memory.
std::string why(const Compilation& c, const Graph& graph, const Fusion& fusion) {
    if (fusion.calls.size() == 1) return "alone";
    constexpr std::size_t most_named = 12;
    const std::size_t named = fusion.inner.size() > most_named ? most_named - 1 : fusion.inner.size();
    std::string kept;
    for (std::size_t k = 0; k < named; ++k)
        kept += (kept.empty() ? "" : ", ") + value_name(graph, c.program, fusion.inner[k]);
    if (named < fusion.inner.size()) kept += fmt::format(" and {} others", fusion.inner.size() - named);
    return kept.empty() ? "they read the same data once"
                        : fmt::format("{} never leave{} the chip", kept, fusion.inner.size() == 1 ? "s" : "");
}

/// "schedules priced: best predicted time" as the search went on. What the strategy made at last may be worse than what
/// it made before: heuristics lose by more to choose from.
std::string progress_text(const std::vector<Progress>& progress) {
    if (progress.empty()) return "";
    std::string out = "best after schedules priced:";
    for (const Progress& p : progress)
        fmt::format_to(std::back_inserter(out), "{} {} {}", &p == &progress.front() ? "" : ",", p.schedules,
                       time_text(p.best_ns));
    if (progress.back().selected_ns > progress.back().best_ns)
        fmt::format_to(std::back_inserter(out), "; selected {}", time_text(progress.back().selected_ns));
    return out + "\n";
}

/// A line a call; the body of a loop that the kernel runs further in.
void put_calls(std::string& out, const Compilation& c, const Graph& expanded, const std::vector<NodeId>& calls,
               std::size_t columns) {
    for (const RepeatedCall& call : repeated_calls(c, expanded, calls)) {
        fmt::format_to(std::back_inserter(out), "{:{}}{}\n", "", columns, call.text);
        const auto loop = expanded.inner.find(call.first);
        if (loop != expanded.inner.end()) put_calls(out, c, expanded, loop->second.body, columns + 4);
    }
}

/// A line a field that a loop hands on (graph/handed_on.hpp).
void put_handed_on(std::string& out, const Compilation& c, const Graph& graph) {
    for (const Node& node : graph.nodes) {
        const auto* loop = std::get_if<LoopNode>(&node.what);
        if (loop == nullptr) continue;
        for (const Carried& carried : loop->carried) {
            const Value& leaving = loop->body->values[carried.leaving];
            if (leaving.producer) continue;
            fmt::format_to(std::back_inserter(out), "  loop {}: {} = {} copies nothing, the arrays change places\n",
                           c.program.loops[loop->loop].name, c.program.variables[carried.variable].name,
                           c.program.variables[leaving.variable].name);
        }
    }
}

}  // namespace

std::string short_report(const Compilation& c, std::size_t plan) {
    const PlannedGraph& planned = c.plans.at(plan);
    std::string out;
    const auto line = std::back_inserter(out);
    fmt::format_to(line, "{} for {}, {}:\n", c.program.name, c.device.name, problem_text(c));
    const auto names = kernel_names(c, planned);
    for (const GraphInPlan& g : graphs_of(c, planned)) {
        for (const Candidate* candidate : chosen(*g.planned)) {
            const Fusion& fusion = fusion_of(candidate->schedule);
            fmt::format_to(line, "  {} ({}; {} predicted): {} call{} fused, {}\n", names.at(candidate), g.name,
                           time_text(candidate->prediction.time_ns), fusion.calls.size(),
                           fusion.calls.size() == 1 ? "" : "s", why(c, *g.planned->graph, fusion));
            put_calls(out, c, *g.planned->costed->expanded, fusion.calls, 6);
        }
        put_handed_on(out, c, *g.planned->graph);
        if (!g.planned->costed->space.cut.empty())
            fmt::format_to(line, "  search cut in {}: {}\n", g.name, g.planned->costed->space.cut);
    }
    if (planned.bytes > 0) {
        fmt::format_to(line, "  global traffic: {:.1f} MB, unfused {:.1f} MB ({:.2f} times)\n", planned.bytes / 1e6,
                       planned.unfused_bytes / 1e6, planned.unfused_bytes / planned.bytes);
    }
    return out;
}

std::string plan_table(const Compilation& c) {
    std::string out = fmt::format("{:>4}  {:>12}  {:>7}  fusions\n", "plan", "predicted", "kernels");
    for (std::size_t i = 0; i < c.plans.size(); ++i) {
        std::string sizes;
        std::size_t kernels = 0;
        for (const GraphInPlan& g : graphs_of(c, c.plans[i])) {
            for (const Candidate* candidate : chosen(*g.planned)) {
                sizes += fmt::format("{}{}", sizes.empty() ? "" : " + ", fusion_of(candidate->schedule).calls.size());
                ++kernels;
            }
        }
        fmt::format_to(std::back_inserter(out), "{:>4}  {:>12}  {:>7}  {}\n", i + 1, time_text(c.plans[i].time_ns),
                       kernels, sizes);
    }
    return out;
}

std::string step_text(const StepReport& s) {
    if (!s.needed_inputs.empty() || !s.needed_parameters.empty()) {
        std::vector<std::string> all = s.needed_inputs, how;
        all.insert(all.end(), s.needed_parameters.begin(), s.needed_parameters.end());
        if (!s.needed_inputs.empty()) how.emplace_back("--in FILE.h5");
        for (const std::string& p : s.needed_parameters) how.push_back(fmt::format("--set {}=...", p));
        return fmt::format("the largest stable {} depends on {}: pass {}\n", s.parameter, fmt::join(all, ", "),
                           fmt::join(how, " "));
    }
    if (!s.largest) return "";
    const std::string largest = fmt::format("the largest stable {} is {:.3g}\n", s.parameter, *s.largest);
    if (!s.value) return largest;
    return fmt::format("{} = {:g} is {}; {}", s.parameter, *s.value,
                       *s.value <= *s.largest ? "stable" : "likely unstable", largest);
}

std::string explain_text(const Compilation& c, const std::optional<StepReport>& step) {
    std::string out = short_report(c, 0);
    const auto line = std::back_inserter(out);
    if (step) out += step_text(*step);
    if (!c.program.left_out.empty())
        fmt::format_to(line, "left out, since nothing needs them with these options: {}\n",
                       fmt::join(c.program.left_out, ", "));
    const auto names = kernel_names(c, c.plans.front());
    for (const GraphInPlan& g : graphs_of(c, c.plans.front())) {
        const CostedSpace& costed = *g.planned->costed;
        fmt::format_to(line, "\n== {} ==\n{} fusions, {} candidates evaluated; {}: {}\n", g.name,
                       costed.space.fusions.size(), costed.evaluated, g.planned->selection.strategy,
                       g.planned->selection.bound);
        out += progress_text(g.planned->progress);
        for (const Candidate* candidate : chosen(*g.planned)) {
            fmt::format_to(line, "\n{}: {}\n", names.at(candidate),
                           calls_text(c, *g.planned->graph, fusion_of(candidate->schedule).calls));
            fmt::format_to(line, "  predicted {}: {}\n", time_text(candidate->prediction.time_ns),
                           parts_text(candidate->prediction));
            out += indented(schedule_text(c, *g.planned->costed->expanded, candidate->schedule), 2);
        }
        const RefusalSummary refusals = summarise_refusals(c, *g.planned);
        if (!refusals.groups.empty()) out += "\nrefused:\n";
        for (const RefusalGroup& group : refusals.groups) {
            fmt::format_to(line, "  {} time{}: {}\n", group.count, group.count == 1 ? "" : "s", group.reason);
            for (const std::string& calls : group.calls) fmt::format_to(line, "      {}\n", calls);
        }
        if (refusals.left_out > 0) fmt::format_to(line, "  and {} more for other reasons\n", refusals.left_out);
    }
    const std::vector<FoldPlace> folds = fold_places(c, c.plans.front(), names);
    if (!folds.empty()) out += "\nfolds:\n";
    for (const FoldPlace& fold : folds)
        fmt::format_to(line, "  {}\n      {}: {}\n", fold.fold, fold.kernel, fold.reason);
    if (!c.rewrites.empty()) out += "\nrewrites:\n";
    for (const RewriteVerdict& r : c.rewrites) {
        fmt::format_to(line, "  {} {}: {}\n      {}\n", name_of(r.rule), r.verdict ? "applied" : "left",
                       r.verdict.reason(), r.statement);
    }
    if (!c.depths.empty())
        fmt::format_to(line, "\nsteps of a time loop in a kernel (--steps), a run by the model:\n{}",
                       depths_text(c.depths));
    const std::vector<CaptureVerdict>& captures = c.plans.front().captures;
    if (!captures.empty()) out += "\nCUDA graphs:\n";
    for (const CaptureVerdict& capture : captures)
        fmt::format_to(line, "  loop {}: {}{}\n", capture.loop, capture.verdict ? "" : "none, ",
                       capture.verdict.reason());
    const std::vector<AheadVerdict>& ahead = c.plans.front().ahead;
    if (!ahead.empty()) out += "\nloops with conditions:\n";
    for (const AheadVerdict& loop : ahead)
        fmt::format_to(line, "  loop {}: {}{}\n", loop.loop,
                       loop.verdict ? "" : "the host looks before each iteration, ", loop.verdict.reason());
    if (!c.list_verdicts.empty()) out += "\nlists of cells:\n";
    for (const std::string& verdict : c.list_verdicts) fmt::format_to(line, "  {}\n", verdict);
    const std::vector<Ride>& rides = c.plans.front().host->rides;
    if (!rides.empty()) out += "\nsmall kernels of loops:\n";
    for (const Ride& ride : rides)
        fmt::format_to(line, "  {}: {}{}\n", ride.kernel, ride.verdict ? "" : "a launch of its own, ",
                       ride.verdict.reason());
    const std::vector<Completion>& completions = c.plans.front().host->completions;
    if (!completions.empty()) out += "\nkernels of one block:\n";
    for (const Completion& completion : completions)
        fmt::format_to(line, "  {}: {}{}\n", completion.kernel, completion.verdict ? "" : "a launch of its own, ",
                       completion.verdict.reason());
    if (const std::string plan = plan_text(c, c.plans.front()); !plan.empty())
        fmt::format_to(line, "\nas a plan (--plan):\n  {}\n", plan);
    if (c.plans.size() > 1) {
        fmt::format_to(line, "\nnext best, {:.1f} % slower by the model:\n",
                       (c.plans[1].time_ns / c.plans[0].time_ns - 1) * 100);
        for (const GraphInPlan& g : graphs_of(c, c.plans[1])) {
            for (const Candidate* candidate : chosen(*g.planned)) {
                fmt::format_to(line, "  {}\n    predicted {}: {}\n",
                               calls_text(c, *g.planned->graph, fusion_of(candidate->schedule).calls),
                               time_text(candidate->prediction.time_ns), parts_text(candidate->prediction));
            }
        }
    }
    return out;
}

}  // namespace kasc
