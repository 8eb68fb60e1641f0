// The library measured on the CPU: the table's form, not its times.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

TEST(Bench, MeasuresOneFunctionIntoATable) {
    const test::Temporary folder;
    const std::string file = (folder.path() / "table.json").string();
    const auto run = test::shell("OMP_NUM_THREADS=1 " KASC_COMMAND
                                 " bench --target cpu --function venorm3 --elements 64 --elements 32 --size 1024 "
                                 "--repeats 3 -o " +
                                 file);
    ASSERT_EQ(run.status, 0) << run.output;
    const auto table = nlohmann::json::parse(test::read_file(file), nullptr, false);
    ASSERT_TRUE(table.is_object());
    EXPECT_EQ(table["version"], 1);
    EXPECT_EQ(table["size"], 1024);
    std::string before;
    ASSERT_GE(table["entries"].size(), 2U);
    for (const auto& entry : table["entries"]) {
        const std::string name = entry["implementation"];
        EXPECT_EQ(name.substr(0, 8), "venorm3_");
        EXPECT_LE(before, name);
        before = name;
        EXPECT_TRUE(entry["elements"] == 32 || entry["elements"] == 64);
        EXPECT_GT(entry["load_ns"], 0);
        EXPECT_GT(entry["save_ns"], 0);
    }
}

TEST(Bench, UnknownFunctionsAndElementsAreTheCallsFault) {
    const auto unknown = test::shell(KASC_COMMAND " bench --target cpu --function mmul3");
    EXPECT_EQ(unknown.status, 2);
    EXPECT_NE(unknown.output.find("K0905"), std::string::npos);
    EXPECT_NE(unknown.output.find("did you mean 'mmul33'?"), std::string::npos);
    EXPECT_EQ(test::shell(KASC_COMMAND " bench --elements 0").status, 2);
}

TEST(Bench, AFileOfTheLibraryIsNoTable) {
    const test::Temporary folder;
    const std::string library = (folder.path() / "lib").string(), file = library + "/functions.cu";
    std::filesystem::create_directory(library);
    test::write_file(file, "// nothing yet\n");
    for (const std::string& call : {"bench --target cpu --elements 32 --lib " + library + " -o " + file,
                                    "tune " KASC_SOURCE_DIR "/examples/heat2d.kas --target cpu --lib " + library +
                                        " --set x=8 --set y=8 --db " + library + "/db --export " + file}) {
        const auto run = test::shell(KASC_COMMAND " " + call);
        EXPECT_NE(run.status, 0) << call;
        EXPECT_NE(run.output.find("K0720"), std::string::npos) << run.output;
        EXPECT_NE(run.output.find("it is a file of the library"), std::string::npos) << run.output;
        EXPECT_EQ(test::read_file(file), "// nothing yet\n");
    }
}

/// A function that no kernel can hold was left out without a word.
TEST(Bench, SaysWhatItCannotMeasure) {
    const auto alone = test::shell(KASC_COMMAND " bench --target cpu --function warp_exchange --lib " KASC_SOURCE_DIR
                                                "/tests/golden/diagnostics/check");
    EXPECT_EQ(alone.status, 1);
    EXPECT_NE(alone.output.find("error[K0426]: '__shfl"), std::string::npos) << alone.output;
}

}  // namespace
}  // namespace kasc
