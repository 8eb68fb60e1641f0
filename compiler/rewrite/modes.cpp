//     for (n = 0; n < steps; n++) {              T_modes = fft(T);
//         T = T + dt*laplace2(T, 1);             T_symbol = 1 + dt*(x_wave - 2 + x_wave);          (step_symbol.hpp)
//     }                                          T_less = abs(T_symbol) - 1;
//                                                T_scale = T_symbol < 0 && steps % 2 == 1 ? -1/extent(x) : 1/extent(x);
//                                                T_powers = T_scale*exp(steps*log1p(T_less))*T_modes;
//                                                T = unscaled_ifft(T_powers);
//
// The symbol is made in double. What it is less than 1 then has all digits that a float can hold, and so has log1p of
// that: a power that is exp(-a) is off by about a times a rounding of the field's type. A wave that stays as it is,
// such as a mean that is kept, is off by one rounding; the last one that a float can hold by a hundred.
//
// Between mirrors a field and its mirror image stand behind each other, T_image along x_image: one period of a field
// that steps keep symmetric, and T is a part of what they make of it.
#include "rewrite/modes.hpp"

#include <algorithm>
#include <utility>

#include "frontend/expressions_at.hpp"
#include "frontend/new_field.hpp"
#include "rewrite/expressions.hpp"
#include "rewrite/repeated_body.hpp"
#include "rewrite/statements.hpp"
#include "rewrite/step_symbol.hpp"
#include "rewrite/whole_numbers.hpp"

namespace kasc {

namespace {

using namespace rewriting;

/// The logarithm of what is 0 as a number: its exponential is 0 again, but 0 steps of it are 1.
constexpr double logarithm_of_nothing = -10000;

class WritingModes {
public:
    WritingModes(Program& program, const LoopStatement& loop, const LinearStep& step, Statements& made)
        : program_(program),
          loop_(loop),
          step_(step),
          made_(made),
          at_{loop.span},
          axes_(mode_axes(program, step)),
          type_(field_shape(program, step.field).type) {}

    void run() {
        const std::vector<AxisId> own = field_shape(program_, step_.field).axes;
        const bool has_image = axes_.cells != own;
        const CellType waves = is_dual(type_) ? CellType::complex128 : CellType::complex64;
        const VariableId whole = has_image ? add_image(own) : step_.field;
        const VariableId modes = field("_modes", axes_.waves, waves), powers = field("_powers", axes_.waves, waves);
        transform(modes, whole, Direction::forward);
        const VariableId symbol = add_symbol(program_, loop_, step_, axes_, made_);
        if (step_.is_real)
            multiply_real(powers, modes, symbol);
        else
            multiply_complex(powers, modes, symbol);
        const VariableId back = has_image ? field("_stepped", axes_.cells, type_) : step_.field;
        transform(back, powers, Direction::backward);
        if (has_image) cut(own, back);
    }

private:
    Program& program_;
    const LoopStatement& loop_;
    const LinearStep& step_;
    Statements& made_;
    const ExpressionsAt at_;
    const ModeAxes axes_;
    const CellType type_;
    std::vector<Operand> operands_;  ///< of the statement that is written

    VariableId field(const char* what, const std::vector<AxisId>& axes, CellType type) {
        return new_field(program_, program_.variables[step_.field].name + what, axes, type, loop_.span);
    }
    void transform(VariableId target, VariableId source, Direction direction) {
        TransformStatement statement{loop_.span, target, source, direction, {}};
        for (std::size_t k = step_.first; k <= step_.last; ++k) statement.axes.push_back(k);
        statement.span = written_span(program_, statement);
        made_.emplace_back(std::move(statement));
    }
    void put(VariableId target, const ExpressionRef& value, Precision precision) {
        made_.emplace_back(written(program_, target, value, std::exchange(operands_, {}), precision, loop_.span));
    }
    ExpressionRef read(VariableId v, std::vector<AxisIndex> indices) {
        operands_.push_back({v, std::move(indices), loop_.span});
        return at_.operand(operands_.size() - 1, scalar_kind(field_shape(program_, v).type));
    }
    ExpressionRef read(VariableId v) {
        return read(v, std::vector<AxisIndex>(field_shape(program_, v).axes.size(), AxisIndex{Offset{0}}));
    }
    [[nodiscard]] Precision own_precision() const { return is_dual(type_) ? Precision::dual : Precision::single; }

    // --- the power ---

