#include "rewrite/linear_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "frontend/expression_parts.hpp"

namespace kasc::rewriting {

namespace {

class CollectingTerms {
public:
    CollectingTerms(const Program& program, const FieldStatement& statement, LoopId loop)
        : program_(program), statement_(statement), loop_(loop) {}

    LinearValue run() {
        collect(statement_.value, {}, false);
        if (!found_.fault.empty()) found_.terms.clear();
        return std::move(found_);
    }

private:
    const Program& program_;
    const FieldStatement& statement_;
    const LoopId loop_;
    LinearValue found_;

    void fault(const Expression& e, const char* why) {
        if (found_.fault.empty())
            found_.fault = fmt::format("'{}' {}", to_text(e, program_, operand_texts(statement_, program_)), why);
    }

    void collect(const ExpressionRef& e, const std::vector<Factor>& before, bool negative) {
        for (const Summand& part : summands(e)) {
            const auto* literal = std::get_if<Literal>(&part.value->node);
            if (literal == nullptr || literal->value != 0) term(part.value, before, negative != part.negative);
        }
    }

    void term(const ExpressionRef& e, std::vector<Factor> all, bool negative) {
        std::vector<Factor> varying;
        for (const Factor& factor : factors(e)) {
            if (!is_uniform(*factor.value)) {
                varying.push_back(factor);
                continue;
            }
            settled(*factor.value);
            all.push_back(factor);
        }
        if (varying.empty()) return fault(*e, "is added to all cells");
        if (varying.size() > 1) return fault(*e, "is a product of what differs from cell to cell");
        const Factor& cell = varying.front();
        if (cell.divides) return fault(*e, "divides by what differs from cell to cell");
        if (const auto* use = std::get_if<OperandUse>(&cell.value->node)) {
            found_.terms.push_back({use->operand, std::move(all), negative});
            return;
        }
        const std::vector<Summand> parts = summands(cell.value);
        if (parts.size() == 1 && !parts.front().negative)
            return fault(*cell.value, "is no sum of cells with factors that are the same for all");
        collect(cell.value, all, negative);
    }

    /// What is the same in all steps, and in double as in float.
    void settled(const Expression& factor) {
        if (uses_loop(factor, loop_)) fault(factor, "changes from step to step");
        if (calls_library(factor)) fault(factor, "is a function of the library's");
        const bool draws = any_part(factor, [](const Expression& part) {
            const auto* call = std::get_if<IntrinsicCall>(&part.node);
            return call != nullptr && call->intrinsic == Intrinsic::random;
        });
        if (draws) fault(factor, "is another number in double");
    }
};

/// The same text for factors in any order.
std::string factors_text(const Program& program, const LinearTerm& term) {
    std::vector<std::string> all;
    for (const Factor& factor : term.factors)
        all.push_back((factor.divides ? "/" : "*") + to_text(*factor.value, program, {}));
    std::sort(all.begin(), all.end());
    return fmt::format("{}{}", term.negative ? "-" : "+", fmt::join(all, ""));
}

}  // namespace

LinearValue linear_value(const Program& program, const FieldStatement& statement, LoopId loop) {
    return CollectingTerms(program, statement, loop).run();
}

bool is_symmetric(const Program& program, const FieldStatement& statement, const LinearValue& value, std::size_t axis) {
    using Place = std::pair<VariableId, std::vector<int>>;
    std::map<Place, std::vector<std::string>> factors;
    for (const LinearTerm& term : value.terms) {
        const Operand& operand = statement.operands.at(term.operand);
        Place place{operand.variable, {}};
        for (const AxisIndex& index : operand.indices) place.second.push_back(std::get<Offset>(index).cells);
        factors[place].push_back(factors_text(program, term));
    }
    for (auto& [place, texts] : factors) std::sort(texts.begin(), texts.end());
    return std::all_of(factors.begin(), factors.end(), [&](const auto& entry) {
        Place image = entry.first;
        image.second.at(axis) *= -1;
        const auto found = factors.find(image);
        return found != factors.end() && found->second == entry.second;
    });
}

}  // namespace kasc::rewriting
