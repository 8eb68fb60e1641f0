// What each rule writes, and what it says where it leaves a program as it is.
#include "rewrite/rewrite.hpp"

#include <gtest/gtest.h>

#include "rewrite/statements.hpp"

namespace kasc {
namespace {

const std::string scalars =
    "axis kx = half(x);\n"
    "float u[x, y], v[x, y], w[x, y], p[x, y], a[x, y], q[x, y] boundary mirror, o[x, y] boundary mirror, rho[x, y], "
    "given[kx, y], even[kx, y];\n"
    "complex P[kx, y], Q[kx, y], c[x, y], d[x, y], C[x, y];\n"
    "param float s = 2; param float r = 3; param int steps = 4;\n"
    "function wave(i, n) = i < (n + 1) / 2 ? i : i - n;\n"
    "input u, v, rho, given, q, o;\n";

class Rewrites : public testing::Test {
protected:
    static Rewriting rewritten(const std::string& body, const std::set<Rule>& left_out = {}) {
        const auto program = read_program(make_source("case.kas", scalars + body), Library{});
        EXPECT_TRUE(program) << render_text(program.diagnostics);
        return program ? rewrite(*program, left_out) : Rewriting{};
    }
    static std::string text(const Rewriting& r) {
        std::string all;
        rewriting::each_statement(r.program.statements,
                                  [&](const Statement& s) { all += rewriting::statement_text(r.program, s) + "\n"; });
        return all;
    }
    /// The reasons of one rule, "+" before those of what was applied.
    static std::string verdicts(const Rewriting& r, Rule rule) {
        std::string all;
        for (const RewriteVerdict& v : r.verdicts) {
            if (v.rule == rule) all += (v.verdict ? "+ " : "- ") + v.statement + ": " + v.verdict.reason() + "\n";
        }
        return all;
    }
};

class Uniform : public Rewrites {};

TEST_F(Uniform, ANumberStandsInPlaceOfTheField) {
    const Rewriting r = rewritten("a = s * r; w = 0.5 * a; p = w * u + a; return p;");
    EXPECT_EQ(text(r), "p = 0.5 * (s * r) * u + -(-(s * r))\n");
    EXPECT_EQ(verdicts(r, Rule::uniform),
              "+ w: one number for all cells, in place of 1 read of a field\n"
              "+ a: one number for all cells, in place of 2 reads of a field\n");
    EXPECT_FALSE(r.rounds);
    EXPECT_EQ(rounding_tolerance(r), 0);
}

TEST_F(Uniform, AProductThatWasStoredIsRoundedByItselfWhereItIsAdded) {
    // As s * r + u it would have one rounding.
    EXPECT_EQ(text(rewritten("a = s * r; p = a + u; return p;")), "p = -(-(s * r)) + u\n");
    EXPECT_EQ(text(rewritten("a = s * r; p = 2 * a + u; return p;")), "p = 2 * (s * r) + u\n");
    EXPECT_EQ(text(rewritten("a = s + r; p = u - a; return p;")), "p = u - (s + r)\n");
}

TEST_F(Uniform, LoopsForgetWhatTheyAssign) {
    const Rewriting r =
        rewritten("a = s; w = r; p = u; for (n = 0; n < steps; n++) { p = p + a * w; a = a + 1; } p = p + a; return p;",
                  {Rule::unroll});
    EXPECT_EQ(text(r), "a = s\np = u\np = p + a * r\na = a + 1\np = p + a\n");
}

class Unroll : public Rewrites {
protected:
    static std::string loops(const Rewriting& r, const std::vector<Statement>& list) {
        std::string all;
        for (const Statement& s : list) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s);
            if (loop == nullptr) continue;
            all += r.program.loops[(*loop)->loop].name + " from " + to_text(*(*loop)->from, r.program, {}) + " to " +
                   to_text(*(*loop)->to, r.program, {}) + ": " + std::to_string((*loop)->body.size()) + "\n";
            all += loops(r, (*loop)->body);
        }
        return all;
    }
    static std::string loops(const Rewriting& r) { return loops(r, r.program.statements); }
};

