#include "lower/field/context.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/same_expression.hpp"
#include "graph/field_target.hpp"
#include "kernel/uniform_expression.hpp"
#include "lower/field/expression.hpp"
#include "lower/rider.hpp"

namespace kasc::kernel {

namespace {

std::string cell_function_name(const CellFunction& function) { return "cell_" + function.name; }

}  // namespace

FieldContext::FieldContext(const FieldSchedule& schedule_, const Program& program_, const Graph& graph_,
                           const std::map<ValueId, ValueId>& overwritten)
    : schedule(schedule_), plan(schedule_.plan()), program(program_), graph(graph_), host_names_(host_names(program_)) {
    take_overwritten(overwritten);
    for (const std::string& name : host_names_.parameters) names_.take(name);
    for (const std::string& name : host_names_.loops) names_.take(name);
    for (const CellFunction& function : program.cell_functions) names_.take(cell_function_name(function));
    for (std::size_t k = 0; k < rank(); ++k) {
        (void)coordinate(k);
        (void)once(fmt::format("extent {}", plan.axes[k].index), "n" + program.axes[plan.axes[k]].name);
    }
    name_values();
}

FieldContext::FieldContext(const FieldContext& carrier, const Rider& rider)
    : schedule(rider.schedule),
      plan(rider.schedule.plan()),
      program(carrier.program),
      graph(carrier.graph),
      arrays_of_(rider.arrays),
      former_(rider.former),
      host_names_(carrier.host_names_),
      names_(carrier.names_),
      arrays_(carrier.arrays_),
      extents_(carrier.extents_),
      scalars_(carrier.scalars_),
      functions_(carrier.functions_),
      constants_(carrier.constants_) {
    take_overwritten(rider.overwritten);
    for (const auto& [key, given] : carrier.given_) {
        if (key.starts_with("extent ") || key.starts_with("array ")) given_[key] = given;
    }
    if (rider.arrays.empty()) value_names_ = carrier.value_names_;
    name_values();
}

FieldContext::FieldContext(FieldContext&& former, const FieldSchedule& next)
    : schedule(next),
      plan(next.plan()),
      program(former.program),
      graph(former.graph),
      arrays_of_(std::move(former.arrays_of_)),
      host_names_(std::move(former.host_names_)),
      names_(std::move(former.names_)),
      given_(std::move(former.given_)),
      value_names_(std::move(former.value_names_)),
      arrays_(std::move(former.arrays_)),
      extents_(std::move(former.extents_)),
      scalars_(std::move(former.scalars_)),
      functions_(std::move(former.functions_)),
      preamble_(std::move(former.preamble_)),
      iteration_preamble_(std::move(former.iteration_preamble_)),
      loop_(former.loop_),
      stored_(std::move(former.stored_)),
      padded_(std::move(former.padded_)),
      row_multiple_(former.row_multiple_),
      lengths_(std::move(former.lengths_)),
      of_iteration_(std::move(former.of_iteration_)),
      preamble_keys_(std::move(former.preamble_keys_)),
      constants_(former.constants_),
      held_(std::move(former.held_)) {
    name_values();
}

ExprRef FieldContext::held(ValueId value) const {
    const auto found = held_.find(value);
    return found == held_.end() ? nullptr : found->second;
}

void FieldContext::take_overwritten(const std::map<ValueId, ValueId>& overwritten) {
    for (const auto& [value, former] : overwritten) overwritten_[former] = value;
    for (const FieldCall& call : plan.calls) {
        const bool in_place = call.former && updates_some_cells(*call.statement);
        if (in_place && !reads_what_it_assigns(program, *call.statement))
            overwritten_.try_emplace(call.former->value, call.value);
    }
}

ValueId FieldContext::array_of(ValueId value) const {
    const auto known = arrays_of_.find(value);
    return known == arrays_of_.end() ? value : known->second;
}

ValueId FieldContext::value_of_array(ValueId value) const {
    if (const auto over = overwritten_.find(value); over != overwritten_.end()) value = over->second;
    const auto call =
        std::find_if(plan.calls.begin(), plan.calls.end(), [&](const FieldCall& c) { return c.value == value; });
    return array_of(call == plan.calls.end() ? value : call->array);
}

std::string FieldContext::array_key(ValueId value) const { return fmt::format("array {}", array_of(value).index); }

/// The first version of a variable that the kernel sees has the variable's name; the next is new: T, T_new, T_new_2.
void FieldContext::name_values() {
    std::vector<ValueId> values = schedule.fusion().inputs;
    for (const FieldCall& call : plan.calls) {
        values.push_back(call.value);
        for (const FieldRead& r : call.reads) values.push_back(r.value);
        if (call.former) values.push_back(call.former->value);
    }
    name_also(std::move(values));
}

void FieldContext::name_also(std::vector<ValueId> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::set<VariableId> seen;
    for (const auto& [value, known] : value_names_) seen.insert(variable(value));
    for (const ValueId value : values) {
        if (value_names_.contains(value)) continue;
        const std::string& name = program.variables[variable(value)].name;
        const bool first = seen.insert(variable(value)).second;
        const auto carried = given_.find(array_key(value));
        value_names_[value] = carried != given_.end() ? carried->second : names_.fresh(first ? name : name + "_new");
    }
}

std::string FieldContext::once(const std::string& key, const std::string& wish) {
    const auto found = given_.find(key);
    if (found != given_.end()) return found->second;
    return given_[key] = names_.fresh(wish);
}

std::string FieldContext::coordinate(std::size_t axis) {
    return once(fmt::format("coordinate {}", plan.axes[axis].index), program.axes[plan.axes[axis]].name);
}

std::string FieldContext::register_name(ValueId value, const std::string& key, const std::string& suffix) {
    return once(fmt::format("register {} {}", value.index, key), value_names_.at(value) + "_" + suffix);
}

ExprRef FieldContext::extent(AxisId axis) {
    if (const auto own = lengths_.find(axis); own != lengths_.end()) return integer(own->second);
    const std::string n = once(fmt::format("extent {}", axis.index), "n" + program.axes[axis].name);
    const bool known = std::any_of(extents_.begin(), extents_.end(), [&](const Parameter& p) { return p.name == n; });
    const auto& parts = program.axes[axis].parts;
    // The extent tells the parts of one row or column: how many parts the cells of several axes have, no extent alone
    // says.
    const int cells = parts && parts->of.size() == 1 && !parts->most ? parts->cells : 1;
    if (!known) extents_.push_back({Type::i32, n, AxisExtent{axis, cells}});
    return name(n);
}

std::function<Precision(ParameterId)> FieldContext::long_integers(const FieldStatement& statement) const {
    if (!computes_long(program, statement)) return {};
    return [this](ParameterId id) { return program.parameters[id].precision; };
}

ExprRef FieldContext::zero(ValueId value) const {
    const CellType type = cell_type(value);
    const Precision precision = real_precision(type);
    if (is_complex(type)) return make_complex(real(0, precision), real(0, precision), precision);
    return is_integer(type) ? integer(0) : real(0, precision);
}

ExprRef FieldContext::beyond(const Face& face, CellType type) {
    const Precision precision = real_precision(type);
    const ExprRef value = scalar(face.value, precision);
    if (is_complex(type)) return make_complex(value, real(0, precision), precision);
    return is_short(type) ? convert(word_type(type), value) : value;
}

void FieldContext::run_loop(LoopId loop, std::map<ValueId, ValueId> arrays, std::set<ValueId> stored) {
    loop_ = loop;
    arrays_of_ = std::move(arrays);
    stored_ = std::move(stored);
}

ExprRef FieldContext::in_iteration(const ExpressionRef& expression, const ExprRef& iteration, Precision precision) {
    const auto use = [&](auto node, ScalarKind kind, Precision own) {
        return scalar(make_expression(node, kind, expression->span), own);
    };
    const UniformSources sources{
        [&](ParameterId id) {
            const kasc::Parameter& p = program.parameters[id];
            return use(ParameterUse{id}, p.kind, p.precision);
        },
        [&](ParameterId id) { return program.parameters[id].precision; },
        [&](LoopId id) { return id == loop_ ? iteration : use(LoopIndexUse{id}, ScalarKind::integer, precision); },
        [&](AxisId id, Type wanted) { return wanted == Type::i32 ? extent(id) : convert(wanted, extent(id)); }};
    return uniform_expression(*expression, sources, precision);
}

ExprRef FieldContext::scalar_of_iteration(const ExpressionRef& expression, Precision precision) {
    if (std::holds_alternative<LoopIndexUse>(expression->node)) return name(loop_variable());
    const Type type = expression->kind == ScalarKind::integer ? Type::i32 : real_type(precision);
    for (const OfIteration& known : of_iteration_)
        if (known.type == type && same_expression(known.expression, expression)) return name(known.name);
    const ExprRef value = in_iteration(expression, name(loop_variable()), precision);
    const std::string own = names_.fresh(fmt::format("{}_{}", loop_variable(), of_iteration_.size() + 1));
    of_iteration_.push_back({expression, type, own});
    iteration_preamble_.push_back({Let{type, own, value}});
    return name(own);
}

ExprRef FieldContext::scalar(const ExpressionRef& expression, Precision precision) {
    if (loop_ && uses_loop(*expression, *loop_)) return scalar_of_iteration(expression, precision);
    if (const auto* literal = std::get_if<Literal>(&expression->node)) {
        if (expression->kind == ScalarKind::integer) return integer(static_cast<std::int64_t>(literal->value));
    }
    const auto* cells = std::get_if<ExtentUse>(&expression->node);
    if (cells != nullptr && !program.axes[cells->axis].parts) return extent(cells->axis);
    if (expression->kind == ScalarKind::real) {
        if (const auto constant = constant_value(*expression, precision)) return real(*constant, precision);
    }
    const bool whole = expression->kind == ScalarKind::integer;
    const Type type = whole ? Type::i32 : real_type(precision);
    const auto former = former_ && uses_loop(*expression, *former_) ? former_ : std::nullopt;
    for (const Parameter& p : scalars_) {
        const auto* known = std::get_if<HostExpression>(&p.source);
        const bool same = known != nullptr && same_expression(known->expression, expression);
        if (same && p.type == type && p.former == former) return name(p.name);
    }
    scalars_.push_back(
        {type, scalar_name(expression, precision, former.has_value()), HostExpression{expression}, former});
    return name(scalars_.back().name);
}

std::string FieldContext::scalar_name(const ExpressionRef& expression, Precision precision, bool former) {
    if (const auto* use = std::get_if<ParameterUse>(&expression->node)) {
        const std::string& own = host_names_.parameters.at(use->parameter.index);
        // The host's own is of the type that the program gives it: "const double dt = (double)dt" would be none.
        const bool converted =
            expression->kind == ScalarKind::real && program.parameters[use->parameter].precision != precision;
        return converted ? names_.fresh(own + (precision == Precision::dual ? "_double" : "_float")) : own;
    }
    if (const auto* loop = std::get_if<LoopIndexUse>(&expression->node)) {
        const std::string& own = host_names_.loops.at(loop->loop.index);
        return former ? names_.fresh(own + "_before") : own;
    }
    return names_.fresh(fmt::format("c{}", constants_++));
}

ExprRef FieldContext::rider_cells() {
    if (!former_) return rank() == 0 ? integer(1) : extent(std::size_t{0});
    const auto axis = rank() == 0 ? std::nullopt : std::optional(plan.axes.front());
    const std::string n = once("rider cells", axis ? program.axes[*axis].name + "_riding" : "cell_riding");
    const bool known = std::any_of(scalars_.begin(), scalars_.end(), [&](const Parameter& p) { return p.name == n; });
    if (!known) scalars_.push_back({Type::i32, n, RiderCells{axis}, former_});
    return name(n);
}

std::string FieldContext::array(ValueId value, std::variant<ArrayIn, ArrayOut> source, const std::string& key) {
    const std::string n = once(key, value_names_.at(value));
    const bool known = std::any_of(arrays_.begin(), arrays_.end(), [&](const Parameter& p) { return p.name == n; });
    if (!known) {
        Parameter p{word_type(cell_type(value)), n, ElementCount{}};
        std::visit([&](const auto& s) { p.source = s; }, source);
        arrays_.push_back(std::move(p));
    }
    return n;
}

std::size_t FieldContext::kernel_axis(AxisId axis) const {
    return static_cast<std::size_t>(std::find(plan.axes.begin(), plan.axes.end(), axis) - plan.axes.begin());
}

std::string FieldContext::array_in(ValueId value) {
    if (const auto over = overwritten_.find(value); over != overwritten_.end()) return array_out(over->second);
    if (stored_.contains(array_of(value))) return array_out(value);
    const std::string key = array_key(value);
    given_.try_emplace(key, value_names_.at(value));
    return array(value, ArrayIn{array_of(value)}, key);
}

std::string FieldContext::array_out(ValueId of) {
    const auto call =
        std::find_if(plan.calls.begin(), plan.calls.end(), [&](const FieldCall& c) { return c.value == of; });
    const ValueId value = call == plan.calls.end() ? of : call->array;
    const std::string key = array_key(value);
    given_.try_emplace(key, value_names_.at(value));
    return array(value, ArrayOut{array_of(value)}, key);
}

std::string FieldContext::array_out_of(ValueId value, VariableId of) {
    const std::string n = once(fmt::format("array {}", value.index), program.variables[of].name + "_new");
    arrays_.push_back({word_type(field_shape(program, of).type), n, ArrayOut{value}});
    return n;
}

ExprRef FieldContext::index(ValueId value, const std::vector<ExprRef>& coordinates) {
    if (coordinates.empty()) return integer(0);
    const std::vector<AxisId>& axes = shape(value).axes;
    ExprRef at = coordinates.back();
    bool is_wide = false;
    for (std::size_t k = coordinates.size() - 1; k-- > 0;) {
        // Layers before it may be more words than 32 bits count; the first has none before it.
        const auto* number = std::get_if<Integer>(&at->node);
        if (!is_wide && (number == nullptr || number->value != 0)) {
            at = wide(at);
            is_wide = true;
        }
        at = add(multiply(at, k == 0 ? row(value) : extent(axes[k])), coordinates[k]);
    }
    return at;
}

ExprRef FieldContext::row(ValueId value) {
    const ExprRef cells = extent(shape(value).axes.front());
    if (!padded_.contains(value)) return cells;
    const std::string axis = program.axes[shape(value).axes.front()].name;
    return preamble_let(
        Type::i32, fmt::format("row {}", shape(value).axes.front().index), axis + "_row",
        multiply(divide(add(cells, integer(row_multiple_ - 1)), integer(row_multiple_)), integer(row_multiple_)));
}

ExprRef FieldContext::stride(ValueId value, std::size_t k) {
    const std::vector<AxisId>& axes = shape(value).axes;
    if (k == 0) return integer(1);
    if (k == 1) return row(value);
    std::string key = padded_.contains(value) ? "padded stride" : "stride";
    ExprRef product = wide(row(value));
    for (std::size_t j = 0; j < k; ++j) key += fmt::format(" {}", axes[j].index);
    for (std::size_t j = 1; j < k; ++j) product = multiply(product, extent(axes[j]));
    const bool own =
        k < rank() && std::equal(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(k), plan.axes.begin());
    const std::string wish = !own     ? fmt::format("{}_stride_{}", value_names_.at(value), program.axes[axes[k]].name)
                             : k == 2 ? "plane"
                             : k == 3 ? "volume"
                                      : "stride_" + program.axes[axes[k]].name;
    return preamble_let(Type::i64, key, wish, product);
}

std::string FieldContext::layout(ValueId value, const std::vector<FieldIndex>& indices) {
    std::string text = padded_.contains(value) ? " padded" : "";
    const std::vector<AxisId>& axes = shape(value).axes;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        text += fmt::format(" {}", axes[k].index);
        const auto* absolute = std::get_if<Absolute>(&indices[k]);
        if (!absolute) continue;
        const ExprRef position = scalar(absolute->position);
        if (const auto* n = std::get_if<Name>(&position->node)) text += "=" + n->name;
        if (const auto* n = std::get_if<Integer>(&position->node)) text += fmt::format("={}", n->value);
    }
    return text;
}

