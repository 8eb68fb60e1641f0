#include "block/passes.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace kasc::block {

namespace {

class Passing {
public:
    explicit Passing(const BlockProgram& program) : program_(program) {
        int apart = 0;  // behind all places
        for (const Region& region : program.regions)
            if (region.place) apart = std::max(apart, *region.place + region.words * region.copies);
        for (const Region& region : program.regions) {
            first_word_.push_back(region.place.value_or(apart));
            if (!region.place && region.where == Residence::shared) apart += region.words * region.copies;
        }
    }

    std::vector<Pass> run() {
        for (std::size_t k = 0; k < program_.steps.size(); ++k) {
            const bool begins = program_.steps[k].kind == StepKind::loop_begin;
            const std::size_t end = begins ? end_of(k) : k;
            const int turns = begins ? turns_in(k, end) : 1;
            pass(k, 0);
            if (turns == 1) continue;
            for (int iteration = 0; iteration < turns; ++iteration)
                for (std::size_t inside = k + 1; inside < end; ++inside) pass(inside, iteration);
            pass(end, 0);
            k = end;
        }
        return std::move(passes_);
    }

private:
    const BlockProgram& program_;
    std::vector<int> first_word_;  ///< by region: where decisions see it
    std::vector<Pass> passes_;
    std::size_t accesses_ = 0;

    void pass(std::size_t step, int iteration) {
        Pass made{step, {}};
        for (const Touch& touch : program_.steps[step].touches) {
            const Region& region = program_.regions[touch.region];
            if (region.where != Residence::shared) continue;
            const int begin = first_word_[touch.region] + (iteration + touch.copy) % region.copies * region.words;
            made.accesses.push_back({accesses_++, passes_.size(), &touch, region.pitch, begin, begin + region.words});
        }
        passes_.push_back(std::move(made));
    }

    [[nodiscard]] std::size_t end_of(std::size_t begin) const {
        int depth = 0;
        for (std::size_t k = begin; k < program_.steps.size(); ++k) {
            if (program_.steps[k].kind == StepKind::loop_begin) ++depth;
            if (program_.steps[k].kind == StepKind::loop_end && --depth == 0) return k;
        }
        return program_.steps.size();
    }

    /// Iterations after which all rings begin anew.
    [[nodiscard]] int turns_in(std::size_t begin, std::size_t end) const {
        int turns = 1;
        for (std::size_t k = begin; k < end; ++k)
            for (const Touch& touch : program_.steps[k].touches) {
                const Region& region = program_.regions[touch.region];
                if (region.where == Residence::shared) turns = std::lcm(turns, region.copies);
            }
        return turns;
    }
};

/// Until `visit` says that it has seen enough.
template <class Visit>
void each_word(const Access& access, Visit visit) {
    const Touch& touch = *access.touch;
    if (touch.words == nullptr) {
        for (int word = 0; word < touch.copied_words; ++word)
            if (visit(access.begin + access.pitch.at(word), any_thread)) return;
        return;
    }
    for (std::size_t k = 0; k < touch.words->start.size(); ++k) {
        const int thread = touch.threads.empty() ? static_cast<int>(k) : touch.threads[k];
        for (const int offset : touch.words->offsets)
            if (visit(access.begin + touch.words->start[k] + offset, thread)) return;
    }
}

}  // namespace

std::vector<Pass> passes_over(const BlockProgram& program) { return Passing(program).run(); }

bool lie_over(const Access& a, const Access& b) { return std::max(a.begin, b.begin) < std::min(a.end, b.end); }

