// What options leave unneeded is left out; what is never needed stays, with a warning.
#include "unit/frontend/same_program.hpp"

namespace kasc {
namespace {

using test::program_text;
using test::said_codes;

constexpr const char* lossy_waves = R"(
option lossy = 0;
option record = 0;
float p[x] boundary mirror, q[x], loss[x, bands], decay[x], p_max[x], seen[points];
int index[points];
param int steps = 3;
function kept(u) = u*decay;
input p, loss, index;
require(loss >= 0, extent(bands) < 9);
require(index < extent(x));
decay = exp(-sum(loss, bands));
p_max = p;
seen = 0;
for (n = 0; n < steps; n++) {
    p = lossy ? kept(p[x + 1]) : p[x + 1];
    if (record) { p_max = max(p_max, p); }
    if (record == 2) { seen = max(seen, p[x = index]); }
}
q = p;
if (record) { return p_max; }
if (record == 2) { return seen; }
return q;
)";

std::vector<std::string> inputs_of(const ProgramSettings& settings) {
    const auto read = read_program(make_source("p.kas", lossy_waves), test::field_library(), settings);
    EXPECT_TRUE(read) << render_text(read.diagnostics);
    EXPECT_EQ(said_codes(lossy_waves, settings), "");
    std::vector<std::string> names;
    if (read)
        for (const VariableId id : read->inputs) names.push_back(read->variables[id].name);
    return names;
}

TEST(Unneeded, InputsAreLeftOut) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(inputs_of({}), (Names{"p"}));
    EXPECT_EQ(inputs_of({{"lossy", 1}}), (Names{"p", "loss"}));
    EXPECT_EQ(inputs_of({{"lossy", 1}, {"record", 2}}), (Names{"p", "loss", "index"}));
}

TEST(Unneeded, TextOfTheRestStays) {
    EXPECT_EQ(program_text("option lossy = 0; float p[x], loss[x]; input p, loss; require(loss >= 0, p > 0); "
                           "if (lossy) { p = p*loss; } p = p + 1; return p;"),
              program_text("option lossy = 0; float p[x], loss[x]; input p, loss; require(p > 0); "
                           "if (lossy) { p = p*loss; } p = p + 1; return p;"));
    const std::string text =
        "option lossy = 0; float p[x], loss[x], late[x]; input p, loss; if (lossy) { p = p*loss; late = p; } p = p + "
        "1; "
        "return p, late;";
    EXPECT_EQ(program_text(text), program_text("float p[x]; input p; p = p + 1; return p;"));
    const auto read = read_program(make_source("p.kas", text), test::field_library());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->left_out, (std::vector<std::string>{"late", "loss"}));
}

TEST(Unneeded, FieldsThatMayBeUniformAreLeftOutAlike) {
    const std::string text =
        "option lossy = 0; float p[x], loss[x] or uniform; input p, loss; p = lossy ? p*loss : p; "
        "return p;";
    EXPECT_EQ(program_text(text), program_text(text, {{"loss", 2}}));
    EXPECT_NE(program_text(text, {{"loss", 2}, {"lossy", 1}}).find("param float loss"), std::string::npos);
}

TEST(Unneeded, WhatNoOptionNeedsIsWarnedOf) {
    EXPECT_EQ(said_codes("option a = 0; float p[x], never[x]; input p, never; p = a ? p + 1 : p; return p;"), "K0241");
    EXPECT_EQ(said_codes("option a = 0; float p[x], never[x]; input p; p = a ? p + 1 : p; return p;"), "K0240");
    EXPECT_EQ(said_codes("option a = 0; float p[x], dead[x]; input p; dead = p; p = a ? p + 1 : p; return p;"),
              "K0245");
    EXPECT_EQ(said_codes("option a = 0; float p[x], held[x]; input p, held; require(held > 0); p = a*p; return p;"),
              "");
}

TEST(Unneeded, AxesOfReductionsStayWithThem) {
    const char* text = R"(
option series = 0;
axis k = 9;
axis j = 2;
float T[x], S[x], w[j], R[x];
input T, w;
R = sum(T*k, k) + sum(w, j);
S = sum(T*j, j);
if (series) { return R; }
return S;
)";
    for (const int series : {0, 1}) EXPECT_EQ(said_codes(text, {{"series", series}}), "") << series;
    const auto plain = read_program(make_source("p.kas", text), test::field_library(), {});
    ASSERT_TRUE(plain);
    std::string names;
    for (const Axis& axis : plain.value->axes) names += axis.name + " ";
    EXPECT_EQ(names, "x j S_part ");
}

TEST(Unneeded, SomethingIsReturned) {
    EXPECT_EQ(said_codes("option a = 0; float p[x], q[x]; input p; if (a) { q = p; } p = p + 1; return q;"), "K0112");
    EXPECT_EQ(said_codes("option a = 0; float p[x], q[x]; input p; p = a*p; return p, q;"), "K0210");
}

TEST(Unneeded, ProceduresAndListsSayNamesToo) {
    EXPECT_EQ(program_text("option a = 0; float p[x], u_x[x], u_y[x]; procedure fill(v) { v = p; } input p, u_x, u_y; "
                           "for k in (x, y) { if (a) { p = p + u_{k}; } } p = p + 1; return p;"),
              program_text("option a = 0; float p[x], u_x[x], u_y[x]; input p, u_x, u_y; if (a) { p = u_x + u_y; } "
                           "p = p + 1; return p;"));
    EXPECT_EQ(said_codes("option a = 0; float p[x], q[x]; procedure fill(v) { v = p; } input p; if (a) { fill(q); } "
                         "p = p + 1; return p, q;"),
              "");
}

}  // namespace
}  // namespace kasc
