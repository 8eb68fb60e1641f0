// One source of the author gives several variants of a device function: d_svmul3_1_compute with its first input in
// shared memory, the second in registers and the result in registers, for a block of 3x32x1 threads, is
//
//     d_svmul3_1_compute_3_32_1_srr    APIN0 (ty*3+tx)   APIN1 0   APOUT 0   SVMUL3_1_BX 3   SVMUL3_1_BY 32 SVMUL3_1_BZ
//     1

#include "kernel/lower_stream_functions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/stream_code.hpp"

namespace kasc::kernel {

const Implementation& implementation_of(const StreamSchedule& schedule, const Graph& graph, const Library& library,
                                        NodeId call) {
    const auto& calls = schedule.fusion.calls;
    const auto k = static_cast<std::size_t>(std::find(calls.begin(), calls.end(), call) - calls.begin());
    const Function& callee = library.functions[std::get<StreamCall>(graph.nodes[call].what).callee];
    return callee.implementations[static_cast<std::size_t>(schedule.choice.implementations[k])];
}

bool lies_in_registers(const StreamSchedule& schedule, ValueId value) {
    return std::any_of(schedule.placements.begin(), schedule.placements.end(),
                       [&](const Placement& p) { return p.value == value && p.where == Residence::registers; });
}

FunctionVariant variant_of(const StreamSchedule& schedule, const Step& step, const Implementation& how) {
    FunctionVariant variant;
    std::string letters;
    const auto argument = [&](const std::string& macro, ValueId value, const Pattern& pattern) {
        const bool registers = lies_in_registers(schedule, value);
        letters += registers ? 'r' : 's';
        variant.macros.emplace_back(macro, registers ? "0" : "(" + pattern.start + ")");
    };
    switch (step.kind) {
        case StepKind::load:
            variant.function = how.loads[step.argument].function;
            argument("APLS", *step.writes, how.loads[step.argument].pattern);
            break;
        case StepKind::save:
            variant.function = how.save.function;
            argument("APLS", step.reads.front(), how.save.pattern);
            break;
        case StepKind::call:
            variant.function = how.compute;
            for (std::size_t k = 0; k < step.reads.size(); ++k)
                argument(fmt::format("APIN{}", k), step.reads[k], how.inputs[k]);
            argument("APOUT", *step.writes, how.output);
            break;
    }
    constexpr std::array<const char*, 3> dimensions{"_BX", "_BY", "_BZ"};
    for (std::size_t d = 0; d < dimensions.size(); ++d)
        variant.macros.emplace_back(macro_prefix(how.name) + dimensions[d], std::to_string(step.block[d]));
    variant.author_name = variant.function.name;
    variant.name =
        fmt::format("{}_{}_{}_{}_{}", variant.author_name, step.block[0], step.block[1], step.block[2], letters);
    variant.source = how.source;
    variant.helpers = how.helpers;
    variant.helper_macros = how.macros;
    return variant;
}

}  // namespace kasc::kernel
