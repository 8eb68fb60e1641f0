// The check finds nothing in lowered kernels, and objects when a barrier, a plane's half or the halo is taken away.
#include "kernel/check_shared.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lower/lower.hpp"
#include "support/choice.hpp"
#include "support/field_case.hpp"
#include "support/without_barrier.hpp"

namespace kasc::test {
namespace {

const std::string star =
    "float T[x,y,z] boundary mirror, B[x,y,z]; param float k = 0.1; input T, B; "
    "T = T - k * B * (T[-1,0,0] + T[2,0,0] + T[0,-1,0] + T[0,2,0] + T[0,0,-1] + T[0,0,1]); return T;";

std::vector<kernel::Kernel> kernels(const std::string& plan, const std::string& program = star) {
    const FieldCase c(program);
    const FieldScheduleResult s = schedule_field(c.program, c.graph, c.whole(), choice(plan));
    if (!s.value) throw std::runtime_error(s.reason);
    return lower_field(field_alternatives(*s.value, c.program, c.graph), c.program, c.graph, "k0").alternatives;
}

const std::vector<std::string> plans{"grid 8x4 neighbours shared",
                                     "grid 4x4x4 vector 4 neighbours shared borders uniform",
                                     "grid 8x2 rows 3 neighbours shared",
                                     "column 8x4 chunk 4 neighbours shared",
                                     "column 8x4 vector 2 rows 2 chunk 5 neighbours shared",
                                     "column 4x8 vector 4 chunk 3 unroll 2 neighbours shared"};

bool is_shared_array(const kernel::Statement& s) { return std::holds_alternative<kernel::SharedArray>(s.node); }

TEST(CheckShared, LoweredKernelsAreFreeOfRaces) {
    for (const std::string& plan : plans) {
        for (const kernel::Kernel& k : kernels(plan)) {
            EXPECT_TRUE(std::any_of(k.body.begin(), k.body.end(), is_shared_array)) << plan;
            const std::vector<std::string> findings = check_shared(k);
            EXPECT_TRUE(findings.empty()) << plan << ", " << k.name << ": " << findings.front();
        }
    }
}

/// Drops the k-th exchange of a body; false, and k less the body's exchanges, where it has fewer.
bool drop_exchange(kernel::Body& body, std::size_t& k) {
    for (auto s = body.begin(); s != body.end(); ++s) {
        if (std::holds_alternative<kernel::Exchange>(s->node) && k-- == 0) {
            body.erase(s);
            return true;
        }
        if (auto* loop = std::get_if<kernel::For>(&s->node); loop && drop_exchange(loop->body, k)) return true;
        if (auto* either = std::get_if<kernel::If>(&s->node); either && drop_exchange(either->then, k)) return true;
    }
    return false;
}

TEST(CheckShared, AMissingExchangeIsFound) {
    const std::string box =
        "float T[x,y,z] boundary mirror, B[x,y,z]; input T, B; "
        "T = T[-1,-1,0] + T[2,-1,0] + T[1,-1,0] + T[1,0,0] + B * T[0,1,0] + T[1,1,0] + T[-1,2,0] + T[1,0,1]; "
        "return T;";
    for (const char* plan : {"warp 32x1 chunk 4", "warp 64x1 vector 4 chunk 8"}) {
        for (const kernel::Kernel& k : kernels(plan, box)) {
            EXPECT_EQ(check_shared(k), std::vector<std::string>{}) << plan;
            std::size_t dropped = 0;
            for (;; ++dropped) {
                kernel::Kernel broken = k;
                std::size_t left = dropped;
                if (!drop_exchange(broken.body, left)) break;
                EXPECT_FALSE(check_shared(broken, 1).empty()) << plan << ", exchange " << dropped;
            }
            EXPECT_GE(dropped, 5U);
        }
    }
}

/// Tiles of doubles, integers and bytes beside one of floats.
const std::string typed =
    "double D[x,y,z] boundary mirror; float T[x,y,z] boundary mirror; uint8 m[x,y,z] boundary value(3); "
    "int c[x,y,z] boundary mirror; input D, T, m, c; "
    "D = D[1,0,0] + D[0,-1,0] - T[0,1,0] + m[-1,0,0]*m[0,0,1] + c[0,0,-1]*c[0,1,0]; return D;";

TEST(CheckShared, TilesOfEveryTypeLieApart) {
    for (const std::string& plan : plans) {
        for (const kernel::Kernel& k : kernels(plan, typed)) {
            EXPECT_EQ(std::count_if(k.body.begin(), k.body.end(), is_shared_array), 4) << plan;
            EXPECT_EQ(check_shared(k), std::vector<std::string>{}) << plan;
            for (const kernel::Kernel& broken : without_each_barrier(k))
                EXPECT_FALSE(check_shared(broken, 1).empty()) << plan;
        }
    }
}

TEST(CheckShared, AMissingBarrierIsFound) {
    for (const std::string& plan : plans) {
        const std::vector<kernel::Kernel> all = without_each_barrier(kernels(plan).front());
        EXPECT_EQ(all.size(), 1U) << plan;
        for (const kernel::Kernel& broken : all) {
            const std::vector<std::string> findings = check_shared(broken);
            ASSERT_FALSE(findings.empty()) << plan;
            EXPECT_NE(findings.front().find("with no barrier between"), std::string::npos) << findings.front();
            EXPECT_EQ(check_shared(broken, 1), std::vector{findings.front()}) << plan;
        }
    }
}

/// A small grid has no cell with eleven beside it: nobody would look into the tile.
TEST(CheckShared, AMissingBarrierIsFoundWhereStencilsReachFar) {
    const std::string far = "float T[x,y] boundary mirror; input T; T = T[-2,0] + T[9,1]; return T;";
    for (const std::string plan : {"grid 2x2 neighbours shared", "grid 2x2 neighbours shared borders uniform"}) {
        const std::vector<kernel::Kernel> all = without_each_barrier(kernels(plan, far).front());
        EXPECT_EQ(all.size(), 1U) << plan;
        for (const kernel::Kernel& broken : all) EXPECT_FALSE(check_shared(broken, 1).empty()) << plan;
    }
}

/// No thread waits for others in a stencil on one side alone, where each thread fills the words that it reads.
TEST(CheckShared, ThreadsThatReadWhatTheyFilledNeedNoBarrier) {
    struct Case {
        std::string stencil, plan;
        std::size_t barriers;
    };
    const std::vector<Case> cases{{"u[0,-2]", "grid 8x1 rows 2 neighbours shared", 0},
                                  {"u[0,-2] + u", "grid 4x1 rows 3 vector 4 neighbours shared", 0},
                                  {"u[0,-1]", "grid 2x2 neighbours shared", 0},
                                  {"u[0,1]", "grid 2x2 neighbours shared", 1},  // what it filled is two rows on
                                  {"u[-1,0]", "grid 8x1 neighbours shared", 0},
                                  {"u[-1,0]", "grid 8x1 rows 2 neighbours shared", 1},  // rows of nine words
                                  {"u[-1,0] + u", "grid 8x1 neighbours shared", 1},
                                  {"u[-1,0]", "grid 8x1 vector 2 neighbours shared", 1},  // a group and half of one
                                  {"u[1,0] + u[0,1]", "grid 1x1 rows 4 neighbours shared", 0}};
    for (const Case& c : cases) {
        const std::string program = "float u[x,y] boundary mirror, v[x,y]; input u; v = " + c.stencil + "; return v;";
        const kernel::Kernel k = kernels(c.plan, program).front();
        EXPECT_EQ(check_shared(k), std::vector<std::string>{}) << c.stencil << ", " << c.plan;
        EXPECT_EQ(without_each_barrier(k).size(), c.barriers) << c.stencil << ", " << c.plan;
    }
    const std::string volume = "float u[x,y,z] boundary mirror, v[x,y,z]; input u; v = u[0,-2,0] * u[0,0,1]; return v;";
    for (const kernel::Kernel& k : kernels("column 8x1 chunk 4 neighbours shared", volume)) {
        EXPECT_EQ(check_shared(k), std::vector<std::string>{});
        EXPECT_EQ(without_each_barrier(k).size(), 0U) << "each plane as well";
    }
}

TEST(CheckShared, OneHalfForAllPlanesIsARace) {
    kernel::Kernel k = kernels("column 8x4 chunk 4 neighbours shared").front();
    int slots = 0;
    for (kernel::Statement& s : k.body) {
        auto* loop = std::get_if<kernel::For>(&s.node);
        if (loop == nullptr) continue;
        for (kernel::Statement& inner : loop->body) {
            auto* let = std::get_if<kernel::Let>(&inner.node);
            if (let == nullptr || let->name != "T_slot") continue;
            let->value = kernel::integer(0);
            ++slots;
        }
    }
    ASSERT_EQ(slots, 1);
    EXPECT_FALSE(check_shared(k, 1).empty());
}

/// Data say which words they are: any of them may be met before the barrier.
TEST(CheckShared, WhatThreadsAddIsCompleteBehindABarrier) {
    const auto program = [](const std::string& entry) {
        return "axis k = 9; int b[x]; int h[k]; input b, h; h[k = b - 1] += " + entry + "; return h;";
    };
    for (const auto& [plan, entry] :
         {std::pair("histogram 32x1 chunk 2 unroll 1", "1"), std::pair("histogram 64x1 vector 4 chunk 1 unroll 1", "1"),
          std::pair("histogram 32x1 chunk 1 unroll 1", "b % 3 == 1 ? 2 : 0")}) {
        const kernel::Kernel k = kernels(plan, program(entry)).front();
        EXPECT_EQ(check_shared(k), std::vector<std::string>{}) << plan;
        const std::vector<kernel::Kernel> broken = without_each_barrier(k);
        ASSERT_EQ(broken.size(), 2U);
        const std::string expected[] = {"which another thread touches", "to which another thread may add"};
        for (std::size_t at = 0; at < 2; ++at) {
            const std::vector<std::string> findings = check_shared(broken[at], 1);
            ASSERT_FALSE(findings.empty()) << plan;
            EXPECT_NE(findings.front().find(expected[at]), std::string::npos) << findings.front();
        }
    }
}

TEST(CheckShared, AWordThatNothingWroteIsFound) {
    kernel::Kernel k = kernels("grid 8x4 neighbours shared").front();
    for (kernel::Statement& s : k.body) {
        auto* threads = std::get_if<kernel::Threads>(&s.node);
        if (threads == nullptr) continue;
        if (auto* fill = std::get_if<kernel::For>(&threads->body.front().node)) {
            fill->to = divide(fill->to, kernel::integer(2));
            break;
        }
    }
    const std::vector<std::string> findings = check_shared(k);
    ASSERT_FALSE(findings.empty());
    EXPECT_NE(findings.front().find("which nothing wrote"), std::string::npos) << findings.front();
}

}  // namespace
}  // namespace kasc::test
