#include "driver/dot_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driver/explorer/plan_view.hpp"
#include "graph/graph.hpp"

namespace kasc {

namespace {

using explorer::PlanView;
using explorer::ViewedGraph;

/// Graphviz breaks no lines by itself.
std::string label(const std::string& text) {
    constexpr std::size_t widest = 48;
    std::string out;
    std::size_t column = 0;
    for (const char c : text) {
        if (column >= widest && c == ' ') {
            out += "\\n";
            column = 0;
            continue;
        }
        if (c == '"' || c == '\\') out += '\\';
        out += c;
        ++column;
    }
    return "\"" + out + "\"";
}

class Drawing {
public:
    Drawing(const Compilation& compilation, const PlanView& view) : program_(compilation.program), view_(view) {}

    std::string run() {
        out_ = fmt::format("digraph {} {{\n    node [shape=box, fontname=monospace];\n    edge [fontname=monospace];\n",
                           program_.name);
        for (std::size_t g = 0; g < view_.graphs.size(); ++g) draw(g);
        return out_ + "}\n";
    }

private:
    const Program& program_;
    const PlanView& view_;
    std::string out_;

    static std::string name(std::size_t graph, NodeId node) { return fmt::format("g{}_n{}", graph, node.index); }

    void draw(std::size_t number) {
        const ViewedGraph& viewed = view_.graphs[number];
        const Graph& graph = *viewed.graph;
        out_ += fmt::format("    subgraph cluster_g{} {{\n        label={};\n", number, label(viewed.name));
        for (const std::size_t kernel : viewed.kernels) draw_kernel(number, kernel);
        for (const NodeId node : graph.nodes.ids()) {
            if (!viewed.kernel_of.contains(node)) out_ += "        " + node_line(number, node);
        }
        for (const ValueId input : graph.inputs)
            out_ += fmt::format("        g{}_v{} [shape=ellipse, label={}];\n", number, input.index,
                                label(value_name(graph, program_, input)));
        draw_values(number, graph);
        out_ += "    }\n";
    }
    void draw_kernel(std::size_t number, std::size_t place) {
        const ViewedGraph& viewed = view_.graphs[number];
        const explorer::ViewedKernel& kernel = view_.kernels[place];
        out_ += fmt::format(
            "        subgraph cluster_k{} {{\n            style=filled; color=lightgrey; label={};\n", place,
            label(fmt::format("{}, {:.4g} us", kernel.name, kernel.candidate->prediction.time_ns / 1e3)));
        for (const auto& [node, of] : viewed.kernel_of)
            if (of == place) out_ += "            " + node_line(number, node);
        out_ += "        }\n";
    }
    std::string node_line(std::size_t number, NodeId node) {
        const Graph& graph = *view_.graphs[number].graph;
        const bool is_loop = std::holds_alternative<LoopNode>(graph.nodes[node].what);
        return fmt::format("{} [{}label={}];\n", name(number, node), is_loop ? "style=dashed, " : "",
                           label(node_text(graph, program_, node)));
    }
    /// An edge a reader, and a double ring for what leaves the graph.
    void draw_values(std::size_t number, const Graph& graph) {
        for (const ValueId value : graph.values.ids()) {
            const auto producer = graph.values[value].producer;
            const std::string from = producer ? name(number, *producer) : fmt::format("g{}_v{}", number, value.index);
            const std::string text = label(value_name(graph, program_, value));
            for (const NodeId reader : consumers(graph, value))
                out_ += fmt::format("        {} -> {} [label={}];\n", from, name(number, reader), text);
            if (!producer || std::find(graph.outputs.begin(), graph.outputs.end(), value) == graph.outputs.end())
                continue;
            out_ +=
                fmt::format("        g{0}_v{1} [shape=ellipse, peripheries=2, label={2}];\n        {3} -> g{0}_v{1};\n",
                            number, value.index, text, from);
        }
    }
};

}  // namespace

std::string dot_text(const Compilation& compilation, const SourceRef& source) {
    const PlanView view = explorer::view_of(compilation, compilation.plans.front(), source);
    return Drawing(compilation, view).run();
}

}  // namespace kasc
