// Relaxations mix sets in fractions, and what is rounded off from them may be a unit away from a better selection:
//
//   {r0 r1} {r2 n0 n1}    r2 has a quotient, behind which loads of n0 and n1 wait. {r0 r1 r2} {n0 n1} hands on one
//   field
//                         more, and no load waits

#include "select/unit_moves.hpp"

#include <algorithm>
#include <utility>

namespace kasc {

std::vector<UnitMove> unit_moves(const std::vector<NodeSet>& selection, const Units& units,
                                 const Connections& connections, PromisingSets& sets) {
    std::vector<double> least;
    for (const NodeSet& set : selection) least.push_back(sets.least_ns(set));
    std::vector<UnitMove> moves;
    for (std::size_t from = 0; from < selection.size(); ++from) {
        const NodeSet firsts = units.firsts(selection[from]);
        for (auto u = firsts.find_first(); u != NodeSet::npos; u = firsts.find_next(u)) {
            const NodeSet &unit = units.of[u], without = selection[from] - unit;
            if (without.none()) continue;
            NodeSet near(unit.size());
            for (auto m = unit.find_first(); m != NodeSet::npos; m = unit.find_next(m)) near |= connections.adjacent[m];
            for (std::size_t to = 0; to < selection.size(); ++to) {
                if (to == from || !near.intersects(selection[to])) continue;
                UnitMove move{0, from, to, without, selection[to] | unit};
                move.least_ns = sets.least_ns(without) + sets.least_ns(move.with) - least[from] - least[to];
                moves.push_back(std::move(move));
            }
        }
    }
    std::stable_sort(moves.begin(), moves.end(),
                     [](const UnitMove& a, const UnitMove& b) { return a.least_ns < b.least_ns; });
    return moves;
}

}  // namespace kasc
