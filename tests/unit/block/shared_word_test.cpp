// The word that two threads touch is found by whichever way is short; what is found is what looking at all says.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "block/passes.hpp"

namespace kasc::block {
namespace {

using Touched = std::vector<std::pair<int, int>>;  ///< word and thread

Touched all_of(const Access& access) {
    Touched all;
    const Touch& touch = *access.touch;
    for (int k = 0; touch.words == nullptr && k < touch.copied_words; ++k)
        all.emplace_back(access.begin + access.pitch.at(k), any_thread);
    for (std::size_t k = 0; touch.words != nullptr && k < touch.words->start.size(); ++k)
        for (const int offset : touch.words->offsets)
            all.emplace_back(access.begin + touch.words->start[k] + offset,
                             touch.threads.empty() ? static_cast<int>(k) : touch.threads[k]);
    return all;
}

std::optional<Witness> by_looking_at_all(const Access& earlier, const Access& later) {
    const Touched before = all_of(earlier);
    for (const auto& [word, thread] : all_of(later)) {
        if (word < std::max(earlier.begin, later.begin) || word >= std::min(earlier.end, later.end)) continue;
        for (const auto& [other_word, other] : before)
            if (other_word == word && (other == any_thread || other != thread)) return Witness{word, other, thread};
    }
    return std::nullopt;
}

class Drawn {
public:
    explicit Drawn(unsigned seed) : engine_(seed) {}

    int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }

    /// Copies, own words, words in turn, neighbours', some with threads of their own.
    Touch touch() {
        Touch made;
        if (below(4) == 0) {
            made.copied_words = 1 + below(48);
            return made;
        }
        const int threads = 1 + below(12), words = 1 + below(4), kind = below(4);
        AddressSet set;
        for (int t = 0; t < threads; ++t)
            set.start.push_back(kind == 0   ? t * words
                                : kind == 1 ? t
                                : kind == 2 ? below(40)
                                            : (threads - 1 - t) * words);
        for (int k = 0; k < words; ++k) set.offsets.push_back(kind == 1 ? k * threads : k + (below(8) == 0 ? 1 : 0));
        std::sort(set.offsets.begin(), set.offsets.end());
        set.offsets.erase(std::unique(set.offsets.begin(), set.offsets.end()), set.offsets.end());
        for (int t = 0; kind == 2 && t < threads; ++t) made.threads.push_back(t % 3);
        made.words = std::make_shared<const AddressSet>(std::move(set));
        return made;
    }

private:
    std::mt19937 engine_;
};

TEST(SharedWord, IsWhatLookingAtAllSays) {
    int shared = 0, apart = 0;
    for (unsigned seed = 0; seed < 20000; ++seed) {
        Drawn draw(seed);
        const Touch first = draw.touch();
        Touch second = draw.below(3) == 0 ? first : draw.touch();
        if (second.words && draw.below(2) == 0) second.words = std::make_shared<const AddressSet>(*second.words);
        const TilePitch pitch{1 + draw.below(5), draw.below(2) * draw.below(3)};
        const int begin = draw.below(2) * draw.below(8);
        const Access earlier{0, 0, &first, pitch, 0, 30 + draw.below(40)};
        const Access later{1, 1, &second, pitch, begin, begin + 30 + draw.below(40)};
        const auto found = shared_word(earlier, later), expected = by_looking_at_all(earlier, later);
        ASSERT_EQ(found.has_value(), expected.has_value()) << "seed " << seed;
        (found ? shared : apart) += 1;
        if (!found) continue;
        EXPECT_EQ(found->word, expected->word) << "seed " << seed;
        EXPECT_EQ(found->earlier_thread, expected->earlier_thread) << "seed " << seed;
        EXPECT_EQ(found->later_thread, expected->later_thread) << "seed " << seed;
    }
    EXPECT_GT(shared, 5000);
    EXPECT_GT(apart, 1000);
}

}  // namespace
}  // namespace kasc::block
