// Damaged HDF5 files end in arrays or a diagnostic, soon, whatever the library does with them.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <random>

#include "runtime/processes/child.hpp"
#include "runtime/runs/inputs.hpp"
#include "support/of_the_day.hpp"
#include "unit/runtime/sample_files.hpp"
#include "unit/runtime/sample_programs.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

class HostileFileTest : public ScratchTest {
protected:
    static std::string good_file() {
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const Dimensions chunk = {2, 3, 2};
        H5Pset_chunk(creation, 3, chunk.data());
        H5Pset_deflate(creation, 6);
        SampleFile("in.h5")
            .add("T", {4, 3, 2}, SampleFile::counting({4, 3, 2}), H5T_NATIVE_FLOAT, H5T_IEEE_F32LE, creation)
            .floats("beta", {4, 3, 2})
            .doubles("on", {3}, {1, 2, 3});
        H5Pclose(creation);
        return read_text("in.h5");
    }
    static void expect_an_end(const std::string& bytes) {
        write_text("in.h5", bytes);
        const auto begin = std::chrono::steady_clock::now();
        const auto inputs = open_inputs("in.h5", heat_program(), {});
        EXPECT_EQ(static_cast<bool>(inputs), !has_errors(inputs.diagnostics));
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    }
};

TEST_F(HostileFileTest, EveryTruncationEnds) {
    const std::string bytes = good_file();
    for (std::size_t size = 0; size < bytes.size(); size += 97 * test::one_of(4)) expect_an_end(bytes.substr(0, size));
}

TEST_F(HostileFileTest, FlippedBytesEnd) {
    const std::string bytes = good_file();
    std::mt19937 random(7);
    const std::size_t rounds = 150 / test::one_of(6);
    for (std::size_t round = 0; round < rounds; ++round) {
        std::string damaged = bytes;
        for (int flips = 0; flips < 6; ++flips) damaged[random() % damaged.size()] = static_cast<char>(random());
        expect_an_end(damaged);
    }
}

TEST_F(HostileFileTest, TheFuzzersFilesEnd) {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(KASC_SOURCE_DIR "/tests/fuzz/corpus/hdf5")) {
        expect_an_end(read_text(entry.path()));
        ++files;
    }
    EXPECT_GT(files, 4);
}

TEST_F(HostileFileTest, ACrashEndsTheChildAlone) {
    EXPECT_EQ(run_in_child({}, [] { return raise(SIGSEGV) == 0; }), ChildEnd::failed);
    EXPECT_EQ(run_in_child({}, []() -> bool { throw 1; }), ChildEnd::failed);
    EXPECT_EQ(run_in_child({}, [] { return false; }), ChildEnd::failed);
    EXPECT_EQ(run_in_child({}, [] { return raise(SIGKILL) == 0; }), ChildEnd::killed);
    EXPECT_EQ(run_in_child({}, [] { return true; }), ChildEnd::finished);
}

TEST_F(HostileFileTest, EndlessWorkRunsOutOfTime) {
    ChildLimits limits;
    limits.cpu_seconds = 1;
    EXPECT_EQ(run_in_child(limits,
                           [] {
                               volatile bool forever = true;
                               while (forever) {}
                               return true;
                           }),
              ChildEnd::out_of_time);
}

TEST_F(HostileFileTest, WaitingForeverRunsOutOfTime) {
    ChildLimits limits;
    limits.wall_seconds = 0.05;
    EXPECT_EQ(run_in_child(limits, [] { return pause() == 0; }), ChildEnd::out_of_time);
}

TEST_F(HostileFileTest, MemoryIsLimited) {
    ChildLimits limits;
    limits.private_bytes = 64U << 20;
    const auto take = [](std::size_t bytes) {
        return [bytes] {
            std::vector<char> much(bytes, 1);
            return much[bytes / 2] == 1;
        };
    };
    EXPECT_EQ(run_in_child(limits, take(16U << 20)), ChildEnd::finished);
    EXPECT_EQ(run_in_child(limits, take(256U << 20)), ChildEnd::failed);
}

}  // namespace
}  // namespace kasc::runtime