    [[nodiscard]] ExpressionRef real_part(const ExpressionRef& z) const { return at_.call(Intrinsic::real_part, {z}); }
    [[nodiscard]] ExpressionRef imaginary_part(const ExpressionRef& z) const {
        return at_.call(Intrinsic::imaginary_part, {z});
    }
    /// How many steps there are.
    [[nodiscard]] ExpressionRef steps() const {
        const auto from = whole_number_of(loop_.from), to = whole_number_of(loop_.to);
        if (from && to) return at_.whole_number(std::max(*to - *from, 0LL));
        const ExpressionRef all = from == 0 ? loop_.to : at_.whole(BinaryOperator::subtract, loop_.to, loop_.from);
        return at_.call(Intrinsic::maximum, {all, at_.whole_number(0)}, ScalarKind::integer);
    }
    [[nodiscard]] ExpressionRef steps_as_real() const {
        const ExpressionRef all = steps();
        return std::holds_alternative<Literal>(all->node) ? all : at_.call(Intrinsic::to_real, {all});
    }
    /// The factor of the way back: one over the number of cells that are transformed. The host computes it.
    [[nodiscard]] ExpressionRef scale() const {
        ExpressionRef all = at_.number(1);
        for (std::size_t k = step_.first; k <= step_.last; ++k)
            all = at_.of_two(BinaryOperator::divide, all, at_.extent(axes_.cells[k]));
        return all;
    }
    /// |symbol|^steps of what |symbol| is more than 1.
    ExpressionRef growth(VariableId less) {
        const ExpressionRef is = read(less);
        const ExpressionRef nothing = at_.holds(BinaryOperator::equal, is, at_.number(-1));
        const ExpressionRef logarithm =
            at_.choice(nothing, at_.number(logarithm_of_nothing), at_.call(Intrinsic::log1p, {is}));
        return at_.call(Intrinsic::exp, {at_.of_two(BinaryOperator::multiply, steps_as_real(), logarithm)});
    }
    VariableId add_less(VariableId symbol) {
        const VariableId less = field("_less", axes_.waves, type_);
        const ExpressionRef is = read(symbol);
        const ExpressionRef modulus = step_.is_real ? at_.call(Intrinsic::abs, {is})
                                                    : at_.call(Intrinsic::hypot, {real_part(is), imaginary_part(is)});
        put(less, at_.of_two(BinaryOperator::subtract, modulus, at_.number(1)), Precision::dual);
        return less;
    }

    void multiply_real(VariableId powers, VariableId modes, VariableId symbol) {
        const VariableId less = add_less(symbol), signed_scale = field("_scale", axes_.waves, type_);
        const ExpressionRef odd =
            at_.holds(BinaryOperator::equal, at_.whole(BinaryOperator::modulo, steps(), at_.whole_number(2)),
                      at_.whole_number(1));
        const ExpressionRef negative = at_.holds(BinaryOperator::less, read(symbol), at_.number(0));
        const ExpressionRef minus =
            make_expression(UnaryOperation{UnaryOperator::negate, scale()}, ScalarKind::real, loop_.span);
        put(signed_scale, at_.choice(at_.holds(BinaryOperator::logical_and, negative, odd), minus, scale()),
            Precision::dual);
        const ExpressionRef factor = at_.of_two(BinaryOperator::multiply, read(signed_scale), growth(less));
        put(powers, product(factor, read(modes)), own_precision());
    }

    void multiply_complex(VariableId powers, VariableId modes, VariableId symbol) {
        const VariableId less = add_less(symbol), angle = field("_angle", axes_.waves, CellType::float64),
                         rest = field("_turned", axes_.waves, type_);
        const ExpressionRef is = read(symbol);
        const ExpressionRef of_step = at_.call(Intrinsic::atan2, {imaginary_part(is), real_part(is)});
        put(angle, at_.of_two(BinaryOperator::multiply, steps_as_real(), of_step), Precision::dual);
        const ExpressionRef all = read(angle), turns = at_.of_two(BinaryOperator::divide, all, at_.number(full_turn));
        put(rest,
            at_.of_two(
                BinaryOperator::subtract, all,
                at_.of_two(BinaryOperator::multiply, at_.number(full_turn), at_.call(Intrinsic::round, {turns}))),
            Precision::dual);
        const ExpressionRef by = read(rest), factor = at_.of_two(BinaryOperator::multiply, growth(less), scale());
        const ExpressionRef turned =
            at_.call(Intrinsic::make_complex, {at_.call(Intrinsic::cos, {by}), at_.call(Intrinsic::sin, {by})},
                     ScalarKind::complex);
        put(powers, product(product(factor, turned), read(modes)), own_precision());
    }

