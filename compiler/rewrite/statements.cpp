#include "rewrite/statements.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "frontend/rewrite_expression.hpp"
#include "frontend/same_expression.hpp"
#include "rewrite/expressions.hpp"

namespace kasc::rewriting {

namespace {

using Loop = std::shared_ptr<const LoopStatement>;

ExpressionRef position_of(const AxisIndex& index) {
    const auto* computed = std::get_if<Computed>(&index);
    return computed ? computed->position : nullptr;
}

void collect_operands(const Expression& e, std::set<std::size_t>& all) {
    for_each_part(e, [&](const Expression& part) {
        if (const auto* use = std::get_if<OperandUse>(&part.node)) all.insert(use->operand);
    });
}

}  // namespace

Statements with_lists(const Statements& list, const std::function<Statements(Statements)>& change) {
    Statements all;
    for (const Statement& statement : list) {
        const auto* loop = std::get_if<Loop>(&statement);
        if (loop == nullptr) {
            all.push_back(statement);
            continue;
        }
        LoopStatement made = **loop;
        made.body = with_lists(made.body, change);
        all.emplace_back(std::make_shared<const LoopStatement>(std::move(made)));
    }
    return change(std::move(all));
}

std::set<std::size_t> operands_of_positions(const FieldStatement& statement) {
    std::set<std::size_t> all;
    const auto add = [&](const std::vector<AxisIndex>& indices) {
        for (const AxisIndex& index : indices) {
            if (const ExpressionRef position = position_of(index)) collect_operands(*position, all);
        }
    };
    add(statement.target_indices);
    for (const Operand& operand : statement.operands) add(operand.indices);
    if (statement.where) collect_operands(*statement.where, all);
    return all;
}

namespace {

/// Numbers operands anew in the order of the text, as the front end does: positions before what they are positions of.
class Renumbering {
public:
    Renumbering(const FieldStatement& from, const std::function<std::optional<Replacement>(std::size_t)>& replace)
        : from_(from), replace_(replace), made_(from) {
        made_.operands.clear();
    }

    FieldStatement run() {
        made_.target_indices = indices(from_.target_indices);
        made_.value = expression(from_.value);
        if (from_.where) made_.where = expression(from_.where);
        if (from_.adding) {
            // Operands that no expression uses.
            const auto own = [&](std::size_t before) { return moved(before, replace_(before)); };
            if (from_.adding->part != Adding::Part::entries) made_.adding->places = own(from_.adding->places);
            if (from_.adding->part == Adding::Part::cells) made_.adding->sums = own(from_.adding->sums);
        }
        return std::move(made_);
    }

private:
    const FieldStatement& from_;
    const std::function<std::optional<Replacement>(std::size_t)>& replace_;
    FieldStatement made_;

    ExpressionRef expression(const ExpressionRef& e) {
        return with_leaves(e, [&](const ExpressionRef& leaf) -> ExpressionRef {
            const auto* use = std::get_if<OperandUse>(&leaf->node);
            if (use == nullptr) return leaf;
            // What was added so far is no value that a statement before this one has assigned.
            if (from_.adding && from_.adding->running == use->operand) {
                Operand running = from_.operands.at(use->operand);
                running.indices = indices(running.indices);
                made_.operands.push_back(std::move(running));
                made_.adding->running = made_.operands.size() - 1;
                return make_expression(OperandUse{made_.adding->running}, leaf->kind, leaf->span);
            }
            const auto replacement = replace_(use->operand);
            if (replacement && replacement->value) return replacement->value;
            return make_expression(OperandUse{moved(use->operand, replacement)}, leaf->kind, leaf->span);
        });
    }
    std::size_t moved(std::size_t before, const std::optional<Replacement>& replacement) {
        Operand operand = from_.operands.at(before);
        if (replacement && replacement->variable) operand.variable = *replacement->variable;
        operand.indices = indices(operand.indices);
        return number(operand);
    }
    std::vector<AxisIndex> indices(std::vector<AxisIndex> list) {
        for (AxisIndex& index : list) {
            if (const ExpressionRef position = position_of(index)) index = Computed{expression(position)};
        }
        return list;
    }
    std::size_t number(const Operand& operand) {
        for (std::size_t k = 0; k < made_.operands.size(); ++k) {
            if (same_read(made_.operands[k], operand)) return k;
        }
        made_.operands.push_back(operand);
        return made_.operands.size() - 1;
    }
    /// Positions are the same where the front end shared them, or where both make them of the same parts.
    static bool same_read(const Operand& a, const Operand& b) {
        return a.variable == b.variable &&
               std::equal(a.indices.begin(), a.indices.end(), b.indices.begin(), b.indices.end(),
                          [](const AxisIndex& x, const AxisIndex& y) {
                              if (x.index() != y.index()) return false;
                              if (const auto* offset = std::get_if<Offset>(&x))
                                  return offset->cells == std::get<Offset>(y).cells;
                              if (const auto* absolute = std::get_if<Absolute>(&x))
                                  return same_expression(absolute->position, std::get<Absolute>(y).position);
                              return same_expression(std::get<Computed>(x).position, std::get<Computed>(y).position);
                          });
    }
};

}  // namespace

FieldStatement with_operands(const FieldStatement& statement,
                             const std::function<std::optional<Replacement>(std::size_t)>& replace) {
    return Renumbering(statement, replace).run();
}

std::string statement_text(const Program& program, const Statement& statement) {
    if (const auto* transform = std::get_if<TransformStatement>(&statement)) {
        return fmt::format("{} = {}({})", program.variables[transform->target].name, name_of(transform->direction),
                           program.variables[transform->source].name);
    }
    const auto& field = std::get<FieldStatement>(statement);
    const std::vector<std::string> operands = operand_texts(field, program);
    const std::string target = to_text(Operand{field.target, field.target_indices, {}}, program, operands);
    if (!field.fold) return fmt::format("{} = {}", target, to_text(*field.value, program, operands));
    const FieldStatement* parts =
        field.fold->parts ? &field : statement_of_parts(program, field.operands.at(0).variable);
    return fmt::format("{} = {}({})", target, name_of(field.fold->op),
                       to_text(*parts->value, program, operand_texts(*parts, program)));
}

Span written_span(const Program& program, const Statement& statement) {
    const std::string text = statement_text(program, statement);
    return {make_source("a statement that kasc wrote", text), 0, text.size()};
}

}  // namespace kasc::rewriting
