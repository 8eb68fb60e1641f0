// First every program of the batch is planned, then the library functions of all their kernels are compiled at once,
// then the plans run. A program that fails is made smaller, statement by statement, as long as it fails.

#include "random/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "random/draw.hpp"
#include "random/plans.hpp"
#include "random/program_run.hpp"
#include "random/random_library.hpp"
#include "random/stream_counts.hpp"
#include "support/temporary.hpp"

namespace kasc::random {

namespace {

constexpr std::size_t most_reports = 2;  // of a batch: each is shrunk, which takes some 10 s
constexpr int attempts_to_fail = 3;      // a smaller program draws other choices: it gets some to fail with
constexpr int largest_input = 9;         // small, so that products of some matrices stay exact

struct Prepared {
    unsigned seed = 0;
    RandomProgram drawn;
    Program program;
    TestedPlans plans;
};

std::string plan_text(const TestedPlan& plan) {
    std::string text;
    for (const kernel::Lowered& lowered : plan.host.kernels) text += print(lowered.alternatives.front());
    return text;
}

bool has_loops(const RandomProgram& program) {
    return std::any_of(program.statements.begin(), program.statements.end(),
                       [](const RandomStatement& s) { return s.callee.empty(); });
}

bool same(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

class Checker {
public:
    explicit Checker(const Library& library) : library_(library), enumerations_(library) {}

    /// None where the front end rejects the program, with what it says.
    std::optional<Prepared> prepare(unsigned seed, const RandomProgram& drawn, int attempt, std::string& why) {
        const auto program = read_program(make_source(fmt::format("r{}.kas", seed), text_of(drawn)), library_);
        const auto graph = program ? build_graph(*program) : Outcome<Graph>{};
        if (!graph) {
            why = render_text(program ? graph.diagnostics : program.diagnostics);
            return std::nullopt;
        }
        Draw draw(seed * 16 + static_cast<unsigned>(attempt));
        return Prepared{seed, drawn, *program,
                        covering_plans(*program, *graph, enumerations_, fmt::format("r{}", seed), draw)};
    }

    static void require(const Prepared& prepared, DeviceCode& code) {
        require_references(prepared.program.statements, code);
        for (const TestedPlan& plan : prepared.plans.plans)
            for (const kernel::Lowered& lowered : plan.host.kernels) code.require(lowered.alternatives.front());
    }

    /// Empty, or what is wrong, with the plan.
    std::string check(const Prepared& prepared, const DeviceCode& code) const {
        if (!prepared.plans.faults.empty()) return prepared.plans.faults.front();
        Draw draw(prepared.seed + 77);
        long long most = 1;
        for (const TestedPlan& plan : prepared.plans.plans)
            most = std::max<long long>(most, plan.host.minimum_elements);
        const long long all = (most + 3) / 4 * 4 + 4LL * draw.between(0, 3);
        std::array<RunCase, 2> runs;
        std::array<std::vector<Words>, 2> expected;
        for (std::size_t k = 0; k < runs.size(); ++k) {
            runs[k] = draw_case(prepared.program, prepared.drawn, all, k == 0, draw);
            expected[k] = run_reference(prepared.program, library_, code, runs[k]);
        }
        for (std::size_t p = 0; p < prepared.plans.plans.size(); ++p) {
            const TestedPlan& plan = prepared.plans.plans[p];
            const std::size_t k = p % runs.size();
            RunCase run = runs[k];
            if (plan.host.element_multiple == 1)
                run.elements = std::max<long long>(plan.host.minimum_elements, all - draw.between(0, 3));
            run.seed = prepared.seed + static_cast<unsigned>(p);
            const PlanRun result = run_plan(prepared.program, library_, plan.host, code, run);
            std::string wrong = result.fault.empty() ? difference(expected[k], result.outputs) : result.fault;
            if (wrong.empty()) wrong = stream_count_fault(prepared.program, library_, plan, run, result);
            if (!wrong.empty())
                return fmt::format("plan {}, {} elements: {}\n{}", p, run.elements, wrong, plan_text(plan));
        }
        return "";
    }

    /// Builds and checks one program on its own; none where it is none.
    std::string check_alone(unsigned seed, const RandomProgram& drawn, int attempt) {
        std::string why;
        const auto prepared = prepare(seed, drawn, attempt, why);
        if (!prepared) return "";
        DeviceCode code(library_);
        require(*prepared, code);
        const test::Temporary folder;
        const std::string said = code.build(folder.path());
        return said.empty() ? check(*prepared, code) : said;
    }

    std::string report(unsigned seed, RandomProgram drawn) {
        int attempt = 0;
        for (std::size_t k = 0;;) {
            RandomProgram smaller = drawn;
            if (!drop_statement(smaller, k)) break;
            int failing = 0;
            while (failing < attempts_to_fail && check_alone(seed, smaller, failing).empty()) ++failing;
            if (failing < attempts_to_fail && !smaller.statements.empty()) {
                drawn = std::move(smaller);
                attempt = failing;
                k = 0;
            } else {
                ++k;
            }
        }
        return fmt::format("seed {}, choices {}:\n{}\n{}", seed, attempt, text_of(drawn),
                           check_alone(seed, drawn, attempt));
    }

private:
    const Library& library_;
    Enumerations enumerations_;

    static void require_references(const std::vector<Statement>& statements, DeviceCode& code) {
        for (const Statement& s : statements) {
            if (const auto* call = std::get_if<CallStatement>(&s)) code.require(call->callee);
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s))
                require_references((*loop)->body, code);
        }
    }

