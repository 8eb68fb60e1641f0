// start "tx*9", block "3", stride "4", count 2 in a block of two threads:
//
//     round 0 takes words 0 1 2, round 1, four further on, takes 4 5 6
//     offsets {0 1 2 4 5 6}, starts {0, 9}: thread 1 touches 9 10 11 13 14 15

#include "patterns/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "patterns/enumerate.hpp"

namespace kasc {

namespace patterns {

namespace {

constexpr std::int64_t most_words_a_thread = 1 << 16;
constexpr std::int64_t most_tile_words = 1 << 20;  // 4 MiB: no block has that much shared memory

Outcome<std::vector<std::int32_t>> offsets_of(PatternEvaluator& evaluator, const Pattern& pattern) {
    using Offsets = std::vector<std::int32_t>;
    const auto fail = [](const char* code, const Span& at, std::string message, std::string help) {
        return failure<Offsets>(pattern_fault(code, at, std::move(message), std::move(help)));
    };
    if (pattern.count < 1 || pattern.count > most_words_a_thread) {
        return fail("K0404", pattern.span, fmt::format("a pattern has 1 to {} rounds", most_words_a_thread),
                    "change 'count'");
    }
    auto blocks = evaluator.rounds(pattern.block, pattern.block_span, ExpressionRole::block, pattern.count);
    auto strides = evaluator.rounds(pattern.stride, pattern.stride_span, ExpressionRole::stride, pattern.count);
    if (!blocks) return failure<Offsets>(std::move(blocks.diagnostics));
    if (!strides) return failure<Offsets>(std::move(strides.diagnostics));

    Offsets offsets;
    std::int64_t address = 0;
    for (std::size_t i = 0; i < blocks->size(); ++i) {
        const std::int64_t words = (*blocks)[i];
        if (words < 0)
            return fail("K0403", pattern.block_span, fmt::format("round {} takes {} words", i, words),
                        "take 0 or more");
        if (std::int64_t(offsets.size()) + words > most_words_a_thread) {
            return fail("K0404", pattern.span, fmt::format("a thread touches more than {} words", most_words_a_thread),
                        "serve fewer words a thread");
        }
        if (words > 0 && (address < 0 || address + words > most_tile_words)) {
            return fail("K0403", pattern.stride_span, fmt::format("round {} is at {} words from the start", i, address),
                        fmt::format("addresses lie from the start to {} words after it", most_tile_words));
        }
        for (std::int64_t w = 0; w < words; ++w) offsets.push_back(static_cast<std::int32_t>(address + w));
        address += (*strides)[i];
    }
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    if (offsets.empty())
        return fail("K0404", pattern.block_span, "the pattern takes no words", "take at least one word");
    return success(std::move(offsets));
}

}  // namespace

bool is_block(const BlockShape& block) {
    std::int64_t threads = 1;
    for (const int extent : block) {
        if (extent < 1 || extent > most_threads) return false;
        threads *= extent;
    }
    return threads <= most_threads;
}

Outcome<AddressSet> enumerate_with(PatternEvaluator& evaluator, const Pattern& pattern) {
    auto offsets = offsets_of(evaluator, pattern);
    if (!offsets) return failure<AddressSet>(std::move(offsets.diagnostics));
    auto starts = evaluator.starts(pattern.start, pattern.start_span);
    if (!starts) return failure<AddressSet>(std::move(starts.diagnostics));
    const BlockShape& block = evaluator.block();
    for (std::size_t t = 0; t < starts->size(); ++t) {
        const std::int64_t start = (*starts)[t];
        if (start >= 0 && start + offsets->back() < most_tile_words) continue;
        return failure<AddressSet>(
            pattern_fault("K0403", pattern.start_span, fmt::format("'{}' is {} for thread {}", pattern.start, start, t),
                          fmt::format("addresses lie from 0 to {} words; the block is {} x {} x {}", most_tile_words,
                                      block[0], block[1], block[2])));
    }
    return success(AddressSet{std::move(*starts.value), std::move(*offsets.value), pattern.noreg});
}

}  // namespace patterns

int AddressSet::span_words() const { return offsets.empty() ? 0 : 1 + offsets.back(); }

int AddressSet::tile_words() const {
    return start.empty() || offsets.empty() ? 0 : *std::max_element(start.begin(), start.end()) + span_words();
}

Outcome<AddressSet> enumerate(const Pattern& pattern, const BlockShape& block, const std::string& implementation_name) {
    if (!patterns::is_block(block)) {
        return failure<AddressSet>(patterns::pattern_fault(
            "K0404", pattern.span, fmt::format("{} x {} x {} is no block", block[0], block[1], block[2]),
            fmt::format("a block has 1 to {} threads", patterns::most_threads)));
    }
    patterns::PatternEvaluator evaluator(block, implementation_name);
    return patterns::enumerate_with(evaluator, pattern);
}

}  // namespace kasc
