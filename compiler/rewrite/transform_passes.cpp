//     u_spectrum = c * ddx[kx] * kappa * P;        u_pass = kappa * P
//     u = unscaled_ifft(u_spectrum);               u_pass_2 = unscaled_ifft(u_pass, z)
//                                                  u_pass_3 = unscaled_ifft(u_pass_2, y)
//                                                  u_pass_4 = c * ddx[kx] * u_pass_3
//                                                  u = unscaled_ifft(u_pass_4, x)
//
// v with ddy[y] in place of ddx[kx] has the first three of these, and computes what is behind them.
#include "rewrite/transform_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "rewrite/expressions.hpp"
#include "rewrite/rewrite.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

using namespace rewriting;

class Splitting {
public:
    explicit Splitting(const Program& program) : made_{program, {}, false} {}

    TransformPasses run() {
        Program& program = made_.program;
        program.statements = with_lists(program.statements, [this](const Statements& list) { return split(list); });
        if (!made_.changed) return std::move(made_);
        // Passes in common are computed once; nothing else is written anew.
        std::set<Rule> others;
        for (const std::string& name : rule_names())
            if (const Rule rule = *find_rule(name); rule != Rule::equal) others.insert(rule);
        program = rewrite(program, others).program;
        return std::move(made_);
    }

private:
    TransformPasses made_;

    Statements split(const Statements& list) {
        Statements all;
        for (std::size_t at = 0; at < list.size(); ++at) {
            const auto* transform = std::get_if<TransformStatement>(&list[at]);
            if (transform == nullptr || !transforms(transform->direction) || transform->axes.size() < 2) {
                all.push_back(list[at]);
                continue;
            }
            made_.changed = true;
            if (transform->direction == Direction::forward)
                forward(*transform, all);
            else
                backward(*transform, list, at, all);
            made_.verdicts.push_back(
                {statement_text(made_.program, list[at]),
                 Verdict::yes(fmt::format("{} passes along one axis each", transform->axes.size()))});
        }
        return all;
    }

    VariableId between(VariableId target, VariableId spectrum, const Span& span) {
        const FieldShape shape = field_shape(made_.program, spectrum);
        return new_field(made_.program, made_.program.variables[target].name + "_pass", shape.axes, shape.type, span);
    }

    void forward(const TransformStatement& t, Statements& all) {
        VariableId source = t.source;
        for (const std::size_t axis : t.axes) {
            TransformStatement pass = t;
            pass.axes = {axis};
            pass.source = source;
            pass.target = axis == t.axes.back() ? t.target : between(t.target, t.target, t.span);
            source = pass.target;
            pass.span = written_span(made_.program, pass);
            all.emplace_back(std::move(pass));
        }
    }

    void backward(const TransformStatement& t, const Statements& list, std::size_t at, Statements& all) {
        std::vector<std::size_t> axes = t.axes;
        std::reverse(axes.begin(), axes.end());
        // What is multiplied before each pass.
        std::vector<std::vector<Factor>> before(axes.size());
        const FieldStatement* product_of = movable(t, list, at);
        if (product_of != nullptr) {
            for (const Factor& factor : factors(product_of->value))
                before[first_pass(factor, *product_of, t, axes)].push_back(factor);
            const bool moves = std::any_of(before.begin() + 1, before.end(), [](const auto& f) { return !f.empty(); });
            if (before.front().empty() || !moves) product_of = nullptr;
        }
        VariableId source = t.source;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            if (product_of != nullptr && !before[k].empty())
                source = multiplied(*product_of, before[k], k > 0 ? std::optional(source) : std::nullopt, t, all);
            TransformStatement pass = t;
            pass.axes = {axes[k]};
            pass.source = source;
            pass.target = k + 1 == axes.size() ? t.target : between(t.target, t.source, t.span);
            source = pass.target;
            pass.span = written_span(made_.program, pass);
            all.emplace_back(std::move(pass));
        }
    }

    /// The statement that makes what is transformed, whose factors may stand elsewhere; null: there is none.
    const FieldStatement* movable(const TransformStatement& t, const Statements& list, std::size_t at) const {
        const Program& program = made_.program;
        const auto found = definition(list, t.source, at);
        const auto* made = found ? std::get_if<FieldStatement>(&list[*found]) : nullptr;
        if (made == nullptr || !is_whole(program, *made)) return nullptr;
        if (field_shape(program, t.source).axes != free_axes(program, *made)) return nullptr;
        if (std::find(program.outputs.begin(), program.outputs.end(), t.source) != program.outputs.end())
            return nullptr;
        for (const Operand& operand : made->operands)
            if (!unchanged(list, operand.variable, *found + 1, at)) return nullptr;
        return made;
    }

    /// The first of the passes along whose axis the factor differs; the last: it differs along none.
    std::size_t first_pass(const Factor& factor, const FieldStatement& s, const TransformStatement& t,
                           const std::vector<std::size_t>& axes) const {
        const Program& program = made_.program;
        const std::vector<AxisId>& all = field_shape(program, t.source).axes;
        std::set<AxisId> along;
        for_each_part(*factor.value, [&](const Expression& part) {
            if (const auto* coordinate = std::get_if<CoordinateUse>(&part.node)) along.insert(coordinate->axis);
            const auto* use = std::get_if<OperandUse>(&part.node);
            if (use == nullptr) return;
            const Operand& operand = s.operands.at(use->operand);
            const std::vector<AxisId>& own = field_shape(program, operand.variable).axes;
            for (std::size_t k = 0; k < own.size(); ++k) {
                const auto* offset = std::get_if<Offset>(&operand.indices.at(k));
                if (offset != nullptr && offset->cells == 0)
                    along.insert(own[k]);
                else if (!std::holds_alternative<Absolute>(operand.indices[k]))
                    along.insert(all.begin(), all.end());
            }
        });
        for (std::size_t k = 0; k < axes.size(); ++k)
            if (along.contains(all[axes[k]])) return k;
        return axes.size() - 1;
    }

    /// A field of the factors' product, and of `field`.
    VariableId multiplied(const FieldStatement& s, const std::vector<Factor>& factors, std::optional<VariableId> field,
                          const TransformStatement& t, Statements& all) {
        FieldStatement made = s;
        made.value = product(factors);
        if (field) {
            made.operands.push_back({*field, std::vector<AxisIndex>(s.target_indices.size(), Offset{0}), t.span});
            made.value =
                product(made.value, make_expression(OperandUse{made.operands.size() - 1}, ScalarKind::complex, t.span));
        }
        const FieldShape shape = field_shape(made_.program, t.source);
        made.target = new_field(made_.program, made_.program.variables[t.target].name + "_factor", shape.axes,
                                shape.type, t.span);
        all.emplace_back(written(made_.program, made));
        return made.target;
    }
};

}  // namespace

TransformPasses transform_passes(const Program& program) { return Splitting(program).run(); }

}  // namespace kasc
