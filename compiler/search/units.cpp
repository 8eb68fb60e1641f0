// Words of one statement are calls with its place in the text; where one of them needs another, they are of iterations
// of an unrolled loop. Words, or iterations with all their statements, are taken in their order, so many at a time, as
// one kernel may compute: what lies between them is among them, all pairs may stand together, each is connected.
//
//   type populations = float[64]; f = g[x - 1] + s;     64 calls: 16 units of four words, beside other statements
//   64 times z = z*z + c; n = n + (z < 2);              128 calls: 32 units of two iterations
//
// Words that a loop in a kernel is handed, or leaves, stand in it or beside it in memory: with some of them in each
// place a kernel has both to do. 2^16 sets of words of h = 0 before a loop over 16 words are one choice.

#include "search/units.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "graph/field_target.hpp"

namespace kasc {

namespace {

/// Above, a search takes seconds; below, all its calls are searched one by one.
constexpr std::size_t most_units = 32;

bool may_be_a_unit(const SetRules& rules, const Members& calls) {
    return calls.size() > 1 && rules.connections().closure(calls).count() == calls.size() && rules.is_fusion(calls);
}

/// Calls, or sets of them, of which some that stand beside each other may be a unit.
using Row = std::vector<Members>;

/// A statement that stands in an unrolled loop, with the words of each iteration: those of the next need those of the
/// one before.
struct WrittenStatement {
    std::vector<AxisId> axes;
    std::vector<Members> copies;
};

std::vector<WrittenStatement> written_statements(const Program& program, const Graph& graph, const SetRules& rules,
                                                 const NodeSet& apart) {
    using Key = std::tuple<std::size_t, std::size_t, int, std::vector<AxisId>>;
    std::map<Key, std::size_t> places;
    std::vector<WrittenStatement> statements;
    for (const NodeId node : graph.nodes.ids()) {
        const auto* update = std::get_if<FieldUpdate>(&graph.nodes[node].what);
        if (update == nullptr || apart.test(node.index) || !rules.may_stand_in_a_kernel(node)) continue;
        const FieldStatement& s = update->statement;
        const Span& span = graph.nodes[node].span;
        const int folds = !s.fold ? 0 : s.fold->parts ? 1 : 2;
        const std::vector<AxisId> axes = free_axes(program, s);
        const auto [at, added] = places.try_emplace({span.begin, span.end, folds, axes}, statements.size());
        if (added) statements.push_back({axes, {Members{}}});
        std::vector<Members>& copies = statements[at->second].copies;
        const NodeSet& before = rules.connections().before[node.index];
        const auto needs = [&](std::uint32_t word) { return before.test(word); };
        if (std::any_of(copies.back().begin(), copies.back().end(), needs)) copies.emplace_back();
        copies.back().push_back(node.index);
    }
    return statements;
}

/// Iterations, where statements over the same cells have as many copies; else words.
std::vector<Row> rows_of(const SetRules& rules, const std::vector<WrittenStatement>& statements) {
    std::map<std::pair<std::size_t, std::vector<AxisId>>, Row> loops;
    std::vector<Row> rows;
    const auto add_words = [&](const Members& words) {
        Row& row = rows.emplace_back();
        for (const std::uint32_t word : words) row.push_back({word});
    };
    for (const WrittenStatement& s : statements) {
        if (s.copies.size() == 1) {
            add_words(s.copies.front());
            continue;
        }
        Row& iterations = loops[{s.copies.size(), s.axes}];
        iterations.resize(s.copies.size());
        for (std::size_t k = 0; k < s.copies.size(); ++k)
            iterations[k].insert(iterations[k].end(), s.copies[k].begin(), s.copies[k].end());
    }
    for (auto& [key, iterations] : loops) {
        for (Members& calls : iterations) std::sort(calls.begin(), calls.end());
        const bool whole = std::all_of(iterations.begin(), iterations.end(), [&](const Members& calls) {
            return calls.size() == 1 || may_be_a_unit(rules, calls);
        });
        if (whole) {
            rows.push_back(std::move(iterations));
        } else {
            for (const Members& calls : iterations) add_words(calls);
        }
    }
    return rows;
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

std::size_t Units::count() const {
    std::size_t count = 0;
    for (std::size_t n = 0; n < of.size(); ++n) count += is_first(n) ? 1 : 0;
    return count;
}

void Units::put(const NodeSet& unit) {
    for (auto m = unit.find_first(); m != NodeSet::npos; m = unit.find_next(m)) of[m] = unit;
}

Units single_units(const Graph& graph) {
    Units units;
    for (const NodeId node : graph.nodes.ids()) units.of.push_back(set_of({node.index}, graph.nodes.size()));
    return units;
}

Units words_in_units(const Program& program, const Graph& graph, const SetRules& rules, const NodeSet& apart) {
    Units units = single_units(graph);
    if (graph.nodes.size() <= most_units) return units;
    const std::vector<Row> rows = rows_of(rules, written_statements(program, graph, rules, apart));
    std::size_t longest = 0;
    for (const Row& row : rows) longest = std::max(longest, row.size());
    for (std::size_t together = 1; units.count() > most_units && together < 2 * longest;
         together += (together + 1) / 2) {
        Units larger = single_units(graph);
        for (const Row& row : rows) {
            // As many in each as can be: 36 words are four times nine, not sixteen, sixteen and four.
            const std::size_t parts = (row.size() + together - 1) / together;
            for (std::size_t part = 0; part < parts; ++part) {
                const std::size_t from = row.size() * part / parts, to = row.size() * (part + 1) / parts;
                Members calls;
                for (std::size_t k = from; k < to; ++k) calls.insert(calls.end(), row[k].begin(), row[k].end());
                std::sort(calls.begin(), calls.end());
                if (may_be_a_unit(rules, calls)) {
                    larger.put(set_of(calls, graph.nodes.size()));
                } else {
                    for (std::size_t k = from; k < to; ++k) larger.put(set_of(row[k], graph.nodes.size()));
                }
            }
        }
        units = std::move(larger);
    }
    return units;
}

std::pair<NodeSet, NodeSet> halves_of(const NodeSet& unit) {
    const Members calls = members_of(unit);
    const auto middle = calls.begin() + static_cast<std::ptrdiff_t>(calls.size() / 2);
    return {set_of(Members(calls.begin(), middle), unit.size()), set_of(Members(middle, calls.end()), unit.size())};
}

namespace {

/// The call whose result this one copies, which nobody else reads; none: it is no such copy.
std::optional<std::uint32_t> copied_call(const Graph& graph, const std::vector<std::size_t>& readers, NodeId node) {
    const Node& copy = graph.nodes[node];
    const auto* update = std::get_if<FieldUpdate>(&copy.what);
    if (update == nullptr || update->former || copy.reads.size() != 1 || update->accesses.size() != 1) return {};
    const FieldStatement& s = update->statement;
    const bool whole = !s.fold && !s.where && !s.adding && !s.running && s.listed.empty() && s.at.empty();
    if (!whole || !std::holds_alternative<OperandUse>(s.value->node)) return {};
    if (!std::holds_alternative<PointAccess>(update->accesses.front())) return {};
    const ValueId source = copy.reads.front();
    const bool handed_on = std::find(graph.outputs.begin(), graph.outputs.end(), source) != graph.outputs.end();
    const auto producer = graph.values[source].producer;
    if (handed_on || readers[source.index] != 1 || !producer) return {};
    return producer->index;
}

}  // namespace

void join_copies(Units& units, const Graph& graph, const SetRules& rules, const NodeSet& apart) {
    std::vector<std::size_t> readers(graph.values.size());
    for (const Node& node : graph.nodes)
        for (const ValueId value : node.reads) ++readers[value.index];
    for (const NodeId node : graph.nodes.ids()) {
        const auto copied = copied_call(graph, readers, node);
        if (!copied || apart.test(node.index) || apart.test(*copied)) continue;
        const NodeSet both = units.of[node.index] | units.of[*copied];
        if (may_be_a_unit(rules, members_of(both))) units.put(both);
    }
}

void join_words_of_loops(Units& units, const Graph& graph, const SetRules& rules, const NodeSet& apart) {
    std::vector<std::vector<NodeId>> readers(graph.values.size());
    for (const NodeId node : graph.nodes.ids())
        for (const ValueId value : graph.nodes[node].reads) readers[value.index].push_back(node);
    const auto is_loop = [&](NodeId node) {
        return std::holds_alternative<LoopNode>(graph.nodes[node].what) && rules.may_stand_in_a_kernel(node);
    };
    // By statement, and the loop before or behind which it stands.
    std::map<std::tuple<std::size_t, std::size_t, NodeId, bool>, Members> words;
    for (const NodeId node : graph.nodes.ids()) {
        const Node& call = graph.nodes[node];
        if (!std::holds_alternative<FieldUpdate>(call.what) || apart.test(node.index) ||
            !rules.may_stand_in_a_kernel(node))
            continue;
        const std::vector<NodeId>& needed_by = readers[call.writes.front().index];
        if (!needed_by.empty() && is_loop(needed_by.front()) &&
            std::all_of(needed_by.begin(), needed_by.end(), [&](NodeId n) { return n == needed_by.front(); }))
            words[{call.span.begin, call.span.end, needed_by.front(), true}].push_back(node.index);
        for (const ValueId value : call.reads) {
            const auto maker = graph.values[value].producer;
            if (!maker || !is_loop(*maker)) continue;
            words[{call.span.begin, call.span.end, *maker, false}].push_back(node.index);
            break;
        }
    }
    for (const auto& [place, calls] : words) {
        NodeSet all(graph.nodes.size());
        for (const std::uint32_t call : calls) all |= units.of[call];
        if (may_be_a_unit(rules, members_of(all))) units.put(all);
    }
}

}  // namespace kasc
