#include "lower/field/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "kernel/text.hpp"

namespace kasc::kernel {

FieldPath::FieldPath(FieldContext& context, std::vector<std::string> coordinates, std::optional<std::size_t> inner)
    : context_(context), cell_(std::move(coordinates)), inner_(inner) {}

ExprRef FieldPath::let(Type type, const std::string& n, const ExprRef& value) {
    if (declared_.insert(n).second) body_->push_back({Let{type, n, value}});
    return name(n);
}

const CellValue& FieldPath::value_stored_by(const CellProgram& program, const FieldCall& call) const {
    const auto store = std::find_if(program.stores.begin(), program.stores.end(),
                                    [&](const CellStore& s) { return &context_.plan.calls[s.call] == &call; });
    return program.values[store->value];
}

ExprRef FieldPath::part_register(Type type, const ExprRef& part) {
    const std::string read_as = text(part, plain_spelling());
    const bool reads_words = read_as.find('[') != std::string::npos;  // which may be stored meanwhile
    const auto known = parts_.find({type, read_as});
    if (known != parts_.end() && !reads_words) return name(known->second);
    const std::string own = parts_[{type, read_as}] = context_.fresh("part");
    return let(type, own, part);
}

Body& FieldPath::place(const std::vector<FieldIndex>& indices) {
    return in_slice_ || !inner_ || moves_along(indices, *inner_) ? *body_ : outer_;
}

ExprRef FieldPath::base_index(ValueId value, const std::vector<FieldIndex>& indices) {
    std::vector<ExprRef> at;
    for (const FieldIndex& index : indices) {
        const auto* moving = std::get_if<Moving>(&index);
        at.push_back(moving ? name(cell_[moving->axis]) : context_.scalar(std::get<Absolute>(index).position));
    }
    if (same_for_all(indices)) return context_.index(value, at);
    const bool cell = context_.is_cell_layout(value, indices);
    const std::string& variable = context_.program.variables[context_.variable(value)].name;
    const std::string n = context_.once("index" + context_.layout(value, indices), cell ? "i" : "i_" + variable);
    if (!declared_.insert(n).second) return name(n);
    place(indices).push_back({Let{Type::i64, n, context_.index(value, at)}});
    return name(n);
}

ExprRef FieldPath::row_words(ValueId value, const std::vector<FieldIndex>& indices, int row) {
    for (std::size_t k = 0; k < indices.size() && row != 0; ++k) {
        const auto* moving = std::get_if<Moving>(&indices[k]);
        if (moving && moving->axis == 1) return multiply(integer(row), context_.stride(value, k));
    }
    return integer(0);
}

std::string FieldPath::tile_name(ValueId value) {
    return context_.once(fmt::format("tile {}", value.index),
                         context_.program.variables[context_.variable(value)].name + "_tile");
}

std::optional<ExprRef> FieldPath::tile_index(const FieldRead& read, const std::vector<int>& offset, int before,
                                             int behind) {
    if (in_slice_ || !in_tiles_ || !context_.is_cell_layout(read.value, read.indices)) return std::nullopt;
    const auto& tiles = context_.schedule.tiles;
    const auto tile =
        std::find_if(tiles.begin(), tiles.end(), [&](const SharedTile& t) { return t.value == read.value; });
    if (tile == tiles.end()) return std::nullopt;
    const FieldChoice& choice = context_.schedule.choice;
    const std::array<int, 3> cells{choice.vector, choice.rows, 1};
    for (std::size_t k = 0; k < offset.size(); ++k) {
        const bool tiled = k < tile->low.size();
        const int low = tiled ? tile->low[k] : 0, high = tiled ? tile->high[k] : 0;
        // Rows are offsets of their own; along the first axis the group's cells are counted by `behind`.
        const int last = high + (k == 1 && tiled ? cells[1] - 1 : 0);
        if (offset[k] - (k == 0 ? before : 0) < -low || offset[k] + (k == 0 ? behind : 0) > last) return std::nullopt;
    }
    const std::string n = context_.once(fmt::format("tile index {}", read.value.index), "at_" + tile_name(read.value));
    if (declared_.insert(n).second) {
        constexpr std::array dimensions{Dimension::x, Dimension::y, Dimension::z};
        ExprRef at = integer(0);
        for (std::size_t k = tile->low.size(); k-- > 0;) {
            const ExprRef own = multiply(thread_index(dimensions[k]), integer(cells[k]));
            at = add(multiply(at, integer(tile->cells[k])), add(own, integer(tile->low[k])));
        }
        if (choice.walk == Walk::column) at = add(name(plane_slot(context_, *tile)), at);
        body_->push_back({Let{Type::i32, n, at}});
    }
    int words = 0;
    for (std::size_t k = tile->low.size(); k-- > 0;) words = words * tile->cells[k] + offset[k];
    return words < 0 ? subtract(name(n), integer(-words)) : add(name(n), integer(words));
}

ExprRef FieldPath::nearest_position(const ExprRef& position, AxisId axis) {
    return maximum(minimum(position, subtract(context_.extent(axis), integer(1))), integer(0));
}

ExprRef FieldPath::word_at(const FieldRead& read, Precision precision, const ExpressionSources& sources,
                           const std::function<ExprRef(std::size_t axis)>& coordinate,
                           const std::function<ExprRef(const std::string& name, const ExprRef& position)>& named) {
    const std::vector<AxisId>& axes = context_.shape(read.value).axes;
    std::vector<ExprRef> coordinates;
    for (std::size_t k = 0; k < read.indices.size(); ++k) {
        if (const auto* computed = std::get_if<Computed>(&read.indices[k])) {
            const int before = gathers_;
            const ExprRef position = lower_position(computed->position, sources, precision);
            const ExprRef nearest = nearest_position(position, axes[k]);
            coordinates.push_back(gathers_ == before ? named(position_name(nearest, axes[k]), nearest) : nearest);
        } else if (const auto* moving = std::get_if<Moving>(&read.indices[k])) {
            coordinates.push_back(coordinate(moving->axis));
        } else {
            coordinates.push_back(context_.scalar(std::get<Absolute>(read.indices[k]).position));
        }
    }
    ++gathers_;
    if (const auto& placed = context_.served().placed)
        if (const ExprRef word = placed(read, [&](std::size_t k) { return coordinates[k]; })) return word;
    return element(context_.array_in(read.value), context_.index(read.value, coordinates));
}

std::function<std::optional<bool>(const Expression&)> FieldPath::settled_at(const CellProgram& program,
                                                                            const CellValue& value) const {
    return [this, &program, &value](const Expression& condition) {
        return settled(condition, [&](AxisId axis) { return program.standing(value, context_.kernel_axis(axis)); });
    };
}

std::string FieldPath::position_name(const ExprRef& nearest, AxisId axis) {
    return context_.once(fmt::format("position {} {}", axis.index, text(nearest, plain_spelling())),
                         context_.program.axes[axis].name + "_at");
}

std::string FieldPath::call_key(const FunctionWord& call, const std::vector<ExprRef>& words) const {
    std::string key = "call " + context_.program.cell_functions[call.function].name;
    for (const ExprRef& word : words) key += "|" + text(word, plain_spelling());
    return key;
}

/// const float eigsym33_in[9] = {…};  eigsym33(eigsym33_in, result);
Body FieldPath::called(const FunctionWord& call, const std::vector<ExprRef>& words, const std::string& key,
                       ArrayArgument result) {
    const CellFunction& function = context_.program.cell_functions[call.function];
    Body body;
    Call made{context_.function(call.function), {}, {}};
    auto next = words.begin();
    for (std::size_t k = 0; k < function.arguments.size(); ++k) {
        const int count = function.arguments[k].words;
        const std::string argument = context_.once(fmt::format("{} argument {}", key, k), function.name + "_in");
        body.push_back({RegisterArray{argument, count, Type::f32, {next, next + count}}});
        next += count;
        made.arguments.emplace_back(ArrayArgument{argument, nullptr});
    }
    made.arguments.emplace_back(std::move(result));
    body.push_back({std::move(made)});
    return body;
}

ExprRef FieldPath::function_word(const FunctionWord& call, const std::vector<ExprRef>& words) {
    const CellFunction& function = context_.program.cell_functions[call.function];
    const std::string key = call_key(call, words);
    const std::string n = context_.once(key, function.name + "_of");
    if (!known(n)) {
        hold(n);
        emit({RegisterArray{n, static_cast<int>(function.words.size())}});
        for (Statement& s : called(call, words, key, {n, nullptr})) emit(std::move(s));
    }
    return element(n, integer(call.word));
}

ExprRef FieldPath::uniform_load(const FieldRead& read) {
    if (const ExprRef held = context_.held(read.value)) return held;
    std::vector<ExprRef> position;
    for (const FieldIndex& i : read.indices) position.push_back(context_.scalar(std::get<Absolute>(i).position));
    const std::string layout = context_.layout(read.value, read.indices);
    const ExprRef word = element(context_.array_in(read.value), context_.index(read.value, position));
    if (const auto place = context_.place_of_word(read); place && !read.indices.empty() && context_.reads_many_words())
        return element(context_.array_in(read.value), integer(*place));
    if (in_slice_ || context_.rank() == 0 || context_.runs_loop()) {
        return let(register_type(context_.cell_type(read.value)),
                   context_.register_name(read.value, "slice at" + layout, "here"), word);
    }
    const std::string key = fmt::format("uniform {}{}", read.value.index, layout);
    return context_.preamble_let(register_type(context_.cell_type(read.value)), key,
                                 context_.program.variables[context_.variable(read.value)].name + "_at", word);
}

void FieldPath::emit_if(const ExprRef& condition, Body then) {
    if (condition) {
        emit({If{condition, std::move(then), {}}});
    } else {
        for (Statement& s : then) emit(std::move(s));
    }
}

std::string step_suffix(const FieldContext& context, const CellPlace& at) {
    std::string text;
    for (std::size_t k = 0; k < at.size(); ++k) {
        if (at[k].empty()) continue;
        if (!text.empty()) text += "_";
        text += context.program.axes[context.plan.axes[k]].name;
        for (const MappedStep& s : at[k]) text += fmt::format("{}{}", s.step < 0 ? "m" : "p", std::abs(s.step));
    }
    return text.empty() ? "0" : text;
}

std::string register_key(ValueId value, const CellPlace& at) {
    std::string text = fmt::format("steps {}", value.index);
    for (const Chain& chain : at) text += fmt::format(" {}", chain.empty() ? 0 : chain.front().step);
    return text;
}

std::string plane_slot(FieldContext& context, const SharedTile& tile) {
    return context.once(fmt::format("slot {}", tile.value.index),
                        context.program.variables[context.variable(tile.value)].name + "_slot");
}

ExprRef equals(const ExprRef& left, const ExprRef& right) { return binary("==", left, right); }

}  // namespace kasc::kernel
