// What a block does with its lines, where its threads hold their cells:
//
//   for each pass     fold   each team its part of the line: 512 cells, or all of a shorter line
//                     lanes of a team are joined; its first thread leaves the part in shared memory
//                     every team joins the parts of its line: each thread has the line's words
//   last pass         cells are stored
//
// A line of any length is gone through part by part, 128 of them in shared memory at a time, by teams in turn.
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
        for (const LinePass& pass : schedule_.work->passes) add(pass);
        return with_barriers(std::move(made_));
    }

private:
    const LineSchedule& schedule_;
    const Program& program_;
    const Graph& graph_;
    const int parts_;
    BlockProgram made_;

    void step(StepKind kind, const char* label, const char* made, std::vector<Touch> touches = {}) {
        made_.steps.push_back({kind, label, std::string("the ") + label, made, std::move(touches)});
    }

    void add(const LinePass& pass) {
        const bool loops = !schedule_.holds_cells();
        if (!pass.joins) {
            if (loops) step(StepKind::loop_begin, "parts", "");
            step(StepKind::compute, "cells", "computed");
            if (loops) step(StepKind::loop_end, "", "");
            return;
        }
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
        step(StepKind::fold, "fold", "folded");
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
        for (int t = 0; t < schedule_.threads(); ++t) {
            const int lane = t % schedule_.lanes(), team = t / schedule_.lanes() % schedule_.teams();
            if (first_lanes ? lane != 0 : lane >= parts_) continue;
            set.start.push_back(start(t / schedule_.lanes() / schedule_.teams(), team, lane));
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

/// Empty: none.
std::string choice_fault(const LineSchedule& s) {
    const auto one_of = [](int n, std::initializer_list<int> all) {
        return std::find(all.begin(), all.end(), n) != all.end();
    };
    const bool plain = s.choice == choice_of(s.lanes(), s.teams(), s.lines(), s.choice.chunk);
    const bool short_lines =
        one_of(s.lanes(), {1, 2, 4, 8, 16, 32}) && s.teams() == 1 && s.choice.chunk >= 2 && s.choice.chunk <= 16;
    const bool held = s.lanes() == warp_threads && s.teams() >= 1 && s.choice.chunk == 16;
    const bool in_turn = s.lanes() == warp_threads && one_of(s.teams(), {1, 2, 4, 8, 16, 32}) && s.choice.chunk == 1;
    if (!plain || !(short_lines || held || in_turn))
        return "blocks of whole lines have teams of 32 threads by teams of a line by lines, each thread with 16 cells "
               "of a line or, chunk 1, all in turn, or for short lines one team of 1 to 32 threads with 2 to 16 "
               "cells: line 32x8x1 chunk 16";
    if (s.lines() < 1 || s.threads() > most_threads || s.threads() % warp_threads != 0)
        return fmt::format("blocks of whole lines have at most {} threads, in whole warps", most_threads);
    return {};
}

/// Beside what it holds and reads: addresses, temporaries. A fold has its lanes, of doubles, which are joined as they
/// come, and what is exchanged; where parts are taken in turn, the lanes of their join as well. ptxas (13.0) then
/// spills nothing.
constexpr int own_registers = 30, most_of_lanes = 16, exchanged_words = 2, lanes_of_join = 8;

}  // namespace

int registers_wanted(const LineSchedule& schedule) {
    const LineWork& work = *schedule.work;
    const std::vector<ValueId> again = read_again(work);
    int read = 0;
    for (const LinePass& pass : work.passes) {
        int once = 0;
        for (const ValueId value : read_at_cells(work, pass))
            once += !schedule.holds_cells() || std::find(again.begin(), again.end(), value) == again.end() ? 1 : 0;
        const int folds = pass.joins ? static_cast<int>(pass.joins->plan().calls.size()) : 0;
        const int of_fold = std::min(most_of_lanes, 2 * row_lanes / schedule.lanes()) + exchanged_words +
                            (schedule.holds_cells() ? 0 : lanes_of_join);
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

int parts_at_a_time(const LineSchedule& schedule) { return schedule.holds_cells() ? schedule.teams() : joined_lanes; }

int cells_of_group(const LineSchedule& schedule, const LinePass& pass) {
    constexpr std::size_t most_words_of_eight = 3;  // 24 of some 64 registers
    const std::size_t words = read_at_cells(*schedule.work, pass).size();
    int together = cells_ahead(*pass.cells.work) > 1 && words <= most_words_of_eight ? 8 : 4;
    // As many in each group.
    while (schedule.holds_cells() && schedule.choice.chunk % together != 0) --together;
    return together;
}

int cells_of_cut_group(const LineSchedule& schedule) {
    int together = 4;
    while (schedule.choice.chunk % together != 0) --together;
    return together;
}

std::vector<FieldChoice> line_choices() {
    constexpr int usual_threads = 256;
    std::vector<FieldChoice> all;
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
    for (const auto& [teams, lines] : std::initializer_list<std::pair<int, int>>{{4, 2}, {8, 1}, {16, 1}, {32, 1}})
        all.push_back(choice_of(warp_threads, teams, lines, 1));
    return all;
}

LineScheduleResult schedule_lines(std::shared_ptr<const LineWork> work, const FieldChoice& choice,
                                  const Program& program, const Graph& graph) {
    LineSchedule schedule{std::move(work), choice, {}};
    if (std::string fault = choice_fault(schedule); !fault.empty()) return {std::nullopt, std::move(fault)};
    if (schedule.holds_cells() &&
        registers_wanted(schedule) >
            std::min(most_registers_of_thread, registers_of_multiprocessor / schedule.threads()))
        return {std::nullopt, "its threads cannot hold their cells of all that several passes read"};
    schedule.block = std::make_shared<const BlockProgram>(LineBlock(schedule, program, graph).run());
    return {std::move(schedule), {}};
}

std::optional<LineSchedule> for_longer_lines(const LineSchedule& schedule, const Program& program, const Graph& graph) {
    if (!schedule.holds_cells()) return std::nullopt;
    return schedule_lines(schedule.work, choice_of(warp_threads, 8, 1, 1), program, graph).value;
}

}  // namespace kasc
