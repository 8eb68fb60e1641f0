#include "model/field/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/field_target.hpp"
#include "model/constants.hpp"
#include "model/field/assigned_cells.hpp"
#include "model/field/library_calls.hpp"
#include "model/field/loads.hpp"
#include "model/field/reads_made.hpp"
#include "model/field/words_read.hpp"
#include "model/parts.hpp"
#include "schedule/field/calls_functions.hpp"
#include "schedule/field/crossed.hpp"
#include "schedule/field/walk/histogram.hpp"
#include "schedule/field/walk/pieces.hpp"

namespace kasc::model {

namespace {

class CountedFacts {
public:
    CountedFacts(const FieldSchedule& schedule, const Program& program, const Graph& graph, const Problem& problem,
                 StatementCosts& costs)
        : schedule_(schedule), program_(program), graph_(graph), problem_(problem), costs_(costs) {
        for (AxisId axis : schedule.axes()) facts_.extents.push_back(static_cast<double>(extent_of(problem, axis)));
        for (double e : facts_.extents) facts_.cells *= e;
    }

    FieldFacts run() {
        find_made();
        find_reads();
        find_stores();
        find_scattered();
        count_computing();
        find_behind();
        find_words_held();
        leave_out_cells();
        facts_.all_cells_complex =
            std::all_of(schedule_.work->stores.begin(), schedule_.work->stores.end(),
                        [&](const FieldStore& store) { return is_complex(type_of(store.value)); });
        return std::move(facts_);
    }

private:
    /// Values of which more than a few cells are read. Marks are read whole: the few bytes of each row that are
    /// used cost as much as the row, 42 to 53 us for 134 MB of them.
    void find_made() {
        for (const Evaluation& e : schedule_.work->evaluations) {
            const Node& node = graph_.nodes[e.call];
            const auto& update = std::get<FieldUpdate>(node.what);
            if (!seen_.insert(e.call).second) continue;
            const std::vector<bool> made = reads_made(program_, update.statement);
            for (std::size_t k = 0; k < made.size(); ++k) {
                if (made[k]) made_.insert(node.reads[k]);
            }
            if (update.former) made_.insert(*update.former);
            if (update.statement.precision != Precision::dual) continue;
            in_double_.insert(node.reads.begin(), node.reads.end());
            // exp, pow and their like in double: a call holds a dozen words of its own beside what the thread holds.
            facts_.calls_double_functions = facts_.calls_double_functions || calls_functions(*update.statement.value);
        }
    }

    void find_reads() {
        for (const ValueAt& load : schedule_.work->loads) {
            if (facts_.reads.empty() || facts_.reads.back().value != load.value) facts_.reads.push_back(read_of(load));
            ReadValue& r = facts_.reads.back();
            const auto zeros = std::count(load.offset.begin(), load.offset.end(), 0);
            r.own = r.own || zeros == static_cast<std::ptrdiff_t>(load.offset.size());
            r.star = r.star && zeros + 1 >= static_cast<std::ptrdiff_t>(load.offset.size());
            for (std::size_t k = 0; k < load.offset.size(); ++k) {
                r.low[k] = std::min(r.low[k], load.offset[k]);
                r.high[k] = std::max(r.high[k], load.offset[k]);
            }
        }
        for (const ReadValue& read : facts_.reads) {
            facts_.a_cell += read.cell * words_at_once(read.value);
            if (read.own) facts_.own_words += registers_of(read.value);
        }
    }
    /// Words of a cell that a thread loads beside each other: at positions of the text. What is read at positions of
    /// the data may wait for them.
    [[nodiscard]] double words_at_once(ValueId value) const {
        std::set<std::vector<double>> words;
        for (const FieldCall& call : schedule_.plan().calls)
            for (const FieldRead& read : call.reads)
                if (read.value == value && !read.producer && !same_for_all(read.indices) && !is_computed(read.indices))
                    words.insert(positions_of(read));
        return std::max(1.0, static_cast<double>(words.size()));
    }
    [[nodiscard]] ReadValue read_of(const ValueAt& load) const {
        ReadValue read{load.value, load.offset, load.offset};
        read.cell = static_cast<double>(cell_bytes(type_of(load.value)));
        if (made_.contains(load.value)) {
            const double words =
                words_read(load.value, schedule_.fusion().calls, schedule_.axes(), program_, graph_, problem_);
            read.bytes = words * read.cell;
        }
        read.words = read.cell / 4;
        read.lacks = lacking(load.value);
        if (const auto& axes = schedule_.axes(); !axes.empty() && words_at_once(load.value) > 1) {
            const std::vector<AxisId>& own = field_shape(program_, graph_.values[load.value].variable).axes;
            const auto has = [&](AxisId axis) { return std::find(own.begin(), own.end(), axis) != own.end(); };
            read.same_along_first = !has(axes.front()), read.same_along_last = !has(axes.back());
        }
        read.registers =
            std::max(registers_of(load.value), in_double_.contains(load.value) ? converted_registers : 1.0);
        return read;
    }

