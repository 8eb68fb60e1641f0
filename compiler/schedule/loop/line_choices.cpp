#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schedule/loop/schedule.hpp"

namespace kasc {

namespace {

/// Threads of a block beyond which no more lines are put beside each other.
constexpr int most_threads_beside = 512;

}  // namespace

std::string line_choice_fault(const LoopWork& work, const FieldChoice& c, int line_cells) {
    FieldChoice plain = loop_choice(c.threads_x, c.unroll);
    plain.threads_y = c.threads_y;
    if (c != plain)
        return "a loop of whole lines has threads, those of a line by lines beside each other, and iterations at a "
               "time, as in 'loop 64x4 unroll 2'";
    if (c.threads_x < 1 || c.threads_y < 1 || c.threads_x * c.threads_y > most_threads_of_loop)
        return fmt::format("a loop of whole lines has blocks of 1 to {} threads", most_threads_of_loop);
    if (c.threads_y > 1 && work.lines.beside.empty()) return "there is one line: no others stand beside it";
    if (c.unroll < 1 || c.unroll > most_unrolled_of_loop)
        return fmt::format("a loop of whole lines takes 1 to {} iterations at a time", most_unrolled_of_loop);
    const int of_thread = (line_cells + c.threads_x - 1) / c.threads_x;
    return of_thread <= most_cells_of_thread
               ? ""
               : fmt::format("a thread has {} cells of a line at most, here {}", most_cells_of_thread, of_thread);
}

/// A cell a thread, or several; short lines beside each other, so that warps are full.
std::vector<FieldChoice> line_loop_choices(const LoopWork& work, int line_cells) {
    std::vector<FieldChoice> all;
    for (const int cells : {1, 2, 4, 8}) {
        const int least = (line_cells + cells - 1) / cells;
        if (cells > 1 && least <= warp_threads / 2) break;
        const int threads = cells == 1 ? least : (least + warp_threads - 1) / warp_threads * warp_threads;
        if (threads > most_threads_of_loop) continue;
        for (int lines = 1; lines == 1 || lines * threads <= most_threads_beside; lines *= 2) {
            all.push_back(loop_choice(threads, 2));
            all.back().threads_y = lines;
            if (work.lines.beside.empty()) break;
        }
    }
    return all;
}

std::string print_lines(const LoopSchedule& schedule, const Program& program) {
    const LoopWork& work = *schedule.work;
    std::vector<std::string> axes;
    for (const std::size_t axis : work.lines.along) axes.push_back(program.axes[work.axes()[axis]].name);
    std::string text = fmt::format("loop of whole lines along {}, {} cells: {}\n", fmt::join(axes, ", "),
                                   schedule.line_cells(), print(Choice{schedule.choice}));
    for (const LineWords& words : work.lines.words)
        text += fmt::format("  {} in {}\n", program.variables[words.variable].name,
                            !words.shared ? "registers"
                            : words.ring  ? "shared memory, two copies"
                                          : "shared memory");
    return text;
}

}  // namespace kasc
