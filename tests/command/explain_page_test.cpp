// kasc explain --html: one file, whole or not at all.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

class ExplainPage : public testing::Test {
protected:
    test::Temporary here_;

    [[nodiscard]] std::string file(const std::string& name) const { return (here_.path() / name).string(); }
    [[nodiscard]] test::ShellResult explain(const std::string& arguments) const {
        return test::shell("XDG_DATA_HOME=" + file("data") + " " KASC_COMMAND " explain " + arguments);
    }
    static std::string example(const std::string& name) { return KASC_SOURCE_DIR "/examples/" + name; }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(here_.path()), {}));
    }
};

TEST_F(ExplainPage, IsOneFileAndTheSameEveryTime) {
    for (const char* name : {"first.html", "second.html"}) {
        const auto run = explain(example("heat3d.kas") + " --html " + file(name));
        EXPECT_EQ(run.status, 0) << run.output;
        EXPECT_NE(run.output.find("3 calls fused"), std::string::npos) << run.output;
    }
    const std::string page = test::read_file(file("first.html"));
    EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    EXPECT_EQ(page, test::read_file(file("second.html")));
    EXPECT_EQ(files(), 2U);
    EXPECT_NE(page.find("heat3d_k0"), std::string::npos);
    EXPECT_EQ(page.find("/examples/"), std::string::npos) << "a path of this machine";
}

TEST_F(ExplainPage, IsOfThePlanThatIsAskedFor) {
    const auto run = explain(example("sync_test.kas") + " --strategy none --device cpu --html " + file("page.html"));
    EXPECT_EQ(run.status, 0) << run.output;
    const std::string page = test::read_file(file("page.html"));
    for (const char* kernel : {"sync_test_k0", "sync_test_k1", "sync_test_k2"})
        EXPECT_NE(page.find(kernel), std::string::npos) << kernel;
    EXPECT_NE(page.find("sync_test_kernels.hpp"), std::string::npos);
}

TEST_F(ExplainPage, ReplacesNoFileOfTheCall) {
    test::write_file(file("p.kas"), "matrix3x3 A, B; input A; B = transpose33(A); return B;");
    const auto run = explain(file("p.kas") + " --html " + file("p.kas"));
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.output.find("error[K0720]"), std::string::npos) << run.output;
    EXPECT_NE(test::read_file(file("p.kas")).find("matrix3x3"), std::string::npos);
}

TEST_F(ExplainPage, SaysWhyItCannotBeWritten) {
    const auto run = explain(example("sync_test.kas") + " --html " + file("no/page.html"));
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.output.find("error[K0720]"), std::string::npos) << run.output;
    const auto faulty = explain(file("none.kas") + " --html " + file("page.html"));
    EXPECT_EQ(faulty.status, 1);
    EXPECT_EQ(files(), 0U);
}

TEST_F(ExplainPage, TakesADatabaseThatIsThere) {
    const auto none = explain(example("sync_test.kas") + " --html " + file("page.html") + " --db " + file("db"));
    EXPECT_EQ(none.status, 1);
    EXPECT_NE(none.output.find("error[K0820]"), std::string::npos) << none.output;
    EXPECT_EQ(files(), 0U);
    test::write_file(file("db"), "no database");
    const auto other = explain(example("sync_test.kas") + " --html " + file("page.html") + " --db " + file("db"));
    EXPECT_EQ(other.status, 1);
    EXPECT_NE(other.output.find("error[K0821]"), std::string::npos) << other.output;
    // The user's own is no part of the call: it is warned of.
    std::filesystem::create_directories(file("data/kasc"));
    test::write_file(file("data/kasc/tuning.sqlite"), "no database");
    const auto warned = explain(example("sync_test.kas") + " --html " + file("page.html"));
    EXPECT_EQ(warned.status, 0) << warned.output;
    EXPECT_NE(warned.output.find("warning[K0821]"), std::string::npos) << warned.output;
    EXPECT_TRUE(std::filesystem::exists(file("page.html")));
}

TEST_F(ExplainPage, StandsInPlaceOfOtherFormats) {
    EXPECT_EQ(explain(example("sync_test.kas") + " --db " + file("db")).status, 2);
    EXPECT_EQ(explain(example("sync_test.kas") + " --format json --html " + file("page.html")).status, 2);
    EXPECT_EQ(files(), 0U);
}

}  // namespace
}  // namespace kasc
