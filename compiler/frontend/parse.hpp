#pragma once
// Source text → Ast. Diagnostics K01xx. Any bytes end in an Ast or an error, in time and memory that are linear in the
// length of the text: what could make the parser recurse deeply or run long is refused on the bytes and on the tokens.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "foundation/outcome.hpp"
#include "frontend/ast.hpp"

namespace kasc {

/// Bounds on a program. The published programs have below 1 KiB, 300 tokens and 5 levels; these bounds are what keeps
/// the recursion of the parser and of every later stage within a stack of 8 MiB.
struct ProgramLimits {
    std::size_t bytes = std::size_t{1} << 20;
    std::size_t tokens = 100'000;
    std::size_t name_bytes = 64;    ///< C++ compilers promise 63 significant characters and more
    std::size_t nesting = 200;      ///< brackets, prefix operators and ?: that are open at one place
    std::size_t tree_depth = 1000;  ///< of an expression: a + b + c + … is as deep as it has terms
};
inline constexpr ProgramLimits program_limits{};

/// Ensures: one inputs and one outputs statement, parts in order, at least one declaration and one statement, loops
/// have statements, trees no deeper than program_limits.tree_depth.
/// The branch of an `if` that its condition leaves out is read, and nothing more.
[[nodiscard]] Outcome<Ast> parse(const SourceRef& source, const ProgramSettings& settings = {});
/// read_program() of what parse() gave with these settings, or with others that differ neither in options nor in fields
/// `or uniform`.
[[nodiscard]] Outcome<Program> read_parsed(Outcome<Ast> ast, const Library& library, const ProgramSettings& settings);

/// The texts of all files that a program imports, by any way, each once, after that which names it first; those that
/// are not there, or too large, are left out. `named`: the paths that a text imports, asked once of the program and of
/// each.
[[nodiscard]] std::vector<SourceRef> imported_texts(
    const SourceRef& program, const std::function<std::vector<std::filesystem::path>(const SourceRef&)>& named);
/// The program's text with those of all files that it imports behind it, for those who look for words in it. Says
/// nothing of files that are not there.
[[nodiscard]] SourceRef text_with_imports(const SourceRef& program);

/// A library of functions for fields: a text of `function` items alone.
[[nodiscard]] Outcome<std::vector<ast::Function>> parse_functions(const SourceRef& source);

}  // namespace kasc
