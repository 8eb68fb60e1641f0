// A sum of transforms is the transform of the sum:
//
//     A = nabla1 * D;  v = unscaled_ifft(A);        A = nabla1 * D;  B = nabla2 * S;
//     B = nabla2 * S;  w = unscaled_ifft(B);        p_joined = tau * A - eta * B;
//     p = c * (S + tau * v - eta * w)               w = unscaled_ifft(p_joined);  p = c * (S + w)
//
// with tau and eta the same in all cells, and v and w used in this sum alone.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "rewrite/expressions.hpp"
#include "rewrite/rules.hpp"
#include "rewrite/statements.hpp"

namespace kasc::rewriting {

namespace {

/// A summand that is a transform with a factor.
struct Part {
    std::size_t summand = 0;
    std::size_t statement = 0;  ///< the transform's place in the list
    ExpressionRef factor;       ///< uniform; null: 1
    std::string fault;          ///< why it cannot be joined
};

class Joining {
public:
    explicit Joining(Rewriting& r) : r_(r) {}

    Statements run(Statements list) {
        for (std::size_t at = 0; at < list.size(); ++at) {
            auto* field = std::get_if<FieldStatement>(&list[at]);
            if (!field || !is_whole(r_.program, *field)) continue;
            at_ = at;
            list_ = &list;
            gone_.clear();
            joined_.clear();
            const FieldStatement statement = *field;
            const ExpressionRef value = expression(statement, statement.value);
            if (joined_.empty()) continue;
            FieldStatement made = statement;
            made.value = value;
            list[at] = with_equal_operands_once(made);
            const std::size_t before = list.size();
            list = with_joined(std::move(list));
            at -= before - list.size();
            r_.changed = r_.rounds = true;
        }
        return list;
    }

private:
    Rewriting& r_;
    const Statements* list_ = nullptr;
    std::size_t at_ = 0;                        ///< the statement with the sum
    std::set<std::size_t> gone_;                ///< transforms that are joined with others
    std::map<std::size_t, Statements> joined_;  ///< what stands in place of the last of them

    /// With every sum in it joined, innermost sums last.
    ExpressionRef expression(const FieldStatement& s, const ExpressionRef& e) {
        std::vector<Summand> parts = summands(e);
        if (parts.size() > 1) {
            const std::size_t before = joined_.size();
            parts = joined(s, std::move(parts));
            bool changed = joined_.size() > before;
            for (Summand& part : parts) {
                const ExpressionRef inside = parts.size() > 1 ? expression(s, part.value) : part.value;
                changed = changed || inside != part.value;
                part.value = inside;
            }
            return changed ? sum(parts) : e;
        }
        const auto in = [&](const ExpressionRef& part) { return expression(s, part); };
        if (const auto* b = std::get_if<BinaryOperation>(&e->node)) {
            const ExpressionRef left = in(b->left), right = in(b->right);
            return left == b->left && right == b->right
                       ? e
                       : make_expression(BinaryOperation{b->op, left, right}, e->kind, e->span);
        }
        if (const auto* u = std::get_if<UnaryOperation>(&e->node)) {
            const ExpressionRef operand = in(u->operand);
            return operand == u->operand ? e : make_expression(UnaryOperation{u->op, operand}, e->kind, e->span);
        }
        // In a branch that some cells alone take, a transform is needed as it is.
        return e;
    }

    std::vector<Summand> joined(const FieldStatement& s, std::vector<Summand> summands) {
        std::map<std::string, std::vector<Part>> kinds;
        for (std::size_t k = 0; k < summands.size(); ++k) {
            auto [kind, part] = part_of(s, summands[k].value);
            part.summand = k;
            if (!kind.empty()) kinds[kind].push_back(part);
        }
        for (auto& [kind, parts] : kinds) {
            if (parts.size() < 2) continue;
            std::erase_if(parts, [&](const Part& part) {
                if (!part.fault.empty()) verdict(part, Verdict::no(part.fault));
                return !part.fault.empty();
            });
            if (parts.size() >= 2) join(s, summands, parts);
        }
        std::erase_if(summands, [](const Summand& part) { return !part.value; });
        return summands;
    }

    void verdict(const Part& part, const Verdict& verdict) {
        r_.verdicts.push_back({Rule::linear, statement_text(r_.program, (*list_)[part.statement]), verdict});
    }

