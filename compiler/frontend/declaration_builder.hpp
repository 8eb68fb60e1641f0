#pragma once
// Parse trees of declarations → ast.

#include <KascParser.h>

#include "frontend/ast_expression.hpp"
#include "frontend/building.hpp"

namespace kasc::frontend {

class DeclarationBuilder {
public:
    DeclarationBuilder(const SourceRef& source, Building& building)
        : building_(building), report_(building.report), expressions_(source, building) {}

    /// Fields, parameters that stand in their place, tables.
    void declare(grammar::KascParser::DeclarationContext* context);
    void cell_type(grammar::KascParser::CellTypeContext* context);
    void axis_length(grammar::KascParser::AxisLengthContext* context);
    void parameter(grammar::KascParser::ParameterContext* context);
    void option(grammar::KascParser::OptionContext* context);
    void function(grammar::KascParser::FunctionContext* context);
    void list(grammar::KascParser::ListContext* context);

    [[nodiscard]] std::vector<ast::Name> names(const std::vector<grammar::KascParser::NameContext*>& contexts) const;

private:
    /// The words that an option may be, as numbers.
    void words(ast::Option& option, const std::vector<grammar::KascParser::NameContext*>& contexts);
    void add(ast::Declaration declaration);
    [[nodiscard]] ast::Boundary boundary(grammar::KascParser::BoundaryContext* context);
    [[nodiscard]] ast::Face face(grammar::KascParser::FaceContext* context);

    Building& building_;
    Report& report_;
    ExpressionBuilder expressions_;
};

}  // namespace kasc::frontend