namespace {

/// A copy touches word k at begin + pitch.at(k): the words of each element lie together.
bool copies(const Access& copy, int word) {
    const int from_begin = word - copy.begin, pitch = copy.pitch.element_words + copy.pitch.padding;
    if (from_begin < 0 || from_begin % pitch >= copy.pitch.element_words) return false;
    return from_begin / pitch * copy.pitch.element_words + from_begin % pitch < copy.touch->copied_words;
}

bool is_copy(const Access& access) { return access.touch->words == nullptr; }

/// No gaps: most sets are.
bool in_a_row(const std::vector<std::int32_t>& offsets) {
    return offsets.empty() || offsets.back() - offsets.front() + 1 == static_cast<std::int32_t>(offsets.size());
}

bool has(const std::vector<std::int32_t>& offsets, int offset, bool row) {
    if (offsets.empty() || offset < offsets.front() || offset > offsets.back()) return false;
    return row || std::binary_search(offsets.begin(), offsets.end(), offset);
}

/// Each thread has words of its own, and in both accesses the same: found where it is found quickly.
bool surely_own_words(const Access& earlier, const Access& later) {
    const AddressSet &a = *earlier.touch->words, &b = *later.touch->words;
    if (earlier.begin != later.begin || !earlier.touch->threads.empty() || !later.touch->threads.empty()) return false;
    if (!in_a_row(a.offsets) || (&a != &b && (a.start != b.start || a.offsets != b.offsets))) return false;
    std::vector<std::int32_t> starts = a.start;
    std::sort(starts.begin(), starts.end());
    const auto words = static_cast<std::int32_t>(a.offsets.size());
    return std::adjacent_find(starts.begin(), starts.end(),
                              [&](std::int32_t one, std::int32_t next) { return next - one < words; }) == starts.end();
}

/// The first thread, in the access's order, that touches the word and is not the one given.
std::optional<int> other_toucher(const Access& access, int word, int thread) {
    if (is_copy(access)) return copies(access, word) ? std::optional(any_thread) : std::nullopt;
    const Touch& touch = *access.touch;
    const bool row = in_a_row(touch.words->offsets);
    for (std::size_t k = 0; k < touch.words->start.size(); ++k) {
        const int other = touch.threads.empty() ? static_cast<int>(k) : touch.threads[k];
        if (other != thread && has(touch.words->offsets, word - access.begin - touch.words->start[k], row))
            return other;
    }
    return std::nullopt;
}

/// As shared_word, word by word of `later`: until so many were looked at, which is where most that share a word do.
constexpr int probed_words = 4;
std::optional<Witness> probed(const Access& earlier, const Access& later, int begin, int end, int most) {
    std::optional<Witness> found;
    each_word(later, [&](int word, int thread) {
        if (word < begin || word >= end) return false;
        if (const auto other = other_toucher(earlier, word, thread)) found = Witness{word, *other, thread};
        return found || --most == 0;
    });
    return found;
}

/// By a table of the words that both may touch.
std::optional<Witness> tabled(const Access& earlier, const Access& later, int begin, int end) {
    constexpr int nobody = -2;
    // The first two distinct threads of each word: with two, any third thread differs from one of them.
    std::vector<std::array<int, 2>> owners(static_cast<std::size_t>(end - begin), {nobody, nobody});
    each_word(earlier, [&](int word, int thread) {
        if (word < begin || word >= end) return false;
        auto& [first, second] = owners[static_cast<std::size_t>(word - begin)];
        if (first == nobody)
            first = thread;
        else if (second == nobody && thread != first)
            second = thread;
        return false;
    });
    std::optional<Witness> found;
    each_word(later, [&](int word, int thread) {
        if (word < begin || word >= end) return false;
        for (const int owner : owners[static_cast<std::size_t>(word - begin)])
            if (owner != nobody && (owner == any_thread || owner != thread)) {
                found = Witness{word, owner, thread};
                return true;
            }
        return false;
    });
    return found;
}

}  // namespace

std::optional<Witness> shared_word(const Access& earlier, const Access& later) {
    if (!lie_over(earlier, later)) return std::nullopt;
    const int begin = std::max(earlier.begin, later.begin);
    const int end = std::min(earlier.end, later.end);
    if (is_copy(earlier)) return probed(earlier, later, begin, end, std::numeric_limits<int>::max());
    if (auto found = probed(earlier, later, begin, end, probed_words)) return found;
    if (!is_copy(later) && surely_own_words(earlier, later)) return std::nullopt;
    return tabled(earlier, later, begin, end);
}

}  // namespace kasc::block
