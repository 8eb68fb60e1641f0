// From the stores back to memory. Every stored call is evaluated at the cell itself; each of its operands that a call
// of the fusion produces is evaluated at the cell plus the operand's step, and so on, until all that is left are loads:
//
//   v = f(w)                   stores u             evaluations  v(-1) v(+1) u(0)      loads  w(-1) w(+1)
//   u = v[-1] + v[1]                                reach 1, interior [1, n - 1)
//
// Near the edge of the grid a step may be mapped, and steps no longer add up; the bound on recomputation holds for what
// the edge path has to evaluate too.
#include "schedule/field/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "frontend/reduction.hpp"
#include "graph/field_target.hpp"
#include "schedule/field/chain.hpp"
#include "schedule/field/choice_fault.hpp"
#include "schedule/field/plan.hpp"
#include "schedule/field/tiles.hpp"
#include "schedule/field/warp.hpp"

namespace kasc {

namespace {

/// More than this many evaluations a cell are refused: a hundred times the arithmetic of an unfused kernel has never
/// paid for the traffic it saves, and emitted code stays of a size that a compiler digests.
constexpr std::size_t max_evaluations = 400;

class Scheduler {
public:
    Scheduler(const Program& program, const Graph& graph, const FieldPlan& plan, FieldSchedule& schedule)
        : program_(program), graph_(graph), plan_(plan), schedule_(schedule) {
        const std::size_t n = plan.axes.size();
        schedule_.axes = plan.axes;
        schedule_.reach_low.assign(n, 0);
        schedule_.reach_high.assign(n, 0);
        schedule_.interior_low.assign(n, 0);
        schedule_.interior_high.assign(n, 0);
    }

