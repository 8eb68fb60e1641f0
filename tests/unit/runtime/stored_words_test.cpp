// Large datasets, read past HDF5 and by it: the same words and the same counts, whatever the number of threads.

#include "runtime/hdf5/stored_words.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "runtime/hdf5/read_part.hpp"
#include "runtime/hdf5/row_reader.hpp"
#include "runtime/runs/inputs.hpp"
#include "unit/runtime/sample_files.hpp"
#include "unit/runtime/sample_programs.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

const Dimensions shape = {90, 70, 61};
constexpr std::size_t cells = 90 * 70 * 61;  // 1.5 MB

std::vector<float> noise() {
    std::mt19937 random(3);
    std::vector<float> values(cells);
    for (float& value : values) value = static_cast<float>(random()) / 7;
    return values;
}

class Creation {
public:
    explicit Creation(const Dimensions& chunk = {}) : id_(H5Pcreate(H5P_DATASET_CREATE)) {
        if (!chunk.empty()) H5Pset_chunk(id_, static_cast<int>(chunk.size()), chunk.data());
    }
    Creation(const Creation&) = delete;
    Creation& operator=(const Creation&) = delete;
    ~Creation() { H5Pclose(id_); }
    [[nodiscard]] hid_t id() const { return id_; }
    Creation& shuffle() { return H5Pset_shuffle(id_), *this; }
    Creation& deflate() { return H5Pset_deflate(id_, 1), *this; }
    Creation& checksum() { return H5Pset_fletcher32(id_), *this; }

private:
    hid_t id_;
};

/// What reading gives: whether threads could read it, and all that is told of it.
struct Read {
    bool stored = false;
    ReadReport report;
    std::vector<float> values;
};

