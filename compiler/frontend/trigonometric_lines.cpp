// A sine or cosine transform is a Fourier transform of the line and its images. What is known of the images is left
// out where that loses no accuracy:
//
//   type 2   The cells of even number, then those of odd number backward, 0 2 4 … 5 3 1, are a real line of n cells
//            (Makhoul 1980). With V its half spectrum and θ = π k/(2n), dct2 is 2 Re(exp(-iθ) V(k)), where V(k) is the
//            conjugate of V(n - k) beyond n/2.
//   type 3   The same backward: Z(k) = exp(iθ) (x(k) - i x(n - k)) with x(n) = 0, its inverse transform, its cells put
//            back in their order.
//   type 4   In the order of type 2, those of odd number with a minus, times exp(-iπ m/n): a complex line of n cells.
//            dct4 is 2 Re(exp(-iπ (2k + 1)/(4n)) V(k)).
//   type 1   The line and its image, a real line of 2 (n - 1) cells; of sines 2 (n + 1). Methods with half of that
//            divide by sines that come near to zero, or add the cells up, and lose digits with the length.
//
// Sines of types 2 to 4 are cosines: dst2(x)(k) = dct2((-1)^j x)(n - 1 - k), dst3(x)(k) = (-1)^k dct3(x(n - 1 - j))(k),
// dst4 as dst2. Of y = dct2(x, y) over (x, y):
//
//     y_turns[y_line_waves] = complex(cos(π/2 k/n), sin(π/2 k/n)), k = y_line_waves; once, before all else
//     line[x, y_line] = x[y = 2 y_line < n ? 2 y_line : 2 (n - y_line) - 1]
//     waves = fft(line, y_line)
//     k = min(y, n - y), V = waves[y_line_waves = k], t = y_turns[y_line_waves = k]
//     dct2[x, y] = 2 (y = k ? real(t) real(V) + imag(t) imag(V) : imag(t) real(V) - real(t) imag(V))
//
// The line has an axis of its own although it is as long: the program may have half spectra along y, or have none.

#include "frontend/trigonometric_lines.hpp"

#include <fmt/format.h>

#include <numbers>
#include <utility>

#include "frontend/expressions_at.hpp"
#include "frontend/own_axis.hpp"

namespace kasc::frontend {

namespace {

class WritingPass {
public:
    WritingPass(Program& program, const TrigonometricPass& pass, PassParts& parts)
        : program_(program),
          pass_(pass),
          parts_(parts),
          at_{pass.span},
          shape_(field_shape(program, pass.source)),
          axis_(shape_.axes[pass.axis]) {}

    VariableId run() {
        const int type = pass_.transform.inverse ? undoing_type(pass_.transform.type) : pass_.transform.type;
        switch (type) {
            case 1:
                return sine() ? with_odd_image() : with_even_image();
            case 2:
                return of_cells();
            case 3:
                return of_waves();
            default:
                return between();
        }
    }

private:
    using Op = BinaryOperator;

    Program& program_;
    const TrigonometricPass& pass_;
    PassParts& parts_;
    const ExpressionsAt at_;
    const FieldShape shape_;
    const AxisId axis_;
    std::vector<Operand> operands_;  ///< of the statement that is written

    [[nodiscard]] bool sine() const { return pass_.transform.sine; }
    [[nodiscard]] bool dual() const { return is_dual(shape_.type); }

    // --- expressions ---

