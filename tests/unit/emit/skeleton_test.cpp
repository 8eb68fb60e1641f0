#include "emit/skeleton.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace kasc::emit {
namespace {

TEST(Skeleton, FillsHolesWithinALine) {
    EXPECT_EQ(filled("int ${p}_run(${p}_arguments a);\n", {{"p", "heat"}}), "int heat_run(heat_arguments a);\n");
}

TEST(Skeleton, FillsALineOfItsOwnWithLinesAtItsPlace) {
    const char* text = R"(
{
    ${steps}
    return 0;
}
)";
    EXPECT_EQ(filled(text, {{"steps", "first();\n\nsecond();"}}),
              "{\n    first();\n\n    second();\n    return 0;\n}\n");
    EXPECT_EQ(filled(text, {{"steps", ""}}), "{\n    return 0;\n}\n");
}

TEST(Skeleton, APartFillsAHoleOfAnother) {
    const std::string part = filled_part("${f}();\n${f}(1);\n", {{"f", "call"}});
    EXPECT_EQ(filled("{\n  ${calls}\n}\n", {{"calls", part}}), "{\n  call();\n  call(1);\n}\n");
}

TEST(Skeleton, LeavesOtherBracesAlone) { EXPECT_EQ(filled("a {}; $ {b}\n", {}), "a {}; $ {b}\n"); }

TEST(Skeleton, EveryHoleHasAFillingAndEveryFillingAHole) {
    EXPECT_THROW((void)filled("${a}", {}), std::logic_error);
    EXPECT_THROW((void)filled("a", {{"a", "b"}}), std::logic_error);
    EXPECT_THROW((void)filled("x ${a", {{"a", "b"}}), std::logic_error);
}

}  // namespace
}  // namespace kasc::emit
