#pragma once
// Tables of constants: fields whose values stand in their declaration.
//
//     float w[q] = {4/9.0, 1/9.0, 1/36.0};      axis q = 3;  float w[q];
//                                               w = q < 1 ? 4/9.0 : q < 2 ? 1/9.0 : 1/36.0;      before all else

#include <KascParser.h>

#include "frontend/ast_expression.hpp"
#include "frontend/building.hpp"

namespace kasc::frontend {

/// The lengths of its axes and the statement that fills it, which stands before all others.
void add_table(const ast::Declaration& declaration, grammar::KascParser::TableContext* context,
               ExpressionBuilder& expressions, Building& building);

/// When all is declared: entries are made of numbers, options and parameters, no input has values of its own.
void check_tables(const Building& building);

}  // namespace kasc::frontend