    [[nodiscard]] ExpressionRef cells() const { return at_.extent(axis_); }
    [[nodiscard]] ExpressionRef plus(const ExpressionRef& a, long long b) const {
        return b < 0 ? at_.whole(Op::subtract, a, at_.whole_number(-b)) : at_.whole(Op::add, a, at_.whole_number(b));
    }
    [[nodiscard]] ExpressionRef minus(const ExpressionRef& a, const ExpressionRef& b) const {
        return at_.whole(Op::subtract, a, b);
    }
    [[nodiscard]] ExpressionRef twice(const ExpressionRef& a) const {
        return at_.whole(Op::multiply, at_.whole_number(2), a);
    }
    [[nodiscard]] ExpressionRef times(const ExpressionRef& a, const ExpressionRef& b) const {
        return at_.of_two(Op::multiply, a, b);
    }
    [[nodiscard]] ExpressionRef negated(const ExpressionRef& a) const {
        return make_expression(UnaryOperation{UnaryOperator::negate, a}, a->kind, pass_.span);
    }
    [[nodiscard]] ExpressionRef is_odd(const ExpressionRef& a) const {
        return at_.holds(Op::equal, at_.whole(Op::modulo, a, at_.whole_number(2)), at_.whole_number(1));
    }
    /// `turns` half turns times a/n.
    [[nodiscard]] ExpressionRef angle(double turns, const ExpressionRef& a) const {
        return times(at_.number(turns * std::numbers::pi), at_.of_two(Op::divide, at_.call(Intrinsic::to_real, {a}),
                                                                      at_.call(Intrinsic::to_real, {cells()})));
    }
    [[nodiscard]] ExpressionRef complex_of(const ExpressionRef& a, const ExpressionRef& b) const {
        return at_.call(Intrinsic::make_complex, {a, b}, ScalarKind::complex);
    }
    [[nodiscard]] ExpressionRef real_part(const ExpressionRef& a) const { return at_.call(Intrinsic::real_part, {a}); }
    [[nodiscard]] ExpressionRef imaginary_part(const ExpressionRef& a) const {
        return at_.call(Intrinsic::imaginary_part, {a});
    }
    /// The value times the factor of the transform, and of an inverse over that of the way there and back.
    [[nodiscard]] ExpressionRef scaled(double factor, const ExpressionRef& value) const {
        if (!pass_.transform.inverse) return factor == 1 ? value : times(at_.number(factor), value);
        const ExpressionRef period = pass_.transform.type != 1 ? cells() : plus(cells(), sine() ? 1 : -1);
        const ExpressionRef scale =
            at_.of_two(Op::divide, at_.number(factor / 2), at_.call(Intrinsic::to_real, {period}));
        return times(scale, value);
    }

    // --- fields and statements ---

    [[nodiscard]] AxisId line_axis(const char* what, const ExpressionRef& length) {
        return own_axis(program_, program_.axes[axis_].name + what, length, pass_.span, parts_.taken);
    }
    [[nodiscard]] AxisId waves_of(AxisId line) {
        return half_axis(program_, program_.axes[line].name + "_waves", line, parts_.taken);
    }
    [[nodiscard]] CellType type(bool complex) const {
        if (complex) return dual() ? CellType::complex128 : CellType::complex64;
        return dual() ? CellType::float64 : CellType::float32;
    }
    /// Over the source's axes, but for this one in place of the transformed one.
    VariableId field(const char* what, AxisId along, bool complex) {
        std::vector<AxisId> axes = shape_.axes;
        axes[pass_.axis] = along;
        return parts_.field(parts_.stem + what, axes, type(complex));
    }
    /// Operands are numbered in the order in which the value names them: reads are written in that order.
    ExpressionRef read(VariableId field, AxisIndex index) {
        std::vector<AxisIndex> indices(shape_.axes.size(), AxisIndex{Offset{0}});
        indices[pass_.axis] = std::move(index);
        return read(field, std::move(indices));
    }
    ExpressionRef read(VariableId field, std::vector<AxisIndex> indices) {
        operands_.push_back({field, std::move(indices), pass_.span});
        return at_.operand(operands_.size() - 1, scalar_kind(field_shape(program_, field).type));
    }
    static AxisIndex at(const ExpressionRef& place) { return Computed{place}; }
    static AxisIndex here() { return Offset{0}; }
    /// The span of what kasc writes is its own text.
    VariableId put(std::vector<Statement>& list, VariableId target, const ExpressionRef& value) {
        FieldStatement made{pass_.span,
                            target,
                            std::vector<AxisIndex>(field_shape(program_, target).axes.size(), here()),
                            std::exchange(operands_, {}),
                            value,
                            dual() ? Precision::dual : Precision::single,
                            {},
                            nullptr};
        const std::string text = fmt::format("{} = {}", program_.variables[target].name,
                                             to_text(*value, program_, operand_texts(made, program_)));
        made.span = {make_source("a statement that kasc wrote", text), 0, text.size()};
        list.emplace_back(std::move(made));
        return target;
    }
    VariableId put(VariableId target, const ExpressionRef& value) { return put(parts_.made, target, value); }
    /// cos and sin of `turns` half turns times a/n, for all places along an axis.
    VariableId table(const char* what, AxisId along, double turns, const ExpressionRef& a) {
        const std::string key = fmt::format("{} {} {}", what, along.index, dual());
        if (const auto known = parts_.tables.find(key); known != parts_.tables.end()) return known->second;
        const VariableId made = parts_.field(program_.axes[axis_].name + what, {along}, type(true));
        const ExpressionRef by = angle(turns, a);
        std::vector<Operand> around = std::exchange(operands_, {});
        put(parts_.first, made, complex_of(at_.call(Intrinsic::cos, {by}), at_.call(Intrinsic::sin, {by})));
        operands_ = std::move(around);
        return parts_.tables[key] = made;
    }
    ExpressionRef read_table(VariableId table, AxisIndex index) {
        return read(table, std::vector<AxisIndex>{std::move(index)});
    }
    VariableId transform(VariableId target, VariableId source, Direction direction) {
        parts_.made.emplace_back(TransformStatement{pass_.span, target, source, direction, {pass_.axis}});
        return target;
    }
    VariableId result(const ExpressionRef& value) { return put(field("", axis_, false), value); }

