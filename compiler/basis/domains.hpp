#pragma once
// What stands along cut axes, cells or waves, and what a program asks that blocks of a grid cannot do by themselves.
//
//   pml_x[x], u[x, y]        cells along x and y: u is transformed
//   dd_y[y], U = fft(u)      waves along y: dd_y * U
//
// One field has one of them along an axis. Half spectra are waves; what is transformed and what stands beside it in a
// statement says it of all else; what nothing says it of are cells.

#include <map>
#include <optional>
#include <vector>

#include "basis/blocks.hpp"
#include "frontend/program.hpp"

namespace kasc::basis {

enum class Along { cells, waves };

class Domains {
public:
    /// Both outlive it.
    Domains(const Program& program, const Blocks& blocks);

    /// The cut axis that it is, or is half a spectrum of; null: it is not cut.
    [[nodiscard]] const CutAxis* cut(AxisId axis) const;
    /// Requires: the variable's axis at this place is cut.
    [[nodiscard]] Along along(VariableId variable, std::size_t place) const;
    /// What stands along a cut axis of the statement; none: it does not run along it.
    [[nodiscard]] std::optional<Along> along(const FieldStatement& statement, AxisId axis) const;
    /// The statement runs along waves of some cut axis.
    [[nodiscard]] bool runs_along_waves(const FieldStatement& statement) const;
    [[nodiscard]] bool has_waves(VariableId variable) const;
    /// Cut axes along which the variable has cells.
    [[nodiscard]] std::vector<AxisId> cell_axes(VariableId variable) const;

    /// Transforms whose fields have cells and waves along an axis.
    [[nodiscard]] const std::vector<const TransformStatement*>& contradictions() const { return contradictions_; }

private:
    using Node = std::pair<VariableId, std::size_t>;
    const Program& program_;
    const Blocks& blocks_;
    std::map<Node, Node> parents_;
    std::map<Node, std::pair<bool, bool>> told_;  ///< by root: cells, waves
    std::vector<const TransformStatement*> contradictions_;

    [[nodiscard]] Node root(Node node) const;
    void join(const Node& a, const Node& b);
    void tell(const Node& node, Along along);
    void find(const std::vector<Statement>& statements);
    void find(const FieldStatement& statement);
    void find(const TransformStatement& statement);
};

/// K0818 for each: what the program asks for, why processes that have a block each cannot do it, and what can be
/// written in its place. With an empty list local_program() makes the blocks' program.
[[nodiscard]] Diagnostics check_basis(const Program& program, const Domains& domains);

/// K0818 at a place.
[[nodiscard]] Diagnostic basis_fault(std::string message, const Span& span, std::string label, std::string help);

}  // namespace kasc::basis
