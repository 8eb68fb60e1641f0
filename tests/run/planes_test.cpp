// Launches that wait for each other: whatever they touch, the words are those of one launch after the other.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/building/build.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

const char* const program_of_launches = R"(
#include "kasc_planes.hpp"
#include <algorithm>
#include <atomic>
#include <random>
#include <vector>

namespace {

constexpr int arrays = 5, words = 16;  // of a plane

// A launch as a kernel would be: each word of its array becomes a mixture of what it reads.
struct Launched {
    kasc_planes planes;
    std::vector<int> reads;
    int stores;
    bool around;
    unsigned salt;
};
using Words = std::vector<std::vector<unsigned>>;

void compute(const Launched& l, long long block, Words& all) {
    const long long part = block % l.planes.blocks, first = block / l.planes.blocks * l.planes.cells;
    const long long end = kasc_min(first + l.planes.cells, l.planes.extent), n = l.planes.extent;
    for (long long z = first; z < end; ++z)
        for (long long w = part * words / l.planes.blocks; w < (part + 1) * words / l.planes.blocks; ++w) {
            unsigned mixed = l.salt;
            for (const int array : l.reads) {
                // In place a cell reads itself alone.
                const long long reach = array == l.stores ? 0 : l.planes.reach;
                for (long long k = z - reach; k <= z + reach; ++k) {
                    const long long at = l.around ? (k % n + n) % n : kasc_min(kasc_max(k, 0LL), n - 1);
                    mixed = mixed * 16777619U ^ all[array][at * words + (reach == 0 ? w : (w + k) % words + words) % words];
                }
            }
            all[l.stores][z * words + w] = mixed;
        }
}

Launched drawn(std::mt19937& random, long long extent, bool around) {
    const auto below = [&](int n) { return static_cast<int>(random() % n); };
    const long long cells = 1 + below(3) * below(4), blocks = 1 + below(3);
    Launched l{{7, below(3), extent, cells, blocks, below(4), cells * words / blocks}, {}, below(arrays), around,
               static_cast<unsigned>(random())};
    for (int k = 0; k < arrays; ++k)
        if (below(2) == 0 && (k != l.stores || below(2) == 0)) l.reads.push_back(k);
    return l;
}

}  // namespace

// In how many programs of some launches a word is another than if they run one after the other; and how many blocks
// run while an earlier launch is not over.
extern "C" int wrong(unsigned seed, int programs, int threads, long long* together) {
    omp_set_num_threads(threads);
    std::mt19937 random(seed);
    int found = 0;
    for (int p = 0; p < programs; ++p) {
        const long long extent = 20 + random() % 150;
        const int launches = 2 + random() % 14;
        const bool around = random() % 3 == 0;
        Words expected(arrays, std::vector<unsigned>(extent * words));
        for (auto& array : expected)
            for (unsigned& word : array) word = random();
        Words got = expected;
        kasc_launches waiting;
        std::vector<kasc_crew> crews(launches);
        std::vector<std::atomic<long long>> done(launches);
        std::vector<long long> blocks(launches);
        std::vector<Launched> all(launches);
        for (int k = 0; k < launches; ++k) {
            const Launched& l = all[k] = drawn(random, extent, around);
            const long long units = (extent + l.planes.cells - 1) / l.planes.cells;
            for (long long b = 0; b < units * l.planes.blocks; ++b) compute(l, b, expected);
            blocks[k] = units * l.planes.blocks;
            const auto run = [&got, &done, &blocks, own = &l, k, together](long long x, long long y, long long z) {
                const long long at[] = {x, y, z};
                compute(*own, at[own->planes.along], got);
                if (k > 0 && done[k - 1] < blocks[k - 1]) __atomic_fetch_add(together, 1, __ATOMIC_RELAXED);
                ++done[k];
            };
            long long grid[] = {1, 1, 1};
            grid[l.planes.along] = blocks[k];
            const kasc_where where = around ? kasc_where::ends : kasc_where::near;
            const auto array = [&](int which) { return got[which].data(); };
            // As kernels do: some launches say nothing of themselves.
            if (random() % 12 == 0) {
                waiting.run(crews[k], grid[0], grid[1], grid[2], run);
            } else {
                std::vector<kasc_touch> touched{kasc_stores(array(l.stores), where)};
                for (const int read : l.reads) touched.push_back(kasc_reads(array(read), where));
                const auto touching = [&](auto... t) { waiting.run(crews[k], grid[0], grid[1], grid[2], l.planes, {t...}, run); };
                switch (touched.size()) {
                    case 1: touching(touched[0]); break;
                    case 2: touching(touched[0], touched[1]); break;
                    case 3: touching(touched[0], touched[1], touched[2]); break;
                    case 4: touching(touched[0], touched[1], touched[2], touched[3]); break;
                    case 5: touching(touched[0], touched[1], touched[2], touched[3], touched[4]); break;
                    default: touching(touched[0], touched[1], touched[2], touched[3], touched[4], touched[5]);
                }
            }
        }
        waiting.finish();
        found += expected != got;
    }
    return found;
}
)";

class Planes : public testing::Test {
protected:
    void SetUp() override {
        test::write_file(here_.path() / "planes.cpp", program_of_launches);
        for (const char* header : {"kasc_crew.hpp", "kasc_integers.hpp", "kasc_planes.hpp"})
            std::filesystem::copy(std::filesystem::path(KASC_SOURCE_DIR "/support") / header, here_.path());
        runtime::BuildRequest request;
        request.sources = {(here_.path() / "planes.cpp").string()};
        request.library = (here_.path() / "planes.so").string();
        const auto built = runtime::build_shared_library(request);
        ASSERT_TRUE(built) << render_text(built.diagnostics);
        // Arrays of some 6 KB each: planes of several do stay in such a cache, and no array.
        setenv("KASC_CACHE_BYTES", "7000", 1);
        void* library = dlopen(built.value->c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        ASSERT_NE(library, nullptr) << dlerror();
        wrong_ = reinterpret_cast<int (*)(unsigned, int, int, long long*)>(dlsym(library, "wrong"));
        ASSERT_NE(wrong_, nullptr);
    }
    void TearDown() override { unsetenv("KASC_CACHE_BYTES"); }

    test::Temporary here_;
    int (*wrong_)(unsigned, int, int, long long*) = nullptr;
};

TEST_F(Planes, AreComputedTogetherWithTheWordsOfOneLaunchAfterTheOther) {
    for (const int threads : {1, 3}) {
        long long together = 0;
        EXPECT_EQ(wrong_(5, 400, threads, &together), 0) << threads << " threads";
        EXPECT_GT(together, 20000) << threads << " threads: most launches wait";
    }
}

}  // namespace
}  // namespace kasc
