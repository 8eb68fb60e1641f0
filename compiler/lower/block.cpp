#include "lower/block.hpp"

#include <stdexcept>

namespace kasc::kernel {

namespace {

void append(Body& body, Body statements) {
    for (Statement& s : statements) body.push_back(std::move(s));
}

class BlockLowering {
public:
    BlockLowering(const block::BlockProgram& program, std::vector<Body> steps)
        : program_(program), steps_(std::move(steps)) {
        if (steps_.size() != program_.steps.size())
            throw std::logic_error("a block program has other steps than these");
    }

    /// The steps from the next on, to the end of the loop that they are in.
    Body run() {
        Body body;
        for (; next_ < steps_.size(); ++next_) {
            if (const BarrierDecision* barrier = barrier_before(program_, next_))
                body.push_back({Barrier{barrier->waits}});
            const block::StepKind kind = program_.steps[next_].kind;
            if (kind == block::StepKind::loop_end) return body;
            if (kind == block::StepKind::loop_begin) {
                For loop = std::get<For>(steps_[next_].front().node);
                ++next_;
                append(loop.body, run());
                body.push_back({std::move(loop)});
            } else {
                append(body, std::move(steps_[next_]));
            }
        }
        return body;
    }

private:
    const block::BlockProgram& program_;
    std::vector<Body> steps_;
    std::size_t next_ = 0;
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

Body declare_shared(const block::BlockProgram& program, const std::vector<std::string>& names,
                    const std::vector<Type>& types) {
    Body arrays;
    for (std::size_t k = 0; k < program.regions.size(); ++k) {
        const block::Region& region = program.regions[k];
        if (region.where != block::Residence::shared) continue;
        arrays.push_back({SharedArray{names[k], std::nullopt, region.words * region.copies, region.what, types[k]}});
    }
    return arrays;
}

}  // namespace kasc::kernel
