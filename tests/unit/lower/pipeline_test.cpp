// Planes one behind the other against the reference: stencils of stencils, with each boundary, in blocks so small that
// halos, rims and ends of walks are met in every combination.
#include <gtest/gtest.h>

#include "kernel/check_shared.hpp"
#include "schedule/pipeline/schedule.hpp"
#include "support/choice.hpp"
#include "support/of_the_day.hpp"
#include "support/without_barrier.hpp"
#include "unit/lower/lower_field_check.hpp"

namespace kasc::test {
namespace {

constexpr int shared_bytes_of_device = 232448;

const std::vector<FieldChoice>& choices_of(std::size_t axes) {
    static const std::vector<FieldChoice> planes{
        choice("pipeline 16x4 rows 3 chunk 3"), choice("pipeline 8x12 rows 1 chunk 2"),
        choice("pipeline 32x3 rows 4 chunk 5 unroll 3"), choice("pipeline 12x6 rows 2 chunk 64"),
        // Cells side by side: by shuffles in whole warps, half ones, and from shared memory.
        choice("pipeline 8x4 vector 4 rows 4 chunk 3"), choice("pipeline 16x4 vector 2 rows 3 chunk 64 ahead 1"),
        choice("pipeline 6x5 vector 4 rows 3 chunk 2 ahead 2"), choice("pipeline 6x9 vector 4 rows 2 chunk 4"),
        choice("pipeline 32x12 vector 2 chunk 5 unroll 2 ahead 4")};
    static const std::vector<FieldChoice> rows{choice("pipeline 8x1 rows 2 chunk 3"),
                                               choice("pipeline 16x1 chunk 2"),
                                               choice("pipeline 5x1 rows 4 chunk 5 unroll 2"),
                                               choice("pipeline 32x1 rows 1 chunk 64"),
                                               choice("pipeline 32x1 vector 4 chunk 5 unroll 3"),
                                               choice("pipeline 32x1 vector 2 chunk 64"),
                                               choice("pipeline 8x1 vector 4 rows 2 chunk 3"),
                                               choice("pipeline 5x1 vector 2 rows 3 chunk 2")};
    return axes == 2 ? rows : planes;
}

/// "": what the program's calls compute as one kernel is what they compute one by one. Every day each choice meets one
/// of the extents; with KASC_FULL all of them.
std::string compared(const std::string& text, const std::vector<std::vector<long long>>& all_extents) {
    const FieldCase c(text);
    const PipelineWorkResult work = pipeline_work(c.program, c.graph, c.whole());
    if (!work.value) return work.reason;
    int kernels = 0;
    const std::size_t apart = one_of(all_extents.size());
    for (std::size_t e = 0; e < all_extents.size(); ++e) {
        const Problem problem = make_problem(c, all_extents[e], {});
        const FieldReference reference(c.program, c.graph, problem);
        const std::vector<FieldChoice>& choices = choices_of(work.value->axes.size());
        for (std::size_t k = (apart - e % apart) % apart; k < choices.size(); k += apart) {
            const FieldChoice& choice = choices[k];
            const PipelineScheduleResult made =
                schedule_pipeline(work.value, choice, c.program, c.graph, shared_bytes_of_device);
            if (!made.value) continue;  // the halo is as wide as the block
            for (const kernel::Kernel& kernel : lower_pipeline(*made.value, c.program, c.graph, "k0").alternatives) {
                if (kernel.requirement && !kernel.requirement->holds(all_extents[e])) continue;
                ++kernels;
                if (const auto found = kernel::check_shared(kernel); !found.empty()) return found.front();
                const std::string fault = run_and_compare(
                    c, work.value->fusion, kernel, reference, problem,
                    [&](ValueId v) { return Cells(reference.words(v), std::numeric_limits<double>::quiet_NaN()); });
                if (!fault.empty()) return print(Choice(choice)) + ": " + fault;
            }
        }
    }
    return kernels > 0 ? "" : "no choice fits";
}

std::string with_boundary(const std::string& boundary) {
    return "float u[x,y] boundary " + boundary + ", v[x,y] boundary " + boundary + ", w[x,y] boundary " + boundary +
           ", z[x,y]; input u; v = u[-2,0] + 2*u[1,0] - u[0,2] + u[0,-1] + u; w = v[2,1] - v[-1,-2] + v*u; "
           "z = w[0,1] + w[1,0] + v[-3,0]; return z, w;";
}

const std::vector<std::vector<long long>> planes_of_all_sizes{{9, 14}, {21, 7}, {3, 2}, {1, 5}, {4, 1}, {160, 23}};

TEST(Pipeline, SchedulesMadeTogetherAreThoseMadeOneByOne) {
    for (const char* text :
         {"float u[x,y,z] boundary mirror, v[x,y,z] boundary mirror, w[x,y,z]; input u; v = u[x-1] + u[z+2] + u[y-1]; "
          "w = v[x+1] + v[z-1] + u; return w;",
          "double u[x,y,z] boundary mirror, v[x,y,z] boundary mirror, w[x,y,z]; input u; v = u[x-2] + u; "
          "w = v[y+1] + u[y-3]; return v, w;",
          "float u[x,y] boundary mirror, v[x,y] boundary mirror, w[x,y]; input u; v = u[x-1] + u[y+1]; "
          "w = v[x+1] + v[y-1]; return w;"}) {
        const FieldCase c(text);
        const PipelineWorkResult work = pipeline_work(c.program, c.graph, c.whole());
        ASSERT_TRUE(work.value) << work.reason;
        PipelineScheduler together(work.value, c.program, c.graph, shared_bytes_of_device);
        for (const FieldChoice& choice : pipeline_choices(*work.value)) {
            const PipelineScheduleResult one =
                schedule_pipeline(work.value, choice, c.program, c.graph, shared_bytes_of_device);
            const PipelineScheduleResult other = together.with(choice);
            EXPECT_EQ(one.reason, other.reason);
            ASSERT_EQ(one.value.has_value(), other.value.has_value());
            if (!one.value) continue;
            EXPECT_EQ(print(*one.value, c.program, c.graph), print(*other.value, c.program, c.graph));
            EXPECT_EQ(one.value->planes_sent_for, other.value->planes_sent_for);
            EXPECT_EQ(one.value->all_copies(), other.value->all_copies());
            EXPECT_EQ(shared_bytes(*one.value->block), shared_bytes(*other.value->block));
            EXPECT_EQ(barriers_met(*one.value->block), barriers_met(*other.value->block));
        }
    }
}

TEST(Pipeline, StencilsOfStencilsMirrored) { EXPECT_EQ(compared(with_boundary("mirror"), planes_of_all_sizes), ""); }
TEST(Pipeline, StencilsOfStencilsPeriodic) { EXPECT_EQ(compared(with_boundary("periodic"), planes_of_all_sizes), ""); }
TEST(Pipeline, StencilsOfStencilsWithAValueBeyond) {
    EXPECT_EQ(compared(with_boundary("value(0.25)"), planes_of_all_sizes), "");
}

// What lies beyond a face is put in place once: rows in rings, ends of rows where they are read, a thread's own rows;
// at corners the first axis' value is seen. Rows that are whole vectors and others, grids that are narrower than a
// step.
std::string in_planes(const std::string& boundary) {
    return "float u[x,y,z] boundary " + boundary + ", v[x,y,z] boundary " + boundary +
           ", w[x,y,z]; input u; v = u[-1,-1,0] + 2*u[1,2,0] - u[-2,0,1] + u[-1,2,-1] + u[0,1,0] + u; "
           "w = v[0,-1,1] + v[2,0,-1] + v[-1,1,0] + v[0,2,0]*u; return v, w;";
}
const std::vector<std::vector<long long>> rooms_of_all_sizes{{16, 12, 9}, {21, 7, 5},  {3, 2, 4},
                                                             {4, 1, 3},   {28, 19, 3}, {1, 30, 2}};
TEST(Pipeline, PlanesBetweenMirrors) { EXPECT_EQ(compared(in_planes("mirror"), rooms_of_all_sizes), ""); }
TEST(Pipeline, PlanesBetweenFacesOfAllKinds) {
    EXPECT_EQ(compared(in_planes("(x: value(0.7) / -mirror, y: -mirror / value(0.3), z: mirror / value(0.9))"),
                       rooms_of_all_sizes),
              "");
    EXPECT_EQ(compared(in_planes("(x: mirror / value(0.2), y: value(0.4) / keep(0), z: value(0.5) / -mirror)"),
                       rooms_of_all_sizes),
              "");
}
TEST(Pipeline, PlanesThatGoRoundAlongOneAxis) {
    EXPECT_EQ(compared(in_planes("(x: periodic, y: mirror, z: mirror)"), rooms_of_all_sizes), "");
    EXPECT_EQ(compared(in_planes("(x: value(1), y: periodic, z: -mirror)"), rooms_of_all_sizes), "");
}
// before is read as what it copies, but where it shows something else beyond a face.
TEST(Pipeline, CopiesThatLookOtherwiseBeyondAFace) {
    EXPECT_EQ(compared("float u[x,y,z] boundary mirror, before[x,y,z] boundary value(0.2), v[x,y,z] boundary mirror, "
                       "w[x,y,z]; input u; before = u; v = u[1,0,0] + before[-1,0,0] + before[0,1,0]; "
                       "w = v[0,1,0] + v[0,0,-1] + before[1,0,0]; return w;",
                       rooms_of_all_sizes),
              "");
}

// Kept layers show the former value to the next step; a field is read at its own cell by every step.
TEST(Pipeline, StepsWithKeptLayers) {
    const std::string step =
        "T = T + 0.1*b*(T[-1,0,0] + T[1,0,0] + T[0,-1,0] + T[0,1,0] + T[0,0,-1] + T[0,0,2] - 6*T); ";
    const std::string program = "float T[x,y,z] boundary keep(2), b[x,y,z]; input T, b; " + step + step + step;
    EXPECT_EQ(compared(program + "return T;", {{9, 8, 6}, {13, 4, 5}, {3, 3, 3}, {72, 30, 7}}), "");
}

// What is fetched and read at its own cell alone has no registers: of B only the kept layers are looked at.
TEST(Pipeline, KeptLayersOfAFieldThatIsNotRead) {
    EXPECT_EQ(
        compared("float u[x,y,z] boundary mirror, v[x,y,z] boundary mirror, B[x,y,z] boundary keep(1); input u, B; "
                 "v = u[-1,0,0] + u[0,1,0] + u[0,0,1]; B = v[1,0,0] + v[0,-1,0] + v[0,0,-1]; return B;",
                 {{9, 8, 6}, {72, 30, 14}}),
        "");
}

TEST(Pipeline, CellsOfAllTypesLabelsPositionsAndLinesBeside) {
    EXPECT_EQ(
        compared("double u[x,y,z] boundary mirror, v[x,y,z] boundary mirror, w[x,y,z]; int k[x,y,z] boundary mirror; "
                 "float table[m], line[y] boundary mirror; uint8 wet[x,y,z] boundary mirror; "
                 "input u, k, table, line, wet; "
                 "v = u[-1,-1,-1] + 0.5*u[1,1,1] + table[m = k]*u + (wet[1,0,0] > 0 ? 1 : 2); k = k[0,0,1] + 1; "
                 "w = v[1,0,-1] + v[-1,-1,2] + x*v + line[1] + k[1,0,0]; return w, k;",
                 {{7, 6, 5, 4}, {17, 3, 2, 3}}),
        "");
}

// The former time level is a copy that nobody makes; as a result it is stored.
TEST(Pipeline, FormerTimeLevels) {
    const std::string step =
        "next = 2*p - before + 0.1*(p[-1,0] + p[1,0] + p[0,-1] + p[0,1] - 4*p); before = p; p = next; ";
    EXPECT_EQ(compared("float p[x,y] boundary mirror, before[x,y], next[x,y]; input p, before; " + step + step + step +
                           "return p, before;",
                       planes_of_all_sizes),
              "");
}

TEST(Pipeline, EachBarrierIsNeeded) {
    const FieldCase c(with_boundary("mirror"));
    const PipelineWorkResult work = pipeline_work(c.program, c.graph, c.whole());
    for (const FieldChoice& choice : choices_of(2)) {
        const auto made = schedule_pipeline(work.value, choice, c.program, c.graph, shared_bytes_of_device);
        if (!made.value) continue;
        // What is fetched waits for the rings to be cleared; where several planes are on their way, the first of them
        // is awaited in front of the loop.
        const int ahead = made.value->choice.ahead;
        const unsigned needed = made.value->by_shuffles() ? 0 : choice.vector == 1 ? 1 : ahead > 1 ? 3 : 2;
        for (const kernel::Kernel& kernel : lower_pipeline(*made.value, c.program, c.graph, "k0").alternatives) {
            const auto all_broken = without_each_barrier(kernel);
            EXPECT_EQ(all_broken.size(), needed) << "one barrier a plane, but of one warp";
            for (const kernel::Kernel& broken : all_broken)
                EXPECT_FALSE(kernel::check_shared(broken, 1).empty()) << print(Choice(choice)) << " " << broken.name;
        }
    }
}

TEST(Pipeline, EachAwaitedPlaneIsNeeded) {
    const FieldCase c(
        "float a[x,y,z] boundary mirror, b[x,y,z] boundary mirror, c[x,y,z]; input a; b = a[1,0,0] + a[0,0,2]; "
        "c = b[0,1,0] - b[0,0,-1]; return c;");
    const PipelineWorkResult work = pipeline_work(c.program, c.graph, c.whole());
    // The check runs both ends alone of long walks, between which rings do not stand as one behind the other.
    for (const auto& [ahead, chunk] : {std::pair{1, "9"}, {2, "9"}, {3, "9"}, {3, "97"}}) {
        const auto made = schedule_pipeline(
            work.value,
            choice("pipeline 16x4 vector 2 rows 3 chunk " + std::string(chunk) + " ahead " + std::to_string(ahead)),
            c.program, c.graph, shared_bytes_of_device);
        ASSERT_TRUE(made.value) << made.reason;
        for (kernel::Kernel kernel : lower_pipeline(*made.value, c.program, c.graph, "k0").alternatives) {
            EXPECT_EQ(kernel::check_shared(kernel), std::vector<std::string>());
            EXPECT_EQ(await_less(kernel.body), ahead > 1 ? 2 : 1);
            const auto found = kernel::check_shared(kernel);
            ASSERT_FALSE(found.empty()) << ahead;
            EXPECT_NE(found.front().find("which a copy may still bring"), std::string::npos) << found.front();
        }
    }
}

// Thread t has the cells t, t + 8 and t + 16 of a line: of two of eight cells beside it, its own.
TEST(Pipeline, NoBarrierStandsWhereThreadsLookAtTheirOwnCellsAlone) {
    const auto barriers = [](const std::string& boundary, const std::string& also) {
        const std::string text = "float a[x,y] boundary " + boundary + ", b[x,y]; input a; b = a[8,1] - a[-8,0]" + also;
        const FieldCase c(text + "; return b;");
        const PipelineWorkResult work = pipeline_work(c.program, c.graph, c.whole());
        const auto made = schedule_pipeline(work.value, choice("pipeline 8x1 rows 3 chunk 3"), c.program, c.graph,
                                            shared_bytes_of_device);
        const kernel::Kernel kernel = lower_pipeline(*made.value, c.program, c.graph, "k0").alternatives.front();
        EXPECT_EQ(kernel::check_shared(kernel), std::vector<std::string>());
        const Problem problem = make_problem(c, {37, 9}, {});
        const FieldReference reference(c.program, c.graph, problem);
        EXPECT_EQ(run_and_compare(c, work.value->fusion, kernel, reference, problem,
                                  [&](ValueId v) { return Cells(reference.words(v)); }),
                  "");
        return without_each_barrier(kernel).size();
    };
    EXPECT_EQ(barriers("periodic", ""), 0U);
    EXPECT_EQ(barriers("periodic", " + a[1,0]"), 1U);
    EXPECT_EQ(barriers("mirror", ""), 1U) << "at a face it is any cell";
}

std::string refused(const std::string& text) {
    const FieldCase c(text);
    return pipeline_work(c.program, c.graph, c.whole()).reason;
}

TEST(Pipeline, SaysWhyThereIsNone) {
    EXPECT_EQ(refused("float a[x], b[x]; input a; b = 2*a; return b;"),
              "planes that follow each other are of two or three axes");
    EXPECT_EQ(refused("float a[x,y], b[x,y]; input a; b = 2*a; return b;"),
              "nothing is read beside its own cell: no planes to share");
    EXPECT_EQ(refused("float a[x,y] boundary periodic, b[x,y] boundary mirror, c[x,y]; input a; b = a[1,0]; "
                      "c = b[1,0]; return c;"),
              "some fields go round along x and others end there");
    EXPECT_EQ(refused("complex a[x,y] boundary mirror; float u[x,y], b[x,y]; input u; a = complex(u, 1); "
                      "b = real(a[1,0]); return b;"),
              "cells of 'a = complex(u, 1)' are complex");
}

// Two steps of a stencil of one cell: planes and halos as on paper.
TEST(Pipeline, StagesFollowByWhatTheyRead) {
    const FieldCase c(
        "float u[x,y,z] boundary mirror; input u; u = u[1,0,0] + u[0,0,1] + u[0,-1,0]; u = u[1,0,0] + u[0,0,1]; "
        "return u;");
    const PipelineWorkResult made = pipeline_work(c.program, c.graph, c.whole());
    ASSERT_NE(made.value, nullptr) << made.reason;
    const PipelineWork& work = *made.value;
    ASSERT_EQ(work.stages.size(), 2U);
    EXPECT_EQ(work.stages[0].extent.lag, 1);
    EXPECT_EQ(work.stages[1].extent.lag, 2);
    EXPECT_EQ(work.halo, (std::vector<int>{2, 1}));
    EXPECT_EQ(work.stages[0].extent.halo, (std::vector<int>{1, 0}));
    ASSERT_EQ(work.kept.size(), 2U);
    for (const KeptPlanes& kept : work.kept) {
        EXPECT_EQ(kept.queue, 2) << "planes z and z + 1";
        EXPECT_EQ(kept.copies, 2) << "one is looked at while the next is left";
        EXPECT_EQ(kept.delay, 0);
    }
}

}  // namespace
}  // namespace kasc::test
