// From the results back to what is loaded: how far each value is wanted around the cells and planes of a block; and
// from what is loaded on to the results: by how many planes each stage has to follow the one that it reads. A read of
//
//   its own cell, dz planes further          the stage follows dz planes behind: that plane was made a moment ago
//   a cell beside it, dz planes further      dz + 1 planes: another thread made it, before the last barrier
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "frontend/same_expression.hpp"
#include "graph/field_target.hpp"
#include "schedule/pipeline/schedule.hpp"
#include "search/legality.hpp"

namespace kasc {

namespace {

constexpr std::size_t most_pipeline_axes = 3;
/// Planes of an input that is read at its own cell alone, in registers.
constexpr int most_planes_of_own = 4;
constexpr int register_bytes = 4;

/// What a call reads of a value that has a word for each cell.
struct CellRead {
    ValueId value;
    std::vector<int> beside;  ///< steps along the tiled axes
    PlanesRead planes;
    std::vector<bool> crosses;  ///< by tiled axis: the step may lead beyond a face
    [[nodiscard]] bool at_own_cell() const {
        return std::all_of(beside.begin(), beside.end(), [](int step) { return step == 0; });
    }
    [[nodiscard]] bool is_own() const { return at_own_cell() && planes.low == 0 && planes.high == 0; }
};

bool sees_alike(const Face& one, const Face& other) {
    const auto sees = [](const Face& face) {
        return face.kind == BoundaryKind::none ? BoundaryKind::keep : face.kind;  // the nearest cell
    };
    if (sees(one) != sees(other) || one.odd != other.odd) return false;
    return one.kind != BoundaryKind::value || same_expression(one.value, other.value);
}

class Work {
public:
    Work(const Program& program, const Graph& graph, const Fusion& fusion)
        : program_(program), graph_(graph), fusion_(fusion) {}

    PipelineWorkResult run(std::size_t least_stages) {
        FieldPlanResult planned = plan_fields(program_, graph_, fusion_);
        if (!planned.value) return {nullptr, std::move(planned.reason)};
        plan_ = std::move(*planned.value);
        made_.fusion = fusion_;
        made_.axes = plan_.axes;
        made_.around.assign(plan_.axes.size(), false);
        if (plan_.axes.size() < 2 || plan_.axes.size() > most_pipeline_axes)
            return {nullptr, "planes that follow each other are of two or three axes"};
        straight_.assign(plan_.axes.size(), false);
        made_.beside.assign(walk(), 0);
        for (const FieldCall& call : plan_.calls) look_at(call);
        for (std::size_t k = 0; k < plan_.axes.size(); ++k)
            if (made_.around[k] && straight_[k])
                refuse(fmt::format("some fields go round along {} and others end there",
                                   program_.axes[plan_.axes[k]].name));
        if (!reason_.empty()) return {nullptr, std::move(reason_)};
        // No stage is made for most fusions.
        if (!reads_beside()) return {nullptr, "nothing is read beside its own cell: no planes to share"};
        find_loaded();
        find_lags();
        find_extents();
        const auto stages = calls_of_stages();
        if (stages.size() < least_stages) return {nullptr, "all calls are at one plane"};
        make_stages(stages);
        keep_planes();
        if (!reason_.empty()) return {nullptr, std::move(reason_)};
        find_kept();
        find_walk();
        return {std::make_shared<const PipelineWork>(std::move(made_)), {}};
    }

private:
    const Program& program_;
    const Graph& graph_;
    const Fusion& fusion_;
    FieldPlan plan_;
    PipelineWork made_;
    std::string reason_;
    std::vector<bool> straight_;                ///< by axis: something that is read at neighbours ends there
    std::vector<std::vector<CellRead>> reads_;  ///< by call
    std::map<ValueId, PipelineExtent> extent_;  ///< of what is loaded and of what calls make
    std::map<ValueId, std::size_t> stage_of_;   ///< of what calls make
    std::vector<ValueId> loaded_;

    void refuse(std::string reason) {
        if (reason_.empty()) reason_ = std::move(reason);
    }
    [[nodiscard]] std::size_t walk() const { return plan_.axes.size() - 1; }
    [[nodiscard]] std::string text(const FieldCall& call) const { return node_text(graph_, program_, call.node); }
    /// By a call of the kernel.
    [[nodiscard]] bool is_made(ValueId value) const {
        return std::any_of(plan_.calls.begin(), plan_.calls.end(),
                           [&](const FieldCall& call) { return call.value == value; });
    }

