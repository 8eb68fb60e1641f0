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
// What a loop's steps need of what is pending before the loop one barrier in front of it gives, in place of one in each
// iteration; it goes again where the loop has such a barrier for its own sake.
//
// At the end of a round the accesses since its last barrier meet those of the next round up to its first one; if they
// conflict, the barrier at the end stays.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "block/passes.hpp"

namespace kasc::block {

namespace {

/// Why a barrier that one iteration of a loop asked for is not needed.
constexpr const char* others_stand_between =
    "the other barriers of the loop stand between all that touch the same words";

/// Each once, in the order in which they came.
class Accesses {
public:
    /// Whether it was not there.
    bool add(const Access& access) {
        const std::size_t word = access.number / bits;
        const std::uint64_t bit = std::uint64_t{1} << access.number % bits;
        if (word >= has_.size()) has_.resize(word + 1, 0);
        if ((has_[word] & bit) != 0) return false;
        has_[word] |= bit;
        all_.push_back(access);
        return true;
    }
    void clear() {
        std::fill(has_.begin(), has_.end(), 0);
        all_.clear();
    }
    /// Nothing of the others is missing: what comes round in a loop mostly is there.
    [[nodiscard]] bool has_all_of(const Accesses& others) const {
        for (std::size_t word = 0; word < others.has_.size(); ++word) {
            const std::uint64_t own = word < has_.size() ? has_[word] : 0;
            if ((others.has_[word] & ~own) != 0) return false;
        }
        return true;
    }
    [[nodiscard]] bool empty() const { return all_.empty(); }
    [[nodiscard]] auto begin() const { return all_.begin(); }
    [[nodiscard]] auto end() const { return all_.end(); }

private:
    std::vector<Access> all_;
    static constexpr std::size_t bits = 64;
    std::vector<std::uint64_t> has_;  ///< a bit by number
};

class Decider {
public:
    explicit Decider(const BlockProgram& program) : program_(program), passes_(passes_over(program)) {}

    /// By step.
    std::vector<BarrierDecision> run() {
        decide_by_pass();
        std::vector<BarrierDecision> by_step;
        bool alike = true;  // all passes of a step
        for (BarrierDecision& d : std::exchange(decisions_, {})) {
            const auto before = static_cast<std::size_t>(d.before);
            d.before = static_cast<int>(before < passes_.size() ? passes_[before].step : program_.steps.size());
            const auto known = std::find_if(by_step.begin(), by_step.end(),
                                            [&](const BarrierDecision& other) { return other.before == d.before; });
            alike = alike && (known == by_step.end() || known->needed == d.needed);
            if (known == by_step.end()) {
                by_step.push_back(std::move(d));
            } else if (d.needed && !known->needed) {
                *known = std::move(d);
            }
        }
        if (!alike) drop_what_others_do(by_step);
        return by_step;
    }

private:
    const BlockProgram& program_;
    const std::vector<Pass> passes_;
    Accesses pending_;                                                                ///< since the last barrier kept
    std::vector<BarrierDecision> decisions_;                                          ///< by pass
    std::map<std::pair<std::size_t, std::size_t>, std::optional<Witness>> compared_;  ///< by their numbers
    std::vector<Accesses> returning_;  ///< by loop_begin: pending at the end of an iteration
    bool returns_more_ = false;
    bool before_loops_ = false;  ///< some barrier stands in front of a loop

    [[nodiscard]] const Step& step(std::size_t pass) const { return program_.steps[passes_[pass].step]; }

    void decide_by_pass() {
        returning_.resize(passes_.size());
        do {
            decisions_.clear();
            pending_.clear();
            returns_more_ = false;
            walk();
        } while (returns_more_);
        if (before_loops_ ||
            std::any_of(returning_.begin(), returning_.end(), [](const auto& r) { return !r.empty(); }))
            drop_needless();
        if (program_.rounds && !decisions_.empty()) decide(passes_.size(), accesses_before_first_barrier());
    }

    /// Where one iteration asked for a barrier in one place and the next in another, all iterations have both. Each is
    /// tried without.
    void drop_what_others_do(std::vector<BarrierDecision>& by_step) {
        for (BarrierDecision& tried : by_step) {
            if (!tried.needed) continue;
            tried.needed = false;
            if (conflicts_with(by_step)) {
                tried.needed = true;
                continue;
            }
            tried.reason = others_stand_between;
            tried.waits.clear();
        }
    }

