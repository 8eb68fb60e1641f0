#include "tune/fused_minimum.hpp"

#include <gtest/gtest.h>

namespace kasc::tune {
namespace {

const std::filesystem::path root = KASC_SOURCE_DIR;

double bytes(const std::string& program, const std::map<std::string, double>& settings,
             const std::vector<double>& parameters) {
    CompileRequest r;
    r.source = make_source("p.kas", program);
    r.data_folder = root;
    r.settings = settings;
    const auto checked = check_program(r);
    EXPECT_TRUE(checked);
    return checked ? fused_minimum_bytes(*checked, parameters) : 0;
}

TEST(FusedMinimum, StreamsCountInputsAndOutputsOnce) {
    EXPECT_EQ(bytes("matrix3x3 A, B, C; input A; B = mmul33(A, A); C = mmul33(B, A); return C;", {{"n", 100}}, {}),
              100 * 4 * (9 + 9));
}

TEST(FusedMinimum, LoopsCountEveryIterationAndSlicesTheirCells) {
    // An iteration reads T, q and one word of on, and writes T.
    EXPECT_EQ(bytes("param int steps = 5; float T[x, y], q[x, y], on[t]; input T, q, on;"
                    "for (n = 0; n < steps; n++) { T = T + on[t = n] * q; } return T;",
                    {{"x", 8}, {"y", 4}}, {5}),
              5 * 4 * (3 * 32 + 1));
}

TEST(FusedMinimum, CellsHaveTheBytesOfTheirType) {
    EXPECT_EQ(bytes("double T[x]; uint8 label[x]; int n[x]; input T, label, n; T = T + label + n; return T;",
                    {{"x", 100}}, {}),
              100 * (8 + 1 + 4 + 8));
}

TEST(FusedMinimum, AListLeavesTheFieldThatItsIterationStored) {
    // An iteration reads T, the positions and the energies, and writes T and its cells of the list.
    EXPECT_EQ(
        bytes("param int steps = 5; float T[x] boundary mirror, e[p]; int px[p]; input T, e, px; "
              "require(distinct(px)); for (n = 0; n < steps; n++) { T = T[-1] + T[1]; T[x = px] += e; } return T;",
              {{"x", 100}, {"p", 3}}, {5}),
        5 * 4 * (2 * 100 + 2 * 3 + 1));
}

}  // namespace
}  // namespace kasc::tune
