// Kernels as CUDA text, where the scopes of C++ are at stake.

#include <gtest/gtest.h>

#include "emit/kernel_text.hpp"

namespace kasc::test {
namespace {

kernel::Statement region() {
    using namespace kernel;
    return {Threads{{{Let{Type::i32, "linear", linear_thread()}}}}};
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST(KernelText, RegionsOfARoundHaveScopesOfTheirOwn) {
    kernel::Kernel made;
    made.name = "k0";
    made.body = {region(), {kernel::Barrier{"a reason"}}, region()};
    emit::Writer flat;
    emit::write_kernel(flat, made, emit::Target::cuda);
    EXPECT_EQ(count(flat.take(), "    {\n        const int linear"), 2U);

    made.body = {{kernel::For{"round", kernel::integer(0), kernel::integer(2), 1, 0, made.body}}};
    emit::Writer rounds;
    emit::write_kernel(rounds, made, emit::Target::cuda);
    const std::string text = rounds.take();
    EXPECT_EQ(count(text, "        {\n            const int linear"), 2U) << text;
}

TEST(KernelText, OneRegionNeedsNone) {
    kernel::Kernel made;
    made.name = "k0";
    made.body = {region()};
    emit::Writer out;
    emit::write_kernel(out, made, emit::Target::cuda);
    EXPECT_EQ(count(out.take(), "    {\n        const int linear"), 0U);
}

}  // namespace
}  // namespace kasc::test
