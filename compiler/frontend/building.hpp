#pragma once
// What the builders of one program's Ast share while its text is read. It lives inside parse() and is never seen
// outside of this stage.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/ast.hpp"
#include "frontend/lets.hpp"
#include "frontend/report.hpp"

namespace kasc::frontend {

/// How far walks over parse trees go: expressions that are deeper are refused where they are built. Some rules stand
/// between two operations.
inline constexpr std::size_t deepest_tree = 4000;

/// A block that stands wherever it is called, with other names in it.
struct Procedure {
    ast::Name name;
    std::vector<ast::Name> arguments;
    Span body;                     ///< between the braces
    std::set<std::string> locals;  ///< what it declares: fields, axes, names of expressions, variables of loops
    std::set<std::string> free;    ///< other names that its expressions use
    struct Place {
        Span span;
        bool is_assigned = false;  ///< a word of a cell may stand there
    };
    bool used = false;
    std::map<std::string, Place> fields;  ///< arguments that must be names: where one is assigned, indexed or an axis
};

/// A field whose values stand in its declaration.
struct ConstantTable {
    ast::Assignment statement;  ///< fills it
    std::vector<ast::ExpressionRef> entries;
    std::vector<ast::Name> axes;
};

struct Building {
    Building(Report& all, const ProgramSettings& given) : report(all), settings(given) {}

    Ast ast;
    Report& report;
    const ProgramSettings& settings;
    std::set<std::string> names{};  ///< all that the texts say
    Lets lets{ast, names};
    std::vector<Procedure> procedures{};
    std::map<std::string, std::vector<ast::Name>> lists{};  ///< entries that their conditions leave
    std::vector<std::string> loops{};                       ///< variables of the loops around
    std::set<std::string> defined{};                        ///< procedures of the texts, those below too
    std::map<std::string, std::size_t> calls{};             ///< of each procedure, so far
    std::vector<std::size_t> expanding{};                   ///< procedures, by number
    std::size_t expanded_bytes = 0;
    std::size_t depth = 0;    ///< expansions within each other
    std::size_t nesting = 0;  ///< statements within each other, over all expansions
    bool exhausted = false;   ///< a bound on expansions was passed, which was said
    std::vector<ConstantTable> tables{};
    std::set<std::string> imported{};      ///< files, by their whole paths
    std::vector<std::string> importing{};  ///< those that are being read
};

}  // namespace kasc::frontend
