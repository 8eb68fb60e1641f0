// Loads that stand behind the slow path of a quotient or root.
#include <gtest/gtest.h>

#include "model/field/facts.hpp"
#include "support/choice.hpp"
#include "support/field_case.hpp"

namespace kasc::model {
namespace {

class Behind {
public:
    explicit Behind(const std::string& text, const std::string& type = "float")
        : case_(type + " u[x, y] boundary mirror, v[x, y], a[x, y], b[x, y]; param float dt; input u, v; " + text) {
        problem_.extents = {8192, 8192};
        problem_.parameters = {0.1};
    }
    [[nodiscard]] double part() const {
        StatementCosts costs;
        return field_facts(schedule(), case_.program, case_.graph, problem_, costs).behind;
    }
    [[nodiscard]] Prediction predicted() const {
        return predict(schedule(), case_.program, case_.graph, case_.library,
                       *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value, problem_);
    }

private:
    test::FieldCase case_;
    Problem problem_;

    [[nodiscard]] FieldSchedule schedule() const {
        const auto made = schedule_field(case_.program, case_.graph, case_.whole(), test::choice("grid 32x4"));
        if (!made.value) throw std::runtime_error(made.reason);
        return *made.value;
    }
};

TEST(LoadsBehind, AreThoseOfStatementsBehindAQuotient) {
    EXPECT_EQ(Behind("a = u/v; b = u + v; return a, b;").part(), 0);
    EXPECT_EQ(Behind("a = u*v; b = u[1, 0] + u[-1, 0]; return a, b;").part(), 0);
    EXPECT_EQ(Behind("a = u/v; b = u[1, 0] + u[-1, 0]; return a, b;").part(), 0.5);
    EXPECT_EQ(Behind("a = sqrt(u); b = u + v; return a, b;").part(), 0.5);
    EXPECT_EQ(Behind("a = u/(dt*dt) + 1/dt; b = u + v; return a, b;").part(), 0) << "by what all cells share: products";
    EXPECT_EQ(Behind("a = u*(1/dt); b = u + v; return a, b;").part(), 0) << "the host divides";
}

/// A block waits for each: 190 ns (2026-11-23).
TEST(LoadsBehind, AreWaitedForOneByOne) {
    const Prediction one = Behind("a = u*v; b = u[1, 0] + u[-1, 0]; return a, b;").predicted();
    const Prediction other = Behind("a = u/v; b = u[1, 0] + u[-1, 0]; return a, b;").predicted();
    EXPECT_NEAR(other.latency_ns - one.latency_ns, 2 * 190 * one.waves, 0.1 * 2 * 190 * one.waves);
}

/// The slow path of a double is a subroutine, before which all is loaded: registers hold it, and no load is by itself.
TEST(LoadsBehind, OfDoublesAreHeldAcrossQuotients) {
    const std::string sums = "a = u*v; b = u[1, 0] + u[-1, 0]; return a, b;";
    const std::string quotients = "a = u/v; b = u[1, 0] + u[-1, 0]; return a, b;";
    const Prediction one = Behind(sums, "double").predicted(), other = Behind(quotients, "double").predicted();
    EXPECT_GE(other.registers - one.registers, 4) << "of four words, two registers each, half of them beyond a third";
    const double waits = (100 + 4 * 45) * other.waves;  // 2026-11-27
    EXPECT_NEAR(other.latency_ns - one.latency_ns * other.waves / one.waves, waits, 0.3 * waits);
}

}  // namespace
}  // namespace kasc::model
