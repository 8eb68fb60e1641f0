#include "lower/field/result_frame.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc::kernel {

bool holds(const std::vector<ValueId>& values, ValueId value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

void ResultFrame::go_on_with(const FieldSchedule& part) {
    context_ = std::make_unique<FieldContext>(std::move(*context_), part);
}

const std::string& ResultFrame::variable_name(ValueId value) { return program_.variables[c().variable(value)].name; }

Type ResultFrame::word_register(ValueId value) { return register_type(c().cell_type(value)); }

std::string ResultFrame::coordinate(AxisId axis) {
    return c().once(fmt::format("coordinate {}", axis.index), program_.axes[axis].name);
}

void ResultFrame::name_region(const std::string& n, Type type) {
    region_names_.push_back(n), region_types_.push_back(type);
}

ExprRef ResultFrame::part_word(const FoldedCall& f, const ExprRef& sum) {
    const Type word = word_type(c().cell_type(f.call->value));
    return word == f.type ? sum : convert(word, sum);
}

ExprRef ResultFrame::keep_result(Body& body, Body& stores, const FieldCall& call, const ExprRef& value) {
    const ExprRef own =
        name(c().once(fmt::format("own word {}", call.value.index), variable_name(call.value) + "_own"));
    body.push_back({Let{word_register(call.value), text_of(own), value}});
    c().hold(call.value, own);
    if (!holds(fusion_.outputs, call.value)) return own;
    std::vector<ExprRef> place;
    for (const FieldIndex& index : call.target) place.push_back(name(c().coordinate(std::get<Moving>(index).axis)));
    stores.push_back({Assign{element(c().array_out(call.value), c().index(call.value, place)), own}});
    return own;
}

std::vector<std::pair<const FieldCall*, ExprRef>> ResultFrame::words_made(Body& body, const FieldSchedule& words) {
    go_on_with(words);
    CellWriter writer(c(), *words.paths.cell, coordinates(c()));
    std::vector<std::pair<const FieldCall*, ExprRef>> made;
    for (const FieldCall& call : c().plan.calls) made.emplace_back(&call, writer.result(call));
    append(body, writer.take_body());
    return made;
}

}  // namespace kasc::kernel
