// Any bytes end in a value or an error, soon. The programs here are those that parsers fall over.

#include <gtest/gtest.h>

#include <chrono>

#include "frontend/parse.hpp"
#include "unit/frontend/test_library.hpp"

namespace kasc {
namespace {

std::string repeated(const std::string& part, std::size_t count) {
    std::string all;
    all.reserve(part.size() * count);
    for (std::size_t i = 0; i < count; ++i) all += part;
    return all;
}

Outcome<Program> read_text(std::string text) {
    return read_program(make_source("x.kas", std::move(text)), test::test_library());
}

std::string first_code(const Outcome<Program>& outcome) {
    const Diagnostics tidied = tidy(outcome.diagnostics);
    return tidied.empty() ? "" : tidied.front().code;
}

std::string assigned(const std::string& expression) {
    return "float T[x];\ninput T;\nT = " + expression + ";\nreturn T;\n";
}

TEST(Limits, DeepNestingIsRefused) {
    constexpr std::size_t many = 30'000;
    EXPECT_EQ(first_code(read_text(assigned(repeated("(", many) + "T" + repeated(")", many)))), "K0105");
    EXPECT_EQ(first_code(read_text(assigned(repeated("T[", many) + "0" + repeated("]", many)))), "K0105");
    EXPECT_EQ(first_code(read_text(assigned(repeated("exp(", many) + "T" + repeated(")", many)))), "K0105");
    EXPECT_EQ(first_code(read_text(assigned(repeated("- ", many) + "T"))), "K0105");
    EXPECT_EQ(first_code(read_text(assigned(repeated("!", many) + "T"))), "K0105");
    EXPECT_EQ(first_code(read_text(assigned(repeated("T > 0 ? 1 : ", many / 2) + "T"))), "K0105");
    EXPECT_EQ(first_code(read_text(assigned(repeated("T ? ", many / 2) + "T" + repeated(": 1", many / 2)))), "K0105");
    EXPECT_EQ(first_code(read_text("float T[x];\ninput T;\n" + repeated("for(n=0;n<2;n++){", 6000) + "T=T;" +
                                   repeated("}", 6000) + "return T;")),
              "K0105");
}

TEST(Limits, NestingBelowTheLimitIsRead) {
    EXPECT_TRUE(read_text(assigned(repeated("(", 150) + "T" + repeated(")", 150))));
    EXPECT_TRUE(read_text(assigned(repeated("- ", 150) + "T")));
    EXPECT_TRUE(read_text(assigned("T" + repeated(" + T", 900))));
    EXPECT_TRUE(read_text(assigned(repeated("T > 0 ? 1 : ", 150) + "T")));
}

TEST(Limits, LongChainsAreRefused) {
    EXPECT_EQ(first_code(read_text(assigned("T" + repeated(" + T", 40'000)))), "K0105");
    EXPECT_EQ(first_code(read_text(assigned("T" + repeated(" && T", 40'000)))), "K0105");
}

TEST(Limits, LargeProgramsAreRefused) {
    EXPECT_EQ(first_code(read_text(std::string((1U << 20) + 1, ' '))), "K0106");
    EXPECT_EQ(first_code(read_text(repeated(";", 200'000))), "K0106");
    EXPECT_EQ(render_text(read_text(std::string((1U << 20) + 1, '\n')).diagnostics),
              "error[K0106]: the program is longer than 1048576 bytes\n"
              "        --> x.kas:1048577:1\n"
              "         |\n"
              " 1048577 | \n"
              "         | ^ from here on\n");
    EXPECT_EQ(render_text(read_text(repeated(";\n", 200'000)).diagnostics),
              "error[K0106]: the program has more than 100000 words and signs\n"
              "       --> x.kas:100001:1\n"
              "        |\n"
              " 100001 | ;\n"
              "        | ^ from here on\n");
}

TEST(Limits, OpenCommentsCostNoTime) { EXPECT_EQ(first_code(read_text(repeated("/* ", 300'000))), "K0103"); }

TEST(Limits, ManyErrorsCostNoTime) {
    std::string text = "float T[x];\n";
    for (int i = 0; i < 4'000; ++i) text += "float name_of_some_length_" + std::to_string(i) + "[x];\n";
    text += "input T;\n";
    for (int i = 0; i < 8'000; ++i) text += "T = nmae_of_some_length_" + std::to_string(i) + ";\n";
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(first_code(read_text(text + "return T;\n")), "K0204");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Limits, ExpansionIsBounded) {
    std::string functions = "function f0(u) = u + u;\n";
    std::string constants = "function g0(u, k) = u[k];\n";
    for (int i = 1; i < 60; ++i) {
        const std::string here = std::to_string(i), before = std::to_string(i - 1);
        functions += "function f" + here + "(u) = f" + before + "(f" + before + "(u));\n";
        constants += "function g" + here + "(u, k) = g" + before + "(u, k + k);\n";
    }
    EXPECT_EQ(first_code(read_text("float T[x];\n" + functions + "input T;\nT = f59(T);\nreturn T;\n")), "K0231");
    const auto doubled =
        read_text("float T[x] boundary mirror;\n" + constants + "input T;\nT = g59(T, 0);\nreturn T;\n");
    EXPECT_FALSE(doubled.value.has_value());
}

TEST(Limits, EveryTruncationOfAProgramEndsInAnErrorOrAValue) {
    const std::string text =
        "float T[x, y] boundary value(1), on[t]; // n\nparam int s = 3;\nfunction f(u) = u[-1, 0];\ninput T, on;\n"
        "for (n = 0; n < s; n++) { T = f(T) > 1 ? on[t = n] : -T; }\nreturn T;\n";
    ASSERT_TRUE(read_text(text)) << render_text(read_text(text).diagnostics);
    for (std::size_t length = 0; length < text.size() - 1; ++length) {
        const auto outcome = read_text(text.substr(0, length));
        EXPECT_EQ(outcome.value.has_value(), !has_errors(outcome.diagnostics)) << length;
    }
}

TEST(Limits, EveryByteInEveryPlace) {
    const std::string text = "float T[x];\ninput T;\nT = T*2;\nreturn T;\n";
    for (std::size_t place = 0; place < text.size(); ++place) {
        for (int byte = 0; byte < 256; byte += 3) {
            std::string changed = text;
            changed[place] = static_cast<char>(byte);
            const auto outcome = read_text(changed);
            EXPECT_EQ(outcome.value.has_value(), !has_errors(outcome.diagnostics));
        }
    }
}

}  // namespace
}  // namespace kasc
