// Running sums along lines against the reference: each choice that is offered, lines that end within a turn, several
// turns, whole lines and their pieces side by side.
#include <gtest/gtest.h>

#include "frontend/reduction.hpp"
#include "kernel/check_shared.hpp"
#include "rewrite/running_pieces.hpp"
#include "schedule/scan/schedule.hpp"
#include "search/legality.hpp"
#include "search/lines.hpp"
#include "support/of_the_day.hpp"
#include "support/without_barrier.hpp"
#include "unit/lower/lower_field_check.hpp"

namespace kasc::test {
namespace {

constexpr const char* rows = "float a[x,y], s[x,y]; input a; s = running_sum(2*a, x); return s;";
constexpr const char* columns = "float a[x,y], s[x,y]; input a; s = running_sum(a*a, -y); return s;";
constexpr const char* middle = "double a[x,y,z], s[x,y,z]; input a; s = running_product(1 + a/8, -y); return s;";
constexpr const char* line = "int n[x], s[x]; input n; s = running_maximum(n, x); return s;";
/// What is computed of the sums at their cells, and a sum that nobody else needs.
constexpr const char* points =
    "float a[x,y], b[x,y], s[x,y], t[x,y]; input a, b; s = 0.5*running_sum(a, x) + b[x = 0]; t = s*s - b; "
    "return s, t;";

class Scans {
public:
    explicit Scans(const std::string& text) : case_(text), fusion_(case_.whole()) {
        ScanWorkResult made = scan_work(case_.program, case_.graph, fusion_);
        if (!made.value) throw std::runtime_error(made.reason);
        work_ = made.value;
    }

    [[nodiscard]] std::vector<FieldChoice> choices() const { return scan_choices(*work_, false); }
    [[nodiscard]] std::optional<kernel::Kernel> kernel(const FieldChoice& choice) const {
        const ScanScheduleResult made = schedule_scan(work_, choice, case_.program);
        if (!made.value) return std::nullopt;  // of one line
        return lower_scan(*made.value, case_.program, case_.graph, "k0").alternatives.front();
    }

    /// "": all choices, of which every `apart`-th is looked at, compute what the reference does.
    [[nodiscard]] std::string compared(std::vector<long long> extents, std::size_t apart = 1) const {
        for (const Axis& axis : case_.program.axes) {
            if (!axis.parts) continue;
            extents.push_back(part_count(extents.at(axis.parts->of.front().index), *axis.parts));
        }
        const Problem problem = make_problem(case_, extents, {});
        const FieldReference reference(case_.program, case_.graph, problem);
        int seen = 0;
        const std::vector<FieldChoice> all = choices();
        for (std::size_t k = 0; k < all.size(); k += apart) {
            const FieldChoice& choice = all[k];
            const auto made = kernel(choice);
            if (!made) continue;
            ++seen;
            if (std::string fault = kernel::verify(*made); !fault.empty()) return fault;
            const std::string fault = run_and_compare(case_, fusion_, *made, reference, problem, [&](ValueId v) {
                return Cells(reference.words(v), std::numeric_limits<double>::quiet_NaN());
            });
            if (!fault.empty()) return print(Choice(choice)) + ": " + fault;
        }
        return seen > 0 ? "" : "no choice";
    }

private:
    FieldCase case_;
    Fusion fusion_;
    std::shared_ptr<const ScanWork> work_;
};

TEST(Scans, OfRowsEqualTheReference) {
    const Scans scans(rows);
    for (const long long n : {1, 16, 17, 255, 300}) EXPECT_EQ(scans.compared({n, 5}), "") << n;
    EXPECT_EQ(scans.compared({4097, 2}), "");
}

TEST(Scans, OfColumnsEqualTheReference) {
    for (const char* text : {columns, middle}) {
        const Scans scans(text);
        for (const long long n : {1, 16, 40}) EXPECT_EQ(scans.compared({7, n, 3}), "") << n;
    }
    EXPECT_EQ(Scans(columns).compared({3, 4100}), "");
}

TEST(Scans, OfOneLineEqualTheReference) {
    const Scans scans(line);
    for (const long long n : {1, 4096, 8200}) EXPECT_EQ(scans.compared({n}), "") << n;
}

TEST(Scans, GoThroughPiecesOfEachSize) { EXPECT_EQ(Scans(line).compared({70001}, one_of(3)), ""); }

TEST(Scans, ComputeWhatIsMadeOfTheirSums) {
    const Scans scans(points);
    for (const long long n : {5, 280}) EXPECT_EQ(scans.compared({n, 4}), "") << n;
}

TEST(Scans, EachBarrierIsNeeded) {
    for (const char* text : {rows, columns, points}) {
        const Scans scans(text);
        for (const FieldChoice& choice : scans.choices()) {
            const auto kernel = scans.kernel(choice);
            if (!kernel || choice.threads_x * choice.threads_y > 256) continue;  // it takes long
            EXPECT_TRUE(kernel::check_shared(*kernel).empty()) << print(Choice(choice));
            for (const kernel::Kernel& broken : without_each_barrier(*kernel))
                EXPECT_FALSE(kernel::check_shared(broken, 1).empty()) << print(Choice(choice));
        }
    }
}

std::string why_apart(const std::string& text) {
    const FieldCase c(text);
    const CallRoles roles = find_call_roles(c.program, c.graph);
    const auto ids = c.graph.nodes.ids();
    const Verdict verdict = may_stand_together(c.program, c.graph, roles, ids.at(0), ids.at(1));
    return (verdict ? "yes: " : "no: ") + verdict.reason();
}

TEST(Scans, StandBesideWhatIsComputedOfTheirSumsAtTheCell) {
    const std::string fields = "float a[x,y], s[x,y], t[x,y], e[]; float b[x,y] boundary keep(1); input a, b; ";
    EXPECT_EQ(why_apart(fields + "s = running_sum(a, x); t = 2*s; return s, t;"), "yes: a thread has its cells of s");
    EXPECT_EQ(why_apart(fields + "s = running_sum(a, x); t = 2*a; return s, t;"), "yes: a thread has its cells of s");
    EXPECT_EQ(why_apart(fields + "s = running_sum(a, x); t = running_sum(s, y); return s, t;"),
              "no: each kernel sums up along lines once");
    EXPECT_EQ(why_apart(fields + "s = a*a; t = running_sum(s, y); return s, t;"),
              "no: what t sums up is read from memory");
    EXPECT_EQ(why_apart(fields + "s = running_sum(a, x); t = s[x = 0]; return s, t;").substr(0, 3), "no:");
    EXPECT_EQ(why_apart(fields + "s = running_sum(a, x); b = 2*s; return s, b;").substr(0, 3), "no:");
}

TEST(Scans, SayWhichNumbersTheyKnow) {
    const FieldCase c(rows);
    const ScanWorkResult work = scan_work(c.program, c.graph, c.whole());
    ASSERT_TRUE(work.value) << work.reason;
    FieldChoice choice = scan_choices(*work.value, false).front();
    choice.threads_x = 32;
    EXPECT_NE(schedule_scan(work.value, choice, c.program).reason.find("1, 16 or 256 threads a line"),
              std::string::npos);
    choice.threads_x = 16, choice.threads_y = 3;
    EXPECT_NE(schedule_scan(work.value, choice, c.program).reason.find("power of two"), std::string::npos);
}

}  // namespace
}  // namespace kasc::test
