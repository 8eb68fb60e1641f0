// What a choice asks of a fusion: a block that a device has, a walk that the axes allow, groups of cells that lie side
// by side in memory.
#include "schedule/field/choice_fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "graph/field_target.hpp"
#include "schedule/field/warp.hpp"

namespace kasc {

namespace {

constexpr int most_threads = 1024;               // CUDA's limit, a block
constexpr int most_threads_z = 64;               // CUDA's limit, the third dimension of a block
constexpr int most_rows = 8, most_unrolled = 8;  // beyond, registers are spilled for any stencil with a source

std::string block_fault(const FieldChoice& c, std::size_t axes) {
    if (c.threads_x < 1 || c.threads_y < 1 || c.threads_z < 1 || c.chunk < 1) return "a block without threads";
    if (c.walk == Walk::row) {
        if (c.threads_z != 1) return "a tile of rows lies in one plane";
    } else if (c.threads_x > most_threads || c.threads_y > most_threads || c.threads_z > most_threads ||
               c.threads_x * c.threads_y * c.threads_z > most_threads) {
        return fmt::format("more than {} threads a block", most_threads);
    }
    if (c.threads_z > most_threads_z) return fmt::format("more than {} threads along the third axis", most_threads_z);
    if (axes < 2 && c.threads_y != 1) return "no second axis for the block";
    if (axes < 3 && c.threads_z != 1) return "no third axis for the block";
    return {};
}

std::string unroll_fault(const FieldChoice& c) {
    const bool may = c.unroll >= 1 && c.unroll <= most_unrolled;
    return may ? std::string() : fmt::format("a loop is unrolled 1 to {} times", most_unrolled);
}

std::string warp_fault(const FieldChoice& c, std::size_t axes) {
    if (axes < 2 || axes > 3) return "a warp walks along rows of planes: two or three axes";
    if (c.threads_x % warp_threads != 0)
        return fmt::format("a block of warps has multiples of {} threads", warp_threads);
    if (c.threads_y != 1 || c.threads_z != 1) return "warps that walk along rows stand side by side on one";
    if (c.rows != 1) return "a warp walks along the rows";
    if (c.neighbours != Neighbours::registers) return "a warp has neighbours in the registers of its threads";
    if (c.borders != Borders::cell) return "threads of a warp exchange words before each tests its own cells";
    return unroll_fault(c);
}

std::string walk_fault(const FieldChoice& c, std::size_t axes) {
    if (c.walk == Walk::column) {
        if (axes < 2 || axes > 3) return "a column walk needs two or three axes";
        if (axes == 2 && c.threads_y != 1) return "a column over two axes is one row of threads";
        if (axes == 2 && c.rows != 1) return "a column over two axes walks along the rows";
        if (c.threads_z != 1) return "a column walks along the third axis";
        return unroll_fault(c);
    }
    if (c.walk == Walk::warp) return warp_fault(c, axes);
    if (c.chunk != 1 || c.unroll != 1) return "only a column or a warp walks along an axis";
    if (c.walk == Walk::flat) {
        if (axes < 2 || axes > 3) return "threads are counted through the rows of planes: two or three axes";
        if (c.threads_y != 1 || c.threads_z != 1) return "threads that are counted through rows are one row of threads";
        if (c.vector != 1 || c.rows != 1) return "threads that are counted through rows compute one cell";
        if (c.neighbours != Neighbours::registers) return "cells of a piece of rows have no tile to share";
        if (c.borders == Borders::uniform) return "a piece of rows is never in the interior";
    }
    if (c.walk == Walk::stored && (c.vector != 1 || c.rows != 1 || c.borders != Borders::cell))
        return "a transform stores one cell at a time";
    if (c.neighbours == Neighbours::cache) return "a grid reads each neighbour once: into registers";
    return {};
}

std::string thread_fault(const FieldChoice& c, std::size_t axes) {
    if (c.vector != 1 && c.vector != 2 && c.vector != 4) return "vectors are of 1, 2 or 4 cells";
    if (c.rows < 1 || c.rows > most_rows) return fmt::format("a thread computes 1 to {} rows", most_rows);
    if (c.walk == Walk::row && c.vector != 1) return "rows are left to the compiler to vectorise";
    if (c.walk == Walk::row && (c.rows != 1 || c.neighbours != Neighbours::registers || c.borders != Borders::cell))
        return "rows have no choice but the size of their tile";
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
        if (is_listed(*call.statement))
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

/// A group loads one more group on either side.
std::string reach_fault(const FieldChoice& choice, const FieldSchedule& schedule, const Program& program,
                        const Graph& graph) {
    for (const ValueAt& load : schedule.loads) {
        if (std::abs(load.offset[0]) > choice.vector) {
            return fmt::format("vectors of {} reach {} cells, {} is read at {}", choice.vector, choice.vector,
                               value_name(graph, program, load.value), load.offset[0]);
        }
    }
    return {};
}

/// Each cell of the kernel's axes is stored, from what lies at the cell itself.
bool at_own_cells(const FieldSchedule& schedule) {
    const auto own = [](const ValueAt& load) {
        return std::all_of(load.offset.begin(), load.offset.end(), [](int o) { return o == 0; });
    };
    const auto whole = [&](const FieldStore& store) {
        const auto& stored = schedule.stored_at_cell;
        return !store.former && std::find(stored.begin(), stored.end(), store.value) != stored.end();
    };
    return std::all_of(schedule.loads.begin(), schedule.loads.end(), own) &&
           std::all_of(schedule.stores.begin(), schedule.stores.end(), whole);
}

}  // namespace

FusionFaults fusion_faults(const FieldPlan& plan, const FieldSchedule& schedule, const Program& program,
                           const Graph& graph) {
    FusionFaults faults{group_fault(plan, program, graph),
                        complex_fault(plan, program, graph),
                        layout_fault("vectors", plan, program, graph),
                        layout_fault("shared neighbours", plan, program, graph),
                        layout_fault("exchanged neighbours", plan, program, graph),
                        0,
                        has_words_to_exchange(schedule, program, graph),
                        at_own_cells(schedule)};
    for (const ValueAt& load : schedule.loads) {
        if (!load.offset.empty()) faults.reach = std::max(faults.reach, std::abs(load.offset[0]));
    }
    return faults;
}

std::string choice_fault(const FieldChoice& choice, const FusionFaults& faults, const FieldSchedule& schedule,
                         const Program& program, const Graph& graph) {
    const std::size_t axes = schedule.axes.size();
    if (std::string fault = block_fault(choice, axes); !fault.empty()) return fault;
    if (std::string fault = walk_fault(choice, axes); !fault.empty()) return fault;
    if (std::string fault = thread_fault(choice, axes); !fault.empty()) return fault;
    if (choice.walk == Walk::stored && (schedule.edges || schedule.margin > 0 || !faults.at_own_cells))
        return "a transform stores one cell at a time";
    if (choice.borders == Borders::mapped && !schedule.edges) return "no cell reads beyond the grid: nothing is mapped";
    const bool tile = choice.neighbours == Neighbours::shared, vectors = choice.vector > 1;
    if (choice.borders == Borders::mapped && tile) return "a mapped cell does not look into its block's tile";
    const bool warps = choice.walk == Walk::warp;
    if ((vectors || choice.rows > 1 || tile || warps) && !faults.groups.empty()) return faults.groups;
    if (!vectors && !tile && !warps) return {};
    if (!faults.side_by_side.empty()) return faults.side_by_side;
    if (const std::string& fault = vectors ? faults.vectors : warps ? faults.warps : faults.tile; !fault.empty())
        return fault;
    if (warps && !faults.exchanges) return "no cell beside is read: a warp has nothing to exchange";
    if (warps && warp_piece(schedule, choice).cells == 0) return "more than half of a warp would compute nothing";
    return vectors && faults.reach > choice.vector ? reach_fault(choice, schedule, program, graph) : std::string();
}

}  // namespace kasc
