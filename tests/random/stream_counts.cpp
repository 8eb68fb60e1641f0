#include "random/stream_counts.hpp"

#include <fmt/format.h>

#include "model/prediction.hpp"
#include "random/predicted_device.hpp"

namespace kasc::random {

std::size_t barriers(const kernel::Body& body) {
    std::size_t count = 0;
    for (const kernel::Statement& s : body) {
        if (std::holds_alternative<kernel::Barrier>(s.node)) ++count;
        if (const auto* loop = std::get_if<kernel::For>(&s.node)) count += barriers(loop->body);
    }
    return count;
}

std::string stream_count_fault(const Program& program, const Library& library, const TestedPlan& plan,
                               const RunCase& run, const PlanRun& result) {
    kasc::Problem sizes;
    sizes.elements = run.elements;
    sizes.parameters = run.parameters;
    for (const auto& [number, bytes] : result.bytes) {
        const kernel::Kernel& k = plan.host.kernels.at(number).alternatives.front();
        const PlannedStream& from = plan.kernels.at(k.name);
        const Prediction p = predict(from.costed->candidates[from.candidate].schedule, program, *from.costed->expanded,
                                     library, predicted_device(), sizes);
        if (bytes != p.global_bytes)
            return fmt::format("{} touches {} bytes, the model says {}", k.name, bytes, p.global_bytes);
        if (const auto standing = barriers(k.body); standing != static_cast<std::size_t>(p.barriers))
            return fmt::format("{} has {} barriers, the model says {}", k.name, standing, p.barriers);
    }
    return "";
}

}  // namespace kasc::random
