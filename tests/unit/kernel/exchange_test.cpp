// Words exchanged within warps: what the rules of the kernel IR refuse, what the check finds, and what a run gives.
#include <gtest/gtest.h>

#include "kernel/check_shared.hpp"
#include "support/exchange_kernels.hpp"
#include "support/ir_interpreter.hpp"

namespace kasc::test {
namespace {

std::vector<float> interpreted(const kernel::Kernel& k, const std::vector<float>& a, std::size_t results,
                               bool backwards) {
    Cells in(a.begin(), a.end()), out(results, 0.0);
    Interpreter interpreter(k);
    interpreter.backwards(backwards);
    interpreter.array(k.parameters[0], in, ArrayUse::input);
    interpreter.array(k.parameters[1], out, ArrayUse::output);
    interpreter.run();
    return {out.begin(), out.end()};
}

TEST(Exchange, GivesNeighboursOfAWarp) {
    const std::vector<float> a = exchanged_words(64);
    for (const bool backwards : {false, true})
        EXPECT_EQ(interpreted(neighbours_kernel(), a, 64, backwards), neighbours_of(a));
}

TEST(Exchange, SumsRowsInATreeOfHalves) {
    const std::vector<float> a = exchanged_words(96);
    EXPECT_EQ(interpreted(row_sums_kernel(3), a, 3, false), row_sums_of(a));
}

TEST(Exchange, LeavesNothingWhereThereIsNoPartner) {
    const std::vector<float> a = exchanged_words(64);
    EXPECT_THROW((void)interpreted(without_a_partner(), a, 64, false), KernelFault);
    EXPECT_THROW((void)interpreted(without_a_word(), a, 64, false), KernelFault);
}

TEST(Exchange, IsCheckedForWhatNobodyWrote) {
    EXPECT_EQ(check_shared(neighbours_kernel()), std::vector<std::string>{});
    EXPECT_EQ(check_shared(row_sums_kernel(3)), std::vector<std::string>{});
    EXPECT_EQ(check_shared(without_a_word()),
              std::vector<std::string>{"takes row[1] of a thread that has not written it"});
    EXPECT_EQ(check_shared(without_a_partner()),
              std::vector<std::string>{"reads row[2], which its thread neither wrote nor was given"});
    // A word that was given once is gone with the next exchange.
    kernel::Kernel twice = row_sums_kernel(1);
    auto& join = std::get<kernel::If>(std::get<kernel::Threads>(twice.body[5].node).body[0].node);
    join.condition = kernel::binary("<", kernel::thread_index(kernel::Dimension::x), kernel::integer(25));
    EXPECT_EQ(check_shared(twice),
              std::vector<std::string>{"reads sum[1], which its thread neither wrote nor was given"});
}

/// What the check finds where the threads run `before` ahead of the kernel's exchanges.
std::vector<std::string> found_after(const kernel::Kernel& kernel, const kernel::Body& before) {
    kernel::Kernel k = kernel;
    k.body.insert(k.body.begin() + 2, before.begin(), before.end());
    return check_shared(k);
}

TEST(Exchange, IsCheckedForWhatWasThereBeforeToo) {
    using namespace kernel;
    const std::vector<std::string> nothing_there{"reads row[2], which its thread neither wrote nor was given"};
    const kernel::Statement written{Assign{element("row", integer(2)), real(0)}};
    const kernel::Statement read{Assign{element("row", integer(1)), element("row", integer(2))}};
    const ExprRef some = binary("<", thread_index(Dimension::x), integer(7));
    // An exchange takes away what all threads had written, also in a loop's next iteration.
    EXPECT_EQ(found_after(without_a_partner(), {{Threads{{written}}}}), nothing_there);
    EXPECT_EQ(found_after(neighbours_kernel(), {{Threads{{written}}}, {Threads{{read}}}}), std::vector<std::string>{});
    const Body exchanging{{Threads{{read}}}, {Exchange{"row", 2, "row", 1, 1, 2}}};
    EXPECT_EQ(
        found_after(neighbours_kernel(), {{Threads{{written}}}, {For{"i", integer(0), integer(2), 1, 0, exchanging}}}),
        nothing_there);
    EXPECT_EQ(
        found_after(neighbours_kernel(), {{Threads{{written}}}, {For{"i", integer(0), integer(1), 1, 0, exchanging}}}),
        std::vector<std::string>{});
    // What some threads have written, or an iteration that there may not be, is no one else's.
    EXPECT_EQ(found_after(neighbours_kernel(), {{Threads{{{If{some, {written}, {}}}}}}, {Threads{{read}}}}),
              nothing_there);
    const For none{"i", integer(0), minimum(thread_index(Dimension::x), integer(1)), 1, 0, {written}};
    EXPECT_EQ(found_after(neighbours_kernel(), {{Threads{{{none}}}}, {Threads{{read}}}}), nothing_there);
    // Loops that are written out reach every word.
    const kernel::Statement third{Assign{element("row", add(name("i"), integer(1))), real(0)}};
    EXPECT_EQ(found_after(neighbours_kernel(),
                          {{Threads{{{For{"i", integer(0), integer(2), 1, 0, {third}}}}}}, {Threads{{read}}}}),
              std::vector<std::string>{});
    EXPECT_EQ(found_after(neighbours_kernel(),
                          {{Threads{{{For{"i", integer(0), integer(3), 1, 0, {third}}}}}}, {Threads{{read}}}}),
              std::vector<std::string>{"touches row[3] of 3"});
}

TEST(Exchange, IsPrintedAsItsWordsMove) {
    const std::string text = print(neighbours_kernel());
    EXPECT_NE(text.find("exchange row[0 :+ 1] = row[1 :+ 1] of thread - 1\n"), std::string::npos) << text;
    EXPECT_NE(text.find("exchange row[2 :+ 1] = row[1 :+ 1] of thread + 2\n"), std::string::npos) << text;
}

/// The fault of the kernel with another exchange.
std::string fault_of(const kernel::Exchange& exchange, const BlockShape& block = {32, 2, 1}) {
    kernel::Kernel k = neighbours_kernel();
    k.block = block;
    k.body.insert(k.body.begin() + 1, {kernel::PrivateArray{"whole", 3, kernel::Type::i32}});
    k.body[4] = {exchange};
    return verify(k);
}

TEST(Exchange, IsMetByWholeWarpsOfTheBlock) {
    EXPECT_EQ(fault_of({"row", 2, "row", 1, 1, 2}), "");
    EXPECT_EQ(fault_of({"row", 2, "row", 1, 1, 2}, {48, 1, 1}), "an exchange in a block of parts of warps");
    EXPECT_EQ(fault_of({"row", 2, "row", 1, 1, 32}), "an exchange is not between two threads of a warp");
    EXPECT_EQ(fault_of({"row", 2, "row", 1, 1, 0}), "an exchange is not between two threads of a warp");
    EXPECT_EQ(fault_of({"row", 2, "row", 1, 2, 1}), "an exchange leaves 'row' or 'row'");
    EXPECT_EQ(fault_of({"row", 1, "row", 0, 2, 1}), "an exchange writes words of 'row' that it reads");
    EXPECT_EQ(fault_of({"row", 2, "whole", 1, 1, 1}), "'row' is of another type than 'whole'");
    EXPECT_EQ(fault_of({"row", 2, "a", 1, 1, 1}), "'row' and 'a' are not both private arrays");
    EXPECT_EQ(fault_of({"row", 2, "none", 1, 1, 1}), "'none' is used before it is declared");

    kernel::Kernel inside = neighbours_kernel();
    std::get<kernel::Threads>(inside.body[1].node).body.push_back({kernel::Exchange{"row", 2, "row", 1, 1, 1}});
    EXPECT_EQ(verify(inside), "an exchange stands at thread level");
}

TEST(Exchange, StandsUnderNoConditionOfAThread) {
    kernel::Kernel k = neighbours_kernel();
    const kernel::Statement exchange = k.body[3];
    const auto under = [&](const kernel::ExprRef& condition) {
        k.body[3] = {kernel::If{condition, {exchange}, {}}};
        return verify(k);
    };
    EXPECT_EQ(under(kernel::binary("<", kernel::block_index(kernel::Dimension::x), kernel::integer(1))), "");
    EXPECT_EQ(under(kernel::binary("<", kernel::thread_index(kernel::Dimension::x), kernel::integer(1))),
              "a thread's index stands at block level");
    EXPECT_EQ(under(kernel::binary("<", kernel::element("row", kernel::integer(1)), kernel::real(1.0F))),
              "a thread's own word stands at block level");
}

}  // namespace
}  // namespace kasc::test
