// Candidates and selections as text:
//
//   c0  f3  12.4 us  v = f(a) | w = g(v)  implementations 1-1, 96 elements, staged transfer
//       memory 12.1, shared 3.0, arithmetic 1.2, latency 2.0, launch 2.0 us; 24 registers, occupancy 0.75, 1 barrier

#include <fmt/format.h>

#include <iterator>

#include "select/selection.hpp"

namespace kasc {

namespace {

std::string candidate_text(std::size_t index, const CostedSpace& costed, const Program& program, const Graph& graph) {
    const Candidate& c = costed.candidates[index];
    const Prediction& p = c.prediction;
    std::vector<std::string> calls;
    for (NodeId call : fusion_of(c.schedule).calls) calls.push_back(node_text(graph, program, call));
    std::string out = fmt::format("c{}  f{}  {:.1f} us  {}  {}\n", index, c.fusion.index, p.time_ns / 1000,
                                  fmt::join(calls, " | "), print(choice_of(c.schedule)));
    fmt::format_to(
        std::back_inserter(out),
        "    memory {:.1f}, shared {:.1f}, arithmetic {:.1f}, latency {:.1f}, dispatch {:.1f}, launch {:.1f} us; {} "
        "registers, occupancy {:.2f}, {} barrier{}\n",
        p.global_ns / 1000, p.shared_ns / 1000, p.arithmetic_ns / 1000, p.latency_ns / 1000, p.dispatch_ns / 1000,
        p.launch_ns / 1000, p.registers, p.occupancy, p.barriers, p.barriers == 1 ? "" : "s");
    return out;
}

}  // namespace

std::string print(const CostedSpace& costed, const Program& program, const Graph& graph) {
    std::string out = print(costed.space, program, graph);
    for (std::size_t c = 0; c < costed.candidates.size(); ++c) out += candidate_text(c, costed, program, graph);
    for (const Refusal& refusal : costed.infeasible) {
        std::vector<std::string> calls;
        for (NodeId call : refusal.calls) calls.push_back(node_text(graph, program, call));
        fmt::format_to(std::back_inserter(out), "infeasible  {}: {}\n", fmt::join(calls, " | "), refusal.reason);
    }
    fmt::format_to(std::back_inserter(out), "{} choices evaluated\n", costed.evaluated);
    return out;
}

std::string print(const Selection& selection, const CostedSpace& costed, const Program& program, const Graph& graph) {
    std::string out = fmt::format("{}: {:.1f} us, {}\n", selection.strategy, selection.time_ns / 1000, selection.bound);
    for (std::size_t c : selection.candidates) out += candidate_text(c, costed, program, graph);
    return out;
}

}  // namespace kasc
