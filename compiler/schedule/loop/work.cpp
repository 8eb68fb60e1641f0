#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/expression_parts.hpp"
#include "frontend/same_expression.hpp"
#include "graph/field_target.hpp"
#include "graph/linear_position.hpp"
#include "schedule/loop/joined_body.hpp"
#include "schedule/loop/schedule.hpp"
#include "search/loop_cells.hpp"
#include "search/set_rules.hpp"

namespace kasc {

namespace {

/// Operations of all iterations that stand behind each other in a kernel's code: more would take long to compile, and
/// gain nothing.
constexpr int most_unrolled_operations = 1000;

bool stands_at_cell(const std::vector<FieldIndex>& indices) {
    return std::all_of(indices.begin(), indices.end(), [](const FieldIndex& index) {
        const auto* own = std::get_if<Moving>(&index);
        return own != nullptr && own->step == 0;
    });
}

bool keeps_layers(const FieldCall& call) {
    return std::any_of(call.kept.begin(), call.kept.end(),
                       [](const KeptLayers& layers) { return layers != KeptLayers{}; });
}

class Working {
public:
    Working(const Program& program, const Graph& graph, const Fusion& fusion)
        : program_(program),
          graph_(graph),
          work_{fusion, *loop_among(graph, fusion.calls), {}, 0, 0, {}, {}, {}, {}, {}, {}, {}} {
        std::sort(work_.fusion.calls.begin(), work_.fusion.calls.end());
        work_.loop = std::get<LoopNode>(graph_.nodes[work_.node].what);
        JoinedBody joined = join_body(graph, work_.fusion, work_.node);
        work_.loop.body = std::move(joined.graph);
        work_.begin = joined.before, work_.end = joined.end;
        work_.inside = std::move(joined.inside);
    }

    LoopWorkResult run() {
        std::string reason = schedule_statements();
        if (reason.empty()) reason = place_values();
        if (!reason.empty()) return {nullptr, reason};
        keep_words();
        find_cells();
        keep_results_of_walked_fields();
        LoopLinesResult lines = loop_lines(work_, program_);
        if (!lines.reason.empty()) return {nullptr, lines.reason};
        work_.lines = std::move(lines.value);
        if (!work_.of_lines()) work_.tiles = loop_tiles(work_, program_);
        return {std::make_shared<const LoopWork>(std::move(work_)), ""};
    }

private:
    const Program& program_;
    const Graph& graph_;
    LoopWork work_;

    [[nodiscard]] const Graph& body() const { return *work_.loop.body; }
    [[nodiscard]] std::optional<ValueId> inside(std::optional<ValueId> outer) const {
        const auto found = outer ? work_.inside.find(*outer) : work_.inside.end();
        return found == work_.inside.end() ? std::nullopt : std::optional(found->second);
    }

    std::string schedule_statements() {
        const FusionMaker maker(body());
        for (const NodeId node : body().nodes.ids()) {
            const FieldScheduler scheduler(program_, body(), maker.of({node.index}));
            if (!scheduler.reason().empty()) return scheduler.reason();
            FieldScheduleResult made = scheduler.with(cell_by_cell(scheduler.axes()));
            if (!made.value) return made.reason;
            work_.statements.push_back(std::move(*made.value));
            if (work_.statements.back().axes() != work_.axes()) return "its statements are over different cells";
        }
        for (std::size_t k = 0; k < work_.statements.size(); ++k)
            if (work_.is_beside(k) && reads_made_of_others(k))
                return "what stands beside a loop in each cell is read at the cell itself";
        return work_.statements.empty() ? "it does nothing" : "";
    }
    /// Values that other threads make.
    [[nodiscard]] bool reads_made_of_others(std::size_t statement) const {
        const auto& reads = work_.call(statement).reads;
        return std::any_of(reads.begin(), reads.end(), [&](const FieldRead& read) {
            return body().values[read.value].producer && !stands_at_cell(read.indices);
        });
    }

    [[nodiscard]] bool is_word(VariableId variable) const {
        std::vector<AxisId> own = field_shape(program_, variable).axes, all = work_.axes();
        std::sort(own.begin(), own.end());
        std::sort(all.begin(), all.end());
        return own == all;
    }

