// Kernels as `kasc run` builds them, one unit at a time by NVRTC, which knows less than nvcc does. Needs no GPU.
#include <gtest/gtest.h>

#include <filesystem>

#include "driver/compilation.hpp"
#include "emit/emit.hpp"
#include "runtime/building/cuda_compiler.hpp"
#include "support/of_the_day.hpp"
#include "support/temporary.hpp"
#include "unit/driver/planned.hpp"

namespace kasc {
namespace {

/// Between them they include every header that kernels have, and what these have of the standard library's.
class Nvrtc : public testing::TestWithParam<const char*> {};

TEST_P(Nvrtc, TakesEachUnit) {
    if (runtime::cuda_compiler_version().empty()) GTEST_SKIP() << "there is no NVRTC";
    const std::filesystem::path path = std::filesystem::path(KASC_SOURCE_DIR) / GetParam();
    CompileRequest wanted = test::request_of(test::read_file(path));
    wanted.libraries = {std::filesystem::path(KASC_SOURCE_DIR) / "tests/run/library"};
    const Compilation c = test::planned(wanted);
    const auto walked = emit_walked(c, wanted, 0, emit::Target::cuda);
    ASSERT_TRUE(walked) << render_text(walked.diagnostics);
    std::vector<std::pair<std::string, std::string>> headers;
    for (const emit::EmittedFile& header : walked->module.headers) headers.emplace_back(header.name, header.text);
    // Those of a program have much in common, and NVRTC reads the same headers for each.
    for (const emit::EmittedFile& unit : test::of_the_day(walked->module.units)) {
        const auto code = runtime::compile_cuda({unit.name, unit.text, headers, 90});
        ASSERT_TRUE(code) << render_text(code.diagnostics);
        EXPECT_FALSE(code->empty());
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, Nvrtc,
                         testing::Values("examples/heat2d.kas", "examples/rotate_scale.kas", "examples/particles.kas",
                                         "tests/run/programs/shorts.kas", "tests/run/programs/random_numbers.kas",
                                         "tests/run/programs/named_folds.kas", "examples/gallery/heat/radiator.kas"));

}  // namespace
}  // namespace kasc
