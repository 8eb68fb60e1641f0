#include "random/field_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "frontend/expression_parts.hpp"
#include "frontend/same_expression.hpp"
#include "graph/field_target.hpp"
#include "model/prediction.hpp"
#include "random/predicted_device.hpp"
#include "schedule/field/walk/pieces.hpp"

namespace kasc::random {

namespace {

/// Least and most.
struct Range {
    double least = 0, most = 0;
    void add(const Range& other) { least += other.least, most += other.most; }
    [[nodiscard]] bool holds(double value) const { return least <= value && value <= most; }
};

/// Some operands may be left out: data decide which are read, for cells whose position lies beyond the grid nothing is,
/// of a complex number one part may never be looked at, and a remainder of one is zero.
bool leaves_out(const FieldStatement& statement) {
    bool found = statement.where != nullptr || !statement.listed.empty() || statement.adding;
    const auto look = [&](const Expression& part) {
        const auto* b = std::get_if<BinaryOperation>(&part.node);
        const auto* call = std::get_if<IntrinsicCall>(&part.node);
        const auto* by = b && b->op == BinaryOperator::modulo ? std::get_if<Literal>(&b->right->node) : nullptr;
        found = found || (by && by->value == 1) || std::holds_alternative<Conditional>(part.node) ||
                (call && call->intrinsic == Intrinsic::make_complex) ||
                (b && (b->op == BinaryOperator::logical_and || b->op == BinaryOperator::logical_or));
    };
    for_each_part(*statement.value, look);
    for (const Operand& operand : statement.operands) {
        for (const AxisIndex& index : operand.indices)
            if (const auto* computed = std::get_if<Computed>(&index)) for_each_part(*computed->position, look);
    }
    return found;
}

/// Words at positions that parameters give may be those at other positions, as may those that cells compute.
bool may_meet(const Graph& graph, const std::vector<NodeId>& calls) {
    std::map<VariableId, int> reads;
    std::set<VariableId> at_parameters;
    for (const NodeId call : calls)
        for (const Operand& operand : field_update(graph, call).statement.operands) {
            ++reads[operand.variable];
            for (const AxisIndex& index : operand.indices) {
                const auto* absolute = std::get_if<Absolute>(&index);
                if (std::holds_alternative<Computed>(index)) return true;
                if (absolute != nullptr && !std::holds_alternative<Literal>(absolute->position->node))
                    at_parameters.insert(operand.variable);
            }
        }
    return std::any_of(at_parameters.begin(), at_parameters.end(), [&](VariableId v) { return reads[v] > 1; });
}

/// A field is read at neighbours alone: its first cells, or its last ones, may be no cell's neighbours.
bool leaves_ends(const Graph& graph, const std::vector<NodeId>& calls) {
    std::set<ValueId> all, own;
    for (const NodeId call : calls) {
        const std::vector<Operand>& operands = field_update(graph, call).statement.operands;
        for (std::size_t k = 0; k < operands.size(); ++k) {
            const ValueId value = graph.nodes[call].reads[k];
            all.insert(value);
            const bool beside =
                std::any_of(operands[k].indices.begin(), operands[k].indices.end(), [](const AxisIndex& index) {
                    const auto* offset = std::get_if<Offset>(&index);
                    return offset != nullptr && offset->cells != 0;
                });
            if (!beside) own.insert(value);
        }
    }
    return all.size() > own.size();
}

/// From the calls' own indices; shares nothing with the model.
class CompulsoryBytes {
public:
    CompulsoryBytes(const Program& program, const PlannedKernel& planned, const test::Problem& problem)
        : program_(program),
          graph_(*planned.graph),
          schedule_(planned.schedule()),
          problem_(problem),
          plan_(schedule_.plan()),
          kept_(plan_.axes.size(), 0) {
        for (const FieldCall& call : plan_.calls) {
            anything_must_ = anything_must_ && !leaves_out(*call.statement);
            for (std::size_t k = 0; k < call.target.size(); ++k) {
                const auto* moving = std::get_if<Moving>(&call.target[k]);
                if (moving) kept_[moving->axis] = std::max<double>(kept_[moving->axis], layers(call.kept[k]));
            }
        }
        for (std::size_t k = 0; k < plan_.axes.size(); ++k) {
            cells_ *= extent(plan_.axes[k]);
            anything_must_ = anything_must_ && extent(plan_.axes[k]) > kept_[k];
        }
    }

