// What several steps of a stencil in a kernel are predicted to take, beside what they took on an H100.
#include <gtest/gtest.h>

#include <tuple>

#include "model/field/statement_costs.hpp"
#include "model/prediction.hpp"
#include "schedule/pipeline/schedule.hpp"
#include "support/choice.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

constexpr int shared_bytes_of_device = 232448;

const Device& h100() {
    static const Device device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
    return device;
}

/// Two steps of 13 points with a diffusivity per cell, 512³, ms.
double two_steps_ms(const std::string& boundary, const std::string& blocks) {
    const std::string step =
        "T = T + c*beta*(16*(T[-1,0,0] + T[1,0,0]) - (T[-2,0,0] + T[2,0,0]) - 30*T"
        " + (16*(T[0,-1,0] + T[0,1,0]) - (T[0,-2,0] + T[0,2,0]) - 30*T)"
        " + (16*(T[0,0,-1] + T[0,0,1]) - (T[0,0,-2] + T[0,0,2]) - 30*T)); ";
    const FieldCase c("param float c = 0.1; float T[x,y,z] boundary " + boundary + ", beta[x,y,z]; input T, beta; " +
                      step + step + "return T;");
    Problem problem;
    problem.extents = {512, 512, 512};
    const PipelineWorkResult work = pipeline_work(c.program, c.graph, c.whole());
    const PipelineScheduleResult made =
        schedule_pipeline(work.value, choice(blocks), c.program, c.graph, shared_bytes_of_device);
    model::StatementCosts costs;
    const PipelinePredictor predictor(*work.value, c.program, c.graph, h100(), problem, costs);
    return predictor.of(*made.value).time_ns / 1e6;
}

TEST(PipelineModel, IsWithinAQuarterOfWhatWasMeasured) {
    const std::pair<const char*, double> measured[] = {
        {"pipeline 18x20 vector 4 rows 2 chunk 512 unroll 5 ahead 3", 0.771},
        {"pipeline 18x20 vector 4 rows 2 chunk 512 unroll 5 ahead 1", 0.967},
        {"pipeline 16x24 vector 4 rows 2 chunk 512 unroll 5 ahead 3", 0.745},
        {"pipeline 18x36 vector 4 rows 1 chunk 512 unroll 5 ahead 3", 0.709},
        {"pipeline 34x9 vector 2 rows 4 chunk 512 unroll 5 ahead 3", 0.748},
        {"pipeline 32x16 vector 2 rows 2 chunk 512 unroll 5 ahead 3", 0.963}};
    for (const auto& [blocks, ms] : measured) {
        EXPECT_LT(two_steps_ms("keep(2)", blocks), 1.25 * ms) << blocks;
        EXPECT_GT(two_steps_ms("keep(2)", blocks), ms / 1.25) << blocks;
    }
}

// Blocks at the rim put images in place, which others wait for.
TEST(PipelineModel, KnowsOfFaces) {
    const std::tuple<const char*, const char*, double> measured[] = {
        {"mirror", "pipeline 18x18 vector 4 rows 2 chunk 512 unroll 5 ahead 3", 0.792},
        {"mirror", "pipeline 16x24 vector 4 rows 2 chunk 512 unroll 5 ahead 3", 0.737},
        {"mirror", "pipeline 18x36 vector 4 rows 1 chunk 512 unroll 5 ahead 3", 0.837},
        {"value(0)", "pipeline 18x18 vector 4 rows 2 chunk 512 unroll 5 ahead 3", 0.705},
        {"value(0)", "pipeline 16x24 vector 4 rows 2 chunk 512 unroll 5 ahead 3", 0.783},
        {"value(0)", "pipeline 18x36 vector 4 rows 1 chunk 512 unroll 5 ahead 3", 0.752}};
    for (const auto& [boundary, blocks, ms] : measured) {
        EXPECT_LT(two_steps_ms(boundary, blocks), 1.25 * ms) << boundary << ", " << blocks;
        EXPECT_GT(two_steps_ms(boundary, blocks), ms / 1.25) << boundary << ", " << blocks;
    }
    const char* blocks = "pipeline 18x36 vector 4 rows 1 chunk 512 unroll 5 ahead 3";
    EXPECT_GT(two_steps_ms("mirror", blocks), two_steps_ms("keep(2)", blocks));
}

}  // namespace
}  // namespace kasc::test
