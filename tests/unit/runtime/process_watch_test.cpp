// A program that is watched: lines as they come, an end by time or by wish, with all that it has started.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <stdexcept>

#include "runtime/processes/process.hpp"
#include "runtime/runs/compare.hpp"
#include "runtime/runs/measure_event.hpp"

namespace kasc::runtime {
namespace {

double seconds_of(const std::function<void()>& work) {
    const auto began = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

TEST(ProcessWatch, ALimitEndsTheProgramAndItsChildren) {
    std::optional<ProcessResult> result;
    const double seconds = seconds_of([&] {
        ProcessWatch watch;
        watch.limit_seconds = 0.3;
        result = run_process({"/bin/sh", "-c", "echo begun; sleep 20 & wait"}, watch);
    });
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->timed_out);
    EXPECT_EQ(result->exit_code, 128 + 9);
    EXPECT_EQ(result->output, "begun\n");
    EXPECT_LT(seconds, 4);
}

TEST(ProcessWatch, EndsWithTheProcessThatStartedIt) {
    for (const int number : {SIGKILL, SIGINT}) {
        std::array<int, 2> ends{};
        ASSERT_EQ(pipe(ends.data()), 0);
        const pid_t starter = fork();
        if (starter == 0) {
            std::signal(number, SIG_DFL);  // a shell's background ignores SIGINT
            // What is started holds the pipe's end as well, for as long as it lives.
            const auto process = Process::start({"/bin/sh", "-c", "sleep 20 <&0 & wait"});
            static_cast<void>(write(ends[1], "x", 1));
            pause();
        }
        close(ends[1]);
        char begun = 0;
        ASSERT_EQ(read(ends[0], &begun, 1), 1);
        usleep(50'000);
        const double seconds = seconds_of([&] {
            kill(starter, number);
            EXPECT_EQ(read(ends[0], &begun, 1), 0) << "nobody holds the pipe any more";
        });
        EXPECT_LT(seconds, 4);
        close(ends[0]);
        int status = 0;
        waitpid(starter, &status, 0);
        EXPECT_EQ(WTERMSIG(status), number);
    }
}

TEST(ProcessWatch, StopsWhenToldTo) {
    ProcessWatch watch;
    int asked = 0;
    watch.stop = [&] { return ++asked == 2; };
    const auto result = run_process({"/bin/sleep", "20"}, watch);
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->stopped);
    EXPECT_FALSE(result->timed_out);
}

TEST(ProcessWatch, LinesComeWhole) {
    std::vector<std::string> lines;
    ProcessWatch watch;
    watch.on_line = [&](const std::string& line) { lines.push_back(line); };
    const auto result = run_process({"/bin/sh", "-c", "printf a; sleep 0.1; printf 'b\\nc\\nrest'"}, watch);
    ASSERT_TRUE(result);
    EXPECT_EQ(lines, (std::vector<std::string>{"ab", "c"}));
    EXPECT_EQ(result->output, "ab\nc\nrest");
}

TEST(ProcessWatch, AForkDoesTheWork) {
    std::vector<std::string> lines;
    ProcessWatch watch;
    watch.on_line = [&](const std::string& line) { lines.push_back(line); };
    int here = 0;
    const auto result = run_process(
        [&] {
            here = 1;
            std::printf("first\n");
            std::fprintf(stderr, "second\n");
            return std::getchar() == EOF ? 7 : 8;
        },
        watch);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exit_code, 7);
    EXPECT_EQ(here, 0);
    std::sort(lines.begin(), lines.end());
    EXPECT_EQ(lines, (std::vector<std::string>{"first", "second"}));
    EXPECT_EQ(run_process([]() -> int { throw std::runtime_error("no"); })->output, "no\n");
    EXPECT_EQ(run_process([]() -> int { std::abort(); })->exit_code, 128 + SIGABRT);
    watch.stop = [] { return true; };
    EXPECT_TRUE(run_process([] { return pause(); }, watch)->stopped);
}

TEST(MeasureEvent, PassesThroughLines) {
    const auto back = event_from_json(to_json({MeasureEvent::Kind::invalid, 4, 0, "runtime", "two\nlines \xff", {}}));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->kind, MeasureEvent::Kind::invalid);
    EXPECT_EQ(back->candidate, 4);
    EXPECT_EQ(back->message, "two\nlines \xEF\xBF\xBD");
    EXPECT_FALSE(event_from_json("3"));
    EXPECT_FALSE(event_from_json("hello"));
    EXPECT_FALSE(event_from_json(R"({"event": "unknown"})"));
}

TEST(Compare, ToleranceIsOfTheLargest) {
    const std::vector<float> reference{1, 100, NAN, INFINITY};
    EXPECT_EQ(first_difference(std::vector<float>{1, 100, NAN, INFINITY}, reference, 0), std::nullopt);
    EXPECT_EQ(first_difference(std::vector<float>{1, 100.0001F, NAN, INFINITY}, reference, 0), 1U);
    EXPECT_EQ(first_difference(std::vector<float>{1.0005F, 100, NAN, INFINITY}, reference, 1e-5F), std::nullopt);
    EXPECT_EQ(first_difference(std::vector<float>{1.002F, 100, NAN, INFINITY}, reference, 1e-5F), 0U);
    EXPECT_EQ(first_difference(std::vector<float>{1, 100, 7, INFINITY}, reference, 1), 2U);
    EXPECT_EQ(first_difference(std::vector<float>{1, 100, NAN, 0}, reference, 0.5F), 3U);
}

TEST(Compare, TheFirstOfManyPiecesCounts) {
    std::vector<float> reference(3'000'000, 1), result = reference;
    EXPECT_EQ(first_difference(result, reference, 0), std::nullopt);
    EXPECT_TRUE(same_bytes(result.data(), reference.data(), result.size() * sizeof(float)));
    result[2'999'999] = 2;
    EXPECT_FALSE(same_bytes(result.data(), reference.data(), result.size() * sizeof(float)));
    EXPECT_EQ(first_difference(result, reference, 0.5), 2'999'999U);
    result[700'001] = 1.75F;
    EXPECT_EQ(first_difference(result, reference, 0.5), 700'001U);
    EXPECT_EQ(first_difference(result, reference, 0.8), 2'999'999U);
    reference[1'600'000] = result[1'600'000] = 4;  // the largest counts, wherever it stands
    EXPECT_EQ(first_difference(result, reference, 0.5), std::nullopt);
}

}  // namespace
}  // namespace kasc::runtime
