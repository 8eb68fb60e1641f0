#pragma once
// Declarations may stand between statements: a name is declared above the statements that say it.

#include <map>
#include <set>
#include <string>
#include <vector>

#include <KascParser.h>

#include "frontend/ast.hpp"
#include "frontend/ast_expression.hpp"
#include "frontend/report.hpp"

namespace kasc::frontend {

class NamesInOrder {
public:
    /// What the statements say, functions that they call not expanded.
    void say(const std::vector<ast::Statement>& statements, std::size_t first = 0);
    /// K0275 where a statement above says a name that the item declares or reads in.
    void declare(grammar::KascParser::ItemContext* item, const ExpressionBuilder& places, Report& report) const;

private:
    void say(const ast::ExpressionRef& e);

    std::map<std::string, Span> said_;  ///< each with its first place
    std::set<const ast::Expression*> seen_;
};

}  // namespace kasc::frontend