    std::string place_values() {
        for (const Carried& c : work_.loop.carried) {
            if (is_word(c.variable)) {
                std::optional<ValueId> made = inside(c.initial);
                if (made && !body().values[*made].producer) made.reset();
                work_.words.push_back({c.variable, c.initial, c.entering, c.leaving, c.result, made, inside(c.result)});
                continue;
            }
            WalkedField field{c.variable, c.initial, c.result, {}, {}};
            for (const ValueId value : body().values.ids())
                if (body().values[value].variable == c.variable) field.versions.push_back(value);
            work_.walked.push_back(std::move(field));
        }
        for (const Node& node : body().nodes) {
            const ValueId made = node.writes.front();
            const VariableId variable = body().values[made].variable;
            if (!is_word(variable) && work_.walked_of(made) == nullptr)
                return fmt::format("{} is needed within an iteration alone", program_.variables[variable].name);
        }
        return {};
    }

    /// One statement assigns the field, at every cell of the kernel.
    void keep_words() {
        for (WalkedField& field : work_.walked) {
            std::vector<std::size_t> assigning;
            for (std::size_t k = work_.begin; k < work_.end; ++k)
                if (work_.walked_of(work_.call(k).value) == &field) assigning.push_back(k);
            if (assigning.size() != 1 || !is_register_type(field_shape(program_, field.variable).type)) continue;
            if (!keeps_layers(work_.call(assigning.front()))) field.kept_of = assigning.front();
        }
    }

    void find_cells() {
        for (FieldSchedule& statement : work_.statements) {
            const FieldCall& call = statement.plan().calls.front();
            if (keeps_layers(call) && work_.walked_of(call.value) == nullptr) {
                // As where it is stored at every cell.
                const auto merging = std::make_shared<FieldWork>(*statement.work);
                merging->plan.calls.front().merges = true;
                CellView view;
                view.path = Path::edge;
                merging->edge =
                    std::make_shared<const CellProgram>(cell_program(program_, body(), merging->plan, view));
                statement.work = merging;
                work_.cells.push_back(merging->edge);
                continue;
            }
            const bool anywhere = statement.work->edges || statement.work->margin > 0;
            work_.cells.push_back(anywhere ? statement.work->edge : statement.paths.cells);
        }
    }

