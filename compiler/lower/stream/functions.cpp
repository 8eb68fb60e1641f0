// One source of the author gives several variants of a device function: d_svmul3_1_compute with its first input in
// shared memory, the second in registers and the result in registers, for a block of 3x32x1 threads, is
//
//     d_svmul3_1_compute_3_32_1_srr    APIN0 (ty*3+tx)   APIN1 0   APOUT 0   SVMUL3_1_BX 3   SVMUL3_1_BY 32 SVMUL3_1_BZ
//     1

#include "lower/stream/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "patterns/expression.hpp"
#include "schedule/stream/spread_start.hpp"

namespace kasc::kernel {

namespace {

constexpr std::array<const char*, 6> coordinate_texts{"tx", "ty", "tz", "bx", "by", "bz"};

/// The rounds of a set: offsets 0 1 2, 12 13 14 are 2 rounds of 3 words, 12 apart; none where it has no such form.
struct Rounds {
    std::size_t count = 1, words = 1;
    int stride = 0;
};
std::optional<Rounds> rounds_of(const std::vector<std::int32_t>& offsets) {
    Rounds rounds;
    while (rounds.words < offsets.size() && offsets[rounds.words] == offsets[rounds.words - 1] + 1) ++rounds.words;
    rounds.count = offsets.size() / rounds.words;
    rounds.stride = rounds.count > 1 ? offsets[rounds.words] - offsets[0] : 0;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        const auto round = static_cast<std::int32_t>(i / rounds.words),
                   word = static_cast<std::int32_t>(i % rounds.words);
        if (i >= rounds.count * rounds.words || offsets[i] != offsets[0] + round * rounds.stride + word)
            return std::nullopt;
    }
    return rounds;
}

/// Each thread copies the words that it wrote of a value.
DeviceFunction move_function(const Implementation& how, const AddressSet& set) {
    DeviceFunction move;
    move.name = fmt::format("d_{}_move", how.name);
    move.span = how.compute.span;
    move.coordinates = how.compute.coordinates;
    std::string text = fmt::format("__device__ inline void {}(float *s_from, float *s_to", move.name);
    for (const Coordinate c : move.coordinates)
        text += fmt::format(", [[maybe_unused]] int {}", coordinate_texts[static_cast<std::size_t>(c)]);
    text += ") {\n";
    const std::int32_t low = set.offsets.empty() ? 0 : set.offsets.front();
    const std::string shift = low == 0 ? "" : fmt::format("{} + ", low);
    if (const auto rounds = rounds_of(set.offsets); !rounds) {
        for (const std::int32_t o : set.offsets)
            text += fmt::format("    s_to[APOUT + {0}] = s_from[APIN0 + {0}];\n", o);
    } else if (rounds->count == 1 && rounds->words == 1) {
        text += fmt::format("    s_to[APOUT + {0}] = s_from[APIN0 + {0}];\n", low);
    } else if (rounds->count == 1 || rounds->words == 1) {
        const std::string at = shift + (rounds->count == 1 ? "k" : fmt::format("k * {}", rounds->stride));
        text +=
            fmt::format("#pragma unroll\n    for (int k = 0; k < {0}; ++k) s_to[APOUT + {1}] = s_from[APIN0 + {1}];\n",
                        std::max(rounds->count, rounds->words), at);
    } else {
        text += fmt::format(
            "#pragma unroll\n    for (int i = 0; i < {0}; ++i) {{\n#pragma unroll\n"
            "        for (int k = 0; k < {1}; ++k) s_to[APOUT + {2}i * {3} + k] = s_from[APIN0 + {2}i * {3} + k];\n"
            "    }}\n",
            rounds->count, rounds->words, shift, rounds->stride);
    }
    move.text = text + "}";
    return move;
}

}  // namespace

FunctionVariant variant_of(const StreamSchedule& schedule, std::size_t step, const Implementation& how) {
    const block::Step& does = schedule.block.steps[step];
    const StepCall& call = schedule.calls[step];
    const std::span<const block::Touch> reads = reads_of(does);
    const block::Touch* written = write_of(does);
    FunctionVariant variant;
    std::string letters;
    const auto argument = [&](const std::string& macro, const block::Touch& touch, const Pattern& pattern) {
        const block::Region& region = schedule.block.regions[touch.region];
        const bool registers = region.where == Residence::registers;
        const TilePitch& pitch = region.pitch;
        letters += registers ? "r" : pitch.padding == 0 ? "s" : fmt::format("s{}", pitch.padding);
        variant.macros.emplace_back(macro, registers ? "0" : "(" + spread_start(pattern.start, pitch) + ")");
    };
    if (does.kind == StepKind::copy) {
        variant.function = how.loads[call.argument].function;
        argument("APLS", *written, how.loads[call.argument].pattern);
    } else if (does.kind == StepKind::store) {
        variant.function = how.save.function;
        argument("APLS", reads.front(), how.save.pattern);
    } else if (does.kind == StepKind::compute) {
        variant.function = how.compute;
        for (std::size_t k = 0; k < reads.size(); ++k) argument(fmt::format("APIN{}", k), reads[k], how.inputs[k]);
        argument("APOUT", *written, how.output);
    } else {
        variant.function = move_function(how, *written->words);
        argument("APIN0", reads.front(), how.output);
        argument("APOUT", *written, how.output);
    }
    const std::vector<std::string> dimensions = patterns::dimension_names(how.name);
    for (std::size_t d = 0; d < dimensions.size(); ++d)
        variant.macros.emplace_back(dimensions[d], std::to_string(call.shape[d]));
    variant.author_name = variant.function.name;
    variant.name =
        fmt::format("{}_{}_{}_{}_{}", variant.author_name, call.shape[0], call.shape[1], call.shape[2], letters);
    variant.source = how.source;
    variant.helpers = how.helpers;
    for (const Macro& macro : how.macros) variant.helper_macros.push_back(macro.text);
    return variant;
}

}  // namespace kasc::kernel
