#include "plan/capture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression_parts.hpp"

namespace kasc {

namespace {

/// The share of a loop's predicted time that launches must take for graphs to be worth their capture: below, they gain
/// less than a hundredth. A step of k-Wave on an H100, about 50 launches, in a stream and as a graph: 0.229 and 0.129
/// ms at 64³, 0.478 and 0.421 at 128³, 3.406 and 3.320 at 256³.
constexpr double worth_share = 0.02;

/// Some number that the kernel is given, or that is checked before, changes with an iteration.
bool uses_loop(const kernel::Lowered& lowered) {
    return std::any_of(lowered.alternatives.begin(), lowered.alternatives.end(), [](const kernel::Kernel& k) {
        return std::any_of(k.parameters.begin(), k.parameters.end(),
                           [](const kernel::Parameter& p) {
                               const auto* number = std::get_if<kernel::HostExpression>(&p.source);
                               return number != nullptr && uses_loop(*number->expression);
                           }) ||
               std::any_of(k.positions.begin(), k.positions.end(),
                           [](const kernel::PositionCheck& check) { return uses_loop(*check.position); });
    });
}

struct LoopTime {
    double all_ns = 0, launch_ns = 0;
};

/// What one iteration takes, loops in it apart.
std::optional<LoopTime> time_of(const PlannedGraph& planned, LoopId loop) {
    for (const auto& [node, body] : planned.loops) {
        if (std::get<LoopNode>(planned.graph->nodes[node].what).loop != loop) {
            if (const auto inner = time_of(*body, loop)) return inner;
            continue;
        }
        LoopTime time;
        for (const Launch& launch : body->launches) {
            const auto* candidate = std::get_if<std::size_t>(&launch.what);
            if (candidate == nullptr) continue;
            const Prediction& p = body->costed->candidates[*candidate].prediction;
            time.all_ns += p.time_ns;
            time.launch_ns += p.launch_ns;
        }
        return time;
    }
    return std::nullopt;
}

class Capturing {
public:
    Capturing(HostPlan plan, const Program& program, const PlannedGraph& planned, Capture wanted)
        : program_(program), planned_(planned), wanted_(wanted) {
        captured_.plan = std::move(plan);
    }

    CapturedPlan run() {
        if (wanted_ != Capture::never) loops_of(captured_.plan.steps);
        return std::move(captured_);
    }

private:
    const Program& program_;
    const PlannedGraph& planned_;
    Capture wanted_;
    CapturedPlan captured_;

    void loops_of(std::vector<HostStep>& steps) {
        for (HostStep& step : steps) {
            auto* loop = std::get_if<LoopStep>(&step.what);
            if (loop == nullptr) continue;
            captured_.verdicts.push_back({program_.loops[loop->loop].name, capture(*loop)});
            loops_of(loop->body);
        }
    }

    Verdict capture(LoopStep& loop) const {
        const auto time = time_of(planned_, loop.loop);
        const double share = time && time->all_ns > 0 ? time->launch_ns / time->all_ns : 1;
        if (wanted_ == Capture::priced && share < worth_share)
            return Verdict::no(fmt::format("launches are {:.1f} % of the predicted time", share * 100));
        std::size_t inside = 0;
        std::string others;
        for (std::size_t first = 0; first < loop.body.size();) {
            std::size_t end = first;
            while (end < loop.body.size() && reason_against(loop.body[end]).empty()) ++end;
            if (is_worth(loop, first, end)) {
                loop.graphs.push_back({first, end, arrays(loop, first, end)});
                inside += end - first;
            }
            if (end < loop.body.size()) others += (others.empty() ? "" : ", ") + reason_against(loop.body[end]);
            first = end + 1;
        }
        if (loop.graphs.empty())
            return Verdict::no(others.empty() ? "its one launch gains nothing"
                                              : fmt::format("nothing is left: {}", others));
        return Verdict::yes(fmt::format("{} of {} steps an iteration in {} graph{}{}", inside, loop.body.size(),
                                        loop.graphs.size(), loop.graphs.size() == 1 ? "" : "s",
                                        others.empty() ? "" : "; not: " + others));
    }

    /// Empty: the step is the same in every iteration in which its arrays are.
    [[nodiscard]] std::string reason_against(const HostStep& step) const {
        if (std::holds_alternative<LoopStep>(step.what)) return "a loop of its own";
        const LaunchStep* launch = launch_in(step);
        if (launch == nullptr) return "";
        const kernel::Lowered& lowered = captured_.plan.kernels[launch->kernel];
        const std::string& name = lowered.alternatives.front().name;
        if (!launch->riders.empty()) return fmt::format("{}, which carries {}", name, launch->riders.front().kernel);
        return uses_loop(lowered) ? fmt::format("{}, which uses the iteration's number", name) : "";
    }

    /// One kernel alone is launched as quickly without; a transform is several.
    [[nodiscard]] static bool is_worth(const LoopStep& loop, std::size_t first, std::size_t end) {
        return end - first > 1 || (end - first == 1 && std::holds_alternative<TransformStep>(loop.body[first].what));
    }

    [[nodiscard]] static std::vector<SlotId> arrays(const LoopStep& loop, std::size_t first, std::size_t end) {
        std::vector<SlotId> all;
        const auto add = [&](SlotId slot) {
            if (std::find(all.begin(), all.end(), slot) == all.end()) all.push_back(slot);
        };
        for (std::size_t k = first; k < end; ++k) {
            const auto& what = loop.body[k].what;
            if (const LaunchStep* launch = launch_in(loop.body[k])) {
                for (const auto& entry : launch->arrays) add(entry.second);
            }
            if (const auto* transform = std::get_if<TransformStep>(&what)) {
                add(transform->from), add(transform->to);
            } else if (const auto* copy = std::get_if<CopyStep>(&what)) {
                add(copy->from), add(copy->to);
            } else if (const auto* zero = std::get_if<ZeroStep>(&what)) {
                add(zero->slot);
            }
        }
        return all;
    }
};

}  // namespace

std::optional<Capture> find_capture(std::string_view name) {
    if (name == "never") return Capture::never;
    if (name == "priced") return Capture::priced;
    if (name == "always") return Capture::always;
    return std::nullopt;
}

namespace {

bool any_graph(const std::vector<HostStep>& steps) {
    return std::any_of(steps.begin(), steps.end(), [](const HostStep& step) {
        const auto* loop = std::get_if<LoopStep>(&step.what);
        return loop != nullptr && (!loop->graphs.empty() || any_graph(loop->body));
    });
}

}  // namespace

bool has_graphs(const HostPlan& plan) { return any_graph(plan.steps); }

CapturedPlan capture_graphs(HostPlan plan, const Program& program, const PlannedGraph& planned, Capture wanted) {
    return Capturing(std::move(plan), program, planned, wanted).run();
}

}  // namespace kasc
