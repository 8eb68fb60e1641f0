// Reverse accumulation: values forwards, then ∂result/∂result = 1 is passed back from each operation to its operands
// and ends at the state reads. One sweep gives the coefficients of all neighbours.
//
//   T' = T + c * (T[-1] - T)         back:  T' 1 → T 1, product 1 → difference c → T[-1] c, T 1 - c

#include "stability/derivative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "frontend/evaluate.hpp"

namespace kasc::stability {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Derivatives by the two operands.
std::pair<double, double> slopes(BinaryOperator op, double left, double right) {
    switch (op) {
        case BinaryOperator::add:
            return {1, 1};
        case BinaryOperator::subtract:
            return {1, -1};
        case BinaryOperator::multiply:
            return {right, left};
        case BinaryOperator::divide:
        case BinaryOperator::divide_by_number:
            return {1 / right, -left / (right * right)};
        case BinaryOperator::modulo:
            return {1, -std::trunc(left / right)};
        default:
            return {0, 0};  // comparisons and logic are constant nearly everywhere
    }
}

/// Derivatives of an intrinsic by its two arguments, where its value is `value`.
std::pair<double, double> slopes(Intrinsic intrinsic, double first, double second, double value) {
    switch (intrinsic) {
        case Intrinsic::exp:
            return {value, 0};
        case Intrinsic::exp2:
            return {value * std::log(2.0), 0};
        case Intrinsic::expm1:
            return {value + 1, 0};
        case Intrinsic::inverse:
            return {-value * value, 0};
        case Intrinsic::inverse_rest:
            return {0, 0};
        case Intrinsic::log:
            return {1 / first, 0};
        case Intrinsic::log2:
            return {1 / (first * std::log(2.0)), 0};
        case Intrinsic::log10:
            return {1 / (first * std::log(10.0)), 0};
        case Intrinsic::log1p:
            return {1 / (1 + first), 0};
        case Intrinsic::sqrt:
            return {0.5 / value, 0};
        case Intrinsic::cbrt:
            return {1 / (3 * value * value), 0};
        case Intrinsic::hypot:
            return {first / value, second / value};
        case Intrinsic::pow:
            return {second * std::pow(first, second - 1), value * std::log(first)};
        case Intrinsic::sin:
            return {std::cos(first), 0};
        case Intrinsic::cos:
            return {-std::sin(first), 0};
        case Intrinsic::tan:
            return {1 + value * value, 0};
        case Intrinsic::asin:
            return {1 / std::sqrt(1 - first * first), 0};
        case Intrinsic::acos:
            return {-1 / std::sqrt(1 - first * first), 0};
        case Intrinsic::atan:
            return {1 / (1 + first * first), 0};
        case Intrinsic::atan2:
            return {second / (first * first + second * second), -first / (first * first + second * second)};
        case Intrinsic::sinh:
            return {std::cosh(first), 0};
        case Intrinsic::cosh:
            return {std::sinh(first), 0};
        case Intrinsic::tanh:
            return {1 - value * value, 0};
        case Intrinsic::erf:
            return {std::exp(-first * first) * std::numbers::inv_sqrtpi * 2, 0};
        case Intrinsic::erfc:
            return {-std::exp(-first * first) * std::numbers::inv_sqrtpi * 2, 0};
        case Intrinsic::abs:
            return {first > 0 ? 1 : first < 0 ? -1 : 0, 0};
        case Intrinsic::floor:
        case Intrinsic::ceil:
        case Intrinsic::round:
        case Intrinsic::to_integer:
            return {0, 0};
        case Intrinsic::to_real:
            return {1, 0};
        case Intrinsic::minimum:
            return first <= second ? std::pair{1.0, 0.0} : std::pair{0.0, 1.0};
        case Intrinsic::maximum:
            return first >= second ? std::pair{1.0, 0.0} : std::pair{0.0, 1.0};
        case Intrinsic::random:
        case Intrinsic::make_complex:
        case Intrinsic::conjugate:
        case Intrinsic::real_part:
        case Intrinsic::imaginary_part:
        case Intrinsic::phase:
            break;
    }
    return {unknown, unknown};
}

bool chooses(Intrinsic intrinsic) { return intrinsic == Intrinsic::minimum || intrinsic == Intrinsic::maximum; }

}  // namespace