TEST_F(Unroll, FewIterationsAreOneList) {
    const Rewriting r = rewritten("p = u; for (n = 2; n < 4; n++) { p = 0.5*p + n; w = p*n; } return p, w;");
    EXPECT_EQ(text(r), "p = u\np = 0.5 * p + 2\np = 0.5 * p + 3\nw = p * 3\n");
    EXPECT_EQ(verdicts(r, Rule::unroll), "+ for (n = 2; n < 4; n++): 2 iterations at a time: each cell has its own\n");
    EXPECT_FALSE(r.rounds);
}

TEST_F(Unroll, ManyIterationsAreListsOfOneLength) {
    EXPECT_EQ(loops(rewritten("p = u; for (n = 0; n < 200; n++) { p = p*p + n; } return p;")),
              "n_50 from 0 to 4: 50\n");
    // A prime number of them has a rest.
    const Rewriting rest = rewritten("p = u; for (n = 0; n < 211; n++) { p = p*p + n; } return p;");
    EXPECT_EQ(loops(rest), "n_53 from 0 to 3: 53\n");
    EXPECT_NE(text(rest).find("p = p * p + 210\n"), std::string::npos);
    EXPECT_EQ(text(rest).find("p = p * p + 211\n"), std::string::npos);
}

TEST_F(Unroll, AParameterMayBeAnyNumber) {
    const Rewriting r = rewritten("p = u; for (n = 1; n < steps; n++) { p = p*p + n; } return p;");
    EXPECT_EQ(loops(r), "n_3 from 1 to steps - 2: 3\nn from 3 * ((steps - 1) / 3) + 1 to steps: 1\n");
    EXPECT_NE(text(r).find("p = p * p + float(n_3 + 1)"), std::string::npos) << text(r);
}

TEST_F(Unroll, InnerLoopsFirst) {
    const Rewriting r = rewritten(
        "p = u; for (n = 0; n < 9; n++) { for (m = steps; m < 7; m++) { p = p + m; } for (m = 0; m < 2; m++) { p = m*p "
        "+ n; } }"
        "return p;");
    EXPECT_EQ(loops(r), "n from 0 to 9: 3\nm from steps to 7: 1\n");
}

TEST_F(Unroll, NotWhatReadsItsNeighbours) {
    for (const char* body : {"for (n = 0; n < 9; n++) { o = o[y - 1] + n; } return o;",
                             "for (n = 0; n < 9; n++) { u = u + 1/sum(u); } return u;",
                             "for (n = 0; n < 9; n++) { u = u + 1; given = given*n; } return u, given;"}) {
        const Rewriting r = rewritten(body);
        EXPECT_EQ(verdicts(r, Rule::unroll), "") << body;
        EXPECT_NE(loops(r), "") << body;
    }
    const Rewriting captured = rewritten("for (n = 0; n < 2; n++) { u = u + q[x - 1]; } return u;");
    EXPECT_EQ(loops(captured), "");
}

TEST_F(Unroll, NotWhatComputesTooMuch) {
    std::string body = "u = u + 1";
    for (int k = 0; k < 500; ++k) body += " + v*" + std::to_string(k);
    const Rewriting r = rewritten("for (n = 0; n < 9; n++) { " + body + "; } return u;");
    EXPECT_EQ(verdicts(r, Rule::unroll),
              "- for (n = 0; n < 9; n++): an iteration computes too much to stand in one kernel with another\n");
}

TEST_F(Uniform, NotAtNeighboursNorWhereSomeCellsAreAssigned) {
    const std::string text = "float q[x] boundary value(1), z[x], k[x, t]; param int n = 2; axis t = n; input z;\n";
    const auto changed = [&](const std::string& body) {
        const auto program = read_program(make_source("case.kas", text + body), Library{});
        EXPECT_TRUE(program) << render_text(program.diagnostics);
        return rewrite(*program).changed;
    };
    EXPECT_FALSE(changed("q = 2; z = z + q[x - 1]; return z;"));
    EXPECT_TRUE(changed("q = 2; z = z + q; return z;"));
    EXPECT_FALSE(changed("for (i = 0; i < n; i++) { k[t = i] = 2; } z = z + k[t = 0]; return z;"));
    EXPECT_FALSE(changed("q = z; q = q + 1; z = z * q; return z;"));
}

