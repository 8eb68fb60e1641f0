// The schedule as text: what `--emit plan` and `kasc explain` show.
//
//     shared memory, 288 words          0 1|2 3
//          0 ..    95  A                W - R .       W written, R read, - kept, | a barrier

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "schedule/stream/schedule.hpp"

namespace kasc {

namespace {

std::string pitch_text(const TilePitch& pitch) {
    if (pitch.padding == 0) return "";
    return fmt::format(", {} of padding after each {}", pitch.padding, pitch.element_words);
}

class Printer {
public:
    Printer(const StreamSchedule& schedule, const Program& program, const Graph& graph, const Library& library)
        : schedule_(schedule),
          program_(program),
          graph_(graph),
          library_(library),
          lives_(lifetimes(schedule.block)),
          shared_words_(shared_words(schedule.block)) {}

    std::string run() {
        line(
            "kernel: block {}, {} threads, {} elements a block and round, batch {}, {} words of shared memory, {} "
            "transfer{}",
            shape(schedule_.shape), schedule_.threads, schedule_.elements, schedule_.choice.batch, shared_words_,
            schedule_.choice.transfer == TileTransfer::staged ? "staged" : "author's",
            schedule_.choice.padding > 0 ? fmt::format(", padding {}", schedule_.choice.padding) : "");
        steps();
        regions();
        barriers();
        map();
        return out_;
    }

private:
    const StreamSchedule& schedule_;
    const Program& program_;
    const Graph& graph_;
    const Library& library_;
    const block::BlockProgram& block_ = schedule_.block;
    const std::vector<block::Lifetime> lives_;
    const int shared_words_;
    std::string out_;

    template <class... T>
    void put(fmt::format_string<T...> format, T&&... arguments) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<T>(arguments)...);
    }
    template <class... T>
    void line(fmt::format_string<T...> format, T&&... arguments) {
        put(format, std::forward<T>(arguments)...);
        out_ += '\n';
    }
    static std::string shape(const BlockShape& s) { return fmt::format("{}x{}x{}", s[0], s[1], s[2]); }
    [[nodiscard]] const std::string& name(const block::Touch& touch) const { return block_.regions[touch.region].name; }

    [[nodiscard]] const Implementation& implementation(NodeId call) const {
        return implementation_of(schedule_, graph_, library_, call);
    }

    [[nodiscard]] std::string step_text(const block::Step& step, const StepCall& call) const {
        if (step.kind == StepKind::compute)
            return fmt::format("{}  by {}", node_text(graph_, program_, call.node),
                               implementation(call.node).compute.name);
        if (step.kind == StepKind::loop_begin) return node_text(graph_, program_, call.node);
        if (step.kind == StepKind::loop_end) return "end of " + node_text(graph_, program_, call.node);
        if (step.kind == StepKind::move)
            return fmt::format("carry {} to {}", name(step.touches.front()), name(step.touches.back()));
        const bool load = step.kind == StepKind::copy;
        const block::Touch& moved = step.touches.front();
        const std::string what = fmt::format("{} {}", load ? "load" : "save", name(moved));
        if (copies_together(step))
            return fmt::format("{}  staged, {} words{}", what, moved.copied_words,
                               pitch_text(block_.regions[moved.region].pitch));
        const Implementation& how = implementation(call.node);
        return fmt::format("{}  by {}", what, load ? how.loads[call.argument].function.name : how.save.function.name);
    }

    void steps() {
        line("steps");
        for (std::size_t k = 0; k < block_.steps.size(); ++k) {
            const StepCall& call = schedule_.calls[k];
            line("  {:>2}  {}{}{}", k, step_text(block_.steps[k], call),
                 call.shape != schedule_.shape ? fmt::format(", block {}", shape(call.shape)) : "",
                 call.guard_threads ? fmt::format(", the first {} threads", thread_count(call.shape)) : "");
        }
    }

    void regions() {
        line("placements");
        for (std::size_t k = 0; k < block_.regions.size(); ++k) {
            const block::Region& region = block_.regions[k];
            const std::string where = region.where == Residence::shared
                                          ? fmt::format("shared, {} words at {}", region.words, *region.place)
                                          : fmt::format("registers, {} a thread", region.words);
            line("  {}: {}, steps {}-{}: {}", region.name, where, lives_[k].first, lives_[k].last,
                 schedule_.values[k].reason);
        }
    }

    void barriers() {
        line("barriers: {} of {}", barriers_met(block_), block_.barriers.size());
        for (const BarrierDecision& b : block_.barriers) {
            const std::string where = b.before == static_cast<int>(block_.steps.size())
                                          ? std::string("at the end of a round")
                                          : fmt::format("before step {}", b.before);
            line("  {} {}: {}", b.needed ? "kept  " : "elided", where, b.reason);
        }
    }

    [[nodiscard]] char bar(std::size_t step) const { return barrier_before(block_, step) != nullptr ? '|' : ' '; }

    /// What a region does in a step, in one letter.
    [[nodiscard]] char letter(std::size_t region, std::size_t k) const {
        char touched = 0;
        for (const block::Touch& touch : block_.steps[k].touches)
            if (touch.region == region) touched = touch.writes ? 'W' : 'R';
        if (touched != 0) return touched;
        return static_cast<int>(k) > lives_[region].first && static_cast<int>(k) < lives_[region].last ? '-' : '.';
    }

    void map() {
        if (shared_words_ == 0) return;
        std::vector<std::size_t> rows;
        for (std::size_t k = 0; k < block_.regions.size(); ++k)
            if (block_.regions[k].where == Residence::shared) rows.push_back(k);
        std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
            const int place_a = *block_.regions[a].place, place_b = *block_.regions[b].place;
            return place_a != place_b ? place_a < place_b : lives_[a].first < lives_[b].first;
        });
        std::size_t width = 4;
        for (const std::size_t k : rows) width = std::max(width, block_.regions[k].name.size());
        put("shared memory by step {:>{}}", "", width);
        const std::string end = bar(block_.steps.size()) == '|' ? "|" : "";
        for (std::size_t k = 0; k < block_.steps.size(); ++k) put("{}{:>2}", bar(k), k);
        line("{}", end);
        for (const std::size_t row : rows) {
            const block::Region& region = block_.regions[row];
            put("  {:>6} .. {:>6}    {:<{}}", *region.place, *region.place + region.words - 1, region.name, width + 1);
            for (std::size_t k = 0; k < block_.steps.size(); ++k) put("{} {}", bar(k), letter(row, k));
            line("{}", end);
        }
        line("  (W written, R read, - kept, | a barrier)");
    }
};

}  // namespace

std::string print(const StreamSchedule& schedule, const Program& program, const Graph& graph, const Library& library) {
    return Printer(schedule, program, graph, library).run();
}

}  // namespace kasc