    Range run() {
        find_wanted();
        std::set<ValueId> read;
        for (const ValueAt& load : schedule_.work->loads) read.insert(load.value);
        for (const FieldCall& call : plan_.calls)
            if (call.former && !call.former->producer) read.insert(call.former->value);
        Range bytes;
        for (const ValueId value : read) bytes.add(times(of_read(value), bytes_of_cell(value)));
        for (const FieldStore& store : schedule_.work->stores)
            bytes.add(times(of_store(store), bytes_of_cell(store.value)));
        add_prologue(bytes, std::move(read));
        return bytes;
    }

    /// Words of 4 bytes that cells take, each by itself, of the values that it reads; none where data, or anything but
    /// the cell's own place, decide that.
    [[nodiscard]] std::optional<Range> accesses() const {
        Range words;
        if (!schedule_.work->prologue.empty()) return {};
        // Near a face the chain of what is computed again is another one.
        if (schedule_.work->evaluations.size() != plan_.calls.size()) return {};
        const bool whole = anything_must_ && std::all_of(kept_.begin(), kept_.end(), [](double k) { return k == 0; });
        for (const FieldCall& call : plan_.calls) {
            if (!call.fixed.empty() || call.former || !call.stored) return {};
            for (const FieldRead& read : call.reads)
                if (std::any_of(read.indices.begin(), read.indices.end(),
                                [](const FieldIndex& i) { return !std::holds_alternative<Moving>(i); }))
                    return {};
        }
        for (const ValueAt& load : schedule_.work->loads) {
            const double each = cells_ * std::max(1.0, bytes_of_cell(load.value) / 4);
            // A word that many cells share may be read once for them; a block that has cells at a face, once for each
            // of its two paths, even if it has no cell in the other.
            const bool shared = shape(load.value).axes.size() < plan_.axes.size();
            words.most += shared && schedule_.work->edges ? 2 * each : each;
            if (whole && !shared) words.least += each;
        }
        for (const FieldStore& store : schedule_.work->stores) {
            const double each = cells_ * std::max(1.0, bytes_of_cell(store.value) / 4);
            words.most += each;
            if (whole) words.least += each;
        }
        return words;
    }

private:
    const Program& program_;
    const Graph& graph_;
    const FieldSchedule& schedule_;
    const test::Problem& problem_;
    const FieldPlan plan_;
    /// Calls that are stored, or read by others that are wanted, with the axes of which they are at one position.
    std::map<std::size_t, std::set<std::size_t>> wanted_;
    std::vector<double> kept_;  ///< by axis of the kernel: layers that some call does not assign
    double cells_ = 1;
    bool anything_must_ = true;  ///< be read: nothing is left out, and some cell is assigned

    /// All parts are read, and words once, but for those that the prologue makes. What a number leaves out may be.
    void add_prologue(Range& bytes, std::set<ValueId> known) const {
        for (const PrologueCall& call : schedule_.work->prologue)
            known.insert(graph_.nodes[call.call().node].writes[0]);
        for (const PrologueCall& call : schedule_.work->prologue) {
            const FieldUpdate& update = field_update(graph_, call.call().node);
            const double least = leaves_out(update.statement) ? 0 : 1;
            for (std::size_t k = 0; k < update.statement.operands.size(); ++k) {
                const ValueId value = graph_.nodes[call.call().node].reads[k];
                const double read = whole(value) * bytes_of_cell(value);
                if (known.insert(value).second) bytes.add({least * read, read});
            }
            const double stored = bytes_of_cell(call.call().value);
            if (call.stored) bytes.add({stored, stored});
        }
    }

    /// What is assigned again before anything reads it need not be computed; nor, where others of the kernel read it at
    /// one position of an axis only, elsewhere along that.
    void find_wanted() {
        for (std::size_t c = plan_.calls.size(); c-- > 0;) {
            const FieldCall& call = plan_.calls[c];
            if (call.stored) want(c, {});
            if (!wanted_.contains(c)) continue;
            for (const FixedAxis& f : call.fixed)
                if (!call.merges) wanted_.at(c).insert(f.axis);
            for (const FieldRead& read : call.reads)
                if (read.producer) want(*read.producer, wanted_.at(c));
        }
    }
    void want(std::size_t call, const std::set<std::size_t>& fixed) {
        const auto [at, added] = wanted_.emplace(call, fixed);
        if (!added) std::erase_if(at->second, [&](std::size_t axis) { return !fixed.contains(axis); });
    }