class StoredWordsTest : public ScratchTest {
protected:
    void TearDown() override {
        unsetenv("OMP_NUM_THREADS");
        ScratchTest::TearDown();
    }
    static void write(const std::vector<float>& values, const Creation& creation = Creation()) {
        SampleFile("in.h5").add("T", shape, values, H5T_NATIVE_FLOAT, H5T_IEEE_F32LE, creation.id());
    }
    static Read read(std::uint64_t first = 0, std::uint64_t rows = 0, WordType type = WordType::float32) {
        silence_hdf5();
        const DatasetPart part{"T", Shape(shape.begin(), shape.end()), first, rows, type};
        const Hdf5Handle file(H5Fopen("in.h5", H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
        const Hdf5Handle dataset(H5Dopen2(file.get(), "T", H5P_DEFAULT), H5Dclose);
        Read read;
        read.stored = find_stored_words(file.get(), dataset, H5T_NATIVE_FLOAT, part).has_value();
        read.values.resize(*cell_count(part.shape()));
        read_part(file.get(), FileStamp{}, part, read.values.data(), read.report);
        return read;
    }
    /// Bit for bit, with one thread and with four.
    static void expect(const std::vector<float>& values, bool stored, std::uint64_t first = 0, std::uint64_t rows = 0) {
        constexpr std::size_t row = 70 * 61;
        const std::vector<float> wanted(
            values.begin() + static_cast<std::ptrdiff_t>(first * row),
            rows == 0 ? values.end() : values.begin() + static_cast<std::ptrdiff_t>((first + rows) * row));
        for (const char* threads : {"1", "4"}) {
            setenv("OMP_NUM_THREADS", threads, 1);
            const Read found = read(first, rows);
            EXPECT_EQ(found.stored, stored);
            EXPECT_EQ(found.report.state, ReadReport::State::good);
            ASSERT_EQ(found.values.size(), wanted.size());
            EXPECT_EQ(std::memcmp(found.values.data(), wanted.data(), wanted.size() * sizeof(float)), 0)
                << threads << " threads";
        }
    }
};

TEST_F(StoredWordsTest, InOnePiece) {
    write(noise());
    expect(noise(), true);
    expect(noise(), true, 7, 80);
    expect(noise(), false, 7, 3);  // so few rows are left to HDF5
}

TEST_F(StoredWordsTest, InChunks) {
    // Whole planes, chunks that lie together, and such that leave the edges on all sides.
    for (const Dimensions& chunk : {Dimensions{1, 70, 61}, Dimensions{1, 70, 60}, Dimensions{32, 32, 32}, shape}) {
        write(noise(), Creation(chunk));
        expect(noise(), true);
        expect(noise(), true, 5, 81);
        for (const bool shuffled : {false, true}) {
            Creation packed(chunk);
            if (shuffled) packed.shuffle();
            write(noise(), packed.deflate());
            expect(noise(), true);
            expect(noise(), true, 5, 81);
        }
        write(noise(), Creation(chunk).shuffle());
        expect(noise(), true);
    }
}

TEST_F(StoredWordsTest, OtherKindsAreLeftToHdf5) {
    write(noise(), Creation({32, 32, 32}).deflate().checksum());
    expect(noise(), false);
    write(noise(), Creation({4, 8, 8}));  // small chunks
    expect(noise(), false);
    SampleFile("in.h5").add("T", shape, noise(), H5T_NATIVE_FLOAT, H5T_IEEE_F32BE);
    expect(noise(), false);
    SampleFile("in.h5").add("T", shape, noise(), H5T_NATIVE_FLOAT, H5T_IEEE_F64LE);
    expect(noise(), false);
    SampleFile("in.h5").add("T", shape, std::vector<float>{}, H5T_NATIVE_FLOAT, H5T_IEEE_F32LE);
    expect(std::vector<float>(cells, 0.0F), false);  // it has no place in the file
    SampleFile("in.h5").add("T", shape, std::vector<float>{}, H5T_NATIVE_FLOAT, H5T_IEEE_F32LE,
                            Creation({32, 32, 32}).id());
    expect(std::vector<float>(cells, 0.0F), false);
}

TEST_F(StoredWordsTest, ChunksOfWhichSomeWereNeverWritten) {
    {
        const SampleFile file("in.h5");
        const hid_t space = H5Screate_simple(3, shape.data(), nullptr);
        const hid_t dataset =
            H5Dcreate2(file.id(), "T", H5T_IEEE_F32LE, space, H5P_DEFAULT, Creation({30, 70, 61}).id(), H5P_DEFAULT);
        const Dimensions start = {0, 0, 0}, count = {30, 70, 61};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
        const std::vector<float> ones(30 * 70 * 61, 1);
        const hid_t memory = H5Screate_simple(3, count.data(), nullptr);
        H5Dwrite(dataset, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, ones.data());
        H5Sclose(memory);
        H5Dclose(dataset);
        H5Sclose(space);
    }
    std::vector<float> values(cells, 0);
    std::fill_n(values.begin(), 30 * 70 * 61, 1.0F);
    expect(values, false);
}

TEST_F(StoredWordsTest, BehindAUserBlock) {
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(creation, 1024);
    for (const bool chunked : {false, true}) {
        const hid_t file = H5Fcreate("in.h5", H5F_ACC_TRUNC, creation, H5P_DEFAULT);
        const hid_t space = H5Screate_simple(3, shape.data(), nullptr);
        const Creation layout(chunked ? Dimensions{8, 70, 61} : Dimensions{});
        const hid_t dataset = H5Dcreate2(file, "T", H5T_IEEE_F32LE, space, H5P_DEFAULT, layout.id(), H5P_DEFAULT);
        H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, noise().data());
        H5Dclose(dataset);
        H5Sclose(space);
        H5Fclose(file);
        expect(noise(), !chunked);
    }
    H5Pclose(creation);
}

TEST_F(StoredWordsTest, WhatIsNotFiniteIsCountedAndTheFirstNamed) {
    std::vector<float> values = noise();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    for (const std::size_t at : {300000U, 300001U, 131071U, 384299U}) values[at] = nan;
    values[200000] = infinity;
    values[200063] = -infinity;
    values[5] = std::numeric_limits<float>::max();
    values[6] = std::numeric_limits<float>::denorm_min();
    for (const Dimensions& chunk : {Dimensions{}, Dimensions{1, 70, 61}, Dimensions{32, 32, 32}}) {
        write(values, Creation(chunk));
        expect(values, true);
        for (const char* threads : {"1", "4"}) {
            setenv("OMP_NUM_THREADS", threads, 1);
            const Read found = read();
            EXPECT_EQ(found.report.not_finite, 6U);
            EXPECT_EQ(found.report.first_not_finite, 131071U);
            EXPECT_EQ(read(46, 44).report.not_finite, 5U);
            EXPECT_EQ(read(46, 44).report.first_not_finite, 200000U - 46 * 70 * 61);
        }
    }
    // Through HDF5 the same.
    SampleFile("in.h5").add("T", shape, values, H5T_NATIVE_FLOAT, H5T_IEEE_F32BE);
    const Read found = read();
    EXPECT_FALSE(found.stored);
    EXPECT_EQ(found.report.not_finite, 6U);
    EXPECT_EQ(found.report.first_not_finite, 131071U);
}

TEST_F(StoredWordsTest, OfDoublesToo) {
    std::vector<double> values(cells, 1e300);
    values[100] = std::numeric_limits<double>::infinity();
    SampleFile("in.h5").doubles("T", shape, values);
    silence_hdf5();
    const DatasetPart part{"T", Shape(shape.begin(), shape.end()), 0, 0, WordType::float64};
    const Hdf5Handle file(H5Fopen("in.h5", H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    std::vector<double> found(cells);
    ReadReport report;
    read_part(file.get(), FileStamp{}, part, found.data(), report);
    EXPECT_EQ(found, values);
    EXPECT_EQ(report.not_finite, 1U);
    EXPECT_EQ(report.first_not_finite, 100U);
}

/// A file whose dataset lies at its end, cut short there, is opened by no HDF5; one whose dataset claims a place beyond
/// the end is, and reading it fails.
TEST_F(StoredWordsTest, PlacesBeyondTheFileAreRefused) {
    ProgramInterface program = heat_program();
    std::erase_if(program.inputs, [](const ArrayInterface& input) { return input.name != "T"; });
    write(noise());
    const std::string bytes = read_text("in.h5");
    write_text("in.h5", bytes.substr(0, bytes.size() - 4096));
    auto inputs = open_inputs("in.h5", program, {});
    ASSERT_FALSE(inputs);
    EXPECT_NE(render_text(inputs.diagnostics).find("K0703"), std::string::npos);

    std::uint64_t place = 0;
    {
        write_text("in.h5", bytes);
        const Hdf5Handle file(H5Fopen("in.h5", H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
        const Hdf5Handle dataset(H5Dopen2(file.get(), "T", H5P_DEFAULT), H5Dclose);
        place = H5Dget_offset(dataset.get());
    }
    const std::array<std::uint64_t, 2> layout = {place, cells * 4};  // as the object header has them
    const std::string told(reinterpret_cast<const char*>(layout.data()), sizeof layout);
    ASSERT_NE(bytes.find(told), std::string::npos);
    for (const std::uint64_t elsewhere :
         {place + 4096, bytes.size() - 8, std::uint64_t{1} << 40U, std::uint64_t{1} << 63U, ~std::uint64_t{7}}) {
        std::string moved = bytes;
        moved.replace(bytes.find(told), sizeof elsewhere, reinterpret_cast<const char*>(&elsewhere), sizeof elsewhere);
        write_text("in.h5", moved);
        inputs = open_inputs("in.h5", program, {});
        ASSERT_FALSE(inputs) << elsewhere;
        const std::string said = render_text(inputs.diagnostics);
        EXPECT_NE(said.find("dataset 'T' of 'in.h5' is damaged"), std::string::npos) << said;
    }
}

TEST_F(StoredWordsTest, DamagedChunksAreLeftToHdf5) {
    write(noise(), Creation({1, 70, 61}).deflate());
    const std::string bytes = read_text("in.h5");
    std::mt19937 random(11);
    int read_well = 0;
    for (int round = 0; round < 40; ++round) {
        std::string damaged = bytes;
        for (int flips = 0; flips < 3; ++flips) damaged[random() % damaged.size()] = static_cast<char>(random());
        write_text("in.h5", damaged);
        ProgramInterface program = heat_program();
        std::erase_if(program.inputs, [](const ArrayInterface& input) { return input.name != "T"; });
        const auto inputs = open_inputs("in.h5", program, {});
        EXPECT_EQ(static_cast<bool>(inputs), !has_errors(inputs.diagnostics));
        read_well += inputs ? 1 : 0;
    }
    EXPECT_LT(read_well, 40);
}

TEST_F(StoredWordsTest, RowsInTurn) {
    const std::vector<float> values = noise();
    for (const Dimensions& chunk : {Dimensions{}, Dimensions{32, 32, 32}}) {
        write(values, Creation(chunk));
        auto reader = RowReader::start("in.h5", FileStamp{std::filesystem::file_size("in.h5")},
                                       {{"T", {90, 70, 61}, 0, 80, WordType::float32}});
        ASSERT_TRUE(reader);
        for (const RowSpan rows : {RowSpan{0, 80}, RowSpan{10, 80}}) {
            reader.value->ask(0, rows);
            const auto found = reader.value->take(0);
            ASSERT_TRUE(found);
            EXPECT_EQ(std::memcmp(*found.value, values.data() + rows.first * 70 * 61, 80UL * 70 * 61 * 4), 0);
        }
    }
}

}  // namespace
}  // namespace kasc::runtime