Derivative::Derivative(const Program& program, const Tape& tape, const Data& data)
    : program_(program),
      tape_(tape),
      data_(data),
      values_(tape.operations.size(), unknown),
      weights_(tape.operations.size(), 0) {
    for (Slot slot = 0; slot < tape.operations.size(); ++slot) {
        const auto& what = tape.operations[slot].what;
        if (std::holds_alternative<Uniform>(what) || std::holds_alternative<Unknown>(what)) continue;
        if (const auto* read = std::get_if<InputRead>(&what)) {
            std::vector<std::variant<Coordinate, Slot>> at;
            for (const AxisId axis : field_shape(program, program.inputs.at(read->input)).axes)
                at.emplace_back(read->at.at(axis.index));
            reads_.emplace(slot, make_read(read->input, at));
        }
        if (const auto* read = std::get_if<GatheredRead>(&what)) reads_.emplace(slot, make_read(read->input, read->at));
        const auto read = reads_.find(slot);
        computed_.emplace_back(slot, read == reads_.end() ? nullptr : &read->second);
        if (const auto* state = std::get_if<StateRead>(&what)) states_.push_back({slot, state->field, state->at});
    }
    by_state_.resize(states_.size());
}

Derivative::Read Derivative::make_read(std::size_t input, const std::vector<std::variant<Coordinate, Slot>>& at) const {
    const FieldShape& shape = field_shape(program_, program_.inputs.at(input));
    const double assumed = data_.assumed.empty() ? unknown : data_.assumed.at(input);
    Read made{data_.inputs.at(input), assumed, shape.type, {}};
    long long stride = 1;
    for (std::size_t k = 0; k < shape.axes.size(); ++k) {
        const long long extent = data_.extents.at(shape.axes[k].index);
        made.axes.push_back({shape.axes[k].index, at[k], extent, stride});
        stride *= extent;
    }
    if (!data_.rows.empty()) made.rows = data_.rows.at(input);
    return made;
}

double Derivative::input(const Read& read) const {
    long long address = 0;
    for (const AxisRead& axis : read.axes) {
        long long stands = 0;
        if (const auto* slot = std::get_if<Slot>(&axis.at)) {
            if (!std::isfinite(values_[*slot])) return unknown;
            stands = static_cast<long long>(std::trunc(values_[*slot]));
        } else {
            stands = place(std::get<Coordinate>(axis.at), axis.axis);
        }
        stands = std::clamp<long long>(stands, 0, axis.extent - 1);
        const bool last = &axis == &read.axes.back();
        if (last && read.rows && (stands < read.rows->from || stands >= read.rows->to)) return unknown;
        address += stands * axis.stride;
    }
    return read.values == nullptr ? read.assumed
                                  : cell_value(read.type, read.values, static_cast<std::size_t>(address));
}

void Derivative::bind(const std::vector<double>& parameters, const std::map<LoopId, double>& loop_indices) {
    for (Slot slot = 0; slot < tape_.operations.size(); ++slot) {
        if (const auto* uniform = std::get_if<Uniform>(&tape_.operations[slot].what)) {
            values_[slot] = evaluate(*uniform->expression, parameters, loop_indices, data_.extents);
        }
    }
}

long long Derivative::place(const Coordinate& at, std::size_t axis) const {
    if (at.fixed) return at.cells;
    return cell_[axis] + (coefficients_ == Coefficients::frozen ? 0 : at.cells);
}

void Derivative::move_to(const Cell& cell, Coefficients coefficients) {
    cell_ = cell;
    coefficients_ = coefficients;
    for (const auto& [slot, read] : computed_) values_[slot] = read ? input(*read) : value_of(tape_.operations[slot]);
}

