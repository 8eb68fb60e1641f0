#include "foundation/flag_words.hpp"

#include <gtest/gtest.h>

namespace kasc {
namespace {

Diagnostic about(std::string help, std::vector<FlagHelp> more) {
    Diagnostic d;
    d.code = "K0000";
    d.message = "m";
    d.help = std::move(help);
    d.flag_helps = std::move(more);
    return d;
}

const FlagWords words{{"--out", {"-o"}},
                      {"--memory", {"--memory"}},
                      {"--checkpoint", {"--checkpoint_file"}},
                      {"--restart", {"--checkpoint_file"}},
                      {"--set", {"", "write it into the file"}}};

std::string said(std::string help, std::vector<FlagHelp> more) {
    return in_words_of(words, {about(std::move(help), std::move(more))}).front().help;
}

TEST(FlagWords, AreThoseOfKascRunWhereNothingElseIsSaid) {
    const Diagnostic d = about("make the grid smaller", {{{"--memory"}, "or allow more with {}"}});
    EXPECT_EQ(help_text(d), "make the grid smaller, or allow more with --memory");
    EXPECT_NE(render_text({d}).find("= help: make the grid smaller, or allow more with --memory\n"), std::string::npos);
    EXPECT_NE(render_json({d}).find("\"help\": \"make the grid smaller, or allow more with --memory\""),
              std::string::npos);
    EXPECT_EQ(help_text(about("", {{{"--a", "--b", "--c"}, "leave {} out"}})), "leave --a, --b and --c out");
}

TEST(FlagWords, HaveTheNamesOfTheCommand) {
    EXPECT_EQ(said("make room", {{{"--out"}, "or give {} another place"}}), "make room, or give -o another place");
    EXPECT_EQ(said("", {{{"--checkpoint", "--restart", "--set"}, "leave {} out"}}), "leave --checkpoint_file out");
}

TEST(FlagWords, LeaveOutWhatTheCommandHasNoFlagFor) {
    EXPECT_EQ(said("", {{{"--picture"}, "draw it later"}, {{"--memory", "--lib"}, "or leave {} out"}}),
              "leave --memory out");
    EXPECT_EQ(said("mend it", {{{"--plan"}, "write another {}"}}), "mend it");
}

TEST(FlagWords, MayBeOtherAdvice) {
    EXPECT_EQ(said("", {{{"--set"}, "pass {} dt=…"}, {{"--set"}, "pass {} dx=…"}}), "write it into the file");
}

}  // namespace
}  // namespace kasc
