// Compressed files of arrays: the same datasets as without, in chunks.
#include "runtime/hdf5/packed_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "runtime/hdf5/array_file.hpp"
#include "runtime/hdf5/handle.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "runtime/runs/outputs.hpp"
#include "unit/runtime/sample_programs.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

/// "chunks (1, 87, 3000), shuffle, deflate 9"; empty: contiguous.
std::string filters_of(const std::string& path, const std::string& name) {
    const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    const Hdf5Handle dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    const Hdf5Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose);
    if (H5Pget_layout(creation.get()) != H5D_CHUNKED) return "";
    std::vector<hsize_t> chunk(8);
    chunk.resize(static_cast<std::size_t>(H5Pget_chunk(creation.get(), 8, chunk.data())));
    std::string text = "chunks " + to_text({chunk.begin(), chunk.end()});
    for (int i = 0; i < H5Pget_nfilters(creation.get()); ++i) {
        unsigned flags = 0, level = 0, config = 0;
        std::size_t count = 1;
        std::array<char, 32> filter{};
        H5Pget_filter2(creation.get(), static_cast<unsigned>(i), &flags, &count, &level, filter.size(), filter.data(),
                       &config);
        text += std::string(", ") + filter.data() + (std::string(filter.data()) == "deflate" ? " " : "");
        if (std::string(filter.data()) == "deflate") text += std::to_string(level);
    }
    return text;
}

class PackedFileTest : public ScratchTest {
protected:
    /// Numbers that deflate finds something in, with no period that a chunk has.
    static std::vector<float> wave(std::size_t words) {
        std::vector<float> values(words);
        for (std::size_t i = 0; i < words; ++i) values[i] = static_cast<float>(i % 977) * 0.25F + static_cast<float>(i);
        return values;
    }
    static ArrayBytes from(const std::vector<std::vector<float>>& arrays) {
        return [&arrays](std::size_t array, std::uint64_t offset, void* to, std::uint64_t bytes) {
            if (offset + bytes > arrays.at(array).size() * sizeof(float)) return false;
            std::memcpy(to, reinterpret_cast<const char*>(arrays[array].data()) + offset, bytes);
            return true;
        };
    }
    static std::vector<float> read(const std::string& path, const std::string& name, const Shape& shape) {
        const auto read = read_datasets(path, FileStamp{std::filesystem::file_size(path)}, {{name, shape}});
        EXPECT_TRUE(read) << render_text(read.diagnostics);
        if (!read) return {};
        const auto words = read->arrays.front().values.floats();
        return {words.begin(), words.end()};
    }
};

TEST(ChunkTest, AreWholeRowsOfAMebibyte) {
    EXPECT_EQ(chunk_of({1, 200, 3000}, 4), (Shape{1, 87, 3000}));
    EXPECT_EQ(chunk_of({1, 60, 22}, 4), (Shape{1, 60, 22}));
    EXPECT_EQ(chunk_of({64, 512, 512}, 4), (Shape{1, 512, 512}));
    EXPECT_EQ(chunk_of({512, 256, 256}, 4), (Shape{4, 256, 256}));
    EXPECT_EQ(chunk_of({1, 1, 5'000'000}, 4), (Shape{1, 1, 262144}));
    EXPECT_EQ(chunk_of({7, 1000, 1000}, 4), (Shape{1, 262, 1000}));
    EXPECT_EQ(chunk_of({}, 4), Shape{});
}

