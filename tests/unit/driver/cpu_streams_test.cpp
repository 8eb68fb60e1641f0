// Streams on a CPU, predicted for the generic host of two cores, beside what one of that kind took: AMD EPYC (Turin),
// two cores, g++ 12.2, a million elements, medians of 20 runs of kasc tune where nothing else ran, 2026-11-22.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "driver/compilation.hpp"
#include "unit/driver/planned.hpp"

namespace kasc {
namespace {

struct Measured {
    const char *program, *plan;
    double ms;
};

const std::vector<Measured> measured{
    {"strain_energy",
     "I+C+C.2+E+trace+volume+volume.2+volume.3+shape+shape.2+W: implementations 2-2-2-2-1-1-1-1-1-1-1 elements 96 "
     "rounds 1 "
     "transfer staged padding 0",
     5.9},
    {"matrix_powers", "loop.i+x: implementations 2-2 elements 32 rounds 1 transfer staged padding 0", 9.6},
    {"rotate_scale", "RS+v+length+w: implementations 2-2-1-2 elements 32 rounds 1 transfer staged padding 0", 9.7},
    {"neo_hookean_energy",
     "I+C+C.2+shape+shape.2+shape.3+J+logarithm+volume+slope+volume.2+volume.3+volume.4+W: implementations "
     "2-1-1-1-1-1-1-2-2-2-1-2-2-2 elements 128 rounds 1 transfer staged padding 0",
     11.1},
    {"st_venant_kirchhoff",
     "I+C+C.2+E+trace+trace.2+V+mu+S+S.2+P: implementations 2-2-2-2-1-1-1-2-2-2-2 elements 32 rounds 1 transfer staged "
     "padding 0",
     12.0},
    {"st_venant_inner",
     "A+y+a+B+A.2+B.2+R: implementations 2-2-1-2-2-2-2 elements 32 rounds 1 transfer author padding 0", 14.2},
    {"attitude", "loop.i+w+inverse+back: implementations 2-2-2-2-2 elements 32 rounds 1 transfer staged padding 0",
     17.3},
    {"polar_decomposition",
     "Q+Q.2+R+R.2+loop.i+U: implementations 2-2-2-2-2-2-2-2-2 elements 32 rounds 1 transfer staged padding 0", 20.1},
    {"diffusion_tensor",
     "eigenvalues+diffusivity+anisotropy: implementations 1-2-2 elements 128 rounds 1 transfer staged padding 0", 34.8},
    {"big_fusion", "M1+v+s+M2+F: implementations 2-2-2-1-2 elements 32 rounds 1 transfer author padding 0", 42.1},
    {"st_venant", "v+v.2+T+R: implementations 1-1-2-2 elements 32 rounds 1 transfer author padding 0", 59.2},
};

double predicted_ms(const Measured& m) {
    std::ifstream in(std::string(KASC_SOURCE_DIR) + "/examples/" + m.program + ".kas");
    std::ostringstream text;
    text << in.rdbuf();
    CompileRequest wanted = test::request_of(text.str(), {{"n", 1'000'000}});
    wanted.device = "cpu";
    wanted.written_plan = make_source("--plan", m.plan);
    return test::planned(wanted).plans.front().time_ns / 1e6;
}

TEST(CpuStreams, ArePredictedWithinAFactor) {
    std::vector<double> predicted;
    for (const Measured& m : measured) {
        predicted.push_back(predicted_ms(m));
        EXPECT_LT(predicted.back(), 2.5 * m.ms) << m.program;
        EXPECT_GT(predicted.back(), m.ms / 2.5) << m.program;
    }
    for (std::size_t a = 0; a < measured.size(); ++a) {
        for (std::size_t b = 0; b < measured.size(); ++b) {
            if (measured[a].ms < 2 * measured[b].ms) continue;
            EXPECT_GT(predicted[a], predicted[b])
                << measured[a].program << " takes twice as long as " << measured[b].program;
        }
    }
}

}  // namespace
}  // namespace kasc
