// A set that turns out to have no kernel keeps its column at a cost that nobody pays, so that the others keep their
// places.

#include "select/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "select/strategies.hpp"

namespace kasc {

namespace {

/// Costs nobody has, of a call that no kernel computes by itself: so many times all others together.
constexpr double no_kernel = 1e3;
/// Columns without a price that are kept at least, where there are twice as many.
constexpr std::size_t fewest_columns = 200, held_a_row = 6;

/// Reads that take as long to be priced as the call that has them.
constexpr std::size_t reads_a_call = 8;

std::int64_t picoseconds(double ns) { return std::llround(ns * 1000); }

}  // namespace

Columns::Columns(const Graph& graph, Costing& costing) : graph_(graph), costing_(costing), maker_(graph) {
    for (const Node& node : graph.nodes) weights_.push_back(1 + node.reads.size() / reads_a_call);
}

void Columns::begin(const Units& units) {
    units_ = &units;
    for (const NodeId call : calls_to_cover(graph_))
        if (units.is_first(call.index)) rows_.emplace(call, static_cast<int>(rows_.size()));
    for (const auto& loop : costing_.so_far().loop_ns) rows_.emplace(loop.first, static_cast<int>(rows_.size()));
    problem_.rows = static_cast<int>(rows_.size());
    nodes_.resize(rows_.size());
    for (const auto& [node, row] : rows_) nodes_[static_cast<std::size_t>(row)] = node;
    for (const auto& [loop, ns] : costing_.so_far().loop_ns)
        problem_.columns.push_back({{rows_.at(loop)}, picoseconds(ns)});
    for (const auto& [members, ns] : costs_)
        if (std::isfinite(ns) && may_be_column(set_of(members, graph_.nodes.size()))) add_column(members, ns);
}

bool Columns::may_be_column(const NodeSet& set) const { return units_ != nullptr && units_->whole(set) == set; }

void Columns::add_column(const Members& members, double ns) {
    Column column{{}, picoseconds(ns)};
    for (const std::uint32_t m : members)
        if (units_->is_first(m)) column.rows.push_back(rows_.at(NodeId{m}));
    places_.emplace(members, problem_.columns.size());
    problem_.columns.push_back(std::move(column));
}

double Columns::price(const NodeSet& set) {
    const Members members = members_of(set);
    if (ids_.contains(members)) return costs_.at(members);
    for (const std::uint32_t m : members) priced_calls_ += weights_[m];
    const FusionId id = costing_.hold(maker_.of(members));
    ids_[members] = id;
    const double ns = costing_.price(id).value_or(std::numeric_limits<double>::infinity());
    costs_[members] = ns;
    if (std::isfinite(ns)) priced_.emplace_back(ns, set);
    const auto place = places_.find(members);
    if (place == places_.end()) {
        if (std::isfinite(ns) && may_be_column(set)) add_column(members, ns);
        return ns;
    }
    std::int64_t& cost = problem_.columns[place->second].cost;
    cost = std::isfinite(ns) ? picoseconds(ns) : cost * static_cast<std::int64_t>(no_kernel);
    return ns;
}

std::pair<double, bool> Columns::take_in(const NodeSet& set, double least_ns) {
    const Members members = members_of(set);
    const auto [cost, added] = costs_.try_emplace(members, least_ns);
    if (added) add_column(members, least_ns);
    return {cost->second, added};
}

double Columns::dearest_part_ns(const NodeSet& set) const {
    double dearest = 0;
    for (const auto& [ns, part] : priced_)
        if (ns > dearest && part.is_subset_of(set)) dearest = ns;
    return dearest;
}

std::optional<double> Columns::known_ns(const NodeSet& set) const {
    const auto found = costs_.find(members_of(set));
    return found == costs_.end() ? std::nullopt : std::make_optional(found->second);
}

void Columns::cover_all() {
    std::vector<bool> covered(static_cast<std::size_t>(problem_.rows));
    std::int64_t sum = 1;
    for (const Column& column : problem_.columns) {
        sum += column.cost;
        if (column.rows.size() == 1) covered[static_cast<std::size_t>(column.rows.front())] = true;
    }
    no_kernels_ = {problem_.columns.size(), problem_.columns.size()};
    for (int row = 0; row < problem_.rows; ++row) {
        if (covered[static_cast<std::size_t>(row)]) continue;
        covered_ = false;
        problem_.columns.push_back({{row}, static_cast<std::int64_t>(no_kernel * static_cast<double>(sum))});
        ++no_kernels_.second;
    }
}

/// Drops the columns that cost most beyond what their calls are worth, as far as they have no price: the linear program
/// stays small.
void Columns::drop_worst() {
    const std::size_t most = fewest_columns + held_a_row * nodes_.size();
    if (problem_.columns.size() <= 2 * most) return;
    std::vector<std::pair<double, std::size_t>> order;
    for (const auto& [members, place] : places_) {
        // What was taken in since the last solution stays.
        if (place < relaxation_.reduced_costs.size() && !ids_.contains(members))
            order.emplace_back(relaxation_.reduced_costs[place], place);
    }
    if (order.size() <= most) return;
    relaxer_.start_anew();
    std::sort(order.begin(), order.end());
    std::vector<bool> dropped(problem_.columns.size());
    for (std::size_t k = most; k < order.size(); ++k) dropped[order[k].second] = true;
    std::vector<std::size_t> now(problem_.columns.size());
    std::vector<Column> kept;
    for (std::size_t c = 0; c < problem_.columns.size(); ++c) {
        now[c] = kept.size();
        if (!dropped[c]) kept.push_back(std::move(problem_.columns[c]));
    }
    no_kernels_ = {now[no_kernels_.first], now[no_kernels_.first] + no_kernels_.second - no_kernels_.first};
    problem_.columns = std::move(kept);
    std::erase_if(places_, [&](const auto& entry) {
        if (dropped[entry.second]) costs_.erase(entry.first);
        return dropped[entry.second];
    });
    for (auto& [members, place] : places_) place = now[place];
}

void Columns::relax() {
    drop_worst();
    relaxation_ = relaxer_.relax(problem_);
    relaxed_columns_ += problem_.columns.size();
    covered_ = true;
    for (std::size_t c = no_kernels_.first; c < no_kernels_.second; ++c)
        covered_ = covered_ && relaxation_.taken[c] <= 0;
}

std::vector<double> Columns::duals() const {
    std::vector<double> duals(graph_.nodes.size());  // of a unit, at its first call
    for (const auto& [node, row] : rows_) duals[node.index] = relaxation_.worth[static_cast<std::size_t>(row)] / 1000;
    return duals;
}

double Columns::largest_ratio(const std::vector<double>& worth) const {
    double largest = 1;
    for (const Column& column : problem_.columns) {
        double held = 0;
        for (const int row : column.rows) held += worth[nodes_[static_cast<std::size_t>(row)].index];
        if (column.cost > 0) largest = std::max(largest, held * 1000 / static_cast<double>(column.cost));
    }
    return largest;
}

NodeSet Columns::set_at(std::size_t column) const {
    NodeSet set(graph_.nodes.size());
    for (const int row : problem_.columns[column].rows)
        set |= units_->of[nodes_.at(static_cast<std::size_t>(row)).index];
    return set;
}

void Columns::for_each_taken(const std::function<void(const NodeSet&, double, double)>& show) const {
    for (std::size_t c = 0; c < relaxation_.taken.size(); ++c) {
        if (relaxation_.taken[c] <= 0) continue;
        show(set_at(c), static_cast<double>(problem_.columns[c].cost) / 1000 * relaxation_.taken[c],
             relaxation_.taken[c]);
    }
}

std::size_t Columns::price_taken() {
    std::size_t priced = 0;
    for (std::size_t c = 0; c < relaxation_.taken.size(); ++c) {
        if (relaxation_.taken[c] <= 0) continue;
        const NodeSet set = set_at(c);
        const Members members = members_of(set);
        if (!costs_.contains(members) || ids_.contains(members)) continue;
        (void)price(set);
        ++priced;
    }
    return priced;
}

void Columns::price_below(double ns, const std::function<bool()>& is_over) {
    std::vector<std::pair<double, std::size_t>> order;
    for (const auto& [members, place] : places_) {
        if (ids_.contains(members) || place >= relaxation_.reduced_costs.size()) continue;
        const double reduced = relaxation_.reduced_costs[place];
        if (relaxation_.value + reduced < ns * 1000) order.emplace_back(reduced, place);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [reduced, place] : order) {
        if (is_over()) break;
        (void)price(set_at(place));
    }
}

}  // namespace kasc