    /// ReadValue::lacks; of a value that is read at positions none: these say which cells read which words.
    [[nodiscard]] std::vector<bool> lacking(ValueId value) const {
        const auto at_positions = [&](const FieldRead& read) {
            return read.value == value &&
                   std::any_of(read.indices.begin(), read.indices.end(),
                               [](const FieldIndex& i) { return !std::holds_alternative<Moving>(i); });
        };
        const auto& calls = schedule_.plan().calls;
        const bool anywhere = std::any_of(calls.begin(), calls.end(), [&](const FieldCall& call) {
            return std::any_of(call.reads.begin(), call.reads.end(), at_positions);
        });
        const std::vector<AxisId>& own = field_shape(program_, graph_.values[value].variable).axes;
        std::vector<bool> lacks;
        for (const AxisId axis : schedule_.axes())
            lacks.push_back(!anywhere && std::find(own.begin(), own.end(), axis) == own.end());
        return lacks;
    }

    void find_stores() {
        for (const FieldStore& store : schedule_.work->stores) {
            std::vector<AxisId> fixed;
            for (const auto& [axis, position] : store.fixed) fixed.push_back(axis);
            facts_.stores.push_back({bytes_stored(store, fixed),
                                     static_cast<double>(cell_bytes(type_of(store.value))) / 4,
                                     registers_of(store.value)});
            facts_.own_words += facts_.stores.back().registers;
            for (AxisId axis : fixed) stored_at_[store.call].insert(axis);
        }
    }

