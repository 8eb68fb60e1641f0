#pragma once
// Collects the names that a program's text says, in all branches, those too that its options leave out.

#include <KascParser.h>

#include "frontend/ast.hpp"

namespace kasc::frontend {

/// Adds what the item says. Where nothing stands for parts of a name, as in a procedure that is not called, any text
/// may: "u_*".
void add_mentions(grammar::KascParser::ItemContext* item, Ast::Mentions& mentions);

/// The name, or a pattern that fits it, is among them.
[[nodiscard]] bool is_among(const std::string& name, const std::set<std::string>& mentioned);

}  // namespace kasc::frontend
