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
        : schedule_(schedule), program_(program), graph_(graph), library_(library) {}

    std::string run() {
        line(
            "kernel: block {}, {} threads, {} elements a block and round, batch {}, {} words of shared memory, {} "
            "transfer{}",
            shape(schedule_.block), schedule_.threads, schedule_.elements, schedule_.choice.batch,
            schedule_.shared_words, schedule_.choice.transfer == TileTransfer::staged ? "staged" : "author's",
            schedule_.choice.padding > 0 ? fmt::format(", padding {}", schedule_.choice.padding) : "");
        steps();
        placements();
        barriers();
        map();
        return out_;
    }

private:
    const StreamSchedule& schedule_;
    const Program& program_;
    const Graph& graph_;
    const Library& library_;
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
    static std::string shape(const BlockShape& block) { return fmt::format("{}x{}x{}", block[0], block[1], block[2]); }
    [[nodiscard]] std::string name(ValueId value) const { return value_name(graph_, program_, value); }

    [[nodiscard]] const Implementation& implementation(NodeId call) const {
        return implementation_of(schedule_, graph_, library_, call);
    }

    [[nodiscard]] std::string step_text(const Step& step) const {
        if (step.kind == StepKind::call)
            return fmt::format("{}  by {}", node_text(graph_, program_, step.call),
                               implementation(step.call).compute.name);
        if (step.kind == StepKind::loop_begin) return node_text(graph_, program_, step.call);
        if (step.kind == StepKind::loop_end) return "end of " + node_text(graph_, program_, step.call);
        if (step.kind == StepKind::move)
            return fmt::format("carry {} to {}", name(step.reads.front()), name(*step.writes));
        const bool load = step.kind == StepKind::load;
        const std::string what =
            fmt::format("{} {}", load ? "load" : "save", name(load ? *step.writes : step.reads.front()));
        if (step.transfer == TileTransfer::staged)
            return fmt::format("{}  staged, {} words{}", what, step.staged_words, pitch_text(step.staged_pitch));
        const Implementation& how = implementation(step.call);
        return fmt::format("{}  by {}", what, load ? how.loads[step.argument].function.name : how.save.function.name);
    }

    void steps() {
        line("steps");
        for (std::size_t k = 0; k < schedule_.steps.size(); ++k) {
            const Step& step = schedule_.steps[k];
            line("  {:>2}  {}{}{}", k, step_text(step),
                 step.block != schedule_.block ? fmt::format(", block {}", shape(step.block)) : "",
                 step.guard_threads ? fmt::format(", the first {} threads", thread_count(step.block)) : "");
        }
    }

    void placements() {
        line("placements");
        for (const Placement& p : schedule_.placements) {
            const std::string where = p.where == Residence::shared
                                          ? fmt::format("shared, {} words at {}", p.words, p.offset)
                                          : fmt::format("registers, {} a thread", p.words);
            line("  {}: {}, steps {}-{}: {}", name(p.value), where, p.first_step, p.last_step, p.reason);
        }
    }

    void barriers() {
        const auto kept =
            std::count_if(schedule_.barriers.begin(), schedule_.barriers.end(), [](const auto& b) { return b.needed; });
        line("barriers: {} of {}", kept, schedule_.barriers.size());
        for (const BarrierDecision& b : schedule_.barriers) {
            const std::string where = b.before == static_cast<int>(schedule_.steps.size())
                                          ? std::string("at the end of a round")
                                          : fmt::format("before step {}", b.before);
            line("  {} {}: {}", b.needed ? "kept  " : "elided", where, b.reason);
        }
    }

    [[nodiscard]] bool barrier_before(std::size_t step) const {
        return std::any_of(schedule_.barriers.begin(), schedule_.barriers.end(),
                           [&](const auto& b) { return b.needed && b.before == static_cast<int>(step); });
    }

    /// What a value does in a step, in one letter.
    [[nodiscard]] char letter(const Placement& p, std::size_t k) const {
        const Step& step = schedule_.steps[k];
        if (step.writes == p.value) return 'W';
        if (std::find(step.reads.begin(), step.reads.end(), p.value) != step.reads.end()) return 'R';
        return static_cast<int>(k) > p.first_step && static_cast<int>(k) < p.last_step ? '-' : '.';
    }

    void map() {
        if (schedule_.shared_words == 0) return;
        std::vector<const Placement*> rows;
        for (const Placement& p : schedule_.placements)
            if (p.where == Residence::shared) rows.push_back(&p);
        std::sort(rows.begin(), rows.end(), [](const Placement* a, const Placement* b) {
            return a->offset != b->offset ? a->offset < b->offset : a->first_step < b->first_step;
        });
        std::size_t width = 4;
        for (const Placement* p : rows) width = std::max(width, name(p->value).size());
        put("shared memory by step {:>{}}", "", width);
        for (std::size_t k = 0; k < schedule_.steps.size(); ++k) put("{}{:>2}", barrier_before(k) ? '|' : ' ', k);
        line("{}", barrier_before(schedule_.steps.size()) ? "|" : "");
        for (const Placement* p : rows) {
            put("  {:>6} .. {:>6}    {:<{}}", p->offset, p->offset + p->words - 1, name(p->value), width + 1);
            for (std::size_t k = 0; k < schedule_.steps.size(); ++k)
                put("{} {}", barrier_before(k) ? '|' : ' ', letter(*p, k));
            line("{}", barrier_before(schedule_.steps.size()) ? "|" : "");
        }
        line("  (W written, R read, - kept, | a barrier)");
    }
};

}  // namespace

std::string print(const StreamSchedule& schedule, const Program& program, const Graph& graph, const Library& library) {
    return Printer(schedule, program, graph, library).run();
}

}  // namespace kasc
