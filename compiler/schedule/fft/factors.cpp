// Radices of a line, and where its numbers lie in shared memory between stages.
#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "schedule/fft/schedule.hpp"

namespace kasc {

namespace {

constexpr int largest_radix = 16, most_numbers = 16;
constexpr std::array<int, 14> radices_tried{16, 15, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};

int numbers_of(int cells, int threads, int radix) {
    const int butterflies = cells / radix;
    return (butterflies + threads - 1) / threads * radix;
}

/// Numbers of a thread, at most, with these radices in any order.
int numbers_of(int cells, int threads, const std::vector<int>& radices) {
    int most = 0;
    for (const int r : radices) most = std::max(most, numbers_of(cells, threads, r));
    return most;
}

struct Found {
    int stages = std::numeric_limits<int>::max(), numbers = 0, spread = 0;
    std::vector<int> radices;
};

/// Descending radices whose product is `left`.
void factorise(int cells, int threads, int left, std::vector<int>& so_far, Found& best) {
    if (left == 1) {
        if (so_far.empty()) return;
        const int numbers = numbers_of(cells, threads, so_far), stages = static_cast<int>(so_far.size());
        const int spread = so_far.front() - so_far.back();
        const auto rank = [](int s, int n, int d) { return std::array<int, 3>{s, n, d}; };
        if (numbers <= most_numbers && rank(stages, numbers, spread) < rank(best.stages, best.numbers, best.spread))
            best = {stages, numbers, spread, so_far};
        return;
    }
    if (so_far.size() == 4) return;
    for (const int r : radices_tried) {
        if (r == 1 || left % r != 0 || (!so_far.empty() && r > so_far.back())) continue;
        so_far.push_back(r);
        factorise(cells, threads, left / r, so_far, best);
        so_far.pop_back();
    }
}

/// Accesses of which threads beside each other wait, for all stages: words of `bytes`, of one line in the order of its
/// threads.
int conflicts(const LineFactors& f, int bytes) {
    const int banks = 128 / bytes, lanes = std::min(f.threads, banks);
    int all = 0;
    for (int stage = 0; stage < f.stages(); ++stage) {
        for (int first = 0; first < std::min(f.threads, 2 * lanes); first += lanes) {
            std::vector<int> met(static_cast<std::size_t>(banks), 0);
            int most = 0;
            for (int t = first; t < std::min(first + lanes, f.butterflies_of_line(stage)); ++t)
                most = std::max(most, ++met[static_cast<std::size_t>(f.first_word(stage, t) % banks)]);
            all += most;
        }
    }
    return all;
}

void set_weights(LineFactors& f, const std::vector<int>& between) {
    f.weights.assign(f.radices.size(), 1);
    for (std::size_t q = f.radices.size() - 1; q-- > 0;)
        f.weights[q] = f.weights[q + 1] * f.radices[q + 1] + between[q];
    f.words = 1;
    for (std::size_t q = 0; q < f.radices.size(); ++q) f.words += (f.radices[q] - 1) * f.weights[q];
}

/// Words between the digits' steps: as few as there are without threads that wait for each other.
void spread_over_banks(LineFactors& f, int bytes) {
    std::vector<int> between(f.radices.size(), 0), best = between;
    int least = std::numeric_limits<int>::max();
    constexpr int most_between = 8;
    const auto tried = [&] {
        set_weights(f, between);
        const int now = conflicts(f, bytes) * 64 + f.words / 64;
        if (now < least) least = now, best = between;
    };
    const std::size_t places = std::min<std::size_t>(f.radices.size() - 1, 2);
    for (int a = 0; a <= (places > 0 ? most_between : 0); ++a) {
        for (int b = 0; b <= (places > 1 ? most_between : 0); ++b) {
            if (places > 0) between[0] = a;
            if (places > 1) between[1] = b;
            tried();
        }
    }
    set_weights(f, best);
}

}  // namespace

int LineFactors::butterflies(int stage) const { return (butterflies_of_line(stage) + threads - 1) / threads; }

int LineFactors::numbers() const { return numbers_of(cells, threads, radices); }

LineFactors LineFactors::turned_round() const {
    LineFactors other = *this;
    std::reverse(other.radices.begin(), other.radices.end());
    std::reverse(other.weights.begin(), other.weights.end());
    return other;
}

int LineFactors::count_before(int stage) const {
    int count = 1;
    for (int s = 0; s < stage; ++s) count *= radices[static_cast<std::size_t>(s)];
    return count;
}

int LineFactors::first_word(int stage, int b) const {
    int word = 0;
    for (int s = 0; s < stage; ++s) {
        word += b % radices[static_cast<std::size_t>(s)] * weights[static_cast<std::size_t>(s)];
        b /= radices[static_cast<std::size_t>(s)];
    }
    for (int s = stages() - 1; s > stage; --s) {
        word += b % radices[static_cast<std::size_t>(s)] * weights[static_cast<std::size_t>(s)];
        b /= radices[static_cast<std::size_t>(s)];
    }
    return word;
}

std::optional<LineFactors> line_factors(int cells, int threads, bool along_rows, bool dual) {
    Found best;
    std::vector<int> so_far;
    factorise(cells, threads, cells, so_far, best);
    if (best.radices.empty()) return std::nullopt;
    LineFactors made{cells, threads, best.radices, {}, 0};
    // Where they can, both ends have the same radix: what was transformed stands as it stood before.
    for (std::size_t k = 1; k < made.radices.size(); ++k)
        if (made.radices[k] == made.radices.front()) std::swap(made.radices[k], made.radices.back());
    if (along_rows)
        spread_over_banks(made, dual ? 16 : 8);
    else
        set_weights(made, std::vector<int>(made.radices.size(), 0));
    return made;
}

}  // namespace kasc
