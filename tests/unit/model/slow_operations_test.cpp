// What of an author's code is slow on a CPU.
#include "model/stream/slow_operations.hpp"

#include <gtest/gtest.h>

namespace kasc::model {
namespace {

SlowOperations of(const std::string& text, const std::vector<std::pair<std::string, std::string>>& helpers = {}) {
    Implementation implementation;
    implementation.compute.text = text;
    for (const auto& [name, body] : helpers) {
        DeviceFunction helper;
        helper.name = name;
        helper.text = body;
        implementation.helpers.push_back(helper);
    }
    return slow_operations(implementation);
}

TEST(SlowOperations, AreConditionsDivisionsRootsAndCalls) {
    const SlowOperations found =
        of("void f(float *a, float *r) { if (a[0] > 0) r[0] = a[1] / sqrtf(a[0]);"
           " r[1] = a[0] < a[1] ? expf(a[2]) : logf(a[2]); }");
    EXPECT_EQ(found.conditions, 2);
    EXPECT_EQ(found.divisions, 2);
    EXPECT_EQ(found.calls, 2);
}

TEST(SlowOperations, CommentsAndWholeNumbersAreNone) {
    const SlowOperations found =
        of("void f(int tx) { // if a / b ? sqrtf\n /* expf(x) / y */ r[tx / 4] = iffy(a) / 3.0f; }");
    EXPECT_EQ(found.conditions, 0);
    EXPECT_EQ(found.divisions, 1) << "by 3.0f";
    EXPECT_EQ(found.calls, 0);
}

TEST(SlowOperations, ThoseOfHelpersCountAsOftenAsTheyAreCalled) {
    const std::vector<std::pair<std::string, std::string>> helpers{
        {"root_of", "float root_of(float x) { return sqrtf(x); }"},
        {"both", "float both(float x) { return root_of(x) + 1 / root_of(x); }"},
        {"unused", "float unused(float x) { return expf(x); }"},
        {"itself", "float itself(float x) { return x > 1 ? itself(x / 2.0f) : x; }"}};
    EXPECT_EQ(of("r = root_of(a) + both(a);", helpers).divisions, 4);
    EXPECT_EQ(of("r = root_of(a) + both(a);", helpers).calls, 0);
    EXPECT_EQ(of("r = itself(a);", helpers).divisions, 1);
}

TEST(SlowOperations, AnUnendedCommentEndsWithTheText) {
    EXPECT_EQ(of("/").divisions, 1);
    EXPECT_EQ(of("a /* if").conditions, 0);
    EXPECT_EQ(of("/*").divisions, 0);
}

}  // namespace
}  // namespace kasc::model
