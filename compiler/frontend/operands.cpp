#include "frontend/operands.hpp"

namespace kasc::frontend {

Operands::Operands(const Program& program, VariableId target, const std::vector<AxisIndex>& target_indices)
    : program_(program), target_(target) {
    const FieldShape& shape = field_shape(program, target);
    for (std::size_t i = 0; i < shape.axes.size(); ++i) {
        const bool fixed = std::holds_alternative<Absolute>(target_indices[i]);
        axes_[shape.axes[i]] = fixed ? TargetAxis::fixed : TargetAxis::running;
    }
}

Operands::TargetAxis Operands::target_axis(AxisId axis) const {
    const auto place = axes_.find(axis);
    return place == axes_.end() ? TargetAxis::absent : place->second;
}

std::size_t Operands::add(Operand operand) {
    const auto [place, added] = numbers_.try_emplace(to_text(operand, program_), operands_.size());
    if (added) operands_.push_back(std::move(operand));
    return place->second;
}

}  // namespace kasc::frontend