    // --- types 2 to 4 ---

    /// Which cell stands at place m in the order 0 2 4 … 5 3 1, and the places of those of even number.
    [[nodiscard]] ExpressionRef cell_at(const ExpressionRef& m) const {
        return at_.choice(is_even_at(m), twice(m), plus(twice(minus(cells(), m)), -1), ScalarKind::integer);
    }
    [[nodiscard]] ExpressionRef is_even_at(const ExpressionRef& m) const {
        return at_.holds(Op::less, twice(m), cells());
    }
    [[nodiscard]] ExpressionRef place_of(const ExpressionRef& cell) const {
        const ExpressionRef half = at_.whole(Op::divide, plus(cell, 1), at_.whole_number(2));
        return at_.choice(is_odd(cell), minus(cells(), half), half, ScalarKind::integer);
    }
    [[nodiscard]] ExpressionRef last_minus(const ExpressionRef& a) const { return minus(plus(cells(), -1), a); }
    /// Cosines of a line with alternating signs, from its last wave on, are sines.
    [[nodiscard]] ExpressionRef wave() const {
        const ExpressionRef here = at_.coordinate(axis_);
        return sine() ? last_minus(here) : here;
    }

    /// exp(iθ) along half a spectrum.
    VariableId turns(AxisId half) { return table("_turns", half, 0.5, at_.coordinate(half)); }

    VariableId of_cells() {
        const AxisId along = line_axis("_line", cells()), half = waves_of(along);
        const ExpressionRef m = at_.coordinate(along), x = read(pass_.source, at(cell_at(m)));
        const VariableId line =
            put(field("_line", along, false), sine() ? at_.choice(is_even_at(m), x, negated(x)) : x);
        const VariableId waves = transform(field("_waves", half, true), line, Direction::forward);
        const ExpressionRef k = wave(), stored = at_.holds(Op::less_equal, twice(k), cells());
        const ExpressionRef place = at_.choice(stored, k, minus(cells(), k), ScalarKind::integer);
        const ExpressionRef t = read_table(turns(half), at(place)), v = read(waves, at(place));
        const ExpressionRef own =
            at_.of_two(Op::add, times(real_part(t), real_part(v)), times(imaginary_part(t), imaginary_part(v)));
        const ExpressionRef conjugate =
            at_.of_two(Op::subtract, times(imaginary_part(t), real_part(v)), times(real_part(t), imaginary_part(v)));
        return result(scaled(2, at_.choice(stored, own, conjugate)));
    }

