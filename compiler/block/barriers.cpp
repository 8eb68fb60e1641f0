// A conservative block has a barrier before every step that touches shared memory, and one at the end of a round where
// rounds repeat. One is needed when a step (rule 1) reads words that other threads wrote since the last barrier, or
// (rule 2) writes words that other threads may still be reading, or writing, since the last barrier. Both are one
// question of exact addresses: is there a word that two different threads touch, one of them writing? A word that only
// its own thread touches needs no barrier, even in shared memory. Walking forward and keeping a barrier only where the
// answer is yes places each as late as possible, which makes their number least in a round.
//
//     0 load A (writes A)   1 load B (writes B)   | 2 mmul33 (reads A, B; writes M)   3 scale (own words of M)   | 4 …
//
// In a loop the accesses at the end of an iteration meet those of the next, which may ask for another barrier in it:
// the steps are walked until nothing more comes round. A ring of two planes is a loop of two iterations' steps:
//
//     loop   fill plane 0   | cells read plane 0   fill plane 1   | cells read plane 1
//
// At the end of a round the accesses since its last barrier meet those of the next round up to its first one; if they
// conflict, the barrier at the end stays.

#include "block/barriers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace kasc::block {

namespace {

/// One step's touch, by its place.
struct Access {
    std::size_t step = 0, touch = 0;
    const SharedTouch* what = nullptr;
    [[nodiscard]] bool writes() const { return what->writes; }
};

constexpr int any_thread = -1;  // of a copy: which thread takes a word is not known

/// Until `visit` says that it has seen enough.
template <class Visit>
void each_word(const Access& access, Visit visit) {
    const SharedTouch& what = *access.what;
    if (what.copied_words > 0) {
        for (int word = 0; word < what.copied_words; ++word)
            if (visit(what.begin + what.copied_pitch.at(word), any_thread)) return;
        return;
    }
    for (std::size_t k = 0; k < what.words->start.size(); ++k) {
        const int thread = what.threads != nullptr ? (*what.threads)[k] : static_cast<int>(k);
        for (const int offset : what.words->offsets)
            if (visit(what.begin + what.words->start[k] + offset, thread)) return;
    }
}

bool lie_over(const SharedTouch& a, const SharedTouch& b) {
    return std::max(a.begin, b.begin) < std::min(a.end, b.end);
}

struct Witness {
    int word = 0;  ///< of the kernel's block
    int earlier_thread = 0, later_thread = 0;
};

/// A word that two different threads touch in the two accesses; the first in the order of `later`.
std::optional<Witness> shared_word(const Access& earlier, const Access& later) {
    if (!lie_over(*earlier.what, *later.what)) return std::nullopt;
    const int begin = std::max(earlier.what->begin, later.what->begin);
    const int end = std::min(earlier.what->end, later.what->end);
    constexpr int nobody = -2;
    // Of each word the first two distinct threads: with two, any third thread differs from one of them.
    std::vector<std::array<int, 2>> owners(static_cast<std::size_t>(end - begin), {nobody, nobody});
    each_word(earlier, [&](int word, int thread) {
        if (word < begin || word >= end) return false;
        auto& [first, second] = owners[static_cast<std::size_t>(word - begin)];
        if (first == nobody)
            first = thread;
        else if (second == nobody && thread != first)
            second = thread;
        return false;
    });
    std::optional<Witness> found;
    each_word(later, [&](int word, int thread) {
        if (word < begin || word >= end) return false;
        for (const int owner : owners[static_cast<std::size_t>(word - begin)])
            if (owner != nobody && (owner == any_thread || owner != thread)) {
                found = Witness{word, owner, thread};
                return true;
            }
        return false;
    });
    return found;
}

class Decider {
public:
    Decider(const std::vector<SharedStep>& steps, bool rounds, const StepTexts& texts)
        : steps_(steps), rounds_(rounds), texts_(texts), accesses_(steps.size()) {
        for (std::size_t k = 0; k < steps.size(); ++k)
            for (std::size_t t = 0; t < steps[k].touches.size(); ++t)
                accesses_[k].push_back({k, t, &steps[k].touches[t]});
    }

    std::vector<BarrierDecision> run() {
        returning_.resize(steps_.size());
        do {
            decisions_.clear();
            pending_.clear();
            returns_more_ = false;
            walk();
        } while (returns_more_);
        if (std::any_of(returning_.begin(), returning_.end(), [](const auto& r) { return !r.empty(); }))
            drop_needless();
        if (rounds_ && !decisions_.empty()) decide(steps_.size(), accesses_before_first_barrier());
        return std::move(decisions_);
    }

