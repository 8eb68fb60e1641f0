#pragma once
// One time loop with the data of a run, ready to be asked for its amplification at any parameters.

#include <memory>

#include "stability/amplification.hpp"
#include "stability/cells.hpp"

namespace kasc::stability {

/// What growth may be for rounding: of the coefficients in float32 and of the eigenvalue.
inline constexpr double tolerance = 1e-5;

/// How a wave grows in one step, log |g|, and whether that exceeds the tolerance and the uniform wave. A reaction or a
/// source that lets all grow together is no fault.
struct WaveGrowth {
    double logarithm = 0;
    bool grows = false;
};
using WaveGrowths = std::vector<WaveGrowth>;  ///< the uniform wave first

struct GrowingCell {
    std::size_t cell = 0;  ///< its number
    double logarithm = 0;  ///< of the wave that grows most
};
/// What a scheme does at some parameters.
struct Growth {
    std::vector<GrowingCell> cells;  ///< those where a wave grows, the fastest growth first
    bool known = false;              ///< some cell could be told
};

class Scheme {
public:
    /// The scheme of the innermost loop of the path. Requires: graph, loops, data outlive it. None where nothing can be
    /// told.
    [[nodiscard]] static std::unique_ptr<Scheme> make(const Program& program, const Graph& graph, const LoopPath& path,
                                                      const std::vector<double>& parameters, const Data& data);

    [[nodiscard]] std::size_t groups() const { return groups_.size(); }
    [[nodiscard]] std::vector<VariableId> fields(std::size_t group) const;
    [[nodiscard]] const Cell& cell(std::size_t group, std::size_t number) const { return cells_.at(group).at(number); }

    /// At all sampled cells.
    [[nodiscard]] Growth growth(std::size_t group, const std::vector<double>& parameters);
    /// At one of them; none where it cannot be told. A wave grows where it does so by the coefficients of the cell's
    /// row and by frozen ones. Rows alone mistake a medium that varies for growth: with a sponge d, d[1]*v[1] - d*v is
    /// not antisymmetric. Frozen ones alone see a bad cell whose neighbours hold it.
    [[nodiscard]] std::optional<WaveGrowths> at_cell(std::size_t group, std::size_t cell,
                                                     const std::vector<double>& parameters);
    /// The amplification matrices at one of the cells; none where a coefficient is not finite.
    [[nodiscard]] std::optional<std::vector<Matrix>> matrices(std::size_t group, std::size_t cell,
                                                              const std::vector<double>& parameters,
                                                              Coefficients coefficients);
    /// How many iterations the loop runs, those of the loops around it counted.
    [[nodiscard]] double iterations(const std::vector<double>& parameters) const;

private:
    Scheme(const Program& program, const LoopPath& path, Tape tape, const Data& data);
    void find_groups();
    void find_cells(const Data& data);
    void bind(const std::vector<double>& parameters);
    [[nodiscard]] std::optional<WaveGrowths> growth_here(std::size_t group, const Cell& cell);

    const Program& program_;
    const LoopPath path_;
    const std::vector<long long>& extents_;
    Tape tape_;
    Derivative derivative_;
    std::vector<Group> groups_;
    std::vector<std::vector<Cell>> cells_;  // by group
};

/// All loops of a graph, those inside of others behind them, each with the loops around it.
[[nodiscard]] std::vector<LoopPath> loop_paths(const Graph& graph);

}  // namespace kasc::stability
