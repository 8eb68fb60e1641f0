#include "select/histogram_offers.hpp"

#include "model/parts.hpp"
#include "schedule/field/schedule.hpp"
#include "schedule/field/walk/histogram.hpp"

namespace kasc {

std::vector<FieldChoice> histogram_offers(const FieldWork& work, const Program& program, const Problem& problem,
                                          const ChoiceWish* wish) {
    const std::vector<const FieldCall*> additions = additions_of(work.plan);
    std::vector<FieldChoice> offers;
    if (additions.empty() || (wish != nullptr && wish->walk && *wish->walk != Walk::histogram)) return offers;
    const auto holds = [&](const FieldChoice& choice, const FieldCall& call) {
        const FieldShape& target = field_shape(program, call.statement->target);
        std::int64_t cells = 1;
        for (const std::size_t axis : copied_axes(call)) cells *= model::extent_of(problem, target.axes[axis]);
        const auto bytes = static_cast<int>(cell_bytes(target.type));
        return histogram_copies(histogram_words(choice, additions.size(), bytes), cells) > 0;
    };
    for (FieldChoice choice : histogram_choices(access_cells(work))) {
        if (wish != nullptr) choice = wished(choice, *wish);
        const bool all = std::all_of(additions.begin(), additions.end(),
                                     [&](const FieldCall* call) { return holds(choice, *call); });
        if (all && std::find(offers.begin(), offers.end(), choice) == offers.end()) offers.push_back(choice);
    }
    return offers;
}

}  // namespace kasc
