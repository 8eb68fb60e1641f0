// What a block does with its lines, running_base cells a thread at a time (schedule.hpp).
#include <fmt/format.h>

#include "schedule/scan/schedule.hpp"

namespace kasc {

namespace {

using namespace block;

class ScanBlock {
public:
    ScanBlock(const ScanSchedule& schedule, const Program& program)
        : schedule_(schedule), work_(*schedule.work), program_(program) {}

    BlockProgram run() {
        const int levels = schedule_.joined_levels();
        const std::string& of = program_.variables[work_.call().statement->target].name;
        const int accumulator = accumulator_bytes(work_, program_);
        std::optional<std::size_t> tile, sums, larger;
        if (work_.lies_along) {
            tile = region(of + "_tile", schedule_.lines() * schedule_.line_pitch(), scanned_bytes(work_, program_),
                          fmt::format("{} cells of {} lines", schedule_.step_cells(), schedule_.lines()));
            made_.regions.back().pitch = {running_base, schedule_.pitch() - running_base};
        }
        if (levels > 0) sums = region(of + "_sums", schedule_.threads(), accumulator, "of each thread's cells");
        if (levels > 1)
            larger = region(of + "_sums_of_256", schedule_.threads() / running_base, accumulator, "of 16 threads");

        step(StepKind::loop_begin, "cells", "", {});
        if (tile) step(StepKind::copy, "cells", "evaluated", {touch(*tile, true, along_memory())});
        if (sums) {
            std::vector<Touch> touches{touch(*sums, true, own_sum())};
            if (tile) touches.push_back(touch(*tile, false, own_cells()));
            step(StepKind::fold, "sums of threads", "summed", std::move(touches));
        }
        if (larger)
            step(StepKind::fold, "sums of 16 threads", "summed",
                 {touch(*sums, false, sums_of_group()), of_some(*larger, true)});
        std::vector<Touch> touches;
        if (larger)
            touches.push_back(touch(*larger, false, sums_of_line()));
        else if (sums)
            touches.push_back(touch(*sums, false, sums_of_group()));
        const bool running = work_.is_running();
        if (tile && (running || levels == 0)) touches.push_back(touch(*tile, false, own_cells()));
        if (tile && running) touches.push_back(touch(*tile, true, own_cells()));
        step(StepKind::compute, "running sums", "computed", std::move(touches));
        if (tile && running) step(StepKind::store, "store", "stored", {touch(*tile, false, along_memory())});
        step(StepKind::loop_end, "", "", {});
        if (!running) step(StepKind::store, "sum of the piece", "stored", {});
        return with_barriers(std::move(made_));
    }

private:
    const ScanSchedule& schedule_;
    const ScanWork& work_;
    const Program& program_;
    BlockProgram made_;

    std::size_t region(std::string name, int words, int bytes, std::string what) {
        made_.regions.push_back({std::move(name), Residence::shared, words, 1, bytes, std::move(what)});
        return made_.regions.size() - 1;
    }
    void step(StepKind kind, const char* label, const char* made, std::vector<Touch> touches) {
        made_.steps.push_back({kind, label, std::string("the ") + label, made, std::move(touches)});
    }
    static Touch touch(std::size_t region, bool writes, AddressSet words) {
        return {region, 0, writes, std::make_shared<const AddressSet>(std::move(words))};
    }

    /// Where a thread stands: which of its line's, and which line.
    [[nodiscard]] int of_line(int thread) const {
        return work_.lies_along ? thread % schedule_.threads_of_line() : thread / schedule_.lines();
    }
    [[nodiscard]] int line(int thread) const {
        return work_.lies_along ? thread / schedule_.threads_of_line() : thread % schedule_.lines();
    }
    /// From a thread of a line to the next.
    [[nodiscard]] int apart() const { return work_.lies_along ? 1 : schedule_.lines(); }

    template <class Start>
    AddressSet words(Start start, int count, int distance) const {
        AddressSet set;
        for (int thread = 0; thread < schedule_.threads(); ++thread) set.start.push_back(start(thread));
        for (int k = 0; k < count; ++k) set.offsets.push_back(k * distance);
        return set;
    }
    /// Words t, t + threads, … of all cells, line by line.
    [[nodiscard]] AddressSet along_memory() const {
        const auto place = [](int word) { return word + word / running_base; };
        const int threads = schedule_.threads();
        return words(place, running_base, place(threads));
    }
    [[nodiscard]] AddressSet own_cells() const {
        return words([&](int thread) { return thread * schedule_.pitch(); }, running_base, 1);
    }
    [[nodiscard]] AddressSet own_sum() const {
        return words([](int thread) { return thread; }, 1, 1);
    }
    [[nodiscard]] AddressSet sums_of_group() const {
        return words([&](int thread) { return thread - of_line(thread) % running_base * apart(); }, running_base,
                     apart());
    }
    [[nodiscard]] AddressSet sums_of_line() const {
        return words([&](int thread) { return work_.lies_along ? line(thread) * running_base : line(thread); },
                     running_base, apart());
    }
    /// The first thread of each 16.
    [[nodiscard]] Touch of_some(std::size_t region, bool writes) const {
        AddressSet set;
        std::vector<int> threads;
        for (int thread = 0; thread < schedule_.threads(); ++thread) {
            if (of_line(thread) % running_base != 0) continue;
            threads.push_back(thread);
            const int group = of_line(thread) / running_base;
            set.start.push_back(work_.lies_along ? line(thread) * running_base + group
                                                 : group * schedule_.lines() + line(thread));
        }
        set.offsets.push_back(0);
        Touch made = touch(region, writes, std::move(set));
        made.threads = std::move(threads);
        return made;
    }
};

}  // namespace

BlockProgram scan_block(const ScanSchedule& schedule, const Program& program) {
    return ScanBlock(schedule, program).run();
}

}  // namespace kasc
