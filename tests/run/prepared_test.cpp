// Emitted libraries as C and C++ programs call them, through the header alone: prepared once and launched on other
// arrays, any number of elements, pointers that are NULL, memory that ends, and the names that a library exports.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "kasc/kasc.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

const char* const stream =
    "matrix3x3 A, P;\nvector3 v, w;\nparam int power = 2;\ninput A, P, v;\n"
    "for (i = 0; i < power; i++) { P = mmul33(P, A); }\n"
    "w = mvmul33(P, v);\n"
    "return w, P;\n";
const char* const heat =
    "param float alpha = 0.1; param int steps = 4;\n"
    "float T[x, y] boundary mirror, most[x, y], late[x, y, t];\n"
    "input T;\n"
    "most = T;\n"
    "for (n = 0; n < steps; n++) {\n"
    "    T = T + alpha*(T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4*T);\n"
    "    most = max(most, T);\n"
    "    late[t = n] = T;\n"
    "}\n"
    "return T, most, late;\n";
const char* const smooth =
    "float a[x, y], b[x, y], c[x, y]; complex S[kx, y]; axis kx = half(x);\n"
    "input a, b;\n"
    "S = fft(a)*fft(b);\n"
    "c = ifft(S);\n"
    "return c;\n";

class Prepared : public testing::Test {
protected:
    /// The program in a library of its own: lib<name>.so beside <name>.h.
    void build(const std::string& name, const std::string& source, api::Target target = api::Target::cpu,
               const std::string& strategy = "exact", const std::string& flags = "-O1") {
        api::Options options;
        options.target = target;
        options.strategy = strategy;
        const api::Result result = api::compile(source, name + ".kas", options);
        ASSERT_TRUE(result.ok) << result.diagnostics;
        for (const api::File& file : result.plans.front().files) test::write_file(folder() / file.name, file.text);
        const std::string fftw = source.find("fft(") == std::string::npos ? "" : " -lfftw3f";
        const std::string call = "cd '" + folder().string() + "' && ${CXX:-g++} -std=c++17 -ffp-contract=off " + flags +
                                 " -shared -fPIC -o lib";
        for (const std::string& library : {name, name + "_reference"}) {
            const auto built = test::shell(call + library + ".so " + library + ".cpp" + fftw);
            ASSERT_EQ(built.status, 0) << built.output;
        }
    }
    /// What a client of the library prints. Clients in C are strict C.
    [[nodiscard]] test::ShellResult run(const std::string& name, const std::string& client, bool in_c = true) const {
        const std::string file = in_c ? "client.c" : "client.cpp";
        test::write_file(folder() / file, "#include \"" + name + ".h\"\n" + client);
        const std::string compiler = in_c ? "gcc -std=c99 -Wall -Wextra -pedantic -Werror" : "g++ -std=c++17 -Wall";
        return test::shell("cd '" + folder().string() + "' && " + compiler + " -O1 " + file +
                           " -o client -L. -Wl,-rpath,. -l" + name + " -l" + name + "_reference -lm && ./client");
    }
    [[nodiscard]] std::filesystem::path folder() const { return here_.path(); }
    [[nodiscard]] std::string header(const std::string& name) const {
        return test::read_file(folder() / (name + ".h"));
    }

private:
    test::Temporary here_;
};

/// A client checks conditions and goes on; it ends with the number of those that fail.
const std::string checks =
    "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "static int faults = 0;\n"
    "#define CHECK(condition) ((condition) ? (void)0 : (void)(++faults, printf(\"line %d: %s\\n\", __LINE__, "
    "#condition)))\n"
    "static float *words(long long count, int seed) {\n"
    "    float *all = malloc((size_t)count * sizeof(float));\n"
    "    for (long long k = 0; k < count; ++k) all[k] = (float)((k * 7 + seed * 3) % 11 - 5);\n"
    "    return all;\n"
    "}\n";

