// A statement is evaluated by walking its expression for every cell: slow, and plain to read beside docs/language.md.

#include "support/field_evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "graph/field_target.hpp"
#include "support/added_entries.hpp"
#include "support/field_arithmetic.hpp"
#include "support/folded_numbers.hpp"
#include "support/random_number.hpp"
#include "support/running_numbers.hpp"
#include "support/stand_in_function.hpp"

namespace kasc::test {

Cells StatementEvaluation::run(const Cells& former) const {
    if (statement_.adding) return AddedEntries<StatementEvaluation>(*this).run(former);
    if (statement_.running) return run_up(*statement_.running, former);
    Cells out = former;
    const FieldShape& shape = field_shape(program_, statement_.target);
    std::vector<AxisId> axes = free_axes(program_, statement_);
    if (statement_.fold) axes.resize(axes.size() - statement_.fold->axes.size());
    Cell cell;
    each(axes, 0, cell, [&] {
        const auto index = target_index(cell);
        if (!index) return;
        if (statement_.fold)
            out[*index] = stored(shape.type, folded(*statement_.fold, cell));
        else if (!statement_.where || condition(*statement_.where, cell))
            assign(out, *index, cell);
    });
    return out;
}

long long StatementEvaluation::integer(const Expression& e, const Cell& cell) const {
    if (in_uniform_ || !is_uniform(e)) return integer_node(e, cell);
    // The same for all cells: in double where a parameter of double stands in it.
    StatementEvaluation uniform = *this;
    uniform.in_uniform_ = true;
    uniform.precision_ = Precision::single;
    for_each_part(e, [&](const Expression& part) {
        const auto* use = std::get_if<ParameterUse>(&part.node);
        if (use) uniform.precision_ = std::max(uniform.precision_, program_.parameters[use->parameter].precision);
    });
    return uniform.integer_node(e, cell);
}

long long StatementEvaluation::integer_node(const Expression& e, const Cell& cell) const {
    if (const auto* l = std::get_if<Literal>(&e.node)) return static_cast<long long>(l->value);
    if (const auto* p = std::get_if<ParameterUse>(&e.node))
        return static_cast<long long>(problem_.parameters.at(p->parameter.index));
    if (const auto* l = std::get_if<LoopIndexUse>(&e.node)) return problem_.loops.at(l->loop.index);
    if (const auto* c = std::get_if<CoordinateUse>(&e.node)) return cell.at(c->axis);
    if (const auto* x = std::get_if<ExtentUse>(&e.node)) return extent(x->axis);
    if (const auto* o = std::get_if<OperandUse>(&e.node)) return static_cast<long long>(read(o->operand, cell));
    if (const auto* u = std::get_if<UnaryOperation>(&e.node)) {
        const long long operand = integer(*u->operand, cell);
        return u->op == UnaryOperator::complement ? ~operand : in_range(-operand, is_long_);
    }
    if (const auto* c = std::get_if<IntrinsicCall>(&e.node)) {
        if (c->intrinsic == Intrinsic::to_integer)
            return cut(dual() ? real<double>(*c->arguments.at(0), cell)
                              : static_cast<double>(real<float>(*c->arguments.at(0), cell)),
                       is_long_);
        const long long first = integer(*c->arguments.at(0), cell);
        if (c->intrinsic == Intrinsic::abs) return in_range(std::abs(first), is_long_);
        const long long second = integer(*c->arguments.at(1), cell);
        return c->intrinsic == Intrinsic::minimum ? std::min(first, second) : std::max(first, second);
    }
    if (const auto* c = std::get_if<Conditional>(&e.node))
        return integer(condition(*c->condition, cell) ? *c->then : *c->otherwise, cell);
    const auto& b = std::get<BinaryOperation>(e.node);
    return of_integers(b.op, integer(*b.left, cell), integer(*b.right, cell), is_long_);
}

template <class Real>
Real StatementEvaluation::real(const Expression& e, const Cell& cell) const {
    if (const auto* l = std::get_if<Literal>(&e.node)) return static_cast<Real>(l->value);
    if (const auto* o = std::get_if<OperandUse>(&e.node)) return static_cast<Real>(read(o->operand, cell));
    if (e.kind == ScalarKind::integer) return static_cast<Real>(integer(e, cell));
    if (const auto* p = std::get_if<ParameterUse>(&e.node)) return parameter<Real>(p->parameter);
    if (const auto* u = std::get_if<UnaryOperation>(&e.node)) return -real<Real>(*u->operand, cell);
    if (const auto* c = std::get_if<Conditional>(&e.node))
        return real<Real>(condition(*c->condition, cell) ? *c->then : *c->otherwise, cell);
    if (const auto* c = std::get_if<IntrinsicCall>(&e.node)) {
        if (c->intrinsic == Intrinsic::real_part) return complex<Real>(*c->arguments.at(0), cell).re;
        if (c->intrinsic == Intrinsic::imaginary_part) return complex<Real>(*c->arguments.at(0), cell).imaginary();
        if (c->intrinsic == Intrinsic::to_real) return static_cast<Real>(integer(*c->arguments.at(0), cell));
        if (c->intrinsic == Intrinsic::random) {
            std::array<std::uint32_t, 5> numbers{};
            for (std::size_t k = 0; k < 5; ++k)
                numbers[k] = static_cast<std::uint32_t>(integer(*c->arguments.at(k), cell));
            return random_number<Real>(numbers);
        }
        const auto argument = [&](std::size_t k) { return real<Real>(*c->arguments.at(k), cell); };
        return intrinsic(c->intrinsic, argument(0), c->arguments.size() > 1 ? argument(1) : Real{0});
    }
    if (const auto* f = std::get_if<FunctionWord>(&e.node)) {
        std::vector<double> words;
        for (const ExpressionRef& argument : f->arguments)
            words.push_back(static_cast<double>(real<float>(*argument, cell)));
        return static_cast<Real>(stand_in_word(words, static_cast<std::size_t>(f->word)));
    }
    return binary<Real>(std::get<BinaryOperation>(e.node), cell);
}

template <class Real>
ComplexNumber<Real> StatementEvaluation::complex(const Expression& e, const Cell& cell) const {
    if (e.kind != ScalarKind::complex) return {real<Real>(e, cell), std::nullopt};
    const auto part = [&](const ExpressionRef& x) { return complex<Real>(*x, cell); };
    if (const auto* o = std::get_if<OperandUse>(&e.node))
        return {static_cast<Real>(read(o->operand, cell)), static_cast<Real>(read(o->operand, cell, 1))};
    if (const auto* u = std::get_if<UnaryOperation>(&e.node)) return -part(u->operand);
    if (const auto* c = std::get_if<Conditional>(&e.node)) {
        // Complex where one of both is.
        ComplexNumber<Real> chosen = part(condition(*c->condition, cell) ? c->then : c->otherwise);
        chosen.im = chosen.imaginary();
        return chosen;
    }
    if (const auto* c = std::get_if<IntrinsicCall>(&e.node)) {
        if (c->intrinsic == Intrinsic::conjugate) return part(c->arguments.at(0)).conjugate();
        return {real<Real>(*c->arguments.at(0), cell), real<Real>(*c->arguments.at(1), cell)};
    }
    const auto& b = std::get<BinaryOperation>(e.node);
    if (b.op == BinaryOperator::divide_by_number) return part(b.left).over_number(real<Real>(*b.right, cell));
    switch (b.op) {
        case BinaryOperator::add:
            return part(b.left) + part(b.right);
        case BinaryOperator::subtract:
            return part(b.left) - part(b.right);
        case BinaryOperator::multiply:
            return part(b.left) * part(b.right);
        default:
            return part(b.left) / part(b.right);
    }
}

bool StatementEvaluation::condition(const Expression& e, const Cell& cell) const {
    if (const auto* u = std::get_if<UnaryOperation>(&e.node)) return !condition(*u->operand, cell);
    if (const auto* c = std::get_if<Conditional>(&e.node))
        return condition(condition(*c->condition, cell) ? *c->then : *c->otherwise, cell);
    const auto& b = std::get<BinaryOperation>(e.node);
    if (b.op == BinaryOperator::logical_and) return condition(*b.left, cell) && condition(*b.right, cell);
    if (b.op == BinaryOperator::logical_or) return condition(*b.left, cell) || condition(*b.right, cell);
    if (b.left->kind == ScalarKind::integer && b.right->kind == ScalarKind::integer)
        return compare(b.op, integer(*b.left, cell), integer(*b.right, cell));
    if (dual()) return compare(b.op, real<double>(*b.left, cell), real<double>(*b.right, cell));
    return compare(b.op, real<float>(*b.left, cell), real<float>(*b.right, cell));
}

bool StatementEvaluation::reads_long() const {
    const auto is = [&](VariableId v) { return field_shape(program_, v).type == CellType::int64; };
    if (!statement_.value) return false;  // what the host computes is of no statement
    return is(statement_.target) || std::any_of(statement_.operands.begin(), statement_.operands.end(),
                                                [&](const Operand& o) { return is(o.variable); });
}

std::optional<std::size_t> StatementEvaluation::target_index(const Cell& cell, bool at_cells) const {
    const FieldShape& shape = field_shape(program_, statement_.target);
    std::size_t index = 0, stride = 1;
    for (std::size_t k = 0; k < shape.axes.size(); ++k) {
        const long long n = extent(shape.axes[k]), at = target_position(k, cell, at_cells);
        if (at < shape.faces[k].low.layers || at >= n - shape.faces[k].high.layers) return std::nullopt;
        if (at < 0 || at >= n) return std::nullopt;
        index += static_cast<std::size_t>(at) * stride;
        stride *= static_cast<std::size_t>(n);
    }
    return index;
}

long long StatementEvaluation::target_position(std::size_t k, const Cell& cell, bool at_cells) const {
    const AxisIndex& index = statement_.target_indices[k];
    if (const auto* a = std::get_if<Absolute>(&index)) {
        const Faces& faces = field_shape(program_, statement_.target).faces[k];
        const long long at = on_grid(target_axis(k), integer(*a->position, cell));
        if (at < faces.low.layers || at >= extent(target_axis(k)) - faces.high.layers)
            throw std::out_of_range("position in a layer that is kept");
        return at;
    }
    if (const auto* c = std::get_if<Computed>(&index); c && !at_cells) return integer(*c->position, cell);
    return cell.at(target_axis(k));
}

long long StatementEvaluation::on_grid(AxisId axis, long long at) const {
    if (at < 0 || at >= extent(axis)) throw std::out_of_range("position");
    return at;
}

void StatementEvaluation::assign(Cells& out, std::size_t index, const Cell& cell) const {
    const CellType type = field_shape(program_, statement_.target).type;
    if (!is_complex(type)) {
        out[index] = stored(type, value(cell));
        return;
    }
    const auto both = [&](const auto& z) {
        out[2 * index] = stored(type, static_cast<double>(z.re));
        out[2 * index + 1] = stored(type, static_cast<double>(z.imaginary()));
    };
    dual() ? both(complex<double>(*statement_.value, cell)) : both(complex<float>(*statement_.value, cell));
}

double StatementEvaluation::value(const Cell& cell) const {
    if (statement_.value->kind == ScalarKind::integer) return static_cast<double>(integer(*statement_.value, cell));
    if (is_integer(field_shape(program_, statement_.target).type)) throw std::logic_error("a real for an integer");
    return dual() ? real<double>(*statement_.value, cell) : static_cast<double>(real<float>(*statement_.value, cell));
}

double StatementEvaluation::chained(const FoldedNumbers& numbers, double sum, const Cell& cell) const {
    running_ = sum;
    const auto joined = [&]<class Real>(Real) {
        return numbers.op == FoldOperator::sum ? real<Real>(*chained_sum(statement_), cell)
                                               : static_cast<Real>(numbers.join(sum, value(cell)));
    };
    return dual() ? joined(double{}) : static_cast<double>(joined(float{}));
}

double StatementEvaluation::folded(const Fold& fold, Cell cell) const {
    const bool whole = is_integer(field_shape(program_, statement_.target).type);
    const FoldedNumbers numbers_of{fold.op, whole, is_long_};
    if (fold.pieces)
        return sum_of_piece(numbers_of, extent(fold.pieces->axis), cell.at(*fold.parts),
                            [&](long long number) { return value(on_line(*fold.pieces, cell, number)); });
    long long numbers = 1;
    for (const AxisId axis : fold.axes) numbers *= extent(axis);
    const long long share = fold.parts ? fold_share(numbers, *program_.axes[*fold.parts].parts, fold.lanes) : numbers;
    const long long first = fold.parts ? share * cell.at(*fold.parts) : 0;
    return numbers_of.folded(fold.lanes, std::min(share, numbers - first), [&](double lane, long long number) {
        long long left = first + number;
        for (const AxisId axis : fold.axes) {
            cell[axis] = left % extent(axis);
            left /= extent(axis);
        }
        return fold.chained && !whole ? chained(numbers_of, lane, cell) : numbers_of.join(lane, value(cell));
    });
}

StatementEvaluation::Cell StatementEvaluation::on_line(const Running& running, Cell cell, long long number) const {
    cell[running.axis] = running.backward ? extent(running.axis) - 1 - number : number;
    return cell;
}

Cells StatementEvaluation::run_up(const Running& running, const Cells& former, Cell cell) const {
    const CellType type = field_shape(program_, statement_.target).type;
    std::vector<AxisId> across = free_axes(program_, statement_);
    std::erase(across, running.axis);
    Cells out = former;
    each(across, 0, cell, [&] {
        const auto at = [&](long long number) { return on_line(running, cell, number); };
        const FoldedNumbers numbers{running.op, is_integer(type), is_long_};
        run_line(
            running, numbers, extent(running.axis), [&](long long k) { return value(at(k)); },
            [&](long long k) { return read(*running.carries, at(k)); },
            [&](long long k, double word) { out[target_index(at(k)).value()] = stored(type, word); });
    });
    return out;
}

double StatementEvaluation::read(std::size_t k, const Cell& cell, std::size_t part) const {
    if (statement_.adding && k == statement_.adding->running) return part == 0 ? running_ : running_imaginary_;
    if (k == statement_.operands.size()) return running_;  // a chained fold's sum so far
    const Operand& operand = statement_.operands.at(k);
    const FieldShape& field = field_shape(program_, operand.variable);
    std::size_t index = 0, stride = 1;
    double sign = 1;
    for (std::size_t a = 0; a < field.axes.size(); ++a) {
        const long long n = extent(field.axes[a]);
        long long at = 0;
        if (const auto* absolute = std::get_if<Absolute>(&operand.indices[a])) {
            at = on_grid(field.axes[a], integer(*absolute->position, cell));
        } else if (const auto* computed = std::get_if<Computed>(&operand.indices[a])) {
            at = std::clamp(integer(*computed->position, cell), 0LL, n - 1);
        } else {
            at = cell.at(field.axes[a]) + std::get<Offset>(operand.indices[a]).cells;
        }
        if (at < 0 || at >= n) {
            const Face& face = field.faces[a].crossed_by(at < 0 ? -1 : 1);
            if (face.kind == BoundaryKind::value) return part == 0 ? face_value(field, face) : 0;
            for (; face.kind == BoundaryKind::mirror && (at < 0 || at >= n); at = at < 0 ? -1 - at : 2 * n - 1 - at)
                sign = turned_by(field.faces[a].crossed_by(at < 0 ? -1 : 1), face) ? -sign : sign;
            if (face.kind == BoundaryKind::periodic) at = (at % n + n) % n;
            at = std::clamp(at, 0LL, n - 1);
        }
        index += static_cast<std::size_t>(at) * stride;
        stride *= static_cast<std::size_t>(n);
    }
    return with_sign(sign, operands_(k).at(is_complex(field.type) ? 2 * index + part : index), field.type);
}

double StatementEvaluation::face_value(const FieldShape& field, const Face& face) const {
    if (is_integer(field.type)) return static_cast<double>(integer(*face.value, {}));
    if (is_dual(field.type)) return real<double>(*face.value, {});
    return stored(field.type, static_cast<double>(real<float>(*face.value, {})));
}

template <class Real>
Real StatementEvaluation::parameter(ParameterId id) const {
    return given<Real>(problem_.parameters.at(id.index), program_.parameters[id].precision);
}

template <class Real>
Real StatementEvaluation::binary(const BinaryOperation& b, const Cell& cell) const {
    const auto at = [&](const ExpressionRef& x) { return real<Real>(*x, cell); };
    const bool minus = b.op == BinaryOperator::subtract;
    switch (b.op) {
        case BinaryOperator::add:
        case BinaryOperator::subtract:
            if (const auto* p = product_of_reals(*b.left))
                return std::fma(at(p->left), at(p->right), minus ? -at(b.right) : at(b.right));
            if (const auto* p = product_of_reals(*b.right))
                return std::fma(minus ? -at(p->left) : at(p->left), at(p->right), at(b.left));
            return minus ? at(b.left) - at(b.right) : at(b.left) + at(b.right);
        default:
            return operated(b.op, at(b.left), at(b.right));
    }
}

template float StatementEvaluation::real<float>(const Expression&, const Cell&) const;
template double StatementEvaluation::real<double>(const Expression&, const Cell&) const;

}  // namespace kasc::test