    /// With these barriers.
    [[nodiscard]] bool conflicts_with(const std::vector<int>& before) {
        decisions_.clear();
        for (const int step : before) decisions_.push_back({step, true, {}, {}});
        return conflicts();
    }

private:
    const std::vector<SharedStep>& steps_;
    bool rounds_;
    const StepTexts& texts_;
    std::vector<std::vector<Access>> accesses_;  ///< by step
    std::vector<Access> pending_;                ///< since the last barrier kept
    std::vector<BarrierDecision> decisions_;
    std::map<std::pair<const SharedTouch*, const SharedTouch*>, std::optional<Witness>> compared_;
    std::vector<std::vector<Access>> returning_;  ///< by loop_begin: pending at the end of an iteration
    bool returns_more_ = false;

    /// Once through all steps. An iteration begins with what is pending before the loop and with what the iteration
    /// before it left, as far as that is known; steps after a loop also meet what is pending before it, as it may run
    /// no iteration.
    void walk() {
        std::vector<std::pair<std::size_t, std::vector<Access>>> open;
        for (std::size_t k = 0; k < steps_.size(); ++k) {
            if (steps_[k].mark == StepMark::loop_begin) {
                open.emplace_back(k, pending_);
                (void)merge(returning_[k], pending_);
            } else if (steps_[k].mark == StepMark::loop_end) {
                const auto [begin, before] = open.back();
                open.pop_back();
                returns_more_ = merge(pending_, returning_[begin]) || returns_more_;
                if (steps_[begin].may_skip) (void)merge(before, pending_);
            }
            if (!accesses_[k].empty()) decide(k, accesses_[k]);
            (void)merge(accesses_[k], pending_);
        }
    }

    /// A barrier that an earlier walk asked for, and that those found later make needless: its place is behind the
    /// loop's own barrier. Each is tried without.
    void drop_needless() {
        for (BarrierDecision& decision : decisions_) {
            if (!decision.needed) continue;
            decision.needed = false;
            if (conflicts()) {
                decision.needed = true;
                continue;
            }
            decision.reason = others_stand_between;
            decision.waits.clear();
        }
        pending_ = pending_at_end();
    }

    [[nodiscard]] bool kept_before(std::size_t step) const { return needed_before(decisions_, step) != nullptr; }

    /// With the barriers as they are: whether two accesses meet that must not.
    [[nodiscard]] bool conflicts() {
        bool found = false;
        follow([&](std::size_t step, const std::vector<Access>& pending) {
            for (const Access& later : accesses_[step])
                for (const Access& earlier : pending)
                    found = found || ((earlier.writes() || later.writes()) && meeting(earlier, later));
        });
        return found;
    }

    [[nodiscard]] std::vector<Access> pending_at_end() {
        return follow([](std::size_t, const std::vector<Access>&) {});
    }

    /// Walks the steps with the barriers as they are until nothing new comes round in loops; shows each step what is
    /// pending before it, and returns what is pending at the end.
    template <class Visit>
    std::vector<Access> follow(Visit visit) {
        std::vector<std::vector<Access>> returning(steps_.size());
        for (bool more = true;;) {
            const bool last = !more;
            more = false;
            std::vector<Access> pending;
            std::vector<std::pair<std::size_t, std::vector<Access>>> open;
            for (std::size_t k = 0; k < steps_.size(); ++k) {
                if (kept_before(k)) pending.clear();
                if (steps_[k].mark == StepMark::loop_begin) {
                    open.emplace_back(k, pending);
                    (void)merge(returning[k], pending);
                } else if (steps_[k].mark == StepMark::loop_end) {
                    more = merge(pending, returning[open.back().first]) || more;
                    if (steps_[open.back().first].may_skip) (void)merge(open.back().second, pending);
                    open.pop_back();
                }
                if (last) visit(k, pending);
                (void)merge(accesses_[k], pending);
            }
            if (last) return pending;
        }
    }

    const std::optional<Witness>& meeting(const Access& earlier, const Access& later) {
        const auto [at, added] = compared_.try_emplace({earlier.what, later.what});
        if (added) at->second = shared_word(earlier, later);
        return at->second;
    }

    /// Adds what is not there yet; whether there was any.
    static bool merge(const std::vector<Access>& from, std::vector<Access>& to) {
        const std::size_t before = to.size();
        for (const Access& access : from) {
            const bool known =
                std::any_of(to.begin(), to.end(), [&](const Access& other) { return other.what == access.what; });
            if (!known) to.push_back(access);
        }
        return to.size() > before;
    }

    [[nodiscard]] bool in_skippable_loop(std::size_t step) const {
        std::vector<bool> open;
        for (std::size_t k = 0; k <= step && k < steps_.size(); ++k) {
            if (steps_[k].mark == StepMark::loop_begin) open.push_back(steps_[k].may_skip);
            if (steps_[k].mark == StepMark::loop_end) open.pop_back();
        }
        return std::find(open.begin(), open.end(), true) != open.end();
    }