// Results of n elements are the first n of many; launches find other arrays and another parameter.
const std::string any_number_of_elements = checks + R"(
int main(void) {
    enum { many = 300 };
    float *A = words(9 * many, 1), *P = words(9 * many, 2), *v = words(3 * many, 3);
    float *w = words(3 * many, 0), *Q = words(9 * many, 0), *w3 = words(3 * many, 0), *Q3 = words(9 * many, 0);
    stream_arguments all = {many, 2, A, P, v, w, Q};
    CHECK(stream_reference_compute(&all, NULL, NULL, NULL) == 0);
    stream_arguments other = all;
    other.power = 3, other.w = w3, other.P_out = Q3;
    CHECK(stream_reference_compute(&other, NULL, NULL, NULL) == 0);
    for (long long n = 1; n <= 140; ++n) {
        float *out = words(3 * n + 1, 5), *out_P = words(9 * n + 1, 5);
        stream_arguments a = {n, 2, NULL, NULL, NULL, NULL, NULL};
        stream_prepared *prepared = NULL;
        CHECK(stream_prepare(&a, NULL, &prepared) == 0 && prepared != NULL);
        a = all, a.n = n, a.w = out, a.P_out = out_P;
        const float behind = out[3 * n], behind_P = out_P[9 * n];
        for (int round = 0; round < 2; ++round) {
            CHECK(stream_launch(prepared, &a, NULL) == 0);
            CHECK(memcmp(out, w, 12 * (size_t)n) == 0 && memcmp(out_P, Q, 36 * (size_t)n) == 0);
            a.power = 3;
            CHECK(stream_launch(prepared, &a, NULL) == 0);
            CHECK(memcmp(out, w3, 12 * (size_t)n) == 0 && memcmp(out_P, Q3, 36 * (size_t)n) == 0);
            a.power = 2;
        }
        CHECK(out[3 * n] == behind && out_P[9 * n] == behind_P);
        float *moved_A = words(9 * n, 9), *moved_out = words(3 * n, 9), *expected = words(3 * n, 8);
        a.A = moved_A, a.w = moved_out;
        CHECK(stream_launch(prepared, &a, NULL) == 0);
        stream_arguments again = a;
        again.w = expected;
        CHECK(stream_compute(&again, NULL, NULL, NULL) == 0);
        CHECK(memcmp(moved_out, expected, 12 * (size_t)n) == 0);
        CHECK(stream_release(prepared) == 0);
        free(out), free(out_P), free(moved_A), free(moved_out), free(expected);
    }
    return faults;
}
)";

TEST_F(Prepared, StreamsTakeAnyNumberOfElements) {
    for (const char* strategy : {"exact", "none"}) {
        ASSERT_NO_FATAL_FAILURE(build("stream", stream, api::Target::cpu, strategy));
        const auto ended = run("stream", any_number_of_elements);
        EXPECT_EQ(ended.status, 0) << strategy << ended.output;
    }
    // A GPU's plan, whose tiles are larger, in checking mode.
    ASSERT_NO_FATAL_FAILURE(build("stream", stream, api::Target::cpu_checking));
    const auto ended = run("stream", any_number_of_elements);
    EXPECT_EQ(ended.status, 0) << ended.output;
}

TEST_F(Prepared, WhatCannotBeIsRefused) {
    ASSERT_NO_FATAL_FAILURE(build("stream", stream));
    const auto ended = run("stream", checks + R"(
static int refused(int status, const char *why) {
    if (status == stream_bad_argument && strstr(stream_message(), why) != NULL) return 1;
    printf("status %d: %s\n", status, stream_message());
    return 0;
}
int main(void) {
    float *A = words(90, 1), *P = words(90, 2), *v = words(30, 3), *w = words(30, 4), *Q = words(90, 5);
    const stream_arguments good = {10, 2, A, P, v, w, Q};
    stream_prepared *prepared = NULL;
    CHECK(refused(stream_prepare(NULL, NULL, &prepared), "arguments is NULL") && prepared == NULL);
    CHECK(refused(stream_prepare(&good, NULL, NULL), "prepared is NULL"));
    for (int k = 0; k < 3; ++k) {
        stream_arguments bad = good;
        bad.n = k == 0 ? 0 : k == 1 ? -5 : 3000000000LL;
        CHECK(refused(stream_prepare(&bad, NULL, &prepared), "the number of elements n is") && prepared == NULL);
        CHECK(refused(stream_compute(&bad, NULL, NULL, NULL), "the number of elements n is"));
    }
    CHECK(stream_prepare(&good, NULL, &prepared) == 0);
    CHECK(refused(stream_launch(NULL, &good, NULL), "prepared is NULL"));
    CHECK(refused(stream_launch(prepared, NULL, NULL), "arguments is NULL"));
    stream_arguments other = good;
    other.n = 11;
    CHECK(refused(stream_launch(prepared, &other, NULL), "the program is prepared for 10"));
    const char *whys[5] = {"A is NULL", "P is NULL", "v is NULL", "w is NULL", "P_out is NULL"};
    for (int k = 0; k < 5; ++k) {
        stream_arguments bad = good;
        if (k == 0) bad.A = NULL;
        if (k == 1) bad.P = NULL;
        if (k == 2) bad.v = NULL;
        if (k == 3) bad.w = NULL;
        if (k == 4) bad.P_out = NULL;
        CHECK(refused(stream_launch(prepared, &bad, NULL), whys[k]));
        CHECK(refused(stream_compute(&bad, NULL, NULL, NULL), whys[k]));
        CHECK(stream_reference_compute(&bad, NULL, NULL, NULL) == stream_bad_argument);
        CHECK(strcmp(stream_reference_message(), whys[k]) == 0);
    }
    CHECK(refused(stream_compute(NULL, NULL, NULL, NULL), "arguments is NULL"));
    CHECK(stream_reference_compute(NULL, NULL, NULL, NULL) == stream_bad_argument);
    // What was refused has broken nothing.
    double seconds = -1;
    CHECK(stream_launch(prepared, &good, &seconds) == 0 && seconds >= 0);
    CHECK(stream_release(prepared) == 0);
    CHECK(stream_release(NULL) == 0);
    return faults;
}
)");
    EXPECT_EQ(ended.status, 0) << ended.output;
}

