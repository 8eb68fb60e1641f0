#pragma once
// A folder with a program over a small plate, heat.kas, and its input, in.h5: for tests of what stands around a run.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/hdf5/file.hpp"
#include "support/temporary.hpp"

namespace kasc::test {

inline constexpr const char* two_steps_of_heat =
    "param int steps = 2;\nfloat T[x, y] boundary keep(1);\ninput T;\n"
    "for (n = 0; n < steps; n++) { T = T + 0.1*laplace2(T, 1); }\nreturn T;\n";

class HeatFolder : public testing::Test {
protected:
    /// `program`: of one input, T[x, y].
    explicit HeatFolder(const char* program = two_steps_of_heat) {
        write_file(file("heat.kas"), program);
        const std::vector<float> T(12, 1.0F);
        EXPECT_TRUE(runtime::write_hdf5(file("in.h5"), {{"T", {3, 4}, T}}, {}).empty());
    }
    [[nodiscard]] std::string file(const std::string& name) const { return (here_.path() / name).string(); }

    Temporary here_;
};

}  // namespace kasc::test
