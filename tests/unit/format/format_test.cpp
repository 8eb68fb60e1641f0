// What the formatter makes of single statements. That it keeps programs as they are: format_property_test.cpp.
#include "format/format.hpp"

#include <gtest/gtest.h>

namespace kasc {
namespace {

std::string formatted(const std::string& text) {
    const auto result = format_program(make_source("test.kas", text));
    EXPECT_TRUE(result) << render_text(result.diagnostics);
    return result ? *result : "";
}

TEST(Format, BlanksStandAroundOperatorsAndBehindCommas) {
    EXPECT_EQ(formatted("T=T+dt*( a<b&&!c ?x:-y ) ;"), "T = T + dt*(a < b && !c ? x : -y);\n");
    EXPECT_EQ(formatted("r [t=n]+=sum( u ,x ) ;"), "r[t = n] += sum(u, x);\n");
    EXPECT_EQ(formatted("a = b<<2|c&~d^e;"), "a = b << 2 | c & ~d ^ e;\n");
    EXPECT_EQ(formatted("u . z=w [x+1] . x-f .12*D .4_0;"), "u.z = w[x + 1].x - f.12*D.4_0;\n");
}

TEST(Format, ProductsKeepTheirBlanksOnBothSidesOrNone) {
    EXPECT_EQ(formatted("a = 6 * T + 2*u/ 3;"), "a = 6 * T + 2*u / 3;\n");
    EXPECT_EQ(formatted("a = 6*T*-u;"), "a = 6*T*-u;\n");
}

TEST(Format, CommasOfABracketKeepTheirBlanksAllOrNone) {
    EXPECT_EQ(formatted("a = T[-1,0,0] + T[-1, 0,0] + f(b,c);"), "a = T[-1,0,0] + T[-1, 0, 0] + f(b, c);\n");
}

TEST(Format, DeclarationsOfAllKinds) {
    EXPECT_EQ(formatted("float T [x,y]boundary( x :mirror/ -mirror , keep( 2 ) ),s[ ]or   uniform;"),
              "float T[x, y] boundary (x: mirror / -mirror, keep(2)), s[] or uniform;\n");
    EXPECT_EQ(formatted("float w[q]={ 4/9.0,{1 , -2} };type p=float [ 19 ] ;"),
              "float w[q] = {4/9.0, {1, -2}}; type p = float[19];\n");
    EXPECT_EQ(formatted("option source=none in(none,additive);"), "option source = none in (none, additive);\n");
    EXPECT_EQ(formatted("list space=(x,y if Nz>1);import\"a.kas\";"),
              "list space = (x, y if Nz > 1); import \"a.kas\";\n");
    EXPECT_EQ(formatted("float b[x] boundary-mirror;"), "float b[x] boundary -mirror;\n");
}

TEST(Format, WordsOfTheLanguageAreNamesWhereTheyStandForNames) {
    EXPECT_EQ(formatted("in = value (list) - boundary -mirror*while(keep);"),
              "in = value(list) - boundary - mirror*while(keep);\n");
}

TEST(Format, WordsThatWouldBeOthersStayApart) {
    EXPECT_EQ(formatted("a = 1  .x + T  0.5 + f .5;"), "a = 1 .x + T 0.5 + f.5;\n");
    EXPECT_EQ(formatted("a = b- -c*- -d;"), "a = b - -c*--d;\n");
}

TEST(Format, BlocksOnOneLineStayThere) {
    EXPECT_EQ(formatted("for(n=0;n<steps;n++){T=2*T;}"), "for (n = 0; n < steps; n++) { T = 2*T; }\n");
    EXPECT_EQ(formatted("if(a){}else{b=c;}"), "if (a) {} else { b = c; }\n");
    EXPECT_EQ(formatted("function f(u){let g=2*u;return -g;}"), "function f(u) { let g = 2*u; return -g; }\n");
}

TEST(Format, OtherBlocksBeginAndEndLines) {
    EXPECT_EQ(
        formatted("for a in(x,y),k in list\n{float u_{a}[x];\n\n\n\nif(a==1){b=c;\n} else\nif(d){e=f;\n}\n\n}g=h;"),
        "for a in (x, y), k in list {\n    float u_{a}[x];\n\n    if (a == 1) {\n        b = c;\n    } else if (d) {\n"
        "        e = f;\n    }\n}\ng = h;\n");
}

TEST(Format, LinesThatGoOnKeepTheirPlaceBesideWhatTheyStandBelow) {
    EXPECT_EQ(formatted("  L=(a\n     +b);\n"), "L = (a\n     + b);\n");
    EXPECT_EQ(formatted("while (a) {\nf=g\n+h;\n}"), "while (a) {\n    f = g\n        + h;\n}\n");
    EXPECT_EQ(formatted("\tF =\n\t  m(\n\t    a,b\n\t  ) ;"), "F =\n  m(\n    a, b\n  );\n");
}

TEST(Format, CommentsAtTheEndsOfLinesStayBelowEachOther) {
    EXPECT_EQ(formatted("a =b;// one\ncc=d;// two\n"), "a = b;   // one\ncc = d;  // two\n");
    EXPECT_EQ(formatted("a = b;      // one\nlong = 2*d;  // two\n"), "a = b;      // one\nlong = 2*d;  // two\n");
    EXPECT_EQ(formatted("while (a) {\n  b = c;  // one\n  d = e;  // two\n}"),
              "while (a) {\n    b = c;  // one\n    d = e;  // two\n}\n");
}

TEST(Format, CommentsKeepTheirPlaces) {
    const std::string text =
        "// °C\n\nfloat T[x];     // the temperature,\n                // of tissue\nfloat longer[x, y];  // other\n"
        "for (n = 0; n < 9; n++) {  // steps\n    // each of them\n    T = /* was */ T;\n    /* a\n       b */\n}\n// "
        "end\n";
    EXPECT_EQ(formatted(text), text);
    EXPECT_EQ(formatted("while (a) {\n  /* one\n     two */\n  b = c; }"),
              "while (a) {\n    /* one\n       two */\n    b = c;\n}\n");
    EXPECT_EQ(formatted("a = b/ /* c */d;"), "a = b / /* c */ d;\n");
}

TEST(Format, BlankLinesAndEndsOfLines) {
    EXPECT_EQ(formatted("\n\na = b;  \r\n\r\n\r\n\r\nc = d;\t// e \t"), "a = b;\n\nc = d;  // e\n");
    EXPECT_EQ(formatted(""), "");
    EXPECT_EQ(formatted("// alone"), "// alone\n");
}

TEST(Format, AProgramWithASyntaxErrorHasNoLayout) {
    const auto result = format_program(make_source("test.kas", "a = b;\nc = (d;\n"));
    EXPECT_FALSE(result);
    ASSERT_FALSE(result.diagnostics.empty());
    EXPECT_EQ(result.diagnostics.front().code, "K0104");
}

}  // namespace
}  // namespace kasc
