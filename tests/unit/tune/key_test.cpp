#include "tune/key.hpp"
#include "library/identity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "driver/plan_text.hpp"
#include "tune/plan_text.hpp"

namespace kasc::tune {
namespace {

const std::filesystem::path sources = KASC_SOURCE_DIR;

Library library() { return *read_library({sources / "elementlib"}); }

Program program(const std::string& name, const std::string& text) {
    return *read_program(make_source(name, text), library());
}

constexpr const char* chain = "matrix3x3 A, B, C; input A; B = mmul33(A, A); C = mmul33(A, B); return C;";

TEST(TuningKey, HashesStayTheSame) {
    // A database of today must be understood tomorrow. Python: uuid.uuid5(uuid.NAMESPACE_OID, "").
    EXPECT_EQ(hash_of(""), "0a68eb57-c88a-5f34-9e9d-27f85e68af4f");
    EXPECT_NE(hash_of("a"), hash_of("b"));
}

TEST(TuningKey, NeitherFileNameNorLayoutCount) {
    const std::string text = canonical_text(program("one.kas", chain), library());
    EXPECT_EQ(text, canonical_text(program("two.kas", std::string("// other\n\n") + chain + "\n"), library()));
    EXPECT_NE(text, canonical_text(program("one.kas",
                                           "matrix3x3 A, B, C; input A; B = mmul33(A, A); C = mmul33(B, A); "
                                           "return C;"),
                                   library()));
}

TEST(TuningKey, OnlyWhatIsUsedOfTheLibraryCounts) {
    const Library whole = library();
    const Program p = program("one.kas", chain);
    const std::string text = used_library_text(p, whole);
    EXPECT_NE(text.find("d_mmul33_2_compute"), std::string::npos);
    EXPECT_EQ(text.find("mmul55"), std::string::npos);
    Library other = whole;
    other.functions[*other.find_function("mmul55")].implementations.clear();
    EXPECT_EQ(text, used_library_text(p, other));
    other.functions[*other.find_function("mmul33")].implementations[0].inputs[0].stride = "7";
    EXPECT_NE(text, used_library_text(p, other));
}

TEST(TuningKey, DistanceOfSizes) {
    EXPECT_EQ(size_distance("n=64", "n=64"), 0);
    EXPECT_DOUBLE_EQ(size_distance("x=64,y=64", "x=128,y=32"), 2);
    EXPECT_TRUE(std::isinf(size_distance("n=64", "x=64")));
    EXPECT_TRUE(std::isinf(size_distance("x=64", "x=64,y=1")));
    EXPECT_TRUE(std::isinf(size_distance("n=64", "n=broken")));
}

CompileRequest request(const std::string& program, std::size_t count) {
    CompileRequest r;
    r.source = make_source("p.kas", program);
    r.data_folder = sources;
    r.plan.count = count;
    return r;
}

TEST(PlanText, TellsPlansApart) {
    const auto compilation = compile(request(chain, 6));
    ASSERT_TRUE(compilation);
    std::set<std::string> texts;
    for (const PlannedGraph& plan : compilation->plans) texts.insert(plan_text(*compilation, plan));
    EXPECT_EQ(texts.size(), 6U);
    const std::string first = plan_text(*compilation, compilation->plans.front());
    EXPECT_NE(first.find(": implementations "), std::string::npos) << first;
    EXPECT_EQ(parts_text(*compilation, compilation->plans.front()), "2");
}

}  // namespace
}  // namespace kasc::tune
