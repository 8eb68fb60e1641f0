// The verifier of schedules, and checking mode, see what is made wrong on purpose; and no barrier stands that could go.
//
// First the programs of examples/ and tests/run/programs, in the n best plans and unfused, then random programs, whose
// patterns and rounds are odder.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "driver/compilation.hpp"
#include "random/batch.hpp"
#include "random/draw.hpp"
#include "random/field_plans.hpp"
#include "random/field_program.hpp"
#include "random/mutation.hpp"
#include "random/plans.hpp"
#include "rewrite/inner_loops.hpp"
#include "rewrite/order_lists.hpp"
#include "support/of_the_day.hpp"
#include "support/temporary.hpp"

namespace kasc::random {
namespace {

namespace fs = std::filesystem;

struct Planned {
    Program program;
    std::vector<StreamSchedule> schedules;
    std::vector<HostPlan> plans;
};

void collect(const PlannedGraph& planned, std::vector<StreamSchedule>& schedules) {
    for (const Launch& launch : planned.launches)
        if (const auto* candidate = std::get_if<std::size_t>(&launch.what))
            schedules.push_back(std::get<StreamSchedule>(planned.costed->candidates[*candidate].schedule));
    for (const auto& loop : planned.loops) collect(*loop.second, schedules);
}

/// The stream programs that come with kasc, each with its best plan, with KASC_FULL its five best ones, and unfused.
std::vector<Planned> golden(const Library& library) {
    const fs::path root = KASC_SOURCE_DIR;
    std::vector<fs::path> files;
    for (const char* folder : {"examples", "tests/run/programs"})
        for (const auto& entry : fs::directory_iterator(root / folder))
            if (entry.path().extension() == ".kas") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    const std::size_t best = test::one_of(2) == 1 ? 5 : 1;
    std::vector<Planned> all;
    for (const fs::path& file : files) {
        CompileRequest request;
        request.source = make_source(file.filename().string(), test::read_file(file));
        request.data_folder = root;
        request.libraries = {root / "tests/run/library"};
        auto checked = check_program(request);
        if (!checked || !has_streams(checked->program)) continue;
        // All programs have one library, where each alone has what of it it names.
        checked.value->library = library;
        checked.value->program = *read_program(request.source, library);
        checked.value->graph = *build_graph(checked->program);
        Planned made{checked->program, {}, {}};
        for (const auto& [strategy, count] : {std::pair<const char*, std::size_t>{"exact", best}, {"none", 1}}) {
            request.plan.strategy = strategy;
            request.plan.count = count;
            const auto compiled = plan_program(*checked, request);
            EXPECT_TRUE(compiled) << render_text(compiled.diagnostics);
            for (const PlannedGraph& planned : compiled->plans) {
                collect(planned, made.schedules);
                made.plans.push_back(build_host_plan(made.program, checked->library, planned, made.program.name));
            }
        }
        all.push_back(std::move(made));
    }
    return all;
}

/// Integers of one digit, for as many elements as give the largest block some company.
RunCase case_for(const Program& program, const Library& library, const std::vector<HostPlan>& plans) {
    RunCase run;
    for (const HostPlan& plan : plans) run.elements = std::max<long long>(run.elements, plan.minimum_elements);
    run.elements += 4;
    run.parameters.assign(program.parameters.size(), 2);
    Draw draw(1);
    for (const VariableId v : program.inputs) {
        const int words = library.types[std::get<StreamShape>(program.variables[v].shape).type].words;
        run.inputs.emplace_back(static_cast<std::size_t>(words * run.elements));
        for (float& word : run.inputs.back()) word = static_cast<float>(draw.between(1, 9));
    }
    return run;
}

std::string text(const Mutations& mutations) {
    std::string all;
    for (std::size_t k = 0; k < std::min<std::size_t>(3, mutations.unseen.size()); ++k)
        all += mutations.unseen[k] + "\n";
    return all;
}

class Mutation : public testing::Test {
protected:
    void check_schedules(const std::vector<Planned>& all) {
        Mutations barriers, registers, regions, steps;
        for (const Planned& planned : all) {
            for (const HostPlan& plan : planned.plans)
                for (const kernel::Lowered& lowered : plan.kernels)
                    barriers.add(drop_barriers(lowered.alternatives.front()));
            for (const StreamSchedule& schedule : planned.schedules) {
                registers.add(move_to_registers(schedule));
                regions.add(overlap_regions(schedule));
                // In a loop the value of an earlier iteration may stand there: another result, but no race.
                if (schedule.loops.empty()) steps.add(swap_steps(schedule));
            }
        }
        for (const Mutations* mutations : {&barriers, &registers, &regions, &steps}) {
            EXPECT_EQ(mutations->seen, mutations->made) << text(*mutations);
            EXPECT_GT(mutations->made, 50U);
        }
        std::cout << barriers.made << " barriers, " << registers.made << " values, " << regions.made << " pairs, "
                  << steps.made << " steps\n";
    }