    void look_at(const FieldCall& call) {
        const FieldStatement& statement = *call.statement;
        reads_.emplace_back();
        if (statement.fold) refuse(fmt::format("'{}' folds its cells", text(call)));
        if (!call.fixed.empty() || statement.where || is_computed(call.target))
            refuse(fmt::format("'{}' assigns some cells", text(call)));
        if (!moves_everywhere(call.target) || field_shape(program_, statement.target).axes != plan_.axes)
            refuse(fmt::format("'{}' lacks an axis of the kernel, or has them in another order", text(call)));
        if (is_complex(field_shape(program_, statement.target).type))
            refuse(fmt::format("cells of '{}' are complex", text(call)));
        if (!reason_.empty()) return;
        for (const FieldRead& read : call.reads) look_at(call, read);
        if (call.former) look_at(call, *call.former);
        if (is_copy(call)) made_.copies[call.value] = source_of(call.reads.front().value);
    }

    /// b = a; of whole fields, which are read as the ones they are copied from.
    [[nodiscard]] bool is_copy(const FieldCall& call) const {
        const FieldStatement& statement = *call.statement;
        if (call.former || call.reads.size() != 1 || reads_.back().size() != 1) return false;
        if (!reads_.back().front().is_own()) return false;
        if (!std::holds_alternative<OperandUse>(statement.value->node)) return false;
        const ValueId from = call.reads.front().value;
        if (!looks_alike_beyond(call.value, from)) return false;
        return field_shape(program_, statement.target).type == field_shape(program_, graph_.values[from].variable).type;
    }
    /// Calls that look at the copy beyond a face would see the same of what it is copied from.
    [[nodiscard]] bool looks_alike_beyond(ValueId copy, ValueId from) const {
        const auto& faces = field_shape(program_, graph_.values[copy].variable).faces;
        const auto& others = field_shape(program_, graph_.values[from].variable).faces;
        const auto alike = [&](const FieldRead& read) {
            for (std::size_t k = 0; k < read.indices.size(); ++k) {
                const auto& [axis, step] = std::get<Moving>(read.indices[k]);
                if (axis != walk() && step != 0 && !sees_alike(faces[k].crossed_by(step), others[k].crossed_by(step)))
                    return false;
            }
            return true;
        };
        return std::all_of(plan_.calls.begin(), plan_.calls.end(), [&](const FieldCall& call) {
            return std::all_of(call.reads.begin(), call.reads.end(), [&](const FieldRead& read) {
                return read.value != copy || !moves_everywhere(read.indices) || alike(read);
            });
        });
    }
    [[nodiscard]] ValueId source_of(ValueId value) const {
        const auto copied = made_.copies.find(value);
        return copied == made_.copies.end() ? value : copied->second;
    }

    void look_at(const FieldCall& call, const FieldRead& read) {
        const FieldShape& shape = field_shape(program_, graph_.values[read.value].variable);
        const bool whole = moves_everywhere(read.indices) && shape.axes == plan_.axes;
        if (!whole || is_complex(shape.type)) {
            if (is_made(read.value)) refuse(fmt::format("'{}' reads what the kernel makes, at a position", text(call)));
            return;
        }
        CellRead made{source_of(read.value), std::vector<int>(walk(), 0), {}, std::vector<bool>(walk(), false)};
        for (std::size_t k = 0; k < read.indices.size(); ++k) {
            const auto& [axis, step] = std::get<Moving>(read.indices[k]);
            if (step == 0) continue;
            const BoundaryKind kind = shape.faces[k].crossed_by(step).kind;
            if (kind == BoundaryKind::periodic)
                made_.around[axis] = true;
            else
                straight_[axis] = true;
            if (axis == walk())
                made.planes = planes_read(kind, step, hides_step(call, axis, step));
            else
                made.beside[axis] = step, made.crosses[axis] = !hides_step(call, axis, step);
            if (axis != walk()) made_.beside[axis] = std::max(made_.beside[axis], std::abs(step));
        }
        reads_.back().push_back(std::move(made));
    }

