#pragma once
// Programs of cells, and the same by their words.

#include <gtest/gtest.h>

#include <string>

#include "frontend/program.hpp"
#include "library/library.hpp"

namespace kasc::test {

inline const Library& cell_library() {
    static const Library library = *read_library({std::string(KASC_SOURCE_DIR) + "/elementlib"}).value;
    return library;
}

inline Outcome<Program> read_cells(const std::string& text) {
    return read_program(make_source("cells.kas", text), cell_library());
}

/// Both texts are the same program.
inline void expect_same(const std::string& of_cells, const std::string& of_words) {
    const auto cells = read_cells(of_cells), words = read_cells(of_words);
    ASSERT_TRUE(cells) << render_text(cells.diagnostics);
    ASSERT_TRUE(words) << render_text(words.diagnostics);
    EXPECT_TRUE(cells.diagnostics.empty()) << render_text(cells.diagnostics);
    EXPECT_EQ(print(*cells.value, cell_library()), print(*words.value, cell_library()));
}

}  // namespace kasc::test