    // --- walls ---

    VariableId add_image(const std::vector<AxisId>& own) {
        const VariableId image = field("_image", axes_.cells, type_);
        std::vector<AxisIndex> indices(own.size(), AxisIndex{Offset{0}});
        ExpressionRef sign;
        for (std::size_t k = 0; k < own.size(); ++k) {
            if (axes_.cells[k] == own[k]) continue;
            indices[k] = AxisIndex{Computed{place(own[k], k)}};
            sign = product(sign, sign_along(own[k], k));
        }
        put(image, product(sign, read(step_.field, std::move(indices))), own_precision());
        return image;
    }
    [[nodiscard]] bool has_zeros(std::size_t k) const { return step_.walls[k] == Wall::zero; }
    /// The field's cell for cell X of n and their image: X, then 2 n - 1 - X. Where zeros stand before both: X - 1,
    /// then 2 n + 1 - X; any for the zeros.
    [[nodiscard]] ExpressionRef place(AxisId own, std::size_t k) const {
        const ExpressionRef here = at_.coordinate(axes_.cells[k]);
        const ExpressionRef last = at_.whole(BinaryOperator::subtract, at_.extent(axes_.cells[k]), at_.whole_number(1));
        const ExpressionRef behind = at_.whole(BinaryOperator::subtract, last, here);
        const ExpressionRef before =
            has_zeros(k) ? at_.whole(BinaryOperator::subtract, here, at_.whole_number(1)) : here;
        return at_.choice(in_field(own, k), before, behind, ScalarKind::integer);
    }
    [[nodiscard]] ExpressionRef in_field(AxisId own, std::size_t k) const {
        return at_.holds(has_zeros(k) ? BinaryOperator::less_equal : BinaryOperator::less,
                         at_.coordinate(axes_.cells[k]), at_.extent(own));
    }
    /// Null: 1 everywhere.
    [[nodiscard]] ExpressionRef sign_along(AxisId own, std::size_t k) const {
        if (step_.walls[k] == Wall::even) return nullptr;
        const ExpressionRef sign = at_.choice(in_field(own, k), at_.number(1), at_.number(-1));
        if (!has_zeros(k)) return sign;
        const ExpressionRef here = at_.coordinate(axes_.cells[k]);
        const ExpressionRef behind = at_.whole(BinaryOperator::add, at_.extent(own), at_.whole_number(1));
        const ExpressionRef apart =
            at_.holds(BinaryOperator::logical_or, at_.holds(BinaryOperator::equal, here, at_.whole_number(0)),
                      at_.holds(BinaryOperator::equal, here, behind));
        return at_.choice(apart, at_.number(0), sign);
    }
    void cut(const std::vector<AxisId>& own, VariableId back) {
        std::vector<AxisIndex> indices(own.size(), AxisIndex{Offset{0}});
        for (std::size_t k = 0; k < own.size(); ++k) {
            if (axes_.cells[k] == own[k]) continue;
            const ExpressionRef here = at_.coordinate(own[k]);
            indices[k] =
                AxisIndex{Computed{has_zeros(k) ? at_.whole(BinaryOperator::add, here, at_.whole_number(1)) : here}};
        }
        put(step_.field, read(back, std::move(indices)), own_precision());
    }
};

}  // namespace

Modes modes_of_loops(const Program& program) {
    Modes modes{program, {}, false};
    if (has_streams(program)) return modes;
    modes.program.statements = with_lists(program.statements, [&](const Statements& list) {
        Statements made;
        for (const Statement& statement : list) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
            if (loop == nullptr) {
                made.push_back(statement);
                continue;
            }
            FoundStep found = linear_step(program, **loop);
            modes.verdicts.push_back({to_text(**loop, program), std::move(found.verdict)});
            if (found.step) {
                WritingModes(modes.program, **loop, *found.step, made).run();
                modes.changed = true;
            } else {
                made.push_back(statement);
            }
        }
        return made;
    });
    return modes;
}

double tolerance_of_modes(const Program& program, double steps) {
    Rewriting other{program, {}, true, true};
    const double once = rounding_tolerance(other);
    constexpr double half_unit_of_float = 0x1p-24, half_unit_of_double = 0x1p-53, single_tolerance = 1e-6;
    return once + steps * (once > single_tolerance ? half_unit_of_float : half_unit_of_double);
}

}  // namespace kasc
