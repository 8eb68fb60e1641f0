#pragma once
// Parse trees → Ast, item by item, and the order of the parts.

#include <set>
#include <string>

#include <KascParser.h>

#include "frontend/building.hpp"

namespace kasc::frontend {

class AstBuilder {
public:
    AstBuilder(const SourceRef& source, const ProgramSettings& settings, Report& report);
    /// All items of the text; false: some have a syntax error.
    [[nodiscard]] bool read();
    /// Checks that no part is missing.
    [[nodiscard]] Ast finish();
    /// Checks that there is nothing but functions.
    [[nodiscard]] Ast finish_functions();

private:
    /// The parts of a program in their order. Declarations, inputs and requirements stand in any order before the
    /// statements.
    enum class Part { declarations, statements, outputs };
    void enter(Part part, const Span& span, const char* what);
    bool read(const SourceRef& source);
    void add(grammar::KascParser::ItemContext* item, const SourceRef& source);
    /// False: the item holds no others.
    [[nodiscard]] bool add_inner(grammar::KascParser::ItemContext* item, const SourceRef& source, const Span& first);
    void without_uniform_inputs();

    Building building_;
    Part part_ = Part::declarations;
    Span part_span_;                   ///< what began the current part
    Span last_;                        ///< the item before
    Span not_a_function_;              ///< the first item that is none
    bool returns_otherwise_ = false;   ///< 'output S;' was refused
    bool faulty_statement_ = false;    ///< one was refused
    std::set<std::string> misplaced_;  ///< what was said to stand behind a later part
    bool unknown_branch_ = false;      ///< of an if whose condition is at fault
};

}  // namespace kasc::frontend
