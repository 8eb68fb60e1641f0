// Loops of linear steps as products of their waves, beside the best that is found of their steps: several in a kernel,
// or one by one. Both programs are planned whole, each with all variants of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driver/variants.hpp"
#include "model/settled_value.hpp"
#include "rewrite/modes.hpp"

namespace kasc {

namespace {

/// Iterations of loops whose bounds are not known when a program is planned, as many as the model takes them to have.
constexpr double open_steps = 100;

double most_steps(const Program& program, const Problem& problem, const std::vector<Statement>& list) {
    double most = 0;
    for (const Statement& statement : list) {
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
        if (loop == nullptr) continue;
        const auto from = settled_value(*(*loop)->from, problem), to = settled_value(*(*loop)->to, problem);
        most = std::max({most, from && to ? *to - *from : open_steps, most_steps(program, problem, (*loop)->body)});
    }
    return most;
}

void say(Compilation& c, const std::vector<ModesVerdict>& loops, bool taken, const std::string& said) {
    std::erase_if(c.rewrites, [](const RewriteVerdict& v) { return v.rule == Rule::modes; });
    for (const ModesVerdict& loop : loops) {
        const std::string why =
            loop.verdict && !said.empty() ? fmt::format("{}; {}", loop.verdict.reason(), said) : loop.verdict.reason();
        c.rewrites.push_back({Rule::modes, loop.loop, taken && loop.verdict ? Verdict::yes(why) : Verdict::no(why)});
    }
}

Compilation by_waves(const Compilation& before, Modes modes, Graph graph) {
    Compilation c = before;
    if (!c.written) c.written = std::make_shared<const WrittenProgram>(WrittenProgram{c.program, c.graph});
    c.rewriting_tolerance = std::max(
        c.rewriting_tolerance, tolerance_of_modes(c.program, most_steps(c.program, c.problem, c.program.statements)));
    c.program = std::move(modes.program);
    c.graph = std::move(graph);
    say(c, modes.verdicts, true, "");
    return c;
}

}  // namespace

Outcome<Compilation> choose_modes(Compilation rewritten, const CompileRequest& request) {
    Modes modes = modes_of_loops(rewritten.program);
    // A run that ends in the middle of a loop, or holds some of its rows, asks for what is between steps.
    const bool whole_runs = request.inner_loops;
    auto graph = build_graph(modes.program);
    if (!modes.changed || !whole_runs || !graph) {
        Outcome<Compilation> steps = choose_variant(std::move(rewritten), request);
        if (steps) say(*steps.value, modes.verdicts, false, whole_runs ? "" : "left, the run goes on step by step");
        return steps;
    }
    Outcome<Compilation> by_modes = choose_variant(by_waves(rewritten, modes, *std::move(graph.value)), request);
    // A plan that names kernels of one of the two.
    if (request.written_plan && by_modes) return by_modes;
    Outcome<Compilation> by_steps = choose_variant(std::move(rewritten), request);
    if (!by_steps) return by_modes;
    if (!by_modes) {
        say(*by_steps.value, modes.verdicts, false, "left, no plan: " + by_modes.diagnostics.front().message);
        return by_steps;
    }
    const double before = by_steps->plans.front().time_ns, after = by_modes->plans.front().time_ns;
    const bool taken = after < before;
    const std::string said = fmt::format("{}, {:.1f} % {} than steps by the model", taken ? "done" : "left",
                                         std::abs(after / before - 1) * 100, taken ? "faster" : "slower");
    Outcome<Compilation> chosen = taken ? std::move(by_modes) : std::move(by_steps);
    say(*chosen.value, modes.verdicts, taken, said);
    return chosen;
}

}  // namespace kasc
