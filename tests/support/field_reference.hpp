#pragma once
// Field programs evaluated as the language defines them, statement by statement: what plans and kernels compute is
// compared with this to the last bit.

#include <cstdint>
#include <map>
#include <vector>

#include "graph/field_target.hpp"
#include "graph/graph.hpp"
#include "support/field_values.hpp"

namespace kasc::test {

/// All values of a graph. What loops compute is not looked at: their results are drawn as inputs are.
class FieldReference {
public:
    FieldReference(const Program& program, const Graph& graph, const Problem& problem);

    [[nodiscard]] const Cells& value(ValueId v) const { return values_.at(v); }
    [[nodiscard]] const FieldShape& shape(ValueId v) const { return field_shape(program_, graph_.values[v].variable); }
    [[nodiscard]] std::size_t words(ValueId v) const { return cell_count(problem_, shape(v)); }

private:
    const Program& program_;
    const Graph& graph_;
    const Problem& problem_;
    std::map<ValueId, Cells> values_;
    std::uint32_t seed_ = 12345;

    /// Reals from 0.25 to 1.25, integers from 0 to 6.
    void draw(ValueId v);

    void run(const Node& node);
};

/// All variables of a program, its loops included.
class ProgramReference {
public:
    /// `inputs` by position. `disturbance`: to every word of what a transform gives a number between plus and minus so
    /// much of the largest word is added, so that it shows how the program's errors grow.
    ProgramReference(const Program& program, const Problem& problem, const std::vector<Cells>& inputs,
                     double disturbance = 0);

    [[nodiscard]] const Cells& value(VariableId v) const { return cells_.at(v.index); }

private:
    const Program& program_;
    Problem problem_;
    double disturbance_;
    std::uint32_t seed_ = 1;
    std::vector<Cells> cells_;  ///< by variable; zero before the first assignment

    void run(const std::vector<Statement>& statements);
    void disturb(Cells& cells, CellType type);
    void take_turns(const LoopStatement& several, const LoopStatement& single);
    void run(const LoopStatement& loop);
};

}  // namespace kasc::test