    [[nodiscard]] double extent(AxisId axis) const { return static_cast<double>(problem_.extents.at(axis.index)); }
    [[nodiscard]] static double layers(const KeptLayers& kept) { return kept.low + kept.high; }
    [[nodiscard]] static Range times(const Range& range, double by) { return {range.least * by, range.most * by}; }
    [[nodiscard]] const FieldShape& shape(ValueId value) const {
        return field_shape(program_, graph_.values[value].variable);
    }
    [[nodiscard]] double bytes_of_cell(ValueId value) const {
        return static_cast<double>(cell_bytes(shape(value).type));
    }
    [[nodiscard]] double whole(ValueId value) const {
        double words = 1;
        for (const AxisId axis : shape(value).axes) words *= extent(axis);
        return words;
    }

    /// What the cells that the call assigns see inside the grid through one read. A call that is not stored may be
    /// computed at some offsets for kept layers alone.
    [[nodiscard]] double least_of(std::size_t call, const FieldRead& read) const {
        if (!anything_must_) return 0;
        const std::vector<int> own(plan_.axes.size(), 0);
        double least = least_from(call, read, own);
        for (const Evaluation& e : schedule_.work->evaluations)
            if (e.call == plan_.calls[call].node && !plan_.calls[call].stored)
                least = std::min(least, least_from(call, read, e.offset));
        return least;
    }
    [[nodiscard]] double least_from(std::size_t call, const FieldRead& read, const std::vector<int>& from) const {
        double words = 1;
        for (const FieldIndex& index : read.indices) {
            const auto* moving = std::get_if<Moving>(&index);
            if (!moving || wanted_.at(call).contains(moving->axis)) continue;
            // Beyond the grid two steps do not make one: there and back is another cell.
            const double beyond = std::abs(from[moving->axis]) + std::abs(moving->step);
            words *= std::max(0.0, extent(plan_.axes[moving->axis]) - kept_[moving->axis] - beyond);
        }
        return words;
    }
    [[nodiscard]] static bool fixes(const FieldCall& call, std::size_t axis) {
        return std::any_of(call.fixed.begin(), call.fixed.end(), [&](const FixedAxis& f) { return f.axis == axis; });
    }
    /// The call is computed for other cells too: beyond the grid it looks at positions that no cell does.
    [[nodiscard]] bool recomputed(const FieldCall& call) const {
        const auto& all = schedule_.work->evaluations;
        return std::any_of(all.begin(), all.end(), [&](const Evaluation& e) {
            return e.call == call.node && std::any_of(e.offset.begin(), e.offset.end(), [](int o) { return o != 0; });
        });
    }
    [[nodiscard]] double most_of(ValueId value, const FieldCall& call, const FieldRead& read) const {
        if (is_computed(read.indices)) return recomputed(call) ? whole(value) : std::min(whole(value), cells_);
        double words = 1;
        for (const FieldIndex& index : read.indices)
            if (const auto* moving = std::get_if<Moving>(&index)) words *= extent(plan_.axes[moving->axis]);
        return words;
    }
    /// At the same positions, but for offsets.
    [[nodiscard]] static bool same_part(const FieldRead& a, const FieldRead& b) {
        if (is_computed(a.indices) || is_computed(b.indices)) return false;
        for (std::size_t k = 0; k < a.indices.size(); ++k) {
            const auto* l = std::get_if<Absolute>(&a.indices[k]);
            const auto* r = std::get_if<Absolute>(&b.indices[k]);
            if (!l != !r || (l && !same_expression(l->position, r->position))) return false;
        }
        return true;
    }

    [[nodiscard]] Range of_read(ValueId value) const {
        Range words;
        std::vector<const FieldRead*> parts;
        const auto take = [&](const FieldCall& call, const FieldRead& read) {
            const bool known = std::any_of(parts.begin(), parts.end(),
                                           [&](const FieldRead* other) { return same_part(*other, read); });
            if (known) return;
            parts.push_back(&read);
            // A cell of the kernel has a chunk of entries.
            words.most += call.statement->adding ? whole(value) : most_of(value, call, read);
        };
        for (std::size_t c = 0; c < plan_.calls.size(); ++c) {
            const FieldCall& call = plan_.calls[c];
            for (const FieldRead& read : call.reads) {
                if (read.producer || read.value != value) continue;
                take(call, read);
                if (!wanted_.contains(c)) continue;
                if (is_computed(read.indices)) {
                    words.least = std::max(words.least, std::min(1.0, least_of(c, read)));
                    continue;
                }
                words.least = std::max(words.least, least_of(c, read));
            }
            // Layers that the call keeps, or what lies beside its slice, show the former value to other calls.
            if (call.former && call.former->value == value) words.most += whole(value);
        }
        // A block's tile holds the cells around it, whether all of them are looked at or not.
        const bool tiled = std::any_of(schedule_.tiles.begin(), schedule_.tiles.end(),
                                       [&](const SharedTile& tile) { return tile.value == value; });
        // What is added to in any order lies in the result's array, what others read in one of its own.
        const double arrays = adds_in_place(value) && parts.size() > 1 ? 2 : 1;
        words.most = tiled ? whole(value) : std::min(words.most, arrays * whole(value));
        return words;
    }
    [[nodiscard]] bool adds_in_place(ValueId value) const {
        return std::any_of(plan_.calls.begin(), plan_.calls.end(), [&](const FieldCall& call) {
            return adds_in_any_order(program_, *call.statement) &&
                   call.reads[call.statement->adding->running].value == value;
        });
    }