    VariableId of_waves() {
        const AxisId along = line_axis("_line", cells()), half = waves_of(along);
        // Declared first, as its axis is: what is printed and read again has axes in the order of fields.
        const VariableId line = field("_line", along, false);
        const ExpressionRef k = at_.coordinate(half), t = read_table(turns(half), here());
        const ExpressionRef x = read(pass_.source, sine() ? at(last_minus(k)) : at(k));
        const ExpressionRef mirrored = read(pass_.source, sine() ? at(plus(k, -1)) : at(minus(cells(), k)));
        const ExpressionRef y = at_.choice(at_.holds(Op::equal, k, at_.whole_number(0)), at_.number(0), mirrored);
        const ExpressionRef z =
            complex_of(at_.of_two(Op::add, times(real_part(t), x), times(imaginary_part(t), y)),
                       at_.of_two(Op::subtract, times(imaginary_part(t), x), times(real_part(t), y)));
        const VariableId waves = put(field("_waves", half, true), z);
        transform(line, waves, Direction::backward);
        const ExpressionRef cell = at_.coordinate(axis_), value = read(line, at(place_of(cell)));
        return result(scaled(1, sine() ? at_.choice(is_odd(cell), negated(value), value) : value));
    }

    VariableId between() {
        const ExpressionRef m = at_.coordinate(axis_);
        const ExpressionRef before = read_table(table("_turns_before", axis_, 1, m), here());
        const ExpressionRef x = read(pass_.source, at(cell_at(m)));
        const ExpressionRef signed_x = sine() ? x : at_.choice(is_even_at(m), x, negated(x));
        const VariableId line =
            put(field("_line", axis_, true),
                complex_of(times(real_part(before), signed_x), negated(times(imaginary_part(before), signed_x))));
        const VariableId waves = transform(field("_waves", axis_, true), line, Direction::forward);
        const AxisIndex k = sine() ? at(wave()) : here();
        const VariableId behind = table("_turns_behind", axis_, 0.25, plus(twice(m), 1));
        const ExpressionRef t = read_table(behind, k), v = read(waves, k);
        return result(scaled(
            2, at_.of_two(Op::add, times(real_part(t), real_part(v)), times(imaginary_part(t), imaginary_part(v)))));
    }

    // --- type 1 ---

    VariableId with_even_image() {
        const ExpressionRef all = twice(plus(cells(), -1));
        // The image of one cell, which the program's requirement refuses, has a length all the same.
        const ExpressionRef length = at_.call(Intrinsic::maximum, {all, at_.whole_number(1)}, ScalarKind::integer);
        const AxisId along = line_axis("_image", length);
        const ExpressionRef m = at_.coordinate(along);
        const ExpressionRef cell = at_.choice(at_.holds(Op::less, m, cells()), m, minus(all, m), ScalarKind::integer);
        const VariableId line = put(field("_line", along, false), read(pass_.source, at(cell)));
        const VariableId waves = transform(field("_waves", waves_of(along), true), line, Direction::forward);
        return result(scaled(1, real_part(read(waves, at(at_.coordinate(axis_))))));
    }

    VariableId with_odd_image() {
        const ExpressionRef period = plus(cells(), 1), all = twice(period);
        const AxisId along = line_axis("_odd_image", all);
        const ExpressionRef m = at_.coordinate(along);
        const ExpressionRef first = at_.holds(Op::less, m, period);
        const ExpressionRef x =
            read(pass_.source, at(at_.choice(first, plus(m, -1), plus(minus(all, m), -1), ScalarKind::integer)));
        const ExpressionRef apart =
            at_.holds(Op::logical_or, at_.holds(Op::equal, m, at_.whole_number(0)), at_.holds(Op::equal, m, period));
        const VariableId line =
            put(field("_line", along, false), at_.choice(apart, at_.number(0), at_.choice(first, x, negated(x))));
        const VariableId waves = transform(field("_waves", waves_of(along), true), line, Direction::forward);
        return result(scaled(-1, imaginary_part(read(waves, at(plus(at_.coordinate(axis_), 1))))));
    }
};

}  // namespace

VariableId add_trigonometric_pass(Program& program, const TrigonometricPass& pass, PassParts& parts) {
    return WritingPass(program, pass, parts).run();
}

}  // namespace kasc::frontend