double Derivative::value_of(const Operation& operation) const {
    if (const auto* read = std::get_if<CoordinateRead>(&operation.what))
        return static_cast<double>(place(read->at, read->axis.index));
    // NaN stays NaN through comparisons and choices: data that are not there decide nothing.
    if (const auto* state = std::get_if<StateRead>(&operation.what)) return values_[state->initial];
    if (const auto* unary = std::get_if<Unary>(&operation.what)) {
        const double operand = values_[unary->operand];
        return std::isnan(operand) ? unknown : apply(unary->op, operand);
    }
    if (const auto* binary = std::get_if<Binary>(&operation.what)) {
        const double left = values_[binary->left], right = values_[binary->right];
        if (std::isnan(left) || std::isnan(right)) return unknown;
        const double value = apply(binary->op, left, right);
        return binary->whole ? std::trunc(value) : value;
    }
    if (const auto* select = std::get_if<Select>(&operation.what)) {
        const double condition = values_[select->condition];
        return std::isnan(condition) ? unknown : values_[condition != 0 ? select->then : select->otherwise];
    }
    const Call& call = std::get<Call>(operation.what);
    const double first = values_[call.first], second = values_[call.second];
    return std::isnan(first) || std::isnan(second) ? unknown : apply(call.intrinsic, first, second);
}

const std::vector<double>& Derivative::by_state(Slot result) {
    std::fill(weights_.begin(), weights_.begin() + result + 1, 0.0);
    weights_[result] = 1;
    for (Slot slot = result + 1; slot-- > 0;) {
        if (weights_[slot] != 0 && tape_.operations[slot].of_state) pass_back(slot, weights_[slot]);
    }
    for (std::size_t i = 0; i < states_.size(); ++i) {
        by_state_[i] = states_[i].slot <= result ? weights_[states_[i].slot] : 0;
    }
    return by_state_;
}

void Derivative::pass_back(Slot slot, double weight) {
    const auto& what = tape_.operations[slot].what;
    // Only where a derivative is wanted: the unwanted one may be infinite or NaN.
    const auto pass = [&](Slot to, double slope) {
        if (tape_.operations[to].of_state) weights_[to] += weight * slope;
    };
    if (const auto* unary = std::get_if<Unary>(&what)) {
        pass(unary->operand, unary->op == UnaryOperator::negate ? -1 : 0);
    } else if (const auto* binary = std::get_if<Binary>(&what)) {
        const auto slope = slopes(binary->op, values_[binary->left], values_[binary->right]);
        pass(binary->left, slope.first);
        pass(binary->right, slope.second);
    } else if (const auto* select = std::get_if<Select>(&what)) {
        const double condition = values_[select->condition];
        const bool lost = std::isnan(condition);
        pass(select->then, lost ? unknown : condition != 0 ? 1 : 0);
        pass(select->otherwise, lost ? unknown : condition != 0 ? 0 : 1);
    } else if (const auto* call = std::get_if<Call>(&what)) {
        const double first = values_[call->first], second = values_[call->second];
        const bool lost = chooses(call->intrinsic) && (std::isnan(first) || std::isnan(second));
        const auto slope = slopes(call->intrinsic, first, second, values_[slot]);
        pass(call->first, lost ? unknown : slope.first);
        pass(call->second, lost ? unknown : slope.second);
    }
}

std::vector<bool> Derivative::reaches(Slot result) const {
    std::vector<bool> reached(tape_.operations.size());
    reached[result] = true;
    for (Slot slot = result + 1; slot-- > 0;) {
        if (!reached[slot] || !tape_.operations[slot].of_state) continue;
        const auto& what = tape_.operations[slot].what;
        if (const auto* unary = std::get_if<Unary>(&what)) reached[unary->operand] = true;
        if (const auto* binary = std::get_if<Binary>(&what)) reached[binary->left] = reached[binary->right] = true;
        if (const auto* select = std::get_if<Select>(&what)) reached[select->then] = reached[select->otherwise] = true;
        if (const auto* call = std::get_if<Call>(&what)) reached[call->first] = reached[call->second] = true;
    }
    std::vector<bool> states;
    for (const StateOffset& state : states_) states.push_back(reached[state.slot]);
    return states;
}

}  // namespace kasc::stability
