#pragma once
// Kernels by hand whose threads exchange words within their warps.

#include <vector>

#include "kernel/kernel.hpp"

namespace kasc::test {

inline kernel::Kernel exchange_kernel(const BlockShape& block, int blocks) {
    kernel::Kernel k;
    k.name = "k0";
    k.block = block;
    k.grid = {kernel::integer(blocks), kernel::integer(1), kernel::integer(1)};
    k.parameters = {{kernel::Type::f32, "a", kernel::ArrayIn{ValueId{0}}},
                    {kernel::Type::f32, "b", kernel::ArrayOut{ValueId{1}}}};
    return k;
}

/// b[i] = a[i - 1] + a[i + 2] in two warps of 32, each word of `a` loaded once; the cells at a warp's ends, whose
/// neighbours it does not hold, take their own word.
inline kernel::Kernel neighbours_kernel() {
    using namespace kernel;
    Kernel k = exchange_kernel({32, 2, 1}, 1);
    const ExprRef at = linear_thread(), x = thread_index(Dimension::x);
    const ExprRef inside = both(binary(">=", x, integer(1)), binary("<", x, integer(30)));
    const auto word = [](int i) { return element("row", integer(i)); };
    k.body = {{PrivateArray{"row", 3}},
              {Threads{{{Assign{word(1), element("a", at)}}}}},
              {Exchange{"row", 0, "row", 1, 1, -1}},
              {Exchange{"row", 2, "row", 1, 1, 2}},
              {Threads{{{If{inside,
                            {{Assign{element("b", at), binary("+", word(0), word(2))}}},
                            {{Assign{element("b", at), word(1)}}}}}}}}};
    return k;
}
inline std::vector<float> neighbours_of(const std::vector<float>& a) {
    std::vector<float> b = a;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (i % 32 >= 1 && i % 32 < 30) b[i] = a[i - 1] + a[i + 2];
    }
    return b;
}

/// b[row] = sum(a[row, x], x) over rows of 32: a warp a row, joined by a tree of halves.
inline kernel::Kernel row_sums_kernel(int rows) {
    using namespace kernel;
    Kernel k = exchange_kernel({32, 1, 1}, rows);
    const ExprRef x = thread_index(Dimension::x), row = block_index(Dimension::x);
    const ExprRef sum = element("sum", integer(0)), taken = element("sum", integer(1));
    k.body = {{PrivateArray{"sum", 2}}, {Threads{{{Assign{sum, element("a", add(multiply(row, integer(32)), x))}}}}}};
    for (int half = 16; half > 0; half /= 2) {
        k.body.push_back({Exchange{"sum", 1, "sum", 0, 1, half}});
        k.body.push_back(
            {Threads{{{If{binary("<", x, integer(half)), {{Assign{sum, binary("+", sum, taken)}}}, {}}}}}});
    }
    k.body.push_back({Threads{{{If{binary("==", x, integer(0)), {{Assign{element("b", row), sum}}}, {}}}}}});
    return k;
}
inline std::vector<float> row_sums_of(const std::vector<float>& a) {
    std::vector<float> sums;
    for (std::size_t row = 0; row < a.size() / 32; ++row) {
        std::vector<float> lane(a.begin() + static_cast<std::ptrdiff_t>(32 * row),
                                a.begin() + static_cast<std::ptrdiff_t>(32 * row + 32));
        for (std::size_t half = 16; half > 0; half /= 2) {
            for (std::size_t x = 0; x < half; ++x) lane[x] += lane[x + half];
        }
        sums.push_back(lane[0]);
    }
    return sums;
}

/// Words whose sums round.
inline std::vector<float> exchanged_words(int count) {
    std::vector<float> words;
    for (int i = 0; i < count; ++i)
        words.push_back(1.0F / static_cast<float>(1 + i * 7 % 11) - static_cast<float>(i % 5));
    return words;
}

/// `neighbours_kernel` in which one thread of the second warp does not write its word.
inline kernel::Kernel without_a_word() {
    using namespace kernel;
    Kernel k = neighbours_kernel();
    auto& load = std::get<Threads>(k.body[1].node);
    load.body = {{If{binary("!=", linear_thread(), integer(45)), load.body, {}}}};
    return k;
}
/// `neighbours_kernel` in which the last threads of a warp read what no thread has given them.
inline kernel::Kernel without_a_partner() {
    using namespace kernel;
    Kernel k = neighbours_kernel();
    auto& store = std::get<If>(std::get<Threads>(k.body[4].node).body[0].node);
    store.condition = binary(">=", thread_index(Dimension::x), integer(1));
    return k;
}

}  // namespace kasc::test
