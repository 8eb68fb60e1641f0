#pragma once

#include "model/prediction.hpp"
#include "schedule/field/work.hpp"
#include "search/choice_text.hpp"

namespace kasc {

/// Choices of a GPU for entries that add integers to cells of which a block may have copies, with what a wish says,
/// null: nothing. None, where they add to too many cells.
[[nodiscard]] std::vector<FieldChoice> histogram_offers(const FieldWork& work, const Program& program,
                                                        const Problem& problem, const ChoiceWish* wish);

}  // namespace kasc
