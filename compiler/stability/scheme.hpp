#pragma once
// One time loop with the data of a run, ready to be asked for its amplification at any parameters.

#include <memory>

#include "stability/amplification.hpp"
#include "stability/cells.hpp"

namespace kasc::stability {

/// What a scheme does at some parameters.
struct Growth {
    Amplification worst;   ///< of the cells that are unstable, or of all
    std::size_t cell = 0;  ///< where
    bool known = false;    ///< some cell could be told
};

class Scheme {
public:
    /// Of the innermost loop of the path. Requires: graph, loops, data outlive it. None where nothing can be told.
    [[nodiscard]] static std::unique_ptr<Scheme> make(const Program& program, const Graph& graph, const LoopPath& path,
                                                      const std::vector<double>& parameters, const Data& data);

    [[nodiscard]] std::size_t groups() const { return groups_.size(); }
    [[nodiscard]] std::vector<VariableId> fields(std::size_t group) const;
    [[nodiscard]] const Cell& cell(std::size_t group, std::size_t number) const { return cells_.at(group).at(number); }

    /// At all sampled cells.
    [[nodiscard]] Growth growth(std::size_t group, const std::vector<double>& parameters);
    /// At one of them; none where it cannot be told.
    [[nodiscard]] std::optional<Amplification> at_cell(std::size_t group, std::size_t cell,
                                                       const std::vector<double>& parameters);

private:
    Scheme(const Program& program, const LoopPath& path, Tape tape, const Data& data);
    void find_groups();
    void find_cells(const Data& data);
    void bind(const std::vector<double>& parameters);

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