TEST_F(Prepared, FieldsAreLaunchedAgainAndInPieces) {
    ASSERT_NO_FATAL_FAILURE(build("heat", heat));
    const auto ended = run("heat", checks + R"(
enum { nx = 13, ny = 9, nt = 6, cells = nx * ny };
static int stop_at_2(void *user, long long done, long long total) { (void)total, ++*(int *)user; return done == 2; }
int main(void) {
    float *T = words(cells, 1), *other = words(cells, 6);
    float *a[3] = {words(cells, 0), words(cells, 0), words(cells * nt, 0)};
    float *b[3] = {words(cells, 0), words(cells, 0), words(cells * nt, 0)};
    heat_arguments to_a = {nx, ny, nt, 0.1f, 4, T, a[0], a[1], a[2], 0}, to_b = to_a;
    to_b.T_out = b[0], to_b.most = b[1], to_b.late = b[2];
    heat_prepared *prepared = NULL;
    CHECK(heat_prepare(&to_a, NULL, &prepared) == 0);
    // 4 iterations leave other arrays swapped than 5.
    for (int steps = 3; steps < 6; ++steps) {
        to_a.steps = to_b.steps = steps, to_a.T = to_b.T = steps == 4 ? other : T;
        CHECK(heat_launch(prepared, &to_a, NULL) == 0);
        CHECK(heat_reference_compute(&to_b, NULL, NULL, NULL) == 0);
        CHECK(memcmp(a[0], b[0], 4 * cells) == 0 && memcmp(a[1], b[1], 4 * cells) == 0);
        CHECK(memcmp(a[2], b[2], 4 * cells * nt) == 0);
    }
    int calls = 0;
    CHECK(heat_compute(&to_a, stop_at_2, &calls, NULL) == heat_stopped && calls == 2);

    CHECK(heat_advance(prepared, 1, NULL) == heat_bad_argument && strstr(heat_message(), "no run has begun") != NULL);
    CHECK(heat_finish(prepared) == heat_bad_argument);
    CHECK(heat_begin(prepared, &to_a) == 0 && heat_total(prepared) == 5 && heat_done(prepared) == 0);
    CHECK(heat_advance(prepared, 2, NULL) == 0 && heat_done(prepared) == 2);
    // Given up, begun again.
    CHECK(heat_begin(prepared, &to_a) == 0 && heat_done(prepared) == 0);
    CHECK(heat_advance(prepared, 3, NULL) == 0 && heat_wait(prepared) == 0 && heat_done(prepared) == 3);
    heat_array array;
    int arrays = 0;
    for (; heat_state(prepared, arrays, &array) == 0 && array.name != NULL; ++arrays) {
        float *values = malloc((size_t)array.words * 4);
        CHECK(array.type == heat_float32 && heat_read_state(prepared, arrays, values) == 0);
        CHECK(heat_write_state(prepared, arrays, values) == 0);
        free(values);
    }
    CHECK(arrays > 0);
    CHECK(heat_finish(prepared) == 0 && heat_finish(prepared) == heat_bad_argument);
    CHECK(memcmp(a[0], b[0], 4 * cells) == 0 && memcmp(a[1], b[1], 4 * cells) == 0);

    CHECK(heat_begin(NULL, &to_a) == 1 && heat_begin(prepared, NULL) == 1 && heat_advance(NULL, 1, NULL) == 1);
    CHECK(heat_wait(NULL) == 1 && heat_done(NULL) == -1 && heat_total(NULL) == -1 && heat_finish(NULL) == 1);
    CHECK(heat_state(NULL, 0, &array) == 1 && heat_state(prepared, 0, NULL) == 1);
    CHECK(heat_read_state(prepared, 0, NULL) == 1 && heat_write_state(prepared, 0, NULL) == 1);
    CHECK(heat_read_state(NULL, 0, T) == 1 && heat_write_state(NULL, 0, T) == 1 && heat_seek(NULL, 0) == 1);
    CHECK(heat_load(NULL, heat_series_late, 0, 1, NULL) == 1 && heat_save(NULL, heat_series_late, 0, 1, T) == 1);
    CHECK(heat_release(prepared) == 0);
    return faults;
}
)");
    EXPECT_EQ(ended.status, 0) << ended.output;
}

