#include "command/explain_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "basis/known_error.hpp"
#include "command/explain_page.hpp"
#include "command/run/block.hpp"
#include "command/run/flags.hpp"
#include "graph/statements.hpp"

namespace kasc::command {

namespace {

/// In kB, from the process that sends most.
double most_sent(const Program& program, const TransformStatement& renewal, const std::vector<long long>& extents,
                 const basis::Blocks& blocks) {
    std::uint64_t most = 0;
    for (int rank = 0; rank < blocks.count(); ++rank) {
        std::uint64_t sent = 0;
        for (const auto& p : execute::block_pieces(program, renewal.source, renewal.axes, extents, blocks, rank))
            sent += p.sends ? p.bytes * static_cast<std::uint64_t>(p.rows) : 0;
        most = std::max(most, sent);
    }
    return 1e-3 * static_cast<double>(most);
}

}  // namespace

Outcome<ExplainedBlocks> explain_blocks(const ExplainOptions& options, const CheckedProgram& grid,
                                        const std::vector<long long>& extents) {
    if (grid.device.kind != DeviceKind::cpu)
        return failure<ExplainedBlocks>(flag_fault(
            "K0927", "--basis local computes on CPUs, and this plan is for a GPU", {{{"--device"}, "give {} cpu"}}));
    const basis::BasisRequest request{*overlap_of(options.basis), blocks_asked(options.basis), options.ranks};
    auto blocks = basis::blocks_of(grid.program, extents, request);
    if (!blocks) return failure<ExplainedBlocks>(std::move(blocks.diagnostics));
    std::vector<double> parameters = known_parameters(grid.program);
    auto made = block_program(grid, extents, parameters, *blocks.value);
    if (!made) return failure<ExplainedBlocks>(std::move(made.diagnostics));
    const std::vector<long long> own = basis::block_extents(grid.program, extents, *blocks.value);
    std::string text =
        fmt::format("\nin {}\n{}overlaps renewed, from one process at most:\n",
                    basis::blocks_text(grid.program, extents, *blocks.value), basis::known_error_text(*blocks.value));
    const Program& program = made->local.program;
    statements::each_statement(program.statements, [&](const Statement& statement) {
        const auto* renewal = std::get_if<TransformStatement>(&statement);
        if (renewal == nullptr || renewal->direction != Direction::renew) return;
        text += fmt::format("  {:<22} {:.1f} kB\n", program.variables[renewal->source].name,
                            most_sent(program, *renewal, own, *blocks.value));
    });
    return success(ExplainedBlocks{std::move(made->checked), std::move(text)});
}

}  // namespace kasc::command
