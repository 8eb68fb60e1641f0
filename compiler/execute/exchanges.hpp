#pragma once
// What processes will send each other, known before anything runs: the plan is walked once, with the books that a run
// keeps and without its arrays, of each loop as far as a second iteration, which is as all behind it.

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "execute/division.hpp"

namespace kasc::execute {

/// A line a step before which something is sent: in the last iteration that was walked; and what memory a process takes
/// for arrays. Empty: memory is one.
[[nodiscard]] std::string exchanges_text(const Program& program, const Library& library, const HostPlan& plan,
                                         Numbers numbers, const Division& division);
/// Bytes of the arrays that a process touches, of the one that touches most; series are left out.
[[nodiscard]] std::uint64_t most_bytes_of_process(const Program& program, const Library& library, const HostPlan& plan,
                                                  Numbers numbers, const Division& division);

/// What a run will send, but for launches that follow lists.
struct ExpectedExchanges {
    std::set<std::pair<int, int>> pairs;  ///< of ranks that send each other something, the lower first
    double count = 0;                     ///< launches and others before which something is sent
    double bytes = 0;                     ///< to one process at most
};
[[nodiscard]] ExpectedExchanges expected_exchanges(const Program& program, const Library& library, const HostPlan& plan,
                                                   Numbers numbers, const Division& division);

}  // namespace kasc::execute
