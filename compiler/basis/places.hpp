#pragma once
// Statements of the grid's program as a block has them: coordinates, extents and positions. Internal to this folder.

#include <map>
#include <set>

#include "basis/checks.hpp"
#include "basis/local_program.hpp"

namespace kasc::basis {

class Places {
public:
    /// All outlive it.
    Places(const Program& program, const Blocks& blocks, const Domains& domains,
           const std::vector<BlockParameters>& parameters);

    [[nodiscard]] FieldStatement local(const FieldStatement& statement) const;
    /// What is the same for all cells and blocks: a bound of a loop.
    [[nodiscard]] ExpressionRef uniform(const ExpressionRef& expression) const;
    /// 1 where an entry that was read so is the block's own, else 0: a statement on a field that it adds to `program`.
    [[nodiscard]] FieldStatement own_entries(const KnownAt& known, Program& program) const;

private:
    const Program& program_;
    const Blocks& blocks_;
    const Domains& domains_;
    const std::vector<BlockParameters>& parameters_;
    std::map<VariableId, std::multiset<AxisId>> scaled_;  ///< transforms back that are scaled where they are read

    [[nodiscard]] const BlockParameters& of(AxisId axis) const;
    /// `s`: in which it stands; null: in none.
    [[nodiscard]] ExpressionRef expression(const FieldStatement* s, const ExpressionRef& e) const;
    [[nodiscard]] bool has_extents_of_block(const FieldStatement* s, AxisId axis) const;
    [[nodiscard]] ExpressionRef coordinate(AxisId axis) const;
    [[nodiscard]] ExpressionRef own(AxisId axis, const ExpressionRef& position) const;
    [[nodiscard]] ExpressionRef nearest(AxisId axis, const ExpressionRef& position) const;
    [[nodiscard]] ExpressionRef in_block(AxisId axis, const ExpressionRef& position) const;
    [[nodiscard]] AxisIndex read_at(const FieldStatement& s, AxisId axis, const AxisIndex& index) const;
    [[nodiscard]] AxisIndex stored_at(const FieldStatement& s, AxisId axis, const AxisIndex& index) const;
    [[nodiscard]] FieldStatement with_condition(const FieldStatement& s, FieldStatement made) const;
};

}  // namespace kasc::basis
