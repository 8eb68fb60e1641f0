#include "frontend/operands.hpp"

#include <algorithm>

namespace kasc::frontend {

void Operands::close(const std::vector<AxisIndex>& target_indices) {
    closed_ = true;
    const FieldShape& shape = field_shape(program_, target());
    for (std::size_t i = 0; i < shape.axes.size(); ++i) {
        const bool moves = std::holds_alternative<Offset>(target_indices[i]);
        axes_[shape.axes[i]] = moves ? TargetAxis::running : TargetAxis::fixed;
    }
    // What ran along an axis that moves with the target needs no list.
    std::erase_if(listed_, [&](AxisId axis) {
        const auto place = axes_.find(axis);
        return place != axes_.end() && place->second == TargetAxis::running;
    });
    for (const AxisId axis : listed_) axes_[axis] = TargetAxis::running;
}

Operands::TargetAxis Operands::target_axis(AxisId axis) {
    if (!closed_) {
        if (std::find(listed_.begin(), listed_.end(), axis) == listed_.end()) listed_.push_back(axis);
        return TargetAxis::running;
    }
    const auto place = axes_.find(axis);
    return place == axes_.end() ? TargetAxis::absent : place->second;
}

void Operands::run_along(std::vector<AxisId> axes) {
    for (const AxisId axis : axes) static_cast<void>(target_axis(axis));
    unread_.push_back(std::move(axes));
}

std::vector<AxisId> Operands::running() const {
    std::vector<AxisId> axes;
    if (!target_) return axes;
    for (const AxisId axis : field_shape(program_, *target_).axes) {
        const auto place = axes_.find(axis);
        if (place != axes_.end() && place->second == TargetAxis::running) axes.push_back(axis);
    }
    return axes;
}

std::size_t Operands::add(Operand operand) {
    std::string text = to_text(operand, program_, texts_);
    const auto [place, added] = numbers_.try_emplace(text, operands_.size());
    if (added) {
        operands_.push_back(std::move(operand));
        texts_.push_back(std::move(text));
    }
    return place->second;
}

std::size_t Operands::add_apart(Operand operand) {
    texts_.push_back(to_text(operand, program_, texts_));
    operands_.push_back(std::move(operand));
    return operands_.size() - 1;
}

bool Operands::some_is(bool (*of)(CellType)) const {
    const auto is = [&](VariableId v) { return of(field_shape(program_, v).type); };
    return (target_ && is(*target_)) ||
           std::any_of(operands_.begin(), operands_.end(), [&](const Operand& o) { return is(o.variable); });
}

Precision Operands::precision() const { return some_is(is_dual) ? Precision::dual : Precision::single; }

bool Operands::computes_long() const { return some_is(is_long); }

}  // namespace kasc::frontend
