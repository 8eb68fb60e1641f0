// kasc format: files that are replaced or left, and what it says of them. Layouts: tests/unit/format.
#include <gtest/gtest.h>

#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

constexpr const char* rough = "float T[x];input T;\nT=2*T ;\nreturn T;";
constexpr const char* smooth = "float T[x]; input T;\nT = 2*T;\nreturn T;\n";

class Format : public testing::Test {
protected:
    Format() {
        test::write_file(folder_.path() / "rough.kas", rough);
        test::write_file(folder_.path() / "smooth.kas", smooth);
        test::write_file(folder_.path() / "faulty.kas", "float T[x];\nT=2*;\n");
    }
    [[nodiscard]] auto kasc(const std::string& arguments) const {
        // In parentheses, so that what follows redirects what this leaves.
        return test::shell("(cd " + folder_.path().string() + " && " KASC_COMMAND " format " + arguments + ")");
    }
    [[nodiscard]] std::string text(const char* name) const { return test::read_file(folder_.path() / name); }
    test::Temporary folder_;
};

TEST_F(Format, FilesAreReplacedAndThoseAtFaultAreLeft) {
    const auto got = kasc("rough.kas faulty.kas smooth.kas");
    EXPECT_EQ(got.status, 1);
    EXPECT_NE(got.output.find("faulty.kas:2:5"), std::string::npos) << got.output;
    EXPECT_EQ(text("rough.kas"), smooth);
    EXPECT_EQ(text("smooth.kas"), smooth);
    EXPECT_EQ(text("faulty.kas"), "float T[x];\nT=2*;\n");
}

TEST_F(Format, CheckChangesNothingAndNamesFiles) {
    const auto got = kasc("--check smooth.kas rough.kas");
    EXPECT_EQ(got.status, 1);
    EXPECT_NE(got.output.find("error[K0735]"), std::string::npos) << got.output;
    EXPECT_NE(got.output.find("rough.kas:1:12"), std::string::npos) << got.output;
    EXPECT_EQ(got.output.find("smooth.kas"), std::string::npos) << got.output;
    EXPECT_EQ(text("rough.kas"), rough);
    EXPECT_EQ(kasc("--check smooth.kas").status, 0);
}

TEST_F(Format, StandardInputGoesToStandardOutput) {
    const auto got = kasc("- < rough.kas");
    EXPECT_EQ(got.status, 0);
    EXPECT_EQ(got.output, smooth);
    EXPECT_EQ(kasc("- < faulty.kas > written").status, 1);
    EXPECT_EQ(text("written"), "");
    EXPECT_EQ(kasc("--check - < rough.kas").status, 1);
}

TEST_F(Format, AFileThatIsNotThereIsAnError) {
    const auto got = kasc("missing.kas rough.kas");
    EXPECT_EQ(got.status, 1);
    EXPECT_NE(got.output.find("K0700"), std::string::npos) << got.output;
    EXPECT_EQ(text("rough.kas"), smooth);
}

TEST_F(Format, ExamplesAreFormatted) {
    const auto got = test::shell("cd " KASC_SOURCE_DIR
                                 " && find examples elementlib -name '*.kas' | xargs " KASC_COMMAND " format --check");
    EXPECT_EQ(got.status, 0) << got.output;
}

}  // namespace
}  // namespace kasc
