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
#include <map>
#include <optional>
#include <set>

#include "block/block_program.hpp"

namespace kasc::block {

namespace {

/// Copies of regions that are under way, counted from the iteration's own; of each, how many steps have begun copies
/// since then, at least.
using Flying = std::map<std::pair<std::size_t, int>, int>;

/// Whether it was not known.
bool add(Flying& flying, const std::pair<std::size_t, int>& copy, int later) {
    const auto [known, is_new] = flying.emplace(copy, later);
    if (is_new || known->second <= later) return is_new;
    known->second = later;
    return true;
}

class Waits {
public:
    explicit Waits(const BlockProgram& program) : program_(program), awaits_(program.steps.size() + 1) {}

    std::vector<std::optional<int>> run() {
        std::size_t step = 0;
        const Flying flying = walk(step, {});
        if (barrier_before(program_, program_.steps.size()) != nullptr && !flying.empty()) awaits_.back() = 0;
        return awaits_;
    }

private:
    const BlockProgram& program_;
    std::vector<std::optional<int>> awaits_;

    [[nodiscard]] int copies(std::size_t region) const {
        return region < program_.regions.size() ? program_.regions[region].copies : 1;
    }

    /// From the step on to the end of the loop that it is in; what is under way then.
    Flying walk(std::size_t& k, Flying flying) {
        for (; k < program_.steps.size(); ++k) {
            if (barrier_before(program_, k) != nullptr) await(flying, k);
            const Step& step = program_.steps[k];
            if (step.kind == StepKind::loop_end) return flying;
            if (step.kind == StepKind::loop_begin) flying = loop(k, step.may_skip, flying);
            if (!step.asynchronous) continue;
            for (auto& [copy, later] : flying) ++later;
            if (step.touches.empty()) add(flying, {program_.regions.size(), 0}, 0);  // it does not say which
            for (const Touch& touch : step.touches) add(flying, {touch.region, touch.copy % copies(touch.region)}, 0);
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
            for (const auto& [which, later] : left) {
                const auto& [region, copy] = which;
                more = add(entering, {region, (copy + copies(region) - 1) % copies(region)}, later) || more;
            }
        }
        // Behind the loop nobody counts in its iterations.
        Flying behind;
        if (may_skip)
            for (const auto& [which, later] : before) add(left, which, later);
        for (const auto& [which, later] : left)
            for (int any = 0; any < copies(which.first); ++any) add(behind, {which.first, any}, later);
        return behind;
    }

    /// The barrier awaits what is touched before the next one, and what was begun before that.
    void await(Flying& flying, std::size_t barrier) {
        const std::optional<int> under_way = latest_touched(flying, barrier);
        if (!under_way) return;
        awaits_[barrier] = std::min(awaits_[barrier].value_or(*under_way), *under_way);
        std::erase_if(flying, [&](const auto& copy) { return copy.second >= *awaits_[barrier]; });
    }
    /// How many steps have begun copies since the latest of those that are touched before the next barrier; none: no
    /// copy is. Where there is no ring, whatever is under way is needed soon.
    [[nodiscard]] std::optional<int> latest_touched(const Flying& flying, std::size_t barrier) const {
        std::optional<int> latest;
        const auto touched = [&](int later) { latest = std::min(latest.value_or(later), later); };
        const bool has_ring = std::any_of(program_.regions.begin(), program_.regions.end(),
                                          [](const Region& region) { return region.copies > 1; });
        if (!has_ring) {
            for (const auto& [copy, later] : flying) touched(later);
            return latest;
        }
        std::set<std::pair<std::size_t, int>> seen;  // steps, and how many iterations later
        std::vector<std::pair<std::size_t, int>> next{{barrier, 0}};
        while (!next.empty()) {
            const auto [k, later] = next.back();
            next.pop_back();
            if (k >= program_.steps.size() || !seen.insert({k, later}).second) continue;
            if ((k != barrier || later > 0) && barrier_before(program_, k) != nullptr) continue;
            for (const Touch& touch : program_.steps[k].touches) {
                const auto copy = flying.find({touch.region, (touch.copy + later) % copies(touch.region)});
                if (copy != flying.end()) touched(copy->second);
            }
            next.emplace_back(k + 1, later);
            if (program_.steps[k].kind != StepKind::loop_end || later > 0) continue;
            std::size_t begin = k;
            while (program_.steps[begin].kind != StepKind::loop_begin) --begin;
            next.emplace_back(begin + 1, later + 1);
        }
        return latest;
    }
};

}  // namespace

std::vector<std::optional<int>> awaits_copies(const BlockProgram& program) { return Waits(program).run(); }

}  // namespace kasc::block
