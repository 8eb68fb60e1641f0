// Both sets are enumerated, so the verdict is a comparison; the work is in a reason that names the first difference.

#include <fmt/format.h>

#include <algorithm>

#include "patterns/pattern.hpp"

namespace kasc {

namespace {

/// {0, 1, 2, 3, 9} → "0-3, 9"; long sets are cut.
std::string ranges(const std::vector<std::int32_t>& offsets) {
    constexpr int most_ranges = 4;
    std::string text;
    int shown = 0;
    for (std::size_t i = 0; i < offsets.size(); ++shown) {
        std::size_t last = i;
        while (last + 1 < offsets.size() && offsets[last + 1] == offsets[last] + 1) ++last;
        if (shown == most_ranges) return text + ", …";
        if (shown > 0) text += ", ";
        text += last == i ? fmt::format("{}", offsets[i]) : fmt::format("{}-{}", offsets[i], offsets[last]);
        i = last + 1;
    }
    return text;
}

}  // namespace

Verdict compatible(const AddressSet& producer, const AddressSet& consumer) {
    if (producer.start.size() != consumer.start.size()) {
        return Verdict::no(
            fmt::format("{} threads write it, {} read it", producer.start.size(), consumer.start.size()));
    }
    if (producer.offsets != consumer.offsets) {
        return Verdict::no(fmt::format("a thread writes words {} from its start and reads words {}",
                                       ranges(producer.offsets), ranges(consumer.offsets)));
    }
    const auto [p, c] = std::mismatch(producer.start.begin(), producer.start.end(), consumer.start.begin());
    if (p != producer.start.end()) {
        return Verdict::no(
            fmt::format("thread {} writes from word {} and reads from word {}", p - producer.start.begin(), *p, *c));
    }
    const std::size_t words = producer.offsets.size();
    return Verdict::yes(
        fmt::format("every thread reads the {} that it wrote", words == 1 ? "word" : fmt::format("{} words", words)));
}

}  // namespace kasc
