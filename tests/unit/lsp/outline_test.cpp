// Names that a text declares, whole programs and such that are being typed.
#include "lsp/outline.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kasc::lsp {
namespace {

using Kind = Declared::Kind;

Outline read(const std::string& text) { return outline_of(make_source("test.kas", text)); }

/// "field T, axis x": all but axes at their uses.
std::string names(const std::string& text) {
    std::string all;
    for (const Declared& d : read(text).declared)
        if (!d.used) all += (all.empty() ? "" : ", ") + std::string(describe(d.kind)) + " " + d.name;
    return all;
}

const Declared& find(const Outline& outline, const std::string& name) {
    const auto found = std::find_if(outline.declared.begin(), outline.declared.end(),
                                    [&](const Declared& d) { return d.name == name; });
    if (found == outline.declared.end()) throw std::runtime_error("no " + name);
    return *found;
}

TEST(Outline, DeclarationsOfAllKinds) {
    EXPECT_EQ(names("param float dt = f(a, b), dx; option o = 1 in (a, b); axis u = extent(x)/2;"),
              "parameter dt, parameter dx, option o, axis u");
    EXPECT_EQ(names("float T[x] boundary (x: keep(1), mirror), q[], w[k] = {1, {2, 3}}; matrix3x3 A, B;"),
              "field T, field q, field w, stream A, stream B");
    EXPECT_EQ(names("type p = float[9]; list s = (x, y if a > 0); float c0[x] or uniform;"),
              "type of cells p, list s, field c0");
    EXPECT_EQ(names("function f(u, h) { let g = u/h; return g; } procedure put(v) { v = 1; }"),
              "function f, argument u, argument h, name of an expression g, procedure put, argument v");
    EXPECT_EQ(names("for (n = 0; n < 3; n++) { T = 1; } for a in s, k in (x, y) { float u_{a}[a]; }"),
              "variable of a loop n, entry of a list a, entry of a list k, field u_{a}");
    EXPECT_EQ(names("input T, q; require(T > 0); T = f(T); return T, q; while (a > 0) { put(a); }"), "");
    EXPECT_EQ(names("param = 3; list[x = 1] = 2; let(3); type;"), "");
}

TEST(Outline, TellsADeclaratorByItself) {
    const Outline outline = read("float T[x, y]\n    boundary  keep(1), q[x];");
    EXPECT_EQ(find(outline, "T").text, "float T[x, y] boundary keep(1)");
    EXPECT_EQ(find(outline, "q").text, "float q[x]");
    EXPECT_EQ(find(outline, "T").parts, (std::vector<std::string>{"x", "y"}));
}

TEST(Outline, NamesAreKnownWhereTheyAreDeclared) {
    const std::string text =
        "function f(u) = u; procedure p(v) { float w[x]; } for (n = 0; n < 3; n++) { let g = 1; T = g; }\nT = 2;";
    const Outline outline = read(text);
    const auto in_scope = [&](const char* name, const char* mark) {
        const Span& scope = find(outline, name).scope;
        const std::size_t at = text.find(mark);
        return scope.begin <= at && at <= scope.end;
    };
    EXPECT_TRUE(in_scope("u", "u; procedure"));
    EXPECT_FALSE(in_scope("u", "procedure"));
    EXPECT_TRUE(in_scope("w", "float w"));
    EXPECT_FALSE(in_scope("w", "T = 2"));
    EXPECT_TRUE(in_scope("n", "T = g"));
    EXPECT_TRUE(in_scope("g", "T = g"));
    EXPECT_FALSE(in_scope("g", "T = 2"));
    EXPECT_TRUE(in_scope("f", "T = 2"));
}

TEST(Outline, IsReadWhileOneTypes) {
    EXPECT_EQ(names("float T[x];\nfor (n = 0; n < st"), "field T, variable of a loop n");
    EXPECT_EQ(names("T = sum(T\nparam int k;\nfloat q[x];"), "field q");
    EXPECT_EQ(names("for (n = 0; n < 3; n++) { T = T[x + ; } float q[x];"), "variable of a loop n, field q");
    EXPECT_EQ(names("/* not closed float T[x];"), "");
    EXPECT_EQ(names("} } ) ] ; float T[x];"), "field T");
    EXPECT_EQ(names("function f(a"), "function f");
}

TEST(Outline, KnowsFilesThatOthersImport) {
    EXPECT_TRUE(read("import \"a.kas\"; function f(u) { let g = u; return g; } list s = (x, y);").only_imported);
    EXPECT_TRUE(read("procedure p(v) { float w[x]; for a in (x, y) { v = 1; } }").only_imported);
    EXPECT_FALSE(read("function f(u) = u; float T[x];").only_imported);
    EXPECT_FALSE(read("").only_imported);
}

TEST(Outline, NamesWithPartsStandForOthers) {
    EXPECT_TRUE(stands_for("u_{a}", "u_x"));
    EXPECT_TRUE(stands_for("dd{a}_pos", "ddx_pos"));
    EXPECT_TRUE(stands_for("{q}_max", "ux_max"));
    EXPECT_FALSE(stands_for("u_{a}", "v_x"));
    EXPECT_FALSE(stands_for("dd{a}_pos", "ddx_neg"));
    EXPECT_FALSE(stands_for("{q}_{q}_{q}_{q}_{q}_x", std::string(60, '_')));
    EXPECT_FALSE(
        stands_for("{a}{b}{c}{d}{e}{f}{g}{h}{i}{j}{k}{l}{m}{n}{o}{p}{q}{r}{s}{t}{u}{v}!", std::string(90, 'x')));
}

}  // namespace
}  // namespace kasc::lsp
