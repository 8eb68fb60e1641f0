// What a choice asks of a fusion: a block that a device has, a walk that the axes allow, groups of cells that lie side
// by side in memory.
#include "schedule/field/choice_fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "graph/field_target.hpp"
#include "schedule/field/last_block.hpp"
#include "schedule/field/walk/staged.hpp"
#include "schedule/field/walk/warp.hpp"

namespace kasc {

namespace {

constexpr int most_threads = 1024;  // CUDA's limit, a block
/// On either side of a thread's own, of a window's row.
constexpr int most_groups_beside = 16;
constexpr int most_threads_z = 64;  // CUDA's limit, the third dimension of a block
constexpr int most_rows = 8;        // beyond, registers are spilled for any stencil with a source

std::string block_fault(const FieldWalk& walk, const FieldChoice& c, std::size_t axes) {
    if (c.threads_x < 1 || c.threads_y < 1 || c.threads_z < 1 || c.chunk < 1) return "a block without threads";
    const bool alone = walk.threads(c) == 1;  // what follows bounds threads, and cells of a tile are none
    if (!alone && (c.threads_x > most_threads || c.threads_y > most_threads || c.threads_z > most_threads ||
                   walk.threads(c) > most_threads))
        return fmt::format("more than {} threads a block", most_threads);
    if (c.threads_z > most_threads_z) return fmt::format("more than {} threads along the third axis", most_threads_z);
    if (axes < 2 && c.threads_y != 1) return "no second axis for the block";
    if (axes < 3 && c.threads_z != 1) return "no third axis for the block";
    return {};
}

std::string thread_fault(const FieldChoice& c, std::size_t axes) {
    if (c.vector != 1 && c.vector != 2 && c.vector != 4 && c.vector != 8) return "vectors are of 1, 2, 4 or 8 cells";
    if (c.rows < 1 || c.rows > most_rows) return fmt::format("a thread computes 1 to {} rows", most_rows);
    if (axes < 2 && c.rows != 1) return "no second axis for rows";
    if (axes == 0 && (c.threads_x != 1 || c.vector != 1)) return "a kernel of one cell has one thread";
    if (axes == 0 && c.borders != Borders::cell) return "a kernel of one cell has no borders";
    return {};
}

/// Groups, of one cell too where neighbours are shared, need the first axis to be contiguous wherever memory is touched
/// along it. `who`: vectors or shared neighbours.
std::string layout_fault(const std::string& who, const FieldPlan& plan, const Program& program, const Graph& graph) {
    const auto contiguous = [](const std::vector<FieldIndex>& indices) {
        for (std::size_t k = 1; k < indices.size(); ++k) {
            const auto* moving = std::get_if<Moving>(&indices[k]);
            if (moving && moving->axis == 0) return false;
        }
        return true;
    };
    const auto fault = [&](ValueId value) {
        return fmt::format("{} along {} need it contiguous in {}", who, program.axes[plan.axes[0]].name,
                           value_name(graph, program, value));
    };
    for (const FieldCall& call : plan.calls) {
        for (const FieldRead& r : call.reads) {
            if (!contiguous(r.indices)) return fault(r.value);
        }
        if (call.former && !contiguous(call.former->indices)) return fault(call.former->value);
        if (call.stored && !contiguous(call.target)) return fault(call.value);
    }
    return {};
}

std::string group_fault(const FieldPlan& plan, const Program& program, const Graph& graph) {
    for (const FieldCall& call : plan.calls) {
        if (is_listed(*call.statement) || call.statement->adding)
            return fmt::format("the cells of {} in a list do not lie side by side",
                               value_name(graph, program, call.value));
        if (updates_some_cells(*call.statement))
            return fmt::format("a group would load cells of {} of its own colour, which other threads write",
                               value_name(graph, program, call.value));
    }
    return {};
}

std::string complex_fault(const FieldPlan& plan, const Program& program, const Graph& graph) {
    for (const FieldCall& call : plan.calls) {
        const bool stores_complex = is_complex(field_shape(program, call.statement->target).type);
        if (stores_complex || computes_complex(*call.statement->value))
            return fmt::format("complex cells are read and written one at a time: {}",
                               value_name(graph, program, call.value));
    }
    return {};
}

/// Eight cells of 16 bits are 16 bytes, one access. Columns and tiles of so many are slower than grids of fewer.
std::string wide_fault(const FieldChoice& choice, const FieldWork& work) {
    if (choice.vector <= 4) return {};
    if (access_cells(work) < choice.vector) return "vectors of 8 cells are of fields of 16 bits or fewer";
    if ((choice.walk != Walk::grid && choice.walk != Walk::histogram) || choice.neighbours == Neighbours::shared)
        return "vectors of 8 cells are of grids with their neighbours in registers";
    return {};
}

/// A group loads one more group on either side; where cells at the ends of rows have a path of their own, several.
int reach_of(const FieldChoice& choice, const FieldWork& work) {
    const bool inside = work.edges && row_ends(work, choice) == RowEnds::edge_path;
    const bool walks = choice.walk == Walk::grid || choice.walk == Walk::column;
    return inside && walks && choice.neighbours != Neighbours::shared ? most_groups_beside * choice.vector
                                                                      : choice.vector;
}
std::string reach_fault(const FieldChoice& choice, const FieldWork& work, const Program& program, const Graph& graph) {
    const int reach = reach_of(choice, work);
    for (const ValueAt& load : work.loads) {
        if (std::abs(load.offset[0]) > reach) {
            return fmt::format("vectors of {} reach {} cells, {} is read at {}", choice.vector, reach,
                               value_name(graph, program, load.value), load.offset[0]);
        }
    }
    return {};
}

/// Why no block may have copies of the cells to which entries add.
std::string copies_fault(const FieldPlan& plan, const Program& program) {
    const auto adds = [&](const FieldCall& call) { return adds_in_any_order(program, *call.statement); };
    if (std::none_of(plan.calls.begin(), plan.calls.end(), adds)) return "no entries add integers to cells";
    return {};
}

/// Why entries are not added in groups: a group loads what its cells read whole, and stores each addition by itself.
std::string copies_of_groups_fault(const FieldPlan& plan, const Program& program, const Graph& graph) {
    for (const FieldCall& call : plan.calls) {
        const std::string name = value_name(graph, program, call.value);
        if (!adds_in_any_order(program, *call.statement)) continue;
        if (field_shape(program, call.statement->target).keeps_layers())
            return fmt::format("layers of {} are kept: entries are looked at one by one", name);
        for (std::size_t k = 0; k < call.reads.size(); ++k)
            if (k != call.statement->adding->running &&
                graph.values[call.reads[k].value].variable == call.statement->target)
                return fmt::format("entries read {}, to which others add", name);
    }
    return {};
}

/// Each cell of the kernel's axes is stored, from what lies at the cell itself.
bool at_own_cells(const FieldWork& work) {
    const auto whole = [&](const FieldStore& store) {
        const auto& stored = work.stored_at_cell;
        return !store.former && std::find(stored.begin(), stored.end(), store.value) != stored.end();
    };
    return !reads_neighbours(work) && std::all_of(work.stores.begin(), work.stores.end(), whole);
}

}  // namespace

FusionFaults fusion_faults(const FieldWork& work, const Program& program, const Graph& graph) {
    const FieldPlan& plan = work.plan;
    FusionFaults faults{group_fault(plan, program, graph),
                        complex_fault(plan, program, graph),
                        layout_fault("vectors", plan, program, graph),
                        layout_fault("shared neighbours", plan, program, graph),
                        layout_fault("exchanged neighbours", plan, program, graph),
                        0,
                        copies_fault(plan, program),
                        copies_of_groups_fault(plan, program, graph),
                        has_words_to_exchange(work, program, graph),
                        staged_fault(work.plan, program, graph),
                        at_own_cells(work)};
    for (const ValueAt& load : work.loads) {
        if (!load.offset.empty()) faults.reach = std::max(faults.reach, std::abs(load.offset[0]));
    }
    return faults;
}

std::string choice_fault(const FieldChoice& choice, const FieldWork& work, const FusionFaults& faults,
                         const Program& program, const Graph& graph) {
    const FieldWalk& walk = walk_of(work, choice.walk);
    const std::size_t axes = work.plan.axes.size();
    if (std::string fault = block_fault(walk, choice, axes); !fault.empty()) return fault;
    if (std::string fault = walk.numbers_fault(choice, axes); !fault.empty()) return fault;
    if (std::string fault = thread_fault(choice, axes); !fault.empty()) return fault;
    if (std::string fault = walk.fault(choice, work, faults); !fault.empty()) return fault;
    if (choice.launch == KernelLaunch::last) {
        if (std::string fault = last_block_fault(work); !fault.empty()) return fault;
    }
    const bool adds = std::any_of(work.plan.calls.begin(), work.plan.calls.end(),
                                  [](const FieldCall& call) { return call.statement->adding.has_value(); });
    const bool copies = choice.walk == Walk::histogram;
    if (adds && choice.walk != Walk::grid && choice.walk != Walk::row && !copies)
        return "entries of a list are added thread by thread";
    if (choice.borders == Borders::mapped && !work.edges) return "no cell reads beyond the grid: nothing is mapped";
    const bool tile = choice.neighbours == Neighbours::shared, vectors = choice.vector > 1;
    if (choice.borders == Borders::mapped && tile) return "a mapped cell does not look into its block's tile";
    if ((vectors || choice.rows > 1 || tile) && !faults.groups.empty() && !copies) return faults.groups;
    if (!vectors && !tile) return {};
    if (!faults.side_by_side.empty()) return faults.side_by_side;
    if (std::string fault = wide_fault(choice, work); !fault.empty()) return fault;
    if (const std::string& fault = vectors ? faults.vectors : faults.tile; !fault.empty()) return fault;
    return vectors && faults.reach > choice.vector ? reach_fault(choice, work, program, graph) : std::string();
}

}  // namespace kasc
