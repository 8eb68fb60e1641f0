#include "lower/field/loads_first.hpp"

#include "kernel/used_names.hpp"

namespace kasc::kernel {

LoadsFirst loads_first(FieldContext& context, const Body& cell, const std::set<std::string>& arrays, const ExprRef& of,
                       int cells) {
    LoadsFirst made;
    for (const Statement& statement : cell) {
        const auto* let = std::get_if<Let>(&statement.node);
        const auto* word = let != nullptr ? std::get_if<Element>(&let->value->node) : nullptr;
        if (word == nullptr || !arrays.contains(word->array)) {
            // What a word's place is computed of.
            if (let != nullptr) made.loads.push_back(statement);
            made.cell.push_back(statement);
            continue;
        }
        const std::string ahead = context.once("words ahead of " + let->name, let->name + "_ahead");
        made.arrays.push_back({RegisterArray{ahead, cells, let->type}});
        made.loads.push_back({Assign{element(ahead, of), let->value}});
        made.cell.push_back({Let{let->type, let->name, element(ahead, of)}});
    }
    made.loads = without_unused(std::move(made.loads));
    made.cell = without_unused(std::move(made.cell));
    return made;
}

}  // namespace kasc::kernel
