// Blocks of whole lines against the reference: each choice that is offered, lines that its threads hold and longer
// ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "frontend/reduction.hpp"
#include "kernel/check_shared.hpp"
#include "kernel/used_names.hpp"
#include "schedule/line/schedule.hpp"
#include "search/legality.hpp"
#include "search/lines.hpp"
#include "search/set_rules.hpp"
#include "support/of_the_day.hpp"
#include "support/without_barrier.hpp"
#include "unit/lower/lower_field_check.hpp"

namespace kasc::test {
namespace {

constexpr const char* softmax =
    "float a[x,y], b[x,y], largest[y]; input a; largest = maximum(a, x); "
    "b = exp2(a - largest)/sum(exp2(a - largest), x); return b;";
// Words of lines that are stored, made of others and of fields without x; cells that an earlier pass stores.
constexpr const char* normalised =
    "double a[x,y,z], b[x,y,z], c[x,y,z]; double mean[y,z], scale[y], shift[x], spread[y,z]; input a, scale, shift; "
    "mean = sum(a, x)/extent(x); c = (a - mean)*scale; spread = sqrt(sum(c*c, x) + 0.5); b = c/spread + shift + x; "
    "return b, c, spread;";
constexpr const char* column_softmax =
    "float a[x,y,z], b[x,y,z], largest[x,z]; input a; largest = maximum(a, y); "
    "b = exp2(a - largest)/sum(exp2(a - largest), y); return b, largest;";
constexpr const char* counts =
    "float a[x,y]; int k[x,y], n[y], least[y]; input a, k; n = sum(a > 0.5 ? k : 1, x); least = minimum(k, x); "
    "k = k - least; return k, n;";

class Lines {
public:
    /// `rows`: of these lines; what joins parts across them stands in another kernel.
    explicit Lines(const std::string& text, bool rows = false) : case_(text), work_(whole(case_, rows)) {}

    [[nodiscard]] std::vector<FieldChoice> choices() const { return line_choices(*work_); }

    /// `cells`: of a line, where that is given.
    [[nodiscard]] std::vector<kernel::Kernel> kernels(const FieldChoice& choice,
                                                      std::optional<long long> cells = {}) const {
        const LineScheduleResult made = schedule_lines(work_, choice, cells, case_.program, case_.graph);
        if (!made.value) return {};  // it would take too many registers
        return lower_lines(*made.value, for_longer_lines(*made.value, case_.program, case_.graph), case_.program,
                           case_.graph, "k0")
            .alternatives;
    }

    /// Compares some choices, others for other extents, every day every second of these, with the kernel that serves
    /// the extents; "": all compute what the reference does.
    [[nodiscard]] std::string compared(std::vector<long long> extents) const {
        for (const Axis& axis : case_.program.axes) {
            if (!axis.parts) continue;
            long long cells = 1;
            for (const AxisId of : axis.parts->of) cells *= extents.at(of.index);
            extents.push_back(part_count(cells, *axis.parts));
        }
        const Problem problem = make_problem(case_, extents, {});
        const FieldReference reference(case_.program, case_.graph, problem);
        const std::vector<FieldChoice> all = choices();
        const std::size_t apart = std::min(3 * one_of(2), all.size());
        for (auto k = static_cast<std::size_t>(extents.at(work_->along.index)) % apart; k < all.size(); k += apart) {
            const FieldChoice& choice = all[k];
            for (const kernel::Kernel& kernel : kernels(choice, extents.at(work_->along.index))) {
                if (kernel.requirement && !kernel.requirement->holds(problem.extents)) continue;
                const std::string fault = run_and_compare(
                    case_, work_->fusion, kernel, reference, problem,
                    [&](ValueId v) { return Cells(reference.words(v), std::numeric_limits<double>::quiet_NaN()); });
                if (!fault.empty()) return print(Choice(choice)) + ": " + fault;
                break;
            }
        }
        return "";
    }

private:
    FieldCase case_;
    std::shared_ptr<const LineWork> work_;

