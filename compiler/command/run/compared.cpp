#include "command/run/compared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "frontend/evaluate.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/operators.hpp"

namespace kasc::command {

namespace {

using frontend::symbol;

bool compares(BinaryOperator op) {
    return op == BinaryOperator::less || op == BinaryOperator::less_equal || op == BinaryOperator::greater ||
           op == BinaryOperator::greater_equal;
}

/// The statement at the end of the loop's body that says whether another iteration runs.
const FieldStatement* condition_of(const Program& program, LoopId loop) {
    for (const Statement& s : program.statements) {
        const auto* found = std::get_if<std::shared_ptr<const LoopStatement>>(&s);
        if (found == nullptr || (*found)->loop != loop || !(*found)->going) continue;
        for (const Statement& inner : (*found)->body) {
            const auto* field = std::get_if<FieldStatement>(&inner);
            if (field != nullptr && field->target == *(*found)->going) return field;
        }
    }
    return nullptr;
}

class Comparison {
public:
    Comparison(const Program& program, const FieldStatement& statement, const std::vector<double>& parameters,
               const std::vector<long long>& extents, runtime::PiecewiseRun& run)
        : program_(program),
          statement_(statement),
          parameters_(parameters),
          extents_(extents),
          run_(run),
          state_(run.state()) {}

    std::string text(const Expression& e) {
        const auto* both = std::get_if<BinaryOperation>(&e.node);
        if (both == nullptr) return "";
        if (!compares(both->op)) {
            std::string first = text(*both->left);
            return first.empty() ? text(*both->right) : first;
        }
        const bool named = std::holds_alternative<OperandUse>(both->left->node);
        if (!named && !std::holds_alternative<OperandUse>(both->right->node)) return "";
        const auto left = number(*both->left), right = number(*both->right);
        if (!left || !right) return "";
        const auto shown = [&](const Expression& side, double value) {
            const auto* use = std::get_if<OperandUse>(&side.node);
            const bool says = use != nullptr && named == (&side == both->left.get());
            return says ? fmt::format("{} {:.3g}", program_.variables[variable(*use)].name, value)
                        : fmt::format("{:.3g}", value);
        };
        return fmt::format("{} {} {}", shown(*both->left, *left), symbol(both->op), shown(*both->right, *right));
    }

private:
    const Program& program_;
    const FieldStatement& statement_;
    const std::vector<double>& parameters_;
    const std::vector<long long>& extents_;
    runtime::PiecewiseRun& run_;
    const std::vector<runtime::StateArray> state_;

    [[nodiscard]] VariableId variable(const OperandUse& use) const {
        return statement_.operands.at(use.operand).variable;
    }
    [[nodiscard]] std::optional<double> number(const Expression& e) {
        if (const auto* use = std::get_if<OperandUse>(&e.node)) return read(program_.variables[variable(*use)].name);
        const bool settled = !any_part(e, [](const Expression& part) {
            return std::holds_alternative<OperandUse>(part.node) || std::holds_alternative<LoopIndexUse>(part.node) ||
                   std::holds_alternative<FunctionWord>(part.node) || std::holds_alternative<CoordinateUse>(part.node);
        });
        return settled ? std::optional(evaluate(e, parameters_, {}, extents_)) : std::nullopt;
    }
    /// One word of the run's state.
    [[nodiscard]] std::optional<double> read(const std::string& name) {
        const auto at = std::find_if(state_.begin(), state_.end(), [&](const runtime::StateArray& a) {
            return a.words == 1 && a.name.substr(0, a.name.find('.')) == name;
        });
        if (at == state_.end()) return std::nullopt;
        std::byte word[16];
        if (!run_.read_state(static_cast<std::size_t>(at - state_.begin()), word).empty()) return std::nullopt;
        switch (at->type) {
            case CellType::float32:
                return as<float>(word);
            case CellType::float64:
                return as<double>(word);
            case CellType::int32:
                return as<std::int32_t>(word);
            case CellType::int64:
                return as<std::int64_t>(word);
            default:
                return std::nullopt;
        }
    }
    template <class T>
    static double as(const std::byte* word) {
        T value;
        std::memcpy(&value, word, sizeof(value));
        return static_cast<double>(value);
    }
};

}  // namespace

std::string compared_text(const Program& program, const std::vector<OutermostLoop>& loops,
                          const std::vector<double>& parameters, const std::vector<long long>& extents,
                          runtime::PiecewiseRun& run) {
    for (const OutermostLoop& l : loops) {
        if (!l.range.row(run.done())) continue;
        const FieldStatement* statement = condition_of(program, l.loop);
        const auto* choice = statement == nullptr ? nullptr : std::get_if<Conditional>(&statement->value->node);
        if (choice != nullptr)
            return Comparison(program, *statement, parameters, extents, run).text(*choice->condition);
    }
    return "";
}

}  // namespace kasc::command
