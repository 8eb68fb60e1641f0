// Fields whose cells have a shape: a dataset of whole cells in files, an array a word in memory.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "runtime/file_arrays.hpp"
#include "runtime/hdf5/file.hpp"
#include "runtime/hdf5/packed_file.hpp"
#include "runtime/hdf5/row_reader.hpp"
#include "runtime/runs/inputs.hpp"
#include "runtime/runs/outputs.hpp"
#include "runtime/runs/series_windows.hpp"
#include "unit/runtime/sample_files.hpp"
#include "unit/runtime/sample_programs.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

FileStamp stamp_of_input() {
    struct stat info {};
    return stat("in.h5", &info) == 0 ? stamp_of(info) : FileStamp{};
}

class CellFilesTest : public ScratchTest {
protected:
    static ProgramInterface reading(std::vector<ArrayInterface> inputs, std::vector<std::string> axes = {"x", "y"}) {
        ProgramInterface program = flow_program();
        program.axes = std::move(axes);
        program.inputs = std::move(inputs);
        return program;
    }
    static std::vector<double> values(const ArrayView& array) {
        std::vector<double> all;
        for (std::size_t i = 0; i < array.values.size(); ++i) all.push_back(array.values[i]);
        return all;
    }
    /// Every `step`-th number from `first` on.
    static std::vector<double> every(std::size_t step, std::size_t first, std::size_t count) {
        std::vector<double> all;
        for (std::size_t i = 0; i < count; ++i) all.push_back(static_cast<double>(first + i * step));
        return all;
    }
    static void expect_words(const ProgramInterface& program, std::size_t words, std::size_t cells,
                             const std::string& what) {
        const auto inputs = open_inputs("in.h5", program, {});
        ASSERT_TRUE(inputs) << what << render_text(inputs.diagnostics);
        EXPECT_TRUE(inputs.diagnostics.empty()) << what << render_text(inputs.diagnostics);
        for (std::size_t word = 0; word < words; ++word)
            EXPECT_EQ(values(inputs->data.arrays.at(word)), every(words, word, cells)) << what << ", word " << word;
    }
};

