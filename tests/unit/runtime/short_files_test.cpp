// Reals of 16 bits from files of any reals, and files of such as any reals.

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/hdf5/short_type.hpp"
#include "runtime/runs/inputs.hpp"
#include "unit/runtime/sample_files.hpp"
#include "unit/runtime/sample_programs.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

class ShortFilesTest : public ScratchTest {
protected:
    static constexpr std::size_t count = 3000;
    /// Numbers of every size from below the smallest half to beyond the largest.
    static std::vector<double> numbers() {
        std::vector<double> all(count);
        for (std::size_t i = 0; i < count; ++i)
            all[i] = std::ldexp(1 + static_cast<double>(i * 7919 % count) / 3001.0, static_cast<int>(i % 41) - 27) *
                     (i % 2 == 0 ? 1 : -1);
        return all;
    }
    static Inputs read(WordType type) {
        ProgramInterface program;
        program.name = "short";
        program.stream = false;
        program.axes = {"x"};
        program.inputs = {{"a", {}, {0}, type}};
        auto inputs = open_inputs("in.h5", program, {});
        EXPECT_TRUE(inputs) << render_text(inputs.diagnostics);
        return std::move(*inputs);
    }
};

TEST_F(ShortFilesTest, AreReadFromAnyReals) {
    const std::vector<double> values = numbers();
    for (const hid_t stored : {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE}) {
        SampleFile("in.h5").add("a", {count}, values, H5T_NATIVE_DOUBLE, stored);
        const auto half = read(WordType::float16), bfloat16 = read(WordType::bfloat16);
        const bool single = H5Tget_size(stored) == 4;
        for (std::size_t i = 0; i < count; ++i) {
            const double value = single ? static_cast<double>(static_cast<float>(values[i])) : values[i];
            EXPECT_EQ(half.data.arrays.at(0).values[i], static_cast<double>(kasc_half(value))) << value;
            EXPECT_EQ(bfloat16.data.arrays.at(0).values[i], static_cast<double>(kasc_bfloat16(value))) << value;
        }
    }
}

TEST_F(ShortFilesTest, AreReadAsAnyReals) {
    for (const WordType type : {WordType::float16, WordType::bfloat16}) {
        SampleFile("in.h5").add("a", {count}, numbers(), H5T_NATIVE_DOUBLE, short_type(type));
        const auto own = read(type), single = read(WordType::float32), dual = read(WordType::float64);
        for (std::size_t i = 0; i < count; ++i) {
            const double value = numbers()[i];
            EXPECT_EQ(own.data.arrays.at(0).values[i], type == WordType::float16
                                                           ? static_cast<double>(kasc_half(value))
                                                           : static_cast<double>(kasc_bfloat16(value)));
            EXPECT_EQ(single.data.arrays.at(0).values[i], own.data.arrays.at(0).values[i]);
            EXPECT_EQ(dual.data.arrays.at(0).values[i], own.data.arrays.at(0).values[i]);
        }
    }
}

TEST_F(ShortFilesTest, IntegersAreReadAsHalves) {
    std::vector<double> values;
    for (int i = -3000; i <= 3000; ++i) values.push_back(i);
    SampleFile("in.h5").add("a", {values.size()}, values, H5T_NATIVE_DOUBLE, H5T_STD_I32LE);
    const auto half = read(WordType::float16);
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(half.data.arrays.at(0).values[i], static_cast<double>(kasc_half(values[i])));
}

TEST_F(ShortFilesTest, WhatIsTooLargeIsTold) {
    SampleFile("in.h5").doubles("a", {3}, {1, 65519, 7e4});
    ProgramInterface program;
    program.name = "short";
    program.stream = false;
    program.axes = {"x"};
    program.inputs = {{"a", {}, {0}, WordType::float16}};
    const auto inputs = open_inputs("in.h5", program, {});
    ASSERT_EQ(inputs.diagnostics.size(), 1U);
    EXPECT_EQ(inputs.diagnostics[0].message,
              "1 of 3 values of 'a' are beyond half and become infinite, the first at [2]");
}

}  // namespace
}  // namespace kasc::runtime
