// Three sets of random numbers, since what a function touches may depend on its data; one of small integers, in which
// sums are exact and equal numbers meet; one of special values, which branches and minima treat in their own ways.

#include "libcheck/data_sets.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace kasc::libcheck {

namespace {

constexpr int random_sets = 3;
constexpr int integer_set = random_sets, special_set = random_sets + 1, sets = random_sets + 2;
constexpr std::size_t guard_words = 16;  // after a reference's result

constexpr std::array special_values{0.0F,
                                    -0.0F,
                                    1.0F,
                                    -1.0F,
                                    0.5F,
                                    std::numeric_limits<float>::infinity(),
                                    -std::numeric_limits<float>::infinity(),
                                    std::numeric_limits<float>::quiet_NaN(),
                                    std::numeric_limits<float>::max(),
                                    std::numeric_limits<float>::min(),
                                    std::numeric_limits<float>::denorm_min()};

/// The engine is specified to the bit, the library's distributions are not.
float draw(std::mt19937& random, int set) {
    const auto bits = static_cast<std::uint32_t>(random());
    if (set == integer_set) return static_cast<float>(static_cast<int>(bits % 9) - 4);
    if (set == special_set) return special_values[bits % special_values.size()];
    return static_cast<float>(bits >> 8U) * 0x1p-22F - 2.0F;  // 24 bits over [-2, 2)
}

void refer(const FunctionTask& task, int set, DataSet& data, Findings& findings) {
    const Function& function = task.library.functions[task.checked.function];
    const auto words = static_cast<std::size_t>(task.library.types[function.result].words);
    task.now.site = {0, PartKind::reference, -1, false, false};
    task.now.data_set = set;
    task.restart_clock();
    for (std::size_t e = 0; e < static_cast<std::size_t>(data.elements); ++e) {
        std::vector<const float*> arguments;
        for (std::size_t k = 0; k < data.arguments.size(); ++k)
            arguments.push_back(
                &data.arguments[k][e * static_cast<std::size_t>(task.library.types[function.arguments[k]].words)]);
        Words result(words + guard_words, unwritten_word());
        task.unit.refer(task.place.reference, arguments.data(), result.data());
        for (std::size_t w = words; w < result.size(); ++w) {
            if (same_bits(result[w], unwritten_word())) continue;
            findings.add({Fault::reference_overrun, task.now.site},
                         fmt::format("writes word {}; its result has {}", w, words));
        }
        data.expected.insert(data.expected.end(), result.begin(), result.begin() + static_cast<std::ptrdiff_t>(words));
    }
}

}  // namespace

int data_set_count() { return sets; }

std::string data_set_name(int data_set) {
    if (data_set == integer_set) return "small integers";
    if (data_set == special_set) return "special values";
    return fmt::format("random data {}", data_set + 1);
}

std::vector<DataSet> make_data_sets(const FunctionTask& task, int elements, Findings& findings) {
    const Function& function = task.library.functions[task.checked.function];
    std::vector<DataSet> all(sets);
    for (int set = 0; set < sets; ++set) {
        DataSet& data = all[static_cast<std::size_t>(set)];
        data.elements = elements;
        std::mt19937 random(static_cast<std::uint32_t>(set + 1));
        for (const TypeId type : function.arguments) {
            Words words(static_cast<std::size_t>(task.library.types[type].words) * static_cast<std::size_t>(elements));
            for (float& word : words) word = draw(random, set);
            data.arguments.push_back(std::move(words));
        }
        if (task.place.reference >= 0) refer(task, set, data, findings);
    }
    return all;
}

bool same_value(float a, float b) { return same_bits(a, b) || (std::isnan(a) && std::isnan(b)); }

}  // namespace kasc::libcheck