    [[nodiscard]] Range of_store(const FieldStore& store) const {
        const auto call = std::find_if(plan_.calls.begin(), plan_.calls.end(),
                                       [&](const FieldCall& c) { return c.node == store.call; });
        if (makes_pieces(*call->statement)) return {whole(store.value), whole(store.value)};
        // Positions on the grid are assigned, others left out; entries of a list are different cells.
        if (is_computed(call->target)) return {0, std::min(whole(store.value), cells_)};
        Range words{call->statement->where || call->statement->adding ? 0.0 : 1.0, 1};
        if (call->merges) return {anything_must_ ? 1.0 : 0.0, whole(store.value)};
        for (const FieldIndex& index : call->target) {
            const auto* moving = std::get_if<Moving>(&index);
            if (!moving || fixes(*call, moving->axis)) continue;
            words.least *= std::max(0.0, extent(plan_.axes[moving->axis]) - kept_[moving->axis]);
            words.most *= extent(plan_.axes[moving->axis]);
        }
        return words;
    }
};

KernelSchedule schedule_of(const PlannedKernel& planned) {
    if (planned.lines() != nullptr) return *planned.lines();
    if (planned.pipeline() != nullptr) return *planned.pipeline();
    if (planned.product() != nullptr) return *planned.product();
    if (planned.transforms() != nullptr) return *planned.transforms();
    if (planned.scan() != nullptr) return *planned.scan();
    return planned.schedule();
}

Prediction predicted(const Program& program, const PlannedKernel& planned, const test::Problem& problem) {
    kasc::Problem sizes;
    sizes.extents = problem.extents;
    sizes.parameters = problem.parameters;
    static const Library none;
    return predict(schedule_of(planned), program, *planned.graph, none, predicted_device(), sizes);
}

bool reads_computed(const Operand& operand) {
    return std::any_of(operand.indices.begin(), operand.indices.end(),
                       [](const AxisIndex& index) { return std::holds_alternative<Computed>(index); });
}

/// Cells at the rim of a pipeline's block, which are another's, look at positions of their own.
double bytes_beside(const Program& program, const PlannedKernel& planned, const std::vector<NodeId>& calls,
                    const test::Problem& problem) {
    std::set<ValueId> looked_at;
    for (const NodeId call : calls) {
        const std::vector<Operand>& operands = field_update(*planned.graph, call).statement.operands;
        for (std::size_t k = 0; k < operands.size(); ++k) {
            const ValueId value = planned.graph->nodes[call].reads[k];
            if (reads_computed(operands[k]) && planned.pipeline()->work->find(value) == nullptr)
                looked_at.insert(value);
        }
    }
    double bytes = 0;
    for (const ValueId value : looked_at) {
        const FieldShape& shape = field_shape(program, planned.graph->values[value].variable);
        double words = 1;
        for (const AxisId axis : shape.axes) words *= static_cast<double>(problem.extents.at(axis.index));
        bytes += words * static_cast<double>(cell_bytes(shape.type));
    }
    return bytes;
}

/// Each input is read once and each result stored once, where data do not decide.
std::string whole_count_fault(const Program& program, const PlannedKernel& planned, const kernel::Kernel& kernel,
                              const test::Problem& problem, const test::Traffic& run, CountTally& tally) {
    const Prediction p = predicted(program, planned, problem);
    std::vector<NodeId> calls = fusion_of(schedule_of(planned)).calls;
    std::erase_if(calls,
                  [&](NodeId call) { return std::holds_alternative<Transform>(planned.graph->nodes[call].what); });
    bool open = std::any_of(calls.begin(), calls.end(),
                            [&](NodeId call) { return leaves_out(field_update(*planned.graph, call).statement); });
    // Some words of what is read at positions or beside lines may be no cell's.
    const PipelineSchedule* pipeline = planned.pipeline();
    const auto is_kept = [&](ValueId value) { return pipeline->work->find(value) != nullptr; };
    const bool whole =
        pipeline == nullptr || std::all_of(pipeline->fusion().inputs.begin(), pipeline->fusion().inputs.end(), is_kept);
    const double moved = run.read_bytes + run.stored_bytes;
    ++tally.kernels;
    open = open || !whole || may_meet(*planned.graph, calls) || leaves_ends(*planned.graph, calls);
    if (!open) ++tally.to_the_byte;
    const double beside = pipeline == nullptr ? 0 : bytes_beside(program, planned, calls, problem);
    if (moved > p.global_bytes + beside || (!open && moved < p.global_bytes))
        return fmt::format("{} moves {} bytes, the model says {}", kernel.name, moved, p.global_bytes);
    if (run.barriers != p.barriers && !kernel.name.ends_with("_long"))
        return fmt::format("a block of {} meets {} barriers, the model says {}", kernel.name, run.barriers, p.barriers);
    return "";
}

}  // namespace

void CountTally::add(const CountTally& other) {
    kernels += other.kernels, to_the_byte += other.to_the_byte, accesses += other.accesses;
}

std::string count_fault(const Program& program, const PlannedKernel& planned, const kernel::Kernel& kernel,
                        const test::Problem& problem, const test::Traffic& run, CountTally& tally) {
    // The model knows how often a loop runs only as far as bounds are settled.
    if (const LoopSchedule* loop = planned.loop()) {
        const int around = block::barriers_met(*loop->block, 0);
        const int of_chunk = block::barriers_met(*loop->block, 1) - around;
        const int inside = static_cast<int>(run.barriers) - around;
        const bool whole_chunks = of_chunk == 0 ? inside == 0 : inside % of_chunk == 0;
        return whole_chunks ? ""
                            : fmt::format(
                                  "a block of {} meets {} barriers, {} of them not in chunks or iterations, "
                                  "which have {} each",
                                  kernel.name, run.barriers, around, of_chunk);
    }
    if (planned.lines() != nullptr || planned.pipeline() != nullptr || planned.product() != nullptr ||
        planned.transforms() != nullptr || planned.scan() != nullptr)
        return whole_count_fault(program, planned, kernel, problem, run, tally);
    const Prediction p = predicted(program, planned, problem);
    const FieldSchedule& schedule = planned.schedule();
    CompulsoryBytes compulsory(program, planned, problem);
    const Range bytes = compulsory.run();
    const double moved = run.read_bytes + run.stored_bytes;
    ++tally.kernels;
    if (bytes.least == bytes.most) ++tally.to_the_byte;
    if (!bytes.holds(moved) || !bytes.holds(p.global_bytes))
        return fmt::format("{} moves {} bytes, the model says {}, by its calls it is {} to {}", kernel.name, moved,
                           p.global_bytes, bytes.least, bytes.most);
    const bool short_columns = schedule.choice.walk == Walk::column && !schedule.tiles.empty();
    // Where groups share what they read for the rim alone, single cells share nothing; lanes of groups pass through
    // shared memory, those of single cells do not; nor has a grid copies of the cells to which entries add.
    const FieldChoice& choice = schedule.choice;
    const bool of_groups =
        (!schedule.tiles.empty() || fold_of(*schedule.work) != nullptr) && kernel.name.ends_with("_v1");
    const bool of_copies = choice.walk == Walk::histogram && kernel.name.ends_with("_grid");
    if (run.barriers > p.barriers || (!short_columns && !of_groups && !of_copies && run.barriers < p.barriers))
        return fmt::format("a block of {} meets {} barriers, the model says {}", kernel.name, run.barriers, p.barriers);
    const bool looping = choice.walk == Walk::column || choice.walk == Walk::warp || choice.walk == Walk::histogram;
    const bool single = !looping && choice.vector == 1 && choice.rows == 1 && schedule.tiles.empty() &&
                        fold_of(*schedule.work) == nullptr && !adds_in_pieces(schedule.plan());
    const std::optional<Range> accesses = single ? compulsory.accesses() : std::nullopt;
    if (!accesses) return "";
    ++tally.accesses;
    const double words = p.shared_bytes / 4;
    if (!accesses->holds(run.passed_words) || !accesses->holds(words))
        return fmt::format("{} takes {} words through L1, the model says {}, by its calls it is {} to {}", kernel.name,
                           run.passed_words, words, accesses->least, accesses->most);
    return "";
}

}  // namespace kasc::random