// Each allocation in turn fails, of C++ and of C; and a launch makes none.
const std::string scarce_memory = R"(
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>
static long long left = -1, made = 0;
static bool gone() { return ++made, left >= 0 && left-- == 0; }
void *operator new(std::size_t bytes) {
    void *p = gone() ? nullptr : std::malloc(bytes);
    return p != nullptr ? p : throw std::bad_alloc();
}
void operator delete(void *p) noexcept { std::free(p); }
void operator delete(void *p, std::size_t) noexcept { std::free(p); }
extern "C" void *aligned_alloc(std::size_t alignment, std::size_t bytes) {
    void *p = nullptr;
    return gone() || posix_memalign(&p, alignment, bytes) != 0 ? nullptr : p;
}
static std::vector<float> a(600, 1.5f), b(600, -0.5f), c(600), expected(600), d(3600);
static bool failed_as_said(int status, const char *message) {
    return status == 2 && std::strstr(message, "memory") != nullptr;
}
)";

TEST_F(Prepared, MemoryThatEndsIsAStatus) {
    ASSERT_NO_FATAL_FAILURE(build("smooth", smooth));
    const auto transforms = run("smooth", scarce_memory + R"(
int main() {
    smooth_arguments args = {20, 30, 11, a.data(), b.data(), c.data()};
    if (smooth_compute(&args, nullptr, nullptr, nullptr) != 0) return std::puts(smooth_message()), 100;
    expected = c;
    int failures = 0;
    for (long long k = 0;; ++k, ++failures) {
        smooth_prepared *prepared = nullptr;
        left = k;
        const int status = smooth_prepare(&args, nullptr, &prepared);
        left = -1;
        if (status != 0) {
            if (prepared != nullptr || !failed_as_said(status, smooth_message())) return std::puts(smooth_message()), 101;
            left = k;
            const int computed = smooth_compute(&args, nullptr, nullptr, nullptr);
            left = -1;
            // The call needs no memory for what is prepared to stay.
            if (computed != 0 && !failed_as_said(computed, smooth_message())) return std::puts(smooth_message()), 102;
            continue;
        }
        if (smooth_launch(prepared, &args, nullptr) != 0) return 103;
        std::vector<float> other(600);
        args.c = other.data();
        made = 0;
        if (smooth_launch(prepared, &args, nullptr) != 0 || made != 0) return std::printf("%lld are made\n", made), 104;
        if (other != expected || smooth_release(prepared) != 0) return 105;
        break;
    }
    return failures > 5 ? 0 : 106;
}
)",
                                false);
    EXPECT_EQ(transforms.status, 0) << transforms.output;
    ASSERT_NO_FATAL_FAILURE(build("heat", heat));
    const auto loops = run("heat", scarce_memory + R"(
int main() {
    heat_arguments args = {20, 30, 6, 0.1f, 5, a.data(), b.data(), c.data(), d.data(), 0};
    heat_prepared *prepared = nullptr;
    for (long long k = 0;; ++k) {
        left = k;
        const int status = heat_prepare(&args, nullptr, &prepared);
        left = -1;
        if (status == 0) break;
        if (prepared != nullptr || !failed_as_said(status, heat_message())) return std::puts(heat_message()), 101;
    }
    if (heat_launch(prepared, &args, nullptr) != 0) return 102;
    made = 0;
    if (heat_launch(prepared, &args, nullptr) != 0 || made != 0) return std::printf("%lld are made\n", made), 103;
    // Its state is a list of its own.
    if (heat_begin(prepared, &args) != 0 || heat_advance(prepared, 2, nullptr) != 0) return 104;
    heat_array array;
    left = 0;
    const int status = heat_state(prepared, 0, &array);
    left = -1;
    if (!failed_as_said(status, heat_message())) return std::puts(heat_message()), 105;
    return heat_release(prepared);
}
)",
                           false);
    EXPECT_EQ(loops.status, 0) << loops.output;
    ASSERT_NO_FATAL_FAILURE(build("stream", stream));
    const auto reference = run("stream", scarce_memory + R"(
int main() {
    stream_arguments args = {10, 2, a.data(), b.data(), a.data(), c.data(), d.data()};
    for (long long k = 0;; ++k) {
        left = k;
        const int status = stream_reference_compute(&args, nullptr, nullptr, nullptr);
        left = -1;
        if (status == 0) return k > 2 ? 0 : 102;
        if (!failed_as_said(status, stream_reference_message())) return std::puts(stream_reference_message()), 101;
    }
}
)",
                               false);
    EXPECT_EQ(reference.status, 0) << reference.output;
}

