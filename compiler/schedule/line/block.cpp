// What a block does with its lines, where its threads hold their cells:
//
//   for each pass     fold   each team its part of the line: 512 cells, or all of a shorter line
//                     lanes of a team are joined; its first thread leaves the part in shared memory
//                     every team joins the parts of its line: each thread has the line's words
//   last pass         cells are stored
//
// A row of any length is gone through part by part, 128 of them in shared memory at a time, by teams in turn. A column
// that one thread has needs no other: it joins its parts by itself. Eight threads of a column leave the lanes of their
// parts in shared memory, and each joins all of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "schedule/field/walk/fold.hpp"
#include "schedule/line/schedule.hpp"
#include "schedule/registers.hpp"

namespace kasc {

namespace {

using namespace block;

/// Bytes of an accumulator: of the widest.
constexpr int word_bytes = 8;
constexpr int most_threads = 1024;

class LineBlock {
public:
    LineBlock(const LineSchedule& schedule, const Program& program, const Graph& graph)
        : schedule_(schedule), program_(program), graph_(graph), parts_(parts_at_a_time(schedule)) {}

    BlockProgram run() {
        if (schedule_.work->across) begin_across();
        for (const LinePass& pass : schedule_.work->passes) add(pass);
        if (schedule_.work->across) end_across();
        return with_barriers(std::move(made_));
    }

private:
    const LineSchedule& schedule_;
    const Program& program_;
    const Graph& graph_;
    const int parts_;
    BlockProgram made_;
    std::vector<Touch> lanes_across_;  ///< of each thread, those of what is folded across lines

    void step(StepKind kind, const char* label, const char* made, std::vector<Touch> touches = {}) {
        made_.steps.push_back({kind, label, std::string("the ") + label, made, std::move(touches)});
    }

    /// A thread has its cells' words of each lane that its line takes in one of the turns.
    void begin_across() {
        const int lines = schedule_.lines_of_part(), lanes = schedule_.lanes(), row = schedule_.row_across();
        for (const ValueId value : schedule_.work->across->values) {
            const std::size_t lanes_of_parts = made_.regions.size();
            made_.regions.push_back({value_name(graph_, program_, value), Residence::shared, across_rows() * row, 1,
                                     word_bytes,
                                     fmt::format("lanes of {} parts across lines", schedule_.parts_across())});
            Touch own{lanes_of_parts, 0, true};
            AddressSet set;
            for (int lane = 0; lane < column_lanes; lane += lines)
                for (int k = 0; k < schedule_.choice.chunk; ++k) set.offsets.push_back(lane * row + k * lanes);
            for (int t = 0; t < schedule_.threads(); ++t) set.start.push_back(line_of(t) * row + cell_of(t));
            own.words = std::make_shared<const AddressSet>(std::move(set));
            lanes_across_.push_back(own);
        }
        step(StepKind::compute, "start of lanes across lines", "set to nothing", lanes_across_);
        step(StepKind::loop_begin, "lines in turn", "");
        made_.steps.back().iterations = column_part_cells / lines;
    }

    std::vector<Touch> lanes_folded(const LinePass& pass) const {
        std::vector<Touch> touches;
        if (lanes_across_.empty()) return touches;
        const std::vector<ValueId>& all = schedule_.work->across->values;
        for (const ValueId value : folded_across(*schedule_.work, pass))
            touches.push_back(
                lanes_across_[static_cast<std::size_t>(std::find(all.begin(), all.end(), value) - all.begin())]);
        return touches;
    }

    /// The lines' threads share a part's cells: each joins all lanes of some.
    void end_across() {
        step(StepKind::loop_end, "", "");
        const int lines = schedule_.lines_of_part(), row = schedule_.row_across(), cells = schedule_.choice.chunk;
        std::vector<Touch> joined;
        for (const Touch& lanes : lanes_across_) {
            // Lines that have as many cells as any, and those that have one less.
            for (const bool all : {false, true}) {
                Touch some{lanes.region, 0, false};
                AddressSet set;
                const int count = all ? (cells + lines - 1) / lines : cells / lines;
                for (int lane = 0; lane < column_lanes; ++lane)
                    for (int k = all ? count - 1 : 0; k < count; ++k)
                        set.offsets.push_back(lane * row + k * lines * schedule_.lanes());
                for (int t = 0; t < schedule_.threads(); ++t) {
                    const int line = line_of(t) % lines;
                    if (all && line + (count - 1) * lines >= cells) continue;
                    set.start.push_back((line_of(t) - line) * row + line * schedule_.lanes() + cell_of(t));
                    some.threads.push_back(t);
                }
                some.words = std::make_shared<const AddressSet>(std::move(set));
                if (!some.words->offsets.empty() && (!all || cells % lines != 0)) joined.push_back(some);
            }
        }
        step(StepKind::store, "join of lanes across lines", "joined", std::move(joined));
    }

