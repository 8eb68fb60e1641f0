#include "runtime/runs/inputs.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "runtime/hdf5/handle.hpp"
#include "unit/runtime/sample_files.hpp"
#include "unit/runtime/sample_programs.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

class InputsTest : public ScratchTest {
protected:
    static Outcome<Inputs> open(const ProgramInterface& program, const std::map<std::string, long long>& extents = {}) {
        return open_inputs("in.h5", program, extents);
    }
    static std::vector<float> values(const Inputs& inputs, std::size_t input) {
        const auto span = inputs.data.arrays.at(input).values.floats();
        return {span.begin(), span.end()};
    }
};

TEST_F(InputsTest, FieldsBindTheAxesReversed) {
    SampleFile("in.h5").floats("T", {4, 3, 2}).floats("beta", {4, 3, 2}).floats("on", {7});
    const auto inputs = open(heat_program());
    ASSERT_TRUE(inputs) << render_text(inputs.diagnostics);
    EXPECT_TRUE(inputs.diagnostics.empty());
    EXPECT_EQ(inputs->extents, (BoundExtents{2, 3, 4, 7}));
    EXPECT_EQ(inputs->data.arrays.at(1).name, "beta");
    EXPECT_EQ(values(*inputs, 1), SampleFile::counting({4, 3, 2}));
    EXPECT_EQ(values(*inputs, 2), SampleFile::counting({7}));
}

TEST_F(InputsTest, BooleansOfNumPyAreZeroAndOne) {
    const Hdf5Handle boolean(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose),
        other(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
    for (const signed char value : std::array<signed char, 2>{0, 1}) {
        H5Tenum_insert(boolean.get(), value == 0 ? "FALSE" : "TRUE", &value);
        H5Tenum_insert(other.get(), value == 0 ? "RED" : "GREEN", &value);
    }
    const auto file = [&](const Hdf5Handle& type) {
        SampleFile("in.h5")
            .floats("T", {1, 1, 2})
            .floats("beta", {1, 1, 2})
            .add("on", {3}, std::vector<signed char>{1, 0, 1}, type.get(), type.get());
    };
    file(boolean);
    const auto inputs = open(heat_program());
    ASSERT_TRUE(inputs) << render_text(inputs.diagnostics);
    EXPECT_EQ(values(*inputs, 2), (std::vector<float>{1, 0, 1}));
    file(other);
    EXPECT_FALSE(open(heat_program()));
}

TEST_F(InputsTest, StreamsBindTheNumberOfElements) {
    SampleFile("in.h5").floats("A", {5, 3, 3}).floats("v", {5, 3}).floats("c", {5, 1});
    const auto inputs = open(matrix_program());
    ASSERT_TRUE(inputs) << render_text(inputs.diagnostics);
    EXPECT_EQ(inputs->extents, (BoundExtents{5}));
    EXPECT_EQ(values(*inputs, 0).size(), 45U);
}

TEST_F(InputsTest, ElementsOfAStreamMayLieInOneDimension) {
    SampleFile("in.h5").floats("A", {5, 9}).floats("v", {5, 3}).floats("c", {5});
    const auto inputs = open(matrix_program());
    ASSERT_TRUE(inputs) << render_text(inputs.diagnostics);
    EXPECT_EQ(values(*inputs, 0), SampleFile::counting({5, 3, 3}));
}

TEST_F(InputsTest, AScalarStreamMayHaveOneDimension) {
    SampleFile("in.h5").floats("A", {5, 3, 3}).floats("v", {5, 3}).floats("c", {5});
    EXPECT_TRUE(open(matrix_program(), {{"n", 5}}));
    EXPECT_FALSE(open(matrix_program(), {{"n", 6}}));
}

TEST_F(InputsTest, IntegersAndDoublesBecomeFloats) {
    SampleFile("in.h5")
        .doubles("T", {1, 1, 2}, {0.1, -2.5})
        .add("beta", {1, 1, 2}, std::vector<int>{-7, 70000}, H5T_NATIVE_INT, H5T_STD_I64BE)
        .add("on", {2}, std::vector<int>{0, 255}, H5T_NATIVE_INT, H5T_STD_U8LE);
    const auto inputs = open(heat_program());
    ASSERT_TRUE(inputs) << render_text(inputs.diagnostics);
    EXPECT_EQ(values(*inputs, 0), (std::vector<float>{0.1F, -2.5F}));
    EXPECT_EQ(values(*inputs, 1), (std::vector<float>{-7, 70000}));
    EXPECT_EQ(values(*inputs, 2), (std::vector<float>{0, 255}));
}

TEST_F(InputsTest, CompressedChunksAreRead) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const Dimensions chunk = {2, 3, 2};
    H5Pset_chunk(creation, 3, chunk.data());
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 6);
    SampleFile("in.h5")
        .add("T", {4, 3, 2}, SampleFile::counting({4, 3, 2}), H5T_NATIVE_FLOAT, H5T_IEEE_F32BE, creation)
        .floats("beta", {4, 3, 2})
        .floats("on", {1});
    H5Pclose(creation);
    const auto inputs = open(heat_program());
    ASSERT_TRUE(inputs) << render_text(inputs.diagnostics);
    EXPECT_EQ(values(*inputs, 0), SampleFile::counting({4, 3, 2}));
}