    [[nodiscard]] bool conflicts_with(const std::vector<BarrierDecision>& by_step) {
        decisions_.clear();
        for (std::size_t k = 0; k < passes_.size(); ++k)
            for (const BarrierDecision& d : by_step)
                if (d.needed && d.before == static_cast<int>(passes_[k].step))
                    decisions_.push_back({static_cast<int>(k), true, {}, {}});
        return conflicts();
    }

    /// Once through all steps. An iteration begins with what is pending before the loop and with what the iteration
    /// before it left, as far as that is known; steps after a loop also meet what is pending before it, as it may run
    /// no iteration.
    void walk() {
        std::vector<std::pair<std::size_t, Accesses>> open;
        for (std::size_t k = 0; k < passes_.size(); ++k) {
            if (step(k).kind == StepKind::loop_begin) {
                decide_before_loop(k);
                open.emplace_back(k, step(k).may_skip ? pending_ : Accesses{});
                (void)merge(returning_[k], pending_);
            } else if (step(k).kind == StepKind::loop_end) {
                const auto [begin, before] = std::move(open.back());
                open.pop_back();
                returns_more_ = merge(pending_, returning_[begin]) || returns_more_;
                if (step(begin).may_skip) (void)merge(before, pending_);
            }
            if (!passes_[k].accesses.empty()) decide(k, passes_[k].accesses);
            (void)merge(passes_[k].accesses, pending_);
        }
    }

