// Words in which the blocks of kernels count themselves: one a kernel, zero before its first launch, and left so by the
// last block of each.
#include "emit/run_printer.hpp"

namespace kasc::emit {

void RunPrinter::name_counts() {
    for (std::size_t k = 0; k < c_.plan.kernels.size(); ++k) {
        const kernel::Lowered& lowered = c_.plan.kernels[k];
        if (counts_blocks(lowered)) finished_[k] = scope_.fresh(lowered.alternatives.front().name + "_finished");
    }
}

void RunPrinter::declare_counts() {
    for (const auto& [kernel, word] : finished_)
        out_.line("kasc_memory::array<int> {} = {{}};  // blocks that have finished", word);
}

void RunPrinter::take_counts() {
    for (const auto& [kernel, word] : finished_) {
        out_.line("{0} = memory.take<int>(\"{0}\", 1);", word);
        out_.line("memory.zero({}, 1);", word);
    }
}

}  // namespace kasc::emit
