#include "command/run/block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "basis/known_error.hpp"
#include "command/run/flags.hpp"
#include "command/run/results_of_blocks.hpp"
#include "command/run/transform_sizes.hpp"
#include "engine/binding.hpp"
#include "plan/series.hpp"
#include "ranks/shares.hpp"

namespace kasc::command {

Diagnostics check_blocks(const RunOptions& options, const Machine& machine) {
    const auto refused = [](std::string message, std::vector<FlagHelp> helps) {
        return Diagnostics{flag_fault("K0927", std::move(message), std::move(helps))};
    };
    if (!is_local(options.basis)) {
        if (options.basis.blocks.empty()) return {};
        return refused("--blocks are those of a local basis, and this one is global",
                       {{{"--blocks"}, "leave {} out"}, {{"--basis"}, "or give {} local and an overlap, as local:16"}});
    }
    if (machine.processes == nullptr)
        return refused("--basis local is of several processes, and this one is alone",
                       {{{"--basis"}, "start some, with mpirun -n 8, or leave {} out"}});
    if (machine.target != emit::Target::cpu)
        return refused("--basis local computes on CPUs, and this run is on a GPU",
                       {{{"--target"}, "give {} cpu"}, {{"--basis"}, "or leave {} out"}});
    if (!options.checkpoint.empty() || !options.restart.empty())
        return refused("--basis local runs to its end: blocks have no checkpoints",
                       {{{"--checkpoint", "--restart"}, "leave {} out"}, {{"--basis"}, "or leave {} out"}});
    if (!options.memory.empty())
        return refused("--basis local has whole series in memory",
                       {{{"--memory"}, "leave {} out"}, {{"--basis"}, "or leave {} out"}});
    if (options.tuned.wanted)
        return refused("plans that were tuned are of the grid, and blocks have a program of their own",
                       {{{"--tuned"}, "leave {} out"}, {{"--basis"}, "or leave {} out"}});
    return {};
}

Outcome<BlockProgram> block_program(const CheckedProgram& grid, const std::vector<long long>& extents,
                                    const std::vector<double>& parameters, const basis::Blocks& blocks) {
    auto local = basis::local_program(grid.program, blocks, extents, parameters);
    if (!local) return failure<BlockProgram>(std::move(local.diagnostics));
    auto graph = build_graph(local->program);
    if (!graph) return failure<BlockProgram>(std::move(graph.diagnostics));
    BlockProgram made{*std::move(local.value), grid};
    made.checked.program = made.local.program;
    made.checked.graph = *std::move(graph.value);
    set_sizes(made.checked, basis::block_extents(grid.program, extents, blocks));
    made.checked.problem.parameters.resize(made.local.program.parameters.size(), NAN);
    return success(std::move(made));
}

Outcome<std::unique_ptr<Block>> Block::make(const BasisOptions& options, const CheckedProgram& grid,
                                            const RunBinding& bound, runtime::Communicator& processes) {
    using Made = std::unique_ptr<Block>;
    const basis::BasisRequest request{*overlap_of(options), blocks_asked(options), processes.ranks()};
    auto blocks = basis::blocks_of(grid.program, bound.extents, request);
    if (!blocks) return failure<Made>(std::move(blocks.diagnostics));
    auto program = block_program(grid, bound.extents, bound.parameters, *blocks.value);
    if (!program) return failure<Made>(std::move(program.diagnostics));
    Made made(new Block(grid.program, bound, *std::move(program.value), *std::move(blocks.value), processes));
    Diagnostics said = check_transform_sizes(made->checked_.program, made->bound_.extents);
    return success(std::move(made), std::move(said));
}

Block::Block(const Program& grid, const RunBinding& bound, BlockProgram made, basis::Blocks blocks,
             runtime::Communicator& processes)
    : program_(grid),
      grid_(bound),
      local_(std::move(made.local)),
      run_{processes, std::move(blocks)},
      checked_(std::move(made.checked)) {
    bound_.extents = checked_.problem.extents;
    bound_.parameters = basis::block_parameters(local_, run_.blocks, processes.rank(), grid_.parameters);
    bound_.face = interface_of(local_.program, checked_.library);
}

void Block::settle(const HostPlan& plan) {
    bound_.loops = outermost_loops(checked_.program, plan, bound_.parameters, bound_.extents);
    bound_.series = series_of(checked_.program);
    bound_.rows.assign(bound_.series.size(), 0);
}

std::vector<long long> Block::ends_of(VariableId variable) const {
    const auto& axes = field_shape(program_, variable).axes;
    const auto is_cut = [&](AxisId axis) { return run_.blocks.find(axis) != nullptr; };
    if (std::none_of(axes.begin(), axes.end(), is_cut)) return {};
    return ranks::cut_cells(grid_.extents.at(axes.back().index), run_.processes.ranks());
}

FileParts Block::parts() const {
    execute::ProcessArrays arrays;
    for (const auto* variables : {&program_.inputs, &program_.outputs}) {
        for (const VariableId v : *variables) {
            if (auto ends = ends_of(v); !ends.empty()) arrays.ends[v] = std::move(ends);
        }
    }
    return file_parts(program_, arrays, run_.processes.rank(), grid_.surveyed, grid_.input_rows());
}

// ---- inputs ---------------------------------------------------------------------------------------------------------

Diagnostics Block::load() {
    inputs_.resize(program_.inputs.size());
    bound_.inputs.arrays.clear();
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
        if (Diagnostics bad = load_input(i); has_errors(bad)) return bad;
    }
    for (std::size_t j = 0; j < bound_.face.outputs.size(); ++j) {
        const runtime::ArrayInterface& array = bound_.face.outputs[j];
        const auto cells = runtime::cell_count(expected_shape(bound_.face, array, bound_.extents)).value_or(1);
        results_.emplace_back(cells * runtime::word_bytes(array.type));
        bound_.results.push_back(results_.back().data());
    }
    return {};
}