    std::string run() {
        const CellProgram any =
            cell_program(program_, graph_, plan_, {Path::interior, 1, false, false, true}, max_evaluations);
        auto edge = std::make_shared<CellProgram>(cell_program(program_, graph_, plan_, {Path::edge}, max_evaluations));
        if (any.computed.size() > max_evaluations || edge->computed.size() > max_evaluations) {
            return fmt::format("recomputation: more than {} evaluations a cell", max_evaluations);
        }
        take_values(any);
        for (const CellValue& value : edge->values) {
            // Steps that cancel each other in the interior, z + 1 and z - 1, do not where a face mirrors the first.
            if (value.read != nullptr && !kasc::is_own(edge->at(value))) elsewhere_at_faces_.insert(value.value);
        }
        schedule_.paths.edge = std::move(edge);
        for (const FieldCall& call : plan_.calls) {
            if (call.stored) add_store(call);
        }
        find_margin();
        find_edges();
        find_overwrites();
        return {};
    }

private:
    const Program& program_;
    const Graph& graph_;
    const FieldPlan& plan_;
    FieldSchedule& schedule_;
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
            schedule_.evaluations.push_back({call.node, offset});
        }
        std::set<ValueAt> loads;
        for (const CellValue& value : program.values) {
            if (value.read == nullptr) continue;
            const std::vector<int> offset = sums(program.at(value));
            reach(offset);
            note_elsewhere(*value.read, offset);
            loads.insert({value.value, offset});
        }
        schedule_.loads.assign(loads.begin(), loads.end());
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
        if (schedule_.edges) {
            for (const ValueId value : elsewhere_at_faces_) read_elsewhere_.try_emplace(value, "at neighbours");
        }
        for (const ValueId value : schedule_.fusion.inputs) {
            if (!read_elsewhere_.contains(value)) schedule_.read_at_cell.push_back(value);
        }
        for (const FieldCall& call : plan_.calls) {
            if (!call.stored || call.statement->where || !call.fixed.empty()) continue;
            if (call.target.size() != plan_.axes.size() || is_computed(call.target)) continue;
            schedule_.stored_at_cell.push_back(call.value);
            for (const ValueId former : schedule_.fusion.inputs) {
                if (graph_.values[former].variable != graph_.values[call.value].variable) continue;
                const auto elsewhere = read_elsewhere_.find(former);
                schedule_.overwrites.push_back(
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
            schedule_.reach_low[k] = std::max(schedule_.reach_low[k], -offset[k]);
            schedule_.reach_high[k] = std::max(schedule_.reach_high[k], offset[k]);
        }
    }

    /// The interior begins where the cell at `offset` has left the kept layers.
    void keep_out(const FieldCall& call, const std::vector<int>& offset) {
        for (std::size_t k = 0; k < call.target.size(); ++k) {
            const auto* moving = std::get_if<Moving>(&call.target[k]);
            if (!moving) continue;
            int& low = schedule_.interior_low[moving->axis];
            int& high = schedule_.interior_high[moving->axis];
            if (call.kept[k].low > 0) low = std::max(low, call.kept[k].low - offset[moving->axis]);
            if (call.kept[k].high > 0) high = std::max(high, call.kept[k].high + offset[moving->axis]);
        }
    }

    void add_store(const FieldCall& call) {
        FieldStore store{call.value, call.node, {}, call.kept, {}};
        if (!call.merges) {
            for (const FixedAxis& f : call.fixed) store.fixed.emplace_back(plan_.axes[f.axis], f.position);
        }
        schedule_.stores.push_back(std::move(store));
    }

    /// A slice may ask for a cell of the rim, and a list's entry may lie anywhere: only kernels of whole fields leave
    /// the rim out.
    void find_margin() {
        if (schedule_.stores.empty()) return;
        const auto& first = schedule_.stores.front().kept;
        const int layers = first.empty() ? 0 : first.front().low;
        const bool listed = std::any_of(plan_.calls.begin(), plan_.calls.end(),
                                        [](const FieldCall& c) { return is_computed(c.target); });
        const bool all =
            !listed && std::all_of(schedule_.stores.begin(), schedule_.stores.end(), [&](const FieldStore& s) {
                return s.fixed.empty() && s.kept.size() >= plan_.axes.size() &&
                       std::all_of(s.kept.begin(), s.kept.end(), [&](const KeptLayers& kept) {
                           return kept == KeptLayers{layers, layers};
                       });
            });
        if (all) schedule_.margin = layers;
        for (FieldStore& store : schedule_.stores) find_former(store);
    }

    void find_former(FieldStore& store) {
        const auto made = [&](ValueId v) {
            return std::find_if(plan_.calls.begin(), plan_.calls.end(),
                                [&](const FieldCall& c) { return c.value == v; });
        };
        auto call = made(store.value);
        if (call->merges && schedule_.margin == 0) return;
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
        if (plan_.axes.empty() || schedule_.margin > 0) return false;
        for (const Evaluation& e : schedule_.evaluations) {
            if (e.offset[0] != 0) return false;
        }
        std::vector<KeptLayers> reaches;
        for (const FieldCall& call : plan_.calls) {
            const ValueAt own{call.former ? call.former->value : call.value, std::vector<int>(plan_.axes.size(), 0)};
            const bool known = call.former && (call.former->producer || loads(own));
            if (kept_along_first(call) != KeptLayers{} && !known) return false;
            reaches.push_back(reach_of(call, reaches));
            if (call.stored && reaches.back() != KeptLayers{}) return false;
        }
        return true;
    }

    [[nodiscard]] bool loads(const ValueAt& word) const {
        return std::binary_search(schedule_.loads.begin(), schedule_.loads.end(), word);
    }

    void find_edges() {
        for (std::size_t k = 0; k < plan_.axes.size(); ++k) {
            int& low = schedule_.interior_low[k];
            int& high = schedule_.interior_high[k];
            low = std::max(low, schedule_.reach_low[k]);
            high = std::max(high, schedule_.reach_high[k]);
            if (low > schedule_.margin || high > schedule_.margin) schedule_.edges = true;
        }
        schedule_.rim_in_groups = schedule_.edges && rim_hides_ends();
    }
};

}  // namespace

namespace {

/// Reads at the thread's own cells that differ along the walk alone share a queue.
std::vector<ColumnQueue> column_queues(const CellProgram& program) {
    std::vector<ColumnQueue> queues;
    for (const CellValue& v : program.values) {
        if (v.read == nullptr || !v.whole || is_computed(v.read->indices)) continue;
        const CellPlace& place = program.at(v);
        const std::size_t walk = place.size() - 1;
        if (!moves_along(v.read->indices, walk) || (program.view.group && !moves_along(v.read->indices, 0))) continue;
        const int row = walk > 1 ? sum(place[1]) : 0, at = sum(place.back());
        if (!place.front().empty() || row < 0 || row >= program.view.rows) continue;
        const auto same = std::find_if(queues.begin(), queues.end(), [&](const ColumnQueue& q) {
            return q.row == row && reads_alike(*q.read, *v.read);
        });
        if (same == queues.end()) {
            queues.push_back({v.read, row, at, at});
        } else {
            same->low = std::min(same->low, at);
            same->high = std::max(same->high, at);
        }
    }
    std::erase_if(queues, [](const ColumnQueue& q) { return q.low == q.high; });
    return queues;
}

}  // namespace

FieldScheduler::FieldScheduler(const Program& program, const Graph& graph, const Fusion& fusion)
    : program_(program), graph_(graph) {
    FieldPlanResult plan = plan_fields(program, graph, fusion);
    reason_ = plan.reason;
    if (!plan.value) return;
    schedule_.fusion = fusion;
    schedule_.plan = std::make_shared<const FieldPlan>(std::move(*plan.value));
    reason_ = Scheduler(program, graph, *schedule_.plan, schedule_).run();
    if (reason_.empty())
        faults_ = std::make_shared<const FusionFaults>(fusion_faults(*schedule_.plan, schedule_, program, graph));
}

std::shared_ptr<const CellProgram> FieldScheduler::path(const CellView& view) const {
    auto& made = paths_[{view.path, view.rows, view.group, view.rim}];
    if (!made) made = std::make_shared<const CellProgram>(cell_program(program_, graph_, *schedule_.plan, view));
    return made;
}

void FieldScheduler::find_paths(FieldSchedule& schedule) const {
    const FieldChoice& choice = schedule.choice;
    const bool column = choice.walk == Walk::column;
    const bool warp = choice.walk == Walk::warp;
    const bool group = choice.vector > 1 || warp || (column && choice.neighbours == Neighbours::shared);
    const bool rim = group && choice.vector > 1 && schedule.rim_in_groups;
    FieldPaths& paths = schedule.paths;
    paths.cell = path({});
    paths.cells = path({Path::interior, choice.rows, group, rim});
    paths.beside = choice.walk == Walk::row && schedule.edges ? path({Path::row}) : nullptr;
    schedule.queues.clear();
    if (column && choice.neighbours != Neighbours::cache) schedule.queues = column_queues(*paths.cells);
    schedule.warp_rows.clear();
    if (warp) schedule.warp_rows = warp_rows(*paths.cells, schedule.axes, program_, graph_);
}

std::optional<FieldChoice> FieldScheduler::choice_of_fold(bool cpu) const {
    if (!reason_.empty() || !schedule_.plan->calls.front().statement->fold) return std::nullopt;
    const int lanes = schedule_.plan->calls.front().statement->fold->lanes, results = fold_threads / lanes;
    const bool columns = lanes == column_lanes;
    FieldChoice choice;
    choice.walk = cpu ? Walk::row : Walk::grid;
    choice.threads_x = columns ? results : lanes;
    choice.threads_y = columns ? lanes : results;
    return choice;
}

const Fold* fold_of(const FieldSchedule& schedule, const Graph& graph) {
    const auto& fold = field_update(graph, schedule.fusion.calls.front()).statement.fold;
    return fold ? &*fold : nullptr;
}

std::string FieldScheduler::choose(const FieldChoice& choice, FieldSchedule& schedule) const {
    if (!reason_.empty()) return reason_;
    std::string fault = choice_fault(choice, *faults_, schedule_, program_, graph_);
    if (!fault.empty()) return fault;
    schedule.choice = choice;
    schedule.tiles.clear();
    find_paths(schedule);
    if (choice.neighbours == Neighbours::shared) fault = place_tiles(schedule, program_, graph_);
    if (!fault.empty()) return fault;
    schedule.block = schedule.tiles.empty() && cells_alone_
                         ? cells_alone_
                         : std::make_shared<const block::BlockProgram>(field_block(schedule, program_, graph_));
    if (schedule.tiles.empty()) cells_alone_ = schedule.block;
    return shared_fault(*schedule.block);
}

FieldScheduleResult FieldScheduler::with(const FieldChoice& choice) const {
    FieldSchedule schedule = schedule_;
    std::string fault = choose(choice, schedule);
    if (!fault.empty()) return {std::nullopt, fault};
    return {std::move(schedule), {}};
}

FieldScheduleResult schedule_field(const Program& program, const Graph& graph, const Fusion& fusion,
                                   const FieldChoice& choice) {
    return FieldScheduler(program, graph, fusion).with(choice);
}

}  // namespace kasc
