// What the host computes at a launch is what C++ computes of the same text.
#include "kernel/host_value.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kasc::kernel {
namespace {

HostNumber value_of(const ExprRef& e) {
    return host_value(e, [](const std::string& name) {
        if (name == "n") return host_integer(7, Type::i32);
        if (name == "cells") return host_integer(5'000'000'000, Type::i64);
        return host_real(static_cast<double>(0.1F), Type::f32);  // dx
    });
}

TEST(HostValue, RealsRoundOnceAnOperationInTheirOwnPrecision) {
    const ExprRef dx = name("dx");
    const HostNumber c = value_of(binary("/", real(1.0F), binary("*", binary("*", real(12.0F), dx), dx)));
    EXPECT_EQ(c.type, Type::f32);
    const float x = 0.1F;
    const float twelve = 12.0F * x;
    EXPECT_EQ(c.real, static_cast<double>(1.0F / (twelve * x)));
    EXPECT_NE(c.real, 1.0 / (12.0 * static_cast<double>(x) * static_cast<double>(x)));
}

TEST(HostValue, MixedOperandsBecomeWhatCMakesOfThem) {
    EXPECT_EQ(value_of(binary("+", name("n"), name("dx"))).real, static_cast<double>(7 + 0.1F));
    EXPECT_EQ(value_of(binary("*", name("dx"), real(2.0, Precision::dual))).type, Type::f64);
    EXPECT_EQ(value_of(binary("+", name("n"), name("cells"))).integer, 5'000'000'007);
    EXPECT_EQ(value_of(convert(Type::i32, name("cells"))).integer, static_cast<std::int32_t>(5'000'000'000));
    EXPECT_EQ(value_of(convert(Type::f32, name("n"))).type, Type::f32);
}

TEST(HostValue, IntegersDivideTowardsZero) {
    EXPECT_EQ(value_of(binary("/", negate(name("n")), integer(2))).integer, -3);
    EXPECT_EQ(value_of(binary("%", negate(name("n")), integer(2))).integer, -1);
    EXPECT_EQ(value_of(binary("/", name("n"), integer(0))).integer, 0);
    EXPECT_EQ(value_of(math_call("min", {name("n"), integer(3)})).integer, 3);
}

TEST(HostValue, BitsAndIntegersOfReals) {
    const auto bits = [](const char* op, std::int64_t a, std::int64_t b) {
        return value_of(binary(op, integer(a), integer(b))).integer;
    };
    EXPECT_EQ(bits("&", 12, 10), 8);
    EXPECT_EQ(bits("|", 12, 3), 15);
    EXPECT_EQ(bits("^", 12, -1), ~12);
    EXPECT_EQ(bits("<<", 3, 31), -2147483648LL);
    EXPECT_EQ(bits(">>", -7, 1), -4);
    EXPECT_EQ(value_of(math_call("abs", {negate(name("n"))})).integer, 7);
    EXPECT_EQ(value_of(math_call("kasc_intf", {real(-2.75F)})).integer, -2);
    EXPECT_EQ(value_of(math_call("kasc_int", {real(1e300, Precision::dual)})).integer, 2147483647);
    EXPECT_EQ(value_of(math_call("kasc_int", {real(std::nan(""), Precision::dual)})).integer, 0);
}

TEST(HostValue, ConditionsAndFunctions) {
    const ExprRef late = binary(">", name("n"), integer(5));
    EXPECT_EQ(value_of(select(late, real(1.0F), real(2.0F))).real, 1.0);
    EXPECT_EQ(value_of(logical_not(late)).integer, 0);
    EXPECT_EQ(value_of(binary("||", integer(0), late)).integer, 1);
    EXPECT_EQ(value_of(math_call("expf", {name("dx")})).real, static_cast<double>(std::exp(0.1F)));
    EXPECT_EQ(value_of(math_call("pow", {real(2.0, Precision::dual), real(0.5, Precision::dual)})).real,
              std::pow(2.0, 0.5));
    EXPECT_EQ(value_of(math_call("erff", {name("dx")})).real, static_cast<double>(std::erf(0.1F)));
    EXPECT_EQ(value_of(math_call("erf", {real(0.1, Precision::dual)})).real, std::erf(0.1));
    EXPECT_EQ(value_of(math_call("fmaf", {name("dx"), name("dx"), real(-0.01F)})).real,
              static_cast<double>(std::fma(0.1F, 0.1F, -0.01F)));
}

}  // namespace
}  // namespace kasc::kernel
