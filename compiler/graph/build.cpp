// Names to values. A scope is the top level or the body of one loop; it knows the value that each variable has where
// the walk stands. A body asks for a value that it has not got: it enters from the scope around, once.
//
//   v = scale(v, w);                        v.1 = scale(v.0, w)
//   for (i = 0; i < 3; i++) {               loop   carries v: initial v.1, result v.2; captures w
//       v = scale(v, w);                      body: v.1 = scale(v.0, w)   entering v.0, leaving v.1
//   }
//   return v;                               output v.2
//
// The variables that a body carries are known at its end: those that the body assigns and that entered, or that are
// read after the loop.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "graph/field_target.hpp"
#include "graph/graph.hpp"
#include "graph/handed_on.hpp"
#include "graph/liveness.hpp"
#include "graph/shared_parts.hpp"

namespace kasc {

namespace {

struct Scope {
    Scope* around = nullptr;  // none: the top level
    Graph graph;
    std::map<VariableId, ValueId> current;
    std::map<VariableId, ValueId> entered;  // the body's values that come from the scope around
    std::map<VariableId, int> versions;
    std::map<const Statement*, VariableId> handed_on;  // of a loop's body

    [[nodiscard]] bool has(VariableId variable) const {
        return current.contains(variable) || (around != nullptr && around->has(variable));
    }

    ValueId add_value(VariableId variable, std::optional<NodeId> producer, const Span& span) {
        const ValueId value = graph.values.add({variable, versions[variable]++, producer, span});
        current[variable] = value;
        return value;
    }

    /// The variable's value here; none where it has none yet.
    std::optional<ValueId> find(VariableId variable, const Program& program) {
        if (const auto at = current.find(variable); at != current.end()) return at->second;
        if (around == nullptr || !around->has(variable)) return std::nullopt;
        const ValueId value = add_value(variable, std::nullopt, program.variables[variable].span);
        graph.inputs.push_back(value);
        entered[variable] = value;
        return value;
    }
};

class Builder {
public:
    explicit Builder(const Program& program)
        : program_(program), live_(find_liveness(program)), in_part_(assigned_in_part(program)) {}

    Outcome<Graph> run() {
        Scope top;
        for (VariableId v : program_.inputs) {
            top.graph.inputs.push_back(top.add_value(v, std::nullopt, program_.variables[v].span));
        }
        build(program_.statements, top);
        for (VariableId v : program_.outputs) {
            if (const auto value = read(v, program_.variables[v].span, top)) top.graph.outputs.push_back(*value);
        }
        if (has_errors(diagnostics_)) return failure<Graph>(std::move(diagnostics_));
        forget_parts_of_dead_statements();
        return success(std::move(top.graph), std::move(diagnostics_));
    }

private:
    void build(const std::vector<Statement>& statements, Scope& scope) {
        for (const Statement& statement : statements) {
            if (!live_.needed.contains(&statement)) {
                warn_dead(statement);
                continue;
            }
            if (const auto* update = std::get_if<FieldStatement>(&statement)) needed_.insert(place_of(update->span));
            if (const auto* call = std::get_if<CallStatement>(&statement)) {
                add_call(*call, scope);
            } else if (const auto* update = std::get_if<FieldStatement>(&statement)) {
                if (!hand_on(statement, *update, scope)) add_update(*update, scope);
            } else if (const auto* transform = std::get_if<TransformStatement>(&statement)) {
                add_transform(*transform, scope);
            } else {
                add_loop(*std::get<std::shared_ptr<const LoopStatement>>(statement), scope);
            }
        }
    }

    void add_call(const CallStatement& call, Scope& scope) {
        Node node{call.span, {}, {}, StreamCall{call.callee}};
        for (VariableId argument : call.arguments) {
            if (const auto value = read(argument, call.span, scope)) node.reads.push_back(*value);
        }
        add_writer(std::move(node), call.target, scope);
    }

    void add_update(const FieldStatement& statement, Scope& scope) {
        FieldUpdate update{with_shared_parts(statement), {}, std::nullopt};
        Node node{statement.span, {}, {}, StreamCall{}};
        for (const Operand& operand : statement.operands) {
            update.accesses.push_back(access_of(program_, statement, operand));
            if (const auto value = read(operand.variable, operand.span, scope)) node.reads.push_back(*value);
        }
        if (keeps_former(program_, statement)) update.former = scope.find(statement.target, program_);
        if (update.former) node.reads.push_back(*update.former);
        node.what = std::move(update);
        add_writer(std::move(node), statement.target, scope);
    }

    /// The target has the value that another field entered the iteration with.
    bool hand_on(const Statement& self, const FieldStatement& statement, Scope& scope) {
        const auto from = scope.handed_on.find(&self);
        if (from == scope.handed_on.end() || !scope.entered.contains(statement.target)) return false;
        const auto entering = scope.find(from->second, program_);
        if (!entering) return false;  // said where it is read
        scope.current[statement.target] = *entering;
        return true;
    }

    void add_transform(const TransformStatement& statement, Scope& scope) {
        Node node{statement.span, {}, {}, Transform{statement}};
        if (const auto value = read(statement.source, statement.span, scope)) node.reads.push_back(*value);
        add_writer(std::move(node), statement.target, scope);
    }

    static void add_writer(Node node, VariableId target, Scope& scope) {
        const NodeId id{static_cast<std::uint32_t>(scope.graph.nodes.size())};
        node.writes.push_back(scope.add_value(target, id, node.span));
        scope.graph.nodes.add(std::move(node));
    }