TEST_F(PackedFileTest, HoldsTheSameInLess) {
    // Chunks that end within a plane, of several planes, and one alone.
    const std::vector<ArraySpec> arrays{{"big", {3, 500, 700}},
                                        {"field", {90, 70, 50}, WordType::float32, {{"a", "b"}}},
                                        {"row", {1, 13, 700}},
                                        {"few", {1, 1, 22}}};
    const FileLayout layout{arrays, {{"by", "us"}}, {{"n", {1, 1, 1}, std::vector<std::uint64_t>{9}}}};
    std::vector<std::vector<float>> values;
    for (const ArraySpec& array : arrays) values.push_back(wave(*cell_count(array.shape)));
    ASSERT_TRUE(write_packed("packed.h5", layout, 9, from(values)).empty());
    for (std::size_t i = 0; i < arrays.size(); ++i)
        EXPECT_TRUE(read("packed.h5", arrays[i].name, arrays[i].shape) == values[i]) << arrays[i].name;
    EXPECT_EQ(read("packed.h5", "n", {1, 1, 1}), std::vector<float>{9});
    EXPECT_EQ(filters_of("packed.h5", "big"), "chunks (1, 374, 700), shuffle, deflate 9");
    EXPECT_EQ(filters_of("packed.h5", "field"), "chunks (74, 70, 50), shuffle, deflate 9");
    EXPECT_EQ(filters_of("packed.h5", "few"), "") << "an index would be longer";
    EXPECT_EQ(filters_of("packed.h5", "n"), "");

    std::size_t plain = 0;
    for (const auto& array : values) plain += array.size() * sizeof(float);
    const std::string nine = read_text("packed.h5");
    EXPECT_LT(nine.size(), plain / 2);
    ASSERT_TRUE(write_packed("again.h5", layout, 9, from(values)).empty());
    EXPECT_TRUE(read_text("again.h5") == nine) << "the same bytes each time";
    ASSERT_TRUE(write_packed("one.h5", layout, 1, from(values)).empty());
    EXPECT_LT(nine.size(), read_text("one.h5").size());
    EXPECT_EQ(filters_of("one.h5", "row"), "chunks (1, 13, 700), shuffle, deflate 1");
}

TEST_F(PackedFileTest, AnArrayMayLieInSeveralDatasets) {
    // 400 rows of 1000 words: boxes of 700 and of 300, the chunks of the first of 374 rows.
    const FileLayout layout{
        {{"p", {400, 1000}, WordType::float32, {}, {{"p/1", {400, 7, 10, 10}}, {"p/2", {400, 1, 3, 100}}}, 400}}};
    const std::vector<std::vector<float>> values{wave(400'000)};
    ASSERT_TRUE(write_packed("boxes.h5", layout, 3, from(values)).empty());
    EXPECT_EQ(filters_of("boxes.h5", "p/1"), "chunks (374, 7, 10, 10), shuffle, deflate 3");
    const auto first = read("boxes.h5", "p/1", {400, 7, 10, 10}), second = read("boxes.h5", "p/2", {400, 1, 3, 100});
    ASSERT_EQ(first.size() + second.size(), values[0].size());
    for (std::size_t i = 0; i < values[0].size(); ++i) {
        const std::size_t row = i / 1000, column = i % 1000;
        ASSERT_EQ(column < 700 ? first[row * 700 + column] : second[row * 300 + column - 700], values[0][i]) << i;
    }
}

TEST_F(PackedFileTest, BytesThatCannotBeHadAreNotMadeUp) {
    const std::vector<std::vector<float>> values{wave(10)};
    const Diagnostics said = write_packed("short.h5", {{{"p", {1, 1, 11}}}}, 1, from(values));
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said.front().code, "K0721");
}

TEST_F(PackedFileTest, OutputsComeFromMemoryAndFromWhatWasStreamed) {
    const Shape shape{4, 3, 2};
    const std::vector<long long> extents{2, 3, 4, 7};
    for (const bool streamed : {false, true}) {
        OutputForm form{{{{"T", shape, WordType::float32}}, {{"when", "then"}}}};
        form.amended = [](long long done) { return FileLayout{{}, {{"when", std::to_string(done) + "th "}}}; };
        form.compression = 5;
        OutputRequest request{"out.h5", "", "0.1.0", {streamed}, true};
        request.form = form;
        auto outputs = create_outputs(request, heat_program(), extents);
        ASSERT_TRUE(outputs) << render_text(outputs.diagnostics);
        const std::vector<float> values = wave(24);
        if (streamed) {
            ASSERT_TRUE(outputs.value->open().empty());
            ASSERT_TRUE(outputs.value->file().write(0, 0, values.data(), 96).empty());
        } else {
            std::memcpy(outputs.value->pointers().at(0), values.data(), 96);
        }
        ASSERT_TRUE(outputs.value->write(7).empty());
        EXPECT_EQ(read("out.h5", "T", shape), values);
        EXPECT_NE(read_text("out.h5").find("7th "), std::string::npos);
        EXPECT_EQ(files_here(), 1U) << "nothing is left of what was streamed";
    }
}

}  // namespace
}  // namespace kasc::runtime
