// Loops as CUDA graphs: what kasc explain says of them, and the code of the loop.
#include <gtest/gtest.h>

#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

const std::string two_steps =
    "float T[x, y] boundary mirror, u[x, y], v[x, y], probe[t]; param int steps = 9; param int px; input T;\n"
    "for (n = 0; n < steps; n++) {\n"
    "    u = 0.5*laplace2(T, 1); v = u + 0.1*laplace2(T, 1); T = T + v; probe[t = n] = T[x = px, y = 0];\n"
    "}\nreturn T, probe;\n";

class GraphOfALoop : public testing::Test {
protected:
    GraphOfALoop() { test::write_file(file("heat.kas"), two_steps); }
    [[nodiscard]] std::string file(const std::string& name) const { return (here_.path() / name).string(); }
    [[nodiscard]] std::string host_code(const std::string& options) const {
        const auto run = test::shell(KASC_COMMAND " compile " + file("heat.kas") + " --strategy none " + options +
                                     " -o " + file("out"));
        EXPECT_EQ(run.status, 0) << run.output;
        return test::read_file(file(options.find("cpu") == std::string::npos ? "out/heat.cu" : "out/heat.cpp"));
    }
    [[nodiscard]] std::string explained(const std::string& options) const {
        const auto run = test::shell(KASC_COMMAND " explain " + file("heat.kas") + " --strategy none " + options);
        EXPECT_EQ(run.status, 0) << run.output;
        const std::size_t begin = run.output.find("CUDA graphs:\n");
        if (begin == std::string::npos) return "";
        return run.output.substr(begin + 13, run.output.find('\n', begin + 13) - begin - 13);
    }

private:
    test::Temporary here_;
};

TEST_F(GraphOfALoop, HoldsWhatNoIterationChanges) {
    EXPECT_EQ(explained("--graph always --set x=64 --set y=64"),
              "  loop n: 3 of 4 steps an iteration in 1 graph; not: heat_k3, which uses the iteration's number");
    const std::string code = host_code("--graph always");
    const std::size_t begin = code.find("int heat_run::steps_0() {"), end = code.find("return memory.status();", begin);
    ASSERT_NE(begin, std::string::npos) << code;
    ASSERT_LT(begin, end) << code;
    EXPECT_NE(code.find("graph_0.run(memory, replayed, {"), std::string::npos) << code;
    for (const char* kernel : {"launch_heat_k0(", "launch_heat_k1(", "launch_heat_k2("}) {
        const std::size_t call = code.rfind(kernel);
        EXPECT_TRUE(begin < call && call < end) << kernel;
    }
    EXPECT_GT(code.rfind("launch_heat_k3("), end);
    EXPECT_NE(code.find("#include \"kasc_graphs.cuh\""), std::string::npos);
    EXPECT_NE(test::read_file(file("out/kasc_graphs.cuh")), "");
}

TEST_F(GraphOfALoop, WhereLaunchesCount) {
    EXPECT_EQ(explained("--graph priced --set x=64 --set y=64").substr(0, 11), "  loop n: 3");
    EXPECT_EQ(explained("--graph priced --set x=16384 --set y=16384").substr(0, 29), "  loop n: none, launches are ");
    EXPECT_EQ(explained("--set x=64 --set y=64").substr(0, 11), "  loop n: 3");
    EXPECT_EQ(explained("--graph never"), "");
    EXPECT_EQ(explained("--graph always --device cpu"), "");
}

TEST_F(GraphOfALoop, OnlyWhereItIsWanted) {
    EXPECT_EQ(host_code("--graph never").find("kasc_graph"), std::string::npos);
    EXPECT_EQ(host_code("--graph always --target cpu").find("kasc_graph"), std::string::npos);
}

}  // namespace
}  // namespace kasc