/// The names of functions that stand in the header.
std::set<std::string> declared(const std::string& header) {
    const std::regex function(R"((?:^|\n)(?:int|long long|const char \*)\s*(\w+)\()");
    std::set<std::string> names;
    for (std::sregex_iterator at(header.begin(), header.end(), function), end; at != end; ++at)
        names.insert((*at)[1].str());
    return names;
}

TEST_F(Prepared, ALibraryExportsWhatItsHeaderDeclares) {
    for (const auto& [name, source] : {std::pair{"stream", stream}, {"heat", heat}, {"smooth", smooth}}) {
        for (const char* flags : {"-O3 -fopenmp", "-O2"}) {
            ASSERT_NO_FATAL_FAILURE(build(name, source, api::Target::cpu, "exact", flags));
            std::set<std::string> exported;
            for (const char* library : {"", "_reference"}) {
                std::istringstream lines(
                    test::shell("nm -D --defined-only '" + (folder() / "lib").string() + name + library + ".so'")
                        .output);
                for (std::string address, type, symbol; lines >> address >> type >> symbol;) exported.insert(symbol);
            }
            EXPECT_EQ(exported, declared(header(name))) << name << " " << flags;
        }
    }
}

TEST_F(Prepared, TheExampleInPieces) {
    ASSERT_NO_FATAL_FAILURE(build("heat2d", test::read_file(KASC_SOURCE_DIR "/examples/heat2d.kas")));
    const auto ended = run("heat2d", test::read_file(KASC_SOURCE_DIR "/examples/calling/in_pieces.c"));
    EXPECT_EQ(ended.status, 0) << ended.output;
    EXPECT_NE(ended.output.find("50: 7."), std::string::npos) << ended.output;
    EXPECT_NE(ended.output.find("200: 1."), std::string::npos) << "cooled: " << ended.output;
}

TEST_F(Prepared, ProgramsWithoutALoopHaveNoPieces) {
    const auto pieces = [&](const char* name, const char* source) {
        api::Options options;
        options.target = api::Target::cpu;
        const api::Result result = api::compile(source, std::string(name) + ".kas", options);
        EXPECT_TRUE(result.ok) << result.diagnostics;
        bool any = false;
        for (const api::File& file : result.plans.front().files)
            any = any || file.text.find(std::string(name) + "_advance") != std::string::npos ||
                  file.name == "kasc_pieces.hpp";
        return any;
    };
    EXPECT_TRUE(pieces("heat", heat));
    EXPECT_FALSE(pieces("smooth", smooth));
    EXPECT_FALSE(pieces("stream", stream));
}

}  // namespace
}  // namespace kasc
