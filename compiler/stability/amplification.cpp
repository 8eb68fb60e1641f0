// θ is taken from {0, π/2, π} for each axis with neighbours, so that e^{i θ·o} is 1, i, -1 or -i: exact.
//
//   T' = T + r (T[-1] + T[1] - 2 T)      c(-1) = c(1) = r, c(0) = 1 - 2 r
//   θ = 0: 1      θ = π/2: 1 - 2 r       θ = π: 1 - 4 r: below -1 for r > 1/2
//
// Two fields: the leapfrog T' = 2 T - P + c ΔT, P' = T has G = [2 + c Δ(θ), -1; 1, 0], whose entries say nothing by
// themselves. The spectral radius is the limit of |G^k|^(1/k), for k = 2, 4, 8 … by squaring.

#include "stability/amplification.hpp"

#include <algorithm>
#include <cmath>

namespace kasc::stability {

namespace {

constexpr std::size_t most_members = 12;  // pressure, velocity and their absorbing layers in three dimensions
constexpr std::size_t most_axes = 5;      // 243 waves
// |G^k|^(1/k) of a matrix with a double eigenvalue is k^(1/k) too large: 1 + 7e-8 for k = 2^28, a share of the
// tolerance that growth in proportion to the step is told from other growth by.
constexpr int squarings = 28;

bool is_neighbour(const StateOffset& state) {
    return std::any_of(state.at.begin(), state.at.end(), [](const Coordinate& c) { return !c.fixed && c.cells != 0; });
}

double norm_of(const Matrix& matrix) {
    double sum = 0;
    for (const auto& entry : matrix.entries) sum += std::norm(entry);
    return std::sqrt(sum);
}

Matrix product(const Matrix& left, const Matrix& right) {
    const std::size_t rows = left.rows;
    Matrix made{rows, std::vector<std::complex<double>>(rows * rows)};
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < rows; ++k) {
            for (std::size_t j = 0; j < rows; ++j)
                made.entries[i * rows + j] += left.entries[i * rows + k] * right.entries[k * rows + j];
        }
    }
    return made;
}

}  // namespace

std::optional<Group> Group::make(const std::vector<std::size_t>& members, const std::vector<StateOffset>& states) {
    Group group;
    group.members_ = members;
    std::vector<std::size_t> axes;
    for (std::size_t i = 0; i < states.size(); ++i) {
        const auto column = std::find(members.begin(), members.end(), states[i].field);
        if (column == members.end()) continue;
        group.terms_.push_back({i, static_cast<std::size_t>(column - members.begin()), {}});
        for (std::size_t axis = 0; is_neighbour(states[i]) && axis < states[i].at.size(); ++axis) {
            const Coordinate& at = states[i].at[axis];
            if (!at.fixed && at.cells != 0 && std::find(axes.begin(), axes.end(), axis) == axes.end())
                axes.push_back(axis);
        }
    }
    if (axes.empty() || axes.size() > most_axes || members.size() > most_members) return std::nullopt;
    for (std::size_t i = 0; i < axes.size(); ++i) group.waves_ *= 3;
    for (Term& term : group.terms_) {
        for (std::size_t wave = 0; wave < group.waves_; ++wave) {
            int quarters = 0;
            std::size_t rest = wave;
            for (const std::size_t axis : axes) {
                quarters += static_cast<int>(rest % 3) * (states[term.state].at[axis].cells % 4);
                rest /= 3;
            }
            term.quarters.push_back(((quarters % 4) + 4) % 4);
        }
    }
    return group;
}

std::optional<std::vector<Matrix>> Group::amplification(Derivative& derivative, const Tape& tape) const {
    const std::size_t rows = members_.size();
    std::vector<Matrix> matrices(waves_, Matrix{rows, std::vector<std::complex<double>>(rows * rows)});
    for (std::size_t row = 0; row < rows; ++row) {
        const std::vector<double>& coefficients = derivative.by_state(tape.fields[members_[row]].leaving);
        for (const Term& term : terms_) {
            const double c = coefficients[term.state];
            if (!std::isfinite(c)) return std::nullopt;
            for (std::size_t wave = 0; wave < waves_; ++wave) {
                const int turn = term.quarters[wave];
                const double signed_c = turn < 2 ? c : -c;
                matrices[wave].entries[row * rows + term.column] +=
                    turn % 2 == 0 ? std::complex(signed_c, 0.0) : std::complex(0.0, signed_c);
            }
        }
    }
    return matrices;
}

std::size_t Group::work() const {
    const std::size_t rows = members_.size();
    const std::size_t eigenvalues = rows == 1 ? 1 : rows * rows * rows * squarings * 4;
    return waves_ * (terms_.size() * rows + eigenvalues);
}

double spectral_radius(Matrix matrix) {
    if (matrix.rows == 1) return std::abs(matrix.entries[0]);
    double logarithm = 0, power = 1;  // of the radius so far; G^(1/power) stands scaled in `matrix`
    for (int squaring = 0; squaring <= squarings; ++squaring) {
        const double norm = norm_of(matrix);
        if (norm == 0) return 0;  // nilpotent
        logarithm += power * std::log(norm);
        for (auto& entry : matrix.entries) entry /= norm;
        matrix = product(matrix, matrix);
        power /= 2;
    }
    return std::exp(logarithm);
}

std::vector<std::complex<double>> traces_of_powers(const Matrix& matrix) {
    std::vector<std::complex<double>> traces;
    Matrix power = matrix;
    while (true) {
        std::complex<double> trace;
        for (std::size_t i = 0; i < matrix.rows; ++i) trace += power.entries[i * matrix.rows + i];
        traces.push_back(trace);
        if (traces.size() == matrix.rows) return traces;
        power = product(power, matrix);
    }
}

}  // namespace kasc::stability