    /// A barrier in a loop that runs no iteration is passed by.
    [[nodiscard]] std::vector<Access> accesses_before_first_barrier() const {
        std::size_t end = steps_.size();
        for (const BarrierDecision& decision : decisions_)
            if (decision.needed && !in_skippable_loop(static_cast<std::size_t>(decision.before)))
                end = std::min(end, static_cast<std::size_t>(decision.before));
        std::vector<Access> found;
        for (std::size_t k = 0; k < end; ++k) found.insert(found.end(), accesses_[k].begin(), accesses_[k].end());
        return found;
    }

    void decide(std::size_t before, const std::vector<Access>& next) {
        for (const Access& later : next)
            for (const Access& earlier : pending_)
                if (earlier.writes() || later.writes())
                    if (const auto& witness = meeting(earlier, later)) {
                        decisions_.push_back({static_cast<int>(before), true,
                                              kept_reason(earlier, later, *witness, before),
                                              waits_text(earlier, later, before)});
                        pending_.clear();
                        return;
                    }
        decisions_.push_back({static_cast<int>(before), false, elided_reason(next, before), {}});
    }

    [[nodiscard]] std::string step_text(std::size_t step) const {
        return fmt::format("step {} ({})", texts_.number ? texts_.number(step) : step, texts_.label(step));
    }
    [[nodiscard]] std::string region_text(const Access& access) const {
        return texts_.region(access.step, access.touch);
    }
    static std::string thread_text(int thread) {
        return thread == any_thread ? std::string("any thread") : fmt::format("thread {}", thread);
    }

    [[nodiscard]] std::string kept_reason(const Access& earlier, const Access& later, const Witness& witness,
                                          std::size_t before) const {
        const std::string round = before == steps_.size()      ? "in the next round "
                                  : earlier.step >= later.step ? "in the next iteration "
                                                               : "";
        const std::string threads = fmt::format("word {}: {}, then {}", witness.word,
                                                thread_text(witness.earlier_thread), thread_text(witness.later_thread));
        if (!later.writes())
            return fmt::format("{}{} reads {}, which other threads wrote in {} ({})", round, step_text(later.step),
                               region_text(later), step_text(earlier.step), threads);
        return fmt::format("{}{} writes {} where other threads may still be {} {} of {} ({})", round,
                           step_text(later.step), region_text(later), earlier.writes() ? "writing" : "reading",
                           region_text(earlier), step_text(earlier.step), threads);
    }

    [[nodiscard]] std::string waits_text(const Access& earlier, const Access& later, std::size_t before) const {
        const std::string actor = texts_.actor(later.step);
        const std::string who = before == steps_.size()
                                    ? "the next round's " + (actor.starts_with("the ") ? actor.substr(4) : actor)
                                    : actor;
        if (!later.writes())
            return fmt::format("{} reads {}, which other threads {}", who, region_text(later),
                               texts_.made(earlier.step));
        const std::string place =
            region_text(earlier) == region_text(later) ? "" : fmt::format(" where {} lies", region_text(earlier));
        return fmt::format("{} writes {}{}, which other threads may still {}", who, region_text(later), place,
                           earlier.writes() ? "write" : "read");
    }

    [[nodiscard]] std::string elided_reason(const std::vector<Access>& next, std::size_t before) const {
        const char* round = before == steps_.size() ? "in the next round " : "";
        for (const Access& later : next)
            for (const Access& earlier : pending_) {
                if (!lie_over(*earlier.what, *later.what) || !(earlier.writes() || later.writes())) continue;
                return fmt::format("{}{} touches of {} only words that its own thread {} in {}", round,
                                   step_text(later.step), region_text(earlier), earlier.writes() ? "wrote" : "read",
                                   step_text(earlier.step));
            }
        if (pending_.empty()) return "shared memory is untouched since the last barrier";
        if (before == steps_.size()) return "nothing that the next round touches before its first barrier is pending";
        const bool reads_only = std::none_of(next.begin(), next.end(), [](const Access& a) { return a.writes(); });
        return reads_only ? "no write to what it reads is pending" : "nothing that it touches is pending";
    }
};

}  // namespace

std::vector<BarrierDecision> decide_barriers(const std::vector<SharedStep>& steps, bool rounds,
                                             const StepTexts& texts) {
    return Decider(steps, rounds, texts).run();
}

bool barriers_suffice(const std::vector<SharedStep>& steps, const std::vector<int>& before) {
    const StepTexts none;
    return !Decider(steps, false, none).conflicts_with(before);
}

}  // namespace kasc::block

namespace kasc {

const BarrierDecision* needed_before(const std::vector<BarrierDecision>& decisions, std::size_t step) {
    const auto at = std::find_if(decisions.begin(), decisions.end(), [&](const BarrierDecision& d) {
        return d.needed && d.before == static_cast<int>(step);
    });
    return at == decisions.end() ? nullptr : &*at;
}

}  // namespace kasc
