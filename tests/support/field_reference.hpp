#pragma once
// Field programs evaluated as the language defines them: statement by statement over whole arrays, cell by cell, with
// boundaries applied to every read. Shares nothing with schedules and kernels; what a kernel computes is compared with
// this to the last bit.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

#include "graph/graph.hpp"

namespace kasc::testing {

struct Problem {
    std::vector<long long> extents;            ///< by axis
    std::vector<double> parameters;            ///< by parameter
    std::map<std::uint32_t, long long> loops;  ///< values of loop indices
};

/// What the host computes for a uniform expression: C integers, float32 without contraction.
class Host {
public:
    explicit Host(const Problem& problem) : problem_(problem) {}

    long long integer(const Expression& e) const {
        if (const auto* l = std::get_if<Literal>(&e.node)) return static_cast<long long>(l->value);
        if (const auto* p = std::get_if<ParameterUse>(&e.node))
            return static_cast<long long>(problem_.parameters.at(p->parameter.index));
        if (const auto* l = std::get_if<LoopIndexUse>(&e.node)) return problem_.loops.at(l->loop.index);
        if (const auto* u = std::get_if<UnaryOperation>(&e.node)) return -integer(*u->operand);
        const auto& b = std::get<BinaryOperation>(e.node);
        const long long l = integer(*b.left), r = integer(*b.right);
        switch (b.op) {
            case BinaryOperator::add:
                return l + r;
            case BinaryOperator::subtract:
                return l - r;
            case BinaryOperator::multiply:
                return l * r;
            case BinaryOperator::divide:
                return l / r;
            default:
                return l % r;
        }
    }

    float real(const Expression& e) const {
        if (const auto* l = std::get_if<Literal>(&e.node)) return static_cast<float>(l->value);
        if (e.kind == ScalarKind::integer) return static_cast<float>(integer(e));
        if (const auto* p = std::get_if<ParameterUse>(&e.node))
            return static_cast<float>(problem_.parameters.at(p->parameter.index));
        if (const auto* u = std::get_if<UnaryOperation>(&e.node)) return -real(*u->operand);
        if (const auto* c = std::get_if<IntrinsicCall>(&e.node)) {
            std::vector<float> a;
            for (const ExpressionRef& x : c->arguments) a.push_back(real(*x));
            return intrinsic(c->intrinsic, a);
        }
        const auto& b = std::get<BinaryOperation>(e.node);
        const float l = real(*b.left), r = real(*b.right);
        switch (b.op) {
            case BinaryOperator::add:
                return l + r;
            case BinaryOperator::subtract:
                return l - r;
            case BinaryOperator::multiply:
                return l * r;
            default:
                return l / r;
        }
    }

    static float intrinsic(Intrinsic f, const std::vector<float>& a) {
        switch (f) {
            case Intrinsic::exp:
                return std::exp(a[0]);
            case Intrinsic::exp2:
                return std::exp2(a[0]);
            case Intrinsic::log:
                return std::log(a[0]);
            case Intrinsic::sqrt:
                return std::sqrt(a[0]);
            case Intrinsic::pow:
                return std::pow(a[0], a[1]);
            case Intrinsic::sin:
                return std::sin(a[0]);
            case Intrinsic::cos:
                return std::cos(a[0]);
            case Intrinsic::tan:
                return std::tan(a[0]);
            case Intrinsic::tanh:
                return std::tanh(a[0]);
            case Intrinsic::abs:
                return std::fabs(a[0]);
            case Intrinsic::floor:
                return std::floor(a[0]);
            case Intrinsic::minimum:
                return std::fmin(a[0], a[1]);
            case Intrinsic::maximum:
                return std::fmax(a[0], a[1]);
            case Intrinsic::make_complex:
            case Intrinsic::conjugate:
            case Intrinsic::real_part:
            case Intrinsic::imaginary_part:
                break;  // of complex numbers
        }
        return 0;
    }

private:
    const Problem& problem_;
};

/// All values of a straight-line graph.
class FieldReference {
public:
    FieldReference(const Program& program, const Graph& graph, const Problem& problem)
        : program_(program), graph_(graph), problem_(problem), host_(problem) {
        std::uint32_t seed = 12345;
        for (const ValueId v : graph.inputs) {
            std::vector<float>& a = values_[v];
            a.resize(words(v));
            for (float& x : a) {
                seed = seed * 1664525U + 1013904223U;
                x = static_cast<float>(seed >> 8) / 16777216.0F + 0.25F;
            }
        }
        for (const NodeId n : graph.nodes.ids()) run(graph.nodes[n]);
    }

    [[nodiscard]] const std::vector<float>& value(ValueId v) const { return values_.at(v); }
    [[nodiscard]] std::size_t words(ValueId v) const {
        std::size_t n = 1;
        for (const AxisId a : shape(v).axes) n *= static_cast<std::size_t>(problem_.extents.at(a.index));
        return n;
    }

private:
    const Program& program_;
    const Graph& graph_;
    const Problem& problem_;
    Host host_;
    std::map<ValueId, std::vector<float>> values_;

    [[nodiscard]] const FieldShape& shape(ValueId v) const { return field_shape(program_, graph_.values[v].variable); }