    static Mutations run_all(const std::vector<Planned>& all, const Library& library) {
        DeviceCode code(library);
        for (const Planned& planned : all)
            for (const HostPlan& plan : planned.plans)
                for (const kernel::Lowered& lowered : plan.kernels) code.require(lowered.alternatives.front());
        const test::Temporary folder;
        EXPECT_EQ(code.build(folder.path()), "");
        Mutations runs;
        for (const Planned& planned : all)
            for (const HostPlan& plan : planned.plans)
                runs.add(drop_barriers_and_run(planned.program, library, plan, code,
                                               case_for(planned.program, library, planned.plans)));
        std::cout << runs.made << " barriers dropped and run, " << runs.seen << " seen\n";
        return runs;
    }
};

TEST_F(Mutation, OfTheProgramsThatComeWithKasc) {
    const fs::path root = KASC_SOURCE_DIR;
    const Library library = *read_library({root / "elementlib", root / "tests/run/library"});
    const std::vector<Planned> all = golden(library);
    EXPECT_GT(all.size(), 5U);
    check_schedules(all);
    const Mutations runs = run_all(all, library);
    EXPECT_EQ(runs.seen, runs.made) << text(runs);
}

TEST_F(Mutation, OfRandomPrograms) {
    const std::size_t programs = 24 / test::one_of(4);
    const Library library = seeded_program(0).library;
    Enumerations enumerations(library);
    std::vector<Planned> all;
    for (unsigned seed = 0; seed < programs; ++seed) {
        const std::string name = "r" + std::to_string(seed);
        const std::string drawn = text_of(random_program(seed, library));
        if (drawn.find("< 0;") != std::string::npos) continue;  // of a loop that never runs nothing can be missed
        const auto program = read_program(make_source(name + ".kas", drawn), library);
        ASSERT_TRUE(program) << render_text(program.diagnostics);
        Draw draw(seed);
        const auto plans = covering_plans(*program, *build_graph(*program), enumerations, name, draw);
        Planned planned{*program, {}, {}};
        for (const TestedPlan& plan : plans.plans) {
            planned.schedules.insert(planned.schedules.end(), plan.schedules.begin(), plan.schedules.end());
            planned.plans.push_back(plan.host);
        }
        all.push_back(std::move(planned));
    }
    check_schedules(all);
    // A pattern may name words that the code leaves alone: such barriers are needed by what the library says only.
    const Mutations runs = run_all(all, library);
    EXPECT_GT(runs.seen * 100, runs.made * 80) << text(runs);
}

/// Tiles of blocks and of columns, and folds, as random programs have them.
TEST_F(Mutation, OfKernelsOverFields) {
    const std::size_t programs = 120 / test::one_of(12);  // all take two minutes of a core
    const auto library = read_library({fs::path(KASC_SOURCE_DIR) / "elementlib"});
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    Mutations barriers;
    for (unsigned seed = 0; seed < programs; ++seed) {
        const auto read = read_program(make_source("f.kas", text_of(random_field_program(seed))), *library);
        ASSERT_TRUE(read) << render_text(read.diagnostics);
        const Program program = order_lists(*read).program;
        Draw draw(seed);
        const auto plans = covering_field_plans(program, *build_graph(program), *library, Walks::any, draw);
        for (const TestedFieldPlan& plan : plans.plans)
            for (const kernel::Lowered& lowered : plan.host.kernels)
                barriers.add(drop_barriers(lowered.alternatives.front()));
    }
    EXPECT_EQ(barriers.seen, barriers.made) << text(barriers);
    EXPECT_GT(barriers.made, 50U);
    std::cout << barriers.made << " barriers of fields\n";
}

/// Loops of whole lines, one after the other, along rows and areas: each barrier stands between what two phases, or two
/// iterations, touch.
TEST_F(Mutation, OfLoopsOfLines) {
    const auto library = read_library({fs::path(KASC_SOURCE_DIR) / "elementlib"});
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    const fs::path fields = fs::path(KASC_SOURCE_DIR) / "tests/random/fields";
    Mutations barriers;
    for (const char* name : {"loops_of_lines_with_all_faces", "loops_of_lines_at_positions", "loops_of_areas"}) {
        const auto read =
            read_program(make_source(name, test::read_file(fields / (std::string(name) + ".kas"))), *library);
        ASSERT_TRUE(read) << render_text(read.diagnostics);
        const Program program = inner_loops(*read).program;
        const std::vector<long long> lengths(program.axes.size(), 7);
        for (unsigned seed = 0; seed < 4; ++seed) {
            Draw draw(seed);
            const auto plans =
                covering_field_plans(program, *build_graph(program), *library, Walks::device, draw, &lengths);
            for (const TestedFieldPlan& plan : plans.plans)
                for (const auto& [kernel_name, kernel] : plan.kernels) {
                    if (kernel.loop() == nullptr) continue;
                    for (const kernel::Lowered& lowered : plan.host.kernels)
                        if (lowered.alternatives.front().name == kernel_name)
                            barriers.add(drop_barriers(lowered.alternatives.front()));
                }
        }
    }
    EXPECT_EQ(barriers.seen, barriers.made) << text(barriers);
    EXPECT_GT(barriers.made, 20U);
    std::cout << barriers.made << " barriers of loops of lines\n";
}

}  // namespace
}  // namespace kasc::random
