// Options, if, and fields that are one number.
#include <gtest/gtest.h>

#include <algorithm>

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

/// What record leaves of a loop and of a branch of the run, and of those around.
TEST(Options, LoopsAndBranchesOfWhichNothingIsLeftAreLeftOut) {
    const auto read = [](const ProgramSettings& settings) {
        return read_program(make_source("recorded.kas", R"(
option record = 0;
list shown = (u if record);
float u[x], hot[], lowest[];
procedure look() { if (record) { hot = hot + maximum(u); } }
input u;
hot = 0; lowest = 0;
u = 2*u;
for (n = 0; n < 3; n++) { look(); }
if (maximum(u) > 0.7) { if (record) { hot = maximum(u); } } else { for (n = 0; n < 3; n++) { look(); } }
for (n = 0; n < 3; n++) { for q in shown { lowest = minimum(q); } }
if (record) { return u, hot, lowest; } else { return u; }
)"),
                            Library{}, settings);
    };
    const auto loops = [](const Program& program) {
        return std::count_if(program.statements.begin(), program.statements.end(), [](const Statement& statement) {
            return std::holds_alternative<std::shared_ptr<const LoopStatement>>(statement);
        });
    };
    const auto without = read({}), with = read({{"record", 1}});
    ASSERT_TRUE(without) << render_text(without.diagnostics);
    EXPECT_EQ(without->statements.size(), 1U);
    ASSERT_TRUE(with) << render_text(with.diagnostics);
    EXPECT_EQ(loops(*with), 4);  // a branch is two
}

}  // namespace
}  // namespace kasc
