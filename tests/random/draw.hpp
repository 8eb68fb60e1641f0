#pragma once
// Random draws that are the same on every machine: std::mt19937 is specified to the bit, the standard's distributions
// are not.

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace kasc::random {

class Draw {
public:
    explicit Draw(unsigned seed) : engine_(seed) {}

    /// low … high, both included.
    int between(int low, int high) { return low + static_cast<int>(engine_() % static_cast<unsigned>(high - low + 1)); }
    bool percent(int chance) { return between(0, 99) < chance; }
    template <class T>
    const T& of(const std::vector<T>& all) {
        return all[static_cast<std::size_t>(between(0, static_cast<int>(all.size()) - 1))];
    }
    template <class T>
    void shuffle(std::vector<T>& all) {
        for (std::size_t k = all.size(); k > 1; --k) std::swap(all[k - 1], all[engine_() % k]);
    }

private:
    std::mt19937 engine_;
};

}  // namespace kasc::random
