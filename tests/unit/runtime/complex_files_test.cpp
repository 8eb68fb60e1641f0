// Complex numbers of files: pairs as h5py writes them, and reals in the two forms that others use.

#include <gtest/gtest.h>

#include "runtime/hdf5/complex_type.hpp"
#include "runtime/runs/inputs.hpp"
#include "unit/runtime/sample_files.hpp"
#include "unit/runtime/sample_programs.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

class ComplexFilesTest : public ScratchTest {
protected:
    static ProgramInterface program(std::vector<int> axes, WordType type = WordType::complex64) {
        ProgramInterface made;
        made.name = "complex";
        made.stream = false;
        made.axes = {"x", "y"};
        made.axes.resize(axes.size());
        made.inputs = {{"z", {}, std::move(axes), type}};
        return made;
    }
    /// 0 + i, 2 + 3i, 4 + 5i …
    static void expect_counting(const ProgramInterface& face, const Shape& shape, const std::string& what) {
        const auto inputs = open_inputs("in.h5", face, {});
        ASSERT_TRUE(inputs) << what << render_text(inputs.diagnostics);
        const ArrayView& array = inputs->data.arrays.at(0);
        EXPECT_EQ(cell_count(array.shape), cell_count(shape)) << what;
        ASSERT_EQ(array.values.size(), cell_count(shape)) << what;
        const bool dual = is_dual(face.inputs.front().type);
        for (std::size_t k = 0; k < 2 * array.values.size(); ++k) {
            const double part = dual ? static_cast<const double*>(array.values.data())[k]
                                     : static_cast<double>(static_cast<const float*>(array.values.data())[k]);
            EXPECT_EQ(part, static_cast<double>(k)) << what;
        }
    }
    static std::string first_fault(const ProgramInterface& face) {
        const auto inputs = open_inputs("in.h5", face, {});
        return inputs.diagnostics.empty() ? "" : inputs.diagnostics.front().message;
    }
};

TEST_F(ComplexFilesTest, PairsOfEveryPrecision) {
    const std::vector<float> parts = SampleFile::counting({3, 4, 2});
    for (const hid_t real : {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F32BE}) {
        SampleFile("in.h5").add("z", {3, 4}, parts, complex_type(H5T_NATIVE_FLOAT), complex_type(real));
        expect_counting(program({0, 1}), {3, 4}, "of float");
        expect_counting(program({0, 1}, WordType::complex128), {3, 4}, "of double");
    }
}

TEST_F(ComplexFilesTest, RealAndImaginaryPartsInTurn) {
    for (const Dimensions& stored : {Dimensions{3, 8}, Dimensions{1, 3, 8}, Dimensions{3, 4, 2}}) {
        SampleFile("in.h5").floats("z", stored);
        expect_counting(program({0, 1}), {3, 4}, "two axes");
        expect_counting(program({0, 1}, WordType::complex128), {3, 4}, "two axes, double");
    }
    for (const Dimensions& stored : {Dimensions{8}, Dimensions{1, 1, 8}, Dimensions{4, 2}}) {
        SampleFile("in.h5").floats("z", stored);
        expect_counting(program({0}), {4}, "one axis");
    }
    SampleFile("in.h5").floats("z", {2});
    expect_counting(program({}), {}, "no axes");
}

TEST_F(ComplexFilesTest, WhatFitsNeitherIsRefused) {
    SampleFile("in.h5").floats("z", {3, 7});
    EXPECT_EQ(first_fault(program({0, 1})), "dataset 'z' holds reals of shape (3, 7), the program's z[x,y] is complex");
    SampleFile("in.h5").add("z", {3, 4}, SampleFile::counting({3, 4, 2}), complex_type(H5T_NATIVE_FLOAT),
                            complex_type(H5T_IEEE_F32LE));
    EXPECT_EQ(first_fault(program({0, 1}, WordType::float32)), "dataset 'z' holds complex numbers");
    EXPECT_EQ(first_fault(program({0})), "dataset 'z' has shape (3, 4), the program's z[x] has 1 axis");
}

}  // namespace
}  // namespace kasc::runtime