TEST_F(InputsTest, AFieldWithoutAxesIsANumber) {
    ProgramInterface program = heat_program();
    program.inputs = {{"rate", {}, {}}};
    for (const Dimensions& dimensions : {Dimensions{}, Dimensions{1}, Dimensions{1, 1, 1}}) {
        SampleFile("in.h5").floats("rate", dimensions, {2.5F});
        const auto inputs = open(program);
        ASSERT_TRUE(inputs) << render_text(inputs.diagnostics);
        EXPECT_EQ(values(*inputs, 0), std::vector<float>{2.5F});
    }
    SampleFile("in.h5").floats("rate", {2});
    EXPECT_FALSE(open(program));
}

TEST_F(InputsTest, AxesThatNothingBindsStayOpen) {
    ProgramInterface program = heat_program();
    program.inputs.pop_back();
    SampleFile("in.h5").floats("T", {4, 3, 2}).floats("beta", {4, 3, 2});
    const auto open_axis = open(program);
    ASSERT_TRUE(open_axis);
    EXPECT_FALSE(open_axis->extents.at(3).has_value());
    const auto set_axis = open(program, {{"t", 100}, {"x", 2}});
    ASSERT_TRUE(set_axis);
    EXPECT_EQ(set_axis->extents, (BoundExtents{2, 3, 4, 100}));
}

TEST_F(InputsTest, WithoutInputsNoFileIsOpened) {
    ProgramInterface program = heat_program();
    program.inputs.clear();
    const auto inputs = open_inputs("", program, {{"x", 3}});
    ASSERT_TRUE(inputs);
    EXPECT_EQ(inputs->extents.at(0), 3);
}

TEST_F(InputsTest, DataOutliveTheFile) {
    SampleFile("in.h5").floats("T", {1, 1, 3}).floats("beta", {1, 1, 3}).floats("on", {1});
    auto inputs = open(heat_program());
    ASSERT_TRUE(inputs);
    const Inputs moved = *std::move(inputs.value);
    std::filesystem::remove("in.h5");
    EXPECT_EQ(values(moved, 0), (std::vector<float>{0, 1, 2}));
}

TEST_F(InputsTest, BigEndianDoublesBeyondFloatAreCountedApartFromInfinities) {
    const double infinity = std::numeric_limits<double>::infinity();
    ProgramInterface program = heat_program();
    program.inputs = {{"on", {}, {3}}};
    for (const hid_t stored : {H5T_IEEE_F64LE, H5T_IEEE_F64BE}) {
        SampleFile("in.h5").add("on", {4}, std::vector<double>{1, 1e300, infinity, -1e40}, H5T_NATIVE_DOUBLE, stored);
        const auto inputs = open(program);
        ASSERT_TRUE(inputs);
        ASSERT_EQ(inputs.diagnostics.size(), 2U);
        EXPECT_EQ(inputs.diagnostics[0].message, "2 of 4 values of 'on' are beyond float32 and become infinite");
        EXPECT_EQ(inputs.diagnostics[1].message, "1 of 4 values of 'on' are not finite");
    }
}

}  // namespace
}  // namespace kasc::runtime
