#include "emit/butterflies.hpp"

#include <algorithm>

namespace kasc::emit {

namespace {

bool has_butterflies(const kernel::Body& body) {
    return std::any_of(body.begin(), body.end(), [](const kernel::Statement& s) {
        if (const auto* loop = std::get_if<kernel::For>(&s.node)) return has_butterflies(loop->body);
        if (const auto* threads = std::get_if<kernel::Threads>(&s.node)) return has_butterflies(threads->body);
        if (const auto* either = std::get_if<kernel::If>(&s.node))
            return has_butterflies(either->then) || has_butterflies(either->otherwise);
        return std::holds_alternative<kernel::Butterfly>(s.node);
    });
}

}  // namespace

bool has_butterflies(const HostPlan& plan) {
    return std::any_of(plan.kernels.begin(), plan.kernels.end(), [](const kernel::Lowered& lowered) {
        return std::any_of(lowered.alternatives.begin(), lowered.alternatives.end(),
                           [](const kernel::Kernel& k) { return has_butterflies(k.body); });
    });
}

}  // namespace kasc::emit
