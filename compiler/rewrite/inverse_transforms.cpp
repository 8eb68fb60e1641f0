// The transform of inverse transforms is what those were made of:
//
//     dux = unscaled_ifft(X);  duy = unscaled_ifft(Y);      D_fft = n * rho * (X + Y);
//     D = rho * (dux + duy);  D_fft = fft(D);               dux = unscaled_ifft(X);  duy = unscaled_ifft(Y);
//     S = nabla * D_fft;  v = unscaled_ifft(S);             S = nabla * D_fft;  v = unscaled_ifft(S);
//
// with rho the same in all cells and n the number of points. The sum is computed before X and Y are transformed, since
// a transform to reals may destroy its source.
//
// On complex numbers, and of reals that are transformed forth and back, that holds as it stands. F(F⁻¹(X)) of a half
// spectrum X gives P(X) instead: on the planes that are their own mirror images (wave number 0 and, of an even size,
// the highest along the half axis) the part of X with X(-k) = conj X(k), the only part that F⁻¹ sees: F⁻¹ P = F⁻¹. A
// factor N that is real and even, N(-k) = N(k), commutes with P; so does a sum. Hence F⁻¹(N P(X)) = F⁻¹(P(N X)) =
// F⁻¹(N X): where all that is done with the spectrum is products with such factors, sums, and then F⁻¹, X may stand for
// P(X). That is asked here (`commutes`); parity.hpp says which factors are even.

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "frontend/same_expression.hpp"
#include "rewrite/combination.hpp"
#include "rewrite/expressions.hpp"
#include "rewrite/parity.hpp"
#include "rewrite/rules.hpp"

namespace kasc::rewriting {

namespace {

Direction opposite(Direction d) { return d == Direction::forward ? Direction::backward : Direction::forward; }

/// Whether all that is done with a half spectrum lets its projection be left out.
class Commuting {
public:
    Commuting(const Program& program, const TransformStatement& forward) : program_(program), forward_(forward) {
        const FieldShape& shape = field_shape(program, forward.target);
        std::set<AxisId> mirrored;
        for (std::size_t k = 1; k < forward.axes.size(); ++k) mirrored.insert(shape.axes[forward.axes[k]]);
        parity_.emplace(program, std::move(mirrored));
    }

    /// Empty, or why not.
    std::string fault(VariableId spectrum) {
        if (!checked_.insert(spectrum).second) return {};
        const auto& outputs = program_.outputs;
        const std::string& name = program_.variables[spectrum].name;
        if (std::find(outputs.begin(), outputs.end(), spectrum) != outputs.end())
            return fmt::format("'{}' is returned", name);
        std::string found;
        each_statement(program_.statements, [&](const Statement& statement) {
            if (!found.empty() || !reads(statement, spectrum)) return;
            if (const auto* transform = std::get_if<TransformStatement>(&statement)) {
                const bool back = transform->direction == Direction::backward && transform->axes == forward_.axes;
                if (!back || is_complex(field_shape(program_, transform->target).type))
                    found = fmt::format("'{}' is transformed to complex numbers", name);
                return;
            }
            const auto& field = std::get<FieldStatement>(statement);
            if (!is_whole(program_, field) || !is_linear(field, field.value, spectrum))
                found = fmt::format(
                    "'{}' does more with half a spectrum than to multiply it with real numbers that "
                    "are even in the wave numbers",
                    statement_text(program_, statement));
            else
                found = fault(field.target);
        });
        return found;
    }

private:
    const Program& program_;
    const TransformStatement& forward_;
    std::optional<Parity> parity_;
    std::set<VariableId> checked_;

