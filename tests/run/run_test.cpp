// Every emitted kernel runs on the CPU in checking mode: a GPU's plan, threads in adversarial orders, shared memory
// shadowed, bounds and unwritten words checked; and its results equal the reference bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kasc/kasc.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> programs() {
    std::vector<fs::path> all;
    for (const char* folder : {"examples", "tests/run/programs"}) {
        for (const auto& entry : fs::directory_iterator(fs::path(KASC_SOURCE_DIR) / folder)) {
            if (entry.path().extension() == ".kas") all.push_back(entry.path());
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

/// Sizes that leave partial tiles and, for fields, take both the vector and the scalar alternatives.
std::vector<std::string> sizes(const std::string& source) {
    if (source.find('[') == std::string::npos) return {"n=1", "n=77", "n=1000"};
    return {"nx=7 ny=6 nz=5 steps=3 px=3 py=3 pz=2", "nx=32 ny=9 nz=11 steps=4 px=3 py=2 pz=2"};
}

/// Keeps only those arguments that the program has.
std::string known_arguments(const std::string& arguments, const std::string& header) {
    std::string kept;
    std::stringstream words(arguments);
    for (std::string word; words >> word;) {
        const std::string name = word.substr(0, word.find('='));
        if (header.find(" " + name + ";") != std::string::npos) kept += " " + word;
    }
    return kept;
}

class Run : public testing::TestWithParam<fs::path> {};

TEST_P(Run, EqualsTheReferenceInCheckingMode) {
    const std::string source = test::read_file(GetParam());
    for (const char* strategy : {"exact", "none"}) {
        api::Options options;
        options.target = api::Target::cpu_checking;
        options.strategy = strategy;
        options.library_folders = {std::string(KASC_SOURCE_DIR) + "/tests/run/library"};
        const api::Result result = api::compile(source, GetParam().filename().string(), options);
        ASSERT_TRUE(result.ok) << result.diagnostics;
        const test::Temporary folder;
        std::string header;
        for (const api::File& file : result.plans.front().files) {
            test::write_file(folder.path() / file.name, file.text);
            if (fs::path(file.name).extension() == ".h") header = file.text;
        }
        const std::string p = (folder.path() / GetParam().stem()).string();
        const auto built = test::shell("g++ -std=c++17 -O1 -w -ffp-contract=off -o " + p + " " + p + ".cpp " + p +
                                       "_reference.cpp " + p + "_main.cpp");
        ASSERT_EQ(built.status, 0) << built.output;
        int seed = 1;
        for (const std::string& arguments : sizes(source)) {
            const auto run =
                test::shell("KASC_SEED=" + std::to_string(seed++) + " " + p + known_arguments(arguments, header));
            EXPECT_EQ(run.status, 0) << strategy << ", " << arguments << ": " << run.output;
            EXPECT_NE(run.output.find("all words equal the reference"), std::string::npos) << run.output;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, Run, testing::ValuesIn(programs()),
                         [](const auto& given) { return given.param.stem().string(); });

}  // namespace
}  // namespace kasc
