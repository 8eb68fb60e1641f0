#include "foundation/diagnostic.hpp"

#include <gtest/gtest.h>

#include "foundation/printable.hpp"

namespace kasc {
namespace {

Diagnostic unknown_function() {
    Diagnostic d;
    d.code = "K0203";
    d.message = "unknown function 'mmul3'";
    d.span = {make_source("big.kas", "matrix3x3 A, M;\ninput A;\nM = mmul3(A, A);\n"), 29, 34};
    d.label = "not in the library";
    d.help = "did you mean 'mmul33'?";
    return d;
}

TEST(Diagnostic, ShowsLineCaretAndHelp) {
    EXPECT_EQ(render_text({unknown_function()}),
              "error[K0203]: unknown function 'mmul3'\n"
              "  --> big.kas:3:5\n"
              "   |\n"
              " 3 | M = mmul3(A, A);\n"
              "   |     ^^^^^ not in the library\n"
              "   = help: did you mean 'mmul33'?\n");
}

TEST(Diagnostic, LettersOfSeveralBytesAreOneColumnOfTheCaret) {
    Diagnostic d = unknown_function();
    const std::string text = "/* größer als ∂u */ a = é + b;";
    const auto shown = [&](const std::string& marked) {
        d.span = {make_source("unit.kas", text), text.find(marked), text.find(marked) + marked.size()};
        const std::string all = render_text({d});
        return all.substr(all.find('\n', all.find("größer")) + 1);
    };
    const std::string rest = " not in the library\n   = help: did you mean 'mmul33'?\n";
    EXPECT_EQ(shown("b;"), "   | " + std::string(28, ' ') + "^^" + rest);
    EXPECT_EQ(shown("é + b"), "   | " + std::string(24, ' ') + "^^^^^" + rest);
}

TEST(Diagnostic, TidySortsByPlaceAndDropsDuplicates) {
    Diagnostic later = unknown_function();
    later.span.begin = 40;
    later.span.end = 41;
    const Diagnostics tidied = tidy({later, unknown_function(), unknown_function()});
    ASSERT_EQ(tidied.size(), 2U);
    EXPECT_EQ(tidied[0].span.begin, 29U);
    EXPECT_EQ(tidied[1].span.begin, 40U);
}

TEST(Diagnostic, TidyCapsAndSaysHowManyAreLeftOut) {
    Diagnostics many;
    for (std::size_t i = 0; i < 30; ++i) {
        many.push_back(unknown_function());
        many.back().span.begin = i;
    }
    const Diagnostics tidied = tidy(many, 10);
    ASSERT_EQ(tidied.size(), 11U);
    EXPECT_EQ(tidied.back().message, "20 more diagnostics are not shown");
}

TEST(Diagnostic, GarbageBytesAndPlacesPastTheEndAreSafe) {
    Diagnostic d = unknown_function();
    d.span = {make_source("x\x01.kas", std::string("\xff\x00\x1b[31m\n", 8)), 100, 90};
    const std::string text = render_text({d});
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\x01'), std::string::npos);
}

TEST(Printable, WritesOutWhatSteersATerminal) {
    EXPECT_EQ(printable("T_1 größer ∂²u 温度 😀"), "T_1 größer ∂²u 温度 😀");
    EXPECT_EQ(printable("\x1b[31m\n\r\t\x7f"), "\\x1b[31m\\n\\r\\t\\x7f");
    EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(printable("\xc2\x9b"
                        "2J"),
              "\\u009b2J");  // a control of Latin-1
    EXPECT_EQ(printable("\xe2\x80\xae"
                        "gnp"),
              "\\u202egnp");  // letters in reverse
    EXPECT_EQ(printable("\xff\xc3\xc0\xaf\xed\xa0\x80\xf5"), "\\xff\\xc3\\xc0\\xaf\\xed\\xa0\\x80\\xf5");
    EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");  // cut short
}

TEST(Diagnostic, JsonHoldsThePlace) {
    const std::string json = render_json({unknown_function()});
    EXPECT_NE(json.find("\"line\": 3"), std::string::npos);
    EXPECT_NE(json.find("\"column\": 5"), std::string::npos);
    EXPECT_NE(json.find("\"length\": 5"), std::string::npos);
}

TEST(NearestName, FindsATypoAndNoStranger) {
    const std::vector<std::string> names{"mmul33", "mmul55", "venorm3"};
    EXPECT_EQ(nearest_name("mmul3", names), "mmul33");
    EXPECT_EQ(nearest_name("venrom3", names), "venorm3");
    EXPECT_EQ(nearest_name("mmul3", {"vmul3", "mmul33", "mmul3x"}), "mmul33");
    EXPECT_EQ(nearest_name("convolve", names), std::nullopt);
    EXPECT_EQ(nearest_name("vdto3", {"venorm3", "vdot3"}), "vdot3");
    EXPECT_EQ(nearest_name("v", {"P", "T"}), std::nullopt);
    EXPECT_EQ(nearest_name("t", {"P", "T"}), "T");
}

}  // namespace
}  // namespace kasc