class Equal : public Rewrites {};

TEST_F(Equal, ATransformOfTheSameValueIsNotComputedAgain) {
    const Rewriting r = rewritten("p = ifft(given * fft(u * u)); a = p * ifft(2 * given * fft(u * u)); return a;");
    EXPECT_EQ(verdicts(r, Rule::equal), "+ a_spectrum_fft = fft(a_spectrum_field): p_spectrum_fft holds it already\n");
    EXPECT_EQ(text(r).find("a_spectrum_f"), std::string::npos) << text(r);
    EXPECT_FALSE(r.rounds);
}

TEST_F(Equal, NotWhereAFieldChangedBetween) {
    EXPECT_EQ(verdicts(rewritten("P = fft(u); u = u + 1; Q = fft(u); a = ifft(given * P) + ifft(given * Q); return a;"),
                       Rule::equal),
              "");
    EXPECT_EQ(verdicts(rewritten("P = fft(u); p = ifft(given * P); P = P + 1; Q = fft(u); a = ifft(given * Q + P) + p; "
                                 "return a;"),
                       Rule::equal),
              "")
        << "nothing holds it any more";
    EXPECT_NE(verdicts(rewritten("P = fft(u); v = v + 1; Q = fft(u); a = ifft(given * P) * ifft(given * given * Q); "
                                 "return a;"),
                       Rule::equal),
              "");
}

TEST_F(Equal, ReductionsAreTakenOnce) {
    const Rewriting r = rewritten("a = u - sum(u*u); v = v + sum(u*u)*sum(u*u); u = a/sum(u*u); return a, v, u;");
    EXPECT_EQ(verdicts(r, Rule::equal),
              "+ v_sum = sum(u * u): a_sum holds it already\n+ u_sum = sum(u * u): a_sum holds it already\n");
    EXPECT_FALSE(r.rounds);
    EXPECT_EQ(verdicts(rewritten("a = u - sum(u*u); u = u + 1; v = v + sum(u*u); return a, v, u;"), Rule::equal), "");
    EXPECT_EQ(verdicts(rewritten("a = u - sum(u); v = v + maximum(u); return a, v;"), Rule::equal), "");
}

TEST_F(Equal, RunningSumsAreTakenOnce) {
    const Rewriting r =
        rewritten("a = u - running_sum(u*u, x); v = running_sum(u*u, x); u = a + running_sum(u*u, x); return a, v, u;");
    EXPECT_EQ(verdicts(r, Rule::equal),
              "+ v = running_sum(u * u, x): a_running_sum holds it already\n"
              "+ u_running_sum = running_sum(u * u, x): v holds it already\n");
    for (const char* other :
         {"running_sum(u, -x)", "running_sum(u, y)", "running_product(u, x)", "sum(u, x)", "running_sum(u + 1, x)"}) {
        EXPECT_EQ(verdicts(rewritten(std::string("a = u - running_sum(u, x); v = v + ") + other + "; return a, v;"),
                           Rule::equal),
                  "")
            << other;
    }
    EXPECT_EQ(
        verdicts(rewritten("a = running_sum(u, x); u = u + 1; v = running_sum(u, x); return a, v, u;"), Rule::equal),
        "");
}

TEST_F(Uniform, ARunningSumOfNumbersIsNoNumber) {
    const Rewriting r = rewritten("a = s; w = running_sum(a, x); p = w + a; return p;");
    EXPECT_EQ(text(r), "w = running_sum(s, x)\np = w + s\n");
}

TEST_F(Unroll, NotWhatSumsUpItsLines) {
    const Rewriting r = rewritten("p = u; for (n = 0; n < 3; n++) { p = running_maximum(p*p, y) + u; } return p;");
    EXPECT_EQ(verdicts(r, Rule::unroll), "");
}

class Inverse : public Rewrites {
protected:
    const std::string gradients =
        "p = ifft(complex(0, kx) * fft(u)); w = ifft(complex(0, wave(y, extent(y))) * fft(v));\n";
    const std::string even_numbers = "even = 1 / (1 + wave(y, extent(y)) * wave(y, extent(y)) + kx * kx);\n";
};

