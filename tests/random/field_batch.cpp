#include "random/field_batch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <regex>
#include <stdexcept>

#include "random/field_machine.hpp"
#include "random/field_program.hpp"
#include "random/field_rewrites.hpp"
#include "random/runs_by_ranks.hpp"
#include "rewrite/inner_loops.hpp"
#include "rewrite/order_lists.hpp"
#include "rewrite/transform_passes.hpp"
#include "search/lines.hpp"

namespace kasc::random {

using test::Cells;

namespace {

constexpr std::size_t most_field_reports = 3;  // of a batch: each is shrunk

const Library& library() {
    static const Library read = [] {
        auto all = read_library({std::filesystem::path(KASC_SOURCE_DIR) / "elementlib"});
        if (!all) throw std::logic_error(render_text(all.diagnostics));
        return std::move(*all.value);
    }();
    return read;
}

std::string plan_text(const Program& program, const HostPlan& plan) {
    std::string text = print(plan, program);
    for (const kernel::Lowered& lowered : plan.kernels) text += print(lowered.alternatives.front());
    return text;
}

/// As text, without the statements as they were written.
std::string graph_text(const Graph& graph, const Program& program) {
    return std::regex_replace(print(graph, program, library()), std::regex("  // [^\n]*"), "");
}

/// The text of a program says all of it: the same program is read from it.
std::string check_text(const Program& program, const Graph& graph) {
    const std::string text = print(program, library());
    const auto again = read_program(make_source("r.kas", text), library());
    if (!again) return "does not read back:\n" + text + render_text(again.diagnostics);
    if (const std::string printed = print(*again, library()); printed != text)
        return "reads back as another:\n" + text + printed;
    const auto other = build_graph(*again);
    const std::string first = graph_text(graph, program), second = other ? graph_text(*other, *again) : "";
    if (second != first) return "reads back as another graph:\n" + text + first + second;
    return "";
}

constexpr std::size_t cases = 2;

/// Empty, or what is wrong where several ranks share the launches.
std::string by_ranks(const Program& program, const TestedFieldPlan& plan, const FieldRunCase& run,
                     const std::vector<Cells>& expected, unsigned seed) {
    const int ranks = 2 + static_cast<int>(seed % 3);
    const FieldPlanRun result = run_by_ranks(program, library(), plan, run, ranks, seed);
    const std::string wrong = result.fault.empty() ? difference(program, expected, result.outputs) : result.fault;
    return wrong.empty() ? "" : fmt::format("{} ranks: {}", ranks, wrong);
}

/// The same where each has memory of its own.
std::string by_processes(const Program& program, const TestedFieldPlan& plan, const FieldRunCase& run,
                         const std::vector<Cells>& expected, unsigned seed) {
    const int ranks = std::array{2, 3, 8}.at(seed / 2 % 3);
    const FieldPlanRun result = run_by_processes(program, library(), plan, run, ranks, seed);
    const std::string wrong = result.fault.empty() ? difference(program, expected, result.outputs) : result.fault;
    return wrong.empty() ? "" : fmt::format("{} processes: {}", ranks, wrong);
}

/// Empty, or what is wrong: with all plans of the program, on these grids.
std::string run_plans(const Program& program, const TestedFieldPlans& plans, const std::vector<FieldRunCase>& runs,
                      FieldTally& tally) {
    for (std::size_t c = 0; c < runs.size(); ++c) {
        const FieldRunCase& run = runs[c];
        const std::vector<Cells> expected = run_field_reference(program, run);
        for (std::size_t p = 0; p < plans.plans.size(); ++p) {
            const TestedFieldPlan& plan = plans.plans[p];
            const FieldPlanRun result = run_field_plan(program, plan, run, (p + c) % 2 == 1);
            tally.counts.add(result.counts);
            std::string wrong = result.fault.empty() ? difference(program, expected, result.outputs) : result.fault;
            if (wrong.empty() && !has_transforms(program) && (p + c) % 3 == 0)
                wrong = by_ranks(program, plan, run, expected, static_cast<unsigned>(p + c));
            if (wrong.empty() && !has_transforms(program) && (p + c) % 3 == 1)
                wrong = by_processes(program, plan, run, expected, static_cast<unsigned>(p + c) / 3);
            if (wrong.empty()) continue;
            return fmt::format("plan {}, extents {}: {}\n{}", p, fmt::join(run.problem.extents, " x "), wrong,
                               plan_text(program, plan.host));
        }
    }
    return "";
}

/// What cells are, as the program says them and by hand, to the bit.
std::string check_cells(const Program& program, const std::string& by_words, const std::vector<FieldRunCase>& runs) {
    const auto other = read_program(make_source("words.kas", by_words), library());
    if (!other) return "by words it is no program:\n" + by_words + render_text(other.diagnostics);
    for (const FieldRunCase& run : runs) {
        const std::vector<Cells> expected = run_of_names(program, run, *other);
        const std::string wrong = difference(program, expected, run_field_reference(program, run));
        if (!wrong.empty())
            return fmt::format("by words it gives something else, extents {}: {}\n{}",
                               fmt::join(run.problem.extents, " x "), wrong, by_words);
    }
    return "";
}

struct Finding {
    bool is_program = false;  ///< else `fault` is what the front end says
    std::string fault;        ///< empty: nothing is wrong
};

/// Each program that rules make of this one gives the same.
std::string check_rewrites(const Program& program, const std::vector<RewrittenProgram>& others,
                           const std::vector<FieldRunCase>& runs) {
    for (const RewrittenProgram& other : others) {
        for (const FieldRunCase& run : runs) {
            const std::string wrong = check_rewritten(program, other, run);
            if (!wrong.empty())
                return fmt::format("rewritten ({}), extents {}: {}\n{}", fmt::join(other.rules, ", "),
                                   fmt::join(run.problem.extents, " x "), wrong, print(other.program, library()));
        }
    }
    return "";
}

/// Plans of the program, or of one that rules make of it.
std::string check_plans(const Program& program, const Graph& graph, const std::vector<FieldRunCase>& runs, Draw& draw,
                        FieldTally& tally) {
    const TestedFieldPlans plans = covering_field_plans(program, graph, library(), Walks::any, draw);
    if (!plans.faults.empty()) return plans.faults.front();
    FieldTally one;
    one.programs = 1, one.fusions = plans.fusions, one.refused = plans.refused, one.plans = plans.plans.size();
    one.transforms = has_transforms(program) ? 1 : 0;
    for (const TestedFieldPlan& p : plans.plans) {
        one.kernels += p.host.kernels.size();
        one.prologues += static_cast<std::size_t>(std::count_if(
            p.kernels.begin(), p.kernels.end(), [](const auto& kernel) { return kernel.second.has_prologue(); }));
        one.storing += stored_kernels(p.host).size();
        one.riders += static_cast<std::size_t>(
            std::count_if(p.host.rides.begin(), p.host.rides.end(), [](const Ride& r) { return bool(r.verdict); }));
        one.completed += static_cast<std::size_t>(std::count_if(p.host.completions.begin(), p.host.completions.end(),
                                                                [](const Completion& k) { return bool(k.verdict); }));
    }
    tally.add(one);
    return run_plans(program, plans, runs, tally);
}

/// Kernels that transform lines, in double: within what a disturbance of all transforms changes.
std::string check_lines(const Program& written, const FieldRunCase& run, Draw& draw, FieldTally& tally) {
    if (!has_transforms(written)) return "";
    const Program program = in_double(written);
    const TransformPasses passes = transform_passes(order_lists(program).program);
    const auto graph = build_graph(passes.program);
    if (!graph) return render_text(graph.diagnostics);
    const TestedFieldPlans plans =
        covering_field_plans(passes.program, *graph, library(), Walks::device, draw, &run.problem.extents);
    if (!plans.faults.empty()) return "lines: " + plans.faults.front();
    // Lines of two stages, 8 and 4, are too long to run: their kernels are checked alone.
    const std::vector<long long> longer(run.problem.extents.size(), 32);
    const TestedFieldPlans of_two =
        covering_field_plans(passes.program, *graph, library(), Walks::device, draw, &longer);
    if (!of_two.faults.empty()) return "lines of 32: " + of_two.faults.front();
    const std::vector<Cells> expected = run_field_reference(program, run);
    for (std::size_t p = 0; p < plans.plans.size(); ++p) {
        const TestedFieldPlan& plan = plans.plans[p];
        tally.lines += lengths_of(plan.host).empty() ? 0 : 1;
        const FieldPlanRun result = run_field_plan(passes.program, plan, run, p % 2 == 1);
        const std::string wrong = result.fault.empty() ? far_off(program, expected, result.outputs, run) : result.fault;
        if (!wrong.empty())
            return fmt::format("lines, plan {}, extents {}: {}\n{}", p, fmt::join(run.problem.extents, " x "), wrong,
                               plan_text(passes.program, plan.host));
    }
    return "";
}

/// Loops that blocks run for whole lines, whose kernels serve one length alone.
std::string check_loops_of_lines(const Program& written, const FieldRunCase& run, Draw& draw, FieldTally& tally) {
    const InnerLoops inner = inner_loops(order_lists(written).program);
    const bool has_lines = std::any_of(inner.verdicts.begin(), inner.verdicts.end(),
                                       [](const InnerVerdict& loop) { return !loop.along.empty(); });
    if (!has_lines || has_transforms(written)) return "";  // those round otherwise within kernels
    const auto graph = build_graph(inner.program);
    if (!graph) return render_text(graph.diagnostics);
    const TestedFieldPlans plans =
        covering_field_plans(inner.program, *graph, library(), Walks::device, draw, &run.problem.extents);
    if (!plans.faults.empty()) return "loops of lines: " + plans.faults.front();
    for (const TestedFieldPlan& p : plans.plans)
        tally.loops_of_lines +=
            static_cast<std::size_t>(std::count_if(p.kernels.begin(), p.kernels.end(), [](const auto& kernel) {
                return kernel.second.loop() != nullptr && kernel.second.loop()->work->of_lines();
            }));
    return run_plans(inner.program, plans, {run}, tally);
}

/// Rows and sums across them in one kernel, which serves one length alone.
std::string check_sums_across_lines(const Program& written, const FieldRunCase& run, Draw& draw, FieldTally& tally) {
    const Program program = order_lists(written).program;
    const auto graph = build_graph(program);
    if (!graph) return render_text(graph.diagnostics);
    const LineCalls lines = find_line_calls(program, *graph);
    const auto folded_across = [&](NodeId node) {
        const auto* update = std::get_if<FieldUpdate>(&graph->nodes[node].what);
        return update != nullptr && std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
                   return line && line->role == LineRole::join && folds_across(program, *update, *line);
               });
    };
    const auto nodes = graph->nodes.ids();
    if (has_transforms(written) || std::none_of(nodes.begin(), nodes.end(), folded_across)) return "";
    const TestedFieldPlans plans =
        covering_field_plans(program, *graph, library(), Walks::device, draw, &run.problem.extents);
    if (!plans.faults.empty()) return "sums across lines: " + plans.faults.front();
    for (const TestedFieldPlan& p : plans.plans)
        tally.sums_across += static_cast<std::size_t>(std::count_if(
            p.kernels.begin(), p.kernels.end(), [](const auto& kernel) { return kernel.second.folds_across_lines(); }));
    return run_plans(program, plans, {run}, tally);
}

