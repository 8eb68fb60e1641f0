// Runs the schedule word by word. The steps are flattened in their order, two rounds where rounds repeat; each barrier
// that is kept starts a new interval. A loop runs twice, since the accesses of an iteration are those of every other,
// and not at all where it may be skipped: each combination of that is a run of its own. Every shared word remembers
// what it holds and who touched it in the interval:
//
//     interval 0   step 0: thread 3 writes word 7          (holds A)
//     interval 1   step 2: threads 0, 1, 2 read word 7     fine: the write is an interval back
//                  step 3: thread 1 writes word 7          race: threads 0 and 2 read it in this interval
//
// Several threads may write one word within one step: that is the author's function storing one result several times,
// which no barrier of ours could order. A staged copy counts as a thread that is no other.

#include "schedule/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/expand.hpp"

namespace kasc {

namespace {

constexpr std::size_t most_findings = 10;
constexpr int largest_block_words = 1 << 22;  // beyond any device: a bound on this proof's own memory

constexpr int nobody = -1, several = -2, copier = -3;

/// Who reads, or who writes, a word in one interval: in the step that runs, and in the steps before it.
struct Crowd {
    int interval = -1;
    std::size_t step = 0;  ///< of the flattened sequence, the last that joined
    int earlier = nobody, current = nobody;

    void join(int thread, int now, std::size_t at) {
        if (interval != now) earlier = current = nobody;
        interval = now;
        if (step != at) {
            earlier = merged(earlier, current);
            current = nobody;
        }
        step = at;
        current = merged(current, thread);
    }
    [[nodiscard]] bool has_other(int thread, int now) const {
        return interval == now && differs(merged(earlier, current), thread);
    }
    [[nodiscard]] bool had_other_before(int thread, int now, std::size_t at) const {
        return step == at ? interval == now && differs(earlier, thread) : has_other(thread, now);
    }

private:
    static int merged(int a, int b) {
        if (a == nobody || b == nobody) return a == nobody ? b : a;
        return a == b ? a : several;
    }
    static bool differs(int who, int thread) { return who != nobody && (who != thread || who == copier); }
};

struct Word {
    Crowd readers, writers;
    std::optional<ValueId> holds;
    int round = -1;
};

class Simulation {
public:
    explicit Simulation(const StreamSchedule& schedule) : schedule_(schedule) {}

    std::vector<std::string> run() {
        if (!check_shape()) return findings_;
        check_placements();
        for (unsigned skipped = 0; skipped < 1U << schedule_.loops.size(); ++skipped) {
            if (may_skip(skipped)) run_rounds(skipped);
        }
        return findings_;
    }

private:
    const StreamSchedule& schedule_;
    std::vector<Word> words_;
    std::map<ValueId, const AddressSet*> registers_;  ///< what each value in registers was written with, this round
    std::vector<std::string> findings_;
    int round_ = 0, interval_ = 0;
    std::size_t sequence_ = 0;

    /// `skipped` has a bit a loop.
    [[nodiscard]] bool may_skip(unsigned skipped) const {
        for (std::size_t l = 0; l < schedule_.loops.size(); ++l)
            if ((skipped >> l & 1U) != 0 && !schedule_.loops[l].what.may_skip) return false;
        return true;
    }

    void run_rounds(unsigned skipped) {
        words_.assign(static_cast<std::size_t>(schedule_.shared_words), {});
        interval_ = 0;
        const int rounds = schedule_.choice.batch > 1 ? 2 : 1;
        for (round_ = 0; round_ < rounds; ++round_) {
            registers_.clear();
            run_steps(0, schedule_.steps.size(), skipped);
            pass_barrier(schedule_.steps.size());
        }
    }

