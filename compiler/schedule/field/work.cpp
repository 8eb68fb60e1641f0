// From the stores back to memory. Every stored call is evaluated at the cell itself; each of its operands that a call
// of the fusion produces is evaluated at the cell plus the operand's step, and so on, until all that is left are loads:
//
//   v = f(w)                   stores u             evaluations  v(-1) v(+1) u(0)      loads  w(-1) w(+1)
//   u = v[-1] + v[1]                                reach 1, interior [1, n - 1)
//
// Near the edge of the grid a step may be mapped, and steps no longer add up; the bound on recomputation holds for what
// the edge path has to evaluate too.
#include "schedule/field/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "graph/field_target.hpp"
#include "search/legality.hpp"
#include "search/prologue.hpp"

namespace kasc {

bool ValueAt::at_cell() const {
    return std::all_of(offset.begin(), offset.end(), [](int o) { return o == 0; });
}

bool reads_neighbours(const FieldWork& work) {
    return !std::all_of(work.loads.begin(), work.loads.end(), [](const ValueAt& load) { return load.at_cell(); });
}

namespace {

/// More than this many evaluations a cell are refused: a hundred times the arithmetic of an unfused kernel has never
/// paid for the traffic it saves, and emitted code stays of a size that a compiler digests.
constexpr std::size_t max_evaluations = 400;

class WorkFinder {
public:
    WorkFinder(const Program& program, const Graph& graph, FieldWork& work)
        : program_(program), graph_(graph), plan_(work.plan), work_(work) {
        const std::size_t n = plan_.axes.size();
        work_.reach_low.assign(n, 0);
        work_.reach_high.assign(n, 0);
        work_.interior_low.assign(n, 0);
        work_.interior_high.assign(n, 0);
    }

    std::string run() {
        CellPrograms programs(program_, graph_, plan_);
        const CellProgram any = programs.of({Path::interior, 1, false, false, true}, {}, max_evaluations);
        auto edge = std::make_shared<CellProgram>(programs.of({Path::edge}, {}, max_evaluations));
        if (any.computed.size() > max_evaluations || edge->computed.size() > max_evaluations) {
            return fmt::format("recomputation: more than {} evaluations a cell", max_evaluations);
        }
        take_values(any);
        for (const CellValue& value : edge->values) {
            // Steps that cancel each other in the interior, z + 1 and z - 1, do not where a face mirrors the first.
            if (value.read != nullptr && !kasc::is_own(edge->at(value))) elsewhere_at_faces_.insert(value.value);
        }
        work_.edge = std::move(edge);
        for (const FieldCall& call : plan_.calls)
            if (call.stored) add_store(call);
        find_margin();
        find_edges();
        find_widest();
        find_overwrites();
        work_.visited = visited_ranges(plan_);
        return {};
    }

private:
    const Program& program_;
    const Graph& graph_;
    const FieldPlan& plan_;
    FieldWork& work_;
    std::map<ValueId, const char*> read_elsewhere_;  ///< than at the cell itself: how
    std::set<ValueId> elsewhere_at_faces_;           ///< read so by cells that take the edge path

    void take_values(const CellProgram& program) {
        for (const std::uint32_t computed : program.computed) {
            const CellValue& value = program.values[computed];
            const FieldCall& call = plan_.calls[value.call];
            const std::vector<int> offset = sums(program.at(value));
            reach(offset);
            keep_out(call, offset);
            // Away from the cell, layers that the call keeps show its former value.
            if (call.former && !is_own(offset)) read_elsewhere_.try_emplace(call.former->value, "at neighbours");
            work_.evaluations.push_back({call.node, offset});
        }
        std::set<ValueAt> loads;
        for (const CellValue& value : program.values) {
            if (value.read == nullptr) continue;
            const std::vector<int> offset = sums(program.at(value));
            reach(offset);
            note_elsewhere(*value.read, offset);
            loads.insert({value.value, offset});
        }
        work_.loads.assign(loads.begin(), loads.end());
    }

    [[nodiscard]] static bool is_own(const std::vector<int>& offset) {
        return std::all_of(offset.begin(), offset.end(), [](int o) { return o == 0; });
    }

