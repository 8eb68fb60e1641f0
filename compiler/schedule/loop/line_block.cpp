// What a block does that runs a loop for whole lines:
//
//   copy       the words that the first iteration is handed         each thread those of its cells
//   loop
//     compute  the statements of phase 0                            own cells written, whole lines read
//     compute  those of phase 1 …
//   end
//   store      what the last iteration has left                     each thread its cells
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "schedule/loop/schedule.hpp"

namespace kasc {

namespace {

using namespace block;

/// What threads touch of the lines: of each its own cells, or, where cells look at others, all of its line.
struct LineTouches {
    std::shared_ptr<const AddressSet> own, line;
};

LineTouches touches_of(const LoopSchedule& schedule) {
    AddressSet own, line;
    for (int y = 0; y < schedule.choice.threads_y; ++y)
        for (int x = 0; x < schedule.choice.threads_x; ++x) {
            own.start.push_back(y * schedule.line_pitch() + x);
            line.start.push_back(y * schedule.line_pitch());
        }
    for (int k = 0; k < schedule.cells_of_thread(); ++k) own.offsets.push_back(k * schedule.choice.threads_x);
    for (int cell = 0; cell < schedule.line_cells(); ++cell) line.offsets.push_back(cell);
    return {std::make_shared<const AddressSet>(std::move(own)), std::make_shared<const AddressSet>(std::move(line))};
}

class LinesOfLoop {
public:
    LinesOfLoop(const LoopSchedule& schedule, const Program& program)
        : schedule_(schedule), work_(*schedule.work), program_(program), touches_(touches_of(schedule)) {}

    BlockProgram run() {
        add_regions();
        Step first{StepKind::copy, "first words", "the fetch of the first words", "fetched"};
        Step last{StepKind::store, "last words", "the store of the last words", "stored"};
        for (std::size_t k = 0; k < work_.lines.words.size(); ++k) {
            if (!work_.lines.words[k].ring) continue;
            touch(first, {k, false}, true, false);
            touch(last, {k, false}, false, false);
        }
        made_.steps.push_back(std::move(first));
        made_.steps.push_back({StepKind::loop_begin, "iterations", "", "", {}, true});
        for (int phase = 0; phase < work_.lines.phase_count(); ++phase) made_.steps.push_back(statements(phase));
        made_.steps.push_back({StepKind::loop_end});
        made_.steps.push_back(std::move(last));
        return with_barriers(std::move(made_));
    }

private:
    const LoopSchedule& schedule_;
    const LoopWork& work_;
    const Program& program_;
    const LineTouches touches_;
    BlockProgram made_;
    std::vector<std::size_t> region_;  ///< by words, where they are shared

    void add_regions() {
        for (const LineWords& words : work_.lines.words) {
            region_.push_back(made_.regions.size());
            if (!words.shared) continue;
            const Variable& variable = program_.variables[words.variable];
            const CellType type = std::get<FieldShape>(variable.shape).type;
            made_.regions.push_back(
                {variable.name + "_line", Residence::shared, schedule_.words_of_lines(), words.ring ? 2 : 1,
                 register_bytes(type),
                 fmt::format("{} of {}, {} cells{}", schedule_.choice.threads_y > 1 ? "lines" : "the line",
                             variable.name, schedule_.line_cells(),
                             words.ring ? ", of this iteration and of the next" : "")});
        }
    }
    /// Registers hold words of fewer bytes as numbers of four.
    static int register_bytes(CellType type) { return std::max(4, static_cast<int>(cell_bytes(type))); }

    void touch(Step& step, const LinePlace& place, bool writes, bool line) {
        if (!work_.lines.words[place.words].shared) return;
        const auto& words = line ? touches_.line : touches_.own;
        const Touch touch{region_[place.words], place.next ? 1 : 0, writes, words, {}};
        const auto same = [&](const Touch& t) {
            return t.region == touch.region && t.copy == touch.copy && t.writes == writes && t.words == words;
        };
        if (std::none_of(step.touches.begin(), step.touches.end(), same)) step.touches.push_back(touch);
    }

    Step statements(int phase) {
        const LoopLines& lines = work_.lines;
        const std::string label = lines.phase_count() == 1 ? "iteration" : fmt::format("phase {}", phase);
        Step step{StepKind::compute, label, "each cell", "computed"};
        for (std::size_t k = work_.begin; k < work_.end; ++k) {
            if (lines.phases[k - work_.begin] != phase) continue;
            const FieldCall& call = work_.call(k);
            std::vector<const FieldRead*> reads;
            for (const FieldRead& read : call.reads) reads.push_back(&read);
            if (call.former && work_.walked_of(call.value) == nullptr) reads.push_back(&*call.former);
            for (const FieldRead* read : reads)
                if (const auto place = place_of_read(work_, k, *read, program_))
                    touch(step, *place, false, lines.looks_around(*read));
        }
        for (std::size_t k = work_.begin; k < work_.end; ++k)
            if (lines.phases[k - work_.begin] == phase)
                if (const auto place = place_of_made(work_, k)) touch(step, *place, true, false);
        if (phase + 1 == lines.phase_count()) hand_on(step);
        return step;
    }
    void hand_on(Step& step) {
        for (std::size_t k = 0; k < work_.words.size(); ++k) {
            const LineChain& chain = work_.lines.chains[k];
            if (chain.made) continue;
            const auto left = work_.lines.places.find(work_.words[k].leaving);
            if (left != work_.lines.places.end()) touch(step, left->second, false, false);
            touch(step, {chain.words, true}, true, false);
        }
    }
};

}  // namespace

block::BlockProgram line_loop_block(const LoopSchedule& schedule, const Program& program) {
    return LinesOfLoop(schedule, program).run();
}

}  // namespace kasc