    [[nodiscard]] bool contains(const FieldStatement& s, const ExpressionRef& e, VariableId spectrum) const {
        return any_part(*e, [&](const Expression& part) {
            const auto* use = std::get_if<OperandUse>(&part.node);
            return use && s.operands.at(use->operand).variable == spectrum;
        });
    }
    /// Sums, and products with even factors, of the spectrum at its own cell.
    [[nodiscard]] bool is_linear(const FieldStatement& s, const ExpressionRef& e, VariableId spectrum) const {
        if (!contains(s, e, spectrum)) return true;
        if (const auto* use = std::get_if<OperandUse>(&e->node))
            return is_own_cell(program_, s, s.operands.at(use->operand));
        if (const auto* u = std::get_if<UnaryOperation>(&e->node)) return is_linear(s, u->operand, spectrum);
        const auto* b = std::get_if<BinaryOperation>(&e->node);
        if (!b) return false;
        if (b->op == BinaryOperator::add || b->op == BinaryOperator::subtract)
            return is_linear(s, b->left, spectrum) && is_linear(s, b->right, spectrum);
        const bool divides = is_quotient(b->op);
        if (!divides && b->op != BinaryOperator::multiply) return false;
        const bool on_left = contains(s, b->left, spectrum);
        const ExpressionRef &with = on_left ? b->left : b->right, &other = on_left ? b->right : b->left;
        return (on_left || !divides) && !contains(s, other, spectrum) && is_linear(s, with, spectrum) &&
               parity_->even(*other, s);
    }
};

class Cancelling {
public:
    explicit Cancelling(Rewriting& r) : r_(r) {}

    Statements run(Statements list) {
        for (std::size_t at = 0; at < list.size(); ++at) {
            const auto* transform = std::get_if<TransformStatement>(&list[at]);
            if (!transform || !transforms(transform->direction)) continue;
            const TransformStatement outer = *transform;
            const Combination from =
                combination_of(r_.program, list, outer.source, at, opposite(outer.direction), outer.axes);
            // Between a transform and the way back there mostly is a factor of each wave number: that is no news.
            if (!from.fault.empty() && (!from.blocked || outer.direction == Direction::backward)) continue;
            const std::string fault = refusal(list, outer, at, from);
            const std::string text = statement_text(r_.program, outer);
            r_.verdicts.push_back(
                {Rule::inverse, text, fault.empty() ? Verdict::yes(sources(list, from)) : Verdict::no(fault)});
            if (fault.empty()) list = cancelled(std::move(list), outer, at, from);
        }
        return list;
    }

private:
    Rewriting& r_;

    [[nodiscard]] static const TransformStatement& inner(const Statements& list, const TransformTerm& term) {
        return std::get<TransformStatement>(list[term.statement]);
    }
    [[nodiscard]] CellType type(VariableId v) const { return field_shape(r_.program, v).type; }

    [[nodiscard]] std::string sources(const Statements& list, const Combination& from) const {
        std::string names;
        for (const TransformTerm& t : from.terms)
            names += (names.empty() ? "" : ", ") + r_.program.variables[inner(list, t).source].name;
        return fmt::format("a sum of {}: one transform less", names);
    }

    /// Where the sum is computed: all sources have their values, and as few as can be are transformed yet.
    [[nodiscard]] static std::size_t place(const Statements& list, const Combination& from) {
        std::size_t first = 0;
        for (const TransformTerm& t : from.terms) {
            const auto made = definition(list, inner(list, t).source, t.statement);
            if (made) first = std::max(first, *made + 1);
        }
        return first;
    }

    [[nodiscard]] std::string refusal(const Statements& list, const TransformStatement& outer, std::size_t at,
                                      const Combination& from) const {
        if (!from.fault.empty()) return from.fault;
        const std::size_t first = place(list, from);
        for (const TransformTerm& t : from.terms) {
            const TransformStatement& back = inner(list, t);
            const std::string& name = r_.program.variables[back.source].name;
            const FieldShape &from_shape = field_shape(r_.program, back.source),
                             &to_shape = field_shape(r_.program, outer.target);
            if (from_shape.type != to_shape.type || from_shape.axes != to_shape.axes)
                return fmt::format("'{}' is no spectrum of the same kind", name);
            if (first > at || (t.statement < first && !unchanged(list, back.source, t.statement, first)))
                return fmt::format("'{}' is assigned anew before all is known", name);
        }
        const bool half = is_complex(type(outer.target)) && !is_complex(type(outer.source));
        return half ? Commuting(r_.program, outer).fault(outer.target) : "";
    }