    void note_elsewhere(const FieldRead& r, const std::vector<int>& offset) {
        const std::vector<AxisId>& axes = field_shape(program_, graph_.values[r.value].variable).axes;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            const bool walked = std::find(plan_.axes.begin(), plan_.axes.end(), axes[k]) != plan_.axes.end();
            if (std::holds_alternative<Computed>(r.indices[k]))
                read_elsewhere_.try_emplace(r.value, "at positions that cells compute");
            else if (walked && std::holds_alternative<Absolute>(r.indices[k]))
                read_elsewhere_.try_emplace(r.value, "at one position by all cells");
        }
        if (!is_own(offset)) read_elsewhere_.try_emplace(r.value, "at neighbours");
    }

    /// A whole field whose former version is read at the cell itself only is stored over it: no other thread reads the
    /// word, and a thread stores after all it reads.
    void find_overwrites() {
        if (work_.edges) {
            for (const ValueId value : elsewhere_at_faces_) read_elsewhere_.try_emplace(value, "at neighbours");
        }
        if (folds_both_ways(plan_)) {
            for (const ValueId value : work_.fusion.inputs)
                read_elsewhere_.try_emplace(value, "by threads that have no cell of a tile at the end of the grid");
        }
        if (std::any_of(plan_.calls.begin(), plan_.calls.end(),
                        [](const FieldCall& c) { return c.statement->adding; })) {
            for (const ValueId value : work_.fusion.inputs)
                read_elsewhere_.try_emplace(value, "at other entries of its cell");
        }
        for (const ValueId value : work_.fusion.inputs) {
            if (!read_elsewhere_.contains(value)) work_.read_at_cell.push_back(value);
        }
        for (const FieldCall& call : plan_.calls) {
            if (!call.stored || call.statement->where || call.statement->adding || !call.fixed.empty() ||
                call.statement->fold)
                continue;
            if (call.target.size() != plan_.cell_rank() || is_computed(call.target)) continue;
            work_.stored_at_cell.push_back(call.value);
            for (const ValueId former : work_.fusion.inputs) {
                if (graph_.values[former].variable != graph_.values[call.value].variable) continue;
                const auto elsewhere = read_elsewhere_.find(former);
                work_.overwrites.push_back(
                    {former, call.value,
                     elsewhere == read_elsewhere_.end()
                         ? Verdict::yes("the cell itself alone reads what it overwrites")
                         : Verdict::no(fmt::format("{} is read {}, which other threads overwrite",
                                                   value_name(graph_, program_, former), elsewhere->second))});
            }
        }
    }

    void reach(const std::vector<int>& offset) {
        for (std::size_t k = 0; k < offset.size(); ++k) {
            work_.reach_low[k] = std::max(work_.reach_low[k], -offset[k]);
            work_.reach_high[k] = std::max(work_.reach_high[k], offset[k]);
        }
    }

    /// The interior begins where the cell at `offset` has left the kept layers.
    void keep_out(const FieldCall& call, const std::vector<int>& offset) {
        for (std::size_t k = 0; k < call.target.size(); ++k) {
            const auto* moving = std::get_if<Moving>(&call.target[k]);
            if (!moving) continue;
            int& low = work_.interior_low[moving->axis];
            int& high = work_.interior_high[moving->axis];
            if (call.kept[k].low > 0) low = std::max(low, call.kept[k].low - offset[moving->axis]);
            if (call.kept[k].high > 0) high = std::max(high, call.kept[k].high + offset[moving->axis]);
        }
    }

    void add_store(const FieldCall& call) {
        FieldStore store{call.array, call.node, {}, call.kept, {}};
        if (!call.merges) {
            for (const FixedAxis& f : call.fixed) store.fixed.emplace_back(plan_.axes[f.axis], f.position);
        }
        work_.stores.push_back(std::move(store));
    }

