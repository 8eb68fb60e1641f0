// Transfers, then compute, block by block. The smallest block comes first: its faults are the easiest to understand.

#include "libcheck/function_check.hpp"

#include <algorithm>

#include "libcheck/check_compute.hpp"
#include "libcheck/check_transfers.hpp"

namespace kasc::libcheck {

namespace {

struct BlockTask {
    std::size_t block = 0;
    int elements = 0;
};

std::vector<BlockTask> blocks_of(const FunctionTask& task, std::size_t implementation, Findings& findings) {
    std::vector<BlockTask> blocks;
    const auto& planned = task.checked.implementations[implementation].blocks;
    for (std::size_t b = 0; b < planned.size(); ++b) {
        const int known = planned[b].elements;
        blocks.push_back({b, known > 0 ? known : measured_elements(task, implementation, b, findings)});
    }
    std::stable_sort(blocks.begin(), blocks.end(),
                     [](const BlockTask& a, const BlockTask& b) { return a.elements < b.elements; });
    return blocks;
}

int most_planned_elements(const CheckedFunction& checked) {
    int most = 1;
    for (const CheckedImplementation& implementation : checked.implementations)
        for (const EnumeratedImplementation& block : implementation.blocks) most = std::max(most, block.elements);
    return most;
}

}  // namespace

Findings check_function(const FunctionTask& task) {
    Findings findings;
    std::vector<DataSet> data_sets = make_data_sets(task, most_planned_elements(task.checked), findings);
    for (std::size_t i = task.first_implementation; i < task.checked.implementations.size(); ++i) {
        const std::vector<BlockTask> blocks = blocks_of(task, i, findings);
        // Only an implementation without a good block serves more than was planned.
        if (blocks.back().elements > data_sets.front().elements)
            data_sets = make_data_sets(task, blocks.back().elements, findings);
        for (const BlockTask& block : blocks) {
            check_transfers(task, i, block.block, block.elements, findings);
            check_compute(task, i, block.block, block.elements, data_sets, findings);
        }
        task.keep(findings);
    }
    return findings;
}

}  // namespace kasc::libcheck
