#include "rewrite/combination.hpp"

#include <fmt/format.h>

#include "frontend/make_expression.hpp"
#include "rewrite/expressions.hpp"

namespace kasc::rewriting {

namespace {

/// Sums of sums of the same fields double their parts with each statement: of those that no one writes, so many count.
constexpr int most_parts = 256;

class Search {
public:
    /// `budget`: what is left of it, shared with searches that this one begins.
    Search(const Program& program, const Statements& list, Direction direction, const std::vector<std::size_t>& axes,
           int& budget)
        : program_(program), list_(list), direction_(direction), axes_(axes), budget_(budget) {}

    Combination run(VariableId variable, std::size_t at) {
        field(variable, at, nullptr, false);
        if (found_.terms.empty()) fault("it is no transform");
        if (!found_.fault.empty()) found_.terms.clear();
        return std::move(found_);
    }

private:
    const Program& program_;
    const Statements& list_;
    Direction direction_;
    const std::vector<std::size_t>& axes_;
    int& budget_;
    Combination found_;

    void fault(std::string text) {
        if (found_.fault.empty()) found_.fault = std::move(text);
    }
    [[nodiscard]] const TransformStatement* transform_at(std::size_t at) const {
        const auto* transform = std::get_if<TransformStatement>(&list_[at]);
        return transform && transform->direction == direction_ && transform->axes == axes_ ? transform : nullptr;
    }

    void field(VariableId variable, std::size_t at, const ExpressionRef& factor, bool negative) {
        if (--budget_ < 0) return fault("it is made of too many parts");
        const auto made = definition(list_, variable, at);
        const std::string& name = program_.variables[variable].name;
        if (!made) return fault(fmt::format("'{}' comes from before these statements", name));
        if (transform_at(*made)) {
            found_.terms.push_back({factor, negative, *made});
            return;
        }
        const auto* statement = std::get_if<FieldStatement>(&list_[*made]);
        if (!statement || !is_whole(program_, *statement))
            return fault(fmt::format("'{}' is no sum of such transforms", name));
        value(*statement, statement->value, *made, factor, negative);
    }

    void value(const FieldStatement& s, const ExpressionRef& e, std::size_t at, const ExpressionRef& factor,
               bool negative) {
        for (const Summand& part : summands(e)) {
            const auto* literal = std::get_if<Literal>(&part.value->node);
            if (literal && literal->value == 0) continue;
            term(s, part.value, at, factor, negative != part.negative);
        }
    }

    void term(const FieldStatement& s, const ExpressionRef& e, std::size_t at, const ExpressionRef& factor,
              bool negative) {
        std::vector<Factor> uniform, others;
        for (const Factor& f : factors(e)) (is_scalar(*f.value) ? uniform : others).push_back(f);
        if (others.size() == 1 && !others.front().divides)
            return part(s, others.front().value, at, product(factor, product(uniform)), negative);
        fault(fmt::format("'{}' is no such transform", text(s, e)));
        // What else stands beside a sum of transforms is what one would like to be uniform.
        for (const Factor& f : others) {
            if (f.divides || others.size() != 2) continue;
            Search beside(program_, list_, direction_, axes_, budget_);
            beside.part(s, f.value, at, nullptr, false);
            if (!beside.found_.fault.empty()) continue;
            const Factor& other = &f == &others.front() ? others.back() : others.front();
            found_.fault = fmt::format("'{}' {}", text(s, other.value),
                                       is_uniform(*other.value) ? "is complex" : "differs from cell to cell");
            found_.blocked = true;
            return;
        }
    }

    /// A factor that is no product, and differs from cell to cell.
    void part(const FieldStatement& s, const ExpressionRef& e, std::size_t at, const ExpressionRef& factor,
              bool negative) {
        const auto* use = std::get_if<OperandUse>(&e->node);
        if (use && is_own_cell(program_, s, s.operands.at(use->operand)))
            return field(s.operands[use->operand].variable, at, factor, negative);
        const std::vector<Summand> parts = summands(e);
        if (parts.size() > 1 || parts.front().negative) return value(s, e, at, factor, negative);
        fault(fmt::format("'{}' is no such transform", text(s, e)));
    }
    [[nodiscard]] std::string text(const FieldStatement& s, const ExpressionRef& e) const {
        return to_text(*e, program_, operand_texts(s, program_));
    }
};

}  // namespace

Combination combination_of(const Program& program, const Statements& list, VariableId variable, std::size_t at,
                           Direction direction, const std::vector<std::size_t>& axes) {
    int budget = most_parts;
    return Search(program, list, direction, axes, budget).run(variable, at);
}

}  // namespace kasc::rewriting