    /// A slice may ask for a cell of the rim, and a list's entry may lie anywhere: only kernels of whole fields leave
    /// the rim out.
    void find_margin() {
        if (work_.stores.empty()) return;
        const auto& first = work_.stores.front().kept;
        const int layers = first.empty() ? 0 : first.front().low;
        const bool listed = std::any_of(plan_.calls.begin(), plan_.calls.end(),
                                        [](const FieldCall& c) { return is_computed(c.target); });
        const bool all = !listed && std::all_of(work_.stores.begin(), work_.stores.end(), [&](const FieldStore& s) {
            return s.fixed.empty() && s.kept.size() >= plan_.axes.size() &&
                   std::all_of(s.kept.begin(), s.kept.end(), [&](const KeptLayers& kept) {
                       return kept == KeptLayers{layers, layers};
                   });
        });
        if (all) work_.margin = layers;
        for (FieldStore& store : work_.stores) find_former(store);
    }

    void find_former(FieldStore& store) {
        const auto made = [&](ValueId v) {
            return std::find_if(plan_.calls.begin(), plan_.calls.end(),
                                [&](const FieldCall& c) { return c.value == v; });
        };
        auto call = made(store.value);
        if (call->merges && work_.margin == 0) return;
        while (call != plan_.calls.end() && call->former) {
            store.former = call->former->value;
            call = made(*store.former);
        }
        if (call != plan_.calls.end()) store.former.reset();
    }

    /// How far along the first axis a call's result depends on cells beyond its own, where it assigns: what its kept
    /// layers reach for is not seen.
    [[nodiscard]] KeptLayers reach_of(const FieldCall& call, const std::vector<KeptLayers>& of_producers) const {
        KeptLayers reach;
        for (const FieldRead& r : call.reads) {
            int step = 0;
            for (const FieldIndex& index : r.indices) {
                const auto* moving = std::get_if<Moving>(&index);
                if (moving && moving->axis == 0) step = moving->step;
            }
            const KeptLayers before = r.producer ? of_producers[*r.producer] : KeptLayers{};
            reach = {std::max(reach.low, before.low - step), std::max(reach.high, before.high + step)};
        }
        const KeptLayers kept = kept_along_first(call);
        // Where the call assigns nothing, the former value is seen as it is.
        const bool shown = call.former && call.former->producer;
        const KeptLayers former = shown ? of_producers[*call.former->producer] : KeptLayers{};
        return {std::max(reach.low > kept.low ? reach.low : 0, former.low),
                std::max(reach.high > kept.high ? reach.high : 0, former.high)};
    }
    [[nodiscard]] static KeptLayers kept_along_first(const FieldCall& call) {
        for (std::size_t k = 0; k < call.target.size(); ++k) {
            const auto* moving = std::get_if<Moving>(&call.target[k]);
            if (moving && moving->axis == 0) return call.kept[k];
        }
        return {};
    }

    /// Whatever lies beyond the grid along the first axis is read for cells that keep their former value, which is
    /// loaded anyway; nothing is computed at other cells along it.
    [[nodiscard]] bool rim_hides_ends() const {
        for (const Evaluation& e : work_.evaluations) {
            if (e.offset[0] != 0) return false;
        }
        std::vector<KeptLayers> reaches;
        for (const FieldCall& call : plan_.calls) {
            reaches.push_back(reach_of(call, reaches));
            if (call.stored && reaches.back() != KeptLayers{}) return false;
        }
        return true;
    }

    /// Where a call keeps layers along the first axis, each cell has the former value at hand.
    [[nodiscard]] bool knows_former_rim() const {
        return std::all_of(plan_.calls.begin(), plan_.calls.end(), [&](const FieldCall& call) {
            const ValueAt own{call.former ? call.former->value : call.value, std::vector<int>(plan_.axes.size(), 0)};
            const bool known = call.former && (call.former->producer || loads(own));
            return kept_along_first(call) == KeptLayers{} || known;
        });
    }

