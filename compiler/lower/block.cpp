#include "lower/block.hpp"

#include <algorithm>
#include <stdexcept>

namespace kasc::kernel {

namespace {

class BlockLowering {
public:
    BlockLowering(const block::BlockProgram& program, std::vector<Body> steps)
        : program_(program), steps_(std::move(steps)) {
        if (steps_.size() != program_.steps.size())
            throw std::logic_error("a block program has other steps than these");
    }

    Body run() {
        Body body = steps_to_end_of_loop();
        add_barrier(body);  // at the end of a round
        return body;
    }

private:
    const block::BlockProgram& program_;
    std::vector<Body> steps_;
    std::size_t next_ = 0;
    std::vector<std::optional<int>> awaits_ = block::awaits_copies(program_);
    /// Some barrier leaves copies under way: those of each step are a group.
    bool has_groups_ =
        std::any_of(awaits_.begin(), awaits_.end(), [](const auto& left) { return left.value_or(0) > 0; });

    void add_barrier(Body& body) {
        const BarrierDecision* barrier = barrier_before(program_, next_);
        if (barrier == nullptr) return;
        body.push_back({Barrier{barrier->waits, awaits_[next_]}});
    }

    /// From the next on, to the end of the loop that they are in.
    Body steps_to_end_of_loop() {
        Body body;
        for (; next_ < steps_.size(); ++next_) {
            add_barrier(body);
            const block::Step& step = program_.steps[next_];
            if (step.kind == block::StepKind::loop_end) return body;
            if (step.kind == block::StepKind::loop_begin) {
                For loop = std::get<For>(steps_[next_].front().node);
                ++next_;
                append(loop.body, steps_to_end_of_loop());
                body.push_back({std::move(loop)});
            } else {
                append(body, std::move(steps_[next_]));
                if (has_groups_ && step.asynchronous) body.push_back({CommitCopies{}});
            }
        }
        return body;
    }
};

}  // namespace

Body lower_block(const block::BlockProgram& program, std::vector<Body> steps) {
    return BlockLowering(program, std::move(steps)).run();
}

Body lower_block(const block::BlockProgram& program, const std::function<Body(const block::Step&)>& statements) {
    std::vector<Body> steps;
    for (const block::Step& step : program.steps) steps.push_back(statements(step));
    return lower_block(program, std::move(steps));
}

Body exchanged_before(const std::string& row, int own, int width, int words, bool or_own) {
    Body body;
    for (int distance = 1, nearer = 0; nearer < words; ++distance, nearer += width) {
        const int taken = std::min(width, words - nearer);
        body.push_back({Exchange{row, own - nearer - taken, row, own + width - taken, taken, -distance, 0, or_own}});
    }
    return body;
}

Body exchanged_behind(const std::string& row, int own, int width, int words, bool or_own) {
    Body body;
    for (int distance = 1, nearer = 0; nearer < words; ++distance, nearer += width) {
        const int taken = std::min(width, words - nearer);
        body.push_back({Exchange{row, own + width + nearer, row, own, taken, distance, 0, or_own}});
    }
    return body;
}

Statement declare(const block::Region& region, const std::string& name, Type type) {
    const int words = region.words * region.copies;
    if (region.where == block::Residence::registers) return {PrivateArray{name, words, type}};
    return {SharedArray{name, region.place, words, region.what, type}};
}

Body declare_shared(const block::BlockProgram& program, const std::vector<std::string>& names,
                    const std::vector<Type>& types) {
    Body arrays;
    for (std::size_t k = 0; k < program.regions.size(); ++k)
        if (program.regions[k].where == block::Residence::shared)
            arrays.push_back(declare(program.regions[k], names[k], types[k]));
    return arrays;
}

}  // namespace kasc::kernel
