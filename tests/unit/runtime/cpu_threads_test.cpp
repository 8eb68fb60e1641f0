// How threads of emitted code wait and how many they are, unless the user has said so.
#include "runtime/devices/cpu_threads.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>

#include "foundation/parallel.hpp"
#include "foundation/quota.hpp"

namespace kasc::runtime {
namespace {

/// The environment of one test, as it was before at the end.
class Threads : public testing::Test {
protected:
    Threads() {
        for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_NUM_THREADS"}) {
            if (const char* value = std::getenv(name)) before_[name] = value;
            unsetenv(name);
        }
    }
    ~Threads() override {
        for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_NUM_THREADS"}) {
            unsetenv(name);
            if (before_.contains(name)) setenv(name, before_[name].c_str(), 1);
        }
    }
    static std::optional<std::string> variable(const char* name) {
        const char* value = std::getenv(name);
        return value ? std::optional<std::string>(value) : std::nullopt;
    }

private:
    std::map<std::string, std::string> before_;
};

TEST_F(Threads, SpinBrieflyWhereTheUserHasSaidNothing) {
    prepare_cpu_threads();
    EXPECT_EQ(variable("GOMP_SPINCOUNT"), "1000");
    EXPECT_EQ(variable("OMP_WAIT_POLICY"), std::nullopt);
    EXPECT_EQ(variable("OMP_NUM_THREADS").has_value(), cores_of_quota().value_or(1 << 20) < usable_cores());
}

TEST_F(Threads, WaitAsTheUserHasSaid) {
    setenv("OMP_WAIT_POLICY", "active", 1);
    prepare_cpu_threads();
    EXPECT_EQ(variable("GOMP_SPINCOUNT"), std::nullopt);
    EXPECT_EQ(variable("OMP_WAIT_POLICY"), "active");
    unsetenv("OMP_WAIT_POLICY");
    setenv("GOMP_SPINCOUNT", "77", 1);
    setenv("OMP_NUM_THREADS", "3", 1);
    prepare_cpu_threads();
    EXPECT_EQ(variable("GOMP_SPINCOUNT"), "77");
    EXPECT_EQ(variable("OMP_NUM_THREADS"), "3");
}

}  // namespace
}  // namespace kasc::runtime
