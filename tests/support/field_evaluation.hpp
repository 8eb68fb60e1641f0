#pragma once
// One field statement as the language defines it: cell by cell over whole arrays, boundaries applied to every read,
// each operation rounded to the statement's precision, `a * b + c` of cells in one rounding. Shares nothing with
// schedules and kernels.

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "frontend/program.hpp"
#include "support/complex_number.hpp"
#include "support/field_values.hpp"

namespace kasc::test {

template <class Evaluation>
class AddedEntries;
struct FoldedNumbers;

class StatementEvaluation {
public:
    using Cell = std::map<AxisId, long long>;  ///< where it stands along the axes that the statement runs over
    /// The array that an operand reads.
    using Operands = std::function<const Cells&(std::size_t)>;

    StatementEvaluation(const Program& program, const Problem& problem, const FieldStatement& statement,
                        Operands operands)
        : program_(program), problem_(problem), statement_(statement), operands_(std::move(operands)) {}

    /// The target after the statement; `former`: before it.
    [[nodiscard]] Cells run(const Cells& former) const;

    /// Uniform or of a cell.
    [[nodiscard]] long long integer(const Expression& e, const Cell& cell) const;
    [[nodiscard]] long long integer_node(const Expression& e, const Cell& cell) const;
    template <class Real>
    [[nodiscard]] Real real(const Expression& e, const Cell& cell) const;
    template <class Real>
    [[nodiscard]] ComplexNumber<Real> complex(const Expression& e, const Cell& cell) const;
    [[nodiscard]] bool condition(const Expression& e, const Cell& cell) const;

private:
    friend class AddedEntries<StatementEvaluation>;

    const Program& program_;
    const Problem& problem_;
    const FieldStatement& statement_;
    Operands operands_;
    Precision precision_ = statement_.precision;
    bool in_uniform_ = false;  ///< within an integer that is the same for all cells
    /// The statement's integers have 64 bits: they do where the target or a field that it reads has.
    bool is_long_ = reads_long();

    [[nodiscard]] bool reads_long() const;

    /// What the cell of entries that are added has so far.
    mutable double running_ = 0, running_imaginary_ = 0;

    /// None: it is left out. `at_cells`: the cell is the target's own along axes at computed positions.
    [[nodiscard]] std::optional<std::size_t> target_index(const Cell& cell, bool at_cells = false) const;

    [[nodiscard]] long long extent(AxisId axis) const { return problem_.extents.at(axis.index); }
    [[nodiscard]] bool dual() const { return precision_ == Precision::dual; }

    template <class Visit>
    void each(const std::vector<AxisId>& axes, std::size_t k, Cell& cell, const Visit& visit) const {
        if (k == axes.size()) return visit();
        for (long long i = 0; i < extent(axes[k]); ++i) {
            cell[axes[k]] = i;
            each(axes, k + 1, cell, visit);
        }
    }

    [[nodiscard]] long long target_position(std::size_t k, const Cell& cell, bool at_cells) const;
    [[nodiscard]] AxisId target_axis(std::size_t k) const { return field_shape(program_, statement_.target).axes[k]; }
    [[nodiscard]] long long on_grid(AxisId axis, long long at) const;

    void assign(Cells& out, std::size_t index, const Cell& cell) const;
    /// What the target's cell becomes, before it is stored.
    [[nodiscard]] double value(const Cell& cell) const;

    [[nodiscard]] double chained(const FoldedNumbers& numbers, double sum, const Cell& cell) const;

    /// Numbers of cells in turn to the lanes, the lanes joined by halves (Fold, program.hpp).
    [[nodiscard]] double folded(const Fold& fold, Cell cell) const;

    /// The cell of this number, in the order of the line.
    [[nodiscard]] Cell on_line(const Running& running, Cell cell, long long number) const;
    /// Line by line along the axis (Running, program.hpp).
    [[nodiscard]] Cells run_up(const Running& running, const Cells& former, Cell cell = {}) const;

    /// `part`: 1 for the imaginary one.
    [[nodiscard]] double read(std::size_t k, const Cell& cell, std::size_t part = 0) const;
    [[nodiscard]] double face_value(const FieldShape& field, const Face& face) const;

    template <class Real>
    [[nodiscard]] Real parameter(ParameterId id) const;

    template <class Real>
    [[nodiscard]] Real binary(const BinaryOperation& b, const Cell& cell) const;
};

}  // namespace kasc::test
