#include "block/block_program.hpp"

#include <algorithm>

namespace kasc::block {

namespace {

constexpr int alignment_bytes = 16;  // the widest access of a thread

/// One pass over a step: of a loop with rings a step is passed once a copy.
struct Pass {
    std::size_t step = 0;
    int iteration = 0;
};

class Unrolled {
public:
    explicit Unrolled(const BlockProgram& program) : program_(program) {
        int first = 0;
        for (const Region& region : program.regions) {
            first_word_.push_back(first);
            first += region.words * region.copies;
        }
        for (std::size_t k = 0; k < program.steps.size(); ++k) {
            if (program.steps[k].kind != StepKind::loop_begin || copies_in(k) == 1) {
                passes_.push_back({k, 0});
                continue;
            }
            const std::size_t end = end_of(k);
            const int copies = copies_in(k);
            passes_.push_back({k, 0});
            for (int iteration = 0; iteration < copies; ++iteration)
                for (std::size_t inside = k + 1; inside < end; ++inside) passes_.push_back({inside, iteration});
            k = end;
            passes_.push_back({k, 0});
        }
        for (const Pass& pass : passes_) steps_.push_back(touched(pass));
    }

    [[nodiscard]] std::vector<BarrierDecision> decisions() const {
        const auto step = [this](std::size_t k) -> const Step& { return program_.steps[passes_[k].step]; };
        const StepTexts texts{[&](std::size_t k) { return step(k).label; },
                              [&](std::size_t k) { return step(k).actor; }, [&](std::size_t k) { return step(k).made; },
                              [&](std::size_t k, std::size_t touch) {
                                  return program_.regions[shared_touches(step(k))[touch]->region].name;
                              },
                              [&](std::size_t k) { return passes_[k].step; }};
        std::vector<BarrierDecision> by_step;
        bool alike = true;  // all passes of a step
        for (BarrierDecision& d : decide_barriers(steps_, false, texts)) {
            d.before = static_cast<int>(passes_[static_cast<std::size_t>(d.before)].step);
            const auto known = std::find_if(by_step.begin(), by_step.end(),
                                            [&](const BarrierDecision& other) { return other.before == d.before; });
            alike = alike && (known == by_step.end() || known->needed == d.needed);
            if (known == by_step.end()) {
                by_step.push_back(std::move(d));
            } else if (d.needed && !known->needed) {
                *known = std::move(d);
            }
        }
        if (!alike) drop_needless(by_step);
        return by_step;
    }

private:
    const BlockProgram& program_;
    std::vector<int> first_word_;  ///< by region: where decisions see it, nothing lies over it
    std::vector<Pass> passes_;
    std::vector<SharedStep> steps_;

    /// Where one iteration asked for a barrier in one place and the next in another, all iterations have both.
    void drop_needless(std::vector<BarrierDecision>& decisions) const {
        for (BarrierDecision& tried : decisions) {
            if (!tried.needed) continue;
            std::vector<int> others;
            for (std::size_t k = 0; k < passes_.size(); ++k) {
                for (const BarrierDecision& d : decisions) {
                    if (d.needed && &d != &tried && d.before == static_cast<int>(passes_[k].step))
                        others.push_back(static_cast<int>(k));
                }
            }
            if (!barriers_suffice(steps_, others)) continue;
            tried.needed = false;
            tried.reason = others_stand_between;
            tried.waits.clear();
        }
    }

    [[nodiscard]] std::vector<const Touch*> shared_touches(const Step& step) const {
        std::vector<const Touch*> all;
        for (const Touch& touch : step.touches) {
            if (program_.regions[touch.region].where == Residence::shared) all.push_back(&touch);
        }
        return all;
    }

    [[nodiscard]] SharedStep touched(const Pass& pass) const {
        const Step& step = program_.steps[pass.step];
        SharedStep made;
        made.mark = step.kind == StepKind::loop_begin ? StepMark::loop_begin
                    : step.kind == StepKind::loop_end ? StepMark::loop_end
                                                      : StepMark::none;
        made.may_skip = step.may_skip;
        for (const Touch* touch : shared_touches(step)) {
            const Region& region = program_.regions[touch->region];
            const int begin =
                first_word_[touch->region] + (pass.iteration + touch->copy) % region.copies * region.words;
            made.touches.push_back({begin, begin + region.words, touch->words.get(),
                                    touch->threads.empty() ? nullptr : &touch->threads, touch->copied_words,
                                    touch->copied_pitch, touch->writes});
        }
        return made;
    }

    [[nodiscard]] std::size_t end_of(std::size_t begin) const {
        int depth = 0;
        for (std::size_t k = begin; k < program_.steps.size(); ++k) {
            if (program_.steps[k].kind == StepKind::loop_begin) ++depth;
            if (program_.steps[k].kind == StepKind::loop_end && --depth == 0) return k;
        }
        return program_.steps.size();
    }

    [[nodiscard]] int copies_in(std::size_t begin) const {
        int copies = 1;
        for (std::size_t k = begin; k < end_of(begin); ++k) {
            for (const Touch* touch : shared_touches(program_.steps[k]))
                copies = std::max(copies, program_.regions[touch->region].copies);
        }
        return copies;
    }
};

}  // namespace

BlockProgram with_barriers(BlockProgram program) {
    program.barriers = Unrolled(program).decisions();
    return program;
}

const BarrierDecision* barrier_before(const BlockProgram& program, std::size_t step) {
    return needed_before(program.barriers, step);
}

int barriers_met(const BlockProgram& program) {
    int met = 0, times = 1;
    std::vector<int> around;  // iterations of the loops that a step is in
    for (std::size_t k = 0; k < program.steps.size(); ++k) {
        if (barrier_before(program, k) != nullptr) met += times;
        const Step& step = program.steps[k];
        if (step.kind == StepKind::loop_begin) {
            around.push_back(times);
            times *= step.iterations;
        } else if (step.kind == StepKind::loop_end) {
            times = around.back();
            around.pop_back();
        }
    }
    return met;
}

int shared_bytes(const BlockProgram& program) {
    int bytes = 0;
    for (const Region& region : program.regions) {
        if (region.where != Residence::shared) continue;
        const int own = region.words * region.copies * region.word_bytes;
        bytes += (own + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
    }
    return bytes;
}

}  // namespace kasc::block
