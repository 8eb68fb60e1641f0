#include "frontend/with_operands.hpp"

#include <algorithm>

#include "frontend/rewrite_expression.hpp"
#include "frontend/same_expression.hpp"

namespace kasc::frontend {

namespace {

ExpressionRef position_of(const AxisIndex& index) {
    const auto* computed = std::get_if<Computed>(&index);
    return computed ? computed->position : nullptr;
}

/// Numbers operands anew in the order of the text, as the front end does: positions before what they are positions of.
class Renumbering {
public:
    Renumbering(const FieldStatement& from,
                const std::function<std::optional<OperandReplacement>(std::size_t)>& replace)
        : from_(from), replace_(replace), made_(from) {
        made_.operands.clear();
    }

    FieldStatement run() {
        made_.target_indices = indices(from_.target_indices);
        // What was added so far stands behind what is added.
        if (from_.adding) static_cast<void>(expression(from_.value, false));
        made_.value = expression(from_.value);
        if (from_.where) made_.where = expression(from_.where);
        if (from_.adding) {
            // Operands that no expression uses.
            const auto own = [&](std::size_t before) { return moved(before, replace_(before)); };
            const Adding::Part part = from_.adding->part;
            if (part == Adding::Part::pieces) made_.adding->running = made_.operands.size();
            if (part == Adding::Part::chunks || part == Adding::Part::cells)
                made_.adding->places = own(from_.adding->places);
            if (part == Adding::Part::cells) made_.adding->sums = own(from_.adding->sums);
        }
        return std::move(made_);
    }

private:
    const FieldStatement& from_;
    const std::function<std::optional<OperandReplacement>(std::size_t)>& replace_;
    FieldStatement made_;

    ExpressionRef expression(const ExpressionRef& e, bool with_running = true) {
        return with_leaves(e, [&](const ExpressionRef& leaf) -> ExpressionRef {
            const auto* use = std::get_if<OperandUse>(&leaf->node);
            if (use == nullptr) return leaf;
            // What was added so far is no value that a statement before this one has assigned.
            if (from_.adding && from_.adding->part != Adding::Part::pieces && from_.adding->running == use->operand) {
                if (!with_running) return leaf;
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
    std::size_t moved(std::size_t before, const std::optional<OperandReplacement>& replacement) {
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
                             const std::function<std::optional<OperandReplacement>(std::size_t)>& replace) {
    return Renumbering(statement, replace).run();
}

FieldStatement with_equal_operands_once(const FieldStatement& statement) {
    return with_operands(statement, [](std::size_t) { return std::nullopt; });
}

}  // namespace kasc::frontend
