// Runs of several processes, on the CPU: the same file as of one; faults that one of them has; one that is killed.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/launched.hpp"
#include "support/of_the_day.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

using test::launched;
using test::launcher;

class Processes : public testing::Test {
protected:
    void SetUp() override {
        if (!test::can_launch()) GTEST_SKIP() << "kasc was built without MPI";
    }
    [[nodiscard]] std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
    [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
        test::write_file(folder_.path() / name, text);
        return file(name);
    }
    /// What kasc explain says of the program for processes, as `ranks` goes on behind --ranks.
    [[nodiscard]] test::ShellResult explained(const std::string& source, const std::string& ranks) const {
        return test::shell(KASC_COMMAND " explain " + write("program.kas", source) + " --device cpu --ranks " + ranks);
    }
    [[nodiscard]] static std::string bytes(const std::string& path) {
        std::ostringstream all;
        all << std::ifstream(path, std::ios::binary).rdbuf();
        return all.str();
    }
    /// The file of one process, and of several that share all that can be, which say `told` of it. Numbers of them are
    /// alike but where shares are of a cell or none: every day most programs meet one number.
    void same_bytes(const std::string& source, const std::string& flags, const std::string& told,
                    const std::vector<int>& numbers = test::of_the_day(std::vector<int>{3, 2, 8})) const {
        const std::string call = "run " + write("program.kas", source) + " --target cpu " + flags + " --out ";
        const auto alone = test::shell(KASC_COMMAND " " + call + file("alone.h5"));
        ASSERT_EQ(alone.status, 0) << alone.output;
        for (const int processes : numbers) {
            const auto run = test::shell(launched(processes, call + file("shared.h5") + " --share always"));
            ASSERT_EQ(run.status, 0) << run.output;
            EXPECT_NE(run.output.find(told), std::string::npos) << run.output;
            EXPECT_NE(run.output.find("\nmessages: by MPI, "), std::string::npos) << run.output;
            EXPECT_TRUE(bytes(file("alone.h5")) == bytes(file("shared.h5"))) << processes;
        }
    }

private:
    test::Temporary folder_;
};

TEST_F(Processes, AStencilBetweenWalls) {
    same_bytes(
        "param int steps = 7;\n"
        "float T[x, y, z] boundary mirror;\n"
        "axis x = 20; axis y = 9; axis z = 23;\n"
        "T = sin(0.3 * x) * cos(0.2 * y) + 0.01 * z * z;\n"
        "for (n = 0; n < steps; n++) { T = T + 0.1 * laplace4(T, 1); }\n"
        "return T;\n",
        "", "shared along", {2, 3, 8});
}

TEST_F(Processes, APeriodicWave) {
    same_bytes(
        "float u[x, y] boundary periodic, v[x, y];\n"
        "axis x = 40; axis y = 33;\n"
        "u = sin(x) * cos(3 * y); v = 0;\n"
        "for (n = 0; n < 9; n++) {\n"
        "    v = v + 0.2 * (u[x - 1] + u[x + 1] + u[y - 1] + u[y + 1] - 4 * u);\n"
        "    u = u + 0.2 * v;\n"
        "}\n"
        "return u, v;\n",
        "", "exchanged before");
}

TEST_F(Processes, SumsAndAConditionOfThem) {
    same_bytes(
        "float T[x, y, z] boundary value(0), largest[], s[], rows[y, z];\n"
        "axis x = 31; axis y = 17; axis z = 40;\n"
        "T = 1 + 0.1 * x - 0.01 * y * z;\n"
        "largest = maximum(abs(T));\n"
        "for (n = 0; n < 50 && largest > 0.5; n++) {\n"
        "    T = T + 0.15 * laplace2(T, 1);\n"
        "    largest = maximum(abs(T));\n"
        "}\n"
        "s = sum(T * T);\n"
        "rows = sum(T, x);\n"
        "return T, s, largest, rows;\n",
        "", "shared along");
}

TEST_F(Processes, NumbersBesideCellsAreStoredByTheFirst) {
    const std::string source =
        "float x[i, j, k], b[i, j, k], r[i, j, k], p[i, j, k] boundary value(0), q[i, j, k];\n"
        "float rr[], next[], pq[], residual[t];\n"
        "axis i = 40; axis j = 30; axis k = 50; axis t = 6;\n"
        "b = sin(0.1 * i * j) + 0.01 * k;\n"
        "x = 0; r = b; p = r; rr = sum(r * r);\n"
        "for (n = 0; n < 6; n++) {\n"
        "    q = 6 * p - p[i - 1] - p[i + 1] - p[j - 1] - p[j + 1] - p[k - 1] - p[k + 1];\n"
        "    pq = sum(p * q);\n"
        "    x = x + rr / pq * p;\n"
        "    r = r - rr / pq * q;\n"
        "    next = sum(r * r);\n"
        "    p = r + next / rr * p;\n"
        "    rr = next;\n"
        "    residual[t = n] = sqrt(rr);\n"
        "}\n"
        "return x, residual;\n";
    same_bytes(source, "", "shared along", {2, 3, 8});
    const auto said = explained(source, "2 --share always");
    ASSERT_EQ(said.status, 0) << said.output;
    EXPECT_EQ(said.output.find("on the first process"), std::string::npos) << said.output;
}

