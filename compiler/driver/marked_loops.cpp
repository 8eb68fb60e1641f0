#include "driver/marked_loops.hpp"

#include <functional>
#include <map>

#include "model/parts.hpp"
#include "plan/series.hpp"
#include "rewrite/former_words.hpp"
#include "rewrite/loop_blocks.hpp"

namespace kasc {

namespace {

/// Bytes up to which a loop's series may lie in memory.
constexpr double most_series_bytes = 4e9;

/// Which loops have series of which all rows may lie in memory: they do where a kernel runs the loop's iterations.
std::function<bool(LoopId)> loops_in_memory(const Program& program, const Problem& problem) {
    std::map<LoopId, double> bytes;
    for (const Series& series : series_of(program)) {
        const FieldShape& shape = field_shape(program, series.variable);
        auto of_series = static_cast<double>(cell_bytes(shape.type));
        for (const AxisId axis : shape.axes) of_series *= static_cast<double>(problem.extents.at(axis.index));
        bytes[series.loop] += of_series;
    }
    return [bytes](LoopId loop) {
        const auto of_loop = bytes.find(loop);
        return of_loop == bytes.end() || of_loop->second <= most_series_bytes;
    };
}

class Fitting {
public:
    Fitting(const Problem& problem, DeviceKind device) : problem_(problem), device_(device) {}

    [[nodiscard]] InnerLoops marked(const Program& program) const {
        const auto may_lie_in_memory = loops_in_memory(program, problem_);
        return inner_loops(program, [&](const InnerVerdict& loop) {
            return may_lie_in_memory(loop.id)
                       ? fits_block(loop, program)
                       : Verdict::no("its series are long: the host may hold some of their rows at a time");
        });
    }

private:
    const Problem& problem_;
    DeviceKind device_;

    /// Whether blocks have the lines of a loop whose cells look at each other.
    [[nodiscard]] Verdict fits_block(const InnerVerdict& loop, const Program& program) const {
        if (!loop.along.empty() && device_ == DeviceKind::cpu)
            return Verdict::no("a core goes along memory, iteration by iteration");
        const model::LineLengths lines = model::line_lengths(loop.along, program, problem_);
        return lines.value ? loop.verdict : Verdict::no(lines.reason);
    }
};

}  // namespace

InnerLoops marked_loops(const Program& program, const Problem& problem, DeviceKind device) {
    const Fitting fitting(problem, device);
    const LoopBlocks all = loop_blocks(program, loops_in_memory(program, problem));
    InnerLoops inner = fitting.marked(all.program);
    if (!all.iterations.empty()) {
        const LoopBlocks blocks = loop_blocks(program, [&](LoopId loop) {
            const auto iterations = all.iterations.find(loop);
            return iterations != all.iterations.end() && inner.program.loops[iterations->second].inside;
        });
        inner = fitting.marked(blocks.program);
    }
    // A core finds what it has stored a few iterations ago in its cache.
    if (device == DeviceKind::gpu) inner.program = with_former_words(std::move(inner.program));
    return inner;
}

}  // namespace kasc
