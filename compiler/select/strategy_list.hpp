#pragma once
// The list of strategies. --help, the message for an unknown name and libkasc have names and descriptions from here: a
// new strategy is one source, which defines make_<name>, and one line of this list.

#include <memory>
#include <optional>

#include "select/selection.hpp"

/// Name; what a seed decides, "" where nothing is left to it; description.
#define KASC_STRATEGIES(strategy)                                                                                    \
    strategy(exact, "", "the best of all that is priced, by integer linear programming") strategy(                   \
        greedy, "which of fusions that save alike is taken first",                                                   \
        "the fusion that saves most, then the next") strategy(beam, "which of partial covers that cost alike go on", \
                                                              "the best 32 partial covers go on, call by call")      \
        strategy(random, "what is drawn (1 where none is given)", "fusions drawn at random: what others must beat")  \
            strategy(none, "", "every call by itself, nothing fused")

namespace kasc {

using Seed = std::optional<unsigned>;

#define KASC_DECLARE_STRATEGY(name, seeded, description) [[nodiscard]] std::unique_ptr<Strategy> make_##name(Seed seed);
KASC_STRATEGIES(KASC_DECLARE_STRATEGY)
#undef KASC_DECLARE_STRATEGY

}  // namespace kasc
