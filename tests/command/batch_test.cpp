// One command for many programs: a line of JSON each, whatever becomes of the others, and nothing done twice.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

using Json = nlohmann::json;

class BatchTest : public testing::Test {
protected:
    test::Temporary here_;

    void SetUp() override {
        test::write_file(path("a.kas"), "float u[x], v[x]; input u; v = 2*u; return v;\n");
        test::write_file(path("b.kas"), "float u[x], v[x]; input u; v = w; return v;\n");
        test::write_file(path("c.kas"), "float u[x, y], v[x, y]; input u; v = u*u; return v;\n");
        test::write_file(path("list"),
                         "# sizes are a program's own\na.kas --set x=4096\n\nc.kas --set x=64 --plan \"grid 32x4\"\n");
    }
    [[nodiscard]] std::string path(const std::string& name) const { return (here_.path() / name).string(); }
    [[nodiscard]] test::ShellResult batch(const std::string& call) const {
        return test::shell("cd " + here_.path().string() + " && " KASC_COMMAND " batch " + call);
    }
    [[nodiscard]] static std::vector<Json> rows(const std::string& text) {
        std::vector<Json> all;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) all.push_back(Json::parse(line, nullptr, false));
        return all;
    }
};

TEST_F(BatchTest, AProgramAtFaultStopsNoOther) {
    const auto run = batch("a.kas b.kas c.kas --jobs 2 -o out.jsonl -- explain --format json");
    EXPECT_EQ(run.status, 1) << run.output;
    EXPECT_NE(run.output.find("3 programs, 1 at fault"), std::string::npos) << run.output;
    const auto all = rows(test::read_file(path("out.jsonl")));
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0]["status"], 0);
    EXPECT_EQ(all[0]["result"]["program"], "a");
    EXPECT_EQ(all[1]["status"], 1);
    EXPECT_EQ(all[1]["diagnostics"][0]["code"], "K0204");
    EXPECT_EQ(all[2]["result"]["program"], "c");
}

TEST_F(BatchTest, AListHasOptionsOfItsPrograms) {
    const auto run = batch("list -o out.jsonl -- explain --format json --strategy none");
    EXPECT_EQ(run.status, 0) << run.output;
    const auto all = rows(test::read_file(path("out.jsonl")));
    ASSERT_EQ(all.size(), 2U) << run.output;
    EXPECT_EQ(all[0]["result"]["plans"][0]["global_bytes"], 8 * 4096);
    const std::string choice = all[1]["result"]["plans"][0]["graphs"][0]["kernels"][0]["choice"];
    EXPECT_EQ(choice.rfind("grid 32x4", 0), 0U) << choice;
}

TEST_F(BatchTest, WhatIsThereIsNotDoneAgain) {
    EXPECT_EQ(batch("a.kas -o out.jsonl -- explain --format json").status, 0);
    const std::string first = test::read_file(path("out.jsonl"));
    test::write_file(path("out.jsonl"), first + first.substr(0, 40));  // a line that was cut off
    EXPECT_EQ(batch("a.kas c.kas -o out.jsonl -- explain --format json").status, 0);
    const std::string second = test::read_file(path("out.jsonl"));
    EXPECT_EQ(second.rfind(first, 0), 0U);
    EXPECT_EQ(rows(second).size(), 2U);
    // Another text, other options: another line.
    test::write_file(path("a.kas"), "float u[x], v[x]; input u; v = 3*u; return v;\n");
    EXPECT_EQ(batch("a.kas -o out.jsonl -- explain --format json").status, 0);
    EXPECT_EQ(batch("a.kas -o out.jsonl -- explain").status, 0);
    const auto all = rows(test::read_file(path("out.jsonl")));
    ASSERT_EQ(all.size(), 4U);
    EXPECT_TRUE(all[3]["result"].is_string());
}

TEST_F(BatchTest, RefusesWhatItDoesNotUnderstand) {
    EXPECT_NE(batch("a.kas").output.find("error[K0918]"), std::string::npos);
    EXPECT_NE(batch("a.kas -- view").output.find("error[K0918]"), std::string::npos);
    EXPECT_NE(batch("nothing -- explain").output.find("error[K0919]"), std::string::npos);
    const auto run = batch("a.kas -o list -- explain");
    EXPECT_NE(run.output.find("error[K0919]"), std::string::npos) << run.output;
    EXPECT_EQ(test::read_file(path("list"))[0], '#');
    EXPECT_NE(batch("a.kas -o a.kas -- explain").status, 0);
}

TEST_F(BatchTest, ALimitEndsAProgram) {
    const auto run = batch("a.kas --limit 1 -o out.jsonl -- run --target cpu --in a.fifo --out a.h5");
    EXPECT_NE(run.status, 0);
    EXPECT_EQ(rows(test::read_file(path("out.jsonl"))).size(), 1U);
}

TEST_F(BatchTest, PassesAreTimedWhereThatIsAsked) {
    const auto timed = test::shell(KASC_COMMAND " explain " + path("c.kas") + " --format json --timing");
    const Json passes = Json::parse(timed.output)["passes"];
    ASSERT_GE(passes.size(), 5U) << timed.output.substr(timed.output.size() - 400);
    EXPECT_EQ(passes[0]["pass"], "read the library");
    EXPECT_EQ(passes[0]["depth"], 0);
    double within = 0;
    for (const Json& pass : passes) {
        EXPECT_GE(pass["seconds"], 0.0);
        EXPECT_GE(pass["runs"], 1);
        if (pass["depth"] == 1) within += pass["seconds"].get<double>();
    }
    EXPECT_GT(within, 0);
    EXPECT_FALSE(Json::parse(test::shell(KASC_COMMAND " explain " + path("c.kas") + " --format json").output)
                     .contains("passes"));
    const auto text = test::shell(KASC_COMMAND " compile " + path("c.kas") + " --timing -o " + path("out"));
    EXPECT_NE(text.output.find("  emit\n"), std::string::npos) << text.output;
    EXPECT_NE(text.output.find("check the kernels"), std::string::npos) << text.output;
}

}  // namespace
}  // namespace kasc
