#include "frontend/reduced_axes.hpp"

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "frontend/operators.hpp"
#include "frontend/reduction.hpp"

namespace kasc::frontend {

namespace {

/// A position so many cells from the coordinate of an axis.
std::optional<AxisId> steps_along(const Expression& position) {
    if (const auto* use = std::get_if<CoordinateUse>(&position.node)) return use->axis;
    const auto* b = std::get_if<BinaryOperation>(&position.node);
    const bool steps = b && (b->op == BinaryOperator::add || b->op == BinaryOperator::subtract) &&
                       std::holds_alternative<Literal>(b->right->node);
    return steps ? steps_along(*b->left) : std::nullopt;
}

/// The one axis whose coordinate decides a position, `w[k = k/8]`: none where data or several do.
std::optional<AxisId> decided_along(const Expression& position) {
    std::optional<AxisId> axis;
    bool by_it_alone = true;
    for_each_part(position, [&](const Expression& part) {
        by_it_alone = by_it_alone && !std::holds_alternative<OperandUse>(part.node);
        const auto* use = std::get_if<CoordinateUse>(&part.node);
        if (use == nullptr) return;
        by_it_alone = by_it_alone && (!axis || *axis == use->axis);
        axis = use->axis;
    });
    return by_it_alone ? axis : std::nullopt;
}

/// The cell of this operand is another one along the axis.
bool differs_along(const Checking& checking, const Operand& operand, AxisId axis) {
    for (std::size_t k = 0; k < operand.indices.size(); ++k) {
        if (const auto* offset = std::get_if<Offset>(&operand.indices[k])) {
            const AxisId own = field_shape(checking.program, operand.variable).axes[k];
            if ((offset->across ? checking.partner(own).value() : own) == axis) return true;
        }
        const auto* computed = std::get_if<Computed>(&operand.indices[k]);
        if (computed && asks_for(*computed->position, axis)) return true;
    }
    return false;
}

}  // namespace

std::string axis_list(const Program& program, const std::vector<AxisId>& axes) {
    std::vector<std::string> names;
    for (const AxisId axis : axes) names.push_back(program.axes[axis].name);
    return name_list(names);
}

bool contains(const std::vector<AxisId>& axes, AxisId axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

std::vector<AxisId> in_order_of_memory(const Checking& checking, const std::vector<Operand>& operands,
                                       const std::vector<std::vector<AxisId>>& unread, const std::vector<AxisId>& all) {
    std::vector<AxisId> order;
    for (const Operand& operand : operands) {
        std::vector<AxisId> moving;
        for (std::size_t k = 0; k < operand.indices.size(); ++k) {
            const auto* offset = std::get_if<Offset>(&operand.indices[k]);
            const AxisId axis = field_shape(checking.program, operand.variable).axes[k];
            if (offset) moving.push_back(offset->across ? checking.partner(axis).value() : axis);
            const auto* computed = std::get_if<Computed>(&operand.indices[k]);
            auto along = computed ? steps_along(*computed->position) : std::nullopt;
            // Around the cell itself: `u[x = x + i - 2]` lies as x does.
            if (computed && !along && asks_for(*computed->position, axis)) along = axis;
            if (computed && !along) along = decided_along(*computed->position);
            if (along && std::find(moving.begin(), moving.end(), *along) == moving.end()) moving.push_back(*along);
        }
        if (moving.size() > order.size()) order = std::move(moving);
    }
    for (const std::vector<AxisId>& moving : unread)
        if (moving.size() > order.size()) order = moving;
    for (const AxisId axis : all) {
        if (std::find(order.begin(), order.end(), axis) == order.end()) order.push_back(axis);
    }
    return order;
}

bool is_window(const Checking& checking, const std::vector<Operand>& operands, const std::vector<AxisId>& folded) {
    long long cells = 1;
    for (const AxisId axis : folded) {
        const auto length = declared_length(checking.program.axes[axis]);
        if (!length || *length > most_window_cells) return false;
        cells *= *length;
    }
    const auto goes_along = [&](const AxisIndex& index) {
        const auto* computed = std::get_if<Computed>(&index);
        return computed != nullptr && std::any_of(folded.begin(), folded.end(),
                                                  [&](AxisId axis) { return asks_for(*computed->position, axis); });
    };
    return cells <= most_window_cells && std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
               return std::any_of(operand.indices.begin(), operand.indices.end(), goes_along);
           });
}

bool is_along_one_and_few(const Checking& checking, const std::vector<AxisId>& folded) {
    std::vector<long long> lengths;
    for (const AxisId axis : folded)
        if (const auto length = declared_length(checking.program.axes[axis])) lengths.push_back(*length);
    std::sort(lengths.begin(), lengths.end());
    if (lengths.size() == folded.size()) lengths.pop_back();  // the longest is the one of any length
    if (lengths.size() + 1 < folded.size()) return false;
    long long cells = 1;
    for (const long long length : lengths) {
        if (length > most_window_cells) return false;
        cells *= length;
    }
    return cells <= most_window_cells;
}

bool leaves_few(const Checking& checking, const std::vector<AxisId>& folded, const std::vector<AxisId>& kept) {
    constexpr long long most_of_few = 64, least_of_many = 8192;
    const auto cells = [&](const std::vector<AxisId>& axes) -> std::optional<long long> {
        long long all = 1;
        for (const AxisId axis : axes) {
            const auto length = declared_length(checking.program.axes[axis]);
            if (!length) return std::nullopt;
            all = std::min(all * std::min(*length, least_of_many), least_of_many);
        }
        return all;
    };
    const auto results = cells(kept), of_each = cells(folded);
    return !kept.empty() && results && *results <= most_of_few && of_each.value_or(least_of_many) >= least_of_many;
}

bool reads_fewer_words(const Checking& checking, const std::vector<Operand>& operands,
                       const std::vector<AxisId>& axes) {
    return std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
        const bool at_position = std::any_of(operand.indices.begin(), operand.indices.end(), [](const AxisIndex& i) {
            const auto* computed = std::get_if<Computed>(&i);
            return computed && any_part(*computed->position, [](const Expression& part) {
                       return std::holds_alternative<OperandUse>(part.node);
                   });
        });
        return !at_position && !std::all_of(axes.begin(), axes.end(),
                                            [&](AxisId axis) { return differs_along(checking, operand, axis); });
    });
}

}  // namespace kasc::frontend
