#include "model/measured_table.hpp"

#include <gtest/gtest.h>

namespace kasc {
namespace {

MeasuredTable table() {
    MeasuredTable t;
    t.kasc = "0.1.0";
    t.device = "GPU \"0\"";
    t.driver = "580";
    t.compiler = "13.0";
    t.date = "2026-11-21";
    t.library = "hash";
    t.size = 1024;
    t.entries = {{"mmul33_1", 64, 0, 1, 2, 3, 32, 1},
                 {"mmul33_1", 64, 8192, 2, 4, 3, 40, 0.5},
                 {"mmul33_1", 128, 0, 7, 7, 7, 32, 1},
                 {"mmul33_2", 64, 0, 9, 9, 9, 32, 1}};
    return t;
}

Outcome<MeasuredTable> read(std::string text, const std::string& from = "", const std::string& to = "") {
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    return read_table_source(make_source("t.json", text));
}

/// The codes, in the order of their places.
std::string code(const Outcome<MeasuredTable>& outcome) {
    std::string all;
    for (const Diagnostic& d : outcome.diagnostics) all += (all.empty() ? "" : " ") + d.code;
    return all;
}

TEST(MeasuredTable, ReadsWhatItPrints) {
    const std::string text = print(table());
    const auto back = read(text);
    ASSERT_TRUE(back) << render_text(back.diagnostics);
    EXPECT_EQ(print(*back), text);
    EXPECT_EQ(back->device, "GPU \"0\"");
}

TEST(MeasuredTable, InterpolatesInExtraSharedBytes) {
    const MeasuredTable t = table();
    const auto middle = t.find("mmul33_1", 64, 2048);
    ASSERT_TRUE(middle);
    EXPECT_DOUBLE_EQ(middle->load_ns, 1.25);
    EXPECT_DOUBLE_EQ(middle->compute_ns, 2.5);
    EXPECT_DOUBLE_EQ(middle->save_ns, 3);
    EXPECT_DOUBLE_EQ(middle->occupancy, 0.875);
    EXPECT_EQ(middle->registers, 32);
    EXPECT_DOUBLE_EQ(t.find("mmul33_1", 64, 8192)->load_ns, 2);
    EXPECT_DOUBLE_EQ(t.find("mmul33_1", 64, 100000)->load_ns, 2);
    EXPECT_DOUBLE_EQ(t.find("mmul33_1", 128, 500)->load_ns, 7);
    EXPECT_FALSE(t.find("mmul33_1", 96, 0));
    EXPECT_FALSE(t.find("mmul55_1", 64, 0));
}

TEST(MeasuredTable, FaultsHaveACodeAndAPlace) {
    const std::string good = print(table());
    EXPECT_EQ(code(read("")), "K0511");
    EXPECT_EQ(code(read("[]")), "K0511");
    EXPECT_EQ(code(read("{\"a\": [[[[]]]]}")), "K0511");
    EXPECT_EQ(code(read(good, "\"load_ns\"", "\"lode_ns\"")), "K0513 K0512");
    EXPECT_EQ(code(read(good, "\"registers\": 32, ", "")), "K0513");
    EXPECT_EQ(code(read(good, "\"occupancy\": 1", "\"occupancy\": 2")), "K0514");
    EXPECT_EQ(code(read(good, "\"elements\": 64", "\"elements\": 6.5")), "K0514");
    EXPECT_EQ(code(read(good, "\"hash\"", "7")), "K0514");
    EXPECT_EQ(code(read(good, "\"version\": 1", "\"version\": 2")), "K0515");
    EXPECT_EQ(code(read(good, "\"extra_shared_bytes\": 8192", "\"extra_shared_bytes\": 0")), "K0516");
    EXPECT_EQ(code(read_table("/no/such/table.json")), "K0510");
    const auto misspelt = read(good, "\"load_ns\"", "\"lode_ns\"");
    const std::string text = render_text({misspelt.diagnostics.at(1)});
    EXPECT_NE(text.find("error[K0512]: unknown key 'lode_ns'\n   --> t.json:11:77\n"), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean 'load_ns'?"), std::string::npos) << text;
}

}  // namespace
}  // namespace kasc