    /// Rows of a region of lanes: eight a part.
    [[nodiscard]] int across_rows() const { return schedule_.parts_across() * column_lanes; }
    [[nodiscard]] int line_of(int thread) const { return thread / schedule_.lanes() / schedule_.teams(); }
    /// The first cell of a thread's.
    [[nodiscard]] int cell_of(int thread) const {
        const int team = thread / schedule_.lanes() % schedule_.teams();
        return team * schedule_.choice.chunk * schedule_.lanes() + thread % schedule_.lanes();
    }

    void add(const LinePass& pass) {
        const bool loops = !schedule_.holds_cells();
        if (!pass.joins) {
            if (loops) step(StepKind::loop_begin, "parts", "");
            step(StepKind::compute, "cells", "computed", lanes_folded(pass));
            if (loops) step(StepKind::loop_end, "", "");
        } else if (schedule_.columns()) {
            add_columns(pass);
        } else {
            add_rows(pass);
        }
    }

    void add_columns(const LinePass& pass) {
        const bool loops = !schedule_.holds_cells(), shared = schedule_.lanes() > 1;
        std::vector<Touch> left, joined;
        for (const FieldCall& fold : pass.cells.plan().calls) {
            if (!fold.statement->fold || !shared) continue;
            const int words = schedule_.lanes() * schedule_.teams();
            const std::size_t lanes = made_.regions.size();
            made_.regions.push_back(
                {value_name(graph_, program_, fold.value), Residence::shared, schedule_.threads(), 1, word_bytes,
                 fmt::format("of a column, {} lanes of {} parts", schedule_.lanes(), schedule_.teams())});
            left.push_back(touch(lanes, true, 1, 1, false, [&](int line, int team, int lane) {
                return (team * schedule_.lanes() + lane) * schedule_.lines() + line;
            }));
            joined.push_back(
                touch(lanes, false, schedule_.lines(), words, false, [](int line, int, int) { return line; }));
        }
        for ([[maybe_unused]] const FieldCall& join : pass.joins->plan().calls) {
            made_.regions.push_back({"lanes", Residence::registers, loops ? parts_ : schedule_.teams(), 1, word_bytes});
        }
        if (loops) step(StepKind::compute, "start of lanes", "");
        if (loops) step(StepKind::loop_begin, "parts", "");
        step(StepKind::fold, "fold", "folded");
        if (shared) step(StepKind::move, "lanes of a thread", "left", std::move(left));
        step(StepKind::exchange, "join of lanes", "joined", std::move(joined));
        if (loops) step(StepKind::loop_end, "", "");
        step(StepKind::store, "words of a line", "kept");
    }

    void add_rows(const LinePass& pass) {
        const bool loops = !schedule_.holds_cells();
        std::vector<Touch> left, joined;
        std::vector<ValueId> in_hand;  // two joins may be of the same parts
        for (const FieldCall& join : pass.joins->plan().calls) {
            const std::size_t parts = made_.regions.size();
            const ValueId of = join.reads.front().value;
            if (parts_ > 1 && std::find(in_hand.begin(), in_hand.end(), of) == in_hand.end()) {
                in_hand.push_back(of);
                made_.regions.push_back({value_name(graph_, program_, join.reads.front().value), Residence::shared,
                                         schedule_.lines() * parts_, 1, word_bytes,
                                         fmt::format("of a line, {} parts{}", parts_, loops ? " at a time" : "")});
                left.push_back(touch(parts, true, schedule_.teams(), parts_ / schedule_.teams(), true,
                                     [&](int line, int team, int) { return line * parts_ + team; }));
                joined.push_back(touch(parts, false, warp_threads, std::max(1, parts_ / warp_threads), false,
                                       [&](int line, int, int lane) { return line * parts_ + lane; }));
            }
            if (loops) made_.regions.push_back({"lanes", Residence::registers, parts_ / warp_threads, 1, word_bytes});
            made_.regions.push_back({"joined", Residence::registers, 2, 1, word_bytes});
        }
        if (loops) step(StepKind::compute, "start of lanes", "");
        if (loops) step(StepKind::loop_begin, "parts at a time", "");
        if (loops) step(StepKind::loop_begin, "parts", "");
        step(StepKind::fold, "fold", "folded", lanes_folded(pass));
        step(StepKind::exchange, "join of lanes", "joined");
        if (parts_ > 1) step(StepKind::move, "part of a team", "left", std::move(left));
        if (loops) step(StepKind::loop_end, "", "");
        step(StepKind::exchange, "join of parts", "joined", std::move(joined));
        if (loops) step(StepKind::loop_end, "", "");
        if (loops) step(StepKind::exchange, "join in warps", "joined");
        step(StepKind::store, "words of a line", "kept");
    }

