// Loops over blocks, shared by threads or not: each block once, and the way that is faster.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "runtime/building/build.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

const char* const program = R"(
#include "kasc_crew.hpp"
#include <unistd.h>
#include <atomic>
#include <vector>
// How many of the blocks are not computed exactly once.
extern "C" int faults(long long x, long long y, long long z, int loops) {
    omp_set_num_threads(4);
    kasc_crew crew;
    std::vector<std::atomic<int>> times(x * y * z);
    for (int k = 0; k < loops; ++k)
        crew.run(x, y, z, [&](long long i, long long j, long long l) { ++times[i + x * (j + y * l)]; });
    int wrong = 0;
    for (const auto& t : times) wrong += t != loops;
    return wrong;
}
// How many of the last `loops` are shared. Other threads than the first, or each block, take so long.
extern "C" int shared(int loops, int others_us, int block_us) {
    omp_set_num_threads(4);
    kasc_crew crew;
    int found = 0;
    for (int k = 0; k < 2 * loops; ++k) {
        std::atomic<int> teams{0};
        crew.run(8, 1, 1, [&](long long, long long, long long) {
            if (omp_get_thread_num() != 0 && others_us > 0) usleep(others_us);
            if (block_us > 0) usleep(block_us);
            if (omp_get_num_threads() > 1) teams = 1;
        });
        if (k >= loops) found += teams;
    }
    return found;
}
// Loops of a machine that is not there: times in microseconds, of one thread alone, of two together and of the first's own
// part; one of so many loops waits longer for a core. How many per cent of the time of one thread alone they take.
extern "C" int per_cent(int loops, double alone, int alone_waits, double alone_wait, double together, double part,
                        int waits, double wait) {
    kasc_sharing sharing;
    unsigned state = 1;
    const auto one_of = [&](int n) { return (state = state * 1664525U + 1013904223U) / 65536 % n == 0; };
    double took_all = 0, alone_all = 0;
    for (int k = 0; k < loops; ++k) {
        const double by_one = alone + (one_of(alone_waits) ? alone_wait : 0);
        const double took = sharing.shared() ? together + (one_of(waits) ? wait : 0) : by_one;
        sharing.judge(1e-6 * took, 1e-6 * part, 2);
        took_all += took;
        alone_all += by_one;
    }
    return static_cast<int>(100 * took_all / alone_all);
}
)";

class Crew : public testing::Test {
protected:
    void SetUp() override {
        test::write_file(here_.path() / "crew.cpp", program);
        std::filesystem::copy(KASC_SOURCE_DIR "/support/kasc_crew.hpp", here_.path());
        runtime::BuildRequest request;
        request.sources = {(here_.path() / "crew.cpp").string()};
        request.library = (here_.path() / "crew.so").string();
        const auto built = runtime::build_shared_library(request);
        ASSERT_TRUE(built) << render_text(built.diagnostics);
        library_ = dlopen(built.value->c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        ASSERT_NE(library_, nullptr) << dlerror();
    }
    template <class Function>
    [[nodiscard]] Function* find(const char* name) const {
        return reinterpret_cast<Function*>(dlsym(library_, name));
    }

private:
    test::Temporary here_;
    void* library_ = nullptr;
};

TEST_F(Crew, ComputesEachBlockOnce) {
    auto* const faults = find<int(long long, long long, long long, int)>("faults");
    EXPECT_EQ(faults(7, 5, 3, 500), 0);
    EXPECT_EQ(faults(1, 1, 1, 5), 0);
    EXPECT_EQ(faults(1, 9, 1, 50), 0);
    EXPECT_EQ(faults(0, 9, 1, 50), 0);
}

TEST_F(Crew, EndsSharingThatCostsMoreThanItGains) {
    auto* const shared = find<int(int, int, int)>("shared");
    EXPECT_LT(shared(300, 300, 0), 100) << "others take 300 us, one alone nothing: trials are what is left";
    EXPECT_GT(shared(100, 0, 500), 80) << "8 blocks of 500 us: four threads need a quarter of the time";
}

TEST_F(Crew, IsAsFastAsOneThreadWhereCoresAreBusyAndAsAllWhereTheyAreNot) {
    auto* const per_cent = find<int(int, double, int, double, double, double, int, double)>("per_cent");
    // Each gains a third, and one of a hundred loses 20 ms; one thread alone waits, too.
    EXPECT_LT(per_cent(3'000'000, 3, 1000, 5000, 2, 1.1, 100, 20'000), 112);
    EXPECT_LT(per_cent(3'000'000, 3, 100'000, 5000, 2, 1.1, 1000, 20'000), 125);
    EXPECT_LT(per_cent(20'000, 700, 50, 5000, 400, 360, 20, 20'000), 112);
    // Quiet, but for what a machine does now and then.
    EXPECT_LT(per_cent(1'000'000, 20, 100'000, 5000, 11, 10, 100'000, 5000), 60);
    EXPECT_LT(per_cent(20'000, 700, 5000, 5000, 360, 350, 5000, 5000), 55);
}

}  // namespace
}  // namespace kasc
