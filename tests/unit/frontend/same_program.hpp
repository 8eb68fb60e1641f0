#pragma once
// Texts that must make the same program.

#include <gtest/gtest.h>

#include <string>

#include "frontend/program.hpp"
#include "unit/frontend/field_library.hpp"

namespace kasc::test {

/// The program as it is printed back; empty, with a failure, where it is at fault.
inline std::string program_text(const std::string& text, const ProgramSettings& settings = {}) {
    const auto read = read_program(make_source("p.kas", text), field_library(), settings);
    EXPECT_TRUE(read) << text << render_text(read.diagnostics);
    return read ? print(*read.value, field_library()) : "";
}

/// The codes of what is said of it, in the order of the text.
inline std::string said_codes(const std::string& text, const ProgramSettings& settings = {}) {
    const auto read = read_program(make_source("p.kas", text), field_library(), settings);
    std::string all;
    for (const Diagnostic& d : tidy(read.diagnostics)) all += (all.empty() ? "" : " ") + d.code;
    return all;
}

}  // namespace kasc::test
