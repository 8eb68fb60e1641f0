// Registers of a thread that transforms lines, before ptxas.
#include <algorithm>

#include "schedule/fft/schedule.hpp"

namespace kasc {

namespace {

/// Beside the numbers of its lines: addresses, turns, what is under way.
constexpr int registers_beside = 26;
/// Where cells are computed between transforms ptxas (13.0) holds what comes later, too.
constexpr double beside_cells = 1.8;
/// Kernels of k-Wave in 128 registers spill some words at most, and few more threads make none of them faster: with 80,
/// lines along x take 1.0 to 1.1 times as long (512³, an H100).
constexpr int threads_of_multiprocessor = 512, registers_of_multiprocessor = 65536;
/// Two times eight numbers a thread of lines beside each other have room in 64 registers: z forward, two factors, two
/// back, 512³, blocks of 8 x 64 threads, with one of them a multiprocessor 1.21 ms, with two 0.90 (H100).
constexpr int threads_of_few_numbers = 1024;

/// Lines of numbers that a thread has at a time, at most: from where they are made to where they are read last.
int lines_alive(const FftWork& work) {
    const auto reads = [](const FftStep& step, ValueId value) {
        if (const auto* pass = std::get_if<FftPass>(&step)) return pass->source == value;
        const auto& inputs = std::get<FftCells>(step).cells.fusion().inputs;
        return std::find(inputs.begin(), inputs.end(), value) != inputs.end();
    };
    int most = 1;
    for (std::size_t k = 0; k < work.steps.size(); ++k) {
        int before = 0, behind = 0;  // cells are computed number by number: what they are made of goes as they come
        for (std::size_t made = 0; made < work.steps.size(); ++made) {
            const auto* pass = std::get_if<FftPass>(&work.steps[made]);
            if (pass == nullptr) continue;
            std::size_t begin = made, end = made;
            for (std::size_t s = 0; s < made; ++s) {
                const auto* cells = std::get_if<FftCells>(&work.steps[s]);
                if (cells == nullptr) continue;
                const auto& outputs = cells->cells.fusion().outputs;
                if (std::find(outputs.begin(), outputs.end(), pass->source) != outputs.end()) begin = s;
            }
            for (std::size_t s = made; s < work.steps.size(); ++s)
                if (reads(work.steps[s], pass->target)) end = s;
            const int parts = work.together() == 2 && !pass->backward && k > made ? 2 : 1;
            if (made == k || (begin < k && k <= end)) before += parts;
            if (made == k || (begin <= k && k < end)) behind += parts;
        }
        most = std::max({most, before, behind});
    }
    return most;
}

}  // namespace

int registers_wanted(const FftSchedule& schedule) {
    const FftWork& work = *schedule.work;
    int words = 0;  // that a cell is made of
    bool computes = false;
    for (const FftStep& step : work.steps) {
        const auto* cells = std::get_if<FftCells>(&step);
        if (cells == nullptr) continue;
        computes = true;
        words = std::max(words, static_cast<int>(cells->cells.work->loads.size()) * work.together());
    }
    const int numbers = 2 * (schedule.factors().numbers() + schedule.numbers_held() * (lines_alive(work) - 1));
    const int held = registers_beside + (numbers + words) * (work.is_dual() ? 2 : 1);
    return static_cast<int>(held * (computes ? beside_cells : 1));
}

int registers_of(const FftSchedule& schedule) {
    const int threads = std::max(warp_threads, schedule.threads());
    return std::min(
        {registers_wanted(schedule), 255, registers_of_multiprocessor / (least_blocks(schedule) * threads) / 8 * 8});
}

int least_blocks(const FftSchedule& schedule) {
    const FftWork& work = *schedule.work;
    const bool few =
        schedule.factors().numbers() <= 8 && lines_alive(work) <= 2 && !work.along_rows() && !work.is_dual();
    return std::max(1, (few ? threads_of_few_numbers : threads_of_multiprocessor) / schedule.threads());
}

}  // namespace kasc
