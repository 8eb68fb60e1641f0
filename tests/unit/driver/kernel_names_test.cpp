// Reports call a kernel what emitted code calls it.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driver/report.hpp"
#include "unit/driver/planned.hpp"

namespace kasc {
namespace {

TEST(KernelNames, AreThoseOfEmittedCodeInReports) {
    // What follows the loop is launched after the loop's kernels; the transform is the library's.
    const Compilation c = test::planned(test::request_of(
        "axis kx = half(x); float u[x, y] boundary periodic, w[x, y], hot[x, y]; float a[kx]; input u, a; w = 0; "
        "for (n = 0; n < 5; n++) { u = ifft(a * fft(u)) + u[1, 0]; } "
        "hot = u[0, 1] > 1 ? 1 : 0; return u, w, hot;"));
    const std::string explained = explain_text(c, std::nullopt), reported = short_report(c, 0);
    const auto& kernels = c.plans.front().host->kernels;
    ASSERT_GE(kernels.size(), 4u);
    for (const kernel::Lowered& lowered : kernels) {
        const kernel::Kernel& k = lowered.alternatives.front();
        const std::string calls = fmt::format("{}", fmt::join(k.comment, "; "));
        EXPECT_NE(explained.find(fmt::format("\n{}: {}\n", k.name, calls)), std::string::npos) << k.name << explained;
        const std::size_t at = reported.find("  " + k.name + " (");
        ASSERT_NE(at, std::string::npos) << k.name << reported;
        EXPECT_EQ(reported.find(k.comment.front(), at), reported.find('\n', at) + 7) << k.name << reported;
    }
    EXPECT_NE(explained.find("\ntransform: "), std::string::npos) << explained;
}

}  // namespace
}  // namespace kasc
