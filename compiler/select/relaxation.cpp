// The value and the reduced costs are worked out from the duals: a bound whatever the solver's rounding.

#include "select/relaxation.hpp"

#include <ClpSimplex.hpp>
#include <CoinFinite.hpp>
#include <algorithm>

namespace kasc {

namespace {

/// Costs are divided by the largest, as its tolerances are made for numbers about 1, and multiplied by this: a
/// thousandth of a nanosecond of a plan of a millisecond is above them.
constexpr double largest_cost = 1e4;

double solver_scale(const PartitionProblem& problem) {
    std::int64_t largest = 1;
    for (const Column& column : problem.columns) largest = std::max(largest, column.cost);
    return largest_cost / static_cast<double>(largest);
}

}  // namespace

struct Relaxer::State {
    ClpSimplex model;
};

Relaxer::Relaxer() = default;
Relaxer::Relaxer(Relaxer&&) noexcept = default;
Relaxer& Relaxer::operator=(Relaxer&&) noexcept = default;
Relaxer::~Relaxer() = default;

void Relaxer::start_anew() { state_.reset(); }

namespace {

void add_rows(ClpSimplex& model, const PartitionProblem& problem) {
    const int rows = problem.rows + static_cast<int>(problem.cuts.size());
    model.resize(rows, 0);
    for (int row = 0; row < rows; ++row) {
        const bool cut = row >= problem.rows;
        model.setRowLower(row, cut ? -COIN_DBL_MAX : 1);
        model.setRowUpper(row, cut ? problem.cuts[static_cast<std::size_t>(row - problem.rows)].most : 1);
    }
}

/// The columns from this one on, together: each time that some are added, Clp copies all there are.
void add_columns(ClpSimplex& model, const PartitionProblem& problem, int first) {
    std::vector<int> rows;
    std::vector<CoinBigIndex> starts{0};
    for (int number = first; number < static_cast<int>(problem.columns.size()); ++number) {
        const std::vector<int>& own = problem.columns[static_cast<std::size_t>(number)].rows;
        rows.insert(rows.end(), own.begin(), own.end());
        for (std::size_t k = 0; k < problem.cuts.size(); ++k) {
            const std::vector<int>& columns = problem.cuts[k].columns;
            if (std::find(columns.begin(), columns.end(), number) != columns.end())
                rows.push_back(problem.rows + static_cast<int>(k));
        }
        starts.push_back(static_cast<CoinBigIndex>(rows.size()));
    }
    const std::size_t added = starts.size() - 1;
    const std::vector<double> ones(rows.size(), 1.0), none(added, 0.0), no_limit(added, COIN_DBL_MAX);
    model.addColumns(static_cast<int>(added), none.data(), no_limit.data(), none.data(), starts.data(), rows.data(),
                     ones.data());
}

Relaxation read(const ClpSimplex& model, const PartitionProblem& problem, double scale) {
    const auto rows = static_cast<std::size_t>(problem.rows);
    const double *solution = model.primalColumnSolution(), *duals = model.dualRowSolution();
    Relaxation relaxation{0, {}, {}, std::vector<double>(solution, solution + problem.columns.size())};
    for (std::size_t row = 0; row < rows + problem.cuts.size(); ++row) {
        const double most = row < rows ? 1 : problem.cuts[row - rows].most;
        relaxation.value += duals[row] / scale * most;
        if (row < rows) relaxation.worth.push_back(duals[row] / scale);
    }
    for (const Column& column : problem.columns) {
        double reduced = static_cast<double>(column.cost);
        for (const int row : column.rows) reduced -= relaxation.worth[static_cast<std::size_t>(row)];
        relaxation.reduced_costs.push_back(reduced);
    }
    return relaxation;
}

}  // namespace

Relaxation Relaxer::relax(const PartitionProblem& problem) {
    const std::size_t columns = problem.columns.size();
    if (problem.rows > 0 && columns > 0) {
        if (!state_) {
            state_ = std::make_unique<State>();
            state_->model.setLogLevel(0);
            add_rows(state_->model, problem);
        }
        ClpSimplex& model = state_->model;
        if (model.numberColumns() < static_cast<int>(columns)) add_columns(model, problem, model.numberColumns());
        const double scale = solver_scale(problem);
        for (std::size_t c = 0; c < columns; ++c)
            model.setObjectiveCoefficient(static_cast<int>(c), static_cast<double>(problem.columns[c].cost) * scale);
        // The basis of the columns before stays feasible: the primal simplex method goes on from it.
        model.primal();
        if (model.isProvenOptimal()) return read(model, problem, scale);
        start_anew();
    }
    // Value 0: every column may be in the best partition.
    return {0, std::vector<double>(columns), std::vector<double>(static_cast<std::size_t>(problem.rows)),
            std::vector<double>(columns)};
}

Relaxation relax_partition(const PartitionProblem& problem) { return Relaxer().relax(problem); }

}  // namespace kasc