    void run_steps(std::size_t from, std::size_t to, unsigned skipped) {
        for (std::size_t k = from; k < to; ++k) {
            pass_barrier(k);
            const auto loop = std::find_if(schedule_.loops.begin(), schedule_.loops.end(),
                                           [&](const ScheduledLoop& l) { return l.begin == static_cast<int>(k); });
            if (loop == schedule_.loops.end()) {
                run_step(k);
                continue;
            }
            const auto end = static_cast<std::size_t>(loop->end);
            const bool runs = (skipped >> (loop - schedule_.loops.begin()) & 1U) == 0;
            for (int iteration = 0; runs && iteration < 2; ++iteration) {
                run_steps(k + 1, end, skipped);
                pass_barrier(end);
            }
            k = end;
        }
    }

    void find(std::string text) {
        if (findings_.size() >= most_findings) return;
        if (std::find(findings_.begin(), findings_.end(), text) == findings_.end())
            findings_.push_back(std::move(text));
    }

    [[nodiscard]] const Placement* placement_of(ValueId value) const {
        for (const Placement& p : schedule_.placements)
            if (p.value == value) return &p;
        return nullptr;
    }

    bool check_shape() {
        if (schedule_.loops.size() > most_inner_loops) find("the kernel has more loops than can be proved");
        for (const ScheduledLoop& loop : schedule_.loops)
            if (loop.begin < 0 || loop.end <= loop.begin || loop.end >= static_cast<int>(schedule_.steps.size()))
                find("a loop has no sane range of steps");
        if (schedule_.threads != thread_count(schedule_.block)) find("the kernel's threads are not those of its block");
        if (schedule_.shared_words < 0 || schedule_.shared_words > largest_block_words)
            find("the shared block has no sane size");
        for (std::size_t k = 0; k < schedule_.steps.size(); ++k) {
            const Step& step = schedule_.steps[k];
            if (step.kind == StepKind::loop_begin || step.kind == StepKind::loop_end) {
                check_mark(k);
                continue;
            }
            const auto fits = [&](const AddressSet& set) {
                return static_cast<int>(set.start.size()) == thread_count(step.block);
            };
            if (thread_count(step.block) > schedule_.threads)
                find(fmt::format("step {} has more threads than the kernel", k));
            if (!step.guard_threads && thread_count(step.block) != schedule_.threads)
                find(fmt::format("step {} runs on threads that it does not have", k));
            if (step.reads.size() != step.read_sets.size() || step.writes.has_value() != step.write_set.has_value() ||
                !std::all_of(step.read_sets.begin(), step.read_sets.end(), fits) ||
                (step.write_set && !fits(*step.write_set)))
                find(fmt::format("step {} lacks addresses", k));
        }
        return findings_.empty();
    }

    /// A loop's marks are those of a loop that is known, and loops nest.
    void check_mark(std::size_t k) {
        const auto at = static_cast<int>(k);
        const bool known = std::any_of(schedule_.loops.begin(), schedule_.loops.end(), [&](const ScheduledLoop& l) {
            return schedule_.steps[k].kind == StepKind::loop_begin ? l.begin == at : l.end == at;
        });
        const bool nest = std::none_of(schedule_.loops.begin(), schedule_.loops.end(), [&](const ScheduledLoop& l) {
            return std::any_of(schedule_.loops.begin(), schedule_.loops.end(), [&](const ScheduledLoop& m) {
                return l.begin < m.begin && m.begin < l.end && l.end <= m.end;
            });
        });
        if (!known || !nest) find(fmt::format("step {} opens or closes no loop", k));
    }

    void check_placements() {
        for (const Placement& a : schedule_.placements) {
            if (a.where == Residence::registers) continue;
            const long long end = static_cast<long long>(a.offset) + a.words;
            if (a.offset < 0 || a.words < 0 || end > schedule_.shared_words || a.offset % 4 != 0)
                find(fmt::format("value {} lies outside the shared block or off its 16-byte grid", a.value.index));
            for (const Placement& b : schedule_.placements) {
                if (!(a.value < b.value) || b.where == Residence::registers) continue;
                const bool same_time = a.first_step <= b.last_step && b.first_step <= a.last_step;
                const bool same_place = a.offset < b.offset + b.words && b.offset < a.offset + a.words;
                if (same_time && same_place)
                    find(fmt::format("values {} and {} share words while both live", a.value.index, b.value.index));
            }
        }
    }

