// Integers of 64 bits from a file through a program into a file, with all of their bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "runtime/hdf5/file.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;
using runtime::Words;
using runtime::WordType;
using Integers = std::vector<std::int64_t>;

class LongIntegers : public testing::Test {
protected:
    [[nodiscard]] std::string file(const std::string& name) const { return (here_.path() / name).string(); }
    [[nodiscard]] test::ShellResult run(const std::string& arguments) const {
        return test::shell("cd " + here_.path().string() + " && " KASC_COMMAND " run p.kas --target cpu --in in.h5 " +
                           arguments);
    }
    void program(const std::string& text) const { test::write_file(here_.path() / "p.kas", text); }
    void write(const std::vector<runtime::ArrayView>& arrays) const {
        ASSERT_TRUE(runtime::write_hdf5(file("in.h5"), arrays, {}).empty());
    }
    [[nodiscard]] Integers read(const std::string& dataset, const runtime::Shape& shape) const {
        const auto found = runtime::read_datasets(file("out.h5"), runtime::FileStamp{fs::file_size(file("out.h5"))},
                                                  {{dataset, shape, 0, 0, WordType::int64}});
        EXPECT_TRUE(found) << dataset << render_text(found.diagnostics);
        if (!found) return {};
        const Words& values = found->arrays.front().values;
        const auto* words = static_cast<const std::int64_t*>(values.data());
        return {words, words + values.size()};
    }

private:
    test::Temporary here_;
};

TEST_F(LongIntegers, KeepAllOfTheirBits) {
    program(
        "int64 n[x] boundary mirror, total[], least[], most[], next[x], mixed[x], bins[b]; int low[x], at[p];\n"
        "axis b = 2;\n"
        "input n, at;\n"
        "total = sum(n); least = minimum(n); most = maximum(n);\n"
        "next = (n[x + 1] - 3)/7;\n"
        "mixed = ~n ^ (n >> 5) & n;\n"
        "low = n;\n"
        "bins = 0;\n"
        "bins[b = at] += n[x = p];\n"
        "return total, least, most, next, mixed, low, bins;\n");
    constexpr std::int64_t large = std::int64_t{1} << 62;
    const Integers n{large + 1, -large - 3, (std::int64_t{1} << 53) + 1, 5, -large, INT64_MAX / 4, 77};
    const std::vector<std::int32_t> at{0, 1, 0, 1, 1, 0, 1};
    write({{"n", {n.size()}, Words(WordType::int64, n.data(), n.size())},
           {"at", {at.size()}, Words(WordType::int32, at.data(), at.size())}});
    const auto done = run("--out out.h5 --check");
    ASSERT_EQ(done.status, 0) << done.output;
    EXPECT_EQ(read("total", {}), Integers{std::accumulate(n.begin(), n.end(), std::int64_t{0})});
    EXPECT_EQ(read("least", {}), Integers{-large - 3});
    EXPECT_EQ(read("most", {}), Integers{large + 1});
    Integers next, mixed, low, bins{0, 0};
    for (std::size_t i = 0; i < n.size(); ++i) {
        next.push_back((n[std::min(i + 1, n.size() - 1)] - 3) / 7);
        mixed.push_back(~n[i] ^ ((n[i] >> 5) & n[i]));
        low.push_back(static_cast<std::int32_t>(n[i]));
        bins[static_cast<std::size_t>(at[i])] += n[i];
    }
    EXPECT_EQ(read("next", {n.size()}), next);
    EXPECT_EQ(read("mixed", {n.size()}), mixed);
    EXPECT_EQ(read("low", {n.size()}), low);
    EXPECT_EQ(read("bins", {2}), bins);
}

TEST_F(LongIntegers, AreReadFromOtherNumbers) {
    program("int64 n[x]; input n; n = 3*n; return n;\n");
    const std::vector<std::int32_t> shorter{INT32_MAX, -5};
    write({{"n", {2}, Words(WordType::int32, shorter.data(), 2)}});
    ASSERT_EQ(run("--out out.h5").status, 0);
    EXPECT_EQ(read("n", {2}), (Integers{3LL * INT32_MAX, -15}));
    const std::vector<double> beyond{1, 0x1p63};
    write({{"n", {2}, Words(WordType::float64, beyond.data(), 2)}});
    const auto refused = run("--out out.h5");
    EXPECT_NE(refused.status, 0);
    EXPECT_NE(refused.output.find("1 of 2 values of 'n' are no whole numbers of 64 bits"), std::string::npos)
        << refused.output;
}

/// The same without a pause, and with a checkpoint's file between.
TEST_F(LongIntegers, GoOnFromACheckpoint) {
    program(
        "int64 n[x]; param int steps = 6; input n;\n"
        "for (k = 0; k < steps; k++) { n = n + 3000000000*k; }\nreturn n;\n");
    const Integers n{1, std::int64_t{1} << 40, -7};
    write({{"n", {3}, Words(WordType::int64, n.data(), 3)}});
    const auto done = run("--out out.h5 --checkpoint ck.h5 --every 2");
    ASSERT_EQ(done.status, 0) << done.output;
    EXPECT_EQ(read("n", {3}), (Integers{n[0] + 45000000000, n[1] + 45000000000, n[2] + 45000000000}));
}

}  // namespace
}  // namespace kasc