/// Rows of the grid's array are read as they are needed: two times, where the block goes round the grid's end.
Diagnostics Block::load_input(std::size_t input) {
    std::vector<bool> wanted(program_.inputs.size(), false);
    wanted[input] = true;
    const auto& axes = field_shape(program_, program_.inputs[input]).axes;
    std::vector<long long> whole, own;
    for (const AxisId axis : axes) {
        whole.push_back(grid_.extents.at(axis.index));
        own.push_back(bound_.extents.at(axis.index));
    }
    if (whole == own) {
        auto loaded = runtime::load_inputs(grid_.surveyed, grid_.face, wanted);
        if (!loaded) return loaded.diagnostics;
        bound_.inputs.arrays.push_back(loaded->arrays.at(input));
        whole_.push_back(*std::move(loaded.value));
        return {};
    }
    BoxRuns runs = with_overlaps(axes, grid_.extents, run_.blocks, run_.processes.rank());
    const std::vector<AxisRun> outermost = runs.back();
    const FileParts parts = this->parts();
    const runtime::ArrayInterface& array = grid_.face.inputs[input];
    inputs_[input].resize(static_cast<std::size_t>(cells_of(own)) * runtime::word_bytes(array.type));
    for (const AxisRun& rows : outermost) {
        runtime::HeldArrays held(program_.inputs.size());
        if (parts.inputs.at(input))
            held[input] = {static_cast<std::uint64_t>(rows.from), static_cast<std::uint64_t>(rows.cells)};
        const auto loaded = runtime::load_inputs(grid_.surveyed, grid_.face, wanted, held);
        if (!loaded) return loaded.diagnostics;
        runs.back() = {rows};
        copy_box(runs, runtime::word_bytes(array.type),
                 static_cast<const std::byte*>(loaded->arrays.at(input).values.data()), whole, inputs_[input].data(),
                 own);
    }
    bound_.inputs.arrays.push_back({array.name,
                                    expected_shape(bound_.face, array, bound_.extents),
                                    {array.type, inputs_[input].data(), static_cast<std::size_t>(cells_of(own))}});
    return {};
}

// ---- results --------------------------------------------------------------------------------------------------------

void Block::bring_results(const std::vector<void*>& outputs) const {
    for (std::size_t j = 0; j < program_.outputs.size(); ++j) {
        const basis::BlockOutput& of = local_.outputs.at(j);
        BlockResult result;
        for (const AxisId axis : field_shape(program_, program_.outputs[j]).axes) {
            result.lengths.push_back(grid_.extents.at(axis.index));
            result.block_lengths.push_back(bound_.extents.at(axis.index));
        }
        result.cut = of.cut;
        result.cell_bytes = runtime::word_bytes(bound_.face.outputs[j].type);
        result.values = results_[j].data();
        if (of.own) {
            const std::vector<std::byte>& own = results_.at(*of.own);
            result.own = reinterpret_cast<const std::int32_t*>(own.data());
            result.own_axes = of.own_axes;
        }
        result.ends = ends_of(program_.outputs[j]);
        bring_result(result, run_, static_cast<std::byte*>(outputs.at(j)));
    }
}

std::string Block::text() const {
    return fmt::format("in {}\n{}", basis::blocks_text(program_, grid_.extents, run_.blocks),
                       basis::known_error_text(run_.blocks));
}

}  // namespace kasc::command