TEST_F(Inverse, TheSumIsTakenBeforeTheWayBack) {
    const Rewriting r = rewritten(gradients + even_numbers + "a = ifft(even * fft(s * (p + w))); return a, p, w;");
    EXPECT_EQ(verdicts(r, Rule::inverse),
              "+ a_spectrum_fft = fft(a_spectrum_field): a sum of p_spectrum, w_spectrum: one transform less\n");
    const std::string made = text(r);
    const std::size_t sum = made.find("a_spectrum_fft_sum = extent(x) * extent(y) * s * (p_spectrum + w_spectrum)\n");
    ASSERT_NE(sum, std::string::npos) << made;
    EXPECT_LT(sum, made.find("p = unscaled_ifft(p_spectrum)")) << made;
    EXPECT_LT(sum, made.find("w = unscaled_ifft(w_spectrum)")) << made;
    EXPECT_EQ(made.find("a_spectrum_field"), std::string::npos) << made;
    EXPECT_TRUE(r.rounds);
    EXPECT_EQ(rounding_tolerance(r), 1e-5);
}

TEST_F(Inverse, AFactorThatDiffersIsNamed) {
    EXPECT_EQ(
        verdicts(rewritten(gradients + even_numbers + "a = ifft(even * fft(rho * (p + w))); return a;"), Rule::inverse),
        "- a_spectrum_fft = fft(a_spectrum_field): 'rho' differs from cell to cell\n");
}

TEST_F(Inverse, HalfASpectrumMayOnlyBeMultipliedWithEvenNumbers) {
    const auto refused = [&](const std::string& filter) {
        return verdicts(rewritten(gradients + even_numbers + "a = ifft((" + filter + ") * fft(p + w)); return a;"),
                        Rule::inverse);
    };
    const std::string why =
        "does more with half a spectrum than to multiply it with real numbers that are even in the wave numbers\n";
    for (const char* filter : {"given", "wave(y, extent(y))", "y", "complex(0, 1)", "real(fft(u))", "y < 2 ? 1 : 2"})
        EXPECT_NE(refused(filter).find(why), std::string::npos) << filter << ": " << refused(filter);
    for (const char* filter :
         {"even", "kx", "cos(wave(y, extent(y)))", "abs(wave(y, extent(y))) + s", "exp(-even / kx)",
          "wave(y, extent(y)) * sin(wave(y, extent(y)) * s)", "even == 0 ? 0 : 1 / even",
          "real(complex(kx, wave(y, extent(y))) * conj(complex(2, wave(y, extent(y)))))"})
        EXPECT_EQ(refused(filter).substr(0, 1), "+") << filter << ": " << refused(filter);
    EXPECT_NE(verdicts(rewritten(gradients + "P = fft(p + w); a = ifft(P); Q = P * P; w = ifft(Q); return a, w;"),
                       Rule::inverse)
                  .find("'Q = P * P' " + why),
              std::string::npos);
}

TEST_F(Inverse, OfComplexNumbersAndForthAndBackNothingIsAsked) {
    EXPECT_EQ(verdicts(rewritten("c = complex(u, v); d = ifft(complex(0, y) * fft(c, y), y); C = fft(d + d, y); "
                                 "a = real(C); return a;"),
                       Rule::inverse),
              "+ C = fft(C_spectrum, y): a sum of d_spectrum, d_spectrum: one transform less\n");
    const Rewriting back = rewritten("P = fft(u); Q = 2 * P - fft(v); a = ifft(Q) + s; return a;");
    EXPECT_EQ(text(back),
              "a_ifft_sum = extent(x) * extent(y) * 2 * u + extent(x) * extent(y) * -v\n"
              "a = 1 / (extent(x) * extent(y)) * a_ifft_sum + s\n");
}

