// The example's data must be what a bioheat program can run on.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "examples/tissue/phantom.hpp"

namespace tissue {
namespace {

class TissueTest : public testing::Test {
protected:
    static constexpr int size_ = 48;
    Phantom phantom_ = make_phantom(size_, 1);

    [[nodiscard]] static std::size_t cell(int x, int y, int z) {
        return static_cast<std::size_t>((z * size_ + y) * size_ + x);
    }
};

TEST_F(TissueTest, LayersHaveTheirPublishedDiffusivity) {
    const auto expect = [&](int y, const Material& material) {
        const double published = material.conductivity / (material.density * material.heat_capacity);
        EXPECT_NEAR(phantom_.diffusivity[cell(5, y, 5)] / published, 1, 0.031) << "depth " << y;
    };
    expect(0, skin);
    expect(5, fat);
    expect(size_ - 3, muscle);
}

TEST_F(TissueTest, TheSourceIsCentredOnTheTumour) {
    const auto hottest = std::max_element(phantom_.heating.begin(), phantom_.heating.end()) - phantom_.heating.begin();
    const auto x = hottest % size_, y = hottest / size_ % size_, z = hottest / size_ / size_;
    EXPECT_NEAR(static_cast<double>(x), size_ / 2.0, 1.0);
    EXPECT_NEAR(static_cast<double>(y), 0.42 * size_, 1.0);
    EXPECT_NEAR(static_cast<double>(z), size_ / 2.0, 1.0);
    EXPECT_GT(phantom_.heating[static_cast<std::size_t>(hottest)], 1.0F);
}

TEST_F(TissueTest, TemperatureRisesFromTheSkin) {
    EXPECT_NEAR(phantom_.temperature[cell(9, 0, 9)], 33.2, 0.1);
    EXPECT_NEAR(phantom_.temperature[cell(9, size_ - 1, 9)], 37.0, 0.1);
}

TEST_F(TissueTest, TheSeedDecides) {
    EXPECT_EQ(make_phantom(size_, 1).perfusion, phantom_.perfusion);
    EXPECT_NE(make_phantom(size_, 2).perfusion, phantom_.perfusion);
}

TEST_F(TissueTest, TheProtocolPulsesAndRests) {
    const std::vector<float> on = make_protocol(100);
    EXPECT_EQ(std::accumulate(on.begin(), on.end(), 0.0F), 45.0F);
    EXPECT_EQ(on[14], 1.0F);
    EXPECT_EQ(on[15], 0.0F);
    EXPECT_EQ(on[99], 0.0F);
}

/// A checkerboard, the mode that grows first, shrinks at 0.99 of the stated step and grows at 1.01.
TEST_F(TissueTest, TheStableStepIsTheLimit) {
    Phantom uniform = phantom_;
    std::fill(uniform.diffusivity.begin(), uniform.diffusivity.end(), 1.4e-7F);
    std::fill(uniform.perfusion.begin(), uniform.perfusion.end(), 0.01F);
    const auto growth = [&](double step) {
        const double laplacian = 3 * (-1 - 16 - 30 - 16 - 1) / 12.0 / (spacing_m * spacing_m);
        return std::abs(1 + step * (1.4e-7 * laplacian - 0.01));
    };
    EXPECT_LT(growth(0.99 * stable_step_s(uniform)), 1.0);
    EXPECT_GT(growth(1.01 * stable_step_s(uniform)), 1.0);
}

}  // namespace
}  // namespace tissue
