// Lines that a block transforms: radices, where numbers lie between stages, which steps a fusion has, where barriers
// stand.
#include <gtest/gtest.h>

#include <set>

#include "block/block_program.hpp"
#include "schedule/fft/schedule.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

bool is_smooth(int n) {
    for (const int p : {2, 3, 5, 7})
        while (n % p == 0) n /= p;
    return n == 1;
}

TEST(LineFactors, EveryNumberHasItsWordInEveryStage) {
    for (const int cells : {2, 16, 60, 96, 100, 343, 384, 500, 512, 1024, 2048}) {
        for (const int threads : {1 + cells / 16, (cells + 7) / 8}) {
            for (const bool rows : {false, true}) {
                const auto factors = line_factors(cells, threads, rows, false);
                if (!factors) continue;
                for (const LineFactors& f : {*factors, factors->turned_round()}) {
                    for (int stage = 0; stage < f.stages(); ++stage) {
                        const auto at = static_cast<std::size_t>(stage);
                        std::set<int> words;
                        for (int b = 0; b < f.butterflies_of_line(stage); ++b)
                            for (int j = 0; j < f.radices[at]; ++j)
                                words.insert(f.first_word(stage, b) + j * f.weights[at]);
                        EXPECT_EQ(words.size(), static_cast<std::size_t>(cells)) << cells << " stage " << stage;
                        EXPECT_LT(*words.rbegin(), f.words);
                        EXPECT_GE(*words.begin(), 0);
                    }
                }
            }
        }
    }
}

TEST(LineFactors, AllLengthsOfSmallPrimesHaveThreads) {
    FftWork work;
    work.lines.axes = {AxisId{0}, AxisId{1}};
    work.lines.along = AxisId{1};
    for (int cells = 2; cells <= 2048; ++cells) {
        bool any = false;
        for (const FieldChoice& choice : fft_choices(work, cells))
            any = any || line_factors(cells, choice.threads_y, false, false);
        EXPECT_EQ(any, is_smooth(cells)) << cells;
    }
}

TEST(LineFactors, ThreadsBesideEachOtherMeetNoBankTwice) {
    const auto f = line_factors(256, 16, true, false);
    ASSERT_TRUE(f);
    EXPECT_EQ(f->radices, (std::vector<int>{16, 16}));
    EXPECT_EQ(f->weights, (std::vector<int>{17, 1}));
    EXPECT_EQ(line_factors(512, 64, false, false)->weights, (std::vector<int>{64, 8, 1}));
}

class Lines {
public:
    explicit Lines(const std::string& text) : case_(text), work_(fft_work(case_.program, case_.graph, case_.whole())) {}

    [[nodiscard]] const std::string& reason() const { return work_.reason; }
    [[nodiscard]] FftScheduleResult with(int lines, int threads, long long cells) {
        FieldChoice choice;
        choice.walk = Walk::fft;
        choice.threads_x = lines, choice.threads_y = threads;
        return schedule_fft(work_.value, choice, cells, case_.program, case_.graph, shapes_);
    }
    [[nodiscard]] int barriers(int lines, int threads, long long cells) {
        const FftScheduleResult made = with(lines, threads, cells);
        return made.value ? block::barriers_met(*made.value->block) : -1;
    }
    /// "P T" by step: cells or a transform.
    [[nodiscard]] std::string steps() const {
        std::string text;
        for (const FftStep& step : work_.value->steps) text += std::holds_alternative<FftPass>(step) ? "T" : "c";
        return text;
    }
    [[nodiscard]] const FftWork& work() const { return *work_.value; }

private:
    FieldCase case_;
    FftWorkResult work_;
    FftShapes shapes_;
};

const std::string complex_lines = "complex a[x, y], b[x, y]; float k[y]; input a, k; ";
const std::string real_lines = "axis kx = half(x); float a[x, y], b[x, y]; float k[kx]; input a, k; ";

TEST(FftSchedule, AChainThereAndBackNeedsTwoBarriersATransform) {
    Lines lines(complex_lines + "b = unscaled_ifft(k*fft(a, y), y); return b;");
    EXPECT_EQ(lines.steps(), "TcT");
    EXPECT_EQ(lines.barriers(16, 64, 512), 4);
    EXPECT_EQ(lines.barriers(16, 16, 256), 2);
    EXPECT_EQ(lines.barriers(4, 1, 16), 0);  // a thread has the line
}

TEST(FftSchedule, RealLinesArePartedByWhatStandsOpposite) {
    Lines lines(real_lines + "b = unscaled_ifft(k*fft(a, x), x); return b;");
    EXPECT_EQ(lines.work().together(), 2);
    EXPECT_EQ(lines.steps(), "TcT");
    EXPECT_EQ(lines.barriers(2, 64, 512), 6);
}

TEST(FftSchedule, CellsAreComputedWhereATransformTakesThem) {
    Lines lines(complex_lines + "a = 2*a; b = fft(a, y); a = a*conj(b); return a, b;");
    EXPECT_EQ(lines.steps(), "cTc");
}

TEST(FftSchedule, NumbersThatWentThroughOneTransformAndNoneStandInOtherThreads) {
    const Lines mixed(complex_lines + "b = fft(a, y); a = b + fft(b, y); return a;");
    EXPECT_NE(mixed.reason().find("an even and an odd number of transforms"), std::string::npos) << mixed.reason();
}

TEST(FftSchedule, SaysWhyThereIsNone) {
    Lines lines(complex_lines + "b = fft(a, y); return b;");
    EXPECT_NE(lines.with(16, 64, 11 * 32).reason.find("a prime factor above 7"), std::string::npos);
    EXPECT_NE(lines.with(32, 64, 512).reason.find("at most 1024 threads"), std::string::npos);
    EXPECT_NE(lines.with(16, 8, 512).reason.find("more than 16 numbers"), std::string::npos);
    EXPECT_NE(lines.with(1, 512, 8192).reason.find("not transformed by one block"), std::string::npos);
}

}  // namespace
}  // namespace kasc::test
