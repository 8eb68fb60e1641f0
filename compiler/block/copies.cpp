// Finds the barriers that await asynchronous copies. A ring that is filled while the words of the iteration before are
// used:
//
//   copy     copy 0
//   loop
//     |  awaits      what lies in copy 0 of this iteration, which came in the one before, is touched behind it
//     copy     copy 1
//     compute  copy 0
//     |  does not    copy 1 of this iteration is touched behind the next one
//     store    copy 0
//   end

#include <algorithm>
#include <set>

#include "block/block_program.hpp"

namespace kasc::block {

namespace {

/// Copies of regions that are under way, counted from the iteration's own.
using Flying = std::set<std::pair<std::size_t, int>>;

class Waits {
public:
    explicit Waits(const BlockProgram& program) : program_(program), awaits_(program.steps.size() + 1, false) {}

    std::vector<bool> run() {
        std::size_t step = 0;
        const Flying flying = walk(step, {});
        if (barrier_before(program_, program_.steps.size()) != nullptr) awaits_.back() = !flying.empty();
        return awaits_;
    }

private:
    const BlockProgram& program_;
    std::vector<bool> awaits_;

    [[nodiscard]] int copies(std::size_t region) const {
        return region < program_.regions.size() ? program_.regions[region].copies : 1;
    }

    /// From the step on to the end of the loop that it is in; what is under way then.
    Flying walk(std::size_t& k, Flying flying) {
        for (; k < program_.steps.size(); ++k) {
            if (barrier_before(program_, k) != nullptr && !flying.empty() && are_touched(flying, k)) {
                awaits_[k] = true;
                flying.clear();
            }
            const Step& step = program_.steps[k];
            if (step.kind == StepKind::loop_end) return flying;
            if (step.kind == StepKind::loop_begin) flying = loop(k, step.may_skip, flying);
            if (!step.asynchronous) continue;
            if (step.touches.empty()) flying.insert({program_.regions.size(), 0});  // it does not say which
            for (const Touch& touch : step.touches) flying.insert({touch.region, touch.copy % copies(touch.region)});
        }
        return flying;
    }
    /// Until an iteration meets nothing that the ones before have not met.
    Flying loop(std::size_t& k, bool may_skip, const Flying& before) {
        const std::size_t begin = k + 1;
        Flying entering = before, left;
        for (bool more = true; more;) {
            k = begin;
            left = walk(k, entering);
            more = false;
            for (const auto& [region, copy] : left)
                more = entering.insert({region, (copy + copies(region) - 1) % copies(region)}).second || more;
        }
        // Behind the loop nobody counts in its iterations.
        Flying behind;
        if (may_skip) left.insert(before.begin(), before.end());
        for (const auto& [region, copy] : left)
            for (int any = 0; any < copies(region); ++any) behind.insert({region, any});
        return behind;
    }

    /// Before the next barrier. Where there is no ring, whatever is under way is needed soon.
    [[nodiscard]] bool are_touched(const Flying& flying, std::size_t barrier) const {
        const bool has_ring = std::any_of(program_.regions.begin(), program_.regions.end(),
                                          [](const Region& region) { return region.copies > 1; });
        if (!has_ring) return true;
        std::set<std::pair<std::size_t, int>> seen;  // steps, and how many iterations later
        std::vector<std::pair<std::size_t, int>> next{{barrier, 0}};
        while (!next.empty()) {
            const auto [k, later] = next.back();
            next.pop_back();
            if (k >= program_.steps.size() || !seen.insert({k, later}).second) continue;
            if (k != barrier && barrier_before(program_, k) != nullptr) continue;
            for (const Touch& touch : program_.steps[k].touches)
                if (flying.contains({touch.region, (touch.copy + later) % copies(touch.region)})) return true;
            next.emplace_back(k + 1, later);
            if (program_.steps[k].kind != StepKind::loop_end || later > 0) continue;
            std::size_t begin = k;
            while (program_.steps[begin].kind != StepKind::loop_begin) --begin;
            next.emplace_back(begin + 1, later + 1);
        }
        return false;
    }
};

}  // namespace

std::vector<bool> awaits_copies(const BlockProgram& program) { return Waits(program).run(); }

}  // namespace kasc::block
