#include "search/loop_cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/field_target.hpp"
#include "graph/loop_lines.hpp"

namespace kasc {

namespace {

std::vector<AxisId> in_order(std::vector<AxisId> axes) {
    std::sort(axes.begin(), axes.end());
    return axes;
}

class BesideLoop {
public:
    BesideLoop(const Program& program, const Graph& graph, NodeId loop, NodeId call)
        : program_(program),
          graph_(graph),
          loop_(std::get<LoopNode>(graph.nodes[loop].what)),
          call_(graph.nodes[call]),
          update_(std::get<FieldUpdate>(call_.what)),
          cells_(in_order(free_axes(program, first_statement()))) {}

    [[nodiscard]] Verdict run() const {
        const FieldStatement& statement = update_.statement;
        const std::string& name = program_.variables[statement.target].name;
        if (!is_whole(program_, statement) || update_.former)
            return Verdict::no(fmt::format("{} is not assigned cell by cell, beside a loop in each cell", name));
        if (is_complex(field_shape(program_, statement.target).type))
            return Verdict::no(fmt::format("{} is complex, beside a loop in each cell", name));
        if (in_order(free_axes(program_, statement)) != cells_)
            return Verdict::no(fmt::format("{} has other cells than the loop", name));
        for (const Carried& carried : loop_.carried)
            if (Verdict verdict = hands_over(carried); !verdict) return verdict;
        for (const Captured& captured : loop_.captured)
            if (Verdict verdict = hands_over(captured); !verdict) return verdict;
        return Verdict::yes("a thread has the words of its cell before the loop, in it and behind");
    }

private:
    const Program& program_;
    const Graph& graph_;
    const LoopNode& loop_;
    const Node& call_;
    const FieldUpdate& update_;
    const std::vector<AxisId> cells_;

    [[nodiscard]] const FieldStatement& first_statement() const {
        return std::get<FieldUpdate>(loop_.body->nodes.begin()->what).statement;
    }
    [[nodiscard]] bool makes(ValueId value) const { return call_.writes.front() == value; }

    /// What other cells have of the value no thread knows, and what the loop stores as it goes is its own cell's alone.
    [[nodiscard]] bool reads_other_cells(ValueId value) const {
        const auto& operands = update_.statement.operands;
        for (std::size_t k = 0; k < operands.size(); ++k) {
            if (call_.reads[k] != value) continue;
            const std::vector<AxisId>& axes = field_shape(program_, operands[k].variable).axes;
            for (std::size_t axis = 0; axis < axes.size(); ++axis) {
                const AxisIndex& index = operands[k].indices.at(axis);
                const auto* offset = std::get_if<Offset>(&index);
                const bool own = std::binary_search(cells_.begin(), cells_.end(), axes[axis])
                                     ? offset != nullptr && offset->cells == 0
                                     : std::holds_alternative<Absolute>(index);
                if (!own) return true;
            }
        }
        return false;
    }
    [[nodiscard]] Verdict hands_over(const Carried& carried) const {
        const std::string& name = program_.variables[carried.variable].name;
        const bool is_word = in_order(field_shape(program_, carried.variable).axes) == cells_;
        if (carried.initial && makes(*carried.initial) && !is_word)
            return Verdict::no(fmt::format("{} lies in memory as the loop goes through it", name));
        const bool stays = is_word || !carried.initial || !reads_other_cells(*carried.initial);
        if (!stays || reads_other_cells(carried.result))
            return Verdict::no(fmt::format("other cells of {} are read, which the loop assigns", name));
        return Verdict::yes("a word of the cell");
    }
    [[nodiscard]] Verdict hands_over(const Captured& captured) const {
        if (!makes(captured.outer)) return Verdict::yes("from memory");
        for (const Node& node : loop_.body->nodes) {
            const auto& update = std::get<FieldUpdate>(node.what);
            for (std::size_t k = 0; k < update.accesses.size(); ++k)
                if (node.reads[k] == captured.inner && !std::holds_alternative<PointAccess>(update.accesses[k]))
                    return Verdict::no(
                        fmt::format("the loop reads other cells of {}", value_name(graph_, program_, captured.outer)));
        }
        return Verdict::yes("a word of the cell");
    }
};

}  // namespace

bool is_loop_of_cells(const Program& program, const Graph& graph, NodeId node) {
    const auto* loop = std::get_if<LoopNode>(&graph.nodes[node].what);
    return loop != nullptr && program.loops[loop->loop].inside;
}

bool runs_lines(const Program& program, const Graph& graph, NodeId loop) {
    std::vector<const FieldStatement*> body;
    for (const Node& node : std::get<LoopNode>(graph.nodes[loop].what).body->nodes)
        body.push_back(&std::get<FieldUpdate>(node.what).statement);
    return !line_axes(program, body).empty();
}

std::optional<NodeId> loop_among(const Graph& graph, const std::vector<NodeId>& nodes) {
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&](NodeId node) {
        return std::holds_alternative<LoopNode>(graph.nodes[node].what);
    });
    return found == nodes.end() ? std::nullopt : std::optional(*found);
}

std::optional<Verdict> share_loop(const Program& program, const Graph& graph, NodeId first, NodeId second) {
    const bool before = is_loop_of_cells(program, graph, second), behind = is_loop_of_cells(program, graph, first);
    if (before && behind) return Verdict::no("a kernel runs one loop in each cell");
    if (!before && !behind) return std::nullopt;
    const NodeId loop = before ? second : first, call = before ? first : second;
    if (!std::holds_alternative<FieldUpdate>(graph.nodes[call].what))
        return Verdict::no("calls on fields alone stand beside a loop in each cell");
    if (runs_lines(program, graph, loop))
        return Verdict::no("a block that runs a loop for whole lines computes nothing beside it");
    return BesideLoop(program, graph, loop, call).run();
}

}  // namespace kasc
