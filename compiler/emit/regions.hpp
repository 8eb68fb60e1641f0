#pragma once
// Regions of threads in a kernel's body.

#include <algorithm>

#include "kernel/kernel.hpp"

namespace kasc::emit {

/// Regions of a body, those of block-level loops included. Several share a scope unless each has one of its own.
[[nodiscard]] inline long regions_in(const kernel::Body& body) {
    long count = 0;
    for (const kernel::Statement& s : body) {
        if (std::holds_alternative<kernel::Threads>(s.node) || std::holds_alternative<kernel::Cells>(s.node)) ++count;
        if (const auto* loop = std::get_if<kernel::For>(&s.node)) count += regions_in(loop->body);
        if (const auto* either = std::get_if<kernel::If>(&s.node))
            count += std::max(regions_in(either->then), regions_in(either->otherwise));
    }
    return count;
}

}  // namespace kasc::emit
