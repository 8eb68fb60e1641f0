#pragma once
// Programs for tests of what writes them anew.
#include <gtest/gtest.h>

#include <string>

#include "rewrite/statements.hpp"

namespace kasc::test {

inline Program checked_program(const std::string& text) {
    const auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return program ? *program : Program{};
}
/// A statement a line, without their loops.
inline std::string statements_of(const Program& program) {
    std::string all;
    rewriting::each_statement(program.statements,
                              [&](const Statement& s) { all += rewriting::statement_text(program, s) + "\n"; });
    return all;
}

}  // namespace kasc::test