    RunCase draw_case(const Program& program, const RandomProgram& drawn, long long elements, bool defaults,
                      Draw& draw) const {
        RunCase run;
        run.elements = elements;
        for (const int value : drawn.parameters) run.parameters.push_back(defaults ? value : draw.between(0, 3));
        if (drawn.requires_number) run.parameters.push_back(1);
        for (const VariableId v : program.inputs) {
            const auto& shape = std::get<StreamShape>(program.variables[v].shape);
            Words words(static_cast<std::size_t>(library_.types[shape.type].words * elements));
            for (float& word : words) word = static_cast<float>(draw.between(0, largest_input));
            run.inputs.push_back(std::move(words));
        }
        return run;
    }

    /// The plan may have run on fewer elements: those are the first.
    static std::string difference(const std::vector<Words>& expected, const std::vector<Words>& found) {
        for (std::size_t o = 0; o < found.size(); ++o)
            for (std::size_t i = 0; i < found[o].size(); ++i)
                if (!same(expected[o][i], found[o][i]))
                    return fmt::format("word {} of output {} is {}, not {}", i, o, found[o][i], expected[o][i]);
        return "";
    }
};

void count(const Prepared& prepared, Tally& tally) {
    ++tally.programs;
    tally.with_loops += has_loops(prepared.drawn) ? 1 : 0;
    tally.fusions += prepared.plans.fusions;
    tally.refused += prepared.plans.refused;
    tally.plans += prepared.plans.plans.size();
    for (const TestedPlan& plan : prepared.plans.plans)
        for (const kernel::Lowered& lowered : plan.host.kernels) {
            const kernel::Kernel& k = lowered.alternatives.front();
            ++tally.kernels;
            tally.barriers += barriers(k.body);
            tally.rounds += std::any_of(k.body.begin(), k.body.end(), [](const kernel::Statement& s) {
                return std::holds_alternative<kernel::For>(s.node);
            });
        }
}

/// With those that kasc brings.
Library library_of(const std::string& text) {
    const test::Temporary folder;
    test::write_file(folder.path() / "random.cu", text);
    auto library = read_library({std::filesystem::path(KASC_SOURCE_DIR) / "elementlib", folder.path()});
    if (!library) throw std::logic_error("the random library is at fault:\n" + render_text(library.diagnostics));
    return std::move(*library.value);
}

}  // namespace

void Tally::add(const Tally& other) {
    programs += other.programs, with_loops += other.with_loops, fusions += other.fusions, refused += other.refused;
    kernels += other.kernels, plans += other.plans, functions += other.functions, barriers += other.barriers;
    rounds += other.rounds;
}

SeededProgram seeded_program(unsigned seed) {
    SeededProgram made{random_library(seed / programs_a_library), {}, {}};
    made.library = library_of(made.library_text);
    made.program = random_program(seed, made.library);
    return made;
}

BatchReport check_batch(unsigned first, unsigned count_of_programs) {
    BatchReport report;
    const Library library = library_of(random_library(first / programs_a_library));
    Checker checker(library);
    DeviceCode code(library);
    std::vector<Prepared> prepared;
    for (unsigned seed = first; seed < first + count_of_programs; ++seed) {
        const RandomProgram drawn = random_program(seed, library);
        std::string why;
        auto made = checker.prepare(seed, drawn, 0, why);
        if (!made) {
            report.faults.push_back(fmt::format("seed {} is no program:\n{}\n{}", seed, text_of(drawn), why));
            continue;
        }
        Checker::require(*made, code);
        count(*made, report.tally);
        prepared.push_back(std::move(*made));
    }
    report.tally.functions = code.functions();
    const test::Temporary folder;
    if (std::string said = code.build(folder.path()); !said.empty()) {
        report.faults.push_back(std::move(said));
        return report;
    }
    for (const Prepared& p : prepared) {
        if (checker.check(p, code).empty()) continue;
        report.faults.push_back(report.faults.size() < most_reports ? checker.report(p.seed, p.drawn)
                                                                    : fmt::format("seed {} fails as well", p.seed));
    }
    return report;
}

}  // namespace kasc::random
