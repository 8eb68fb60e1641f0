#pragma once
// Sums over the cells of an axis that have become words: of so few, in the order that the language says (Fold).

#include <string>
#include <vector>

#include "rewrite/word_fields.hpp"

namespace kasc::rewriting {

/// Adds what computes the fold of the statement, which is along axes of `fields`, to `made`. Says why not in
/// `fault`.
void add_fold_of_words(Program& program, const WordFields& fields, const FieldStatement& statement,
                       std::vector<Statement>& made, std::string& fault);

}  // namespace kasc::rewriting
