#include "driver/explorer/plan_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driver/report_parts.hpp"

namespace kasc::explorer {

namespace {

class Viewer {
public:
    Viewer(const Compilation& c, const PlannedGraph& plan, const SourceRef& source) : c_(c), source_(source) {
        names_ = kernel_names(c, plan);
        find_statements(c.graph);
        std::sort(view_.statements.begin(), view_.statements.end(),
                  [](const auto& a, const auto& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
        const auto same = [](const auto& a, const auto& b) { return a.begin == b.begin && a.end == b.end; };
        view_.statements.erase(std::unique(view_.statements.begin(), view_.statements.end(), same),
                               view_.statements.end());
        add_planned("program", plan, c.graph, 1, std::nullopt);
    }
    PlanView take() { return std::move(view_); }

private:
    const Compilation& c_;
    const SourceRef& source_;
    std::map<const Candidate*, std::string> names_;
    std::size_t transforms_ = 0;
    PlanView view_;

    void find_statements(const Graph& graph) {
        for (const Node& node : graph.nodes) {
            const Span span = as_given(node.span);
            if (span.source == source_) view_.statements.push_back({span.begin, span.end});
            if (const auto* loop = std::get_if<LoopNode>(&node.what)) find_statements(*loop->body);
        }
    }
    [[nodiscard]] std::optional<std::size_t> statement_at(const Span& span) const {
        if (span.source != source_) return std::nullopt;
        const auto at = std::find_if(view_.statements.begin(), view_.statements.end(),
                                     [&](const auto& s) { return s.begin == span.begin && s.end == span.end; });
        return static_cast<std::size_t>(at - view_.statements.begin());
    }

    std::size_t add_graph(ViewedGraph graph) {
        for (const NodeId node : graph.graph->nodes.ids()) {
            if (const auto statement = statement_at(as_given(graph.graph->nodes[node].span)))
                graph.statement_of[node] = *statement;
        }
        view_.graphs.push_back(std::move(graph));
        return view_.graphs.size() - 1;
    }

    std::size_t add_planned(std::string name, const PlannedGraph& planned, const Graph& graph, double times,
                            std::optional<LoopId> loop) {
        const std::size_t own = add_graph({std::move(name), &planned, &graph, loop, std::nullopt, times});
        std::size_t place = 0;
        for (const Launch& launch : planned.launches) {
            if (const auto* node = std::get_if<NodeId>(&launch.what)) {
                const auto& what = std::get<LoopNode>(graph.nodes[*node].what);
                const auto runs = planned.iterations.find(*node);
                const double inner = times * (runs == planned.iterations.end() ? 1 : runs->second);
                const std::size_t body = add_planned(path_of_loop(view_.graphs[own].name, c_.program, what.loop),
                                                     *planned.loops.at(*node), *what.body, inner, what.loop);
                view_.graphs[own].body_of[*node] = body;
                continue;
            }
            add_kernel(own, place++, planned.costed->candidates[std::get<std::size_t>(launch.what)]);
        }
        for (const NodeId node : graph.nodes.ids()) tell_loop(own, node);
        return own;
    }

    void add_kernel(std::size_t graph, std::size_t place, const Candidate& candidate) {
        const std::size_t own = view_.kernels.size();
        const std::string& name = names_.at(&candidate);
        const std::string prefix = c_.program.name + "_k";
        const bool numbered = name.starts_with(prefix);
        view_.kernels.push_back(
            {name, numbered ? "kernel-" + name.substr(prefix.size()) : fmt::format("transform-{}", transforms_++),
             graph, place, &candidate});
        view_.graphs[graph].kernels.push_back(own);
        for (const NodeId call : fusion_of(candidate.schedule).calls) compute(graph, call, own);
    }

    void compute(std::size_t graph, NodeId node, std::size_t kernel) {
        ViewedGraph& in = view_.graphs[graph];
        in.kernel_of[node] = kernel;
        if (const auto at = in.statement_of.find(node); at != in.statement_of.end())
            view_.statements[at->second].kernels.insert(kernel);
        const auto* loop = std::get_if<LoopNode>(&in.graph->nodes[node].what);
        if (loop == nullptr) return;
        const std::size_t body = add_graph(
            {path_of_loop(in.name, c_.program, loop->loop), nullptr, loop->body.get(), loop->loop, kernel, in.times});
        view_.graphs[graph].body_of[node] = body;
        for (const NodeId inner : loop->body->nodes.ids()) compute(body, inner, kernel);
    }

    /// The head of a loop that the host runs goes with all kernels of its body.
    void tell_loop(std::size_t graph, NodeId node) {
        const ViewedGraph& in = view_.graphs[graph];
        const auto statement = in.statement_of.find(node);
        const auto body = in.body_of.find(node);
        if (statement == in.statement_of.end() || body == in.body_of.end()) return;
        std::set<std::size_t>& kernels = view_.statements[statement->second].kernels;
        for (const std::size_t kernel : view_.graphs[body->second].kernels) kernels.insert(kernel);
        for (const auto& [inner, deeper] : view_.graphs[body->second].body_of)
            for (const std::size_t kernel : view_.graphs[deeper].kernels) kernels.insert(kernel);
    }
};

}  // namespace

PlanView view_of(const Compilation& compilation, const PlannedGraph& plan, const SourceRef& source) {
    return Viewer(compilation, plan, source).take();
}

}  // namespace kasc::explorer