    void run(const Node& node) {
        const auto& update = std::get<FieldUpdate>(node.what);
        const ValueId target = node.writes.at(0);
        const FieldShape& field = shape(target);
        std::vector<float>& out = values_[target];
        out = update.former ? values_.at(*update.former) : std::vector<float>(words(target), 0.0F);
        std::vector<long long> at(field.axes.size(), 0);
        for (std::size_t i = 0; i < out.size(); ++i) {
            std::size_t rest = i;
            bool assigned = true;
            std::map<AxisId, long long> cell;
            for (std::size_t k = 0; k < at.size(); ++k) {
                const auto n = static_cast<std::size_t>(problem_.extents.at(field.axes[k].index));
                at[k] = static_cast<long long>(rest % n);
                rest /= n;
                if (const auto* a = std::get_if<Absolute>(&update.statement.target_indices[k])) {
                    assigned = assigned && at[k] == host_.integer(*a->position);
                } else {
                    cell[field.axes[k]] = at[k];
                }
                assigned = assigned && at[k] >= field.faces[k].low.layers &&
                           at[k] < static_cast<long long>(n) - field.faces[k].high.layers;
            }
            if (assigned) out[i] = evaluate(*update.statement.value, node, cell);
        }
    }

    float read(const Node& node, std::size_t k, const std::map<AxisId, long long>& cell) {
        const Operand& operand = std::get<FieldUpdate>(node.what).statement.operands.at(k);
        const ValueId v = node.reads.at(k);
        const FieldShape& field = shape(v);
        std::size_t index = 0, stride = 1;
        for (std::size_t a = 0; a < field.axes.size(); ++a) {
            const long long n = problem_.extents.at(field.axes[a].index);
            long long at = 0;
            if (const auto* absolute = std::get_if<Absolute>(&operand.indices[a])) {
                at = host_.integer(*absolute->position);
                if (at < 0 || at >= n) throw std::out_of_range("position");
            } else {
                at = cell.at(field.axes[a]) + std::get<Offset>(operand.indices[a]).cells;
            }
            if (at < 0 || at >= n) {
                const Face& face = field.faces[a].crossed_by(at < 0 ? -1 : 1);
                switch (face.kind) {
                    case BoundaryKind::value:
                        return host_.real(*face.value);
                    case BoundaryKind::mirror:
                        at = at < 0 ? -1 - at : 2 * n - 1 - at;
                        break;
                    case BoundaryKind::periodic:
                        at = (at % n + n) % n;
                        break;
                    default:
                        break;
                }
                at = std::clamp(at, 0LL, n - 1);
            }
            index += static_cast<std::size_t>(at) * stride;
            stride *= static_cast<std::size_t>(n);
        }
        return values_.at(v).at(index);
    }

    using Cell = std::map<AxisId, long long>;

    bool condition(const Expression& e, const Node& node, const Cell& cell) {
        if (const auto* u = std::get_if<UnaryOperation>(&e.node)) return !condition(*u->operand, node, cell);
        const auto& b = std::get<BinaryOperation>(e.node);
        if (b.op == BinaryOperator::logical_and)
            return condition(*b.left, node, cell) && condition(*b.right, node, cell);
        if (b.op == BinaryOperator::logical_or)
            return condition(*b.left, node, cell) || condition(*b.right, node, cell);
        const auto compare = [&](auto l, auto r) {
            switch (b.op) {
                case BinaryOperator::less:
                    return l < r;
                case BinaryOperator::less_equal:
                    return l <= r;
                case BinaryOperator::greater:
                    return l > r;
                case BinaryOperator::greater_equal:
                    return l >= r;
                case BinaryOperator::equal:
                    return l == r;
                default:
                    return l != r;
            }
        };
        if (b.left->kind == ScalarKind::integer && b.right->kind == ScalarKind::integer) {
            return compare(host_.integer(*b.left), host_.integer(*b.right));
        }
        return compare(evaluate(*b.left, node, cell), evaluate(*b.right, node, cell));
    }

    static const BinaryOperation* product(const Expression& e) {
        const auto* b = std::get_if<BinaryOperation>(&e.node);
        return b && b->op == BinaryOperator::multiply && !is_uniform(e) ? b : nullptr;
    }

    float evaluate(const Expression& e, const Node& node, const Cell& cell) {
        if (is_uniform(e) && !std::holds_alternative<Conditional>(e.node)) return host_.real(e);
        if (const auto* o = std::get_if<OperandUse>(&e.node)) return read(node, o->operand, cell);
        if (const auto* u = std::get_if<UnaryOperation>(&e.node)) return -evaluate(*u->operand, node, cell);
        if (const auto* c = std::get_if<Conditional>(&e.node)) {
            return condition(*c->condition, node, cell) ? evaluate(*c->then, node, cell)
                                                        : evaluate(*c->otherwise, node, cell);
        }
        if (const auto* c = std::get_if<IntrinsicCall>(&e.node)) {
            std::vector<float> a;
            for (const ExpressionRef& x : c->arguments) a.push_back(evaluate(*x, node, cell));
            return Host::intrinsic(c->intrinsic, a);
        }
        const auto& b = std::get<BinaryOperation>(e.node);
        const auto at = [&](const ExpressionRef& x) { return evaluate(*x, node, cell); };
        const bool minus = b.op == BinaryOperator::subtract;
        if (b.op == BinaryOperator::add || minus) {
            if (const auto* p = product(*b.left))
                return std::fma(at(p->left), at(p->right), minus ? -at(b.right) : at(b.right));
            if (const auto* p = product(*b.right))
                return std::fma(minus ? -at(p->left) : at(p->left), at(p->right), at(b.left));
            return minus ? at(b.left) - at(b.right) : at(b.left) + at(b.right);
        }
        return b.op == BinaryOperator::multiply ? at(b.left) * at(b.right) : at(b.left) / at(b.right);
    }
};

}  // namespace kasc::testing
