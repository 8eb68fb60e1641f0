#pragma once
// Parse trees → Ast, item by item, and the order of the parts.

#include <set>
#include <string>

#include <KascParser.h>

#include "frontend/building.hpp"
#include "frontend/names_in_order.hpp"

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
    /// What has an order: what must hold before a run, the statements, the outputs.
    enum class Part { requirements, statements, outputs };
    void enter(Part part, const Span& span, const char* what);
    /// What stands anywhere before the outputs, above the statements that say its names.
    void declare(grammar::KascParser::ItemContext* item, const SourceRef& source, const char* what);
    bool read(const SourceRef& source);
    void add(grammar::KascParser::ItemContext* item, const SourceRef& source);
    /// False: the item holds no others.
    [[nodiscard]] bool add_inner(grammar::KascParser::ItemContext* item, const SourceRef& source, const Span& first);
    void without_uniform_inputs();

    Building building_;
    NamesInOrder names_;
    Part part_ = Part::requirements;
    Span part_span_;                   ///< what began the current part
    Span last_;                        ///< the item before
    Span not_a_function_;              ///< the first item that is none
    bool returns_otherwise_ = false;   ///< 'output S;' was refused
    bool faulty_statement_ = false;    ///< one was refused
    std::set<std::string> misplaced_;  ///< what was said to stand behind a later part
    bool unknown_branch_ = false;      ///< of an if whose condition is at fault
};

}  // namespace kasc::frontend
