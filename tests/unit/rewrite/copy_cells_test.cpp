// Integers that entries of a list add to few cells are added to copies of them.
#include "rewrite/copy_cells.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace kasc {
namespace {

Program read(const std::string& body) {
    const std::string text =
        "int count[k], twice[k, m], label[x, y], line[x]; int64 far[k]; uint8 small[k]; float u[x, y], sum[k]; param "
        "int steps = 3;\n"
        "input count, twice, label, line, far, small, u, sum;" +
        body + " return count, twice, far, small, sum;";
    const auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return *program;
}

/// The first verdict's reason, "yes: …" where it is one; empty: there is no such addition.
std::string verdict(const std::string& body, const std::map<std::string, long long>& sizes = {}) {
    const Program program = read(body);
    std::vector<long long> extents;
    for (const Axis& axis : program.axes) {
        const auto size = sizes.find(axis.name);
        extents.push_back(size == sizes.end() ? 1 : size->second);
    }
    const CopiedCells copied = copy_cells(program, sizes.empty() ? nullptr : &extents);
    if (copied.verdicts.empty()) return {};
    const Verdict& first = copied.verdicts.front().verdict;
    EXPECT_EQ(copied.changed, static_cast<bool>(first));
    return (first ? "yes: " : "") + first.reason();
}

TEST(CopyCells, AnAdditionIsFourStatements) {
    const Program program = read("count[k = label] += 2*line;");
    const CopiedCells copied = copy_cells(program, nullptr);
    ASSERT_TRUE(copied.changed);
    std::string targets;
    for (const Statement& s : copied.program.statements)
        targets += copied.program.variables[std::get<FieldStatement>(s).target].name + " ";
    EXPECT_EQ(targets, "count_copies count_copies count_sums count ");
    EXPECT_EQ(copied.program.axes.size(), program.axes.size()) << "plans have sizes of its axes already";
    // Printed, it is what was written.
    EXPECT_EQ(print(copied.program, Library{}), print(program, Library{}));
}

TEST(CopyCells, TakesIntegersThatEntriesAdd) {
    EXPECT_EQ(verdict("far[k = label] += 1;").substr(0, 4), "yes:");
    EXPECT_EQ(verdict("twice[k = label, m = label + 1] += 1;").substr(0, 4), "yes:");
    EXPECT_EQ(verdict("for (n = 0; n < steps; n++) { count[k = label + n] += 1; }").substr(0, 4), "yes:");
    EXPECT_EQ(verdict("for (n = 0; n < 2; n++) { twice[m = n, k = label] += 1; }").substr(0, 4), "yes:");
    EXPECT_EQ(verdict("sum[k = label] += u;"), "") << "the order of reals is the language's";
    EXPECT_NE(verdict("count[k = label] += count[k = label]/2;").find("the cells themselves"), std::string::npos);
    EXPECT_NE(verdict("twice[k = line] += 1;").find("along some axis"), std::string::npos);
}

TEST(CopyCells, IsDoneWhereItPays) {
    const std::string body = "count[k = label] += 1;";
    EXPECT_NE(verdict(body, {{"k", 6}, {"x", 512}, {"y", 512}}).find("262144 entries would meet in 6 cells"),
              std::string::npos);
    EXPECT_NE(verdict(body, {{"k", 5000}, {"x", 512}, {"y", 512}}).find("seldom meet"), std::string::npos);
    EXPECT_NE(verdict(body, {{"k", 6}, {"x", 10}, {"y", 10}}).find("100 entries"), std::string::npos);
}

}  // namespace
}  // namespace kasc
