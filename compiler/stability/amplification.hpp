#pragma once
// By how much does one step multiply a wave? Fields that depend on each other are taken together: the amplification
// matrix G(θ) has Σ c(o) e^{i θ·o} for each pair of them, and what grows is its largest eigenvalue.

#include <complex>
#include <optional>
#include <vector>

#include "stability/derivative.hpp"

namespace kasc::stability {

/// What |g| may exceed 1 by, and g of the uniform wave: rounding of the coefficients in float32 and of the eigenvalue.
inline constexpr double tolerance = 1e-5;

struct Amplification {
    double uniform = 0;  ///< of θ = 0: a reaction or a source lets everything grow together
    double largest = 0;  ///< of all θ

    [[nodiscard]] bool unstable() const { return largest > 1 + tolerance && largest > uniform * (1 + tolerance); }
};

/// Fields that depend on each other, through neighbours.
class Group {
public:
    /// Requires: `states` are the derivative's; `members` are numbers of fields, ascending.
    /// None where no state read is at a neighbour, and where there are too many fields or axes.
    [[nodiscard]] static std::optional<Group> make(const std::vector<std::size_t>& members,
                                                   const std::vector<StateOffset>& states);

    [[nodiscard]] const std::vector<std::size_t>& members() const { return members_; }
    /// At the cell where the derivative stands; none where a coefficient is not finite.
    [[nodiscard]] std::optional<Amplification> amplification(Derivative& derivative, const Tape& tape) const;
    /// About how many operations that takes.
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

/// The largest modulus of an eigenvalue of a square matrix, row after row.
[[nodiscard]] double spectral_radius(std::vector<std::complex<double>> matrix, std::size_t rows);

}  // namespace kasc::stability
