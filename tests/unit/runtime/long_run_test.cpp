// The parts of long runs: digests, files laid out before their data, windows, texts of the command line.
#include "runtime/runs/long_run.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "runtime/hdf5/file.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "runtime/runs/outputs.hpp"
#include "unit/runtime/sample_programs.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

class LongRunTest : public ScratchTest {};

TEST(DigestTest, IsXxh64) {
    // As the reference implementation computes them.
    EXPECT_EQ(digest_text("", 0), "ef46db3751d8e999");
    EXPECT_EQ(digest_text("a", 1), "d24ec4f1a98c6e5b");
    EXPECT_EQ(digest_text("abc", 3), "44bc2cf5ad770999");
    const std::string text = "Nobody inspects the spammish repetition";
    EXPECT_EQ(digest_text(text.data(), text.size()), "fbcea83c8a378bf1");
}

TEST(DigestTest, PiecesAreTheWhole) {
    std::vector<unsigned char> bytes(1000);
    std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
    for (std::size_t piece = 1; piece < 130; ++piece) {
        Digest digest;
        for (std::size_t at = 0; at < bytes.size(); at += piece)
            digest.add(&bytes[at], std::min(piece, bytes.size() - at));
        EXPECT_EQ(digest.text(), digest_text(bytes.data(), bytes.size())) << piece;
    }
}

TEST_F(LongRunTest, FilesTakeTheirDataInAnyPieces) {
    const std::vector<float> T{1, 2, 3, 4, 5, 6}, q{7, 8};
    ASSERT_TRUE(write_hdf5("whole.h5", {{"T", {3, 2}, T}, {"q", {2}, q}}, {{"by", "us"}}).empty());
    const std::vector<ArraySpec> arrays{{"T", {3, 2}}, {"q", {2}}};
    std::vector<std::uint64_t> places;
    {
        auto file = ArrayFile::create("pieces.h5", {arrays, {{"by", "us"}}});
        ASSERT_TRUE(file);
        places = file->places();
        ASSERT_TRUE(file.value->write(0, 16, &T[4], 8).empty());
    }
    EXPECT_EQ(read_text("pieces.h5").size(), read_text("whole.h5").size());
    auto again = ArrayFile::reopen("pieces.h5", arrays, places);
    ASSERT_TRUE(again);
    float word = 1;
    ASSERT_TRUE(again->read(0, 0, &word, 4));
    EXPECT_EQ(word, 0) << "what was never written is zero";
    ASSERT_TRUE(again.value->write(1, 0, q.data(), 8).empty());
    ASSERT_TRUE(again.value->write(0, 0, T.data(), 16).empty());
    EXPECT_EQ(read_text("pieces.h5"), read_text("whole.h5"));
    EXPECT_FALSE(again->read(1, 0, &word, 1U << 20U));
    EXPECT_FALSE(ArrayFile::reopen("nothing.h5", arrays, places));
}

TEST_F(LongRunTest, AnArrayMayLieInSeveralDatasets) {
    // Rows of 5 words: three in p/1, two in p/2. And a row alone, in boxes of their own shapes.
    const FileLayout layout{{{"p", {2, 5}, WordType::float32, {}, {{"p/1", {2, 1, 3}}, {"p/2", {2, 2, 1}}}, 2},
                             {"most", {3}, WordType::float32, {}, {{"most/1", {1, 2}}, {"most/2", {1, 1}}}, 1}},
                            {},
                            {{"t_index", {1, 1, 1}, std::vector<std::uint64_t>{3}, {{"data_type", "long"}}}}};
    auto file = ArrayFile::create("boxes.h5", layout);
    ASSERT_TRUE(file) << render_text(file.diagnostics);
    std::vector<float> p(10), most{20, 21, 22};
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = static_cast<float>(i);
    for (const auto& [first, words] : {std::pair<std::size_t, std::size_t>{7, 3}, {0, 2}, {2, 5}})
        ASSERT_TRUE(file.value->write(0, 4 * first, &p[first], 4 * words).empty());
    ASSERT_TRUE(file.value->write(1, 0, most.data(), 12).empty());
    std::vector<float> back(6);
    ASSERT_TRUE(file->read(0, 12, back.data(), 24));
    EXPECT_EQ(back, (std::vector<float>{3, 4, 5, 6, 7, 8}));
    EXPECT_FALSE(file->read(0, 20, back.data(), 24)) << "beyond its end";
    ASSERT_TRUE(amend("boxes.h5", {}, {{"t_index", {1, 1, 1}, std::vector<std::uint64_t>{9}}}).empty());

    const auto read =
        read_datasets("boxes.h5", FileStamp{std::filesystem::file_size("boxes.h5")},
                      {{"p/1", {2, 1, 3}}, {"p/2", {2, 2, 1}}, {"most/2", {1, 1}}, {"t_index", {1, 1, 1}}});
    ASSERT_TRUE(read) << render_text(read.diagnostics);
    const auto values = [&](std::size_t i) {
        const auto floats = read->arrays[i].values.floats();
        return std::vector<float>(floats.begin(), floats.end());
    };
    EXPECT_EQ(values(0), (std::vector<float>{0, 1, 2, 5, 6, 7}));
    EXPECT_EQ(values(1), (std::vector<float>{3, 4, 8, 9}));
    EXPECT_EQ(values(2), (std::vector<float>{22}));
    EXPECT_EQ(values(3), (std::vector<float>{9}));
}

