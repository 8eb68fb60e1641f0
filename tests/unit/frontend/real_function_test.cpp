#include "frontend/real_function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "frontend/operators.hpp"

namespace kasc {
namespace {

TEST(RealFunction, HasTheNameOfItsIntrinsicInTheLanguage) {
    for (const std::string& name : frontend::intrinsic_names()) {
        const Intrinsic intrinsic = frontend::find_intrinsic(name).value();
        const RealFunction* function = real_function(intrinsic);
        if (function == nullptr) continue;
        const std::string in_c = has_integer_form(intrinsic) ? "f" + name : name;
        EXPECT_EQ(function->name, in_c);
        EXPECT_EQ(frontend::argument_count(intrinsic), function->two != nullptr ? 2U : 1U) << name;
        EXPECT_EQ(real_function(in_c), function);
    }
    EXPECT_EQ(real_function(Intrinsic::to_integer), nullptr);
    EXPECT_EQ(real_function("mod"), nullptr);
}

TEST(RealFunction, CutsToIntegersOf32Bits) {
    EXPECT_EQ(cut_to_integer(2.99), 2);
    EXPECT_EQ(cut_to_integer(-2.99), -2);
    EXPECT_EQ(cut_to_integer(-0.5), 0);
    EXPECT_EQ(cut_to_integer(2147483646.9), 2147483646);
    EXPECT_EQ(cut_to_integer(2147483648.0), std::numeric_limits<int>::max());
    EXPECT_EQ(cut_to_integer(-2147483648.9), std::numeric_limits<int>::min());
    EXPECT_EQ(cut_to_integer(-std::numeric_limits<double>::infinity()), std::numeric_limits<int>::min());
    EXPECT_EQ(cut_to_integer(std::nan("")), 0);
}

}  // namespace
}  // namespace kasc