    /// The kind of the transform, the same for those that can be joined; empty: the summand is none.
    std::pair<std::string, Part> part_of(const FieldStatement& s, const ExpressionRef& summand) const {
        Part part;
        const TransformStatement* transform = nullptr;
        std::vector<Factor> uniform;
        ExpressionRef other;
        for (const Factor& f : factors(summand)) {
            const auto found = f.divides ? std::nullopt : transform_of(s, f.value);
            if (found && !transform) {
                part.statement = *found;
                transform = &std::get<TransformStatement>((*list_)[*found]);
            } else if (is_scalar(*f.value)) {
                uniform.push_back(f);
            } else {
                other = f.value;
            }
        }
        if (!transform) return {};
        part.factor = product(uniform);
        const auto name = [&](VariableId v) { return r_.program.variables[v].name; };
        if (other)
            part.fault = fmt::format("its factor '{}' {}", to_text(*other, r_.program, operand_texts(s, r_.program)),
                                     is_uniform(*other) ? "is complex" : "differs from cell to cell");
        else if (uses(transform->target) != 1)
            part.fault = fmt::format("'{}' is used elsewhere too", name(transform->target));
        const FieldShape &from = field_shape(r_.program, transform->source),
                         &to = field_shape(r_.program, transform->target);
        std::string kind =
            fmt::format("{} {} {}", static_cast<int>(transform->direction), name_of(from.type), name_of(to.type));
        for (const AxisId axis : from.axes) kind += fmt::format(" {}", axis.index);
        for (const std::size_t axis : transform->axes) kind += fmt::format(", {}", axis);
        return {kind, part};
    }
    [[nodiscard]] std::optional<std::size_t> transform_of(const FieldStatement& s, const ExpressionRef& e) const {
        const auto* use = std::get_if<OperandUse>(&e->node);
        if (!use || !is_own_cell(r_.program, s, s.operands.at(use->operand))) return std::nullopt;
        const auto made = definition(*list_, s.operands[use->operand].variable, at_);
        return made && std::holds_alternative<TransformStatement>((*list_)[*made]) ? made : std::nullopt;
    }

    /// In the whole program; an output counts as one.
    [[nodiscard]] int uses(VariableId v) const {
        int count = static_cast<int>(std::count(r_.program.outputs.begin(), r_.program.outputs.end(), v));
        each_statement(r_.program.statements, [&](const Statement& statement) {
            const auto* field = std::get_if<FieldStatement>(&statement);
            if (!field) {
                count += reads(statement, v) ? 1 : 0;
                return;
            }
            static_cast<void>(with_operands(*field, [&](std::size_t k) -> std::optional<OperandReplacement> {
                count += field->operands[k].variable == v ? 1 : 0;
                return std::nullopt;
            }));
        });
        return count;
    }

    void join(const FieldStatement& s, std::vector<Summand>& summands, const std::vector<Part>& parts) {
        std::size_t last = 0;
        for (const Part& part : parts) last = std::max(last, part.statement);
        const TransformStatement transform = std::get<TransformStatement>((*list_)[last]);
        const FieldShape shape = field_shape(r_.program, transform.source);
        const std::vector<AxisIndex> here(shape.axes.size(), Offset{0});
        const ScalarKind inner = is_complex(shape.type) ? ScalarKind::complex : ScalarKind::real;
        const Span& span = transform.span;
        FieldStatement source{span, {}, here, {}, nullptr, s.precision, {}, nullptr};
        std::vector<Summand> weighted;
        for (const Part& part : parts) {
            const VariableId v = std::get<TransformStatement>((*list_)[part.statement]).source;
            if (!unchanged(*list_, v, part.statement + 1, last)) {
                verdict(part, Verdict::no(fmt::format("'{}' is assigned anew before the last of the sum",
                                                      r_.program.variables[v].name)));
                return;
            }
            source.operands.push_back({v, here, span});
            const ExpressionRef read = make_expression(OperandUse{source.operands.size() - 1}, inner, span);
            weighted.push_back({product(part.factor, read), summands[part.summand].negative});
        }
        source.target =
            new_field(r_.program, r_.program.variables[s.target].name + "_joined", shape.axes, shape.type, span);
        source.value = sum(weighted);
        source.span = written_span(r_.program, source);
        TransformStatement one = transform;
        one.source = source.target;
        one.span = written_span(r_.program, one);
        joined_[last] = {source, one};

        const std::string why =
            fmt::format("{} transforms in '{}' are one", parts.size(), r_.program.variables[s.target].name);
        for (const Part& part : parts) {
            verdict(part, Verdict::yes(why));
            gone_.insert(part.statement);
            summands[part.summand].value = nullptr;
        }
        // Its place in the sum is that of the first.
        const auto result = std::find_if(s.operands.begin(), s.operands.end(),
                                         [&](const Operand& o) { return o.variable == transform.target; });
        const bool complex = is_complex(field_shape(r_.program, transform.target).type);
        summands[parts.front().summand] = {
            make_expression(OperandUse{static_cast<std::size_t>(result - s.operands.begin())},
                            complex ? ScalarKind::complex : ScalarKind::real, span),
            false};
    }

    Statements with_joined(Statements list) const {
        Statements made;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (const auto at = joined_.find(i); at != joined_.end())
                made.insert(made.end(), at->second.begin(), at->second.end());
            else if (!gone_.contains(i))
                made.push_back(std::move(list[i]));
        }
        return made;
    }
};

}  // namespace

void linear_transforms(Rewriting& r) {
    r.program.statements = with_lists(r.program.statements, [&](Statements list) { return Joining(r).run(list); });
}

}  // namespace kasc::rewriting