    /// Then a block has planes of it for threads that did not load or compute it.
    [[nodiscard]] bool reads_beside() const {
        return std::any_of(reads_.begin(), reads_.end(), [](const std::vector<CellRead>& reads) {
            return std::any_of(reads.begin(), reads.end(), [](const CellRead& r) { return !r.at_own_cell(); });
        });
    }

    void find_loaded() {
        for (const ValueId value : fusion_.inputs) {
            const bool read = std::any_of(reads_.begin(), reads_.end(), [&](const std::vector<CellRead>& reads) {
                return std::any_of(reads.begin(), reads.end(), [&](const CellRead& r) { return r.value == value; });
            });
            if (!read) continue;
            loaded_.push_back(value);
            extent_[value].halo.assign(walk(), 0);
        }
    }
    [[nodiscard]] bool read_at_own_cells(ValueId value) const {
        return std::all_of(reads_.begin(), reads_.end(), [&](const std::vector<CellRead>& reads) {
            return std::all_of(reads.begin(), reads.end(),
                               [&](const CellRead& r) { return r.value != value || r.is_own(); });
        });
    }

    [[nodiscard]] int follows(const CellRead& read) const {
        const int behind = read.at_own_cell() ? std::max(read.planes.high, 0) : std::max(read.planes.high + 1, 1);
        // Calls of one stage look at their own cell alone.
        return is_made(read.value) && !read.is_own() ? std::max(behind, 1) : behind;
    }

    void find_lags() {
        for (std::size_t k = 0; k < plan_.calls.size(); ++k) {
            PipelineExtent& own = extent_[plan_.calls[k].value];
            own.halo.assign(walk(), 0);
            for (const CellRead& read : reads_[k])
                if (const auto from = extent_.find(read.value); from != extent_.end())
                    own.lag = std::max(own.lag, from->second.lag + follows(read));
        }
        // What is read at its own cell alone is loaded as its first reader comes there.
        for (const ValueId value : loaded_) {
            if (!read_at_own_cells(value)) continue;
            int lag = std::numeric_limits<int>::max();
            for (std::size_t k = 0; k < plan_.calls.size(); ++k)
                for (const CellRead& read : reads_[k])
                    if (read.value == value) lag = std::min(lag, extent_.at(plan_.calls[k].value).lag);
            extent_.at(value).lag = lag;
        }
    }

    void find_extents() {
        for (std::size_t k = plan_.calls.size(); k-- > 0;) {
            const PipelineExtent own = extent_.at(plan_.calls[k].value);
            for (const CellRead& read : reads_[k]) {
                const auto from = extent_.find(read.value);
                if (from == extent_.end()) continue;
                PipelineExtent& e = from->second;
                for (std::size_t axis = 0; axis < walk(); ++axis)
                    e.halo[axis] = std::max(e.halo[axis], own.halo[axis] + std::abs(read.beside[axis]));
                e.planes_before = std::max(e.planes_before, own.planes_before - read.planes.low);
                e.planes_behind = std::max(e.planes_behind, own.planes_behind + read.planes.high);
            }
        }
        for (const auto& [copy, source] : made_.copies)
            if (is_made(source)) extent_.at(copy) = extent_.at(source);
        made_.halo.assign(walk(), 0);
        made_.computed.assign(walk(), 0);
        for (const auto& [value, extent] : extent_)
            for (std::size_t axis = 0; axis < walk(); ++axis) {
                made_.halo[axis] = std::max(made_.halo[axis], extent.halo[axis]);
                if (is_made(value)) made_.computed[axis] = std::max(made_.computed[axis], extent.halo[axis]);
            }
    }

