// A call stands in the first pass in which all that it needs of whole lines is known: behind the pass whose parts a
// join needs, with it the words of the line that are made of it. Cells' values that are not stored stand in each pass
// that needs them; what is stored is computed once, and later passes take it as they take what they read.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "graph/field_target.hpp"
#include "schedule/line/schedule.hpp"
#include "search/legality.hpp"
#include "search/lines.hpp"

namespace kasc {

namespace {

bool holds(const std::vector<ValueId>& values, ValueId value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

class Passes {
public:
    Passes(const Program& program, const Graph& graph, const Fusion& fusion)
        : program_(program), graph_(graph), fusion_(fusion), lines_(find_line_calls(program, graph)) {
        for (const NodeId call : fusion.calls) made_by_[graph.nodes[call].writes.front()] = call;
    }

    LineWorkResult run() {
        const auto work = std::make_shared<LineWork>();
        work->fusion = fusion_;
        for (const NodeId call : fusion_.calls) find_pass(call);
        find_lines(*work);
        if (!reason_.empty()) return {nullptr, reason_};
        int last = 0;
        for (const auto& [call, pass] : pass_of_) last = std::max(last, pass);
        for (int pass = 0; pass <= last; ++pass) {
            LinePass made{scheduled(cells_of(pass), pass), {}, {}};
            if (const auto joins = calls_of(pass, LineRole::join); !joins.empty()) made.joins = scheduled(joins, pass);
            if (const auto words = calls_of(pass, LineRole::word); !words.empty()) made.words = scheduled(words, pass);
            if (made.words && !made.joins) refuse("words of a line stand beside cells that are not folded");
            if (!reason_.empty()) return {nullptr, reason_};
            work->passes.push_back(std::move(made));
        }
        return {work, {}};
    }

private:
    const Program& program_;
    const Graph& graph_;
    const Fusion& fusion_;
    const LineCalls lines_;
    std::map<ValueId, NodeId> made_by_;
    std::map<NodeId, int> pass_of_;
    std::string reason_;

    [[nodiscard]] bool has_role(NodeId call, LineRole role) const {
        return lines_[call.index] && lines_[call.index]->role == role;
    }
    [[nodiscard]] bool is_word(NodeId call) const {
        return has_role(call, LineRole::join) || has_role(call, LineRole::word);
    }

    /// The lines are those of what is joined; other parts are folded across them.
    void find_lines(LineWork& work) {
        const auto join = std::find_if(fusion_.calls.begin(), fusion_.calls.end(),
                                       [&](NodeId call) { return has_role(call, LineRole::join); });
        std::vector<NodeId> across;
        for (const NodeId call : fusion_.calls) {
            if (join != fusion_.calls.end() &&
                folds_across(program_, field_update(graph_, call), *lines_[join->index])) {
                across.push_back(call);
                continue;
            }
            if (!has_role(call, LineRole::part)) continue;
            work.along = lines_[call.index]->along, work.parts = lines_[call.index]->parts;
            work.further = lines_[call.index]->further;
            work.columns = field_update(graph_, call).statement.fold->side_by_side;
            work.kept = free_axes(program_, field_update(graph_, call).statement);
            std::erase(work.kept, work.parts);
            for (const AxisId axis : work.line_axes()) std::erase(work.kept, axis);
        }
        for (const NodeId call : across) add_across(work, call);
    }

    void add_across(LineWork& work, NodeId call) {
        const Fold& fold = *field_update(graph_, call).statement.fold;
        const std::vector<AxisId>& axes = fold.axes;
        if (axes.size() > work.kept.size() || !std::equal(axes.begin(), axes.end(), work.kept.begin()))
            refuse("what is folded across lines is folded along the axes that follow theirs in memory");
        if (!work.across) work.across = AcrossLines{axes, *fold.parts, {}};
        if (work.across->axes != axes || work.across->parts != *fold.parts)
            refuse("what is folded across lines is folded along the same axes");
        work.across->values.push_back(graph_.nodes[call].writes.front());
    }

    void find_pass(NodeId call) {
        int pass = 0;
        for (const ValueId read : graph_.nodes[call].reads) {
            const auto maker = made_by_.find(read);
            if (maker == made_by_.end()) continue;
            const bool behind = is_word(maker->second) && !is_word(call);
            pass = std::max(pass, pass_of_.at(maker->second) + (behind ? 1 : 0));
        }
        pass_of_[call] = pass;
    }

    [[nodiscard]] std::vector<NodeId> calls_of(int pass, LineRole role) const {
        std::vector<NodeId> calls;
        for (const NodeId call : fusion_.calls)
            if (pass_of_.at(call) == pass && has_role(call, role)) calls.push_back(call);
        return calls;
    }

    /// A value that is stored, and that nobody reads but at the cell itself, where the thread that has stored it reads.
    [[nodiscard]] bool is_taken_back(ValueId value) const {
        if (!holds(fusion_.outputs, value)) return false;
        return std::all_of(fusion_.calls.begin(), fusion_.calls.end(), [&](NodeId call) {
            const auto* update = std::get_if<FieldUpdate>(&graph_.nodes[call].what);
            return update != nullptr &&
                   std::all_of(update->accesses.begin(), update->accesses.end(), [&](const Access& a) {
                       return std::holds_alternative<PointAccess>(a) || std::holds_alternative<SliceAccess>(a);
                   });
        });
    }

    /// What the pass folds and stores, and what these need of cells.
    [[nodiscard]] std::vector<NodeId> cells_of(int pass) const {
        std::set<NodeId> needed;
        std::vector<NodeId> open;
        for (const NodeId call : fusion_.calls) {
            if (pass_of_.at(call) != pass || is_word(call)) continue;
            if (has_role(call, LineRole::part) || holds(fusion_.outputs, graph_.nodes[call].writes.front()))
                open.push_back(call);
        }
        while (!open.empty()) {
            const NodeId call = open.back();
            open.pop_back();
            if (!needed.insert(call).second) continue;
            for (const ValueId read : graph_.nodes[call].reads) {
                const auto maker = made_by_.find(read);
                if (maker == made_by_.end() || is_word(maker->second)) continue;
                if (pass_of_.at(maker->second) == pass || !is_taken_back(read)) open.push_back(maker->second);
            }
        }
        std::vector<NodeId> calls;
        std::copy_if(fusion_.calls.begin(), fusion_.calls.end(), std::back_inserter(calls),
                     [&](NodeId call) { return needed.contains(call); });
        return calls;
    }

    /// The calls as a kernel of their own. Its results are all words of lines, and of cells what no former pass stores.
    [[nodiscard]] Fusion fusion_of(const std::vector<NodeId>& calls, int pass) const {
        Fusion made;
        made.calls = calls;
        std::set<ValueId> inputs;
        for (const NodeId call : calls) {
            for (const ValueId read : values_read(graph_, call)) {
                const auto maker = made_by_.find(read);
                if (maker == made_by_.end() || std::find(calls.begin(), calls.end(), maker->second) == calls.end())
                    inputs.insert(read);
            }
            const ValueId value = graph_.nodes[call].writes.front();
            const bool of_line = is_word(call) || has_role(call, LineRole::part);
            const bool stored = pass_of_.at(call) == pass && (of_line || holds(fusion_.outputs, value));
            (stored ? made.outputs : made.inner).push_back(value);
        }
        made.inputs.assign(inputs.begin(), inputs.end());
        std::sort(made.outputs.begin(), made.outputs.end());
        std::sort(made.inner.begin(), made.inner.end());
        return made;
    }

    FieldSchedule scheduled(const std::vector<NodeId>& calls, int pass) {
        if (calls.empty()) {
            refuse("a pass over the lines folds and stores nothing");
            return {};
        }
        const FieldWorkResult made = field_work(program_, graph_, fusion_of(calls, pass));
        if (!made.value) {
            refuse(made.reason);
            return {};
        }
        FieldSchedule schedule{made.value, {}, {}, {}, {}, {}};
        schedule.choice.threads_x = schedule.choice.threads_y = 1;
        // Lines go through the grid from end to end: where neighbours are read, each cell looks beyond it.
        schedule.paths.cell =
            made.value->edges
                ? made.value->edge
                : std::make_shared<const CellProgram>(cell_program(program_, graph_, made.value->plan, {}));
        check_edges(*made.value);
        return schedule;
    }

    void check_edges(const FieldWork& cells) {
        if (!cells.edges && cells.margin == 0) return;
        for (const FieldCall& call : cells.plan.calls)
            if (std::any_of(call.kept.begin(), call.kept.end(), [](const KeptLayers& k) { return k != KeptLayers{}; }))
                refuse("layers that a boundary keeps have a path of their own: a line's cells are all assigned");
        for (const NodeId call : fusion_.calls)
            if (lines_[call.index] && !lines_[call.index]->further.empty())
                refuse("neighbours stand along axes, of which a line of several is counted as one");
        for (const CellValue& value : cells.edge->values) {
            const auto maker = value.read != nullptr ? made_by_.find(value.value) : made_by_.end();
            if (maker != made_by_.end() && is_word(maker->second) && !is_own(cells.edge->at(value)))
                refuse("a neighbour is computed of words of its own line, which another thread has");
        }
    }

    void refuse(const std::string& reason) {
        if (reason_.empty()) reason_ = reason;
    }
};

}  // namespace

std::vector<AxisId> LineWork::line_axes() const {
    std::vector<AxisId> axes{along};
    axes.insert(axes.end(), further.begin(), further.end());
    return axes;
}

LineWorkResult line_work(const Program& program, const Graph& graph, const Fusion& fusion) {
    return Passes(program, graph, fusion).run();
}

std::vector<ValueId> folded_across(const LineWork& work, const LinePass& pass) {
    std::vector<ValueId> folded;
    if (!work.across) return folded;
    std::copy_if(work.across->values.begin(), work.across->values.end(), std::back_inserter(folded),
                 [&](ValueId value) { return holds(pass.cells.fusion().outputs, value); });
    return folded;
}

std::vector<ValueId> read_at_cells(const LineWork& work, const LinePass& pass) {
    const FieldPlan& plan = pass.cells.plan();
    const auto axis =
        static_cast<std::size_t>(std::find(plan.axes.begin(), plan.axes.end(), work.along) - plan.axes.begin());
    const CellProgram& cell = *pass.cells.paths.cell;
    std::map<ValueId, bool> own;
    const auto note = [&](ValueId value, bool at_cell) {
        const auto [at, added] = own.try_emplace(value, at_cell);
        at->second = at->second && at_cell;
    };
    for (const FieldCall& call : plan.calls)
        for (const FieldRead& read : call.reads)
            if (!read.producer) note(read.value, moves_everywhere(read.indices) && moves_along(read.indices, axis));
    // What a call reads at the cell, it reads elsewhere where it is computed for a neighbour.
    for (const CellValue& value : cell.values)
        if (value.read != nullptr) note(value.value, is_own(cell.at(value)));
    std::vector<ValueId> values;
    for (const auto& [value, at_cell] : own)
        if (at_cell) values.push_back(value);
    return values;
}

std::vector<ValueId> read_again(const LineWork& work) {
    std::map<ValueId, int> passes;
    for (const LinePass& pass : work.passes) {
        for (const ValueId value : read_at_cells(work, pass)) ++passes[value];
        for (const ValueId value : pass.cells.fusion().outputs) ++passes[value];
    }
    std::vector<ValueId> values;
    for (const auto& [value, count] : passes)
        if (count > 1) values.push_back(value);
    return values;
}

std::vector<const FieldCall*> words_of(const LineWork& work) {
    std::vector<const FieldCall*> words;
    for (auto pass = work.passes.begin(); pass != work.passes.end(); ++pass) {
        const auto is_read = [&](ValueId value) {
            return std::any_of(pass + 1, work.passes.end(), [&](const LinePass& later) {
                return holds(later.cells.fusion().inputs, value) ||
                       (later.words && holds(later.words->fusion().inputs, value));
            });
        };
        for (const auto& made : {&pass->joins, &pass->words})
            if (*made)
                for (const FieldCall& call : (*made)->plan().calls)
                    if (is_read(call.value)) words.push_back(&call);
    }
    return words;
}

}  // namespace kasc
