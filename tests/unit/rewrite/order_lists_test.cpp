// What an addition by entries of a list becomes, where its list is ordered, and that sums stay those of the language.
#include "rewrite/order_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/list_entries.hpp"
#include "graph/statements.hpp"
#include "support/field_reference.hpp"
#include "support/list_order.hpp"

// What support headers expect of the code around them.
inline int kasc_fail(int status, const char*, ...) { return status; }
#include "kasc_orders.hpp"

namespace kasc {
namespace {

OrderedLists ordered(const std::string& text) {
    const auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return program ? order_lists(*program) : OrderedLists{};
}

/// "T_cell, T_order, …": what the statements assign, those of loops in brackets.
std::string targets(const Program& program, const std::vector<Statement>& list) {
    std::string text;
    for (const Statement& s : list) {
        if (!text.empty()) text += " ";
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s);
        if (loop != nullptr) {
            text += "{" + targets(program, (*loop)->body) + "}";
        } else {
            text += program.variables[*statements::targets(s).begin()].name;
        }
    }
    return text;
}
std::string targets(const std::string& body) {
    const OrderedLists lists = ordered(
        "param int steps = 4; float T[x, y] boundary mirror, S[x, y], e[p], q[p, t]; int px[p], py[p], H[x];\n"
        "input T, S, e, q, px, py, H;" +
        body + " return T, S, H;");
    return targets(lists.program, lists.program.statements);
}

TEST(OrderLists, AnAdditionBecomesChunksAndCellsOfAnOrderedList) {
    EXPECT_EQ(targets("T[x = px, y = py] += e;"), "T_cell T_order T_sorted T_places T_starts T_begun T_sums T");
    EXPECT_EQ(targets("T[x = px, y = py] = e;"), "T");
    EXPECT_EQ(targets("H[x = px] += 1;"), "H");  // integers in any order
}

TEST(OrderLists, EntriesAlongSeveralAxesTakeWhatStaysInTheirOrder) {
    const auto of_elements = [](const std::string& declared) {
        const OrderedLists lists = ordered(declared +
                                           " float E[e], w[c, e], s[c], T[n]; int node[c, e]; input E, w, s, T, node; "
                                           "for (k = 0; k < 9; k++) { T[n = node] += E*w + s; } return T;");
        return targets(lists.program, lists.program.statements);
    };
    const std::string order = "T_cell T_order T_sorted T_places T_starts T_begun ";
    EXPECT_EQ(of_elements("axis c = 8;"), order + "E_ordered w_ordered {T_sums T}") << "all corners' s are in L1";
    EXPECT_EQ(of_elements(""), order + "w_ordered {T_sums T}") << "E may be few";
}

TEST(OrderLists, AListThatStaysTheSameIsOrderedBeforeTheLoopsAround) {
    const std::string loops = "for (n = 0; n < steps; n++) { for (m = 0; m < 3; m++) {";
    EXPECT_EQ(targets(loops + "T[x = px, y = py] += q[t = n]; }}"),
              "T_cell T_order T_sorted T_places T_starts T_begun {{T_sums T}}");
    EXPECT_EQ(targets(loops + "T[x = px + n, y = py] += e; }}"),
              "{T_cell T_order T_sorted T_places T_starts T_begun e_ordered {T_sums T}}");
    EXPECT_EQ(targets(loops + "T[x = px + m, y = py] += e; }}"),
              "{{T_cell T_order T_sorted T_places T_starts T_begun T_sums T}}");
    EXPECT_EQ(targets(loops + "T[x = px, y = py] += e; } px = px + 1; }"),
              "{T_cell T_order T_sorted T_places T_starts T_begun e_ordered {T_sums T} px}");
}

TEST(OrderLists, FieldsOfItsEntriesAreOrderedWithItWhileTheyStay) {
    const std::string loop = "for (n = 0; n < steps; n++) {",
                      list = "T_cell T_order T_sorted T_places T_starts T_begun ";
    EXPECT_EQ(targets(loop + "T[x = px, y = py] += e; S[x = px, y = py] += 2*e; }"),
              list + "e_ordered {T_sums T S_sums S}");
    EXPECT_EQ(targets(loop + "T[x = px, y = py] += e; e = 2*e; }"), list + "{T_sums T e}");
    EXPECT_EQ(targets(loop + "T[x = px, y = py] += T[x = py, y = 0]; }"), list + "py_ordered {T_sums T}");
    EXPECT_EQ(targets(loop + "T[x = px, y = py] += e; } e = 2*e; " + loop + "T[x = px, y = py] += e; }"),
              list + "e_ordered {T_sums T} e e_ordered_2 {T_sums_2 T}");
}

TEST(OrderLists, AdditionsAtOneListShareItsOrder) {
    EXPECT_EQ(targets("T[x = px, y = py] += e; S[x = px, y = py] += 2*e;"),
              "T_cell T_order T_sorted T_places T_starts T_begun T_sums T S_sums S");
    EXPECT_EQ(targets("T[x = px, y = py] += e; px = px + 1; T[x = px, y = py] += e;"),
              "T_cell T_order T_sorted T_places T_starts T_begun T_sums T px T_cell_2 T_order_2 T_sorted_2 T_places_2 "
              "T_starts_2 T_begun_2 T_sums_2 T");
    EXPECT_EQ(targets("T[x = px, y = py] += e; T[x = py, y = px] += e;"),
              "T_cell T_order T_sorted T_places T_starts T_begun T_sums T T_cell_2 T_order_2 T_sorted_2 T_places_2 "
              "T_starts_2 T_begun_2 T_sums_2 T");
}

TEST(OrderLists, ChunksGrowWithTheRootOfACellsEntries) {
    EXPECT_EQ(chunk_entries(1), 64);
    EXPECT_EQ(chunk_entries(64 * 64), 64);
    EXPECT_EQ(chunk_entries(64 * 64 + 1), 128);
    EXPECT_EQ(chunk_entries(1LL << 28), 1 << 14);
}

/// Cells of one entry and of thousands, over several tiles, all of them or none.
TEST(OrderLists, PlacesOfCellsAreWhatTheyAreByDefinition) {
    const std::vector<std::pair<std::size_t, std::vector<int>>> cases{
        {1, {0}},           {1, {3}}, {4096, {0, 5, 3000}}, {5000, {1, 9000}}, {9000, {0, 4095, 4096, 8192}},
        {12288, {0, 12288}}};
    for (const auto& [count, jumps] : cases) {
        for (const int none : {1, 4, 20000}) {
            std::vector<int> sorted(count), starts(count), runs(count);
            int cell = 0;
            for (std::size_t k = 0; k < count; ++k) {
                const bool jumps_here = std::find(jumps.begin(), jumps.end(), static_cast<int>(k)) != jumps.end();
                // Between jumps every other place begins a cell, or all belong to one.
                if (jumps_here || (jumps.size() % 2 == 1 && k % 2 == 0)) ++cell;
                sorted[k] = std::min(cell, none);
            }
            const auto n = static_cast<long long>(count);
            kasc_starts(starts.data(), sorted.data(), n, none);
            kasc_runs(runs.data(), sorted.data(), n, none);
            const test::Cells numbers(sorted.begin(), sorted.end());
            EXPECT_EQ(test::Cells(starts.begin(), starts.end()), test::starts_of(numbers, none))
                << count << ' ' << none;
            if (count > 5000) continue;
            EXPECT_EQ(test::Cells(runs.begin(), runs.end()), test::runs_of(numbers, none)) << count << ' ' << none;
        }
    }
}

/// 5000 entries in one cell of two, a chunk of 128 after the other; 7 in the other, in order.
TEST(OrderLists, SumsAreThoseOfTheLanguage) {
    const OrderedLists lists = ordered("float T[x], w[p]; int px[p]; input T, w, px; T[x = px] += w; return T;");
    const auto written = read_program(
        make_source("case.kas", "float T[x], w[p]; int px[p]; input T, w, px; T[x = px] += w; return T;"), Library{});
    ASSERT_TRUE(written);
    constexpr std::size_t many = 5000, few = 7, chunk = 128;
    test::Problem problem;
    problem.extents = {2, many + few, (many + few + least_chunk - 1) / least_chunk};
    test::Cells w(many + few), at(many + few), T{0.5, 0.25};
    std::vector<float> of_first;
    float second = 0.25F;
    for (std::size_t k = 0; k < w.size(); ++k) w[k] = static_cast<double>(1.0F / static_cast<float>(k + 3));
    for (std::size_t k = 0; k < few; ++k) at[700 * k + 3] = 1;
    for (std::size_t k = 0; k < w.size(); ++k) {
        if (at[k] == 1)
            second += static_cast<float>(w[k]);
        else
            of_first.push_back(static_cast<float>(w[k]));
    }
    ASSERT_EQ(of_first.size(), many);
    float first = 0.5F;
    for (std::size_t k = 0; k < chunk; ++k) first += of_first[k];
    for (std::size_t begin = chunk; begin < many; begin += chunk) {
        float sum = 0;
        for (std::size_t k = begin; k < std::min(begin + chunk, many); ++k) sum += of_first[k];
        first += sum;
    }
    const test::Cells expected{static_cast<double>(first), static_cast<double>(second)};
    for (const Program& program : {*written, lists.program}) {
        const test::ProgramReference reference(program, problem, {T, w, at});
        EXPECT_EQ(reference.value(program.outputs.front()), expected);
    }
}

}  // namespace
}  // namespace kasc
