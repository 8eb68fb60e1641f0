// From the stores back to memory. Every stored call is evaluated at the cell itself; each of its operands that a call
// of the fusion produces is evaluated at the cell plus the operand's step, and so on, until all that is left are loads:
//
//   v = f(w)                   stores u             evaluations  v(-1) v(+1) u(0)      loads  w(-1) w(+1)
//   u = v[-1] + v[1]                                reach 1, interior [1, n - 1)
//
// Near the edge of the grid a step may be mapped, and steps no longer add up; `chains` counts what the edge path has to
// evaluate, so that the bound on recomputation holds for it too.
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
        for (std::size_t k = 0; k < plan_.calls.size(); ++k) {
            const FieldCall& call = plan_.calls[k];
            if (!call.stored) continue;
            evaluate(k, std::vector<int>(plan_.axes.size(), 0));
            if (call.merges) read(*call.former, std::vector<int>(plan_.axes.size(), 0));
            count_chains(k, std::vector<Chain>(plan_.axes.size()));
            add_store(call);
        }
        if (evaluated_.size() > max_evaluations || chains_.size() > max_evaluations) {
            return fmt::format("recomputation: more than {} evaluations a cell", max_evaluations);
        }
        schedule_.loads.assign(loads_.begin(), loads_.end());
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
    std::set<ValueAt> loads_;
    std::set<std::pair<std::size_t, std::vector<int>>> evaluated_;
    std::set<std::pair<std::size_t, std::vector<Chain>>> chains_;
    std::map<ValueId, const char*> read_elsewhere_;  ///< than at the cell itself: how
    std::set<ValueId> elsewhere_at_faces_;           ///< read so by cells that take the edge path

    void evaluate(std::size_t call, const std::vector<int>& offset) {
        if (evaluated_.size() > max_evaluations || !evaluated_.emplace(call, offset).second) return;
        reach(offset);
        keep_out(plan_.calls[call], offset);
        for (const FieldRead& r : plan_.calls[call].reads) read(r, offset);
        // In kept layers the former value shows: where the kernel computes that, it reaches as far as its own reads.
        const FieldCall& made = plan_.calls[call];
        const bool keeps = std::any_of(made.kept.begin(), made.kept.end(),
                                       [](const KeptLayers& kept) { return kept != KeptLayers{}; });
        if (keeps && made.former && made.former->producer) read(*made.former, offset);
        // Away from the cell, layers that the call keeps show its former value.
        if (made.former && !is_own(offset)) read_elsewhere_.try_emplace(made.former->value, "at neighbours");
        schedule_.evaluations.push_back({plan_.calls[call].node, offset});
    }

    void read(const FieldRead& r, const std::vector<int>& from) {
        std::vector<int> offset(plan_.axes.size(), 0);
        if (r.producer) stay(plan_.calls[*r.producer], from, offset);
        for (const FieldIndex& index : r.indices) {
            if (const auto* moving = std::get_if<Moving>(&index)) {
                offset[moving->axis] = from[moving->axis] + moving->step;
            }
        }
        if (!r.producer) {
            loads_.insert({r.value, offset});
            reach(offset);
            note_elsewhere(r, offset);
            return;
        }
        const FieldCall& producer = plan_.calls[*r.producer];
        evaluate(*r.producer, offset);
        if (producer.fixed_by(FixedBy::target) && producer.former) read(*producer.former, offset);
    }

    /// Along an axis at which its operand stands, a slice is computed where it is read.
    template <class Place>
    static void stay(const FieldCall& producer, const std::vector<Place>& from, std::vector<Place>& at) {
        for (const FixedAxis& f : producer.fixed) {
            if (f.by == FixedBy::operand) at[f.axis] = from[f.axis];
        }
    }

    static bool is_own(const std::vector<int>& offset) {
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

    void count_chains(std::size_t call, const std::vector<Chain>& at) {
        if (chains_.size() > max_evaluations || !chains_.emplace(call, at).second) return;
        for (const FieldRead& r : plan_.calls[call].reads) count_read(r, at);
    }

    void count_read(const FieldRead& r, const std::vector<Chain>& from) {
        const FieldShape& shape = field_shape(program_, graph_.values[r.value].variable);
        std::vector<Chain> at(plan_.axes.size());
        if (r.producer) stay(plan_.calls[*r.producer], from, at);
        for (std::size_t k = 0; k < r.indices.size(); ++k) {
            const auto* moving = std::get_if<Moving>(&r.indices[k]);
            if (!moving) continue;
            const BoundaryKind kind = shape.faces[k].crossed_by(moving->step).kind;
            at[moving->axis] = extend(from[moving->axis], kind, moving->step);
        }
        if (!r.producer) {
            // Steps that cancel each other in the interior, z + 1 and z - 1, do not where a face mirrors the first.
            const bool own = std::all_of(at.begin(), at.end(), [](const Chain& chain) { return chain.empty(); });
            if (!own) elsewhere_at_faces_.insert(r.value);
            return;
        }
        count_chains(*r.producer, at);
        if (const auto& former = plan_.calls[*r.producer].former) count_read(*former, at);
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
            const bool known = call.former && (call.former->producer || loads_.contains(own));
            if (kept_along_first(call) != KeptLayers{} && !known) return false;
            reaches.push_back(reach_of(call, reaches));
            if (call.stored && reaches.back() != KeptLayers{}) return false;
        }
        return true;
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

FieldScheduler::FieldScheduler(const Program& program, const Graph& graph, const Fusion& fusion)
    : program_(program), graph_(graph) {
    FieldPlanResult plan = plan_fields(program, graph, fusion);
    reason_ = plan.reason;
    if (!plan.value) return;
    plan_ = std::move(*plan.value);
    schedule_.fusion = fusion;
    reason_ = Scheduler(program, graph, plan_, schedule_).run();
    if (reason_.empty())
        faults_ = std::make_shared<const FusionFaults>(fusion_faults(plan_, schedule_, program, graph));
}

std::optional<FieldChoice> FieldScheduler::choice_of_fold(bool cpu) const {
    if (!reason_.empty() || !plan_.calls.front().statement->fold) return std::nullopt;
    const int lanes = plan_.calls.front().statement->fold->lanes, results = fold_threads / lanes;
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
    schedule.shared_bytes = 0;
    schedule.barriers = {};
    if (choice.neighbours == Neighbours::shared) fault = place_tiles(schedule, program_, graph_);
    if (fault.empty()) schedule.barriers = field_barriers(schedule, program_, graph_);
    return fault;
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
