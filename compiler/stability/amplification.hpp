#pragma once
// By how much does one step multiply a wave? Fields that depend on each other are taken together: the amplification
// matrix G(θ) has Σ c(o) e^{i θ·o} for each pair of them, and what grows is its largest eigenvalue.

#include <complex>
#include <optional>
#include <vector>

#include "stability/derivative.hpp"

namespace kasc::stability {

/// Square, row after row.
struct Matrix {
    std::size_t rows = 0;
    std::vector<std::complex<double>> entries;
};

/// Fields that depend on each other, through neighbours.
class Group {
public:
    /// Requires: `states` are the derivative's; `members` are numbers of fields, ascending.
    /// None where no state read is at a neighbour, and where there are too many fields or axes.
    [[nodiscard]] static std::optional<Group> make(const std::vector<std::size_t>& members,
                                                   const std::vector<StateOffset>& states);

    [[nodiscard]] const std::vector<std::size_t>& members() const { return members_; }
    /// The amplification matrix of each wave, the uniform wave first, at the cell where the derivative stands; none
    /// where a coefficient is not finite.
    [[nodiscard]] std::optional<std::vector<Matrix>> amplification(Derivative& derivative, const Tape& tape) const;
    /// About how many operations that and the radii take.
    [[nodiscard]] std::size_t work() const;

private:
    /// A state read of a member, with θ·o for each θ in quarter turns.
    struct Term {
        std::size_t state;
        std::size_t column;
        std::vector<int> quarters;  ///< by θ, 0 to 3
    };
    std::vector<std::size_t> members_;
    std::vector<Term> terms_;
    std::size_t waves_ = 1;  ///< how many θ
};

/// The largest modulus of an eigenvalue.
[[nodiscard]] double spectral_radius(Matrix matrix);
/// The traces of G, G², … of as many powers as G has rows: two matrices that agree in them have the same eigenvalues.
[[nodiscard]] std::vector<std::complex<double>> traces_of_powers(const Matrix& matrix);

}  // namespace kasc::stability
