#include "block/block_program.hpp"

#include <algorithm>
#include <tuple>

namespace kasc::block {

namespace {

constexpr int alignment_bytes = 16;  // the widest access of a thread

}  // namespace

const BarrierDecision* barrier_before(const BlockProgram& program, std::size_t step) {
    const auto at = std::find_if(program.barriers.begin(), program.barriers.end(), [&](const BarrierDecision& d) {
        return d.needed && d.before == static_cast<int>(step);
    });
    return at == program.barriers.end() ? nullptr : &*at;
}

namespace {

bool differ_in_sizes(const Region& a, const Region& b) {
    return std::tie(a.name, a.where, a.copies) == std::tie(b.name, b.where, b.copies) && a.pitch == TilePitch{} &&
           b.pitch == TilePitch{} && !a.place && !b.place;
}
bool differ_in_sizes(const Touch& a, const Touch& b) {
    const auto is_copy = [](const Touch& touch) { return touch.words == nullptr && touch.copied_words > 0; };
    return std::tie(a.region, a.copy, a.writes) == std::tie(b.region, b.copy, b.writes) && is_copy(a) && is_copy(b);
}
bool differ_in_sizes(const Step& a, const Step& b) {
    return std::tie(a.kind, a.label, a.actor, a.made, a.may_skip) ==
               std::tie(b.kind, b.label, b.actor, b.made, b.may_skip) &&
           std::equal(a.touches.begin(), a.touches.end(), b.touches.begin(), b.touches.end(),
                      [](const Touch& one, const Touch& other) { return differ_in_sizes(one, other); });
}

}  // namespace

bool differ_in_sizes(const BlockProgram& a, const BlockProgram& b) {
    const auto alike = [](const auto& one, const auto& other) {
        return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                          [](const auto& x, const auto& y) { return differ_in_sizes(x, y); });
    };
    return a.rounds == b.rounds && alike(a.regions, b.regions) && alike(a.steps, b.steps);
}

BlockProgram with_iterations(BlockProgram program, int iterations) {
    for (Step& step : program.steps)
        if (step.kind == StepKind::loop_begin) step.iterations = iterations;
    return program;
}

int barriers_met(const BlockProgram& program, std::optional<int> iterations) {
    int met = 0, times = 1;
    std::vector<int> around;  // iterations of the loops that a step is in
    for (std::size_t k = 0; k < program.steps.size(); ++k) {
        if (barrier_before(program, k) != nullptr) met += times;
        const Step& step = program.steps[k];
        if (step.kind == StepKind::loop_begin) {
            around.push_back(times);
            times *= iterations.value_or(step.iterations);
        } else if (step.kind == StepKind::loop_end) {
            times = around.back();
            around.pop_back();
        }
    }
    return met + (barrier_before(program, program.steps.size()) != nullptr ? 1 : 0);
}

int shared_bytes(const BlockProgram& program) {
    const auto rounded = [](int bytes) { return (bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes; };
    int placed = 0, apart = 0;
    for (const Region& region : program.regions) {
        if (region.where != Residence::shared) continue;
        const int own = region.words * region.copies * region.word_bytes;
        if (region.place)
            placed = std::max(placed, rounded(*region.place * region.word_bytes + own));
        else
            apart += rounded(own);
    }
    return placed + apart;
}

std::vector<Lifetime> lifetimes(const BlockProgram& program) {
    const auto steps = static_cast<int>(program.steps.size());
    std::vector<Lifetime> lives(program.regions.size(), {steps, 0});
    for (int k = 0; k < steps; ++k)
        for (const Touch& touch : program.steps[static_cast<std::size_t>(k)].touches) {
            Lifetime& life = lives[touch.region];
            life = {std::min(life.first, k), k};
        }
    // Inner loops end first: what they stretch is stretched on by those around them.
    std::vector<int> open;
    for (int k = 0; k < steps; ++k) {
        const StepKind kind = program.steps[static_cast<std::size_t>(k)].kind;
        if (kind == StepKind::loop_begin) open.push_back(k);
        if (kind != StepKind::loop_end) continue;
        const int begin = open.back();
        open.pop_back();
        for (int inside = begin + 1; inside < k; ++inside)
            for (const Touch& touch : program.steps[static_cast<std::size_t>(inside)].touches) {
                Lifetime& life = lives[touch.region];
                const bool outlives = program.regions[touch.region].copies > 1 || life.first < begin || life.last > k;
                if (outlives) life = {std::min(life.first, begin), std::max(life.last, k)};
            }
    }
    return lives;
}

bool copies_together(const Step& step) {
    return std::any_of(step.touches.begin(), step.touches.end(),
                       [](const Touch& touch) { return touch.words == nullptr; });
}

}  // namespace kasc::block
