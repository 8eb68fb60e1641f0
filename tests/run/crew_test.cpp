// Loops over blocks, shared by threads or not: each block once, and the way that is faster.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "runtime/build.hpp"
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
// Of the last `loops`, how many are shared. Other threads than the first, or each block, take so long.
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

}  // namespace
}  // namespace kasc
