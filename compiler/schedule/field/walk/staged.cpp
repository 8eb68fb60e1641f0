// A block of cells of a row, one a thread, whose words pass through shared memory. Four words of a cell:
//
//   memory         a0 a1 a2 a3 b0 b1 b2 b3 c0 …        all threads, word after word
//   shared memory  a0 a1 a2 a3 -- b0 b1 b2 b3 -- …     an odd pitch: threads beside each other meet different banks
//   thread 0       a0 a1 a2 a3
//
// Results go the same way back. Without it each access of a warp takes a line for each few of its words, and stores
// sectors in part.
#include "schedule/field/walk/staged.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "graph/field_target.hpp"
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

using namespace block;

/// Words of a cell of such a field; 0: it lies in no such way, or its words are no words of registers.
int words_of_cell(const FieldShape& shape, const FieldPlan& plan, const Program& program) {
    if (shape.type != CellType::float32 && shape.type != CellType::float64 && shape.type != CellType::int32) return 0;
    const std::size_t beyond = static_cast<std::size_t>(
        std::find(shape.axes.begin(), shape.axes.end(), plan.axes.front()) - shape.axes.begin());
    if (beyond == 0 || beyond == shape.axes.size()) return 0;
    long long words = 1;
    constexpr long long most_words = 128;  // 64 cells of so many are 32 KB
    for (std::size_t k = 0; k < beyond; ++k) {
        const auto length = declared_length(program.axes[shape.axes[k]]);
        const bool walked = std::find(plan.axes.begin(), plan.axes.end(), shape.axes[k]) != plan.axes.end();
        if (!length || walked || words * *length > most_words) return 0;
        words *= *length;
    }
    return words > 1 ? static_cast<int>(words) : 0;
}

/// Its word is stored at every cell, whatever the cell is.
bool stores_everywhere(const FieldCall& call) {
    const auto keeps = [](const KeptLayers& layers) { return layers != KeptLayers{}; };
    return !call.statement->where && !call.statement->fold && !call.statement->adding && !call.merges &&
           call.fixed.empty() && !is_computed(call.target) && std::none_of(call.kept.begin(), call.kept.end(), keeps);
}

class Staged : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice& c, std::size_t) const override {
        if (std::string fault = no_loop_fault(c); !fault.empty()) return fault;
        if (c.threads_y != 1 || c.threads_z != 1) return "cells whose words pass through shared memory are of one row";
        if (c.vector != 1 || c.rows != 1) return "threads whose words pass through shared memory compute one cell";
        if (c.neighbours != Neighbours::registers) return "a block has words of its own cells in shared memory alone";
        if (c.borders == Borders::uniform) return "cells of a row test for themselves";
        return {};
    }
    std::string fault(const FieldChoice&, const FieldWork&, const FusionFaults& faults) const override {
        return faults.words;
    }

    WalkParts parts(const FieldSchedule& schedule, const Program& program, const Graph& graph) const override {
        return StagedParts{staged_fields(schedule.plan(), program, graph)};
    }

    BlockProgram block(const FieldSchedule& schedule, const Program& program, const Graph&) const override {
        BlockProgram made;
        Step fill = fill_step(), cells = cells_step(), drain{StepKind::store, "store", "the store", "stored"};
        const int threads = schedule.choice.threads_x;
        for (const StagedField& field : std::get<StagedParts>(schedule.parts).fields) {
            const std::size_t region = made.regions.size();
            const Variable& variable = program.variables[field.variable];
            const TilePitch pitch{field.words, 1 - field.words % 2};
            AddressSet own;
            for (int t = 0; t < threads; ++t) own.start.push_back(pitch.at(t * field.words));
            for (int w = 0; w < field.words; ++w) own.offsets.push_back(w);
            made.regions.push_back({variable.name + (field.stored ? "_out" : "_in"), Residence::shared,
                                    pitch.at(threads * field.words), 1,
                                    static_cast<int>(cell_bytes(std::get<FieldShape>(variable.shape).type)),
                                    "the words of the block's cells", pitch});
            (field.stored ? drain : fill)
                .touches.push_back({region, 0, !field.stored, nullptr, {}, threads * field.words});
            cells.touches.push_back({region, 0, field.stored, std::make_shared<const AddressSet>(std::move(own))});
        }
        if (!fill.touches.empty()) made.steps.push_back(std::move(fill));
        made.steps.push_back(std::move(cells));
        if (!drain.touches.empty()) made.steps.push_back(std::move(drain));
        return with_barriers(std::move(made));
    }
};

}  // namespace

std::optional<int> word_of_cell(const std::vector<FieldIndex>& indices, const FieldShape& shape,
                                const Program& program) {
    int word = 0, pitch = 1;
    bool in_cell = true;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        if (const auto* moving = std::get_if<Moving>(&indices[k])) {
            if (moving->step != 0) return std::nullopt;
            in_cell = false;
            continue;
        }
        if (!in_cell) return std::nullopt;  // a layer of the cells
        const auto* absolute = std::get_if<Absolute>(&indices[k]);
        const auto* number = absolute ? std::get_if<Literal>(&absolute->position->node) : nullptr;
        const auto length = declared_length(program.axes[shape.axes[k]]);
        if (!number || !length) return std::nullopt;
        word += static_cast<int>(number->value) * pitch;
        pitch *= static_cast<int>(*length);
    }
    return word;
}

std::vector<StagedField> staged_fields(const FieldPlan& plan, const Program& program, const Graph& graph) {
    if (plan.axes.empty() || !plan.parts.empty()) return {};
    std::map<std::pair<ValueId, bool>, std::set<int>> words;  // by value, and whether it is stored
    std::set<ValueId> in_part;                                // stored, but not everywhere
    for (const FieldCall& call : plan.calls) {
        for (const FieldRead& read : call.reads) {
            const FieldShape& shape = field_shape(program, graph.values[read.value].variable);
            if (read.producer || words_of_cell(shape, plan, program) == 0) continue;
            if (const auto word = word_of_cell(read.indices, shape, program)) words[{read.value, false}].insert(*word);
        }
        const FieldShape& shape = field_shape(program, graph.values[call.value].variable);
        if (!call.stored || words_of_cell(shape, plan, program) == 0) continue;
        const auto word = word_of_cell(call.target, shape, program);
        if (word && stores_everywhere(call))
            words[{call.array, true}].insert(*word);
        else
            in_part.insert(call.array);
    }
    std::vector<StagedField> fields;
    for (const auto& [of, found] : words) {
        const auto& [value, stored] = of;
        const VariableId variable = graph.values[value].variable;
        const int all = words_of_cell(field_shape(program, variable), plan, program);
        const auto count = static_cast<int>(found.size());
        if (count == all && !(stored && in_part.contains(value))) fields.push_back({value, variable, all, stored});
    }
    return fields;
}

std::string staged_fault(const FieldPlan& plan, const Program& program, const Graph& graph) {
    return staged_fields(plan, program, graph).empty() ? "no field has all words of a cell beside each other in memory"
                                                       : "";
}

const FieldWalk& staged_walk() {
    static const Staged walk;
    return walk;
}

}  // namespace kasc