std::optional<std::int64_t> FieldContext::place_of_word(const FieldRead& read) {
    const std::vector<AxisId>& axes = shape(read.value).axes;
    std::int64_t place = 0;
    for (std::size_t k = axes.size(); k-- > 0;) {
        const auto* absolute = std::get_if<Absolute>(&read.indices[k]);
        const auto* number = absolute ? std::get_if<Literal>(&absolute->position->node) : nullptr;
        const auto length = k + 1 < axes.size() ? declared_length(program.axes[axes[k]]) : std::optional(1LL);
        if (!number || !length || padded_.contains(read.value)) return std::nullopt;
        place = place * *length + static_cast<std::int64_t>(number->value);
    }
    return place;
}

bool FieldContext::reads_many_words() {
    // At the start of a kernel ptxas (13.0) keeps them all, and spills: 400 weights of a filter of 16 channels and of
    // the layer behind it 1.8 kB of each thread, 2.40 ms on an H200 where .17 are enough.
    constexpr std::size_t most_held = 32;
    if (!many_words_) {
        std::set<std::pair<ValueId, std::int64_t>> words;
        for (const FieldCall& call : plan.calls)
            for (const FieldRead& read : call.reads)
                if (!read.producer && !read.indices.empty())
                    if (const auto place = place_of_word(read)) words.emplace(read.value, *place);
        many_words_ = words.size() > most_held;
    }
    return *many_words_;
}

