// examples/hifu.kas as examples/demo.sh runs it, on a small block: it treats, and a treatment that is stopped and
// resumed writes the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/hdf5/read_datasets.hpp"
#include "support/interrupt.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

class Hifu : public testing::Test {
protected:
    static constexpr std::uint64_t size = 32;

    /// 0.12 s a step: a minute in 500 steps, 100 pictures.
    static void SetUpTestSuite() {
        here_ = new test::Temporary;
        const auto made = test::shell(MAKE_TISSUE " --treatment --size 32 --steps 500 -o " + file("in.h5"));
        ASSERT_EQ(made.status, 0) << made.output;
        const auto whole = test::shell(call("whole.h5", "--set frames=100"));
        ASSERT_EQ(whole.status, 0) << whole.output;
    }
    static void TearDownTestSuite() {
        delete here_;
        here_ = nullptr;
    }
    [[nodiscard]] static std::string file(const std::string& name) { return (here_->path() / name).string(); }
    [[nodiscard]] static std::string call(const std::string& out, const std::string& more) {
        return std::string(KASC_COMMAND) + " run " KASC_SOURCE_DIR "/examples/hifu.kas --target cpu --in " +
               file("in.h5") + " --out " + file(out) + " --set dt=0.12 --set steps=5 " + more;
    }
    static test::Temporary* here_;
};
test::Temporary* Hifu::here_ = nullptr;

TEST_F(Hifu, EqualsTheReference) {
    const auto run = test::shell(call("short.h5", "--set frames=3 --check --picture hottest=" + file("hottest.png")));
    ASSERT_EQ(run.status, 0) << run.output;
    EXPECT_NE(run.output.find("bit for bit"), std::string::npos) << run.output;
    EXPECT_GT(std::filesystem::file_size(file("hottest.png")), 1000U);
}

TEST_F(Hifu, StoppedAndResumedItWritesTheSameBytes) {
    const std::string checkpoint = file("ck.h5");
    std::string said;
    const int status =
        test::interrupt_midway(call("resumed.h5", "--set frames=100 --checkpoint " + checkpoint + " --every 9"),
                               file("resumed.h5"), checkpoint, SIGINT, file("log"), said);
    ASSERT_TRUE(WIFEXITED(status)) << said;
    ASSERT_EQ(WEXITSTATUS(status), 1) << said;
    EXPECT_NE(said.find("error[K0814]"), std::string::npos) << said;
    const auto resumed = test::shell(call("resumed.h5", "--set frames=100 --restart " + checkpoint));
    ASSERT_EQ(resumed.status, 0) << resumed.output;
    EXPECT_TRUE(test::read_file(file("resumed.h5")) == test::read_file(file("whole.h5")));
}

TEST_F(Hifu, TheLesionIsAboutTheFocus) {
    const runtime::Shape cube = {size, size, size};
    std::vector<runtime::DatasetPart> wanted(4);
    wanted[0] = {"ablated", cube, 0, 0, runtime::WordType::uint8};
    wanted[1] = {"dose", cube};
    wanted[2] = {"hottest", cube};
    wanted[3] = {"probe", {500, 5}};
    const std::string path = file("whole.h5");
    const auto read = runtime::read_datasets(path, runtime::FileStamp{std::filesystem::file_size(path)}, wanted);
    ASSERT_TRUE(read) << render_text(read.diagnostics);
    const runtime::Words &ablated = read->arrays[0].values, &dose = read->arrays[1].values,
                         &hottest = read->arrays[2].values, &probe = read->arrays[3].values;
    int cells = 0;
    double farthest = 0, peak = 0;
    for (std::size_t i = 0; i < ablated.size(); ++i) {
        ASSERT_EQ(ablated[i] != 0, dose[i] >= 240) << i;
        peak = std::max(peak, hottest[i]);
        if (ablated[i] == 0) continue;
        ++cells;
        const double x = static_cast<double>(i % size) - 16, y = static_cast<double>(i / size % size) - 13,
                     z = static_cast<double>(i / size / size) - 16;
        farthest = std::max(farthest, std::sqrt(x * x + y * y + z * z));
    }
    EXPECT_GT(cells, 50);
    EXPECT_LT(farthest, 12);
    EXPECT_GT(peak, 60);
    EXPECT_LT(peak, 110);  // little tissue lies before a focus that is 13 mm deep
    // Probes: the focus is hottest; the vessel's blood carries the heat away.
    constexpr std::size_t end_of_pulses = 299 * 5;
    EXPECT_GT(probe[end_of_pulses], 60);
    EXPECT_GT(probe[end_of_pulses], probe[end_of_pulses + 1]);
    EXPECT_NEAR(probe[end_of_pulses + 3], 37, 1);
}

}  // namespace
}  // namespace kasc