    using Key = std::tuple<int, int, std::vector<int>, int, int>;
    [[nodiscard]] Key key_of(ValueId value) const {
        const PipelineExtent& e = extent_.at(value);
        const int around = std::accumulate(e.halo.begin(), e.halo.end(), e.planes_before + e.planes_behind);
        return {e.lag, -around, e.halo, e.planes_before, e.planes_behind};
    }
    /// Calls of its own stage read the copy: others look at what it copies.
    [[nodiscard]] bool is_read_in_its_stage(ValueId copy) const {
        return std::any_of(plan_.calls.begin(), plan_.calls.end(), [&](const FieldCall& call) {
            return key_of(call.value) == key_of(copy) &&
                   std::any_of(call.reads.begin(), call.reads.end(),
                               [&](const FieldRead& read) { return read.value == copy; });
        });
    }
    /// Calls at one plane with one halo are a stage. What is read is never wanted for fewer cells than its reader, so
    /// that of one lag the widest stand first.
    using CallsOfStages = std::map<Key, std::vector<NodeId>>;
    [[nodiscard]] CallsOfStages calls_of_stages() const {
        CallsOfStages calls;
        for (const FieldCall& call : plan_.calls) {
            const bool copies = made_.copies.contains(call.value) && !call.stored;
            if (!copies || is_read_in_its_stage(call.value)) calls[key_of(call.value)].push_back(call.node);
        }
        return calls;
    }
    void make_stages(const CallsOfStages& calls) {
        for (const auto& [key, nodes] : calls) {
            for (const NodeId node : nodes) stage_of_[graph_.nodes[node].writes.front()] = made_.stages.size();
            made_.stages.push_back({{}, extent_.at(graph_.nodes[nodes.front()].writes.front())});
        }
        auto stage = made_.stages.begin();
        for (const auto& [key, nodes] : calls) (stage++)->cells = scheduled(nodes);
    }

    /// None: a copy that nobody reads as itself.
    [[nodiscard]] std::optional<std::size_t> stage_of(ValueId value) const {
        const auto found = stage_of_.find(value);
        return found == stage_of_.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] bool read_by_other_stage(ValueId value) const {
        for (std::size_t k = 0; k < plan_.calls.size(); ++k)
            for (const CellRead& read : reads_[k])
                if (read.value == value && stage_of(plan_.calls[k].value) != stage_of(value)) return true;
        return false;
    }

    [[nodiscard]] FieldSchedule scheduled(const std::vector<NodeId>& calls) {
        Fusion fusion;
        fusion.calls = calls;
        std::vector<ValueId> inputs;
        for (const NodeId call : calls) {
            const ValueId made = graph_.nodes[call].writes.front();
            const bool stored =
                std::find(fusion_.outputs.begin(), fusion_.outputs.end(), made) != fusion_.outputs.end();
            (stored || read_by_other_stage(made) ? fusion.outputs : fusion.inner).push_back(made);
            for (const ValueId read : values_read(graph_, call)) {
                const auto maker = stage_of_.find(read);
                if (maker != stage_of_.end() && maker->second == stage_of_.at(made)) continue;
                inputs.push_back(read);
                if (made_.copies.contains(read)) inputs.push_back(source_of(read));
            }
        }
        std::sort(inputs.begin(), inputs.end());
        inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
        std::sort(fusion.outputs.begin(), fusion.outputs.end());
        std::sort(fusion.inner.begin(), fusion.inner.end());
        fusion.inputs = std::move(inputs);
        const FieldWorkResult work = field_work(program_, graph_, fusion);
        if (!work.value) {
            refuse(work.reason);
            return {};
        }
        if (work.value->plan.axes != plan_.axes) refuse("stages have their axes in another order");
        // Where a call assigns nothing, the former value is stored, and looked at by other stages.
        const auto own = std::make_shared<FieldWork>(*work.value);
        own->edge = nullptr;  // of the plan that this one is made of
        for (FieldCall& call : own->plan.calls) call.merges = call.merges || call.former;
        FieldSchedule schedule{own, {}, {}, {}, {}, {}};
        schedule.paths.cell =
            std::make_shared<const CellProgram>(cell_program(program_, graph_, own->plan, CellView{Path::edge}));
        return schedule;
    }

    void keep_planes() {
        for (const ValueId value : loaded_) keep(value, true);
        for (const FieldCall& call : plan_.calls)
            if (read_by_other_stage(call.value)) keep(call.value, false);
    }

    void find_kept() {
        for (std::size_t k = 0; k < made_.kept.size(); ++k) made_.kept_of.emplace(made_.kept[k].value, k);
        for (const auto& [copy, source] : made_.copies)
            if (const auto found = made_.kept_of.find(source); found != made_.kept_of.end())
                made_.kept_of[copy] = found->second;
    }

