// What an accumulator begins with, what it becomes with a value, and how a thread's own are joined.
#include <limits>

#include "frontend/reduction.hpp"
#include "lower/field/fold.hpp"

namespace kasc::kernel {

ExprRef FoldFrame::nothing(const FoldedCall& f) {
    const Precision precision = f.type == Type::f64 ? Precision::dual : Precision::single;
    if (rounds(f.op)) {
        const int neutral = f.op == FoldOperator::product ? 1 : 0;
        return is_real(f.type) ? real(neutral, precision) : integer(neutral);
    }
    if (is_real(f.type)) return real(std::numeric_limits<double>::quiet_NaN(), precision);
    const auto farthest = [&]<class Number>(std::numeric_limits<Number>) {
        return f.op == FoldOperator::minimum ? std::numeric_limits<Number>::max() : std::numeric_limits<Number>::min();
    };
    if (f.type == Type::i64) return integer(farthest(std::numeric_limits<std::int64_t>()));
    return integer(farthest(std::numeric_limits<std::int32_t>()));
}

ExprRef FoldFrame::joined(const FoldedCall& f, const ExprRef& sum, const ExprRef& value) {
    if (f.op == FoldOperator::sum) return binary("+", sum, value);
    if (f.op == FoldOperator::product) {
        // A product of integers is its low 32 bits: a product of two fits 64.
        if (f.type == Type::i32) return convert(Type::i32, binary("*", wide(sum), wide(value)));
        return binary("*", sum, value);
    }
    const ExprRef beyond = binary(f.op == FoldOperator::minimum ? "<" : ">", value, sum);
    if (!is_real(f.type)) return select(beyond, value, sum);
    // NaN is beyond nothing; in front of it, anything is better.
    return select(binary("||", beyond, binary("!=", sum, sum)), value, sum);
}

Body FoldFrame::joined_halves(const FoldedCall& f, const std::string& array, int words) {
    Body body;
    for (int half = words / 2; half > 0; half /= 2) {
        for (int k = 0; k < half; ++k) {
            const ExprRef own = element(array, integer(k));
            body.push_back({Assign{own, joined(f, own, element(array, integer(k + half)))}});
        }
    }
    return body;
}

Body FoldFrame::lanes_moved(const FoldedCall& f, int lanes, int by) {
    Body body, back;
    for (int k = 0; k < by; ++k) {
        const std::string held = k == 0 ? f.own : f.other;
        body.push_back({Let{f.type, held, element(f.sum, integer(k))}});
        back.push_back({Assign{element(f.sum, integer(lanes - by + k)), name(held)}});
    }
    for (int k = by; k < lanes; ++k)
        body.push_back({Assign{element(f.sum, integer(k - by)), element(f.sum, integer(k))}});
    append(body, std::move(back));
    return body;
}

}  // namespace kasc::kernel