    /// Words beyond a row of what is computed are made of those within. Those of a periodic one lie in another group:
    /// they are right as they are computed if all that is read along the row is periodic, and nothing else tells where
    /// a cell is.
    [[nodiscard]] RowEnds ends_by_boundaries() const {
        bool periodic = true, periodic_computed = false;
        for (const FieldCall& call : plan_.calls) {
            for (const FieldRead& r : call.reads) {
                const FieldShape& shape = field_shape(program_, graph_.values[r.value].variable);
                for (std::size_t k = 0; k < r.indices.size(); ++k) {
                    const auto* moving = std::get_if<Moving>(&r.indices[k]);
                    if (!moving || moving->axis != 0 || moving->step == 0) continue;
                    if (is_computed(r.indices)) return RowEnds::edge_path;  // no row of words
                    const Face& face = shape.faces[k].crossed_by(moving->step);
                    if (face.kind == BoundaryKind::value && !holds(shape.type, face.value)) return RowEnds::edge_path;
                    if (face.odd && shape.type == CellType::uint8) return RowEnds::edge_path;
                    // What a statement chooses there is settled where no cell of the group reads beyond the row.
                    if (face.kind == BoundaryKind::keep && face.layers == 0 && may_be_settled(*call.statement))
                        return RowEnds::edge_path;
                    const bool own = face.kind == BoundaryKind::periodic;
                    periodic = periodic && own;
                    periodic_computed = periodic_computed || (own && r.producer);
                }
            }
        }
        if (!periodic_computed) return RowEnds::mapped;
        const bool alike = std::all_of(plan_.calls.begin(), plan_.calls.end(), [&](const FieldCall& call) {
            return kept_along_first(call) == KeptLayers{} && call.fixed.empty() && !tells_place(call);
        });
        return periodic && alike ? RowEnds::around : RowEnds::edge_path;
    }
    /// A word of the array holds what a face says.
    [[nodiscard]] static bool holds(CellType type, const ExpressionRef& value) {
        const auto* number = std::get_if<Literal>(&value->node);
        if (type == CellType::uint8) return number != nullptr && number->value >= 0 && number->value <= 255;
        return !is_complex(type);
    }
    [[nodiscard]] static bool tells_place(const FieldCall& call) {
        return call.statement->value->facts.places ||
               std::any_of(call.reads.begin(), call.reads.end(),
                           [](const FieldRead& r) { return is_computed(r.indices); });
    }

    void find_widest() {
        const auto look = [&](ValueId value) {
            const FieldShape& shape = field_shape(program_, graph_.values[value].variable);
            const bool along = std::find(shape.axes.begin(), shape.axes.end(), plan_.axes.front()) != shape.axes.end();
            if (!along) return;
            const auto bytes = static_cast<int>(cell_bytes(shape.type));
            work_.widest = std::max(work_.widest, bytes);
            work_.narrowest = work_.narrowest > 0 ? std::min(work_.narrowest, bytes) : bytes;
        };
        if (plan_.axes.empty()) return;
        for (const ValueAt& load : work_.loads) look(load.value);
        for (const FieldStore& store : work_.stores) look(store.value);
    }

    [[nodiscard]] bool loads(const ValueAt& word) const {
        return std::binary_search(work_.loads.begin(), work_.loads.end(), word);
    }

    void find_edges() {
        for (std::size_t k = 0; k < plan_.axes.size(); ++k) {
            int& low = work_.interior_low[k];
            int& high = work_.interior_high[k];
            low = std::max(low, work_.reach_low[k]);
            high = std::max(high, work_.reach_high[k]);
            if (low > work_.margin || high > work_.margin) work_.edges = true;
        }
        if (!work_.edges || plan_.axes.empty() || work_.margin > 0 || !knows_former_rim()) return;
        work_.ends = rim_hides_ends() ? RowEnds::hidden : ends_by_boundaries();
        for (const ValueAt& load : work_.loads) work_.beside = std::max(work_.beside, std::abs(load.offset[0]));
        for (const Evaluation& e : work_.evaluations) work_.beside = std::max(work_.beside, std::abs(e.offset[0]));
    }
};

}  // namespace

const FieldCall& PrologueCall::call() const { return work->plan.calls.front(); }

bool joins_parts(const FieldWork& work) {
    return std::any_of(work.prologue.begin(), work.prologue.end(), [](const PrologueCall& c) { return c.join; });
}

const FieldStore* store_of(const FieldWork& work, ValueId value) {
    const auto of_value = [&](const FieldStore& store) { return store.value == value; };
    const auto store = std::find_if(work.stores.begin(), work.stores.end(), of_value);
    if (store != work.stores.end()) return &*store;
    for (const PrologueCall& call : work.prologue)
        if (call.stored && of_value(call.work->stores.front())) return &call.work->stores.front();
    return nullptr;
}