    void find_scattered() {
        std::map<std::pair<VariableId, bool>, std::size_t> known;  // and whether it is stored
        const auto count = [&](ValueId value, const std::vector<FieldIndex>& indices, bool stored) {
            if (indices.empty() || schedule_.axes().empty()) return;
            if (const auto axis = crossed_axis(indices, schedule_.axes()))
                facts_.crossed.push_back({facts_.cells, static_cast<double>(cell_bytes(type_of(value))), *axis});
            const double step = std::abs(cells_a_step(indices.front(), 0, schedule_.axes()).value_or(0));
            if (step < 2 && (is_computed(indices) || !scatters(indices))) return;
            const VariableId variable = graph_.values[value].variable;
            const auto [at, is_new] = known.try_emplace({variable, stored}, facts_.strided.size());
            if (is_new) facts_.strided.push_back({0, static_cast<double>(cell_bytes(type_of(value)))});
            StridedWords& strided = facts_.strided[at->second];
            strided.variable = variable, strided.stored = stored;
            const double words = is_computed(indices) ? facts_.cells : words_touched(indices, facts_.extents);
            strided.words = std::max(strided.words, words);
            strided.stride =
                std::max(strided.stride, strided.cell * (step < 2 ? cells_between(variable, indices) : step));
            ++strided.reads;
        };
        if (adds_in_pieces(schedule_.plan())) {
            for (const LaneSums& sums : lane_sums_of(schedule_.plan(), program_))
                facts_.additions.push_back(
                    {static_cast<double>(sums.cells), static_cast<double>(cell_bytes(sums.type))});
        }
        for (const FieldCall* call : additions_of(schedule_.plan())) {
            if (adds_in_pieces(schedule_.plan())) break;
            Additions found{1, static_cast<double>(cell_bytes(type_of(call->value)))};
            for (const std::size_t axis : copied_axes(*call))
                found.cells *=
                    static_cast<double>(extent_of(problem_, field_shape(program_, call->statement->target).axes[axis]));
            facts_.additions.push_back(found);
        }
        for (const FieldCall& call : schedule_.plan().calls) {
            for (const FieldRead& read : call.reads)
                if (!read.producer) count(read.value, read.indices, false);
            if (call.statement->adding && call.statement->adding->part == Adding::Part::cells) find_entries(call);
            if (call.stored && !call.statement->fold && !makes_pieces(*call.statement))
                count(call.value, call.target, true);
        }
    }
    /// Along the first axis that moves with the kernel's cells, from one of them to the next.
    [[nodiscard]] double cells_between(VariableId variable, const std::vector<FieldIndex>& indices) const {
        const std::vector<AxisId>& axes = field_shape(program_, variable).axes;
        double cells = 1;
        for (std::size_t k = 0; k < indices.size() && !std::holds_alternative<Moving>(indices[k]); ++k)
            cells *= static_cast<double>(extent_of(problem_, axes[k]));
        return cells;
    }

    /// What entries of an ordered list have lies where the list has them, of a short field in a cache. The target is
    /// read and written in ascending order.
    void find_entries(const FieldCall& call) {
        for (std::size_t k = 0; k < call.reads.size(); ++k) {
            if (!is_computed(call.reads[k].indices) || k == call.statement->adding->running) continue;
            if (!entries_read_.emplace(call.reads[k].value, operand_texts(*call.statement, program_)[k]).second)
                continue;
            double words = 1;
            for (const AxisId axis : field_shape(program_, graph_.values[call.reads[k].value].variable).axes)
                words *= static_cast<double>(extent_of(problem_, axis));
            facts_.strided.push_back({std::min(words, facts_.cells),
                                      static_cast<double>(cell_bytes(type_of(call.reads[k].value))),
                                      std::numeric_limits<double>::infinity(), 1});
        }
    }

    void find_words_held() {
        constexpr std::size_t many = 16;
        using Word = std::pair<ValueId, std::string>;
        std::set<Word> all;
        std::vector<std::size_t> of_calls;
        for (const FieldCall& call : schedule_.plan().calls) {
            std::set<std::size_t> taken;
            std::set<Word> words;
            for (const FieldRead& read : call.reads) {
                if (read.producer)
                    taken.insert(*read.producer);
                else if (!same_for_all(read.indices) && !is_computed(read.indices))
                    words.emplace(read.value, text_of_indices(read.indices));
            }
            facts_.taken_by_call = std::max(facts_.taken_by_call, static_cast<double>(taken.size()));
            of_calls.push_back(words.size());
            all.merge(words);
        }
        if (all.size() < many) return;
        facts_.calls_of_all_words = static_cast<double>(
            std::count_if(of_calls.begin(), of_calls.end(), [&](std::size_t words) { return 2 * words > all.size(); }));
    }
    [[nodiscard]] static std::string text_of_indices(const std::vector<FieldIndex>& indices) {
        std::string text;
        for (const FieldIndex& index : indices) {
            if (const auto* moving = std::get_if<Moving>(&index))
                text += fmt::format(" {}+{}", moving->axis, moving->step);
            if (const auto* absolute = std::get_if<Absolute>(&index))
                if (const auto* number = std::get_if<Literal>(&absolute->position->node))
                    text += fmt::format(" {}", number->value);
        }
        return text;
    }

