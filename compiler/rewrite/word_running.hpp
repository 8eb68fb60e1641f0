#pragma once
// Running sums along an axis that has become words: of so few cells, in the order that the language says (Running).

#include <string>
#include <vector>

#include "rewrite/word_fields.hpp"

namespace kasc::rewriting {

/// Adds what computes the running sum of the statement, which is along an axis of `fields`, to `made`. Says why not in
/// `fault`.
void add_running_of_words(Program& program, const WordFields& fields, const FieldStatement& statement,
                          std::vector<Statement>& made, std::string& fault);

}  // namespace kasc::rewriting
