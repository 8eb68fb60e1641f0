#pragma once
// A field program from its text, and fusions of its calls.

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

#include "graph/graph.hpp"
#include "library/library.hpp"
#include "search/fusion_space.hpp"

namespace kasc::test {

struct FieldCase {
    Library library;
    Program program;
    Graph graph;

    explicit FieldCase(const std::string& text) {
        Outcome<Program> read = read_program(make_source("case.kas", text), library);
        if (!read) throw std::runtime_error(render_text(read.diagnostics));
        program = *read;
        Outcome<Graph> built = build_graph(program);
        if (!built) throw std::runtime_error(render_text(built.diagnostics));
        graph = *built;
    }

    /// Calls [first, last) of the graph; stored is what is read outside or returned.
    [[nodiscard]] Fusion fusion(std::size_t first, std::size_t last) const {
        return fusion([&](NodeId n) { return n.index >= first && n.index < last; });
    }
    /// The same of those that are `inside`.
    [[nodiscard]] Fusion fusion(const std::function<bool(NodeId)>& inside) const {
        Fusion fusion;
        const auto add = [](std::vector<ValueId>& list, ValueId v) {
            if (std::find(list.begin(), list.end(), v) == list.end()) list.push_back(v);
        };
        for (const NodeId node : graph.nodes.ids()) {
            if (!inside(node)) continue;
            fusion.calls.push_back(node);
            for (const ValueId v : graph.nodes[node].reads) {
                const auto producer = graph.values[v].producer;
                if (!producer || !inside(*producer)) add(fusion.inputs, v);
            }
            const ValueId made = graph.nodes[node].writes.at(0);
            const std::vector<NodeId> readers = consumers(graph, made);
            const bool outside = std::any_of(readers.begin(), readers.end(), [&](NodeId n) { return !inside(n); });
            const bool returned = std::find(graph.outputs.begin(), graph.outputs.end(), made) != graph.outputs.end();
            add(outside || returned ? fusion.outputs : fusion.inner, made);
        }
        std::sort(fusion.inputs.begin(), fusion.inputs.end());
        return fusion;
    }
    [[nodiscard]] Fusion whole() const { return fusion(0, graph.nodes.size()); }
};

}  // namespace kasc::test
