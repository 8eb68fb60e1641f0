// A walk over the tree, a row of cells at a time: beta >= 0 over 512 cells is one loop that widens 512 words, one that
// fills 512 zeros and one that compares.

#include "contract/cell_values.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "frontend/evaluate.hpp"

namespace kasc::contract {

namespace {

using Values = std::vector<double>;

template <class Operation>
void combine(Values& left, const Values& right, const Operation& operation) {
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<double>(operation(left[i], right[i]));
}

/// The operators that conditions are made of in a loop each; the others have the meaning of evaluate.hpp.
void combine(BinaryOperator op, Values& left, const Values& right) {
    switch (op) {
        case BinaryOperator::less:
            return combine(left, right, std::less<>());
        case BinaryOperator::less_equal:
            return combine(left, right, std::less_equal<>());
        case BinaryOperator::greater:
            return combine(left, right, std::greater<>());
        case BinaryOperator::greater_equal:
            return combine(left, right, std::greater_equal<>());
        default:
            return combine(left, right, [op](double a, double b) { return apply(op, a, b); });
    }
}

template <class T>
void load(const void* cells, long long base, long long step, Values& to) {
    const T* from = static_cast<const T*>(cells) + base;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<double>(from[static_cast<long long>(i) * step]);
}

void load(CellType type, const void* cells, long long base, long long step, Values& to) {
    switch (type) {
        case CellType::float64:
            return load<double>(cells, base, step, to);
        case CellType::int32:
            return load<std::int32_t>(cells, base, step, to);
        case CellType::uint8:
            return load<std::uint8_t>(cells, base, step, to);
        default:
            return load<float>(cells, base, step, to);
    }
}

}  // namespace

CellValues::CellValues(const Program& program, const std::vector<Operand>& operands, Precision precision,
                       const BoundData& data)
    : program_(program), operands_(operands), precision_(precision), data_(data) {}

std::vector<double> CellValues::evaluate(const Expression& expression, const Cell& from, std::optional<AxisId> along,
                                         std::size_t count) const {
    return values(expression, Row{from, along, count});
}

CellValues::Values CellValues::values(const Expression& expression, const Row& row) const {
    Values all = of_node(expression, row);
    const bool is_read = std::holds_alternative<OperandUse>(expression.node);  // whole already
    if (expression.kind == ScalarKind::integer && !is_read) {
        for (double& value : all) value = std::trunc(value);
    } else if (expression.kind == ScalarKind::real && precision_ == Precision::single) {
        // Of + - * / and sqrt, rounding the double's result gives float's own, bit for bit.
        for (double& value : all) value = static_cast<double>(static_cast<float>(value));
    }
    return all;
}

CellValues::Values CellValues::of_node(const Expression& e, const Row& row) const {
    if (const auto* use = std::get_if<OperandUse>(&e.node)) return read(operands_.at(use->operand), row);
    if (const auto* use = std::get_if<CoordinateUse>(&e.node)) {
        Values all(row.count, static_cast<double>(row.from.at(use->axis.index)));
        for (std::size_t i = 0; row.along == use->axis && i < row.count; ++i) all[i] += static_cast<double>(i);
        return all;
    }
    if (const auto* unary = std::get_if<UnaryOperation>(&e.node)) {
        Values all = values(*unary->operand, row);
        for (double& value : all) value = apply(unary->op, value);
        return all;
    }
    if (const auto* binary = std::get_if<BinaryOperation>(&e.node)) {
        Values left = values(*binary->left, row);
        const Values right = values(*binary->right, row);
        combine(binary->op, left, right);
        return left;
    }
    if (const auto* choice = std::get_if<Conditional>(&e.node)) {
        const Values condition = values(*choice->condition, row);
        Values then = values(*choice->then, row);
        const Values otherwise = values(*choice->otherwise, row);
        for (std::size_t i = 0; i < row.count; ++i) then[i] = condition[i] != 0 ? then[i] : otherwise[i];
        return then;
    }
    if (const auto* call = std::get_if<IntrinsicCall>(&e.node)) {
        Values first = values(*call->arguments.at(0), row);
        const Values second = call->arguments.size() > 1 ? values(*call->arguments[1], row) : first;
        for (std::size_t i = 0; i < row.count; ++i) first[i] = apply(call->intrinsic, first[i], second[i]);
        return first;
    }
    return Values(row.count, kasc::evaluate(e, data_.parameters, {}, data_.extents));
}

CellValues::Values CellValues::read(const Operand& operand, const Row& row) const {
    const FieldShape& shape = field_shape(program_, operand.variable);
    const auto number = static_cast<std::size_t>(
        std::find(program_.inputs.begin(), program_.inputs.end(), operand.variable) - program_.inputs.begin());
    const void* cells = data_.inputs.at(number);
    const bool windowed = data_.window && data_.windowed.at(number);
    long long base = 0, step = 0, stride = 1;
    std::vector<long long> gathered;  // by cell, what positions add to its address
    for (std::size_t k = 0; k < shape.axes.size(); ++k) {
        const AxisId axis = shape.axes[k];
        const long long extent = data_.extents.at(axis.index);
        const long long missing = windowed && data_.window->axis == axis ? data_.window->first : 0;
        const auto* at = std::get_if<Absolute>(&operand.indices[k]);
        const auto* computed = std::get_if<Computed>(&operand.indices[k]);
        const auto inside = [&](double place) {
            return std::clamp<long long>(std::isfinite(place) ? static_cast<long long>(place) : 0, 0, extent - 1);
        };
        if (at) {
            base += (inside(kasc::evaluate(*at->position, data_.parameters, {}, data_.extents)) - missing) * stride;
        } else if (computed) {
            const Values places = values(*computed->position, row);
            gathered.resize(row.count, 0);
            for (std::size_t i = 0; i < row.count; ++i) gathered[i] += (inside(places[i]) - missing) * stride;
        } else {
            base += (row.from.at(axis.index) - missing) * stride;
            if (row.along == axis) step = stride;
        }
        stride *= extent;
    }
    Values all(row.count);
    if (gathered.empty()) {
        load(shape.type, cells, base, step, all);
        return all;
    }
    for (std::size_t i = 0; i < row.count; ++i) {
        const long long at = base + static_cast<long long>(i) * step + gathered[i];
        all[i] = cell_value(shape.type, cells, static_cast<std::size_t>(at));
    }
    return all;
}

}  // namespace kasc::contract