bool FieldContext::is_cell_layout(ValueId value, const std::vector<FieldIndex>& indices) const {
    return shape(value).axes == plan.axes && moves_everywhere(indices);
}

ExprRef FieldContext::preamble_let(Type type, const std::string& key, const std::string& wish, const ExprRef& value) {
    const std::string n = once(key, wish);
    if (preamble_keys_.insert(key).second) preamble_.push_back({Let{type, n, value}});
    return name(n);
}

std::string FieldContext::function(CellFunctionId id) {
    const CellFunction& called = program.cell_functions[id];
    const std::string own = cell_function_name(called);
    const bool known =
        std::any_of(functions_.begin(), functions_.end(), [&](const FunctionVariant& f) { return f.name == own; });
    if (known) return own;
    FunctionVariant variant;
    variant.name = own;
    variant.author_name = "cpu_" + called.name;
    variant.function.name = variant.author_name;
    variant.function.text = "__device__ " + called.reference.text;
    variant.function.span = called.reference.span;
    variant.source = called.reference.span.source;
    variant.of_cell = true;
    variant.operations = called.operations;
    variant.words = static_cast<int>(called.words.size());
    functions_.push_back(std::move(variant));
    return own;
}

std::vector<Parameter> FieldContext::parameters() const {
    std::vector<Parameter> all = arrays_;
    std::stable_partition(all.begin(), all.end(),
                          [](const Parameter& p) { return std::holds_alternative<ArrayIn>(p.source); });
    all.insert(all.end(), extents_.begin(), extents_.end());
    all.insert(all.end(), scalars_.begin(), scalars_.end());
    return all;
}

}  // namespace kasc::kernel