    void pass_barrier(std::size_t before) {
        for (const BarrierDecision& barrier : schedule_.barriers)
            if (barrier.needed && barrier.before == static_cast<int>(before)) {
                ++interval_;
                return;
            }
    }

    void run_step(std::size_t k) {
        const Step& step = schedule_.steps[k];
        ++sequence_;
        for (std::size_t r = 0; r < step.reads.size(); ++r) touch(k, step.reads[r], step.read_sets[r], false);
        if (step.writes) touch(k, *step.writes, *step.write_set, true);
    }

    void touch(std::size_t k, ValueId value, const AddressSet& set, bool writes) {
        const Placement* placement = placement_of(value);
        if (!placement) return find(fmt::format("step {}: value {} lies nowhere", k, value.index));
        const int step = static_cast<int>(k);
        if (step < placement->first_step || step > placement->last_step)
            find(fmt::format("step {} touches value {} outside its lifetime", k, value.index));
        if (placement->where == Residence::registers) return touch_registers(k, *placement, set, writes);
        if (schedule_.steps[k].staged_words > 0) {
            for (int word = 0; word < schedule_.steps[k].staged_words; ++word)
                touch_word(k, *placement, schedule_.steps[k].staged_pitch.at(word), copier, writes);
            return;
        }
        for (std::size_t t = 0; t < set.start.size(); ++t)
            for (const int offset : set.offsets)
                touch_word(k, *placement, set.start[t] + offset, static_cast<int>(t), writes);
    }

    void touch_registers(std::size_t k, const Placement& placement, const AddressSet& set, bool writes) {
        if (schedule_.steps[k].staged_words > 0)
            find(fmt::format("step {} stages value {}, which lies in registers", k, placement.value.index));
        if (!set.offsets.empty() && (set.offsets.front() < 0 || set.offsets.back() >= placement.words))
            find(fmt::format("step {} touches value {} outside its registers", k, placement.value.index));
        if (writes) {
            registers_[placement.value] = &set;
            return;
        }
        const auto written = registers_.find(placement.value);
        if (written == registers_.end())
            find(fmt::format("step {} reads value {} in registers before it is written", k, placement.value.index));
        else if (written->second->start != set.start || written->second->offsets != set.offsets)
            find(fmt::format("step {} reads words of value {} that lie in other threads' registers", k,
                             placement.value.index));
    }

    void touch_word(std::size_t k, const Placement& placement, int address, int thread, bool writes) {
        const int place = placement.offset + address;
        if (address < 0 || address >= placement.words || place < 0 || place >= schedule_.shared_words)
            return find(fmt::format("step {} touches word {} of value {}, which has {}", k, address,
                                    placement.value.index, placement.words));
        Word& word = words_[static_cast<std::size_t>(place)];
        if (word.writers.had_other_before(thread, interval_, sequence_))
            find(fmt::format(
                "race: step {} {} shared word {} of value {} that another thread wrote since the last barrier", k,
                writes ? "writes" : "reads", place, placement.value.index));
        if (writes && word.readers.has_other(thread, interval_))
            find(fmt::format(
                "race: step {} writes shared word {} of value {} that another thread read since the last barrier", k,
                place, placement.value.index));
        if (writes) {
            word.writers.join(thread, interval_, sequence_);
            word.holds = placement.value;
            word.round = round_;
        } else {
            if (word.holds != placement.value || word.round != round_)
                find(fmt::format("step {} reads word {} of value {}, which nothing wrote", k, address,
                                 placement.value.index));
            word.readers.join(thread, interval_, sequence_);
        }
    }
};

}  // namespace

std::vector<std::string> verify(const StreamSchedule& schedule) { return Simulation(schedule).run(); }

}  // namespace kasc