TEST_F(Processes, SourcesRecordingsAndAMovie) {
    const std::string source =
        "param int steps = 12;\n"
        "float p[x, y, z] boundary value(0), q[x, y, z];\n"
        "axis x = 14; axis y = 15; axis z = 16; axis t = steps; axis k = 5;\n"
        "int at[k]; float heard[k, t], point[t], movie[x, z, t];\n"
        "at = 3 * k;\n"
        "p = 0; q = 0;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    q = q + 0.2 * laplace2(p, 1);\n"
        "    p = p + 0.2 * q;\n"
        "    p[x = 7, y = 8, z = 9] = p[x = 7, y = 8, z = 9] + sin(0.5 * n);\n"
        "    heard[t = n] = p[x = 6, y = 7, z = at];\n"
        "    point[t = n] = p[x = 3, y = 3, z = 12];\n"
        "    movie[t = n] = p[y = 8];\n"
        "}\n"
        "return p, heard, point, movie;\n";
    same_bytes(source, "", "shared along");
    // Recordings and the movie go to the file row by row.
    same_bytes(source, "--checkpoint " + file("c.h5") + " --every 5", "shared along");
}

TEST_F(Processes, ListsOfTheInput) {
    const std::string given = file("given.h5");
    const auto made = test::shell(KASC_COMMAND " run " +
                                  write("given.kas",
                                        "int at[k], mixed[k]; float q[k]; axis k = 9000;\n"
                                        "at = 3 * k;\n"
                                        "mixed = 7919 * k % 28800;\n"
                                        "q = sin(0.1 * k);\n"
                                        "return at, mixed, q;\n") +
                                  " --target cpu --out " + given);
    ASSERT_EQ(made.status, 0) << made.output;
    // A block has 4096 entries: some planes are of two blocks. What is assigned where lists in no order say is one's.
    same_bytes(
        "float T[x, y, z] boundary mirror, q[k], heard[k, t], far[k];\n"
        "int at[k], mixed[k];\n"
        "axis x = 40; axis y = 30; axis z = 24; axis t = 5;\n"
        "input at, mixed, q;\n"
        "T = 0.01 * x * y + z;\n"
        "far = 0;\n"
        "for (n = 0; n < 5; n++) {\n"
        "    T[x = at % 40, y = at / 40 % 30, z = at / 1200] = T[x = at % 40, y = at / 40 % 30, z = at / 1200] + q;\n"
        "    T = 0.5 * T + 0.25 * (T[z - 1] + T[z + 1]);\n"
        "    T[x = mixed % 40, y = mixed / 40 % 30, z = mixed / 1200] = 0.1 * q + n;\n"
        "    heard[t = n] = T[x = at % 40, y = at / 40 % 30, z = at / 1200];\n"
        "    far = far + T[x = mixed % 40, y = mixed / 40 % 30, z = mixed / 1200];\n"
        "}\n"
        "return T, heard, far;\n",
        "--in " + given, "shared as its lists say", {2, 8});
}

TEST_F(Processes, TransformsAlongTheCutAxis) {
    // 14 planes are uneven parts of three, and fewer than two for some of eight.
    const char* const source =
        "float u[x, y, z];\n"
        "complex U[kx, y, z];\n"
        "axis x = 18; axis y = 11; axis z = 14; axis kx = half(x);\n"
        "u = sin(x) + cos(2 * y) + 0.1 * z;\n"
        "for (n = 0; n < 3; n++) {\n"
        "    U = fft(u);\n"
        "    U = U / (1 + kx * kx + z);\n"
        "    u = u + ifft(U);\n"
        "}\n"
        "return u;\n";
    same_bytes(source, "", "shared: lines along the outermost axis by columns, others by planes");
}

TEST_F(Processes, TransformsOfAllKinds) {
    same_bytes(
        "double w[x, y, z]; float s[x, y];\n"
        "double_complex A[x, y, z], C[x, y, kz];\n"
        "complex S[x, ky], L[x];\n"
        "axis x = 10; axis y = 12; axis z = 21; axis kz = half(z); axis ky = half(y);\n"
        "w = sin(x) + cos(2 * y) + 0.1 * z;\n"
        "L = complex(x, 1); s = x + y * y;\n"
        "for (n = 0; n < 2; n++) {\n"
        "    A = complex(w, 0.5 * x);\n"
        "    w = real(ifft(fft(A) / (1 + x * x + z)));\n"
        "    C = fft(w, z);\n"
        "    w = w + ifft(C * (kz < 5 ? 1 : 0), z);\n"
        "    w = w + 0.01 * imag(fft(A, y));\n"
        "    L = 0.1 * fft(L) / (1 + x);\n"
        "    S = fft(s, y);\n"
        "    s = 0.5 * s + 0.25 * ifft(S, y);\n"
        "}\n"
        "return w, L, s;\n",
        "", "shared: lines by planes", {3});
}

