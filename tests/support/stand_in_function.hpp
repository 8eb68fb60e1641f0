#pragma once
// What stands for a function of the library where kernels are executed without a compiler: each word of its result
// depends on all words of its arguments, each by a weight of its own.

#include <vector>

namespace kasc::test {

[[nodiscard]] inline float stand_in_word(const std::vector<double>& words, std::size_t word) {
    double sum = 0;
    for (std::size_t k = 0; k < words.size(); ++k) sum += words[k] / static_cast<double>(2 + k + 3 * word);
    return static_cast<float>(sum);
}

}  // namespace kasc::test
