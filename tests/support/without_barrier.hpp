#pragma once
// Kernels with one barrier less, which the check of shared memory must notice.

#include <vector>

#include "kernel/kernel.hpp"

namespace kasc::test {

/// Drops the k-th barrier of a body, in the order of the text; false, and k less the body's barriers, where it has
/// fewer.
inline bool drop_barrier(kernel::Body& body, std::size_t& k) {
    for (auto s = body.begin(); s != body.end(); ++s) {
        if (std::holds_alternative<kernel::Barrier>(s->node)) {
            if (k-- > 0) continue;
            body.erase(s);
            return true;
        }
        if (auto* loop = std::get_if<kernel::For>(&s->node); loop != nullptr && drop_barrier(loop->body, k))
            return true;
        if (auto* choice = std::get_if<kernel::If>(&s->node);
            choice != nullptr && (drop_barrier(choice->then, k) || drop_barrier(choice->otherwise, k)))
            return true;
    }
    return false;
}

/// Barriers of a body that await copies leave one more group of them under way, each; how many there are.
inline int await_less(kernel::Body& body) {
    int changed = 0;
    for (kernel::Statement& s : body) {
        if (auto* barrier = std::get_if<kernel::Barrier>(&s.node); barrier != nullptr && barrier->awaits_all_but)
            ++*barrier->awaits_all_but, ++changed;
        if (auto* loop = std::get_if<kernel::For>(&s.node)) changed += await_less(loop->body);
    }
    return changed;
}

/// The kernel once for each of its barriers, without it.
inline std::vector<kernel::Kernel> without_each_barrier(const kernel::Kernel& kernel) {
    std::vector<kernel::Kernel> all;
    for (std::size_t b = 0;; ++b) {
        kernel::Kernel broken = kernel;
        std::size_t k = b;
        if (!drop_barrier(broken.body, k)) return all;
        all.push_back(std::move(broken));
    }
}

}  // namespace kasc::test
