#include "tune/plan_text.hpp"

#include <fmt/format.h>

#include "driver/report_parts.hpp"

namespace kasc::tune {

std::string plan_text(const Compilation& compilation, const PlannedGraph& plan) {
    std::string text;
    for (const GraphInPlan& g : graphs_of(compilation, plan)) {
        bool first = true;
        for (const Candidate* candidate : chosen(*g.planned)) {
            text += first ? fmt::format("{}{}: ", text.empty() ? "" : "; ", g.name) : "; ";
            first = false;
            const std::vector<NodeId>& calls = fusion_of(candidate->schedule).calls;
            std::string numbers;
            for (const NodeId call : calls) numbers += fmt::format("{}{}", numbers.empty() ? "" : " ", call.index);
            const Choice choice =
                std::visit([](const auto& schedule) { return Choice(schedule.choice); }, candidate->schedule);
            text += fmt::format("[{}] {}", numbers, print(choice));
        }
    }
    return text;
}

std::string parts_text(const Compilation& compilation, const PlannedGraph& plan) {
    std::string text;
    for (const GraphInPlan& g : graphs_of(compilation, plan)) {
        for (const Candidate* candidate : chosen(*g.planned))
            text += fmt::format("{}{}", text.empty() ? "" : "+", fusion_of(candidate->schedule).calls.size());
    }
    return text;
}

}  // namespace kasc::tune
