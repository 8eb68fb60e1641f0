// Options, if, and fields that are one number.
#include <gtest/gtest.h>

#include "frontend/program.hpp"
#include "library/library.hpp"

namespace kasc {
namespace {

constexpr const char* family = R"(
option loss = 0;
option parts = 2 + loss;
float p[x], c0[x] or uniform, q[x];
if (loss) { float a[x]; } else if (parts > 2) { float never[x]; }
input p, c0;
if (loss) { input a; }
q = parts == 3 ? c0*p : p;
for (n = 0; n < parts; n++) {
    q = q + p;
    if (loss) { q = q*a; }
}
if (loss) { return q, a; } else { return q; }
)";

Outcome<Program> read_family(const ProgramSettings& settings) {
    return read_program(make_source("family.kas", family), Library{}, settings);
}

std::vector<std::string> names(const Program& program, const std::vector<VariableId>& variables) {
    std::vector<std::string> all;
    for (const VariableId v : variables) all.push_back(program.variables[v].name);
    return all;
}

const LoopStatement& loop_of(const Program& program) {
    return *std::get<std::shared_ptr<const LoopStatement>>(program.statements.at(1));
}

TEST(Options, DefaultsLeaveTheOtherBranchOut) {
    const auto program = read_family({});
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    EXPECT_EQ(names(*program, program->inputs), std::vector<std::string>{"p"});  // c0 is read where parts is 3
    EXPECT_EQ(program->left_out, std::vector<std::string>{"c0"});
    EXPECT_EQ(names(*program, program->outputs), std::vector<std::string>{"q"});
    EXPECT_EQ(loop_of(*program).body.size(), 1U);
    EXPECT_EQ(std::get<Literal>(loop_of(*program).to->node).value, 2);
    // The side of ?: that is never taken is not read.
    EXPECT_EQ(std::get<FieldStatement>(program->statements.at(0)).operands.size(), 1U);
    EXPECT_EQ(program->options, (std::vector<std::string>{"loss", "parts"}));
}

TEST(Options, SettingsDecide) {
    const auto program = read_family({{"loss", 1}});
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    EXPECT_EQ(names(*program, program->inputs), (std::vector<std::string>{"p", "c0", "a"}));
    EXPECT_EQ(names(*program, program->outputs), (std::vector<std::string>{"q", "a"}));
    EXPECT_EQ(loop_of(*program).body.size(), 2U);
    EXPECT_EQ(std::get<Literal>(loop_of(*program).to->node).value, 3);
    EXPECT_EQ(std::get<FieldStatement>(program->statements.at(0)).operands.size(), 2U);
}

TEST(Options, AFieldIsOneNumberWhereItIsSetToOne) {
    const auto program = read_family({{"loss", 1}, {"c0", 1500}});
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    EXPECT_EQ(names(*program, program->inputs), (std::vector<std::string>{"p", "a"}));
    ASSERT_EQ(program->parameters.size(), 1U);
    EXPECT_EQ(program->parameters[ParameterId{0}].name, "c0");
    EXPECT_EQ(std::get<Literal>(program->parameters[ParameterId{0}].fallback->node).value, 1500);
}

TEST(Options, AreKnownInOffsetsLayersAndColours) {
    const auto text = [](const std::string& way, const std::string& twice, const std::string& colours) {
        const std::string program = "option way = 2;\nfloat p[x] boundary keep(" + way +
                                    ");\nfunction ahead(u, n) = u[x + n];\ninput p;\np = p[x - " + way + "] + p[" +
                                    twice + "] + ahead(p, " + way + ") coloured(" + colours + ");\nreturn p;\n";
        const auto read = read_program(make_source("ways.kas", program), Library{});
        EXPECT_TRUE(read) << render_text(read.diagnostics);
        return read ? print(*read.value, Library{}) : "";
    };
    const std::string known = text("2", "2*2", "5");
    EXPECT_FALSE(known.empty());
    EXPECT_EQ(text("way", "2*way", "way + 3"), known);
}

TEST(Options, AnIntegerStaysOne) {
    const auto program = read_family({{"loss", 0.5}});
    ASSERT_FALSE(program);
    EXPECT_EQ(program.diagnostics.front().code, "K0117");
}

}  // namespace
}  // namespace kasc
