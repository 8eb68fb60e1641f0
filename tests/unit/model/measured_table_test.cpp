#include "model/device/measured_table.hpp"

#include <gtest/gtest.h>

#include <random>

#include "library/identity.hpp"

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
    t.entries = {MeasuredEntry{"mmul33_1", "code", 64, {{0, 1, 2, 3, 32, 1}, {8192, 2, 4, 3, 40, 0.5}}},
                 MeasuredEntry{"mmul33_1", "code", 128, {{0, 7, 7, 7, 32, 1}}},
                 MeasuredEntry{"mmul33_2", "code", 64, {{0, 9, 9, 9, 32, 1}}}};
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
    EXPECT_EQ(code(read("{\"a\": [[[[[]]]]]}")), "K0511");
    EXPECT_EQ(code(read(good, "\"load_ns\"", "\"lode_ns\"")), "K0513 K0512");
    EXPECT_EQ(code(read(good, "\"elements\": 128,", "")), "K0513");
    EXPECT_EQ(code(read(good, "\"occupancy\": [1, 0.5]", "\"occupancy\": [2, 0.5]")), "K0514");
    EXPECT_EQ(code(read(good, "\"occupancy\": [1, 0.5]", "\"occupancy\": [1]")), "K0514");
    EXPECT_EQ(code(read(good, "\"registers\": [32, 40]", "\"registers\": [32, 4.5]")), "K0514");
    EXPECT_EQ(code(read(good, "\"extra_shared_bytes\": [0, 8192]", "\"extra_shared_bytes\": [0, 0]")), "K0514");
    EXPECT_EQ(code(read(good, "\"extra_shared_bytes\": [0, 8192]", "\"extra_shared_bytes\": []")), "K0514");
    EXPECT_EQ(code(read(good, "\"elements\": 64", "\"elements\": 6.5")), "K0514");
    EXPECT_EQ(code(read(good, "\"hash\"", "7")), "K0514");
    EXPECT_EQ(code(read(good, "\"version\": 1", "\"version\": 2")), "K0515");
    EXPECT_EQ(code(read(good, "\"elements\": 128", "\"elements\": 64")), "K0516");
    EXPECT_EQ(code(read_table("/no/such/table.json")), "K0510");
    const auto misspelt = read(good, "\"load_ns\"", "\"lode_ns\"");
    const std::string text = render_text({misspelt.diagnostics.at(1)});
    EXPECT_NE(text.find("error[K0512]: unknown key 'lode_ns'\n   --> t.json:13:6\n"), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean 'load_ns'?"), std::string::npos) << text;
}

TEST(MeasuredTable, DamagedTablesEndInADiagnostic) {
    const std::string good = print(table());
    std::mt19937 random(5);
    const std::string bytes = "0123456789-+.eE\"[]{}:,nulltruefalse\\ \n\x01\xff";
    std::size_t refused = 0;
    for (int round = 0; round < 4000; ++round) {
        std::string text = good;
        for (int k = 0; k < 1 + round % 3; ++k) text[random() % text.size()] = bytes[random() % bytes.size()];
        if (round % 7 == 0) text.resize(random() % text.size());
        const auto outcome = read(text);
        EXPECT_NE(static_cast<bool>(outcome), has_errors(outcome.diagnostics)) << text;
        if (!outcome) ++refused;
    }
    EXPECT_GT(refused, 2000U);
}

TEST(MeasuredTable, KeepsWhatMeasuredThisLibrary) {
    Library library;
    Function f;
    f.name = "mmul33";
    f.implementations.resize(2);
    f.implementations[0].name = "mmul33_1";
    f.implementations[1].name = "mmul33_2";
    StreamType type;
    type.name = "matrix33";
    const TypeId id = library.types.add(type);
    for (Implementation& i : f.implementations) i.save.type = id;
    library.functions.add(f);
    MeasuredTable t = table();
    for (MeasuredEntry& e : t.entries) e.code = hash_of(identity_text(f.implementations[0], library));
    const MeasuredTable kept = entries_of(t, library);
    ASSERT_EQ(kept.entries.size(), 2U) << "mmul33_2 has other code";
    EXPECT_EQ(kept.entries[1].implementation, "mmul33_1");
    EXPECT_EQ(kept.device, t.device);
}

TEST(MeasuredTable, OfADeviceStandsBesideItsFile) {
    const std::filesystem::path devices = std::string(KASC_SOURCE_DIR) + "/devices";
    const auto h100 = measured_table_path("h100", devices);
    EXPECT_EQ(h100, devices / "measured" / "h100.json");
    EXPECT_EQ(measured_table_path((devices / "h100.json").string(), "/nowhere"), h100);
    EXPECT_EQ(measured_table_path("cpu", devices), "") << "none was measured";
    const auto table = read_table(h100);
    ASSERT_TRUE(table) << render_text(table.diagnostics);
    const auto library = read_library({std::string(KASC_SOURCE_DIR) + "/elementlib"});
    ASSERT_TRUE(library);
    EXPECT_GT(entries_of(*table, *library).entries.size(), table->entries.size() / 2) << "measure again: kasc bench";
}

}  // namespace
}  // namespace kasc