    void decide_before_loop(std::size_t begin) {
        Accesses inside;
        int depth = 1;
        for (std::size_t k = begin + 1; k < passes_.size() && depth > 0; ++k) {
            depth += step(k).kind == StepKind::loop_begin ? 1 : step(k).kind == StepKind::loop_end ? -1 : 0;
            (void)merge(passes_[k].accesses, inside);
        }
        const std::size_t decided = decisions_.size();
        decide(begin, inside);
        if (!decisions_[decided].needed) decisions_.pop_back();
        before_loops_ = before_loops_ || decisions_.size() > decided;
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

    /// By pass, whether a barrier stands in front of it.
    [[nodiscard]] std::vector<bool> kept() const {
        std::vector<bool> kept(passes_.size() + 1);
        for (const BarrierDecision& d : decisions_)
            if (d.needed) kept[static_cast<std::size_t>(d.before)] = true;
        return kept;
    }

    /// With the barriers as they are: whether two accesses meet that must not.
    [[nodiscard]] bool conflicts() {
        bool found = false;
        follow([&](std::size_t pass, const Accesses& pending) {
            if (found) return;
            for (const Access& later : passes_[pass].accesses)
                for (const Access& earlier : pending)
                    found = found || ((earlier.writes() || later.writes()) && meeting(earlier, later));
        });
        return found;
    }

    [[nodiscard]] Accesses pending_at_end() {
        return follow([](std::size_t, const Accesses&) {});
    }

    /// Walks the passes with the barriers as they are until nothing new comes round in loops; shows each what is
    /// pending before it, and returns what is pending at the end.
    template <class Visit>
    Accesses follow(Visit visit) {
        std::vector<Accesses> returning(passes_.size());
        const std::vector<bool> kept_before = kept();
        for (bool more = true;;) {
            const bool last = !more;
            more = false;
            Accesses pending;
            std::vector<std::pair<std::size_t, Accesses>> open;
            for (std::size_t k = 0; k < passes_.size(); ++k) {
                if (kept_before[k]) pending.clear();
                if (step(k).kind == StepKind::loop_begin) {
                    open.emplace_back(k, step(k).may_skip ? pending : Accesses{});
                    (void)merge(returning[k], pending);
                } else if (step(k).kind == StepKind::loop_end) {
                    more = merge(pending, returning[open.back().first]) || more;
                    if (step(open.back().first).may_skip) (void)merge(open.back().second, pending);
                    open.pop_back();
                }
                if (last) visit(k, pending);
                (void)merge(passes_[k].accesses, pending);
            }
            if (last) return pending;
        }
    }

    const std::optional<Witness>& meeting(const Access& earlier, const Access& later) {
        static const std::optional<Witness> none;
        if (!lie_over(earlier, later)) return none;
        const auto [at, added] = compared_.try_emplace({earlier.number, later.number});
        if (added) at->second = shared_word(earlier, later);
        return at->second;
    }

    /// Adds what is not there yet; whether there was any.
    template <class From>
    static bool merge(const From& from, Accesses& to) {
        bool more = false;
        for (const Access& access : from) more = to.add(access) || more;
        return more;
    }
    static bool merge(const Accesses& from, Accesses& to) {
        if (to.has_all_of(from)) return false;
        return merge<Accesses>(from, to);
    }

    [[nodiscard]] bool in_skippable_loop(std::size_t pass) const {
        std::vector<bool> open;
        for (std::size_t k = 0; k <= pass && k < passes_.size(); ++k) {
            if (step(k).kind == StepKind::loop_begin) open.push_back(step(k).may_skip);
            if (step(k).kind == StepKind::loop_end) open.pop_back();
        }
        return std::find(open.begin(), open.end(), true) != open.end();
    }

    /// A barrier in a loop that runs no iteration is passed by.
    [[nodiscard]] std::vector<Access> accesses_before_first_barrier() const {
        std::size_t end = passes_.size();
        for (const BarrierDecision& decision : decisions_)
            if (decision.needed && !in_skippable_loop(static_cast<std::size_t>(decision.before)))
                end = std::min(end, static_cast<std::size_t>(decision.before));
        std::vector<Access> found;
        for (std::size_t k = 0; k < end; ++k)
            found.insert(found.end(), passes_[k].accesses.begin(), passes_[k].accesses.end());
        return found;
    }

    template <class Next>
    void decide(std::size_t before, const Next& next) {
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

    [[nodiscard]] std::string step_text(std::size_t pass) const {
        return fmt::format("step {} ({})", passes_[pass].step, step(pass).label);
    }
    [[nodiscard]] const std::string& region_text(const Access& access) const {
        return program_.regions[access.touch->region].name;
    }
    static std::string thread_text(int thread) {
        return thread == any_thread ? std::string("any thread") : fmt::format("thread {}", thread);
    }

    [[nodiscard]] std::string kept_reason(const Access& earlier, const Access& later, const Witness& witness,
                                          std::size_t before) const {
        const std::string round = before == passes_.size()     ? "in the next round "
                                  : earlier.pass >= later.pass ? "in the next iteration "
                                                               : "";
        // Where no thread is known any word serves.
        const bool known = witness.earlier_thread != any_thread || witness.later_thread != any_thread;
        const std::string threads =
            known ? fmt::format(" (word {}: {}, then {})", witness.word, thread_text(witness.earlier_thread),
                                thread_text(witness.later_thread))
                  : "";
        if (!later.writes())
            return fmt::format("{}{} reads {}, which other threads wrote in {}{}", round, step_text(later.pass),
                               region_text(later), step_text(earlier.pass), threads);
        return fmt::format("{}{} writes {} where other threads may still be {} {} of {}{}", round,
                           step_text(later.pass), region_text(later), earlier.writes() ? "writing" : "reading",
                           region_text(earlier), step_text(earlier.pass), threads);
    }

    [[nodiscard]] std::string waits_text(const Access& earlier, const Access& later, std::size_t before) const {
        const std::string& actor = step(later.pass).actor;
        const std::string who = before == passes_.size()
                                    ? "the next round's " + (actor.starts_with("the ") ? actor.substr(4) : actor)
                                    : actor;
        if (!later.writes())
            return fmt::format("{} reads {}, which other threads {}", who, region_text(later), step(earlier.pass).made);
        const std::string place =
            region_text(earlier) == region_text(later) ? "" : fmt::format(" where {} lies", region_text(earlier));
        return fmt::format("{} writes {}{}, which other threads may still {}", who, region_text(later), place,
                           earlier.writes() ? "write" : "read");
    }

    template <class Next>
    [[nodiscard]] std::string elided_reason(const Next& next, std::size_t before) const {
        const char* round = before == passes_.size() ? "in the next round " : "";
        for (const Access& later : next)
            for (const Access& earlier : pending_) {
                if (!lie_over(earlier, later) || !(earlier.writes() || later.writes())) continue;
                return fmt::format("{}{} touches of {} only words that its own thread {} in {}", round,
                                   step_text(later.pass), region_text(earlier), earlier.writes() ? "wrote" : "read",
                                   step_text(earlier.pass));
            }
        if (pending_.empty()) return "shared memory is untouched since the last barrier";
        if (before == passes_.size()) return "nothing that the next round touches before its first barrier is pending";
        const bool reads_only = std::none_of(next.begin(), next.end(), [](const Access& a) { return a.writes(); });
        return reads_only ? "no write to what it reads is pending" : "nothing that it touches is pending";
    }
};

}  // namespace

BlockProgram with_barriers(BlockProgram program) {
    const bool touched =
        std::any_of(program.steps.begin(), program.steps.end(), [](const Step& step) { return !step.touches.empty(); });
    // Thousands of candidates share nothing.
    if (touched || program.rounds) program.barriers = Decider(program).run();
    return program;
}

}  // namespace kasc::block