    /// What is read, stored and computed of cells that are left as they were.
    void leave_out_cells() {
        const auto [share, visited] = assigned_cells(*schedule_.work, problem_);
        facts_.visited = visited;
        if (share == 1) return;
        for (ReadValue& read : facts_.reads) read.bytes *= share;
        for (FieldFacts::Stored& stored : facts_.stores) stored.bytes *= share;
        for (double& instructions : facts_.of_call) instructions *= share;
        for (double* count : {&facts_.flops, &facts_.computing, &facts_.sharable}) *count *= share;
    }

    void count_computing() {
        LibraryCalls calls(program_, graph_);
        const auto& planned = schedule_.plan().calls;
        facts_.of_call.assign(planned.size(), 0);
        facts_.evaluations.assign(planned.size(), 0);
        facts_.slow_paths.assign(planned.size(), 0);
        facts_.slow_ns.assign(planned.size(), 0);
        for (const Evaluation& e : schedule_.work->evaluations) {
            const auto call =
                std::find_if(planned.begin(), planned.end(), [&](const FieldCall& c) { return c.node == e.call; });
            const auto number = static_cast<std::size_t>(call - planned.begin());
            const auto& update = std::get<FieldUpdate>(graph_.nodes[e.call].what);
            double at = facts_.cells;
            for (std::size_t k = 0; k < schedule_.axes().size(); ++k) {
                if (const auto fixed = stored_at_.find(e.call);
                    fixed != stored_at_.end() && fixed->second.contains(schedule_.axes()[k])) {
                    at /= facts_.extents[k];
                }
            }
            const double before = calls.done_before(e.call, e.offset);
            const StatementCost& cost = costs_.of(update.statement);
            const double instructions = cost.instructions - before;
            facts_.flops += at * (operation_count(*update.statement.value) - before);
            facts_.computing += at * instructions;
            facts_.of_call[number] += at * instructions;
            if (facts_.evaluations[number]++ == 0) {
                const int passed = cost.slow_paths;
                const bool doubles = update.statement.precision == Precision::dual;
                facts_.slow_paths[number] = passed;
                facts_.divides_doubles = facts_.divides_doubles || (doubles && passed > 0);
                facts_.slow_ns[number] = passed * (doubles ? double_slow_path_ns : slow_path_ns);
            }
            facts_.called_words = std::max(facts_.called_words, called_words(*update.statement.value, program_));
            facts_.sharable += at * sharable_operations(*update.statement.value, program_);
            facts_.code_at_most += instructions;
        }
    }

    /// A call's operands are loaded before it computes, those of the next one behind it.
    void find_behind() {
        std::map<NodeId, const FieldCall*> calls;
        std::set<NodeId> slow_calls;
        for (const FieldCall& call : schedule_.plan().calls) {
            calls[call.node] = &call;
            if (has_slow_path(*call.statement->value)) slow_calls.insert(call.node);
        }
        if (slow_calls.empty()) return;
        std::set<ValueAt> loaded;
        double behind = 0;
        bool slow = false;
        for (const Evaluation& e : schedule_.work->evaluations) {
            for (const FieldRead& read : calls.at(e.call)->reads) {
                if (read.producer) continue;
                ValueAt at{read.value, e.offset};
                for (const FieldIndex& index : read.indices)
                    if (const auto* moving = std::get_if<Moving>(&index)) at.offset[moving->axis] += moving->step;
                if (loaded.insert(std::move(at)).second && slow) ++behind;
            }
            slow = slow || slow_calls.contains(e.call);
        }
        if (!loaded.empty()) facts_.behind = behind / static_cast<double>(loaded.size());
    }

