// Names of emitted code.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <set>

#include "kernel/kernel.hpp"

namespace kasc::kernel {
namespace {

TEST(Names, ThatAreWishedForAgainAreNumbered) {
    Names names;
    names.take("n_3");
    EXPECT_EQ(names.fresh("n"), "n");
    EXPECT_EQ(names.fresh("n"), "n_2");
    EXPECT_EQ(names.fresh("n"), "n_4");
    EXPECT_EQ(names.fresh("n_4"), "n_4_2");
    EXPECT_EQ(names.fresh("n"), "n_5");
    EXPECT_EQ(names.fresh("int"), "int_");
    EXPECT_EQ(names.fresh("int"), "int__2");
    EXPECT_EQ(names.fresh(""), "v");
    for (const char* function : {"erf", "erff", "hypot", "log2f", "round", "fma"})
        EXPECT_EQ(names.fresh(function), std::string(function) + "_");
}

TEST(Names, AreAllDifferent) {
    Names names;
    std::set<std::string> all;
    for (int k = 0; k < 300; ++k)
        for (const char* wish : {"n", "n_2", "n_30", "n_2_2"}) EXPECT_TRUE(all.insert(names.fresh(wish)).second);
}

/// Names are not searched through one by one: for a hundred thousand wishes, that took minutes.
TEST(Names, OfAHundredThousandWishesAreMadeAtOnce) {
    Names names;
    for (int k = 0; k < 100'000; ++k) static_cast<void>(names.fresh("n"));
    EXPECT_EQ(names.fresh("n"), "n_100001");
}

}  // namespace
}  // namespace kasc::kernel
