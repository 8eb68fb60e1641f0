// The library that a command takes: that of the file that is executed, whatever lies about where it is called.
#include <gtest/gtest.h>

#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

/// A moved installation, whose library tells it from that of the source tree: it has one function.
class DataFolder : public testing::Test {
protected:
    DataFolder() {
        fs::create_directories(file("moved/bin"));
        fs::copy_file(KASC_COMMAND, file("moved/bin/kasc"));
        const std::string tree = KASC_SOURCE_DIR, share = file("moved/share/kasc");
        fs::create_directories(share + "/elementlib");
        fs::copy(tree + "/devices", share + "/devices", fs::copy_options::recursive);
        fs::copy(tree + "/support", share + "/support", fs::copy_options::recursive);
        // A folder with a trap: what a call by the bare name must not take for itself.
        fs::create_directories(file("trap/share/kasc/elementlib"));
        test::write_file(file("trap/bin/kasc"), "no command");
        test::write_file(file("trap/bin/heat.kas"),
                         "float T[x] boundary mirror;\ninput T;\nT = laplace2(T, 1);\nreturn T;\n");
        fs::create_directory(file("links"));
        fs::create_symlink("../moved/bin/kasc", file("links/kasc"));
    }
    [[nodiscard]] std::string file(const std::string& name) const { return (here_.path() / name).string(); }
    test::Temporary here_;
};

TEST_F(DataFolder, IsThatOfTheFileThatIsExecuted) {
    const std::string call = "cd " + file("trap/bin") + " && unset KASC_DATA && ";
    // Its own library lacks laplace2, and the trap's, which is empty, would as well: so first it is given the function.
    fs::copy(KASC_SOURCE_DIR "/elementlib/field", file("moved/share/kasc/elementlib/field"),
             fs::copy_options::recursive);
    for (const std::string& kasc :
         {"PATH=" + file("moved/bin") + ":$PATH kasc", "PATH=" + file("links") + ":$PATH kasc", file("links/kasc"),
          std::string("../../links/kasc")}) {
        const auto ended = test::shell(call + kasc + " compile heat.kas --emit graph");
        EXPECT_EQ(ended.status, 0) << kasc << ended.output;
    }
    // And it is the moved one's, not that of the tree it was built from.
    fs::remove_all(file("moved/share/kasc/elementlib/field"));
    for (const std::string& kasc : {"PATH=" + file("moved/bin") + ":$PATH kasc", file("links/kasc")}) {
        const auto ended = test::shell(call + kasc + " compile heat.kas --emit graph");
        EXPECT_EQ(ended.status, 1) << kasc << ended.output;
    }
}

}  // namespace
}  // namespace kasc