    [[nodiscard]] CellType type_of(ValueId value) const {
        return field_shape(program_, graph_.values[value].variable).type;
    }
    /// A register has 32 bits; bytes are held one a register.
    [[nodiscard]] double registers_of(ValueId value) const {
        return std::max(1.0, static_cast<double>(cell_bytes(type_of(value))) / 4);
    }
    [[nodiscard]] double bytes_stored(const FieldStore& store, const std::vector<AxisId>& fixed) const {
        const FieldShape& field = field_shape(program_, graph_.values[store.value].variable);
        auto bytes = static_cast<double>(cell_bytes(field.type));
        // At positions that cells compute: each stores its own.
        if (!field_update(graph_, store.call).statement.listed.empty()) {
            double all = 1;
            for (const AxisId axis : field.axes) all *= static_cast<double>(extent_of(problem_, axis));
            const bool pieces = makes_pieces(field_update(graph_, store.call).statement);
            return bytes * (pieces ? all : std::min(all, facts_.cells));
        }
        for (std::size_t k = 0; k < schedule_.axes().size(); ++k) {
            const AxisId axis = schedule_.axes()[k];
            const bool has = std::find(field.axes.begin(), field.axes.end(), axis) != field.axes.end();
            if (has && std::find(fixed.begin(), fixed.end(), axis) == fixed.end()) bytes *= facts_.extents[k];
        }
        return bytes;
    }

    const FieldSchedule& schedule_;
    const Program& program_;
    const Graph& graph_;
    const Problem& problem_;
    StatementCosts& costs_;
    FieldFacts facts_;
    std::set<std::pair<ValueId, std::string>> entries_read_;
    std::set<NodeId> seen_;
    std::set<ValueId> made_, in_double_;
    std::map<NodeId, std::set<AxisId>> stored_at_;
};

}  // namespace

double bytes_beside(const FieldFacts& facts, double line_bytes) {
    double bytes = 0;
    for (const StridedWords& strided : facts.strided) {
        const double own = strided.reads * strided.cell;
        const double moved = std::min(strided.reads * std::min(line_bytes, strided.stride), strided.stride);
        bytes += strided.words * std::max(0.0, moved - own);
    }
    return bytes;
}

StridedPasses strided_passes(const FieldFacts& facts, const StagedParts* staged) {
    StridedPasses all;
    for (const StridedWords& strided : facts.strided) {
        const auto passes = [&](const StagedField& f) {
            return f.variable == strided.variable && f.stored == strided.stored;
        };
        if (!std::isfinite(strided.stride)) continue;
        if (staged != nullptr && std::any_of(staged->fields.begin(), staged->fields.end(), passes)) continue;
        const double words = strided.words * strided.reads;
        all.lines += words * (std::min(1.0, strided.stride / (4 * line_words)) - strided.cell / (4 * line_words));
        if (strided.stored)
            all.l2_bytes += words * sectors_in_part * (std::min(l2_sector_bytes, strided.stride) - strided.cell);
    }
    return all;
}

Crossed crossed_by_blocks(const FieldFacts& facts, const std::vector<double>& tile, bool walks) {
    Crossed all;
    for (const CrossedWords& crossed : facts.crossed) {
        const bool walked = walks && crossed.axis + 1 == tile.size();
        const double beside = crossed.axis < tile.size() && !walked ? tile[crossed.axis] : 1;
        const double taken = std::min(l2_sector_bytes, beside * crossed.cell);
        all.bytes += crossed.words * crossed.cell * (l2_sector_bytes / taken - 1);
        all.lines += crossed.words;
    }
    return all;
}

double waits_for_loads(const FieldFacts& facts, double loads) {
    return loads * (facts.divides_doubles ? load_of_many_ns : load_by_itself_ns * facts.behind);
}

FieldFacts field_facts(const FieldSchedule& schedule, const Program& program, const Graph& graph,
                       const Problem& problem, StatementCosts& costs) {
    return CountedFacts(schedule, program, graph, problem, costs).run();
}

}  // namespace kasc::model