TEST_F(LongRunTest, RowsAreReadAlone) {
    std::vector<float> values(24);
    std::iota(values.begin(), values.end(), 0.0F);
    ASSERT_TRUE(write_hdf5("in.h5", {{"q", {4, 3, 2}, values}}, {}).empty());
    const auto rows = read_datasets("in.h5", FileStamp{std::filesystem::file_size("in.h5")}, {{"q", {4, 3, 2}, 1, 2}});
    ASSERT_TRUE(rows) << render_text(rows.diagnostics);
    EXPECT_EQ(rows->arrays.front().shape, (Shape{2, 3, 2}));
    EXPECT_EQ(rows->arrays.front().values.floats().front(), 6);
    EXPECT_EQ(rows->arrays.front().values.floats().back(), 17);
    EXPECT_FALSE(read_datasets("in.h5", FileStamp{std::filesystem::file_size("in.h5")}, {{"q", {5, 3, 2}, 1, 2}}))
        << "another shape than was surveyed";
    EXPECT_FALSE(read_datasets("in.h5", FileStamp{std::filesystem::file_size("in.h5")}, {{"q", {4, 3, 2}, 3, 2}}))
        << "rows that are not there";
}

TEST(RowRangeTest, RowsFollowTheIterationsOfTheirLoop) {
    const RowRange range{10, 5, 2};
    EXPECT_EQ(range.row(9), std::nullopt);
    EXPECT_EQ(range.row(10), 2);
    EXPECT_EQ(range.row(14), 6);
    EXPECT_EQ(range.row(15), std::nullopt);
    EXPECT_EQ(range.end(), 15);
}

TEST(RowRangeTest, NothingRunsBeyondAWindowOrIntoALoopWithoutOne) {
    SeriesWindows windows({{"q", 0, true, 0, {9, 4}, WordType::float32, {10, 5, 0}, 3}}, nullptr, nullptr);
    EXPECT_EQ(windows.ready(0), 10) << "as far as its loop";
    EXPECT_EQ(windows.ready(7), 3);
    EXPECT_GT(windows.ready(15), 1 << 30) << "its loop is over";
}

TEST(RowRangeTest, RowsAreAssignedForGoodOneAfterTheOther) {
    WindowedSeries s{"p", 0, false, 0, {9, 4}, WordType::float32, {10, 5, 2}, 3};
    const auto assigned = [&](std::initializer_list<long long> done) {
        std::vector<long long> rows;
        for (const long long d : done) rows.push_back(s.assigned(d));
        return rows;
    };
    EXPECT_EQ(s.first_row(), 2);
    EXPECT_EQ(assigned({0, 10, 11, 15, 99}), (std::vector<long long>{0, 0, 1, 5, 5}));
    s.before = 2;  // once its loop has come
    EXPECT_EQ(s.first_row(), 0);
    EXPECT_EQ(assigned({0, 9, 10, 11, 15, 99}), (std::vector<long long>{0, 0, 2, 3, 7, 7}));
    s = {"p", 0, false, 0, {9, 4}, WordType::float32, {0, 8, -3}, 3};  // iterations 0 to 3 assign row 0
    EXPECT_EQ(s.first_row(), 0);
    EXPECT_EQ(assigned({0, 3, 4, 8, 9}), (std::vector<long long>{0, 0, 1, 5, 5}));
}

TEST(IntervalTest, IsANumberOfIterationsOrATime) {
    EXPECT_EQ(read_interval("500")->iterations, 500);
    EXPECT_EQ(read_interval("90s")->seconds, 90);
    EXPECT_EQ(read_interval("10m")->seconds, 600);
    EXPECT_EQ(read_interval("2h")->seconds, 7200);
    for (const char* text : {"", "0", "-1", "m", "10 m", "10d", "99999999999", "1.5h"})
        EXPECT_FALSE(read_interval(text)) << text;
}

TEST(BytesTest, HaveAUnit) {
    EXPECT_EQ(read_bytes("4096"), 4096U);
    EXPECT_EQ(read_bytes("2K"), 2048U);
    EXPECT_EQ(read_bytes("1.5MiB"), 1572864U);
    EXPECT_EQ(read_bytes("8G"), std::uint64_t{8} << 30U);
    for (const char* text : {"", "0", "-1G", "G", "8X", "8Gb", "1e99", "nan"}) EXPECT_FALSE(read_bytes(text)) << text;
    EXPECT_GT(available_memory_bytes(), 1U << 20U);
}

TEST_F(LongRunTest, APartialFileStaysAndAnotherDoesNot) {
    const ProgramInterface program = heat_program();
    std::vector<bool> streamed(program.outputs.size(), true);
    for (const bool lasting : {false, true}) {
        {
            auto outputs = create_outputs({"out.h5", "", "0.1.0", streamed, lasting}, program, {2, 3, 4, 7});
            ASSERT_TRUE(outputs) << render_text(outputs.diagnostics);
            ASSERT_TRUE(outputs.value->open().empty());
            EXPECT_EQ(outputs.value->pointers().front(), nullptr);
        }
        EXPECT_EQ(files_here(), lasting ? 1U : 0U);
        EXPECT_EQ(std::filesystem::exists("out.h5.part"), lasting);
    }
}

}  // namespace
}  // namespace kasc::runtime
