#pragma once
// What a program's kernels are predicted to cost, by the statements that they compute.

#include <string>
#include <vector>

#include "driver/compilation.hpp"

namespace kasc::lsp {

struct KernelCost {
    std::string name;                     ///< as in emitted code: "heat3d_k0"
    std::string graph;                    ///< "program", "loop n"
    std::vector<std::string> statements;  ///< as the compiler has them after its rewrites
    std::vector<Span> places;             ///< of these in the text, where they are written there
    std::vector<std::string> assigned;    ///< their targets' names
    double bytes = 0;
    double time_ns = 0;
    std::string binds;  ///< the part that takes the most time: "memory", "arithmetic" …
};

struct Costs {
    std::string device, sizes;  ///< "h100", "x = 256, y = 256"
    std::vector<KernelCost> kernels;
    std::string fault;  ///< why there are none
};

/// Costs of the best predicted plan. The sizes are those that it was planned for.
[[nodiscard]] Costs costs_of(const Outcome<Compilation>& compilation);

/// The kernels that compute a statement of the text: for lists and procedures there may be several.
[[nodiscard]] std::vector<const KernelCost*> kernels_of(const Costs& costs, const Span& statement,
                                                        const std::string& target);

}  // namespace kasc::lsp