    /// A touch by the first thread of each team alone, or by all that have a part.
    Touch touch(std::size_t region, bool writes, int apart, int count, bool first_lanes,
                const std::function<int(int line, int team, int lane)>& start) const {
        AddressSet set;
        Touch made{region, 0, writes};
        for (int k = 0; k < count; ++k) set.offsets.push_back(k * apart);
        const int lanes = schedule_.lanes(), teams = schedule_.teams(), lines = schedule_.lines();
        for (int t = 0; t < schedule_.threads(); ++t) {
            const bool columns = schedule_.columns();
            const int lane = columns ? t / lines % lanes : t % lanes;
            const int team = columns ? t / lines / lanes : t / lanes % teams;
            if (!columns && (first_lanes ? lane != 0 : lane >= parts_)) continue;
            set.start.push_back(start(columns ? t % lines : t / lanes / teams, team, lane));
            made.threads.push_back(t);
        }
        made.words = std::make_shared<const AddressSet>(std::move(set));
        return made;
    }
};

FieldChoice choice_of(int lanes, int teams, int lines, int cells) {
    FieldChoice choice;
    choice.walk = Walk::line;
    choice.threads_x = lanes, choice.threads_y = teams, choice.threads_z = lines;
    choice.chunk = cells;
    return choice;
}

bool one_of(int n, std::initializer_list<int> all) { return std::find(all.begin(), all.end(), n) != all.end(); }

/// Cells of a thread in registers, at most: of a column that it has alone, and of one that it shares; then all of its
/// lane of a part.
constexpr int most_cells_of_column = 64, most_cells_of_lane = column_part_cells / column_lanes;

/// Empty: none.
std::string column_fault(const LineSchedule& s) {
    const bool alone =
        s.lanes() == 1 && s.teams() == 1 && s.choice.chunk >= 1 && s.choice.chunk <= most_cells_of_column;
    const bool together =
        s.lanes() == column_lanes && s.choice.chunk >= 2 && s.teams() >= 1 &&
        (s.teams() == 1 ? s.choice.chunk <= most_cells_of_lane : s.choice.chunk == most_cells_of_lane);
    if (alone || together) return {};
    return "blocks of whole columns have a thread a column, with 2 to 64 cells in registers or, chunk 1, all in turn, "
           "or 8 threads by teams of 256 cells, each thread with up to 32: line 8x2x32 chunk 32";
}

/// Empty: none.
std::string row_fault(const LineSchedule& s) {
    const bool short_lines =
        one_of(s.lanes(), {1, 2, 4, 8, 16, 32}) && s.teams() == 1 && s.choice.chunk >= 2 && s.choice.chunk <= 16;
    const bool held = s.lanes() == warp_threads && s.teams() >= 1 && s.choice.chunk == 16;
    const bool in_turn = s.lanes() == warp_threads && one_of(s.teams(), {1, 2, 4, 8, 16, 32}) && s.choice.chunk == 1;
    if (short_lines || held || in_turn) return {};
    return "blocks of whole lines have teams of 32 threads by teams of a line by lines, each thread with 16 cells "
           "of a line or, chunk 1, all in turn, or for short lines one team of 1 to 32 threads with 2 to 16 "
           "cells: line 32x8x1 chunk 16";
}

/// Empty: none.
std::string across_fault(const LineSchedule& s) {
    if (!s.work->across) return {};
    if (!s.holds_cells()) return "what is folded across lines needs lines that threads hold";
    if (s.lines() != s.parts_across() * s.lines_of_part() || column_lanes % s.lines_of_part() != 0)
        return fmt::format("blocks that fold across lines have 1, 2 or 4 of them, or a multiple of {}", column_lanes);
    if (s.lengths.empty())
        return "what is folded across lines needs a length that is given (--set), and held by the block's threads";
    return {};
}

/// Empty: none.
std::string choice_fault(const LineSchedule& s) {
    std::string fault = s.columns() ? column_fault(s) : row_fault(s);
    if (fault.empty()) fault = across_fault(s);
    if (!fault.empty()) return fault;
    if (s.choice != choice_of(s.lanes(), s.teams(), s.lines(), s.choice.chunk))
        return "blocks of whole lines have threads and cells, and nothing else to choose: line 32x8x1 chunk 16";
    if (s.lines() < 1 || s.threads() > most_threads || s.threads() % warp_threads != 0)
        return fmt::format("blocks of whole lines have at most {} threads, in whole warps", most_threads);
    return {};
}

/// Beside what it holds and reads: addresses, temporaries. A fold has its lanes, of doubles, which are joined as they
/// come, and what is exchanged; where parts are taken in turn, the lanes of their join as well. ptxas (13.0) then
/// spills nothing.
constexpr int own_registers = 30, most_of_lanes = 16, exchanged_words = 2, lanes_of_join = 8;

/// Cells of a thread are each written out: of more than a thread of a row has, as many as 100 KB of code, which
/// instruction caches do not hold, come to.
constexpr int most_cells_of_row = 16, most_operations = 1500;
int operations_of(const LineSchedule& schedule) {
    int operations = 0;
    for (const LinePass& pass : schedule.work->passes)
        for (const FieldCall& call : pass.cells.plan().calls)
            operations += operation_count(*call.statement->value) + static_cast<int>(call.reads.size());
    return operations * schedule.choice.chunk;
}

/// Words beside a cell, which it reads where it is computed.
std::size_t words_beside(const LinePass& pass) {
    const std::vector<ValueAt>& loads = pass.cells.work->loads;
    return static_cast<std::size_t>(
        std::count_if(loads.begin(), loads.end(), [](const ValueAt& load) { return !load.at_cell(); }));
}

}  // namespace

int registers_wanted(const LineSchedule& schedule) {
    const LineWork& work = *schedule.work;
    const std::vector<ValueId> again = read_again(work);
    int read = 0;
    for (const LinePass& pass : work.passes) {
        int once = static_cast<int>(words_beside(pass));
        for (const ValueId value : read_at_cells(work, pass))
            once += !schedule.holds_cells() || std::find(again.begin(), again.end(), value) == again.end() ? 1 : 0;
        const int folds = pass.joins ? static_cast<int>(pass.joins->plan().calls.size()) : 0;
        const int of_fold = std::min(most_of_lanes, 2 * work.part_lanes() / schedule.lanes()) + exchanged_words +
                            (schedule.holds_cells() || work.columns ? 0 : lanes_of_join);
        read = std::max(read, once * cells_of_group(schedule, pass) + folds * of_fold);
    }
    const int held = schedule.holds_cells() ? schedule.choice.chunk * static_cast<int>(again.size()) : 0;
    return own_registers + held + read;
}

int registers_of(const LineSchedule& schedule) {
    constexpr int least_bound = 64, granularity = 8;
    const int wanted =
        (std::max(least_bound, registers_wanted(schedule)) + granularity - 1) / granularity * granularity;
    return std::min({wanted, most_registers_of_thread, registers_of_multiprocessor / schedule.threads()});
}

int least_blocks(const LineSchedule& schedule) {
    return std::max(1, registers_of_multiprocessor / (registers_of(schedule) * schedule.threads()));
}

int parts_at_a_time(const LineSchedule& schedule) {
    if (schedule.holds_cells()) return schedule.teams();
    return schedule.columns() && !schedule.any_length ? most_parts_in_turn : joined_lanes;
}

std::optional<long long> LineSchedule::most_cells() const {
    if (holds_cells()) return 1LL * choice.chunk * lanes() * teams();
    if (columns() && !any_length) return 1LL * most_parts_in_turn * work->part_cells();
    return std::nullopt;
}

int LineSchedule::row_across() const {
    constexpr int banks = 16;  // of words of eight bytes
    const int cells = choice.chunk * lanes() * teams();
    return lanes() < banks ? cells + (lanes() - cells % banks + banks) % banks : cells;
}

int cells_of_group(const LineSchedule& schedule, const LinePass& pass) {
    constexpr std::size_t most_words_of_eight = 3;  // 24 of some 64 registers
    // All lanes of a part, one after the other, so that which one a cell is of is known.
    if (schedule.columns() && !schedule.holds_cells()) return column_lanes;
    const std::size_t words = read_at_cells(*schedule.work, pass).size() + words_beside(pass);
    int together = cells_ahead(*pass.cells.work) > 1 && words <= most_words_of_eight ? 8 : 4;
    // As many in each group.
    while (schedule.holds_cells() && schedule.choice.chunk % together != 0) --together;
    return together;
}

int cells_of_cut_group(const LineSchedule& schedule) {
    // Teams of a column wait for the one whose part is cut.
    int together = schedule.columns() ? 8 : 4;
    while (schedule.choice.chunk % together != 0) --together;
    return together;
}

std::vector<FieldChoice> line_choices(const LineWork& work) {
    constexpr int usual_threads = 256;
    std::vector<FieldChoice> all;
    if (work.columns) {
        for (const int cells : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64})
            for (const int threads : {64, usual_threads}) all.push_back(choice_of(1, 1, threads, cells));
        for (const int cells : {8, 10, 12, 14, 16, 20, 24, 28})
            all.push_back(choice_of(column_lanes, 1, usual_threads / column_lanes, cells));
        for (const int teams : {1, 2, 3, 4})
            all.push_back(choice_of(column_lanes, teams, usual_threads / column_lanes, most_cells_of_lane));
        for (const int teams : {2, 4, 6, 8})
            all.push_back(choice_of(column_lanes, teams, usual_threads / column_lanes / 2, most_cells_of_lane));
        return all;
    }
    // Short lines: so many cells, and whole blocks of lines.
    for (const auto& [lanes, cells] : std::initializer_list<std::pair<int, int>>{{1, 2},
                                                                                 {1, 3},
                                                                                 {1, 4},
                                                                                 {1, 8},
                                                                                 {2, 8},
                                                                                 {4, 4},
                                                                                 {4, 8},
                                                                                 {4, 16},
                                                                                 {8, 2},
                                                                                 {8, 8},
                                                                                 {8, 10},
                                                                                 {8, 12},
                                                                                 {8, 16},
                                                                                 {16, 10},
                                                                                 {16, 12},
                                                                                 {16, 16},
                                                                                 {32, 10},
                                                                                 {32, 12}})
        all.push_back(choice_of(lanes, 1, usual_threads / lanes, cells));
    // As many teams as lines have parts: one without a part waits for the others.
    for (const int teams : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32})
        all.push_back(choice_of(warp_threads, teams, std::max(1, usual_threads / (warp_threads * teams)), 16));
    if (work.across) {
        std::erase_if(all, [](const FieldChoice& c) { return !one_of(c.threads_z % column_lanes, {0, 1, 2, 4}); });
        // More lines of a part at a time, so that fewer barriers hold as many warps together.
        for (const auto& [teams, lines] :
             std::initializer_list<std::pair<int, int>>{{2, 8}, {3, 4}, {3, 8}, {4, 4}, {4, 8}, {6, 4}, {8, 2}, {8, 4}})
            all.push_back(choice_of(warp_threads, teams, lines, 16));
        return all;
    }
    for (const auto& [teams, lines] : std::initializer_list<std::pair<int, int>>{{4, 2}, {8, 1}, {16, 1}, {32, 1}})
        all.push_back(choice_of(warp_threads, teams, lines, 1));
    return all;
}