    void add_loop(const LoopStatement& loop, Scope& scope) {
        const VariableSet& assigned = live_.assigned_in.at(loop.loop.index);
        const VariableSet& after = live_.after_loop.at(loop.loop.index);
        Scope body;
        body.around = &scope;
        for (VariableId v : assigned) {
            if (after.contains(v) && !surely_runs(loop)) static_cast<void>(body.find(v, program_));
        }
        const std::optional<ValueId> going = loop.going ? body.find(*loop.going, program_) : std::nullopt;
        body.handed_on = handed_on(program_, loop, in_part_);
        build(loop.body, body);

        const NodeId id{static_cast<std::uint32_t>(scope.graph.nodes.size())};
        LoopNode what{loop.loop, loop.from, loop.to, {}, {}, nullptr, going};
        Node node{loop.span, {}, {}, StreamCall{}};
        for (VariableId v : assigned) {
            const auto entered = body.entered.find(v);
            if (entered == body.entered.end() && !after.contains(v)) continue;
            Carried carried{v, std::nullopt, std::nullopt, body.current.at(v), {}};
            if (entered != body.entered.end()) {
                carried.entering = entered->second;
                carried.initial = scope.find(v, program_);
                node.reads.push_back(*carried.initial);
            }
            body.graph.outputs.push_back(carried.leaving);
            what.carried.push_back(carried);
        }
        for (const auto& [variable, inner] : body.entered) {
            if (assigned.contains(variable)) continue;
            what.captured.push_back({*scope.find(variable, program_), inner});
            node.reads.push_back(what.captured.back().outer);
        }
        for (Carried& carried : what.carried) {
            carried.result = scope.add_value(carried.variable, id, loop.span);
            node.writes.push_back(carried.result);
        }
        what.body = std::make_shared<const Graph>(std::move(body.graph));
        node.what = std::move(what);
        scope.graph.nodes.add(std::move(node));
    }

    std::optional<ValueId> read(VariableId variable, const Span& span, Scope& scope) {
        const auto value = scope.find(variable, program_);
        if (!value) {
            diagnostics_.push_back(
                {Severity::error,
                 "K0208",
                 fmt::format("'{}' is read before it has a value", program_.variables[variable].name),
                 span,
                 "",
                 {},
                 "assign it first, or make it an input"});
        }
        return value;
    }

    using Place = std::tuple<const Source*, std::size_t, std::size_t>;
    [[nodiscard]] static Place place_of(const Span& made) {
        const Span span = as_given(made);
        return {span.source.get(), span.begin, span.end};
    }

    void warn_dead(const Statement& statement) {
        // With other options it may be needed.
        if (!program_.options.empty()) return;
        Diagnostic d{Severity::warning,
                     "K0245",
                     "",
                     {},
                     "nothing that is returned depends on it",
                     {},
                     "remove it, or return what it computes"};
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
            d.message = "the results of this loop are never needed";
            d.span = (*loop)->span;
        } else if (const auto* call = std::get_if<CallStatement>(&statement)) {
            d.message = fmt::format("this value of '{}' is never needed", program_.variables[call->target].name);
            d.span = call->span;
        } else if (const auto* transform = std::get_if<TransformStatement>(&statement)) {
            d.message = "the result of this transform is never needed";
            d.span = transform->span;
        } else {
            const auto& update = std::get<FieldStatement>(statement);
            // Zeros that a series begins with stand at its declaration: the text does not have them.
            if (place_of(update.span) == place_of(program_.variables[update.target].span)) return;
            d.message = fmt::format("this value of '{}' is never needed", written_target(update));
            d.span = update.span;
        }
        diagnostics_.push_back(std::move(d));
    }

    /// As the text has it, where the target is a word of a cell: the cell, or its word.
    [[nodiscard]] std::string written_target(const FieldStatement& update) const {
        const std::string& name = program_.variables[update.target].name;
        const std::string_view text = text_of(update.span);
        for (const ShapedField& field : program_.shaped) {
            if (text.substr(0, field.name.size()) != field.name || name.rfind(field.name + "_", 0) != 0) continue;
            const std::size_t end = text.find_first_of(" \t\n=[+", field.name.size());
            const char behind = text.size() > field.name.size() ? text[field.name.size()] : ' ';
            if (behind == '.') return std::string(text.substr(0, end));
            if (std::isalnum(static_cast<unsigned char>(behind)) == 0 && behind != '_') return field.name;
        }
        return name;
    }

    /// What the compiler computes for a statement, an argument of its transform, is not needed where that is not: the
    /// warning of the whole says it. Some words of a cell may be needed.
    void forget_parts_of_dead_statements() {
        Diagnostics kept;
        for (const Diagnostic& d : diagnostics_) {
            if (d.code == "K0245" && needed_.contains(place_of(d.span))) continue;
            const auto covers = [&](const Diagnostic& other) {
                const bool inside = other.span.begin <= d.span.begin && d.span.end <= other.span.end;
                const bool whole = other.span.begin == d.span.begin && d.span.end == other.span.end;
                return other.span.source == d.span.source && inside && (!whole || &other > &d);
            };
            if (std::none_of(diagnostics_.begin(), diagnostics_.end(), covers)) kept.push_back(d);
        }
        diagnostics_ = std::move(kept);
    }

    const Program& program_;
    const Liveness live_;
    const VariableSet in_part_;
    /// Places of statements of which some part is needed, in the text that the user gave: what one call of a procedure
    /// needs is no fault where another does not.
    std::set<Place> needed_;
    Diagnostics diagnostics_;
};

}  // namespace

Outcome<Graph> build_graph(const Program& program) { return Builder(program).run(); }

}  // namespace kasc