/// `by_words`: the same text where the program has no cells with a shape, or nobody has said them by hand.
Finding check(const std::string& text, const std::string& by_words, unsigned seed, FieldTally& tally) {
    const auto program = read_program(make_source("r.kas", text), library());
    const auto graph = program ? build_graph(*program) : Outcome<Graph>{};
    if (!graph) return {false, render_text(program ? graph.diagnostics : program.diagnostics)};
    if (std::string fault = check_text(*program, *graph); !fault.empty()) return {true, fault};
    Draw draw(seed * 16);
    try {
        std::vector<FieldRunCase> runs;
        for (std::size_t c = 0; c < cases; ++c) runs.push_back(draw_field_case(*program, draw));
        if (by_words != text) {
            ++tally.cells;
            if (std::string fault = check_cells(*program, by_words, runs); !fault.empty()) return {true, fault};
        }
        const std::vector<RewrittenProgram> others = rewritten_programs(*program);
        std::set<std::string> rules;
        for (const RewrittenProgram& other : others) rules.insert(other.rules.begin(), other.rules.end());
        for (const std::string& rule : rules) ++tally.rules[rule];
        if (std::string fault = check_rewrites(*program, others, runs); !fault.empty()) return {true, fault};
        for (const FieldRunCase& run : runs)
            if (std::string fault = check_words(*program, library(), run, tally.words); !fault.empty())
                return {true, fault};
        Draw of_lines(seed * 16 + 7);
        if (std::string fault = check_lines(*program, runs.front(), of_lines, tally); !fault.empty())
            return {true, fault};
        Draw of_loops(seed * 16 + 11);
        if (std::string fault = check_loops_of_lines(*program, runs.back(), of_loops, tally); !fault.empty())
            return {true, fault};
        Draw of_sums(seed * 16 + 13);
        if (std::string fault = check_sums_across_lines(*program, runs.front(), of_sums, tally); !fault.empty())
            return {true, fault};
        const auto planned = static_cast<std::size_t>(draw.between(0, static_cast<int>(others.size())));
        const Program& other = planned == others.size() ? order_lists(*program).program : others[planned].program;
        const auto of_other = build_graph(other);
        if (!of_other)
            return {true, "a rewritten program has no graph:\n" + print(other, library()) +
                              render_text(of_other.diagnostics)};
        return {true, check_plans(other, *of_other, runs, draw, tally)};
    } catch (const std::exception& e) {
        return {true, fmt::format("the reference cannot run it: {}", e.what())};
    }
}

