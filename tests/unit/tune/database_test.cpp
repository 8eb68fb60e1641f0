#include "tune/database.hpp"

#include <gtest/gtest.h>

#include "support/temporary.hpp"

namespace kasc::tune {
namespace {

class DatabaseTest : public ::testing::Test {
protected:
    test::Temporary folder_;
    std::filesystem::path file_ = folder_.path() / "deep" / "tuning.sqlite";

    static TuningKey key(const std::string& sizes = "n=64") {
        return {"program", "library", sizes, "", "cuda", "GPU 0", "GPU", "580", "13.0", "0.1"};
    }
    static Measurement measurement(int position, std::vector<double> times_ns) {
        Measurement m;
        m.plan = "plan " + std::to_string(position);
        m.parts = "2+1";
        m.position = position;
        m.asked = 50;
        m.predicted_ns = 10.5 * position;
        m.compilation_s = 1.25;
        m.times_ns = std::move(times_ns);
        m.copy_gb_s = 3000;
        m.minimum_bytes = 384;
        return m;
    }
};

TEST_F(DatabaseTest, KeepsResultsBetweenCalls) {
    {
        auto database = TuningDatabase::open(file_);
        ASSERT_TRUE(database);
        EXPECT_TRUE(database.value->store(key(), measurement(2, {3.5, 1.25})).empty());
        Measurement broken = measurement(1, {});
        broken.invalidity = "compile";
        broken.message = "no 'such' thing";
        broken.checked = false;
        EXPECT_TRUE(database.value->store(key(), broken).empty());
    }
    const auto database = TuningDatabase::open(file_);
    ASSERT_TRUE(database);
    const auto all = database->load(key());
    ASSERT_TRUE(all);
    ASSERT_EQ(all->size(), 2U);
    EXPECT_EQ((*all)[0].invalidity, "compile");
    EXPECT_EQ((*all)[0].message, "no 'such' thing");
    EXPECT_FALSE((*all)[0].checked);
    const Measurement& m = (*all)[1];
    EXPECT_EQ(m.plan, "plan 2");
    EXPECT_EQ(m.parts, "2+1");
    EXPECT_EQ(m.asked, 50);
    EXPECT_EQ(m.predicted_ns, 21.0);
    EXPECT_EQ(m.compilation_s, 1.25);
    EXPECT_EQ(m.times_ns, (std::vector<double>{3.5, 1.25}));
    EXPECT_EQ(m.copy_gb_s, 3000);
    EXPECT_EQ(m.minimum_bytes, 384);
    EXPECT_TRUE(m.valid());
}

TEST_F(DatabaseTest, EveryMemberOfTheKeyCounts) {
    auto database = TuningDatabase::open(file_);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database.value->store(key(), measurement(1, {1})).empty());
    for (std::string TuningKey::*member :
         {&TuningKey::program, &TuningKey::library, &TuningKey::sizes, &TuningKey::parameters, &TuningKey::target,
          &TuningKey::device, &TuningKey::model, &TuningKey::driver, &TuningKey::compiler, &TuningKey::kasc}) {
        TuningKey other = key();
        other.*member = "other";
        EXPECT_TRUE(database->load(other)->empty());
    }
}

TEST_F(DatabaseTest, TheSamePlanAgainReplaces) {
    auto database = TuningDatabase::open(file_);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database.value->store(key(), measurement(1, {1})).empty());
    ASSERT_TRUE(database.value->store(key(), measurement(1, {2})).empty());
    const auto all = database->load(key());
    ASSERT_EQ(all->size(), 1U);
    EXPECT_EQ(all->front().times_ns, std::vector<double>{2});
}

TEST_F(DatabaseTest, TheBestIsOfTheNearestSizes) {
    auto database = TuningDatabase::open(file_);
    ASSERT_TRUE(database);
    const auto store = [&](const TuningKey& k, const Measurement& m) {
        ASSERT_TRUE(database.value->store(k, m).empty());
    };
    store(key("n=1000"), measurement(1, {9}));
    store(key("n=1000"), measurement(2, {7}));
    store(key("n=1000000"), measurement(3, {1}));
    Measurement wrong = measurement(4, {0.5});
    wrong.invalidity = "correctness";
    store(key("n=1000"), wrong);
    const auto best = database->best(key("n=3000"));
    ASSERT_TRUE(best && *best);
    EXPECT_EQ((*best)->measurement.plan, "plan 2");
    EXPECT_EQ((*best)->measured, 2);
    EXPECT_EQ((*best)->key.sizes, "n=1000");
    // Fewer steps take less time and say less.
    TuningKey fewer = key("n=1000");
    fewer.parameters = "steps=1";
    store(fewer, measurement(5, {0.1}));
    EXPECT_EQ((*database->best(key("n=3000")))->measurement.plan, "plan 2");
    fewer.sizes = "n=900";
    EXPECT_EQ((*database->best(fewer))->measurement.plan, "plan 5");
    fewer.parameters = "steps=2";
    EXPECT_EQ((*database->best(fewer))->measurement.plan, "plan 5");
    TuningKey other = key("n=3000");
    other.device = "GPU 1";
    EXPECT_FALSE(*database->best(other));
    other.device = "";  // any device of the model
    EXPECT_TRUE(*database->best(other));
    EXPECT_FALSE(*database->best(key("x=3000")));
}

TEST_F(DatabaseTest, DamagedAndForeignFilesAreRefused) {
    test::write_file(file_, std::string(5000, 'x'));
    EXPECT_EQ(TuningDatabase::open(file_).diagnostics.at(0).code, "K0821");
    EXPECT_EQ(TuningDatabase::open("/proc/none/tuning.sqlite").diagnostics.at(0).code, "K0820");
    EXPECT_EQ(TuningDatabase::open(folder_.path()).diagnostics.at(0).code, "K0820");
}

TEST_F(DatabaseTest, ATruncatedFileIsRefusedOrReadable) {
    {
        auto database = TuningDatabase::open(file_);
        ASSERT_TRUE(database);
        for (int i = 0; i < 50; ++i)
            ASSERT_TRUE(database.value->store(key(), measurement(i, std::vector<double>(100, 1.5))).empty());
    }
    const std::string whole = test::read_file(file_);
    test::write_file(file_, whole.substr(0, whole.size() / 2));
    auto database = TuningDatabase::open(file_);
    const Diagnostics said = database ? database->load(key()).diagnostics : database.diagnostics;
    ASSERT_FALSE(said.empty());
    EXPECT_EQ(said.front().code, "K0821");
}

TEST_F(DatabaseTest, AFutureVersionIsRefused) {
    { ASSERT_TRUE(TuningDatabase::open(file_)); }
    std::string bytes = test::read_file(file_);
    bytes[63] = 9;  // user_version, big-endian at 60 (SQLite's file format)
    test::write_file(file_, bytes);
    const auto database = TuningDatabase::open(file_);
    ASSERT_FALSE(database);
    EXPECT_EQ(database.diagnostics.at(0).code, "K0822");
    EXPECT_NE(database.diagnostics.at(0).message.find("version 9"), std::string::npos);
}

}  // namespace
}  // namespace kasc::tune
