// The example's data must be what a bioheat program can run on.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "examples/tissue/phantom.hpp"
#include "examples/tissue/treatment.hpp"

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
    const double step = stable_step_s(uniform.diffusivity, uniform.perfusion);
    const auto growth = [&](double dt) {
        const double laplacian = 3 * (-1 - 16 - 30 - 16 - 1) / 12.0 / (spacing_m * spacing_m);
        return std::abs(1 + dt * (1.4e-7 * laplacian - 0.01));
    };
    EXPECT_LT(growth(0.99 * step), 1.0);
    EXPECT_GT(growth(1.01 * step), 1.0);
}

TEST(Treatment, LabelsNameEveryMaterialAndTablesHaveTheirValues) {
    constexpr int size = 48;
    const Treatment treatment = make_treatment(size);
    std::vector<int> cells(materials.size());
    for (const std::uint8_t label : treatment.label) ++cells.at(label);
    for (std::size_t i = 0; i < materials.size(); ++i) EXPECT_GT(cells[i], 0) << materials[i].name;
    ASSERT_EQ(treatment.diffusivity.size(), materials.size());
    EXPECT_NEAR(treatment.diffusivity[in_muscle], 0.49 / (1090 * 3421.0), 1e-10);
    EXPECT_NEAR(treatment.absorption[in_liver], 12 / (1079 * 3540.0), 1e-9);
}

/// Without tissue each plane would carry 2 π waist² I/2; tissue takes some of it on the way.
TEST(Treatment, TheBeamIsNarrowestAtTheFocusAndOnlyLosesPower) {
    constexpr int size = 64;
    const Treatment treatment = make_treatment(size);
    double before = 2e6 * 2 * 3.14159265 * 1.5 * 1.5;
    for (int y = 16; y < 44; ++y) {  // where the grid holds the whole cone
        double power = 0;
        for (int z = 0; z < size; ++z) {
            for (int x = 0; x < size; ++x)
                power += treatment.intensity[static_cast<std::size_t>((z * size + y) * size + x)];
        }
        EXPECT_LT(power, before * 1.001) << y;
        before = power;
    }
    EXPECT_GT(before, 0.5 * 2e6 * 2 * 3.14159265 * 1.5 * 1.5);
    const auto peak = std::max_element(treatment.intensity.begin(), treatment.intensity.end());
    const auto cell = peak - treatment.intensity.begin();
    EXPECT_NEAR(static_cast<double>(cell / size % size), 0.42 * size, 1.0);
}

}  // namespace
}  // namespace tissue
