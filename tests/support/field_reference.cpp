// Values of a graph in the order of its nodes; variables of a program in the order of its statements.

#include "support/field_reference.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <variant>

#include "support/field_host.hpp"
#include "support/list_order.hpp"

namespace kasc::test {

FieldReference::FieldReference(const Program& program, const Graph& graph, const Problem& problem)
    : program_(program), graph_(graph), problem_(problem) {
    for (const ValueId v : graph.inputs) draw(v);
    for (const Node& node : graph.nodes) {
        if (std::holds_alternative<FieldUpdate>(node.what)) {
            run(node);
        } else {
            for (const ValueId v : node.writes) draw(v);
        }
    }
}

void FieldReference::draw(ValueId v) {
    Cells& cells = values_[v];
    cells.resize(words(v));
    const CellType type = shape(v).type;
    for (double& x : cells) {
        seed_ = seed_ * 1664525U + 1013904223U;
        x = is_integer(type) ? (seed_ >> 8) % 7 : (seed_ >> 8) / 16777216.0 + 0.25;
        x = stored(type, x);
    }
}

void FieldReference::run(const Node& node) {
    const auto& update = std::get<FieldUpdate>(node.what);
    const ValueId target = node.writes.at(0);
    const StatementEvaluation evaluation(program_, problem_, update.statement,
                                         [&](std::size_t k) -> const Cells& { return values_.at(node.reads.at(k)); });
    values_[target] = evaluation.run(update.former ? values_.at(*update.former) : Cells(words(target), 0.0));
}

ProgramReference::ProgramReference(const Program& program, const Problem& problem, const std::vector<Cells>& inputs,
                                   double disturbance)
    : program_(program), problem_(problem), disturbance_(disturbance) {
    for (const VariableId v : program.variables.ids())
        cells_.emplace_back(word_count(problem, field_shape(program, v)), 0.0);
    for (std::size_t k = 0; k < inputs.size(); ++k) cells_[program.inputs[k].index] = inputs[k];
    run(program.statements);
}

void ProgramReference::run(const std::vector<Statement>& statements) {
    const LoopStatement* several = nullptr;  // that takes turns with the next loop
    for (const Statement& s : statements) {
        if (const auto* field = std::get_if<FieldStatement>(&s)) {
            const StatementEvaluation evaluation(program_, problem_, *field, [&](std::size_t k) -> const Cells& {
                return cells_.at(field->operands.at(k).variable.index);
            });
            cells_[field->target.index] = evaluation.run(cells_.at(field->target.index));
        } else if (const auto* transform = std::get_if<TransformStatement>(&s)) {
            Cells& target = cells_[transform->target.index];
            target = made_by_library(program_, problem_, *transform, cells_.at(transform->source.index));
            if (disturbance_ != 0 && !orders(transform->direction))
                disturb(target, field_shape(program_, transform->target).type);
        } else {
            const LoopStatement& loop = *std::get<std::shared_ptr<const LoopStatement>>(s);
            if (program_.loops[loop.loop].plain != nullptr)
                several = &loop;
            else if (several != nullptr)
                take_turns(*std::exchange(several, nullptr), loop);
            else
                run(loop);
        }
    }
}

void ProgramReference::disturb(Cells& cells, CellType type) {
    double largest = 0;
    for (const double x : cells) largest = std::max(largest, std::abs(x));
    for (double& x : cells) {
        seed_ = seed_ * 1664525U + 1013904223U;  // Numerical Recipes' generator
        x = stored(type, x + disturbance_ * largest * ((seed_ >> 8) / 8388608.0 - 1));
    }
}

void ProgramReference::take_turns(const LoopStatement& several, const LoopStatement& single) {
    const Loop& of_several = program_.loops[several.loop];
    const long long to = Host(program_, problem_).integer(*single.to);
    for (long long i = Host(program_, problem_).integer(*several.from); i < to;) {
        if (single.going && cells_.at(single.going->index).at(0) <= 0) break;
        problem_.loops[single.loop.index] = problem_.loops[several.loop.index] = i;
        const bool plain = to - i >= of_several.by && Host(program_, problem_).condition(*of_several.plain);
        run(plain ? several.body : single.body);
        i += plain ? of_several.by : 1;
    }
}

void ProgramReference::run(const LoopStatement& loop) {
    const long long to = Host(program_, problem_).integer(*loop.to);
    const int by = program_.loops[loop.loop].by;
    for (long long i = Host(program_, problem_).integer(*loop.from); i < to; i += by) {
        if (loop.going && cells_.at(loop.going->index).at(0) <= 0) break;
        problem_.loops[loop.loop.index] = i;
        run(loop.body);
    }
}

}  // namespace kasc::test
