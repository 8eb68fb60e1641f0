// A block that serves E elements is one whose save covers exactly E elements' words; then the loads must agree:
//
//     svmul3_3: BX free, a thread saves 4 words of vector3, E = 32 elements = 96 words
//     probe BX = 32: 128 words  →  BX = 96 · 32 / 128 = 24: 96 words, load 1 96 words, load 2 32 words. Good.
//
// Where the cover is no multiple of the dimension (a thread serves half an element), the step is repeated.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "patterns/enumerate.hpp"

namespace kasc {

namespace {

using patterns::PatternEvaluator;

constexpr int most_elements = 1 << 20;
constexpr int most_probes = 6;

/// Patterns of one implementation at one block, each text enumerated once.
class Enumerator {
public:
    Enumerator(const BlockShape& block, const std::string& name) : evaluator_(block, name) {}

    std::optional<AddressSet> operator()(const Pattern& pattern, Diagnostics& diagnostics) {
        for (const auto& [known, set] : done_) {
            if (known->start != pattern.start || known->block != pattern.block || known->stride != pattern.stride ||
                known->count != pattern.count) {
                continue;
            }
            AddressSet copy = set;
            copy.noreg = pattern.noreg;
            return copy;
        }
        auto set = patterns::enumerate_with(evaluator_, pattern);
        diagnostics.insert(diagnostics.end(), set.diagnostics.begin(), set.diagnostics.end());
        if (set) done_.emplace_back(&pattern, *set);
        return std::move(set.value);
    }

private:
    PatternEvaluator evaluator_;
    std::vector<std::pair<const Pattern*, AddressSet>> done_;
};

/// Words of the tile that some thread touches.
std::vector<bool> cover(const AddressSet& set) {
    std::vector<bool> touched(static_cast<std::size_t>(set.tile_words()));
    std::vector<std::int32_t> starts = set.start;
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    for (const std::int32_t start : starts) {
        for (const std::int32_t offset : set.offsets)
            touched[static_cast<std::size_t>(start) + static_cast<std::size_t>(offset)] = true;
    }
    return touched;
}

int covered_words(const AddressSet& set) {
    const std::vector<bool> touched = cover(set);
    return static_cast<int>(std::count(touched.begin(), touched.end(), true));
}

BlockShape block_with(const Implementation& implementation, int free_extent) {
    BlockShape block{1, 1, 1};
    for (std::size_t d = 0; d < 3; ++d) block[d] = implementation.block[d].fixed.value_or(free_extent);
    return block;
}

/// The free dimension for which the save covers `words`; none: `result` says why.
std::optional<int> solve_free_dimension(const Implementation& implementation, int elements, std::int64_t words,
                                        EnumerationResult& result) {
    const int fixed_threads = thread_count(block_with(implementation, 1));
    const int largest = patterns::most_threads / fixed_threads;
    std::int64_t extent = std::min(elements, largest);
    for (int probe = 0; probe < most_probes; ++probe) {
        Enumerator enumerate_at(block_with(implementation, static_cast<int>(extent)), implementation.name);
        const auto save = enumerate_at(implementation.save.pattern, result.diagnostics);
        if (!save) return std::nullopt;
        const std::int64_t covered = covered_words(*save);
        if (covered == words) return static_cast<int>(extent);
        const std::int64_t next = std::max<std::int64_t>(1, (words * extent + covered / 2) / covered);
        if (next > largest) {
            result.reason = fmt::format("{} elements need {} threads in {}, a block has at most {}", elements,
                                        next * fixed_threads, implementation.name, patterns::most_threads);
            return std::nullopt;
        }
        if (next == extent) break;
        extent = next;
    }
    result.reason = fmt::format("no block of {} serves exactly {} elements", implementation.name, elements);
    return std::nullopt;
}

Diagnostic tile_fault(const Pattern& pattern, std::string message, std::string help) {
    return patterns::pattern_fault("K0407", pattern.span, std::move(message), std::move(help));
}

/// A load's or the save's words must be the whole tile: as many elements as asked, without a hole.
bool covers_tile(const AddressSet& set, const Pattern& pattern, int type_words, int elements, const std::string& what,
                 EnumerationResult& result) {
    const std::int64_t words = std::int64_t(type_words) * elements;
    const int covered = covered_words(set);
    if (covered != words) {
        result.reason = fmt::format("{} touches {} words, {} elements have {}", what, covered, elements, words);
        return false;
    }
    if (set.tile_words() == covered) return true;
    const std::vector<bool> touched = cover(set);
    const auto hole = std::find(touched.begin(), touched.end(), false) - touched.begin();
    result.reason = fmt::format("{} leaves a hole in its tile", what);
    result.diagnostics.push_back(tile_fault(pattern, fmt::format("{} leaves out word {} of its tile", what, hole),
                                            "a tile holds element after element as global memory does, so that fused "
                                            "functions can share it"));
    return false;
}

/// What compute touches must lie in the tiles of this many elements; its output must fill its tile.
bool check_compute(const Library& library, const Implementation& implementation,
                   const EnumeratedImplementation& enumerated, EnumerationResult& result) {
    const auto inside = [&](const AddressSet& set, const Pattern& pattern, TypeId type, const std::string& what) {
        const std::int64_t words = std::int64_t(library.types[type].words) * enumerated.elements;
        if (set.tile_words() <= words) return true;
        result.reason = fmt::format("{} leaves its tile", what);
        result.diagnostics.push_back(
            tile_fault(pattern, fmt::format("{} touches word {} of a tile of {}", what, set.tile_words() - 1, words),
                       fmt::format("the block of {} serves {} elements", implementation.name, enumerated.elements)));
        return false;
    };
    for (std::size_t i = 0; i < enumerated.inputs.size(); ++i) {
        if (!inside(enumerated.inputs[i], implementation.inputs[i], implementation.loads[i].type,
                    fmt::format("input {} of {}", i, implementation.name))) {
            return false;
        }
    }
    const std::string what = fmt::format("the output of {}", implementation.name);
    return inside(enumerated.output, implementation.output, implementation.save.type, what) &&
           covers_tile(enumerated.output, implementation.output, library.types[implementation.save.type].words,
                       enumerated.elements, what, result);
}

/// All patterns at one block; false where one has a fault.
bool enumerate_all(const Implementation& implementation, EnumeratedImplementation& enumerated,
                   Diagnostics& diagnostics) {
    Enumerator enumerate_at(enumerated.block, implementation.name);
    bool complete = true;
    const auto add = [&](const Pattern& pattern) {
        auto set = enumerate_at(pattern, diagnostics);
        complete = complete && set.has_value();
        return std::move(set).value_or(AddressSet{});
    };
    for (const Transfer& load : implementation.loads) enumerated.loads.push_back(add(load.pattern));
    enumerated.save = add(implementation.save.pattern);
    for (const Pattern& input : implementation.inputs) enumerated.inputs.push_back(add(input));
    enumerated.output = add(implementation.output);
    return complete;
}

bool check_elements(const Library& library, const Implementation& implementation,
                    const EnumeratedImplementation& enumerated, EnumerationResult& result) {
    for (std::size_t i = 0; i < enumerated.loads.size(); ++i) {
        const Transfer& load = implementation.loads[i];
        if (!covers_tile(enumerated.loads[i], load.pattern, library.types[load.type].words, enumerated.elements,
                         fmt::format("load {} of {}", i + 1, implementation.name), result)) {
            return false;
        }
    }
    return covers_tile(enumerated.save, implementation.save.pattern, library.types[implementation.save.type].words,
                       enumerated.elements, fmt::format("the save of {}", implementation.name), result) &&
           check_compute(library, implementation, enumerated, result);
}

}  // namespace

EnumerationResult enumerate_implementation(const Library& library, const Implementation& implementation, int elements) {
    EnumerationResult result;
    if (elements < 1 || elements > most_elements) {
        result.reason = fmt::format("a block serves 1 to {} elements, not {}", most_elements, elements);
        return result;
    }
    const bool is_free = std::any_of(implementation.block.begin(), implementation.block.end(),
                                     [](const Extent& e) { return !e.fixed.has_value(); });
    int extent = 1;
    if (!patterns::is_block(block_with(implementation, extent))) {
        result.reason =
            fmt::format("the block of {} has more than {} threads", implementation.name, patterns::most_threads);
        return result;
    }
    if (is_free) {
        const std::int64_t words = std::int64_t(library.types[implementation.save.type].words) * elements;
        const auto solved = solve_free_dimension(implementation, elements, words, result);
        if (!solved) {
            if (result.reason.empty()) result.reason = fmt::format("a pattern of {} is at fault", implementation.name);
            return result;
        }
        extent = *solved;
    }
    EnumeratedImplementation enumerated;
    enumerated.block = block_with(implementation, extent);
    enumerated.elements = elements;
    if (!enumerate_all(implementation, enumerated, result.diagnostics)) {
        result.reason = fmt::format("a pattern of {} is at fault", implementation.name);
    } else if (check_elements(library, implementation, enumerated, result)) {
        result.value = std::make_shared<const EnumeratedImplementation>(std::move(enumerated));
    }
    return result;
}

}  // namespace kasc
