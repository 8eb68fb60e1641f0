// Sine and cosine transforms become statements with a Fourier transform among them: what they are, and what is shared.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "frontend/program.hpp"
#include "frontend/trigonometric.hpp"
#include "library/library.hpp"

namespace kasc {
namespace {

Program read_walls(const std::string& statements, const std::string& returned = "q") {
    const std::string text =
        "axis kx = half(x); float p[x, y], q[x, y], y_line[y]; double d[x, y]; complex P[kx, y], C[x, y];"
        "function twice(u) = u + u; input p, d, y_line;" +
        statements + " return " + returned + ";";
    const auto program = read_program(make_source("case.kas", text), Library{}, {});
    if (!program) throw std::runtime_error(render_text(program.diagnostics));
    return *program;
}

std::vector<TransformStatement> transforms_of(const Program& program) {
    std::vector<TransformStatement> found;
    for (const Statement& s : program.statements) {
        if (const auto* transform = std::get_if<TransformStatement>(&s)) found.push_back(*transform);
    }
    return found;
}

std::set<std::string> axes_of_compiler(const Program& program) {
    std::set<std::string> names;
    for (const Axis& axis : program.axes)
        if (axis.own) names.insert(axis.name);
    return names;
}

const FieldShape& shape_named(const Program& program, const std::string& name) {
    for (const Variable& v : program.variables)
        if (v.name == name) return std::get<FieldShape>(v.shape);
    throw std::runtime_error(name);
}

std::string wall_fault(const std::string& statements) {
    try {
        read_walls(statements);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "no fault";
}

TEST(Trigonometric, NamesAreOfFourTypesAndTheirInverses) {
    const std::vector<std::string> names = frontend::trigonometric_names();
    EXPECT_EQ(names.size(), 16U);
    for (const std::string& name : names) EXPECT_TRUE(frontend::find_trigonometric(name)) << name;
    for (const char* other : {"dct", "dct0", "dct5", "idct", "dct22", "iidct2", "dft1", ""})
        EXPECT_FALSE(frontend::find_trigonometric(other)) << other;
    const auto sine = frontend::find_trigonometric("idst3");
    EXPECT_TRUE(sine->sine && sine->inverse);
    EXPECT_EQ(sine->type, 3);
}

TEST(Trigonometric, TypesTwoAndThreeAreRealLinesOfTheSameLength) {
    const Program program = read_walls("q = dct2(p, y) + dst3(p, y);");
    const auto all = transforms_of(program);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].direction, Direction::forward);
    EXPECT_EQ(all[1].direction, Direction::backward);
    EXPECT_EQ(axes_of_compiler(program), (std::set<std::string>{"y_line_", "y_line__waves"}));  // the name is a field's
    EXPECT_EQ(shape_named(program, "q_dct2_line").type, CellType::float32);
    EXPECT_EQ(shape_named(program, "q_dct2_waves").type, CellType::complex64);
}

TEST(Trigonometric, TypeFourIsAComplexLineAndTypeOneALineWithItsImage) {
    const Program fourth = read_walls("q = dct4(p, x);");
    EXPECT_TRUE(axes_of_compiler(fourth).empty());
    EXPECT_EQ(shape_named(fourth, "q_dct4_line").type, CellType::complex64);
    const Program first = read_walls("q = dct1(p, x) + dst1(p, x);");
    EXPECT_EQ(axes_of_compiler(first),
              (std::set<std::string>{"x_image", "x_image_waves", "x_odd_image", "x_odd_image_waves"}));
    // The image of a single cell about itself is none: dct1 alone asks for two.
    EXPECT_EQ(first.requirements.size(), 1U);
}

TEST(Trigonometric, AlongSeveralAxesIsOneAfterTheOther) {
    EXPECT_EQ(transforms_of(read_walls("q = dct2(p);")).size(), 2U);
    EXPECT_EQ(transforms_of(read_walls("q = idst2(dst2(p, y, x), x, y);")).size(), 4U);
}

TEST(Trigonometric, WhatAStatementRepeatsIsComputedOnce) {
    EXPECT_EQ(transforms_of(read_walls("q = twice(dct2(p, x));")).size(), 1U);
    EXPECT_EQ(transforms_of(read_walls("q = dct2(p, x) + dct2(p, x);")).size(), 2U);
}

TEST(Trigonometric, FactorsAreComputedOnceBeforeTheFirstStatement) {
    const Program program = read_walls("q = p; for (n = 0; n < 3; n++) { q = idct2(dct2(q, x)/(1 + x), x); }");
    ASSERT_EQ(program.statements.size(), 3U);
    const auto* first = std::get_if<FieldStatement>(&program.statements.front());
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(program.variables[first->target].name, "x_turns");
}

TEST(Trigonometric, OfDoublesIsOfDouble) {
    const Program program = read_walls("d = dct3(d, x);", "d");
    EXPECT_EQ(shape_named(program, "d_dct3_waves").type, CellType::complex128);
    EXPECT_EQ(shape_named(program, "x_turns").type, CellType::complex128);
}

TEST(Trigonometric, LeavesTransformsOfTheProgramAlone) {
    // y has no half spectrum of the program's, whatever lines of its length have.
    const Program program = read_walls("C = dct2(p, y); C = ifft(fft(C, y), y); q = real(C);");
    EXPECT_EQ(shape_named(program, "C_spectrum").type, CellType::complex64);
    EXPECT_EQ(shape_named(program, "C_spectrum").axes, shape_named(program, "C").axes);
}

TEST(Trigonometric, IsOfRealsAlongAxesOfCells) {
    EXPECT_NE(wall_fault("q = dct2(C, x);").find("K0250"), std::string::npos) << wall_fault("q = dct2(C, x);");
    EXPECT_NE(wall_fault("P = dct2(p, x); q = p;").find("K0252"), std::string::npos);
    EXPECT_NE(wall_fault("q = dct2(p, z);").find("K0252"), std::string::npos);
    EXPECT_NE(wall_fault("q = dct2();").find("K0205"), std::string::npos);
    EXPECT_NE(wall_fault("q = dct(p);").find("dct2(p)"), std::string::npos) << wall_fault("q = dct(p);");
}

}  // namespace
}  // namespace kasc