    static std::shared_ptr<const LineWork> whole(const FieldCase& c, bool rows) {
        const LineCalls lines = find_line_calls(c.program, c.graph);
        const auto inside = [&](NodeId n) {
            const auto& line = lines[n.index];
            const bool joins = rows && line && line->role == LineRole::join;
            return !joins || c.program.axes[line->parts].parts->cells == row_part_cells;
        };
        LineWorkResult made = line_work(c.program, c.graph, c.fusion(inside));
        if (!made.value) throw std::runtime_error(made.reason);
        return made.value;
    }
};

TEST(Lines, ShortOnesEqualTheReference) {
    const Lines lines(softmax);
    for (const long long x : {1, 3, 16, 33, 100}) EXPECT_EQ(lines.compared({x, 9}), "") << x;
}

TEST(Lines, OnesOfSeveralPartsEqualTheReference) {
    const Lines lines(softmax);
    for (const long long x : {512, 513, 1100, 2048}) EXPECT_EQ(lines.compared({x, 3}), "") << x;
}

TEST(Lines, TheirWordsAreKeptAndStored) {
    const Lines lines(normalised);
    for (const long long x : {1, 5, 130, 700}) EXPECT_EQ(lines.compared({x, 3, 2}), "") << x;
}

/// The calls that each pass computes at the cells.
std::vector<std::size_t> calls_of_passes(const std::string& text) {
    const FieldCase c(text);
    const LineWorkResult made = line_work(c.program, c.graph, c.whole());
    if (!made.value) throw std::runtime_error(made.reason);
    std::vector<std::size_t> calls;
    for (const LinePass& pass : made.value->passes) calls.push_back(pass.cells.plan().calls.size());
    return calls;
}

TEST(Lines, WhatIsStoredIsComputedOnce) {
    const auto residual = [](const std::string& results) {
        return "float a[x,y], r[x,y]; half s[x,y], n[x,y]; input a, r; s = r + a*a; "
               "n = (s - mean(s, x))/(sum(s*s, x) + 1); return " +
               results + ";";
    };
    EXPECT_EQ(calls_of_passes(residual("s, n")), (std::vector<std::size_t>{3, 1})) << "s, its two sums; n";
    EXPECT_EQ(calls_of_passes(residual("n")), (std::vector<std::size_t>{3, 2})) << "s is nowhere: computed again";
    EXPECT_EQ(calls_of_passes("float a[x,y], s[x,y] boundary mirror, n[x,y]; input a; s = a*a; "
                              "n = s[x + 1] - mean(s, x); return s, n;"),
              (std::vector<std::size_t>{2, 2}))
        << "another thread stores the neighbour";
    const Lines lines(residual("s, n"));
    for (const long long x : {1, 33, 512, 700, 2048}) EXPECT_EQ(lines.compared({x, 5}), "") << x;
    const Lines columns("float a[x,y], s[x,y], n[x,y]; input a; s = 1 + a*a; n = s - mean(s, y); return s, n;");
    for (const long long y : {1, 9, 64, 300, 1025}) EXPECT_EQ(columns.compared({5, y}), "") << y;
}

TEST(Lines, IntegersFoldAsIntegers) {
    const Lines lines(counts);
    for (const long long x : {1, 31, 600}) EXPECT_EQ(lines.compared({x, 4}), "") << x;
}

TEST(Lines, ShortColumnsEqualTheReference) {
    const Lines lines(column_softmax);
    for (const long long y : {1, 2, 3, 8, 17, 63, 64}) EXPECT_EQ(lines.compared({5, y, 3}), "") << y;
    EXPECT_EQ(lines.compared({70, 9, 1}), "");
}

TEST(Lines, ColumnsOfSeveralPartsEqualTheReference) {
    const Lines lines(column_softmax);
    for (const long long y : {65, 200, 256, 257, 600, 1024, 1025}) EXPECT_EQ(lines.compared({3, y, 2}), "") << y;
}

/// Neighbours beyond every kind of face, of what memory has and of what is computed for them, in two passes.
std::string with_neighbours(const std::string& along) {
    return "float a[x,y] boundary (x: value(2.5) / -mirror, y: mirror / keep(0)), b[x,y], p[x,y] boundary periodic; "
           "input a; p = 2*a + 1; "
           "b = a - mean((a[x+1] - a[x-2])*(a[y+1] - a[y-1]), " +
           along + ") + maximum(p[x-1,y+1] - p, " + along + "); return b;";
}

TEST(Lines, RowsReadNeighboursBeyondFaces) {
    const Lines lines(with_neighbours("x"));
    for (const long long x : {1, 2, 33, 600}) EXPECT_EQ(lines.compared({x, 5}), "") << x;
}

TEST(Lines, ColumnsReadNeighboursBeyondFaces) {
    const Lines lines(with_neighbours("y"));
    for (const long long y : {1, 2, 33, 300}) EXPECT_EQ(lines.compared({5, y}), "") << y;
}

TEST(Lines, WordsOfOtherLinesAndKeptLayersAreRefused) {
    const auto reason = [](const std::string& text) {
        const FieldCase c(text);
        return line_work(c.program, c.graph, c.whole()).reason;
    };
    EXPECT_EQ(reason("float a[x,y], b[x,y], c[x,y] boundary mirror; input a; c = a - mean(a, x); "
                     "b = c[y+1]; return b;"),
              "a neighbour is computed of words of its own line, which another thread has");
    EXPECT_EQ(reason("float a[x,y] boundary keep(1); input a; a = a[y+1] - mean(a, x); return a;"),
              "layers that a boundary keeps have a path of their own: a line's cells are all assigned");
    EXPECT_EQ(reason("float a[x,y,z], w[z] boundary mirror; input a, w; a = a*w[z+1] - mean(a, x, y); return a;"),
              "neighbours stand along axes, of which a line of several is counted as one");
}

TEST(Lines, ColumnsOfAnyLengthEqualTheReference) {
    const Lines lines("double a[x,y], s[x], m[x]; input a; s = sum(a, y); m = minimum(a, y); return s, m;");
    for (const long long y : {4096, 4097, 33000}) EXPECT_EQ(lines.compared({2, y}), "") << y;
}

TEST(Lines, WordsOfColumnsAreKeptAndStored) {
    const Lines lines(
        "double a[x,y,z], b[x,y,z], c[x,y,z]; double mean[x,y], scale[y], shift[z], spread[x,y]; input a, scale, "
        "shift; "
        "mean = sum(a, z)/extent(z); c = (a - mean)*scale; spread = sqrt(sum(c*c, z) + 0.5); b = c/spread + shift + z; "
        "return b, c, spread;");
    for (const long long z : {1, 5, 60, 130, 300}) EXPECT_EQ(lines.compared({3, 2, z}), "") << z;
}

TEST(Lines, IntegersOfColumnsFoldAsIntegers) {
    const Lines lines(
        "float a[x,y]; int k[x,y], n[x], least[x]; input a, k; n = sum(a > 0.5 ? k : 1, y); least = minimum(k, y); "
        "k = k - least; return k, n;");
    for (const long long y : {1, 31, 250, 600}) EXPECT_EQ(lines.compared({4, y}), "") << y;
}

TEST(Lines, PlanesAndVolumesAreLines) {
    const Lines planes(
        "float a[x,y,z], b[x,y,z], m[z], g[z]; input a, g; m = maximum(a, x, y); "
        "b = exp2(a - m)*g/sum(exp2(a - m), x, y); return b, m;");
    for (const auto& [x, y] : {std::pair{1, 1}, {3, 5}, {16, 9}, {40, 30}})
        EXPECT_EQ(planes.compared({x, y, 3}), "") << x;
    const Lines columns(
        "double a[x,y,z,w], b[x,y,z,w], m[x,w]; input a; m = sum(a, y, z)/extent(y); b = a - m; return b, m;");
    for (const auto& [y, z] : {std::pair{1, 1}, {3, 5}, {16, 9}, {40, 30}})
        EXPECT_EQ(columns.compared({3, y, z, 2}), "") << y;
}

/// Sums across lines, of doubles and of what compares and counts, of cells that are stored and of words of their lines.
constexpr const char* across =
    "float x[c,t], y[c,t], g[c], most[c], b[c]; int n[c]; double s[c]; input x, g; "
    "y = x*g/sqrt(sum(x*x, c) + 0.5); most = maximum(abs(y), t); b = sum(y - mean(x, c), t); n = sum(x > 0.5 ? 1 : 3, "
    "t); "
    "s = product(x + 0.6, t); return y, most, b, n;";

TEST(Lines, AreFoldedAcross) {
    const Lines lines(across, true);
    for (const auto& [c, t] : {std::pair{1, 1}, {3, 9}, {16, 300}, {33, 257}, {100, 5}})
        EXPECT_EQ(lines.compared({c, t}), "") << c;
}

TEST(Lines, OfSeveralPartsAreFoldedAcross) {
    const Lines lines("float a[x,y], s[y], q[x]; input a; s = sum(a*a, x); q = sum(a*s, y); return s, q;", true);
    for (const auto& [x, y] : {std::pair{513, 20}, {700, 3}, {1024, 270}, {1500, 9}})
        EXPECT_EQ(lines.compared({x, y}), "") << x;
}

TEST(Lines, AreFoldedAcrossSeveralAxesAndForEachOfOthers) {
    const std::string before = "double a[x,y,z,w], q[x";
    const std::string behind = "], s[y,z,w]; input a; s = sum(a*a, x); q = sum(a/(s + 0.5), y";
    for (const auto& [kept, folded] : {std::pair{"", ", z, w"}, {",w", ", z"}, {",z,w", ""}}) {
        const Lines lines(before + kept + behind + folded + "); return q;", true);
        EXPECT_EQ(lines.compared({20, 7, 5, 3}), "") << kept;
        EXPECT_EQ(lines.compared({5, 150, 2, 1}), "") << kept;
    }
}

TEST(Lines, NeighboursAreFoldedAcrossThem) {
    const Lines lines(
        "float a[x,y,z] boundary (x: mirror, y: periodic), s[y,z], q[x]; input a; s = sum(a[y - 1], x); "
        "q = maximum(a[x - 3]*s, y, z); return s, q;",
        true);
    for (const long long x : {1, 20, 600}) EXPECT_EQ(lines.compared({x, 7, 5}), "") << x;
}

TEST(Lines, WhatIsFoldedAcrossThemHasTheirFirstAxes) {
    const FieldCase c("float a[x,y,z], q[x,y], s[y,z]; input a; s = sum(a, x); q = sum(a*s, z); return q;");
    EXPECT_EQ(line_work(c.program, c.graph, c.fusion(0, 3)).reason,
              "what is folded across lines is folded along the axes that follow theirs in memory");
}

TEST(Lines, EachBarrierIsNeeded) {
    for (const char* text : {softmax, column_softmax}) {
        const Lines lines(text);
        std::set<std::string> met;  // the kernel for longer lines comes with every choice
        for (const FieldChoice& choice : lines.choices()) {
            for (const kernel::Kernel& kernel : lines.kernels(choice)) {
                if (kernel.name.ends_with("_long") && !met.insert(kernel.name).second) continue;
                EXPECT_EQ(kernel::verify(kernel), "");
                EXPECT_TRUE(kernel::check_shared(kernel).empty()) << print(Choice(choice));
                for (const kernel::Kernel& broken : without_each_barrier(kernel))
                    EXPECT_FALSE(kernel::check_shared(broken, 1).empty()) << print(Choice(choice)) << kernel.name;
            }
        }
    }
}

TEST(Lines, EachBarrierAcrossThemIsNeeded) {
    for (const long long cells : {40, 600}) {
        const Lines lines(across, true);
        for (const FieldChoice& choice : of_the_day(lines.choices())) {
            for (const kernel::Kernel& kernel : lines.kernels(choice, cells)) {
                EXPECT_EQ(kernel::verify(kernel), "");
                EXPECT_TRUE(kernel::check_shared(kernel).empty()) << print(Choice(choice));
                for (const kernel::Kernel& broken : without_each_barrier(kernel))
                    EXPECT_FALSE(kernel::check_shared(broken, 1).empty()) << print(Choice(choice));
            }
        }
    }
}

TEST(Lines, ATeamByItselfMeetsNoBarrier) {
    const Lines lines(softmax);
    FieldChoice choice = lines.choices().front();
    choice.threads_x = 32, choice.threads_z = 8, choice.chunk = 16;
    EXPECT_TRUE(without_each_barrier(lines.kernels(choice).front()).empty());
}

/// nvcc warns of a name that nothing reads. Here w's is one: what is made of w is computed beside it.
TEST(Lines, WordsOfTheirsAreNamedWhereOthersReadThem) {
    const Lines lines(
        "float a[x,y], b[y], w[y], v[y]; input a, b; w = sum(a, x)/b; v = w > 0.5 ? w - b : b; return v;");
    for (const FieldChoice& choice : lines.choices()) {
        for (const kernel::Kernel& kernel : lines.kernels(choice)) {
            kernel::Kernel shorter = kernel;
            shorter.body = kernel::without_unused(kernel.body);
            EXPECT_EQ(kernel::print(kernel), kernel::print(shorter)) << print(Choice(choice));
        }
    }
}

/// Tells which calls of a program are of lines, and whether all of them may be one kernel.
std::string complete(const std::string& text) {
    const FieldCase c(text);
    std::vector<NodeId> calls;
    for (const NodeId node : c.graph.nodes.ids()) calls.push_back(node);
    const CallRoles roles = find_call_roles(c.program, c.graph);
    for (std::size_t a = 0; a < calls.size(); ++a)
        for (std::size_t b = a + 1; b < calls.size(); ++b)
            if (const Verdict v = may_stand_together(c.program, c.graph, roles, calls[a], calls[b]); !v)
                return v.reason();
    const Verdict verdict = lines_complete(c.program, c.graph, roles.lines, calls);
    return verdict.reason();
}

TEST(Lines, AreTheRowsOrColumnsOfAField) {
    EXPECT_EQ(complete(softmax), "its blocks have whole lines");
    EXPECT_EQ(complete("float a[x,y], b[x,y]; input a; b = a/sum(a, y); return b;"), "its blocks have whole lines");
    EXPECT_EQ(complete("float a[x,y,z], b[x,y,z]; input a; b = a/sum(a, y, z); return b;"),
              "its blocks have whole lines");
    // Not beside each other in memory; where along them a cell stands is asked for; another field has them otherwise.
    for (const char* text : {"float a[x,y,z], b[x,y,z]; input a; b = a/sum(a, x, z); return b;",
                             "float a[x,y,z], b[x,y,z]; input a; b = a/sum(a*x, x, y); return b;",
                             "axis x = 3; axis y = 2; float g[w], a[x,y,z], b[x,y,z]; input a, g; "
                             "b = a/sum(a*g[w = x + y], x, y); return b;",
                             "float a[x,y,z], b[x,y,z], g[x]; input a, g; b = a/sum(a*g, x, y); return b;",
                             "float a[x,y,z], b[x,y,z], c[y,x,z]; input a, c; b = a/sum(a*c, x, y); return b;"})
        EXPECT_EQ(complete(text), "b_sum_parts is folded: it is complete when its kernel ends") << text;
    EXPECT_EQ(complete("float a[x,y], s[x], q[y], b[x,y]; input a; q = sum(a, x); s = sum(a*q, y); return s;"),
              "mixed iteration axes: cells of [x,y] are folded, of [x,s_part] computed");
}

}  // namespace
}  // namespace kasc::test
