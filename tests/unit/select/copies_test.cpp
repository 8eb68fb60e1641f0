// What a search prices, by counts: steps of simulations end with copies, which are searched with what they copy.
#include <gtest/gtest.h>

#include <string>

#include "frontend/program.hpp"
#include "rewrite/rewrite.hpp"
#include "search/set_rules.hpp"
#include "select/costing.hpp"
#include "select/selection.hpp"

namespace kasc {
namespace {

/// A step of so many species, each of which decays and spreads, and a temperature that all of them read.
std::string species(int count, bool copied) {
    std::string fields, kept, body, made;
    for (int k = 0; k < count; ++k) {
        const std::string c = "c" + std::to_string(k), n = "n" + std::to_string(k);
        fields += c + "[x, y] boundary mirror, " + n + "[x, y], r" + std::to_string(k) + "[x, y], ";
        kept += c + ", ";
        body += "r" + std::to_string(k) + " = exp(-0." + std::to_string(k + 1) + "/T)*" + c + "*c" +
                std::to_string((k + 1) % count) + "; ";
        made += n + " = " + c + " + r" + std::to_string(k) + " - r" + std::to_string((k + 3) % count) + " + " + c +
                "[x - 1] + " + c + "[x + 1] + " + c + "[y - 1] + " + c + "[y + 1]; ";
    }
    std::string copies, returned;
    for (int k = 0; k < count; ++k) {
        copies += "c" + std::to_string(k) + " = n" + std::to_string(k) + "; ";
        returned += (copied ? "c" : "n") + std::to_string(k) + (k + 1 < count ? ", " : "");
    }
    return "float " + fields + "T[x, y]; input " + kept + "T; " + body + made + (copied ? copies : "") + "return " +
           returned + ";";
}

struct Searched {
    std::size_t fusions = 0, calls = 0;  ///< priced; those of all of them
    double time_ns = 0;
};

Searched searched(const std::string& text) {
    const Program program = *read_program(make_source("species.kas", text), {});
    const Graph graph = *build_graph(program);
    const SetRules rules(program, graph, {});
    const Device device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    const Library library;
    const auto exact = find_strategy("exact");
    const CostedSpace costed =
        cost_promising(program, graph, library, device, planned_problem(program), rules, {}, {}, *exact);
    std::size_t calls = 0;
    for (const Fusion& fusion : costed.space.fusions) calls += fusion.calls.size();
    return {costed.space.fusions.size(), calls, exact->select(graph, costed, 1).at(0).time_ns};
}

TEST(Copies, AreSearchedWithWhatTheyCopy) {
    const int count = 6;
    const Searched with = searched(species(count, true)), without = searched(species(count, false));
    EXPECT_LE(with.fusions, without.fusions + without.fusions / 2 + 2 * count);
    EXPECT_LE(with.time_ns, without.time_ns * 1.001) << "a copy in the kernel of what it copies moves no more";
}

/// Work is counted, and no clock looked at: calls of all fusions that are priced.
TEST(Copies, WorkIsBounded) {
    const Searched all = searched(species(12, true));
    EXPECT_LT(all.calls, 60'000U);
    EXPECT_LT(all.fusions, 2'000U);
}

}  // namespace
}  // namespace kasc
