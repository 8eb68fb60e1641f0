// Three implementations of functions of matrices of 16 x 16 words, and of scalars:
//
//     BX = 16, BY = 16, BZ = 1       a fixed block                  1
//     BX = 16, BY = 16, BZ = size    no block has 32 · 256 threads  1, 2, 4: blocks of 256, 512 and 1024 threads
//     BX = size, 5 scalars a thread  no block serves 128            640, 320, 480, …: blocks of 128, 64, 96 threads

#include "search/element_numbers.hpp"

#include <algorithm>
#include <optional>

#include "patterns/pattern.hpp"

namespace kasc {

namespace {

/// Sizes of blocks whose numbers of elements are tried where the usual numbers suit none; the middle comes first.
constexpr std::array threads_tried{128, 64, 96, 256, 32, 192, 512, 1024};

BlockShape block_of(const Implementation& how, int free_extent) {
    BlockShape block{1, 1, 1};
    for (std::size_t d = 0; d < 3; ++d) block[d] = how.block[d].fixed.value_or(free_extent);
    return block;
}

/// Elements whose words the save touches at the block; none where its pattern cannot be evaluated.
std::optional<int> served(const Library& library, const Implementation& how, const BlockShape& block) {
    const auto save = enumerate(how.save.pattern, block, how.name);
    if (!save) return std::nullopt;
    return std::max(1, save->tile_words() / library.types[how.save.type].words);
}

std::vector<int> usual() { return {elements_tried.begin(), elements_tried.end()}; }

std::vector<int> numbers_of(Enumerations& enumerations, const Implementation& how) {
    const Library& library = enumerations.library();
    const BlockShape least = block_of(how, 1);
    if (!patterns::is_block(least)) return usual();
    if (has_fixed_block(how)) {
        const auto own = served(library, how, least);
        return own ? std::vector<int>{*own} : usual();
    }
    for (const int elements : elements_tried)
        if (enumerations.of(how, elements).value) return usual();
    std::vector<int> extents;
    for (const Extent& extent : how.block)
        if (!extent.fixed && extent.recommended) extents.push_back(*extent.recommended);
    for (const int threads : threads_tried) extents.push_back(std::max(1, threads / thread_count(least)));
    std::vector<int> own;
    for (const int extent : extents) {
        const BlockShape block = block_of(how, extent);
        const auto elements = patterns::is_block(block) ? served(library, how, block) : std::nullopt;
        const bool known = elements && std::find(own.begin(), own.end(), *elements) != own.end();
        if (elements && !known && enumerations.of(how, *elements).value) own.push_back(*elements);
    }
    return own.empty() ? usual() : own;
}

}  // namespace

bool has_fixed_block(const Implementation& implementation) {
    return std::all_of(implementation.block.begin(), implementation.block.end(),
                       [](const Extent& extent) { return extent.fixed.has_value(); });
}

const std::vector<int>& ElementNumbers::of(const Implementation& implementation) {
    const auto known = found_.find(implementation.name);
    if (known != found_.end()) return known->second;
    return found_.emplace(implementation.name, numbers_of(enumerations_, implementation)).first->second;
}

}  // namespace kasc
