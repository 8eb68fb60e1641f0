// One binary variable a column, one equation a row; lp_solve minimises where nothing else is said. Costs are integers;
// they are divided by a power of two so that the largest is near 2^20, where lp_solve's tolerances (1e-9) are below the
// least difference; that division is exact in double precision. The solution is read back as columns, and its cost is
// added up from the integers.

#include "select/partition.hpp"

#include <lpsolve/lp_lib.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace kasc {

namespace {

constexpr int cost_bits = 20;

struct Delete {
    void operator()(lprec* lp) const { delete_lp(lp); }
};
using LinearProgram = std::unique_ptr<lprec, Delete>;

double cost_scale(const PartitionProblem& problem) {
    std::int64_t largest = 1;
    for (const Column& column : problem.columns) largest = std::max(largest, column.cost);
    int bits = 0;
    while (largest >> bits > std::int64_t{1} << cost_bits) ++bits;
    return std::ldexp(1.0, -bits);
}

void add_row(lprec* lp, std::vector<int>& columns, int kind, double right) {
    std::vector<REAL> ones(columns.size(), 1.0);
    add_constraintex(lp, static_cast<int>(columns.size()), ones.data(), columns.data(), kind, right);
}

LinearProgram make_program(const PartitionProblem& problem) {
    const int n = static_cast<int>(problem.columns.size());
    LinearProgram lp(make_lp(0, n));
    if (!lp) return lp;
    set_verbose(lp.get(), NEUTRAL);
    set_scaling(lp.get(), SCALE_NONE);  // all coefficients are ones already
    const double scale = cost_scale(problem);
    std::vector<REAL> costs(static_cast<std::size_t>(n) + 1);
    std::vector<std::vector<int>> covering(static_cast<std::size_t>(problem.rows));
    for (int c = 0; c < n; ++c) {
        const Column& column = problem.columns[static_cast<std::size_t>(c)];
        costs[static_cast<std::size_t>(c) + 1] = static_cast<double>(column.cost) * scale;
        for (int row : column.rows) covering.at(static_cast<std::size_t>(row)).push_back(c + 1);
    }
    set_obj_fn(lp.get(), costs.data());
    set_add_rowmode(lp.get(), TRUE);
    for (std::vector<int>& columns : covering) add_row(lp.get(), columns, EQ, 1);
    for (const ColumnCut& cut : problem.cuts) {
        std::vector<int> columns;
        for (int c : cut.columns) columns.push_back(c + 1);
        add_row(lp.get(), columns, LE, cut.most);
    }
    set_add_rowmode(lp.get(), FALSE);
    return lp;
}

/// A rounded solution that is no partition would be a fault of the solver: it is not passed on.
bool is_partition(const PartitionProblem& problem, const std::vector<int>& columns) {
    std::vector<int> covered(static_cast<std::size_t>(problem.rows));
    for (int c : columns) {
        for (int row : problem.columns[static_cast<std::size_t>(c)].rows) ++covered[static_cast<std::size_t>(row)];
    }
    return std::all_of(covered.begin(), covered.end(), [](int n) { return n == 1; }) &&
           std::all_of(problem.cuts.begin(), problem.cuts.end(), [&](const ColumnCut& cut) {
               return std::count_if(cut.columns.begin(), cut.columns.end(), [&](int c) {
                          return std::binary_search(columns.begin(), columns.end(), c);
                      }) <= cut.most;
           });
}

/// lp_solve asks at every step whether to stop.
int __WINAPI count_down(lprec* /*lp*/, void* work) { return --*static_cast<long*>(work) < 0 ? TRUE : FALSE; }

}  // namespace

PartitionResult solve_partition(const PartitionProblem& problem, long& work) {
    std::vector<bool> coverable(static_cast<std::size_t>(problem.rows));
    for (const Column& column : problem.columns) {
        for (int row : column.rows) coverable.at(static_cast<std::size_t>(row)) = true;
    }
    if (std::find(coverable.begin(), coverable.end(), false) != coverable.end()) return {};
    if (problem.rows == 0 && problem.cuts.empty()) return {PartitionSolution{}, false};
    if (problem.rows == 0) return {};  // the empty partition is the only one, and a cut forbids it
    const LinearProgram lp = make_program(problem);
    if (!lp) return {std::nullopt, true};
    for (int c = 1; c <= static_cast<int>(problem.columns.size()); ++c) set_binary(lp.get(), c, TRUE);
    set_mip_gap(lp.get(), TRUE, 0);
    set_mip_gap(lp.get(), FALSE, 0);
    put_abortfunc(lp.get(), count_down, &work);
    const int status = solve(lp.get());
    const bool ended = status == OPTIMAL || status == PRESOLVED;
    if (!ended && get_solutioncount(lp.get()) == 0) return {std::nullopt, status != INFEASIBLE};
    std::vector<REAL> values(problem.columns.size());
    get_variables(lp.get(), values.data());
    PartitionSolution solution;
    solution.optimal = ended;
    for (std::size_t c = 0; c < values.size(); ++c) {
        if (values[c] < 0.5) continue;
        solution.columns.push_back(static_cast<int>(c));
        solution.cost += problem.columns[c].cost;
    }
    if (!is_partition(problem, solution.columns)) return {std::nullopt, true};
    return {std::move(solution), false};
}

}  // namespace kasc