TEST_F(Inverse, OfComplexFactorsTheWayBackLeavesSomethingElse) {
    EXPECT_EQ(verdicts(rewritten("P = fft(u); Q = complex(0, 1) * P; a = ifft(Q); return a;"), Rule::inverse), "");
    EXPECT_EQ(verdicts(rewritten("p = ifft(given * fft(u)); C = fft(complex(0, 1) * p); a = real(C); return a;"),
                       Rule::inverse),
              "- C = fft(C_spectrum): 'complex(0, 1)' is complex\n");
    EXPECT_EQ(verdicts(rewritten("p = ifft(given * fft(u)); C = fft(2 * p); a = real(C); return a;"), Rule::inverse),
              "- C = fft(C_spectrum): 'p_spectrum' is no spectrum of the same kind\n");
}

TEST_F(Inverse, NotWhereASourceIsGone) {
    EXPECT_EQ(verdicts(rewritten("P = fft(u); u = u + 1; Q = P + fft(u); a = ifft(Q); return a;"), Rule::inverse),
              "- a_ifft = unscaled_ifft(Q): 'u' is assigned anew before all is known\n");
}

class Linear : public Rewrites {};

TEST_F(Linear, ASumOfTransformsIsOneAndFactorsMoveInside) {
    const Rewriting r =
        rewritten("w = u; a = w * (v + s * ifft(given * fft(u * v)) - ifft(given * fft(v)) / r); return a;");
    EXPECT_EQ(verdicts(r, Rule::linear),
              "+ a_ifft = unscaled_ifft(a_spectrum): 2 transforms in 'a' are one\n"
              "+ a_ifft_2 = unscaled_ifft(a_spectrum_2): 2 transforms in 'a' are one\n");
    EXPECT_NE(text(r).find("a_joined = s * a_spectrum - 1 / r * a_spectrum_2\na_ifft_2 = unscaled_ifft(a_joined)\n"
                           "a = w * (v + a_ifft_2)\n"),
              std::string::npos)
        << text(r);
    EXPECT_TRUE(r.rounds);
}

TEST_F(Linear, RefusalsSayWhy) {
    EXPECT_EQ(
        verdicts(rewritten("a = s * ifft(given * fft(u * v)) + rho * ifft(given * fft(v)); return a;"), Rule::linear),
        "- a_ifft_2 = unscaled_ifft(a_spectrum_2): its factor 'rho' differs from cell to cell\n");
    EXPECT_EQ(
        verdicts(rewritten("p = ifft(given * fft(u * v)); a = p + ifft(given * fft(v)); return a, p;"), Rule::linear),
        "- p = unscaled_ifft(p_spectrum): 'p' is used elsewhere too\n");
    EXPECT_EQ(verdicts(rewritten("a = ifft(given * fft(u * v)) + real(ifft(fft(complex(u, v), y), y)); return a;"),
                       Rule::linear),
              "")
        << "transforms of other kinds";
    EXPECT_EQ(verdicts(rewritten("c = complex(0, 1) * ifft(given * fft(u * v)) + ifft(given * fft(v)); a = real(c); "
                                 "return a;"),
                       Rule::linear),
              "- c_ifft = unscaled_ifft(c_spectrum): its factor 'complex(0, 1)' is complex\n")
        << "c_ifft is real: what is left of i times a half spectrum is something else";
}

TEST_F(Rewrites, RulesAreLeftOutByName) {
    const std::string body = "a = s * ifft(given * fft(u * v)) + ifft(given * fft(v)); return a;";
    EXPECT_TRUE(rewritten(body).changed);
    EXPECT_FALSE(rewritten(body, rules_of({"linear"})).changed);
    EXPECT_FALSE(rewritten(body, rules_of({"all"})).changed);
    EXPECT_TRUE(rewritten(body, rules_of({"inverse"})).changed);
    for (const std::string& name : rule_names()) EXPECT_STREQ(name_of(*find_rule(name)), name.c_str());
    EXPECT_EQ(find_rule("all"), std::nullopt);
    EXPECT_EQ(left_out_text(rules_of({"linear", "uniform"})), "without uniform, linear");
}

TEST_F(Rewrites, SumsThatDoubleWithEachStatementEnd) {
    std::string body = "p = ifft(given * fft(u));";
    for (int k = 0; k < 200; ++k) body += "p = p + p;";
    const Rewriting r = rewritten(body + "P = fft(p); a = ifft(P * P); return a;");
    EXPECT_EQ(verdicts(r, Rule::inverse), "");
}

}  // namespace
}  // namespace kasc