    /// Later iterations find there what earlier ones have left.
    void keep_results_of_walked_fields() {
        std::vector<ValueId>& outputs = work_.fusion.outputs;
        for (const WalkedField& field : work_.walked) {
            std::erase(work_.fusion.inner, field.result);
            outputs.push_back(field.result);
        }
        std::sort(outputs.begin(), outputs.end());
        outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
    }
};

}  // namespace

FieldChoice loop_choice(int threads, int unroll) {
    FieldChoice choice;
    choice.walk = Walk::loop;
    choice.threads_x = threads, choice.threads_y = 1;
    choice.unroll = unroll;
    return choice;
}

std::vector<AxisId> LoopWork::line_axes() const {
    std::vector<AxisId> all;
    for (const std::size_t axis : lines.along) all.push_back(axes()[axis]);
    return all;
}

const WalkedField* LoopWork::walked_of(ValueId value) const {
    const auto found = std::find_if(walked.begin(), walked.end(), [&](const WalkedField& f) {
        return std::find(f.versions.begin(), f.versions.end(), value) != f.versions.end();
    });
    return found == walked.end() ? nullptr : &*found;
}

bool LoopWork::is_in_register(ValueId value) const {
    return loop.body->values[value].producer.has_value() ||
           std::any_of(words.begin(), words.end(),
                       [&](const HandedWord& w) { return w.entering == value || w.left == value; });
}

bool LoopWork::stores_beside(std::size_t statement) const {
    return std::any_of(fusion.outputs.begin(), fusion.outputs.end(), [&](ValueId output) {
        const auto known = inside.find(output);
        return known != inside.end() && known->second == call(statement).value;
    });
}

bool LoopWork::goes_on(const FieldIndex& index) const {
    const auto* absolute = std::get_if<Absolute>(&index);
    return absolute != nullptr && uses_loop(*absolute->position, loop.loop);
}

CellType type_of_tile(const LoopTile& tile, const LoopWork& work, const Program& program) {
    return field_shape(program, work.loop.body->values[tile.value].variable).type;
}

bool stand_alike(const std::vector<FieldIndex>& first, const std::vector<FieldIndex>& second, bool before,
                 const LoopWork& work, const Program& program) {
    for (std::size_t k = 0; k < first.size(); ++k) {
        const auto *own = std::get_if<Moving>(&first[k]), *other = std::get_if<Moving>(&second[k]);
        if (own != nullptr && other != nullptr && own->step == other->step) continue;
        const auto *at = std::get_if<Absolute>(&first[k]), *looked = std::get_if<Absolute>(&second[k]);
        if (at == nullptr || looked == nullptr) return false;
        auto there = linear_position(*at->position, work.loop.loop, program);
        const auto here =
            before ? position_behind_first(*looked->position, work.loop.loop, work.loop.from, work.loop.to, program)
                   : linear_position(*looked->position, work.loop.loop, program);
        if (!there || !here) return false;
        if (before) there = there->before();
        if (*there != *here) return false;
    }
    return true;
}

namespace {

/// The indices without what goes along the kernel's axes, at the cell or at others: a walked field's positions.
std::vector<FieldIndex> positions_of(const std::vector<FieldIndex>& target, const std::vector<FieldIndex>& read) {
    std::vector<FieldIndex> positions;
    for (std::size_t k = 0; k < target.size(); ++k)
        if (!std::holds_alternative<Moving>(target[k])) positions.push_back(read[k]);
    return positions;
}

bool go_evenly(const std::vector<FieldIndex>& positions, const LoopWork& work, const Program& program) {
    return std::all_of(positions.begin(), positions.end(), [&](const FieldIndex& index) {
        const auto* at = std::get_if<Absolute>(&index);
        return at == nullptr || linear_position(*at->position, work.loop.loop, program);
    });
}

/// Some iteration reads the field at other positions than these, as they are written.
bool is_read_elsewhere(const LoopWork& work, const WalkedField& field, const std::vector<FieldIndex>& indices) {
    const auto is_other = [&](const FieldRead& read) {
        if (work.walked_of(read.value) != &field) return false;
        for (std::size_t k = 0; k < indices.size(); ++k) {
            const auto *one = std::get_if<Absolute>(&indices[k]), *two = std::get_if<Absolute>(&read.indices[k]);
            if (one != nullptr && two != nullptr && !same_expression(one->position, two->position)) return true;
        }
        return false;
    };
    for (std::size_t k = work.begin; k < work.end; ++k)
        if (std::any_of(work.call(k).reads.begin(), work.call(k).reads.end(), is_other)) return true;
    return false;
}

}  // namespace

WordOf word_of(const LoopWork& work, std::size_t k, const FieldRead& read, const Program& program) {
    const WalkedField* field = work.walked_of(read.value);
    if (field == nullptr || !field->kept_of || work.is_beside(k)) return WordOf::memory;
    const std::vector<FieldIndex>& target = work.call(*field->kept_of).target;
    const std::vector<FieldIndex> made = positions_of(target, target), looked = positions_of(target, read.indices);
    if (k > *field->kept_of && stand_alike(made, looked, false, work, program)) return WordOf::this_iteration;
    if (!stand_alike(made, looked, true, work, program)) return WordOf::memory;
    // In the first iteration another position is looked at: there nothing may be made before, nor differ others.
    const bool evenly = go_evenly(looked, work, program);
    if (!evenly && (k > *field->kept_of || is_read_elsewhere(work, *field, read.indices))) return WordOf::memory;
    return WordOf::former_iteration;
}

LoopWorkResult loop_work(const Program& program, const Graph& graph, const Fusion& fusion) {
    return Working(program, graph, fusion).run();
}

namespace {

std::string fault_of_loop(const LoopWork& work, const FieldChoice& c) {
    constexpr int most_chunk = 256;
    FieldChoice plain = loop_choice(c.threads_x, c.unroll);
    plain.threads_y = c.threads_y, plain.chunk = c.chunk;
    if (c != plain)
        return "a loop in each cell has threads, iterations at a time and, in tiles, chunks of them, as in 'loop 128x1 "
               "unroll 4' or 'loop 64x1 chunk 32 unroll 4'";
    if (c.threads_x < 1 || c.threads_y < 1 || c.threads_x * c.threads_y > most_threads_of_loop)
        return fmt::format("a loop in each cell has blocks of 1 to {} threads", most_threads_of_loop);
    if (c.unroll < 1 || c.unroll > most_unrolled_of_loop)
        return fmt::format("a loop in each cell takes 1 to {} iterations at a time", most_unrolled_of_loop);
    if (c.chunk < 1 || c.chunk > most_chunk)
        return fmt::format("tiles have the words of 2 to {} iterations", most_chunk);
    if (c.chunk == 1) return c.threads_y == 1 ? "" : "without tiles all threads of a block have cells of their own";
    if (work.tiles.empty()) return "it goes along no line of memory: there is nothing to hold in tiles";
    const int threads = c.threads_x * c.threads_y;
    if (threads % c.chunk != 0 && c.chunk % threads != 0)
        return "one of the threads of a block and the words of a tile's line is a multiple of the other";
    return c.threads_x * c.chunk % threads == 0 ? "" : "a tile has as many words for each thread of the block";
}

}  // namespace

LoopScheduleResult schedule_loop(std::shared_ptr<const LoopWork> work, const FieldChoice& choice,
                                 const Program& program, const std::vector<int>& lengths) {
    if (lengths.size() != work->lines.along.size()) return {std::nullopt, "the lengths of its lines are not known"};
    std::string fault =
        work->of_lines() ? line_choice_fault(*work, choice, cells_of(lengths)) : fault_of_loop(*work, choice);
    if (!fault.empty()) return {std::nullopt, std::move(fault)};
    LoopSchedule schedule{std::move(work), choice, nullptr, lengths};
    schedule.block = std::make_shared<const block::BlockProgram>(
        schedule.work->of_lines() ? line_loop_block(schedule, program) : loop_block(schedule, program));
    return {std::move(schedule), ""};
}

Verdict goes_along_lines(const LoopWork& work) {
    constexpr const char* rows = "a core goes along memory, iteration by iteration";
    if (work.of_lines()) return Verdict::no(rows);
    const auto moves = [&](const FieldIndex& index) { return work.goes_on(index); };
    bool any = false;
    for (std::size_t k = work.begin; k < work.end; ++k) {
        std::vector<const std::vector<FieldIndex>*> all{&work.call(k).target};
        for (const FieldRead& read : work.call(k).reads) all.push_back(&read.indices);
        for (const std::vector<FieldIndex>* indices : all) {
            if (indices->empty() || same_for_all(*indices)) continue;
            if (is_computed(*indices) || std::any_of(indices->begin() + 1, indices->end(), moves))
                return Verdict::no(rows);
            any = any || moves(indices->front());
        }
    }
    return any ? Verdict::yes("a core goes along each line") : Verdict::no(rows);
}

std::vector<FieldChoice> loop_choices(const LoopWork& work, bool cpu, const std::vector<int>& lengths) {
    if (cpu && !goes_along_lines(work)) return {};
    if (work.of_lines()) return line_loop_choices(work, cells_of(lengths));
    if (cpu) return {loop_choice(1, 1), loop_choice(16, 1)};
    int operations = 0;
    for (std::size_t k = work.begin; k < work.end; ++k)
        operations += operation_count(*work.call(k).statement->value) + static_cast<int>(work.call(k).reads.size());
    std::vector<FieldChoice> all;
    for (const int threads : {32, 64, 128, 256}) {
        for (const int unroll : {1, 4, 8, 16}) {
            if (unroll > 1 && unroll * operations > most_unrolled_operations) continue;
            all.push_back(loop_choice(threads, unroll));
        }
    }
    if (work.tiles.empty()) return all;
    // A line of memory at a time where cells are many; longer pieces, which more threads fetch, where they are few.
    const int unroll = 8 * operations > most_unrolled_operations ? 1 : 8;
    for (const auto& [x, y, chunk] : std::initializer_list<std::array<int, 3>>{{64, 2, 16},
                                                                               {32, 1, 32},
                                                                               {64, 1, 32},
                                                                               {32, 4, 32},
                                                                               {64, 4, 32},
                                                                               {32, 2, 64},
                                                                               {16, 8, 64},
                                                                               {16, 8, 128},
                                                                               {32, 8, 128}}) {
        all.push_back(loop_choice(x, unroll));
        all.back().threads_y = y, all.back().chunk = chunk;
    }
    return all;
}

std::string print(const LoopSchedule& schedule, const Program& program, const Graph& graph) {
    const LoopWork& work = *schedule.work;
    std::string text = work.of_lines() ? print_lines(schedule, program)
                                       : fmt::format("loop in each cell: {}\n", print(Choice{schedule.choice}));
    if (!work.of_lines())
        for (const HandedWord& word : work.words)
            text +=
                fmt::format("  {} in a register from iteration to iteration\n", program.variables[word.variable].name);
    for (const WalkedField& field : work.walked)
        text += fmt::format("  {} in memory, {}\n", value_name(graph, program, field.result),
                            field.kept_of ? "the word that was made last at hand" : "read where it is needed");
    if (schedule.tiled())
        for (const block::Region& tile : schedule.block->regions)
            text += fmt::format("  {} in shared memory, {} words: {}\n", tile.name, tile.words, tile.what);
    for (std::size_t k = 0; k < work.statements.size(); ++k)
        text += fmt::format("    evaluate [{}] {}\n",
                            k < work.begin ? "before"
                            : k < work.end ? "iteration"
                                           : "behind",
                            work.is_beside(k) ? node_text(graph, program, work.call_beside(k))
                                              : node_text(*work.loop.body, program, work.call(k).node));
    return text;
}

}  // namespace kasc
