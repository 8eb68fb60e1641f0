// Backward liveness over the statement tree.
//
//   input v, w;                 needed before: v, w
//   u = scale(v, w);            u is needed nowhere: dropped
//   for (i…) { v = scale(v, w); }   v is needed at the end of the body: after the loop, and by the next iteration
//   return v;
//
// A loop's set at the end of its body grows to a fixed point. The set found last is kept for the loop, so that the
// passes that an outer loop causes start from it: the number of passes is bounded by the number of variables times the
// depth, not by a power of the depth. Sets only grow, hence a statement once needed stays needed.

#include "graph/liveness.hpp"

#include <algorithm>

#include "graph/field_target.hpp"

namespace kasc {

bool surely_runs(const LoopStatement& loop) { return !loop.going && surely_runs(loop.from, loop.to); }

bool surely_runs(const ExpressionRef& from, const ExpressionRef& to) {
    if (!from || !to) return false;
    const auto* first = std::get_if<Literal>(&from->node);
    const auto* end = std::get_if<Literal>(&to->node);
    return first != nullptr && end != nullptr && first->value < end->value;
}

namespace {

class Analysis {
public:
    explicit Analysis(const Program& program) : program_(program) {
        result_.after_loop.resize(program.loops.size());
        result_.assigned_in.resize(program.loops.size());
        end_of_body_.resize(program.loops.size());
    }

    Liveness run() {
        before(program_.statements, {program_.outputs.begin(), program_.outputs.end()});
        collect_assigned(program_.statements);
        return std::move(result_);
    }

private:
    /// What is needed before the statements where `live` is needed after them.
    VariableSet before(const std::vector<Statement>& statements, VariableSet live) {
        for (auto it = statements.rbegin(); it != statements.rend(); ++it) {
            std::visit([&](const auto& statement) { step(*it, statement, live); }, *it);
        }
        return live;
    }

    void step(const Statement& self, const CallStatement& call, VariableSet& live) {
        if (live.erase(call.target) == 0) return;
        result_.needed.insert(&self);
        live.insert(call.arguments.begin(), call.arguments.end());
    }

    void step(const Statement& self, const TransformStatement& transform, VariableSet& live) {
        if (live.erase(transform.target) == 0) return;
        result_.needed.insert(&self);
        live.insert(transform.source);
    }

    void step(const Statement& self, const FieldStatement& update, VariableSet& live) {
        if (!live.contains(update.target)) return;
        result_.needed.insert(&self);
        if (!keeps_former(program_, update)) live.erase(update.target);
        for (const Operand& operand : update.operands) live.insert(operand.variable);
    }

    void step(const Statement& self, const std::shared_ptr<const LoopStatement>& loop, VariableSet& live) {
        VariableSet& end = end_of_body_.at(loop->loop.index);
        end.insert(live.begin(), live.end());
        VariableSet start = before_iterations(*loop, end);
        result_.after_loop.at(loop->loop.index).insert(live.begin(), live.end());
        const bool any = std::any_of(loop->body.begin(), loop->body.end(),
                                     [&](const Statement& s) { return result_.needed.contains(&s); });
        if (!any) return;
        result_.needed.insert(&self);
        if (loop->going) {
            end.insert(*loop->going);
            start = before_iterations(*loop, end);
            live.insert(*loop->going);
        }
        // `start` holds what passes through the body. A loop that may run no iteration passes everything through.
        if (surely_runs(*loop)) live.clear();
        live.insert(start.begin(), start.end());
    }

    /// What is needed before an iteration, where `end` is needed after the last; grows it by what the next needs.
    VariableSet before_iterations(const LoopStatement& loop, VariableSet& end) {
        VariableSet start = before(loop.body, end);
        while (!std::includes(end.begin(), end.end(), start.begin(), start.end())) {
            end.insert(start.begin(), start.end());
            start = before(loop.body, end);
        }
        return start;
    }

    VariableSet collect_assigned(const std::vector<Statement>& statements) {
        VariableSet assigned;
        for (const Statement& statement : statements) {
            if (!result_.needed.contains(&statement)) continue;
            if (const auto* call = std::get_if<CallStatement>(&statement)) {
                assigned.insert(call->target);
            } else if (const auto* update = std::get_if<FieldStatement>(&statement)) {
                assigned.insert(update->target);
            } else if (const auto* transform = std::get_if<TransformStatement>(&statement)) {
                assigned.insert(transform->target);
            } else {
                const auto& loop = *std::get<std::shared_ptr<const LoopStatement>>(statement);
                const VariableSet inner = collect_assigned(loop.body);
                result_.assigned_in.at(loop.loop.index) = inner;
                assigned.insert(inner.begin(), inner.end());
            }
        }
        return assigned;
    }

    const Program& program_;
    Liveness result_;
    std::vector<VariableSet> end_of_body_;  // by LoopId
};

}  // namespace

Liveness find_liveness(const Program& program) { return Analysis(program).run(); }

}  // namespace kasc