TEST_F(Processes, TransformsBetweenWalls) {
    same_bytes(
        "float b[x, y, z];\n"
        "axis x = 20; axis y = 12; axis z = 21;\n"
        "b = sin(x) + cos(2 * y) + 0.1 * z;\n"
        "b = idct2(idst2(dct2(dst2(b, z), x, y) / (1 + x * x + y), z), x, y);\n"
        "b = b + 0.01 * dct1(b, z) + 0.01 * dst4(b, y);\n"
        "return b;\n",
        "", "shared: lines along the outermost axis", {3});
}

TEST_F(Processes, TransformsOfFewLinesAreComputedByEach) {
    same_bytes(
        "float u[x, y] boundary periodic;\n"
        "complex U[kx, y];\n"
        "axis x = 24; axis y = 30; axis kx = half(x);\n"
        "u = sin(x) + cos(2 * y);\n"
        "for (n = 0; n < 3; n++) {\n"
        "    U = fft(u);\n"
        "    U = U / (1 + kx * kx);\n"
        "    u = ifft(U);\n"
        "}\n"
        "return u;\n",
        "", "a transform is computed there, by each: its lines lie along the outermost axis, 13 beside each other",
        {2});
}

TEST_F(Processes, Streams) {
    const std::string given = file("given.h5");
    const auto made = test::shell(KASC_COMMAND " run " +
                                  write("given.kas",
                                        "matrix3x3 A[e], B[e]; axis e = 1003;\n"
                                        "A = matrix3x3(1 + e, 0.1, 0, 0, 1, 0.2, 0.3, 0, 1);\n"
                                        "B = matrix3x3(1, 0, 0.01 * e, 0, 2, 0, 0, 0, 1);\n"
                                        "return A, B;\n") +
                                  " --target cpu --out " + given);
    ASSERT_EQ(made.status, 0) << made.output;
    same_bytes(
        "matrix3x3 A, B, C, D;\n"
        "input A, B;\n"
        "C = mmul33(A, B);\n"
        "D = mmul33(C, B);\n"
        "return C, D;\n",
        "--in " + given, "shared along x");
}

TEST_F(Processes, AnotherNumberGoesOnFromACheckpoint) {
    const std::string kas = write("program.kas",
                                  "param int steps = 40;\n"
                                  "float T[x, y] boundary mirror;\n"
                                  "axis x = 30; axis y = 31;\n"
                                  "T = 0.1 * x * y;\n"
                                  "for (n = 0; n < steps; n++) {\n"
                                  "    T = T + 0.1 * laplace2(T, 1);\n"
                                  "}\n"
                                  "return T;\n");
    const std::string call = "run " + kas + " --target cpu --share always";
    const auto alone = test::shell(KASC_COMMAND " " + call + " --checkpoint " + file("x.h5") + " --every 15 --out " +
                                   file("alone.h5"));
    ASSERT_EQ(alone.status, 0) << alone.output;
    const auto first =
        test::shell(launched(3, call + " --checkpoint " + file("c.h5") + " --every 15 --out " + file("a.h5")));
    ASSERT_EQ(first.status, 0) << first.output;
    const auto second = test::shell(launched(2, call + " --restart " + file("c.h5") + " --out " + file("b.h5")));
    EXPECT_EQ(second.status, 0) << second.output;
    EXPECT_NE(second.output.find("goes on at step 30"), std::string::npos) << second.output;
    EXPECT_TRUE(bytes(file("alone.h5")) == bytes(file("a.h5")));
    EXPECT_TRUE(bytes(file("alone.h5")) == bytes(file("b.h5")));
}

const char* const long_heat =
    "float T[x, y] boundary mirror;\n"
    "axis x = 300; axis y = 300;\n"
    "T = x;\n"
    "for (n = 0; n < 100000000; n++) { T = T + 0.1 * laplace2(T, 1); }\n"
    "return T;\n";