LineScheduleResult schedule_lines(std::shared_ptr<const LineWork> work, const FieldChoice& choice,
                                  std::optional<long long> cells, const Program& program, const Graph& graph) {
    LineSchedule schedule{std::move(work), choice, {}, false};
    if (schedule.work->across && schedule.holds_cells() && cells && *cells <= *schedule.most_cells())
        schedule.lengths = {{schedule.work->along, static_cast<int>(*cells)}};
    if (std::string fault = choice_fault(schedule); !fault.empty()) return {std::nullopt, std::move(fault)};
    if (schedule.choice.chunk > most_cells_of_row && operations_of(schedule) > most_operations)
        return {std::nullopt, "what its threads compute of so many cells each is too much code"};
    if (schedule.holds_cells() &&
        registers_wanted(schedule) >
            std::min(most_registers_of_thread, registers_of_multiprocessor / schedule.threads()))
        return {std::nullopt, "its threads cannot hold their cells of all that several passes read"};
    schedule.block = std::make_shared<const BlockProgram>(LineBlock(schedule, program, graph).run());
    return {std::move(schedule), {}};
}

std::optional<LineSchedule> for_longer_lines(const LineSchedule& schedule, const Program& program, const Graph& graph) {
    if (!schedule.most_cells() || !schedule.lengths.empty()) return std::nullopt;
    if (!schedule.columns())
        return schedule_lines(schedule.work, choice_of(warp_threads, 8, 1, 1), {}, program, graph).value;
    LineSchedule longer{schedule.work, choice_of(1, 1, 128, 1), {}, true};
    longer.block = std::make_shared<const BlockProgram>(LineBlock(longer, program, graph).run());
    return longer;
}

}  // namespace kasc
