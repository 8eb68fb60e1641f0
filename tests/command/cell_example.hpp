#pragma once
// An example program whose cells have a shape, run on the CPU on data of a test's, beside what the test computes in
// double precision.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runtime/hdf5/file.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc::test {

using Reals = std::vector<double>;

/// What the program is given and gives.
struct CellArray {
    std::string name;
    runtime::Shape shape;  ///< axes reversed, then the cell's extents
    Reals values{};
};

/// From 0 to 1.
inline double noise(unsigned& random) { return ((random = random * 1664525U + 1013904223U) >> 8U) / 16777216.0; }
inline Reals noise(std::size_t count, double low, double high, unsigned random) {
    Reals values(count);
    // As float32 has them: the reference begins with the program's own words.
    for (double& value : values) value = static_cast<float>(low + (high - low) * noise(random));
    return values;
}

/// The outputs of the example.
inline std::map<std::string, Reals> run_example(const std::string& name, const std::string& settings,
                                                const std::vector<CellArray>& inputs,
                                                const std::vector<CellArray>& outputs) {
    const Temporary here;
    const std::string in = (here.path() / "in.h5").string(), out = (here.path() / "out.h5").string();
    std::vector<std::vector<float>> words;
    std::vector<runtime::ArrayView> arrays;
    for (const CellArray& input : inputs) words.emplace_back(input.values.begin(), input.values.end());
    for (std::size_t k = 0; k < inputs.size(); ++k) arrays.push_back({inputs[k].name, inputs[k].shape, words[k]});
    EXPECT_TRUE(runtime::write_hdf5(in, arrays, {}).empty());
    const auto run = shell(fmt::format(KASC_COMMAND " run {}/examples/{}.kas --target cpu --in {} --out {} {} 2>&1",
                                       KASC_SOURCE_DIR, name, in, out, settings));
    EXPECT_EQ(run.status, 0) << run.output;
    std::map<std::string, Reals> found;
    if (run.status != 0) return found;
    std::vector<runtime::DatasetPart> parts;
    for (const CellArray& output : outputs) parts.push_back({output.name, output.shape});
    const auto read = runtime::read_datasets(out, runtime::FileStamp{std::filesystem::file_size(out)}, parts);
    EXPECT_TRUE(read) << render_text(read.diagnostics);
    for (std::size_t k = 0; read && k < outputs.size(); ++k) {
        const auto values = read->arrays[k].values.floats();
        found[outputs[k].name] = {values.begin(), values.end()};
    }
    return found;
}

/// All words within so much of the largest one.
inline void expect_near(const Reals& found, const Reals& expected, double relative, const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    double largest = 0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    ASSERT_GT(largest, 0) << what;
    for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_NEAR(found[i], expected[i], relative * largest) << what << ", word " << i;
}

}  // namespace kasc::test
