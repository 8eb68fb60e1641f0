// A field `or uniform` gives the same bytes as one number and as a dataset whose cells are that number.
#include <gtest/gtest.h>

#include "runtime/hdf5/file.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

TEST(UniformField, GivesWhatItsCellsWouldGive) {
    const test::Temporary folder;
    const auto file = [&](const std::string& name) { return (folder.path() / name).string(); };
    test::write_file(file("p.kas"),
                     "float p[x, y] boundary mirror, q[y], c[x, y] boundary (x: mirror, y: periodic) or uniform;\n"
                     "float o[x, y], row[y], s[], m[];\n"
                     "input p, q, c;\n"
                     "o = (c[x + 1] + c[y - 2])*p[x + 1] + divergence2(c, p, 1) + laplace2(c, 1) + c[x = 2, y = 1];\n"
                     "row = sum(c, x);\n"
                     "s = sum(c) + sum(c*p) + sum(c*q);\n"
                     "m = mean(c) + maximum(c[x + 1]);\n"
                     "return o, row, s, m;\n");
    std::vector<float> p, c(35 * 21, 1.7F);
    for (int i = 0; i < 35 * 21; ++i) p.push_back(static_cast<float>(i % 13) / 7);
    const std::vector<float> q(p.begin(), p.begin() + 21), one{1.7F};
    const std::vector<runtime::ArrayView> given{{"p", {21, 35}, p}, {"q", {21}, q}};
    const auto write = [&](const char* name, std::vector<runtime::ArrayView> more) {
        more.insert(more.end(), given.begin(), given.end());
        EXPECT_TRUE(runtime::write_hdf5(file(name), more, {}).empty());
    };
    write("p.h5", {});
    write("one.h5", {{"c", {1}, one}});
    write("cells.h5", {{"c", {21, 35}, c}});
    const auto run = [&](const std::string& in, const std::string& more) {
        const auto done = test::shell(KASC_COMMAND " run " + file("p.kas") + " --target cpu --in " + file(in) +
                                      " --out " + file("out.h5") + more);
        EXPECT_EQ(done.status, 0) << done.output;
        return test::read_file(file("out.h5"));
    };
    const std::string cells = run("cells.h5", "");
    EXPECT_TRUE(run("p.h5", " --set c=1.7") == cells);
    EXPECT_TRUE(run("one.h5", "") == cells);
}

}  // namespace
}  // namespace kasc
