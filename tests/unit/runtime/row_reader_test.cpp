// Rows that a process of its own reads while others are used.
#include "runtime/hdf5/row_reader.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <numeric>

#include "runtime/hdf5/file.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

class RowReaderTest : public ScratchTest {
protected:
    void SetUp() override {
        ScratchTest::SetUp();
        std::vector<float> q(80), p(16);
        std::iota(q.begin(), q.end(), 0.0F);
        std::iota(p.begin(), p.end(), 100.0F);
        p[9] = INFINITY;
        EXPECT_TRUE(write_hdf5("in.h5", {{"q", {8, 5, 2}, q}, {"p", {8, 2}, p}}, {}).empty());
    }
    static FileStamp stamp() {
        struct stat info {};
        return stat("in.h5", &info) == 0 ? stamp_of(info) : FileStamp{};
    }
    static Outcome<RowReader> start() {
        return RowReader::start("in.h5", stamp(), {{"q", {8, 5, 2}, 0, 3}, {"p", {8, 2}, 0, 4}});
    }
    static float first(const Outcome<const void*>& values) {
        return values ? *static_cast<const float*>(*values) : NAN;
    }
};

TEST_F(RowReaderTest, RowsComeInWhateverOrderTheyAreTaken) {
    auto reader = start();
    ASSERT_TRUE(reader) << render_text(reader.diagnostics);
    EXPECT_FALSE(reader->asked(0));
    reader.value->ask(0, {2, 3});
    reader.value->ask(1, {0, 4});
    EXPECT_EQ(*reader->asked(1), (RowSpan{0, 4}));
    EXPECT_EQ(first(reader.value->take(1)), 100);
    EXPECT_EQ(first(reader.value->take(0)), 20);
    EXPECT_FALSE(reader->asked(0));
    // Rows of q are asked for while p's are looked at.
    reader.value->ask(1, {4, 4});
    auto p = reader.value->take(1);
    reader.value->ask(0, {5, 1});
    ASSERT_TRUE(p);
    EXPECT_EQ(first(p), 108);
    ASSERT_EQ(p.diagnostics.size(), 1U);
    EXPECT_EQ(p.diagnostics.front().code, "K0712");
    EXPECT_EQ(first(reader.value->take(0)), 50);
}

/// By the row of the dataset, not of what was asked for.
TEST_F(RowReaderTest, ValuesAtFaultAreToldByTheirPlaceInTheDataset) {
    auto reader = start();
    ASSERT_TRUE(reader);
    reader.value->ask(1, {3, 3});
    const auto at_fault = reader.value->take(1);
    ASSERT_EQ(at_fault.diagnostics.size(), 1U);
    EXPECT_NE(at_fault.diagnostics.front().message.find("the first at [4, 1]"), std::string::npos)
        << at_fault.diagnostics.front().message;

    std::vector<float> steps(16, 7);
    steps[11] = 2.5F;
    ASSERT_TRUE(write_hdf5("in.h5", {{"k", {8, 2}, steps}}, {}).empty());
    auto integers = RowReader::start("in.h5", stamp(), {{"k", {8, 2}, 0, 4, WordType::int32}});
    ASSERT_TRUE(integers);
    integers.value->ask(0, {4, 3});
    const auto cut = integers.value->take(0);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.diagnostics.front().message,
              "1 of 6 values of 'k' are no whole numbers of 32 bits: the first, at [5, 1], is 2.5");
}

TEST_F(RowReaderTest, RowsThatAreNotThereAreTold) {
    auto reader = start();
    ASSERT_TRUE(reader);
    reader.value->ask(0, {7, 3});
    const auto beyond = reader.value->take(0);
    ASSERT_FALSE(beyond);
    EXPECT_EQ(beyond.diagnostics.front().code, "K0703");
    // The reader goes on with what there is.
    reader.value->ask(0, {7, 1});
    EXPECT_EQ(first(reader.value->take(0)), 70);
}

TEST_F(RowReaderTest, AFileThatIsNotThereIsTold) {
    std::filesystem::remove("in.h5");
    auto reader = start();
    ASSERT_TRUE(reader);
    reader.value->ask(1, {0, 1});
    EXPECT_EQ(reader.value->take(1).diagnostics.front().code, "K0703");
}

/// HDF5 gives zeros for what an open file has lost.
TEST_F(RowReaderTest, AFileThatIsCutShortMeanwhileIsTold) {
    auto reader = start();
    ASSERT_TRUE(reader);
    reader.value->ask(0, {0, 1});
    EXPECT_EQ(first(reader.value->take(0)), 0);
    const auto bytes = std::filesystem::file_size("in.h5");
    std::filesystem::resize_file("in.h5", bytes - 300);
    reader.value->ask(0, {1, 1});
    const auto cut = reader.value->take(0);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.diagnostics.front().code, "K0703");
    ASSERT_EQ(cut.diagnostics.front().notes.size(), 1U);
    EXPECT_NE(cut.diagnostics.front().notes.front().text.find("cut short while it was read"), std::string::npos);
    // As long as before, and zeros in the place of what was cut.
    std::filesystem::resize_file("in.h5", bytes);
    reader.value->ask(0, {7, 1});
    EXPECT_FALSE(reader.value->take(0));
}

TEST_F(RowReaderTest, AChildEndsWithWhoHoldsIt) {
    auto child = Child::start({}, [] { return pause() == 0; });
    ASSERT_TRUE(child);
    const auto held = std::chrono::steady_clock::now();
    child.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - held, std::chrono::seconds(10));
}

}  // namespace
}  // namespace kasc::runtime
