// Exchanges within warps as emitted code: what C++ for the CPU computes, what checking mode objects to, and what CUDA
// is given.
#include <gtest/gtest.h>

#include <cstring>

#include "emit/kernel_text.hpp"
#include "support/exchange_kernels.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc::test {
namespace {

std::string kernel_text(const kernel::Kernel& k, emit::Target target) {
    emit::Writer out;
    emit::write_kernel(out, k, target);
    return out.take();
}

std::string listed(const std::vector<float>& words) {
    std::string text;
    for (const float w : words) text += fmt::format("{}{:a}f", text.empty() ? "" : ", ", w);
    return text;
}

/// Runs all blocks; prints each word of the result, or the fault that checking mode found.
std::string run(const kernel::Kernel& k, int blocks, const std::vector<float>& a, std::size_t results,
                emit::Target target, unsigned seed = 1) {
    const bool checking = target == emit::Target::cpu_checking;
    const Temporary folder;
    std::string text = fmt::format("#include \"{}\"\nnamespace {{\n", checking ? "kasc_checking.hpp" : "kasc_cpu.hpp") +
                       kernel_text(k, target) +
                       fmt::format(
                           "}}\n#include <cstdio>\nint main() {{\n"
                           "    static const float words[] = {{{}}};\n    static float result[{}];\n",
                           listed(a), results);
    if (checking) {
        text += fmt::format(
            "    kasc_array a(\"a\", {}, 4), b(\"b\", {}, 4);\n    a.copy_from(words, {});\n"
            "    for (int x = 0; x < {}; ++x) k0(x, 0, 0, a.pointer<float>(), b.pointer<float>());\n"
            "    if (kasc_state().fault.empty()) b.copy_to(result, {});\n"
            "    if (!kasc_state().fault.empty()) return std::puts(kasc_state().fault.c_str()), 1;\n",
            a.size(), results, a.size(), blocks, results);
    } else {
        text += fmt::format("    for (int x = 0; x < {}; ++x) k0(x, 0, 0, words, result);\n", blocks);
    }
    text += "    for (const float w : result) std::printf(\"%a \", w);\n}\n";
    write_file(folder.path() / "main.cpp", text);
    const ShellResult made =
        shell(fmt::format("cd '{}' && ${{CXX:-g++}} -std=c++17 -O1 -ffp-contract=off -fno-strict-aliasing "
                          "-I '{}/support' -o main main.cpp && KASC_SEED={} ./main",
                          folder.path().string(), KASC_SOURCE_DIR, seed));
    return made.output;
}

std::string printed(const std::vector<float>& words) {
    std::string text;
    for (const float w : words) text += fmt::format("{:a} ", w);
    return text;
}

TEST(EmittedExchange, GivesNeighboursOfAWarp) {
    const std::vector<float> a = exchanged_words(64);
    const std::string wanted = printed(neighbours_of(a));
    EXPECT_EQ(run(neighbours_kernel(), 1, a, 64, emit::Target::cpu), wanted);
    EXPECT_EQ(run(neighbours_kernel(), 1, a, 64, emit::Target::cpu_checking, 1), wanted);
    EXPECT_EQ(run(neighbours_kernel(), 1, a, 64, emit::Target::cpu_checking, 7), wanted);
}

TEST(EmittedExchange, SumsRowsInATreeOfHalves) {
    const std::vector<float> a = exchanged_words(96);
    for (const emit::Target target : {emit::Target::cpu, emit::Target::cpu_checking})
        EXPECT_EQ(run(row_sums_kernel(3), 3, a, 3, target), printed(row_sums_of(a)));
}

TEST(EmittedExchange, OfAWordThatNobodyWroteIsFound) {
    const std::vector<float> a = exchanged_words(64);
    EXPECT_EQ(run(without_a_word(), 1, a, 64, emit::Target::cpu_checking),
              "k0, block (0,0,0), thread 46: reads word 136 of row, which nothing has written\n");
    const std::string alone = run(without_a_partner(), 1, a, 64, emit::Target::cpu_checking);
    EXPECT_NE(alone.find("of row, which nothing has written"), std::string::npos) << alone;
}

TEST(EmittedExchange, IsAShuffleOnAGpu) {
    const std::string text = kernel_text(neighbours_kernel(), emit::Target::cuda);
    EXPECT_NE(text.find("    row[0] = __shfl_up_sync(0xffffffffu, row[1], 1);\n"
                        "    row[2] = __shfl_down_sync(0xffffffffu, row[1], 2);\n"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace kasc::test
