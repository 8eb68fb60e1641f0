// Steps of a kernel that transforms lines, in the order of its calls: cells are computed where a transform takes them,
// or memory; what is in no other's way stands with the step before it. Cells' values that are neither are made anew by
// each step that needs them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "graph/field_target.hpp"
#include "schedule/fft/schedule.hpp"

namespace kasc {

namespace {

bool holds(const std::vector<ValueId>& values, ValueId value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

class FftSteps {
public:
    FftSteps(const Program& program, const Graph& graph, const Fusion& fusion)
        : program_(program), graph_(graph), fusion_(fusion) {
        for (const NodeId call : fusion.calls) made_by_[graph.nodes[call].writes.front()] = call;
    }

    FftWorkResult run() {
        const auto work = std::make_shared<FftWork>();
        work->fusion = fusion_;
        for (const NodeId call : fusion_.calls)
            if (const auto lines = line_transform(program_, graph_, call)) work->lines = *lines;
        for (const AxisId axis : work->lines.axes)
            if (axis != work->lines.along) work->others.push_back(axis);
        work->frame = frame(work->lines.axes);
        for (const NodeId call : fusion_.calls) {
            if (is_transform(call))
                add_pass(*work, call);
            else if (is_wanted(call))
                add_cells(*work, call);
        }
        if (!reason_.empty()) return {nullptr, reason_};
        for (std::size_t k = 0; k < roots_.size(); ++k)
            if (!roots_[k].empty()) work->steps[k] = cells(*work, roots_[k]);
        if (!reason_.empty()) return {nullptr, reason_};
        return {work, {}};
    }

private:
    const Program& program_;
    const Graph& graph_;
    const Fusion& fusion_;
    std::map<ValueId, NodeId> made_by_;
    std::map<ValueId, int> turned_;           ///< by a transform's result: transforms that its numbers went through
    std::vector<std::vector<NodeId>> roots_;  ///< by step: calls whose values it leaves; none: a transform
    std::string reason_;

    [[nodiscard]] bool is_transform(NodeId call) const {
        return std::holds_alternative<Transform>(graph_.nodes[call].what);
    }
    [[nodiscard]] bool read_by_transform(ValueId value) const {
        return std::any_of(fusion_.calls.begin(), fusion_.calls.end(), [&](NodeId call) {
            return is_transform(call) && graph_.nodes[call].reads.front() == value;
        });
    }
    [[nodiscard]] bool is_wanted(NodeId call) const {
        const ValueId value = graph_.nodes[call].writes.front();
        return holds(fusion_.outputs, value) || read_by_transform(value);
    }
    void refuse(const std::string& reason) {
        if (reason_.empty()) reason_ = reason;
    }

    /// What all steps read and store, over the lines' cells.
    [[nodiscard]] FieldSchedule frame(const std::vector<AxisId>& axes) const {
        auto work = std::make_shared<FieldWork>();
        work->fusion = fusion_;
        work->fusion.inputs.insert(work->fusion.inputs.end(), fusion_.outputs.begin(), fusion_.outputs.end());
        work->plan.axes = axes;
        FieldSchedule schedule{work, {}, {}, {}, {}, {}};
        schedule.choice.threads_x = schedule.choice.threads_y = 1;
        return schedule;
    }

    /// The calls that a step makes anew for its roots, in the order of the fusion.
    [[nodiscard]] std::vector<NodeId> needed_by(const std::vector<NodeId>& roots) const {
        std::set<NodeId> needed;
        std::vector<NodeId> open = roots;
        while (!open.empty()) {
            const NodeId call = open.back();
            open.pop_back();
            if (is_transform(call) || !needed.insert(call).second) continue;
            for (const ValueId read : graph_.nodes[call].reads)
                if (const auto maker = made_by_.find(read); maker != made_by_.end()) open.push_back(maker->second);
        }
        std::vector<NodeId> calls;
        std::copy_if(fusion_.calls.begin(), fusion_.calls.end(), std::back_inserter(calls),
                     [&](NodeId call) { return needed.contains(call); });
        return calls;
    }
    /// Transforms whose results the roots are made of: through how many their numbers went; none: of no transform's.
    std::optional<int> turned(const std::vector<NodeId>& roots) {
        std::optional<int> through;
        for (const NodeId call : needed_by(roots)) {
            for (const ValueId read : graph_.nodes[call].reads) {
                const auto known = turned_.find(read);
                if (known == turned_.end()) continue;
                if (through && *through % 2 != known->second % 2) return -1;
                through = known->second;
            }
        }
        return through;
    }

    /// The calls of the step that leaves this one's value: all are computed where their numbers stand.
    [[nodiscard]] std::vector<NodeId> with(NodeId call) const {
        for (const std::vector<NodeId>& roots : roots_)
            if (std::find(roots.begin(), roots.end(), call) != roots.end()) return roots;
        return {call};
    }

    void add_pass(FftWork& work, NodeId call) {
        const Node& node = graph_.nodes[call];
        const TransformStatement& s = std::get<Transform>(node.what).statement;
        FftPass pass{call, node.reads.front(), node.writes.front(), s.direction == Direction::backward};
        const auto maker = made_by_.find(pass.source);
        pass.loads = maker == made_by_.end();
        pass.stores = holds(fusion_.outputs, pass.target);
        if (!pass.loads) {
            const auto before = turned_.find(pass.source);  // a transform of a transform
            const auto through = before != turned_.end() ? std::optional(before->second) : turned(with(maker->second));
            if (through && *through < 0) refuse(mixed());
            pass.turned = through.value_or(0);
        }
        turned_[pass.target] = pass.turned + 1;
        work.steps.emplace_back(pass);
        roots_.emplace_back();
    }
    [[nodiscard]] static std::string mixed() {
        return "cells are made of numbers that went through an even and an odd number of transforms: they stand in "
               "other threads";
    }

    void add_cells(FftWork& work, NodeId call) {
        const bool spectrum = of_spectrum(work, call);
        const auto through = turned({call});
        if (through && *through < 0) refuse(mixed());
        if (!roots_.empty() && !roots_.back().empty() && of_spectrum(work, roots_.back().front()) == spectrum) {
            // What is made of no transform's numbers any thread may compute.
            const auto others = turned(roots_.back());
            if (!others || !through || *others % 2 == *through % 2) {
                roots_.back().push_back(call);
                return;
            }
        }
        work.steps.emplace_back(FftCells{});
        roots_.push_back({call});
    }
    [[nodiscard]] bool of_spectrum(const FftWork& work, NodeId call) const {
        const std::vector<AxisId> axes = free_axes(program_, field_update(graph_, call).statement);
        return work.lines.half && std::find(axes.begin(), axes.end(), *work.lines.half) != axes.end();
    }

    /// The calls as a kernel of their own, of which the roots are results.
    FftCells cells(const FftWork& work, const std::vector<NodeId>& roots) {
        const int through = turned(roots).value_or(0);
        Fusion made;
        made.calls = needed_by(roots);
        std::set<ValueId> inputs;
        for (const NodeId call : made.calls) {
            for (const ValueId read : values_read(graph_, call)) {
                const auto maker = made_by_.find(read);
                const bool inside = maker != made_by_.end() && !is_transform(maker->second);
                if (!inside) inputs.insert(read);
            }
            const bool root = std::find(roots.begin(), roots.end(), call) != roots.end();
            (root ? made.outputs : made.inner).push_back(graph_.nodes[call].writes.front());
        }
        made.inputs.assign(inputs.begin(), inputs.end());
        std::sort(made.outputs.begin(), made.outputs.end());
        std::sort(made.inner.begin(), made.inner.end());
        const FieldWorkResult result = field_work(program_, graph_, made);
        if (!result.value) {
            refuse(result.reason);
            return {};
        }
        if (result.value->edges || result.value->margin > 0) refuse("cells at the edge have a path of their own");
        FieldSchedule schedule{result.value, {}, {}, {}, {}, {}};
        schedule.choice.threads_x = schedule.choice.threads_y = 1;
        schedule.paths.cell =
            std::make_shared<const CellProgram>(cell_program(program_, graph_, result.value->plan, {}));
        return {std::move(schedule), of_spectrum(work, roots.front()), through};
    }
};

}  // namespace

FftWorkResult fft_work(const Program& program, const Graph& graph, const Fusion& fusion) {
    return FftSteps(program, graph, fusion).run();
}

}  // namespace kasc