namespace {

/// Some calls of a fusion as one: what the others make of theirs is read from memory.
Fusion part_of(const Graph& graph, const Fusion& fusion, const std::vector<NodeId>& calls) {
    Fusion part;
    part.calls = calls;
    const auto made_by = [&](ValueId value) {
        const auto producer = graph.values[value].producer;
        return producer && std::find(calls.begin(), calls.end(), *producer) != calls.end();
    };
    for (const NodeId call : calls)
        for (const ValueId value : values_read(graph, call))
            if (!made_by(value)) part.inputs.push_back(value);
    std::sort(part.inputs.begin(), part.inputs.end());
    part.inputs.erase(std::unique(part.inputs.begin(), part.inputs.end()), part.inputs.end());
    std::copy_if(fusion.outputs.begin(), fusion.outputs.end(), std::back_inserter(part.outputs), made_by);
    std::copy_if(fusion.inner.begin(), fusion.inner.end(), std::back_inserter(part.inner), made_by);
    return part;
}

/// The work of calls without a prologue. Its paths point into its plan, so that it is never copied.
struct CellsWork {
    std::shared_ptr<FieldWork> value;  ///< null: see reason
    std::string reason;
};
CellsWork work_of_cells(const Program& program, const Graph& graph, const Fusion& fusion) {
    FieldPlanResult plan = plan_fields(program, graph, fusion);
    if (!plan.value) return {nullptr, std::move(plan.reason)};
    // A fold and what needs it: no cell that is folded has the result yet.
    const auto lacks_an_axis = [](const FieldCall& c) { return !c.statement->fold && c.fixed_by(FixedBy::lacking); };
    const std::vector<FieldCall>& calls = plan.value->calls;
    if (!folds_of(*plan.value).empty() && std::any_of(calls.begin(), calls.end(), lacks_an_axis))
        return {nullptr, "what is folded is complete when its kernel ends"};
    const auto work = std::make_shared<FieldWork>();
    work->fusion = fusion;
    work->plan = std::move(*plan.value);
    std::string reason = WorkFinder(program, graph, *work).run();
    return {reason.empty() ? work : nullptr, std::move(reason)};
}

/// Gives the work of a kernel's cells what is computed before them. Why it cannot; empty: it can.
std::string add_prologue(FieldWork& work, const std::vector<NodeId>& calls, const Fusion& fusion,
                         const Program& program, const Graph& graph) {
    for (const NodeId call : calls) {
        Fusion alone = part_of(graph, fusion, {call});
        const bool stored = !alone.outputs.empty();
        // Its word is one of the kernel's, whoever reads it.
        alone.outputs = graph.nodes[call].writes;
        alone.inner.clear();
        const CellsWork word = work_of_cells(program, graph, alone);
        if (!word.value) return word.reason;
        work.prologue.push_back({word.value, fold_of(*word.value) != nullptr, stored});
    }
    work.fusion = fusion;
    const auto made = [&](ValueId value) {
        return std::any_of(work.prologue.begin(), work.prologue.end(),
                           [&](const PrologueCall& call) { return call.call().value == value; });
    };
    std::erase_if(work.loads, [&](const ValueAt& load) { return made(load.value); });
    // A block reads words whenever it begins: nothing is stored over them.
    std::erase_if(work.read_at_cell,
                  [&](ValueId value) { return field_shape(program, graph.values[value].variable).axes.empty(); });
    return {};
}

}  // namespace

FieldWorkResult field_work(const Program& program, const Graph& graph, const Fusion& fusion) {
    const auto folds = [&](NodeId call) { return field_update(graph, call).statement.fold.has_value(); };
    PrologueSplit split{{}, fusion.calls};  // thousands of fusions fold nothing, and have no prologue
    if (std::any_of(fusion.calls.begin(), fusion.calls.end(), folds))
        split = split_prologue(graph, find_prologue_roles(program, graph), fusion.calls);
    const bool alone = split.prologue.empty();
    const CellsWork cells = work_of_cells(program, graph, alone ? fusion : part_of(graph, fusion, split.others));
    if (!cells.value) return {nullptr, cells.reason};
    std::string reason = alone ? "" : add_prologue(*cells.value, split.prologue, fusion, program, graph);
    return {reason.empty() ? cells.value : nullptr, std::move(reason)};
}

}  // namespace kasc
