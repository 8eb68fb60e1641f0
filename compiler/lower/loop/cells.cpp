#include "lower/loop/cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/rewrite_expression.hpp"
#include "frontend/same_expression.hpp"
#include "lower/field/positions.hpp"

namespace kasc::kernel {

LoopCells::LoopCells(const LoopSchedule& schedule, const Program& program, const Graph& graph)
    : schedule_(schedule),
      work_(*schedule.work),
      program_(program),
      graph_(graph),
      context_(std::make_unique<FieldContext>(work_.statements.front(), program, *work_.loop.body)) {
    context_->run_loop(work_.loop.loop, arrays(), stored_into());
}

void LoopCells::go_on_with(const FieldSchedule& part) {
    context_ = std::make_unique<FieldContext>(std::move(*context_), part);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

/// By values of the body, the values of the graph in whose arrays they lie.
std::map<ValueId, ValueId> LoopCells::arrays() const {
    std::map<ValueId, ValueId> all;
    for (const Captured& captured : work_.loop.captured) all[captured.inner] = captured.outer;
    for (const HandedWord& word : work_.words) {
        if (word.entering && word.initial) all[*word.entering] = *word.initial;
    }
    for (const auto& [outer, inside] : work_.inside) all[inside] = outer;
    for (const WalkedField& field : work_.walked)
        for (const ValueId version : field.versions) all[version] = field.result;
    return all;
}
std::set<ValueId> LoopCells::stored_into() const {
    std::set<ValueId> all;
    for (const WalkedField& field : work_.walked) all.insert(field.result);
    return all;
}
ExprRef LoopCells::own_cell(VariableId variable) {
    ExprRef at;
    const std::vector<AxisId>& axes = field_shape(program_, variable).axes;
    for (std::size_t k = axes.size(); k-- > 0;) {
        const ExprRef here = name(c().coordinate(c().kernel_axis(axes[k])));
        at = at ? kernel::add(multiply(at, c().extent(axes[k])), here) : wide(here);
    }
    return at ? at : integer(0);
}
std::string LoopCells::array_of(ValueId value) {
    c().name_also({value});
    return c().array_in(value);
}

// ---- threads --------------------------------------------------------------------------------------------------------

ExprRef LoopCells::cells() {
    ExprRef all = c().extent(std::size_t{0});
    for (std::size_t k = 1; k < c().rank(); ++k) all = multiply(k == 1 ? wide(all) : all, c().extent(k));
    return all;
}
Body LoopCells::place() {
    Body body;
    const std::vector<ExprRef> at = unfold(c(), 0, number());
    for (std::size_t k = 0; k < c().rank() && c().rank() > 1; ++k)
        body.push_back({Let{Type::i32, c().coordinate(k), convert(Type::i32, at[k])}});
    return body;
}
ExprRef LoopCells::bound(const ExpressionRef& e) {
    const auto* all = std::get_if<ExtentUse>(&e->node);
    return all != nullptr ? c().extent(all->axis) : c().scalar(e);
}

// ---- what iterations hand on ----------------------------------------------------------------------------------------

Type LoopCells::type_of(VariableId variable) const { return register_type(field_shape(program_, variable).type); }
ExprRef LoopCells::handed(const std::string& key, const std::string& wish) {
    const std::string own = c().once(key, wish);
    return schedule_.tiled() ? element(own, integer(0)) : name(own);
}
ExprRef LoopCells::word_of_loop(const HandedWord& word) {
    return handed(fmt::format("word {}", word.result.index), program_.variables[word.variable].name + "_word");
}
ExprRef LoopCells::former_word(const WalkedField& field) {
    return handed(fmt::format("former {}", field.result.index), program_.variables[field.variable].name + "_former");
}
/// Between barriers a thread's words outlive its statements: they are an array of it.
void LoopCells::declare(Body& body, VariableId variable, const ExprRef& word, const ExprRef& first) {
    if (const auto* array = std::get_if<Element>(&word->node)) {
        words_of_threads_.push_back({PrivateArray{array->array, 1, type_of(variable)}});
        body.push_back({Assign{word, first}});
    } else {
        body.push_back({Variable{type_of(variable), text_of(word), first}});
    }
}

Body LoopCells::words_before() {
    Body body;
    for (const HandedWord& word : work_.words) {
        const ValueId known = word.entering.value_or(word.leaving);
        c().name_also({known, word.leaving});
        declare(body, word.variable, word_of_loop(word), first_of(word));
        if (word.entering) c().hold(*word.entering, word_of_loop(word));
    }
    return body;
}

/// As a call before the loop has made it or looked it up, else as memory has it.
ExprRef LoopCells::first_of(const HandedWord& word) {
    if (word.made) return c().held(*word.made);
    if (!word.initial || !word.entering) return c().zero(word.entering.value_or(word.leaving));
    if (const auto looked_up = work_.inside.find(*word.initial); looked_up != work_.inside.end()) {
        const CellPlace own = place_of(std::vector<int>(c().rank(), 0));
        c().name_also({looked_up->second});
        const std::string known =
            c().register_name(looked_up->second, register_key(looked_up->second, own), step_suffix(c(), own));
        if (registers_.contains(known)) return name(known);
    }
    return element(c().array_in(*word.entering), own_cell(word.variable));
}

Body LoopCells::former_before() {
    Body body;
    for (const WalkedField& field : work_.walked) {
        const FieldRead* read = read_of_former(field);
        if (read == nullptr) continue;
        declare(body, field.variable, former_word(field), c().zero(field.versions.front()));
        body.push_back({If{runs(), {{Assign{former_word(field), first_of(*read)}}}, {}}});
    }
    return body;
}
ExprRef LoopCells::first_of(const FieldRead& read) {
    c().name_also({read.value});
    const std::vector<AxisId>& axes = c().shape(read.value).axes;
    std::vector<ExprRef> at;
    for (std::size_t k = 0; k < read.indices.size(); ++k) {
        const auto* absolute = std::get_if<Absolute>(&read.indices[k]);
        at.push_back(absolute == nullptr ? name(c().coordinate(c().kernel_axis(axes[k])))
                                         : c().scalar(with_number(absolute->position, work_.loop.from)));
    }
    return element(c().array_in(read.value), c().index(read.value, at));
}
const FieldRead* LoopCells::read_of_former(const WalkedField& field) const {
    for (std::size_t k = work_.begin; k < work_.end; ++k)
        for (const FieldRead& read : work_.call(k).reads)
            if (work_.walked_of(read.value) == &field && word_of(work_, k, read, program_) == WordOf::former_iteration)
                return &read;
    return nullptr;
}

Body LoopCells::handed_on() {
    Body body, assigned;
    for (const HandedWord& word : work_.words) {
        if (word.entering == word.leaving) continue;
        ExprRef leaving = c().held(word.leaving);
        if (!leaving) leaving = element(c().array_in(word.leaving), own_cell(word.variable));
        if (!body_made(word.leaving)) {
            const std::string n = c().fresh(program_.variables[word.variable].name + "_next");
            body.push_back({Let{type_of(word.variable), n, leaving}});
            leaving = name(n);
        }
        assigned.push_back({Assign{word_of_loop(word), leaving}});
    }
    for (const WalkedField& field : work_.walked)
        if (read_of_former(field) != nullptr) assigned.push_back({Assign{former_word(field), this_word_.at(&field)}});
    append(body, std::move(assigned));
    return body;
}
bool LoopCells::body_made(ValueId value) const { return work_.loop.body->values[value].producer.has_value(); }

Body LoopCells::words_after() {
    Body body;
    const std::vector<ValueId>& outputs = work_.fusion.outputs;
    for (const HandedWord& word : work_.words) {
        if (!std::binary_search(outputs.begin(), outputs.end(), word.result)) continue;
        const std::string array = c().array_out_of(word.result, word.variable);
        body.push_back({Assign{element(array, own_cell(word.variable)), word_of_loop(word)}});
    }
    return body;
}

// ---- calls beside the loop ------------------------------------------------------------------------------------------

Body LoopCells::calls_before(Kernel& kernel) {
    Body body;
    for (std::size_t k = 0; k < work_.begin; ++k) append(body, call_beside(k, kernel));
    // Between barriers registers end with the statements of the threads.
    if (schedule_.tiled()) registers_.clear();
    registers_before_ = registers_;
    return body;
}
Body LoopCells::calls_behind(Kernel& kernel) {
    Body body;
    registers_ = registers_before_;
    for (const HandedWord& word : work_.words)
        if (word.left) c().hold(*word.left, word_of_loop(word));
    for (std::size_t k = work_.end; k < work_.statements.size(); ++k) append(body, call_beside(k, kernel));
    return body;
}
Body LoopCells::call_beside(std::size_t k, Kernel& kernel) {
    Body body = statement(k, kernel);
    const ValueId made = work_.call(k).value;
    if (!schedule_.tiled() || !is_read_behind(k)) return body;
    const VariableId variable = c().variable(made);
    const ExprRef word = handed(fmt::format("made {}", made.index), program_.variables[variable].name + "_word");
    declare(body, variable, word, c().held(made));
    c().hold(made, word);
    return body;
}
/// By the loop, or calls behind it, beside what takes it as the loop begins.
bool LoopCells::is_read_behind(std::size_t k) const {
    if (k >= work_.begin) return false;
    for (std::size_t reader = work_.begin; reader < work_.statements.size(); ++reader)
        for (const FieldRead& read : work_.call(reader).reads)
            if (read.value == work_.call(k).value) return true;
    return false;
}

// ---- cells that end the loop ----------------------------------------------------------------------------------------

/// The value of an iteration that says whether later ones leave the cell as it is. None: cells end nothing, or it lies
/// in no register.
std::optional<ValueId> LoopCells::alive() const {
    const auto variable = program_.loops[work_.loop.loop].alive;
    if (!variable || schedule_.tiled()) return std::nullopt;
    for (std::size_t k = work_.begin; k < work_.end; ++k) {
        const ValueId value = work_.call(k).value;
        if (work_.loop.body->values[value].variable == *variable && work_.walked_of(value) == nullptr) return value;
    }
    return std::nullopt;
}
ExprRef LoopCells::goes_on() {
    return alive() ? binary(">", name(c().once("whether the cell goes on", "goes_on")), integer(0)) : nullptr;
}
Body LoopCells::alive_before() {
    if (!alive()) return {};
    return {{Variable{Type::i32, c().once("whether the cell goes on", "goes_on"), integer(1)}}};
}

// ---- an iteration ---------------------------------------------------------------------------------------------------

Body LoopCells::iteration(Kernel& kernel) {
    Body statements;
    for (std::size_t k = work_.begin; k < work_.end; ++k) append(statements, statement(k, kernel));
    append(statements, handed_on());
    if (const auto value = alive())
        statements.push_back({Assign{name(c().once("whether the cell goes on", "goes_on")), c().held(*value)}});
    Body whole = c().iteration_preamble();
    append(whole, std::move(statements));
    return whole;
}

/// What the kernel has of a word in place of memory; null: nothing.
ExprRef LoopCells::at_hand(std::size_t k, const FieldRead& read) {
    const WordOf of = word_of(work_, k, read, program_);
    if (of == WordOf::memory) {
        const LoopTile* tile = tile_word_ ? work_.tile_of(read.value, read.indices, program_) : nullptr;
        return tile == nullptr ? nullptr : tile_word_(*tile);
    }
    const WalkedField& field = *work_.walked_of(read.value);
    return of == WordOf::this_iteration ? this_word_.at(&field) : former_word(field);
}

Body LoopCells::statement(std::size_t k, Kernel& kernel) {
    const FieldSchedule& cells = work_.statements[k];
    go_on_with(cells);
    const FieldCall& call = work_.call(k);
    kernel.comment.push_back(work_.is_beside(k) ? node_text(graph_, program_, work_.call_beside(k))
                                                : "    " + node_text(*work_.loop.body, program_, call.node));
    check_positions(kernel, cells.plan(), work_.is_beside(k));
    c().serve({[this, k](const FieldRead& read, const CellPlace&) { return at_hand(k, read); }, nullptr});
    CellWriter writer(c(), *work_.cells[k], coordinates(c()));
    for (const std::string& known : registers_) writer.hold(known);
    const WalkedField* walked = work_.walked_of(call.value);
    Body stores;
    if (walked == nullptr) {
        c().hold(call.value, writer.result(call));
        if (work_.is_beside(k) && work_.stores_beside(k)) stores = writer.whole_stores(true);
    } else {
        if (walked->kept_of) this_word_[walked] = writer.result(call);
        const LoopTile* tile = tile_word_ ? work_.tile_of(call.value, call.target, program_) : nullptr;
        if (tile != nullptr && tile->stored)
            stores.push_back({Assign{tile_word_(*tile), this_word_.at(walked)}});
        else
            stores = writer.whole_stores(walked->kept_of.has_value());
    }
    registers_ = writer.held();
    Body body = writer.take_body();
    append(body, std::move(stores));
    return body;
}

// ---- positions ------------------------------------------------------------------------------------------------------

/// The expression with a number in place of the loop's variable.
ExpressionRef LoopCells::with_number(const ExpressionRef& e, const ExpressionRef& number) const {
    return with_leaves(e, [&](const ExpressionRef& leaf) {
        const auto* use = std::get_if<LoopIndexUse>(&leaf->node);
        return use != nullptr && use->loop == work_.loop.loop ? number : leaf;
    });
}
namespace {

void add_check(Kernel& kernel, const PositionCheck& check) {
    const auto known = [&](const PositionCheck& c) {
        return c.axis == check.axis && c.low == check.low && c.high == check.high &&
               same_expression(c.position, check.position);
    };
    if (std::none_of(kernel.positions.begin(), kernel.positions.end(), known)) kernel.positions.push_back(check);
}

}  // namespace

/// Where the least and the largest position of all iterations stand on the grid, all do: of one that goes evenly with
/// the iterations those of the first and the last. A loop without iterations asks for nothing.
void LoopCells::check_positions(Kernel& kernel, const FieldPlan& plan, bool beside) const {
    std::vector<PositionCheck> checks;
    add_position_checks(checks, plan, program_, std::nullopt);
    if (beside) {
        for (const PositionCheck& check : checks) add_check(kernel, check);
        return;
    }
    const LoopNode& loop = work_.loop;
    const Span& span = loop.from->span;
    const auto whole = [&](int n) { return make_expression(Literal{double(n)}, ScalarKind::integer, span); };
    const auto runs =
        make_expression(BinaryOperation{BinaryOperator::less, loop.from, loop.to}, ScalarKind::boolean, span);
    const auto last =
        make_expression(BinaryOperation{BinaryOperator::subtract, loop.to, whole(1)}, ScalarKind::integer, span);
    for (const PositionCheck& check : checks) {
        std::vector<ExpressionRef> positions{with_number(check.position, loop.from)};
        if (!linear_position(*check.position, loop.loop, program_)) {
            const auto range = position_range(check.position, loop.loop, loop.from, last);
            positions = {range->low, range->high};
        } else if (uses_loop(*check.position, loop.loop)) {
            positions.push_back(with_number(check.position, last));
        }
        for (const ExpressionRef& position : positions) {
            PositionCheck own = check;
            own.position =
                make_expression(Conditional{runs, position, whole(check.low)}, ScalarKind::integer, check.span);
            add_check(kernel, own);
        }
    }
}

}  // namespace kasc::kernel
