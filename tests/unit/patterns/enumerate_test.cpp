#include <gtest/gtest.h>

#include "patterns/pattern.hpp"

namespace kasc {
namespace {

using Places = std::vector<std::int32_t>;

Pattern pattern(const std::string& start, const std::string& block = "1", const std::string& stride = "1",
                int count = 1) {
    Pattern p;
    p.start = start;
    p.block = block;
    p.stride = stride;
    p.count = count;
    // As in a file, so that carets can be checked: start, block, stride on a line each.
    const SourceRef source = make_source("p.cu", start + "\n" + block + "\n" + stride + "\n");
    const std::size_t b = start.size() + 1, s = b + block.size() + 1;
    p.span = {source, 0, source->text.size()};
    p.start_span = {source, 0, start.size()};
    p.block_span = {source, b, b + block.size()};
    p.stride_span = {source, s, s + stride.size()};
    return p;
}

Places starts(const std::string& text, const BlockShape& block) {
    const auto set = enumerate(pattern(text), block, "f_1");
    EXPECT_TRUE(set) << render_text(set.diagnostics);
    return set ? set->start : Places{};
}

Places offsets(const std::string& block, const std::string& stride, int count) {
    const auto set = enumerate(pattern("0", block, stride, count), {2, 3, 4}, "f_1");
    EXPECT_TRUE(set) << render_text(set.diagnostics);
    return set ? set->offsets : Places{};
}

std::string fault(const Pattern& p, const BlockShape& block = {4, 1, 1}) {
    const auto set = enumerate(p, block, "f_1");
    EXPECT_FALSE(set) << p.start;
    return render_text(set.diagnostics);
}

TEST(Starts, FollowTheThreadXFastest) {
    EXPECT_EQ(starts("ty*3+tx", {3, 2, 1}), (Places{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(starts("tx*9", {2, 2, 1}), (Places{0, 9, 0, 9}));
    EXPECT_EQ(starts("ty", {2, 2, 1}), (Places{0, 0, 1, 1}));
    EXPECT_EQ(starts("tz*100+tx", {2, 1, 2}), (Places{0, 1, 100, 101}));
    EXPECT_EQ(starts("7", {2, 1, 1}), (Places{7, 7}));
}

TEST(Starts, KnowTheBlockAndTheFirstTile) {
    EXPECT_EQ(starts("ty*F_1_BX+tx+F_1_BY*F_1_BZ", {2, 2, 1}), (Places{2, 3, 4, 5}));
    EXPECT_EQ(starts("bx*1000+by+bz+tx", {2, 1, 1}), (Places{0, 1}));
}

// The text becomes C in the device code: it must mean the same here.
TEST(Expressions, AreCsIntegerArithmetic) {
    const Places t = starts("tx", {16, 1, 1});
    Places expected(16);
    const auto c = [&](const std::string& text, auto value) {
        for (std::size_t i = 0; i < 16; ++i) expected[i] = value(t[i]);
        EXPECT_EQ(starts(text, {16, 1, 1}), expected) << text;
    };
    c("tx/2*2", [](int tx) { return tx / 2 * 2; });
    c("(tx/2)*2", [](int tx) { return (tx / 2) * 2; });
    c("tx*2/3", [](int tx) { return tx * 2 / 3; });
    c("17-tx%4-1", [](int tx) { return 17 - tx % 4 - 1; });
    c("20-tx-1", [](int tx) { return 20 - tx - 1; });
    c("64/2/(tx+1)", [](int tx) { return 64 / 2 / (tx + 1); });
    c("-tx+15", [](int tx) { return -tx + 15; });
    c("20+-tx", [](int tx) { return 20 + -tx; });
    c("(-tx/2)+9", [](int tx) { return (-tx / 2) + 9; });
    c("(-tx%4)+9", [](int tx) { return (-tx % 4) + 9; });
    c("-tx*2+40", [](int tx) { return -tx * 2 + 40; });
    c("tx<8?tx:15-tx", [](int tx) { return tx < 8 ? tx : 15 - tx; });
    c("tx<4?1:tx<8?2:3+tx", [](int tx) { return tx < 4 ? 1 : tx < 8 ? 2 : 3 + tx; });
    c("tx+1<=8?tx*2:tx==9?100:7", [](int tx) { return tx + 1 <= 8 ? tx * 2 : tx == 9 ? 100 : 7; });
    c("tx>3?(tx>=5?1:2):(tx!=2?3:4)", [](int tx) { return tx > 3 ? (tx >= 5 ? 1 : 2) : (tx != 2 ? 3 : 4); });
    c("tx==0?0:8/tx", [](int tx) { return tx == 0 ? 0 : 8 / tx; });
    c("tx>-1?1:0", [](int tx) { return tx > -1 ? 1 : 0; });
    c(" ( tx +\t1 ) * 3 ", [](int tx) { return (tx + 1) * 3; });
    c("4*tx/25-4*tx/25/(4*F_1_BX/25-1)", [](int tx) { return 4 * tx / 25 - 4 * tx / 25 / (4 * 16 / 25 - 1); });
}

TEST(Offsets, AreRoundsOfBlocks) {
    EXPECT_EQ(offsets("1", "1", 1), (Places{0}));
    EXPECT_EQ(offsets("3", "4", 2), (Places{0, 1, 2, 4, 5, 6}));
    EXPECT_EQ(offsets("1", "F_1_BX*F_1_BY", 3), (Places{0, 6, 12}));
}

TEST(Offsets, MayChangeByRound) {
    EXPECT_EQ(offsets("i+1", "3", 3), (Places{0, 3, 4, 6, 7, 8})) << "a lower triangle";
    EXPECT_EQ(offsets("1", "i+1", 4), (Places{0, 1, 3, 6})) << "the address moves after each round";
    EXPECT_EQ(offsets("i", "3", 3), (Places{3, 6, 7})) << "a round may take nothing";
}

TEST(Offsets, AreSortedAndDistinct) {
    EXPECT_EQ(offsets("2", "1", 3), (Places{0, 1, 2, 3}));
    EXPECT_EQ(offsets("1", "i==0?6:-3", 3), (Places{0, 3, 6}));
}

TEST(AddressSet, KnowsItsWords) {
    const auto set = enumerate(pattern("tx*9", "3", "4", 2), {4, 1, 1}, "f_1");
    ASSERT_TRUE(set);
    EXPECT_EQ(set->span_words(), 7);
    EXPECT_EQ(set->tile_words(), 27 + 7);
}

TEST(PatternFaults, PointAtTheLetter) {
    EXPECT_EQ(fault(pattern("tx^2")),
              "error[K0401]: this letter has no meaning in a pattern\n"
              "  --> p.cu:1:3\n"
              "   |\n"
              " 1 | tx^2\n"
              "   |   ^\n"
              "   = help: an expression has integers, names, + - * / %, comparisons, ?: and parentheses\n");
    EXPECT_EQ(fault(pattern("ty*3+t")),
              "error[K0402]: unknown name 't' in a pattern\n"
              "  --> p.cu:1:6\n"
              "   |\n"
              " 1 | ty*3+t\n"
              "   |      ^\n"
              "   = help: an expression may use tx ty tz bx by bz, F_1_BX, F_1_BY, F_1_BZ\n");
    EXPECT_EQ(fault(pattern("0", "tx")),
              "error[K0405]: block and stride may not use 'tx'\n"
              "  --> p.cu:2:1\n"
              "   |\n"
              " 2 | tx\n"
              "   | ^^\n"
              "   = help: the words that a thread touches, relative to its start, are the same for all threads\n");
}

TEST(PatternFaults, SayWhatIsOutOfRange) {
    EXPECT_EQ(fault(pattern("tx-1")),
              "error[K0403]: 'tx-1' is -1 for thread 0\n"
              "  --> p.cu:1:1\n"
              "   |\n"
              " 1 | tx-1\n"
              "   | ^^^^\n"
              "   = help: addresses lie from 0 to 1048576 words; the block is 4 x 1 x 1\n");
    EXPECT_EQ(fault(pattern("0", "1", "-1", 2)),
              "error[K0403]: round 1 is at -1 words from the start\n"
              "  --> p.cu:3:1\n"
              "   |\n"
              " 3 | -1\n"
              "   | ^^\n"
              "   = help: addresses lie from the start to 1048576 words after it\n");
    EXPECT_EQ(fault(pattern("0", "0")),
              "error[K0404]: the pattern takes no words\n"
              "  --> p.cu:2:1\n"
              "   |\n"
              " 2 | 0\n"
              "   | ^\n"
              "   = help: take at least one word\n");
    EXPECT_EQ(fault(pattern("8/tx")),
              "error[K0406]: '8/tx' cannot be evaluated: division by zero\n"
              "  --> p.cu:1:1\n"
              "   |\n"
              " 1 | 8/tx\n"
              "   | ^^^^\n"
              "   = help: it happens for tx = 0, ty = 0, tz = 0, i = 0 in a block of 4 x 1 x 1\n");
}

TEST(PatternFaults, HaveTheirCodes) {
    const auto has = [](const std::string& text, const char* code) {
        EXPECT_EQ(text.find(std::string("error[") + code + "]"), 0U) << text;
    };
    for (const char* bad :
         {"",       " ",      "tx+",        "tx tx", "3tx",     "(tx",   "tx)",   "()",    "1.5",  "0x3",
          "010",    "1e3",    "tx=3",       "\"a\"", "sin(tx)", "tx,ty", "{tx}",  "[0]",   "tx<3", "tx?1:2",
          "tx<3?1", "tx<3:1", "1234567890", "!tx",   "--tx",    "2--tx", "tx//2", "tx/*2", "a;b",  "tx\n"}) {
        const auto set = enumerate(pattern(bad), {4, 1, 1}, "f_1");
        EXPECT_FALSE(set) << bad;
        EXPECT_EQ(set.diagnostics.size(), 1U) << bad;
    }
    has(fault(pattern("i")), "K0405");
    has(fault(pattern("G_1_BX")), "K0402");
    has(fault(pattern("tx-1")), "K0403");
    has(fault(pattern("1048576")), "K0403");
    has(fault(pattern("0", "1", "-1", 2)), "K0403");
    has(fault(pattern("0", "-1")), "K0403");
    has(fault(pattern("0", "0")), "K0404");
    has(fault(pattern("0", "65537")), "K0404");
    has(fault(pattern("0", "2", "2", 65536)), "K0404");
    has(fault(pattern("0", "1", "1", 0)), "K0404");
    has(fault(pattern("0"), {1024, 2, 1}), "K0404");
    has(fault(pattern("0"), {0, 2, 1}), "K0404");
    has(fault(pattern("8/tx")), "K0406");
    has(fault(pattern("8%tx")), "K0406");
    has(fault(pattern("99999*99999")), "K0406");
    has(fault(pattern(std::string(600, '1'))), "K0401");
    has(fault(pattern(std::string(40, '(') + "1" + std::string(40, ')'))), "K0401");
}

TEST(Compatible, NeedsTheSameThreadsOffsetsAndStarts) {
    const auto set = [](const std::string& start, const std::string& block, const BlockShape& shape) {
        return *enumerate(pattern(start, block), shape, "f_1");
    };
    const AddressSet columns = set("tx*9", "9", {32, 1, 1});
    EXPECT_TRUE(compatible(columns, columns));
    EXPECT_EQ(compatible(columns, columns).reason(), "every thread reads the 9 words that it wrote");
    EXPECT_TRUE(compatible(set("ty*3+tx", "1", {3, 32, 1}), set("tx", "1", {96, 1, 1}))) << "linear threads count";

    const Verdict threads = compatible(columns, set("tx*9", "9", {31, 1, 1}));
    EXPECT_FALSE(threads);
    EXPECT_EQ(threads.reason(), "32 threads write it, 31 read it");
    const Verdict words = compatible(columns, set("tx*9", "3", {32, 1, 1}));
    EXPECT_FALSE(words);
    EXPECT_EQ(words.reason(), "a thread writes words 0-8 from its start and reads words 0-2");
    const Verdict shifted = compatible(columns, set("tx*8", "9", {32, 1, 1}));
    EXPECT_FALSE(shifted);
    EXPECT_EQ(shifted.reason(), "thread 1 writes from word 9 and reads from word 8");
}

}  // namespace
}  // namespace kasc
