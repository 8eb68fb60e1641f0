// Transforms over several axes as passes, and what they have in common.
#include "rewrite/transform_passes.hpp"

#include <gtest/gtest.h>

#include "rewrite/statements.hpp"

namespace kasc {
namespace {

const std::string fields_and_spectra =
    "axis kx = half(x);\n"
    "float u[x, y, z], v[x, y, z], w[x, y, z], dx[kx], dy[y], dz[z], K[kx, y, z];\n"
    "complex P[kx, y, z], a[x, y, z], b[x, y, z];\n"
    "input u, dx, dy, dz, K, a;\n";

std::string passes(const std::string& body) {
    const auto program = read_program(make_source("case.kas", fields_and_spectra + body), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    if (!program) return "";
    const TransformPasses made = transform_passes(*program);
    std::string all;
    rewriting::each_statement(made.program.statements,
                              [&](const Statement& s) { all += rewriting::statement_text(made.program, s) + "\n"; });
    return made.changed ? all : "unchanged";
}

TEST(TransformPasses, ForwardTheFirstAxisIsTheFirst) {
    EXPECT_EQ(passes("P = fft(u); return P;"),
              "P_pass = fft(u, kx)\n"
              "P_pass_2 = fft(P_pass, y)\n"
              "P = fft(P_pass_2, z)\n");
}

TEST(TransformPasses, FactorsStandBehindPassesAlongWhichTheyAreTheSame) {
    EXPECT_EQ(passes("P = fft(u); v = ifft(dx*K*P); w = ifft(dy*K*P); return v, w;"),
              "P_pass = fft(u, kx)\n"
              "P_pass_2 = fft(P_pass, y)\n"
              "P = fft(P_pass_2, z)\n"
              "v_factor = K * P\n"
              "v_pass = unscaled_ifft(v_factor, z)\n"
              "v_pass_2 = unscaled_ifft(v_pass, y)\n"
              "v_factor_2 = 1 / extent(x) / extent(y) / extent(z) * dx * v_pass_2\n"
              "v = unscaled_ifft(v_factor_2, x)\n"
              "w_factor_2 = dy * v_pass\n"
              "w_pass_2 = unscaled_ifft(w_factor_2, y)\n"
              "w_factor_3 = 1 / extent(x) / extent(y) / extent(z) * w_pass_2\n"
              "w = unscaled_ifft(w_factor_3, x)\n");
}

TEST(TransformPasses, OfASumNoFactorMoves) {
    EXPECT_EQ(passes("P = K*fft(u); P = P + dx*P; v = unscaled_ifft(P); return v;").find("factor"), std::string::npos);
}

TEST(TransformPasses, ATransformAlongOneAxisStaysAsItIs) {
    EXPECT_EQ(passes("b = fft(a, y); return b;"), "unchanged");
    EXPECT_EQ(passes("b = 2*a; return b;"), "unchanged");
}

}  // namespace
}  // namespace kasc
