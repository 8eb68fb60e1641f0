#include "contract/zero_divisors.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "frontend/evaluate.hpp"
#include "frontend/expression_parts.hpp"

namespace kasc {

namespace {

class Divisors {
public:
    Divisors(const Program& program, const std::vector<double>& parameters, const std::vector<long long>& extents)
        : program_(program), parameters_(parameters), extents_(extents) {
        walk(program.statements);
    }

    [[nodiscard]] Diagnostics take() { return std::move(said_); }

private:
    const Program& program_;
    const std::vector<double>& parameters_;
    const std::vector<long long>& extents_;
    std::set<std::string> told_;
    Diagnostics said_;

    void walk(const std::vector<Statement>& statements) {
        for (const Statement& statement : statements) {
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                look_at(*(*loop)->from);
                look_at(*(*loop)->to);
                walk((*loop)->body);
            } else if (const auto* field = std::get_if<FieldStatement>(&statement)) {
                look_at(*field->value);
                look_at(field->target_indices);
                for (const Operand& operand : field->operands) look_at(operand.indices);
            }
        }
    }
    void look_at(const std::vector<AxisIndex>& indices) {
        for (const AxisIndex& index : indices) {
            if (const auto* absolute = std::get_if<Absolute>(&index)) look_at(*absolute->position);
            if (const auto* computed = std::get_if<Computed>(&index)) look_at(*computed->position);
        }
    }

    /// None: parameters and lengths alone do not make it.
    [[nodiscard]] std::optional<double> value_of(const Expression& e) const {
        const bool known = !any_part(e, [](const Expression& part) {
            return std::holds_alternative<LoopIndexUse>(part.node) || std::holds_alternative<OperandUse>(part.node) ||
                   std::holds_alternative<CoordinateUse>(part.node);
        });
        return known ? std::optional(evaluate_integer(e, program_, parameters_, {}, extents_)) : std::nullopt;
    }

    void look_at(const Expression& e) {
        if (const auto* choice = std::get_if<Conditional>(&e.node)) {
            look_at(*choice->condition);
            const auto holds = value_of(*choice->condition);
            if (holds != 0) look_at(*choice->then);
            if (!holds || holds == 0) look_at(*choice->otherwise);
            return;
        }
        const auto* two = std::get_if<BinaryOperation>(&e.node);
        const bool asks = two && (two->op == BinaryOperator::logical_and || two->op == BinaryOperator::logical_or);
        if (asks) {
            look_at(*two->left);
            const auto holds = value_of(*two->left);
            const bool ends = holds && (*holds != 0) == (two->op == BinaryOperator::logical_or);
            if (!ends) look_at(*two->right);
            return;
        }
        for_each_operand_part(e, [&](const Expression& part) { look_at(part); });
        const bool divides = two && (two->op == BinaryOperator::divide || two->op == BinaryOperator::modulo);
        if (divides && e.kind == ScalarKind::integer && value_of(*two->right) == 0) tell(e, *two->right);
    }

    void tell(const Expression& quotient, const Expression& divisor) {
        const std::string text = to_text(divisor, program_, {});
        if (!told_.insert(text).second) return;
        Diagnostic d;
        d.code = "K0749";
        d.message = fmt::format("an integer is divided by zero: '{}' is 0", text);
        d.span = quotient.span;
        d.help = "give another value, or guard it: 'every > 0 && n % every == 0'";
        said_.push_back(std::move(d));
    }
};

}  // namespace

Diagnostics check_divisors(const Program& program, const std::vector<double>& parameters,
                           const std::vector<long long>& extents) {
    return Divisors(program, parameters, extents).take();
}

}  // namespace kasc
