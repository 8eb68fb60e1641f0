#include "model/field/statement_costs.hpp"

#include <unordered_map>

#include "frontend/expression_parts.hpp"
#include "model/field/instruction_count.hpp"

namespace kasc::model {

namespace {

bool is(const Expression& e, BinaryOperator op) {
    const auto* binary = std::get_if<BinaryOperation>(&e.node);
    return binary != nullptr && binary->op == op;
}

class CodeParts {
public:
    explicit CodeParts(const FieldStatement& statement) : statement_(statement) {}

    std::vector<CodePart> run() {
        (void)number(*statement_.value, false);
        return std::move(parts_);
    }

private:
    const FieldStatement& statement_;
    std::vector<CodePart> parts_;
    std::unordered_map<const Expression*, std::uint32_t> numbers_;

    /// `added`: to something, with which it is one instruction.
    std::uint32_t number(const Expression& e, bool added) {
        if (const auto known = numbers_.find(&e); known != numbers_.end()) return known->second;
        CodePart made{&e};
        if (is_uniform(e)) {
            made.kind = CodePart::Kind::uniform;
        } else if (const auto* use = std::get_if<OperandUse>(&e.node)) {
            made.kind = CodePart::Kind::word;
            for (const AxisIndex& index : statement_.operands[use->operand].indices)
                if (const auto* computed = std::get_if<Computed>(&index))
                    made.operands.push_back(number(*computed->position, false));
        } else if (std::holds_alternative<CoordinateUse>(e.node)) {
            made.kind = CodePart::Kind::coordinate;
        } else {
            add_operands(e, made);
            made.instructions = added ? 0 : own_instructions(e, statement_.precision);
        }
        const auto place = static_cast<std::uint32_t>(parts_.size());
        parts_.push_back(std::move(made));
        numbers_.emplace(&e, place);
        return place;
    }

    void add_operands(const Expression& e, CodePart& made) {
        const bool sums = is(e, BinaryOperator::add) || is(e, BinaryOperator::subtract);
        bool taken = false;  // one of two products
        for_each_operand_part(e, [&](const Expression& part) {
            const bool product = sums && !taken && is(part, BinaryOperator::multiply);
            taken = taken || product;
            made.operands.push_back(number(part, product));
        });
    }
};

}  // namespace

const StatementCost& StatementCosts::of(const FieldStatement& statement) {
    const auto [at, added] = known_.try_emplace({statement.value.get(), statement.precision});
    if (added) at->second = {instruction_count(statement), slow_paths(*statement.value)};
    return at->second;
}

const std::vector<CodePart>& StatementCosts::code_of(const FieldStatement& statement) {
    const auto [at, added] = code_.try_emplace({statement.value.get(), statement.precision});
    if (added) at->second = CodeParts(statement).run();
    return at->second;
}

}  // namespace kasc::model
