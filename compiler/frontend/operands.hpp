#pragma once
// The distinct reads of one field statement, in the order of their first appearance.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "frontend/program.hpp"

namespace kasc::frontend {

class Operands {
public:
    /// `target` and its indices say which axes the statement runs over.
    Operands(const Program& program, VariableId target, const std::vector<AxisIndex>& target_indices);

    /// running: one cell after another; fixed: at the target's absolute position; absent: no axis of the target.
    enum class TargetAxis { running, fixed, absent };
    [[nodiscard]] TargetAxis target_axis(AxisId axis) const;
    [[nodiscard]] VariableId target() const { return target_; }

    /// The number of the operand; an equal read that was added before gives its number again.
    [[nodiscard]] std::size_t add(Operand operand);
    [[nodiscard]] std::vector<Operand> take() { return std::move(operands_); }

private:
    const Program& program_;
    VariableId target_;
    std::map<AxisId, TargetAxis> axes_;
    std::vector<Operand> operands_;
    std::map<std::string, std::size_t> numbers_;  ///< by the text of the read, which says it completely
};

}  // namespace kasc::frontend
