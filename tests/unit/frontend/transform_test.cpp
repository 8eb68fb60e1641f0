// Transforms become statements of their own: how many, of which precision, and where a function repeats one.
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/program.hpp"
#include "library/library.hpp"

namespace kasc {
namespace {

Program read(const std::string& statements, const std::string& returned = "q") {
    const std::string text =
        "axis kx = half(x); float p[x, y], q[x, y]; double d[x, y], e[x, y]; complex C[x, y];"
        "function beside(u) = u + ifft(u, y); function within(u) = ifft(u*ifft(u, y), y) + u; function cubed(u) = "
        "u*u*u;"
        "function filtered(u) = u*ifft(fft(u)*(1 + kx));"
        "input p, d; " +
        statements + " return " + returned + ";";
    const auto program = read_program(make_source("case.kas", text), Library{}, {});
    if (!program) throw std::runtime_error(render_text(program.diagnostics));
    return *program;
}

std::size_t transforms(const Program& program) {
    return static_cast<std::size_t>(
        std::count_if(program.statements.begin(), program.statements.end(),
                      [](const Statement& s) { return std::holds_alternative<TransformStatement>(s); }));
}

CellType type_of(const Program& program, const char* name) {
    for (const Variable& v : program.variables) {
        if (v.name == name) return std::get<FieldShape>(v.shape).type;
    }
    throw std::runtime_error(name);
}

/// Every operand of a statement is one that it has.
void expect_operands(const Program& program) {
    for (const Statement& s : program.statements) {
        if (const auto* field = std::get_if<FieldStatement>(&s)) {
            EXPECT_LE(operands_end(*field->value), field->operands.size());
        }
    }
}

TEST(Transform, ThatAFunctionRepeatsIsComputedOnce) {
    const Program program = read("q = cubed(ifft(0.5*fft(p)));");
    EXPECT_EQ(transforms(program), 2U);
    expect_operands(program);
}

/// The argument stands in the statement and in the argument of another transform, whose operands are others.
TEST(Transform, MayStandInAnotherOneAndBesideIt) {
    for (const char* body : {"beside", "within"}) {
        const Program program = read(std::string("C = ") + body + "(fft(complex(1, y), y)); q = real(C);");
        EXPECT_EQ(transforms(program), body == std::string("beside") ? 2U : 3U) << body;
        expect_operands(program);
    }
}

TEST(Transform, OfATransformThatAFunctionRepeatsTakesTheOneThatIsThere) {
    const Program program = read("q = filtered(ifft(0.5*fft(p)));");
    EXPECT_EQ(transforms(program), 4U);
    expect_operands(program);
}

TEST(Transform, OfDoublesIsOfDoubleWhateverTheTarget) {
    const Program nested = read("q = ifft(0.5*fft(d)) + ifft(0.5*fft(p));");
    EXPECT_EQ(type_of(nested, "q_spectrum_fft"), CellType::complex128);
    EXPECT_EQ(type_of(nested, "q_spectrum"), CellType::complex128);
    EXPECT_EQ(type_of(nested, "q_ifft"), CellType::float64);
    EXPECT_EQ(type_of(nested, "q_spectrum_2_fft"), CellType::complex64);
    EXPECT_EQ(type_of(nested, "q_ifft_2"), CellType::float32);
    // A whole statement is rounded by the statement that takes it from the transform, which is one.
    const Program whole = read("q = unscaled_ifft(fft(d));");
    EXPECT_EQ(type_of(whole, "q_ifft"), CellType::float64);
    EXPECT_EQ(transforms(whole), 2U);
    const Program of_floats = read("e = ifft(fft(p));", "e");
    EXPECT_EQ(type_of(of_floats, "e_spectrum_field"), CellType::float64);
}

}  // namespace
}  // namespace kasc