TEST_F(Processes, OneThatIsKilledEndsAll) {
    const std::string call = "run " + write("long.kas", long_heat) + " --target cpu --out " + file("o.h5") +
                             " --checkpoint " + file("c.h5") + " --every 100";
    // A rank other than the first ends itself once it computes: there is a checkpoint.
    const std::string one = "sh -c 'if [ $OMPI_COMM_WORLD_RANK = 2 ]; then (until [ -e " + file("c.h5") +
                            " ]; do sleep 0.1; done; kill -9 $$) & fi; exec " KASC_COMMAND " " + call + "'";
    const auto run = test::shell(launcher(3) + one);
    EXPECT_NE(run.status, 0);
    EXPECT_NE(run.status, 124) << "it was waited for";
    EXPECT_NE(run.output.find("rank 2"), std::string::npos) << run.output;
    EXPECT_FALSE(std::ifstream(file("o.h5")).good());
}

TEST_F(Processes, WhatIsWrongIsSaidOnce) {
    const auto run = test::shell(launched(3, "run " + write("bad.kas", "float a[x]; a = b; return a;\n") +
                                                 " --target cpu --set x=9 --out " + file("o.h5")));
    EXPECT_EQ(run.status, 1) << run.output;
    const auto first = run.output.find("error[");
    ASSERT_NE(first, std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("error[", first + 1), std::string::npos) << run.output;
}

TEST_F(Processes, AllWalkOnePlan) {
    const auto call = [&](const char* name, const char* steps) {
        return std::string(KASC_COMMAND " run ") +
               write(name, std::string("float a[x, y]; axis x = 9; axis y = 9; a = ") + steps + "; return a;\n") +
               " --target cpu --out " + file("o.h5");
    };
    const auto run = test::shell(launcher(1) + call("one.kas", "x + y") + " : -n 1 " + call("other.kas", "sqrt(x)"));
    EXPECT_EQ(run.status, 1) << run.output;
    EXPECT_NE(run.output.find("error[K0817]: rank 1 of 2 cannot begin: it has another plan"), std::string::npos)
        << run.output;
}

TEST_F(Processes, WhatTheyCannotShareIsRefused) {
    const std::string call =
        "run " + write("ones.kas", "float a[x]; a = 1; return a;\n") + " --target cpu --set x=9 --out " + file("o.h5");
    const auto number = test::shell(launched(2, call + " --ranks 3"));
    EXPECT_EQ(number.status, 2) << number.output;
    EXPECT_NE(number.output.find("error[K0917]: --ranks, and 2 processes were started"), std::string::npos);
    const auto check = test::shell(launched(2, call + " --check"));
    EXPECT_EQ(check.status, 2) << check.output;
    EXPECT_NE(check.output.find("error[K0917]: --check"), std::string::npos) << check.output;
}

TEST_F(Processes, ExplainSaysWhatIsExchanged) {
    const auto said = explained(
        "float T[x, y, z] boundary mirror;\n"
        "axis x = 64; axis y = 64; axis z = 64;\n"
        "T = x;\n"
        "for (n = 0; n < 9; n++) { T = T + 0.1 * "
        "laplace2(T, 1); }\n"
        "return T;\n",
        "4");
    EXPECT_EQ(said.status, 0) << said.output;
    EXPECT_NE(said.output.find("divided among 4 processes:"), std::string::npos) << said.output;
    // A plane beyond each cut.
    EXPECT_NE(said.output.find("T: 6 transfers, 32.8 kB to one process at most"), std::string::npos) << said.output;
}

TEST_F(Processes, OfACellThatIsStoredApartThatCellIsSent) {
    const auto said = explained(
        "float p[x, y, z] boundary value(0), rec[t];\n"
        "axis x = 64; axis y = 64; axis z = 64; axis t = 9;\n"
        "input p;\n"
        "for (n = 0; n < 9; n++) {\n"
        "    p = p + 0.1 * laplace2(p, 1);\n"
        "    p[x = 7, y = 8, z = 60] = p[x = 7, y = 8, z = 60] + sin(0.5 * n);\n"
        "    rec[t = n] = p[x = 3, y = 3, z = 40];\n"
        "}\n"
        "return p, rec;\n",
        "2");
    ASSERT_EQ(said.status, 0) << said.output;
    EXPECT_NE(said.output.find("shared along"), std::string::npos) << said.output;
    EXPECT_NE(said.output.find("p: 1 transfers, 0.0 kB to one process at most"), std::string::npos) << said.output;
}

TEST_F(Processes, ExplainSaysWhatTransformsExchange) {
    const auto said = explained(
        "complex u[x, y, z];\n"
        "axis x = 64; axis y = 64; axis z = 64;\n"
        "u = x;\n"
        "u = fft(u);\n"
        "return u;\n",
        "4");
    EXPECT_EQ(said.status, 0) << said.output;
    // A quarter of the columns, of which it has a quarter of the planes; all of each pair in one message.
    EXPECT_NE(said.output.find("along z   u_fft: 12 transfers, 393.2 kB to one process at most"), std::string::npos)
        << said.output;
}

}  // namespace
}  // namespace kasc