TEST(FileArraysTest, AFieldWhoseWordsAreAllThereIsOneArray) {
    std::vector<ArrayInterface> arrays = flow_program().inputs;
    std::vector<FileArray> in_file = file_arrays(arrays);
    ASSERT_EQ(in_file.size(), 3U);
    EXPECT_EQ(in_file[0].array.name, "u");
    EXPECT_EQ(in_file[0].array.element_shape, (std::vector<int>{3}));
    EXPECT_EQ(in_file[0].words, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(in_file[1].array.name, "T");
    EXPECT_FALSE(in_file[1].holds_cells());
    EXPECT_EQ(in_file[2].words, (std::vector<std::size_t>{4, 5, 6, 7}));
    // In another order, and with a word missing.
    std::swap(arrays[0], arrays[2]);
    arrays.pop_back();
    in_file = file_arrays(arrays);
    ASSERT_EQ(in_file.size(), 5U);
    EXPECT_EQ(in_file[0].words, (std::vector<std::size_t>{2, 1, 0}));
    EXPECT_EQ(in_file[2].array.name, "F_xx");
    EXPECT_FALSE(in_file[2].holds_cells());
}

TEST_F(CellFilesTest, WordsComeFromOneDatasetOrFromOneEach) {
    const ProgramInterface program = flow_program();
    SampleFile("in.h5").floats("u", {4, 2, 3}).floats("T", {4, 2}).floats("F", {4, 2, 2});
    auto inputs = open_inputs("in.h5", program, {});
    ASSERT_TRUE(inputs) << render_text(inputs.diagnostics);
    EXPECT_EQ(inputs->extents, (BoundExtents{2, 4}));
    EXPECT_EQ(inputs->data.arrays.at(1).name, "u_y");
    EXPECT_EQ(inputs->data.arrays.at(1).shape, (Shape{4, 2}));
    EXPECT_EQ(values(inputs->data.arrays.at(1)), every(3, 1, 8));
    EXPECT_EQ(inputs->data.arrays.at(3).values.type(), WordType::float64);
    EXPECT_EQ(values(inputs->data.arrays.at(3)), every(1, 0, 8));
    EXPECT_EQ(values(inputs->data.arrays.at(6)), every(4, 2, 4));

    SampleFile("in.h5")
        .floats("u_x", {4, 2})
        .floats("u_y", {4, 2}, std::vector<float>(8, 7.0F))
        .floats("u_z", {4, 2})
        .floats("T", {4, 2})
        .floats("F", {1, 4, 4});  // a dimension for all words of a cell, and one of 1 before
    inputs = open_inputs("in.h5", program, {});
    ASSERT_TRUE(inputs) << render_text(inputs.diagnostics);
    EXPECT_EQ(inputs->extents, (BoundExtents{2, 4}));
    EXPECT_EQ(values(inputs->data.arrays.at(1)), std::vector<double>(8, 7));
    EXPECT_EQ(values(inputs->data.arrays.at(2)), every(1, 0, 8));
    EXPECT_EQ(values(inputs->data.arrays.at(7)), every(4, 3, 4));
}

TEST_F(CellFilesTest, CellsOfOneWordAndWithoutAxes) {
    for (const Dimensions& shape : {Dimensions{5}, Dimensions{5, 1}, Dimensions{1, 5}}) {
        SampleFile("in.h5").floats("a", shape);
        expect_words(reading(cell_words("a", {1}, {"0"}, {0})), 1, 5, "one word");
    }
    for (const Dimensions& shape : {Dimensions{3}, Dimensions{1, 1, 3}}) {
        SampleFile("in.h5").floats("g", shape);
        expect_words(reading(cell_words("g", {3}, {"x", "y", "z"}, {})), 3, 1, "no axes");
    }
}

TEST_F(CellFilesTest, EveryKindOfStorage) {
    const ProgramInterface program = reading(cell_words("u", {3}, {"x", "y", "z"}, {0, 1, 2}), {"x", "y", "z"});
    // Small, left to HDF5; large, read past it; more than a block of whole rows.
    for (const Dimensions& shape : {Dimensions{5, 4, 7, 3}, Dimensions{30, 61, 53, 3}, Dimensions{1, 2, 50001, 3}}) {
        const std::size_t cells = shape[0] * shape[1] * shape[2];
        const std::vector<float> numbers = SampleFile::counting(shape);
        for (const hid_t stored : {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_STD_I32LE}) {
            SampleFile("in.h5").add("u", shape, numbers, H5T_NATIVE_FLOAT, stored);
            expect_words(program, 3, cells, "contiguous");
            // Whole cells in a chunk, parts of cells, rows alone, and chunks that all edges cut.
            for (Dimensions chunk : {Dimensions{2, 3, 7, 3}, Dimensions{5, 2, 3, 2}, Dimensions{1, 1, 64, 1},
                                     Dimensions{16, 32, 32, 3}, Dimensions{1, 61, 53, 3}}) {
                for (std::size_t d = 0; d < 4; ++d) chunk[d] = std::min(chunk[d], shape[d]);
                const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
                H5Pset_chunk(creation, 4, chunk.data());
                H5Pset_shuffle(creation);
                H5Pset_deflate(creation, 1);
                SampleFile("in.h5").add("u", shape, numbers, H5T_NATIVE_FLOAT, stored, creation);
                H5Pclose(creation);
                expect_words(program, 3, cells, "in chunks");
                if (cells > 1000 && stored != H5T_IEEE_F32LE) break;
            }
        }
    }
}

TEST_F(CellFilesTest, EveryTypeOfWord) {
    for (const WordType type : {WordType::float64, WordType::int32, WordType::int64, WordType::uint8}) {
        SampleFile("in.h5").floats("a", {6, 5});
        expect_words(reading(cell_words("a", {5}, {"0", "1", "2", "3", "4"}, {0}, type)), 5, 6, name_of(type));
    }
}

TEST_F(CellFilesTest, WhatIsNotFiniteIsToldByItsPlaceInTheDataset) {
    const ProgramInterface program = reading(cell_words("u", {3}, {"x", "y", "z"}, {0, 1}));
    for (const Dimensions& shape : {Dimensions{4, 5, 3}, Dimensions{400, 500, 3}}) {
        std::vector<float> numbers = SampleFile::counting(shape);
        numbers[(2 * shape[1] + 4) * 3 + 1] = NAN;
        numbers[(3 * shape[1] + 1) * 3] = INFINITY;
        SampleFile("in.h5").floats("u", shape, numbers);
        const auto inputs = open_inputs("in.h5", program, {});
        ASSERT_EQ(inputs.diagnostics.size(), 1U);
        EXPECT_EQ(inputs.diagnostics[0].code, "K0712");
        EXPECT_EQ(inputs.diagnostics[0].message,
                  "2 of " + std::to_string(numbers.size()) + " values of 'u' are not finite, the first at [2, 4, 1]");
    }
    SampleFile("in.h5").doubles("u", {1, 2, 3}, {0, 1, 2, 3, 1e300, 5});
    const auto beyond = open_inputs("in.h5", program, {});
    ASSERT_EQ(beyond.diagnostics.size(), 1U);
    EXPECT_EQ(beyond.diagnostics[0].message,
              "1 of 6 values of 'u' are beyond float32 and become infinite, the first at [0, 1, 1]");
    SampleFile("in.h5").doubles("u", {1, 2, 3}, {0, 1, 2, 3, 4.5, 5});
    const auto no_integer =
        open_inputs("in.h5", reading(cell_words("u", {3}, {"x", "y", "z"}, {0, 1}, WordType::int32)), {});
    ASSERT_EQ(no_integer.diagnostics.size(), 1U);
    EXPECT_EQ(no_integer.diagnostics[0].message,
              "1 of 6 values of 'u' are no whole numbers of 32 bits: the first, at [0, 1, 1], is 4.5");
}

TEST_F(CellFilesTest, OneWordIsReadWithoutTheOthers) {
    const ProgramInterface program = reading(cell_words("q", {2, 2}, {"xx", "xy", "yx", "yy"}, {0, 1}));
    std::vector<float> numbers = SampleFile::counting({6, 5, 2, 2});
    numbers[4 * 20 + 3] = NAN;  // of cell (4, 0) the last word
    SampleFile("in.h5").floats("q", {6, 5, 2, 2}, numbers);
    const auto surveyed = survey_inputs("in.h5", program, {});
    ASSERT_TRUE(surveyed) << render_text(surveyed.diagnostics);
    const auto some = load_inputs(*surveyed.value, program, {true, false, false, true});
    ASSERT_TRUE(some);
    EXPECT_EQ(values(some->arrays.at(0)), every(4, 0, 30));
    EXPECT_TRUE(some->arrays.at(1).values.empty());
    EXPECT_EQ(some->arrays.at(1).shape, (Shape{6, 5}));
    EXPECT_EQ(some->arrays.at(3).values[19], 79);
    ASSERT_EQ(some.diagnostics.size(), 1U);
    EXPECT_EQ(some.diagnostics[0].message, "1 of 30 values of 'q' are not finite, the first at [4, 0, 1, 1]");

    const std::vector<WindowedSeries> series{{"q_xy", 0, true, 1, {6, 5}, WordType::float32, {0, 6, 0}, 2},
                                             {"q_yy", 1, true, 3, {6, 5}, WordType::float32, {0, 6, 0}, 3}};
    auto reader = RowReader::start("in.h5", stamp_of_input(), read_parts(series, *surveyed.value));
    ASSERT_TRUE(reader) << render_text(reader.diagnostics);
    const auto rows = [&](std::size_t number, const RowSpan& span) {
        reader.value->ask(number, span);
        const auto found = reader.value->take(number);
        EXPECT_TRUE(found) << render_text(found.diagnostics);
        const auto* words = static_cast<const float*>(found ? *found : nullptr);
        return std::vector<double>(words, words + (found ? span.count * 5 : 0));
    };
    EXPECT_EQ(rows(0, {3, 2}), every(4, 61, 10));
    EXPECT_EQ(rows(1, {1, 3}), every(4, 23, 15));
    EXPECT_EQ(rows(0, {5, 1}), every(4, 101, 5));
}

TEST_F(CellFilesTest, OutputsAreOneDatasetThatIsReadBack) {
    ProgramInterface program = flow_program();
    // More than a block of cells, and less.
    for (const auto& extents : {std::vector<long long>{700, 300}, std::vector<long long>{3, 2}}) {
        const auto cells = static_cast<std::size_t>(extents[0] * extents[1]);
        auto outputs = create_outputs({"in.h5", "", "0.1.0"}, program, extents);
        ASSERT_TRUE(outputs) << render_text(outputs.diagnostics);
        EXPECT_EQ(outputs->arrays().at(2).name, "u_z");
        for (std::size_t word = 0; word < 3; ++word) {
            auto* to = static_cast<float*>(outputs.value->pointers().at(word));
            for (std::size_t i = 0; i < cells; ++i) to[i] = static_cast<float>(3 * i + word);
        }
        ASSERT_TRUE(outputs.value->write().empty());
        const auto survey = survey_file("in.h5", {"u", "u_x"});
        ASSERT_TRUE(survey);
        EXPECT_EQ(survey->names, (std::vector<std::string>{"T", "u"}));
        EXPECT_EQ(survey->datasets.at(0).shape(),
                  (Shape{static_cast<std::uint64_t>(extents[1]), static_cast<std::uint64_t>(extents[0]), 3}));
        expect_words(reading(cell_words("u", {3}, {"x", "y", "z"}, {0, 1})), 3, cells, "read back");
    }
}

TEST_F(CellFilesTest, OutputsAreADatasetAWordWhereTheyAreDeclaredSo) {
    ProgramInterface program = flow_program();
    for (ArrayInterface& output : program.outputs)
        if (output.of_cell) output.of_cell->layout = CellLayout::arrays;
    auto outputs = create_outputs({"in.h5", "", "0.1.0"}, program, {3, 2});
    ASSERT_TRUE(outputs) << render_text(outputs.diagnostics);
    for (std::size_t word = 0; word < 3; ++word) {
        auto* to = static_cast<float*>(outputs.value->pointers().at(word));
        for (std::size_t i = 0; i < 6; ++i) to[i] = static_cast<float>(10 * word + i);
    }
    ASSERT_TRUE(outputs.value->write().empty());
    const auto survey = survey_file("in.h5", {"u_y"});
    ASSERT_TRUE(survey);
    EXPECT_EQ(survey->names, (std::vector<std::string>{"T", "u_x", "u_y", "u_z"}));
    EXPECT_EQ(survey->datasets.at(0).shape(), (Shape{2, 3}));
    const auto inputs = open_inputs("in.h5", reading(cell_words("u", {3}, {"x", "y", "z"}, {0, 1})), {});
    ASSERT_TRUE(inputs) << render_text(inputs.diagnostics);
    EXPECT_EQ(values(inputs->data.arrays.at(2)), every(1, 20, 6));
}

TEST_F(CellFilesTest, RowsOfWordsMayBeWrittenInAnyOrder) {
    std::vector<ArraySpec> specs;
    for (std::uint64_t word = 0; word < 3; ++word)
        specs.push_back({"u", {4, 5, 3}, WordType::float32, {{"cell_shape", "3"}}, {}, 1, 3, word});
    specs.push_back({"T", {2}});
    std::vector<std::uint64_t> places;
    const std::vector<float> kept{7, 8};
    {
        auto file = ArrayFile::create("in.h5", {specs});
        ASSERT_TRUE(file) << render_text(file.diagnostics);
        ASSERT_TRUE(file.value->write(3, 0, kept.data(), 8).empty());
        places = file->places();
        EXPECT_EQ(places.size(), 4U);
        EXPECT_EQ(places[0], places[2]);
    }
    auto file = ArrayFile::reopen("in.h5", specs, places);
    ASSERT_TRUE(file) << render_text(file.diagnostics);
    for (const std::size_t row : {2U, 0U, 3U, 1U}) {
        for (const std::size_t word : {1U, 2U, 0U}) {
            std::vector<float> words;
            for (std::size_t i = 0; i < 5; ++i) words.push_back(static_cast<float>((row * 5 + i) * 3 + word));
            ASSERT_TRUE(file.value->write(word, row * 20, words.data(), 20).empty());
            std::vector<float> found(5);
            ASSERT_TRUE(file->read(word, row * 20, found.data(), 20));
            EXPECT_EQ(found, words);
        }
    }
    std::vector<float> beyond(6);
    EXPECT_FALSE(file->read(2, 60, beyond.data(), 24)) << "the array has 80 bytes";
    EXPECT_TRUE(file->read(3, 0, beyond.data(), 8));
    EXPECT_EQ(beyond[1], 8);
    expect_words(reading(cell_words("u", {3}, {"x", "y", "z"}, {0, 1})), 3, 20, "row by row");
}

TEST_F(CellFilesTest, ThePackedFileHoldsTheSame) {
    const Shape shape{90, 700, 3};
    std::vector<ArraySpec> specs{{"T", {9}}};
    std::vector<std::vector<float>> arrays{SampleFile::counting({9})};
    for (std::uint64_t word = 0; word < 3; ++word) {
        specs.push_back({"u", shape, WordType::float32, {}, {}, 1, 3, word});
        arrays.emplace_back();
        for (std::size_t i = 0; i < 63000; ++i) arrays.back().push_back(static_cast<float>(3 * i + word));
    }
    const auto bytes = [&](std::size_t array, std::uint64_t offset, void* to, std::uint64_t count) {
        std::memcpy(to, reinterpret_cast<const char*>(arrays.at(array).data()) + offset, count);
        return true;
    };
    ASSERT_TRUE(write_packed("in.h5", {specs}, 1, bytes).empty());
    expect_words(reading(cell_words("u", {3}, {"x", "y", "z"}, {0, 1})), 3, 63000, "packed");
}

}  // namespace
}  // namespace kasc::runtime
