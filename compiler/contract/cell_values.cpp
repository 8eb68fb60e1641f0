// A walk over the tree, a row of cells at a time: beta >= 0 over 512 cells is one loop that widens 512 words and one
// that compares them with 0, which is one number for all of them.

#include "contract/cell_values.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "frontend/evaluate.hpp"

namespace kasc::contract {

namespace {

using Numbers = std::vector<double>;

constexpr long long most_cells = 512;
/// Loops over so many cells are of a length that the compiler knows: it computes them on whole vectors.
constexpr std::size_t lanes = 32;

constexpr std::size_t to_lanes(std::size_t count) { return (count + lanes - 1) / lanes * lanes; }

template <class Operation>
void for_all(Numbers& row, const Operation& operation) {
    for (std::size_t i = 0; i < row.size(); i += lanes) {
        double* at = row.data() + i;
        for (std::size_t lane = 0; lane < lanes; ++lane) at[lane] = operation(at[lane]);
    }
}
template <class Operation>
void for_all(Numbers& left, const Numbers& right, const Operation& operation) {
    for (std::size_t i = 0; i < left.size(); i += lanes) {
        double* at = left.data() + i;
        const double* with = right.data() + i;
        for (std::size_t lane = 0; lane < lanes; ++lane) at[lane] = operation(at[lane], with[lane]);
    }
}

/// One of the operands, or neither, is a number for all; the result stands in `left`.
template <class Values, class Operation>
void combine(Values& left, Values&& right, const Operation& operation) {
    if (left.same && right.same) {
        left.one = operation(left.one, right.one);
    } else if (right.same) {
        for_all(left.each, [&, b = right.one](double a) { return operation(a, b); });
    } else if (left.same) {
        left.each = std::move(right.each);
        left.same = false;
        for_all(left.each, [&, a = left.one](double b) { return operation(a, b); });
    } else {
        for_all(left.each, right.each, operation);
    }
}

/// The operators that conditions are made of in a loop each; the others have the meaning of evaluate.hpp.
template <class Values>
void combine(BinaryOperator op, Values& left, Values&& right) {
    const auto with = [&](const auto& operation) { combine(left, std::move(right), operation); };
    switch (op) {
        case BinaryOperator::add:
            return with([](double a, double b) { return a + b; });
        case BinaryOperator::subtract:
            return with([](double a, double b) { return a - b; });
        case BinaryOperator::multiply:
            return with([](double a, double b) { return a * b; });
        case BinaryOperator::divide:
        case BinaryOperator::divide_by_number:
            return with([](double a, double b) { return a / b; });
        case BinaryOperator::less:
            return with([](double a, double b) { return a < b ? 1.0 : 0.0; });
        case BinaryOperator::less_equal:
            return with([](double a, double b) { return a <= b ? 1.0 : 0.0; });
        case BinaryOperator::greater:
            return with([](double a, double b) { return a > b ? 1.0 : 0.0; });
        case BinaryOperator::greater_equal:
            return with([](double a, double b) { return a >= b ? 1.0 : 0.0; });
        case BinaryOperator::equal:
            return with([](double a, double b) { return a == b ? 1.0 : 0.0; });
        case BinaryOperator::not_equal:
            return with([](double a, double b) { return a != b ? 1.0 : 0.0; });
        case BinaryOperator::logical_and:
            return with([](double a, double b) { return (a != 0 ? 1.0 : 0.0) * (b != 0 ? 1.0 : 0.0); });
        case BinaryOperator::logical_or:
            return with([](double a, double b) { return (a != 0 ? 1.0 : 0.0) + (b != 0 ? 1.0 : 0.0) > 0 ? 1.0 : 0.0; });
        default:
            return with([op](double a, double b) { return apply(op, a, b); });
    }
}

template <class T>
void load(const void* cells, long long base, long long step, std::size_t count, Numbers& to) {
    const T* from = static_cast<const T*>(cells) + base;
    std::size_t i = 0;
    if (step == 1) {
        for (; i + lanes <= count; i += lanes) {
            for (std::size_t lane = 0; lane < lanes; ++lane) to[i + lane] = static_cast<double>(from[i + lane]);
        }
    }
    for (; i < count; ++i) to[i] = static_cast<double>(from[static_cast<long long>(i) * step]);
}

void load(CellType type, const void* cells, long long base, long long step, std::size_t count, Numbers& to) {
    switch (type) {
        case CellType::float64:
            return load<double>(cells, base, step, count, to);
        case CellType::int32:
            return load<std::int32_t>(cells, base, step, count, to);
        case CellType::int64:
            return load<std::int64_t>(cells, base, step, count, to);
        case CellType::uint8:
            return load<std::uint8_t>(cells, base, step, count, to);
        case CellType::float16:
            return load<kasc_half>(cells, base, step, count, to);
        case CellType::bfloat16:
            return load<kasc_bfloat16>(cells, base, step, count, to);
        default:
            return load<float>(cells, base, step, count, to);
    }
}

/// An integer whose operation may leave it no whole number.
bool may_have_fraction(const Expression& e) {
    if (const auto* binary = std::get_if<BinaryOperation>(&e.node)) return binary->op == BinaryOperator::divide;
    return std::holds_alternative<IntrinsicCall>(e.node);
}

}  // namespace

CellValues::CellValues(const Program& program, const std::vector<Operand>& operands, Precision precision,
                       const BoundData& data)
    : program_(program), operands_(operands), precision_(precision), data_(data) {}

std::vector<double> CellValues::evaluate(const Expression& expression, const Cell& from, std::optional<AxisId> along,
                                         std::size_t count) const {
    Values found = values(expression, {from, along, count});
    if (found.same) return std::vector<double>(count, found.one);
    found.each.resize(count);
    return std::move(found.each);
}

CellValues::Values CellValues::values(const Expression& expression, const Row& row) const {
    Values all = of_node(expression, row);
    round(expression, all);
    return all;
}

void CellValues::round(const Expression& expression, Values& values) const {
    const auto by = [&](const auto& rounded) {
        values.one = rounded(values.one);
        for_all(values.each, rounded);
    };
    if (expression.kind == ScalarKind::integer) {
        if (may_have_fraction(expression)) by([](double value) { return std::trunc(value); });
    } else if (expression.kind == ScalarKind::real && precision_ == Precision::single) {
        // After + - * / and sqrt, rounding the double's result gives float's own, bit for bit.
        const auto* use = std::get_if<OperandUse>(&expression.node);
        if (use && field_shape(program_, operands_.at(use->operand).variable).type == CellType::float32) return;
        by([](double value) { return static_cast<double>(static_cast<float>(value)); });
    }
}

CellValues::Values CellValues::of_node(const Expression& e, const Row& row) const {
    if (e.kind == ScalarKind::integer && is_uniform(e))
        return {true, evaluate_integer(e, program_, data_.parameters, {}, data_.extents)};
    if (const auto* use = std::get_if<OperandUse>(&e.node)) return read(operands_.at(use->operand), row);
    if (const auto* use = std::get_if<CoordinateUse>(&e.node)) {
        Values all{true, static_cast<double>(row.from.at(use->axis.index))};
        if (row.along != use->axis) return all;
        all.same = false;
        all.each.resize(to_lanes(row.count));
        for (std::size_t i = 0; i < all.each.size(); ++i) all.each[i] = all.one + static_cast<double>(i);
        return all;
    }
    if (const auto* unary = std::get_if<UnaryOperation>(&e.node)) {
        Values all = values(*unary->operand, row);
        all.one = apply(unary->op, all.one);
        if (unary->op == UnaryOperator::negate) {
            for_all(all.each, [](double value) { return -value; });
        } else {
            for_all(all.each, [op = unary->op](double value) { return apply(op, value); });
        }
        return all;
    }
    if (const auto* binary = std::get_if<BinaryOperation>(&e.node)) {
        Values left = values(*binary->left, row);
        combine(binary->op, left, values(*binary->right, row));
        return left;
    }
    if (const auto* choice = std::get_if<Conditional>(&e.node)) {
        const Values condition = values(*choice->condition, row);
        if (condition.same) return values(condition.one != 0 ? *choice->then : *choice->otherwise, row);
        const Values then = values(*choice->then, row);
        Values all = values(*choice->otherwise, row);
        all.each.resize(condition.each.size(), all.one);
        for (std::size_t i = 0; i < all.each.size(); ++i) {
            if (condition.each[i] != 0) all.each[i] = then.same ? then.one : then.each[i];
        }
        all.same = false;
        return all;
    }
    if (const auto* call = std::get_if<IntrinsicCall>(&e.node)) {
        Values first = values(*call->arguments.at(0), row);
        const Intrinsic intrinsic = call->intrinsic;
        Values second = call->arguments.size() > 1 ? values(*call->arguments[1], row) : Values{};
        // Integers are taken as doubles: not every one of them is held by a float.
        const Precision precision = has_integer_form(intrinsic) ? Precision::dual : precision_;
        combine(first, std::move(second), [=](double a, double b) { return apply(intrinsic, a, b, precision); });
        return first;
    }
    return {true, kasc::evaluate(e, data_.parameters, {}, data_.extents)};
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
            return static_cast<long long>(std::isfinite(place) ? std::clamp(place, 0.0, static_cast<double>(extent - 1))
                                                               : 0);
        };
        if (at) {
            base += (inside(evaluate_integer(*at->position, program_, data_.parameters, {}, data_.extents)) - missing) *
                    stride;
        } else if (computed) {
            const Values places = values(*computed->position, row);
            gathered.resize(row.count, 0);
            for (std::size_t i = 0; i < row.count; ++i)
                gathered[i] += (inside(places.same ? places.one : places.each[i]) - missing) * stride;
        } else {
            base += (row.from.at(axis.index) - missing) * stride;
            if (row.along == axis) step = stride;
        }
        stride *= extent;
    }
    if (gathered.empty() && step == 0) return {true, cell_value(shape.type, cells, static_cast<std::size_t>(base))};
    Values all{false, 0, std::vector<double>(to_lanes(row.count))};
    if (gathered.empty()) {
        load(shape.type, cells, base, step, row.count, all.each);
        return all;
    }
    for (std::size_t i = 0; i < row.count; ++i) {
        const long long at = base + static_cast<long long>(i) * step + gathered[i];
        all.each[i] = cell_value(shape.type, cells, static_cast<std::size_t>(at));
    }
    return all;
}

CellBlocks blocks_of(const std::vector<AxisId>& axes, const BoundData& data) {
    std::vector<AxisRange> ranges;
    for (const AxisId axis : axes) {
        const bool part = data.window && data.window->axis == axis;
        const long long from = part ? data.window->first : 0;
        ranges.push_back({axis, from, part ? from + data.window->rows : data.extents.at(axis.index)});
    }
    return {Cell(data.extents.size(), 0), ranges, most_cells};
}

}  // namespace kasc::contract