    /// n · (factor · (X + Y) - …), with one product for equal factors.
    [[nodiscard]] ExpressionRef total(const Statements& list, const TransformStatement& outer, const Combination& from,
                                      std::vector<Operand>& operands) const {
        const std::size_t axes = field_shape(r_.program, outer.target).axes.size();
        const bool complex = is_complex(type(outer.target));
        std::vector<std::pair<ExpressionRef, std::vector<Summand>>> groups;
        for (const TransformTerm& t : from.terms) {
            operands.push_back({inner(list, t).source, std::vector<AxisIndex>(axes, Offset{0}), outer.span});
            const ExpressionRef source = make_expression(OperandUse{operands.size() - 1},
                                                         complex ? ScalarKind::complex : ScalarKind::real, outer.span);
            auto group = std::find_if(groups.begin(), groups.end(),
                                      [&](const auto& g) { return same_expression(g.first, t.factor); });
            if (group == groups.end()) group = groups.insert(group, {t.factor, {}});
            group->second.push_back({source, t.negative});
        }
        // The reals of the two sides are as many as points are transformed.
        const FieldShape& points = field_shape(r_.program, complex ? outer.source : outer.target);
        ExpressionRef count;
        for (const std::size_t k : outer.axes) {
            const ExpressionRef cells = make_expression(ExtentUse{points.axes[k]}, ScalarKind::integer, outer.span);
            count = count ? binary(BinaryOperator::multiply, count, cells) : cells;
        }
        std::vector<Summand> all;
        for (const auto& [factor, group] : groups) all.push_back({product(product(count, factor), sum(group)), false});
        return sum(all);
    }

    Statements cancelled(Statements list, const TransformStatement& outer, std::size_t at, const Combination& from) {
        const FieldShape shape = field_shape(r_.program, outer.target);
        const std::vector<AxisIndex> here(shape.axes.size(), Offset{0});
        const Precision precision = real_precision(shape.type);
        const VariableId made =
            new_field(r_.program, r_.program.variables[outer.target].name + "_sum", shape.axes, shape.type, outer.span);
        FieldStatement sum{outer.span, made, here, {}, nullptr, precision, {}, nullptr};
        sum.value = total(list, outer, from, sum.operands);
        sum = written(r_.program, sum);
        const ScalarKind kind = is_complex(shape.type) ? ScalarKind::complex : ScalarKind::real;
        FieldStatement copy{outer.span,
                            outer.target,
                            here,
                            {{made, here, outer.span}},
                            make_expression(OperandUse{0}, kind, outer.span),
                            precision,
                            {},
                            nullptr};
        copy.span = written_span(r_.program, copy);
        list[at] = copy;
        redirect(list, at + 1, outer.target, made);
        r_.changed = r_.rounds = true;
        const std::size_t first = place(list, from);
        return inserted(std::move(list), std::move(sum), first, from);
    }

    /// Reads of the target, up to its next value, are reads of the sum.
    void redirect(Statements& list, std::size_t first, VariableId target, VariableId made) const {
        for (std::size_t i = first; i < list.size(); ++i) {
            if (auto* field = std::get_if<FieldStatement>(&list[i])) {
                *field = with_operands(*field, [&](std::size_t k) -> std::optional<OperandReplacement> {
                    if (field->operands[k].variable != target || !is_plain(field->operands[k])) return std::nullopt;
                    return OperandReplacement{nullptr, made};
                });
            } else if (auto* transform = std::get_if<TransformStatement>(&list[i])) {
                if (transform->source == target) transform->source = made;
            }
            if (assigns(list[i], target)) return;
        }
    }

    /// With the sum before statement `first`, and transforms of its parts that stand before moved behind it where
    /// nothing between has to do with their results.
    [[nodiscard]] static Statements inserted(Statements list, FieldStatement sum, std::size_t first,
                                             const Combination& from) {
        std::set<std::size_t> gone;
        for (const TransformTerm& t : from.terms) {
            if (t.statement >= first) continue;
            const VariableId result = inner(list, t).target;
            const bool waits = std::any_of(list.begin() + static_cast<std::ptrdiff_t>(t.statement) + 1,
                                           list.begin() + static_cast<std::ptrdiff_t>(first),
                                           [&](const Statement& s) { return reads(s, result) || assigns(s, result); });
            if (waits) continue;
            gone.insert(t.statement);
        }
        Statements made;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i == first) {
                made.emplace_back(std::move(sum));
                for (const std::size_t moved : gone) made.push_back(list[moved]);
            }
            if (!gone.contains(i)) made.push_back(std::move(list[i]));
        }
        return made;
    }
};

}  // namespace

void inverse_transforms(Rewriting& r) {
    r.program.statements = with_lists(r.program.statements, [&](Statements list) { return Cancelling(r).run(list); });
}

}  // namespace kasc::rewriting