    void keep(ValueId value, bool loaded) {
        KeptPlanes kept{value, loaded, extent_.at(value)};
        const FieldShape& shape = field_shape(program_, graph_.values[value].variable);
        kept.word_registers = std::max(1, static_cast<int>(cell_bytes(shape.type)) / register_bytes);
        int oldest_own = 0;
        std::optional<PlanesRead> ring;  // ages
        for (std::size_t k = 0; k < plan_.calls.size(); ++k) {
            const PipelineExtent& reader = extent_.at(plan_.calls[k].value);
            for (const CellRead& read : reads_[k]) {
                if (read.value != value) continue;
                const int age = reader.lag - kept.extent.lag;
                const PlanesRead ages{age - read.planes.high, age - read.planes.low};
                kept.oldest = std::max(kept.oldest, ages.high);
                kept.at_cells = kept.at_cells && read.is_own();
                look_beyond(kept, read);
                if (read.at_own_cell()) {
                    oldest_own = std::max(oldest_own, ages.high);
                } else {
                    for (std::size_t axis = 1; axis < walk(); ++axis)
                        kept.in_rows = kept.in_rows && read.beside[axis] == 0;
                    if (!ring) ring = ages;
                    ring = PlanesRead{std::min(ring->low, ages.low), std::max(ring->high, ages.high)};
                }
            }
        }
        if (ring) {
            kept.delay = ring->low - 1;
            kept.copies = ring->high - kept.delay + 1;
        }
        // Later readers of what nobody wants of others find it in a cache.
        if (loaded && !ring && read_at_own_cells(value) && oldest_own > most_planes_of_own) oldest_own = 0;
        kept.queue = std::max(oldest_own, kept.delay) + 1;
        made_.kept.push_back(std::move(kept));
    }

    void look_beyond(KeptPlanes& kept, const CellRead& read) const {
        if (walk() < 2 || !read.crosses[1] || made_.around[1]) return;
        kept.rows_beyond.low = std::max(kept.rows_beyond.low, -read.beside[1]);
        kept.rows_beyond.high = std::max(kept.rows_beyond.high, read.beside[1]);
    }

    void find_walk() {
        for (const PipelineStage& stage : made_.stages) {
            made_.planes_before = std::max(made_.planes_before, stage.extent.planes_before - stage.extent.lag);
            made_.planes_behind = std::max(made_.planes_behind, stage.extent.planes_behind + stage.extent.lag);
        }
        for (const KeptPlanes& kept : made_.kept)
            made_.planes_before = std::max(made_.planes_before, kept.extent.planes_before - kept.extent.lag);
    }
};

}  // namespace

PlanesRead planes_read(BoundaryKind kind, int step, bool hidden) {
    if (kind == BoundaryKind::periodic || hidden) return {step, step};
    // The nearest plane of the grid, or, one step beyond the face, that in front of it.
    const int back = kind == BoundaryKind::mirror ? std::abs(step) - 1 : 0;
    return step < 0 ? PlanesRead{step, back} : PlanesRead{-back, step};
}

bool hides_step(const FieldCall& call, std::size_t axis, int step) {
    for (std::size_t k = 0; k < call.target.size(); ++k) {
        const auto* moving = std::get_if<Moving>(&call.target[k]);
        if (moving != nullptr && moving->axis == axis)
            return step < 0 ? call.kept[k].low >= -step : call.kept[k].high >= step;
    }
    return false;
}

bool may_cross_face(const PipelineWork& work, const PipelineStage& stage, ValueId value, std::size_t axis, int step) {
    if (step == 0 || work.around[axis]) return false;
    for (const FieldCall& call : stage.cells.plan().calls) {
        for (const FieldRead& read : call.reads) {
            if (read.value != value) continue;
            for (const FieldIndex& index : read.indices) {
                const auto* moving = std::get_if<Moving>(&index);
                const bool steps = moving != nullptr && moving->axis == axis && moving->step == step;
                if (steps && !hides_step(call, axis, step)) return true;
            }
        }
    }
    return false;
}

const KeptPlanes* PipelineWork::find(ValueId value) const {
    const auto found = kept_of.find(value);
    return found == kept_of.end() ? nullptr : &kept[found->second];
}

PipelineWorkResult pipeline_work(const Program& program, const Graph& graph, const Fusion& fusion,
                                 std::size_t least_stages) {
    return Work(program, graph, fusion).run(least_stages);
}

}  // namespace kasc
