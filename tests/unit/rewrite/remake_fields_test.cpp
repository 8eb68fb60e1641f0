// Fields that a loop may make anew, and where it makes them.
#include "rewrite/remake_fields.hpp"

#include <gtest/gtest.h>

#include "rewrite/statements.hpp"

namespace kasc {
namespace {

const std::string declarations =
    "axis kx = half(x);\n"
    "float u[x, y], v[x, y], given[kx, y], kappa[kx, y], power[kx, y], lx[kx], ly[y];\n"
    "float k[kx, y] boundary mirror, here[x, y] boundary mirror;\n"
    "complex P[kx, y], Q[kx, y];\n"
    "param float s = 2; param int steps = 4;\n"
    "input u, v, given, ly;\n";

class RemadeFieldsTest : public testing::Test {
protected:
    static RemadeFields remade(const std::string& body) {
        const auto program = read_program(make_source("case.kas", declarations + body), Library{});
        EXPECT_TRUE(program) << render_text(program.diagnostics);
        return program ? remake_fields(*program) : RemadeFields{};
    }
    static std::string text(const RemadeFields& r) {
        std::string all;
        rewriting::each_statement(r.program.statements,
                                  [&](const Statement& s) { all += rewriting::statement_text(r.program, s) + "\n"; });
        return all;
    }
    static std::string verdicts(const RemadeFields& r) {
        std::string all;
        for (const RemadeVerdict& v : r.verdicts)
            all += (v.verdict ? "+" : "-") + v.field + ": " + v.verdict.reason() + "\n";
        return all;
    }
};

TEST_F(RemadeFieldsTest, WhatMakesTheFieldStandsBeforeItsFirstReader) {
    const RemadeFields r = remade(
        "lx = s * kx; k = lx * lx + ly; k = sqrt(k); kappa = sin(k) / s;\n"
        "for (n = 0; n < steps; n++) { P = fft(u); Q = kappa * P; P = lx * kappa * P; u = ifft(P) + ifft(Q); }\n"
        "return u;");
    EXPECT_TRUE(r.changed);
    EXPECT_EQ(verdicts(r), "+kappa: made of lines and numbers alone\n");
    const std::string in_loop = text(r).substr(text(r).find("P = fft"));
    EXPECT_EQ(in_loop.substr(0, in_loop.find("u_ifft")),
              "P = fft(u)\nk_again = lx * lx + ly\nk_again = sqrt(k_again)\nkappa_again = sin(k_again) / s\n"
              "Q = kappa_again * P\nP = lx * kappa_again * P\n");
}

TEST_F(RemadeFieldsTest, BehindAnotherTransformItIsMadeAgain) {
    const RemadeFields r = remade(
        "kappa = kx + ly; power = kappa * kappa;\n"
        "for (n = 0; n < steps; n++) { u = ifft(kappa * fft(u)); v = u * u; u = ifft(power * kappa * fft(v)); }\n"
        "return u;");
    const std::string all = text(r);
    EXPECT_NE(all.find("kappa_again = "), std::string::npos) << all;
    EXPECT_NE(all.find("kappa_again_2 = "), std::string::npos) << all;
    EXPECT_NE(all.find("power_again = kappa_again_2 * kappa_again_2"), std::string::npos) << all;
    EXPECT_EQ(all.find("power_again_2"), std::string::npos) << all;
}

TEST_F(RemadeFieldsTest, FieldsThatReadAsMuchAsTheySaveStay) {
    const auto why = [](const std::string& before) {
        const RemadeFields r = remade(before + "for (n = 0; n < steps; n++) { u = ifft(kappa * fft(u)); }\nreturn u;");
        EXPECT_FALSE(r.changed);
        EXPECT_EQ(text(r).find("again"), std::string::npos);
        return verdicts(r);
    };
    EXPECT_EQ(why("kappa = 2 * given;"), "-kappa: given is an input of as many cells\n");
    EXPECT_EQ(why("k = given; kappa = k * ly;"), "-kappa: given is an input of as many cells\n");
    EXPECT_EQ(why("P = fft(v); kappa = real(P);"), "-kappa: P comes from a transform or a loop\n");
    EXPECT_EQ(why("kappa = 1; kappa[y = 0] = 2;"), "-kappa: not all cells of kappa are assigned alike\n");
    EXPECT_EQ(why("k = ly; kappa = k[1, 0];"), "-kappa: k is read at other cells\n");
    EXPECT_EQ(why("lx = 1; kappa = lx + ly; lx = 2;"), "-kappa: lx changes after it was read\n");
}

TEST_F(RemadeFieldsTest, WhatTheLoopAssignsIsItsOwn) {
    EXPECT_FALSE(remade("kappa = kx + ly; for (n = 0; n < steps; n++) { u = ifft(kappa * fft(u)); kappa = kappa + 1; }"
                        "return u;")
                     .changed);
    const RemadeFields lines = remade(
        "lx = 1; kappa = lx + ly; for (n = 0; n < steps; n++) { u = ifft(kappa * lx * fft(u)); lx = lx + 1; }"
        "return u;");
    EXPECT_EQ(verdicts(lines), "-kappa: lx changes after it was read\n");
}

TEST_F(RemadeFieldsTest, NeighboursReadTheFieldItself) {
    const RemadeFields r =
        remade("here = x + ly; for (n = 0; n < steps; n++) { u = u + here + here[1, 0]; } return u;");
    EXPECT_TRUE(r.changed);
    EXPECT_NE(text(r).find("u = u + here_again + here[1, 0]"), std::string::npos) << text(r);
}

}  // namespace
}  // namespace kasc