Finding check(const FieldProgram& drawn, unsigned seed, FieldTally& tally) {
    return check(text_of(drawn), text_by_words(drawn), seed, tally);
}

/// Without the lines that the failure does not need.
std::string shrunk(unsigned seed, FieldProgram drawn, std::string fault) {
    FieldTally unused;
    for (std::size_t k = 0;;) {
        FieldProgram smaller = drawn;
        if (!drop_line(smaller, k)) break;
        Finding still = check(smaller, seed, unused);
        if (still.is_program && !still.fault.empty()) {
            drawn = std::move(smaller);
            fault = std::move(still.fault);
            k = 0;
        } else {
            ++k;
        }
    }
    return fmt::format("seed {}:\n{}\n{}", seed, text_of(drawn), fault);
}

}  // namespace

void FieldTally::add(const FieldTally& other) {
    programs += other.programs, fusions += other.fusions, refused += other.refused, plans += other.plans;
    kernels += other.kernels, riders += other.riders, completed += other.completed, prologues += other.prologues,
        transforms += other.transforms;
    storing += other.storing, lines += other.lines, loops_of_lines += other.loops_of_lines, words += other.words;
    cells += other.cells, sums_across += other.sums_across;
    counts.add(other.counts);
    for (const auto& [rule, programs_of_it] : other.rules) rules[rule] += programs_of_it;
}

FieldReport check_field_programs(unsigned first, unsigned count) {
    FieldReport report;
    for (unsigned seed = first; seed < first + count; ++seed) {
        FieldProgram drawn = random_field_program(seed);
        Finding found = check(drawn, seed, report.tally);
        if (found.fault.empty()) continue;
        if (!found.is_program) {
            report.faults.push_back(fmt::format("seed {} is no program:\n{}\n{}", seed, text_of(drawn), found.fault));
        } else {
            report.faults.push_back(report.faults.size() < most_field_reports
                                        ? shrunk(seed, std::move(drawn), std::move(found.fault))
                                        : fmt::format("seed {} fails as well", seed));
        }
    }
    return report;
}

FieldReport check_field_text(const std::string& text, unsigned seeds) {
    FieldReport report;
    for (unsigned seed = 0; seed < seeds && report.faults.empty(); ++seed) {
        const Finding found = check(text, text, seed, report.tally);
        if (!found.fault.empty()) report.faults.push_back(found.fault);
    }
    return report;
}

}  // namespace kasc::random
