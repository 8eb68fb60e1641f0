// Words of one statement are calls with its place in the text. They are taken in their order, so many at a time, as one
// kernel may compute: no call waits for another, all pairs may stand together, each is connected to the rest.
//
//   type populations = float[64]; f = g[x - 1] + s;     64 calls: 16 units of four words, beside other statements

#include "search/units.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "graph/field_target.hpp"

namespace kasc {

namespace {

/// Above, a search takes seconds; below, all its calls are searched one by one.
constexpr std::size_t most_units = 32;

/// Calls that may be a unit: by place, what they fold, and the cells that they are for.
std::vector<Members> words_of_statements(const Program& program, const Graph& graph, const SetRules& rules,
                                         const NodeSet& apart) {
    using Key = std::tuple<std::size_t, std::size_t, int, std::vector<AxisId>>;
    std::map<Key, std::size_t> places;
    std::vector<Members> statements;
    for (const NodeId node : graph.nodes.ids()) {
        const auto* update = std::get_if<FieldUpdate>(&graph.nodes[node].what);
        if (update == nullptr || apart.test(node.index) || !rules.may_stand_in_a_kernel(node)) continue;
        const FieldStatement& s = update->statement;
        const Span& span = graph.nodes[node].span;
        const int folds = !s.fold ? 0 : s.fold->parts ? 1 : 2;
        const auto [at, added] =
            places.try_emplace({span.begin, span.end, folds, free_axes(program, s)}, statements.size());
        // A loop's iterations may stand one behind the other.
        const NodeSet& before = rules.connections().before[node.index];
        const auto needs = [&](std::uint32_t word) { return before.test(word); };
        const bool is_next = !added && std::any_of(statements[at->second].begin(), statements[at->second].end(), needs);
        if (is_next) at->second = statements.size();
        if (added || is_next) statements.emplace_back();
        statements[at->second].push_back(node.index);
    }
    return statements;
}

bool may_be_a_unit(const SetRules& rules, const Members& calls) {
    return calls.size() > 1 && rules.connections().closure(calls).count() == calls.size() && rules.is_fusion(calls);
}

std::size_t count_units(const Units& units) {
    std::size_t count = 0;
    for (std::size_t n = 0; n < units.of.size(); ++n) count += units.is_first(n) ? 1 : 0;
    return count;
}

}  // namespace

NodeSet Units::whole(const NodeSet& set) const {
    NodeSet whole(set.size());
    for (auto m = set.find_first(); m != NodeSet::npos; m = set.find_next(m)) whole |= of[m];
    return whole;
}

NodeSet Units::firsts(const NodeSet& set) const {
    NodeSet firsts(set.size());
    for (auto m = set.find_first(); m != NodeSet::npos; m = set.find_next(m))
        if (is_first(m)) firsts.set(m);
    return firsts;
}

bool Units::are_several() const { return count_units(*this) < of.size(); }

Units single_units(const Graph& graph) {
    Units units;
    for (const NodeId node : graph.nodes.ids()) units.of.push_back(set_of({node.index}, graph.nodes.size()));
    return units;
}

Units words_in_units(const Program& program, const Graph& graph, const SetRules& rules, const NodeSet& apart) {
    Units units = single_units(graph);
    if (graph.nodes.size() <= most_units) return units;
    const std::vector<Members> statements = words_of_statements(program, graph, rules, apart);
    std::size_t longest = 0;
    for (const Members& words : statements) longest = std::max(longest, words.size());
    for (std::size_t together = 2; count_units(units) > most_units && together < 2 * longest;
         together += (together + 1) / 2) {
        Units larger = single_units(graph);
        for (const Members& words : statements) {
            // As many in each as can be: 36 words are four times nine, not sixteen, sixteen and four.
            const std::size_t parts = (words.size() + together - 1) / together;
            for (std::size_t part = 0; part < parts; ++part) {
                const auto from = words.begin() + static_cast<std::ptrdiff_t>(words.size() * part / parts);
                const auto to = words.begin() + static_cast<std::ptrdiff_t>(words.size() * (part + 1) / parts);
                const Members calls(from, to);
                if (!may_be_a_unit(rules, calls)) continue;
                for (const std::uint32_t call : calls) larger.of[call] = set_of(calls, graph.nodes.size());
            }
        }
        units = std::move(larger);
    }
    return units;
}

void halve_unit(Units& units, std::size_t node) {
    const Members calls = members_of(units.of[node]);
    const auto middle = calls.begin() + static_cast<std::ptrdiff_t>(calls.size() / 2);
    for (const Members& half : {Members(calls.begin(), middle), Members(middle, calls.end())})
        for (const std::uint32_t call : half) units.of[call] = set_of(half, units.of.size());
}

}  // namespace kasc
