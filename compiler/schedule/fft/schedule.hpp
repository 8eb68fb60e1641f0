#pragma once
// A kernel whose blocks have whole lines along one axis, which they transform: between the passes of a line through its
// transforms its numbers are in registers, so that what stands before, between and behind them is computed there.
//
//   v = unscaled_ifft(kappa * fft(p, z), z)     512 cells a line: 64 threads with 8 numbers each
//     compute   the numbers h + 64 j of p
//     exchange  butterflies of 8, left in shared memory; the next 8; the last 8: h + 64 j again
//     compute   kappa times these
//     exchange  the other way
//     store     v
//
// Two lines of a real field stand in one of complex numbers, so that a transform of n reals costs half of one of n
// complex numbers: Z = A + i B. Forward A and B are parted by the numbers that stand opposite, A_k = (Z_k +
// Z*_(n-k))/2; backward both have half a spectrum each, of which the other half is known.

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "block/block_program.hpp"
#include "schedule/field/schedule.hpp"
#include "search/transform_lines.hpp"

namespace kasc {

/// What is computed cell by cell before, between and behind transforms: as a kernel of its own would, with results of
/// transforms at hand.
struct FftCells {
    FieldSchedule cells;
    bool of_spectrum = false;  ///< of a real field's wave numbers
    int turned = 0;            ///< transforms that the numbers of its cells went through
};
/// A transform of the block's lines.
struct FftPass {
    NodeId transform;
    ValueId source, target;
    bool backward = false;
    int turned = 0;  ///< transforms that its numbers went through before: each second one has the radices turned round
    bool loads = false, stores = false;  ///< its source comes from memory as it stands there; its target goes there
};
using FftStep = std::variant<FftCells, FftPass>;

struct FftWork {
    Fusion fusion;
    LineTransform lines;
    std::vector<AxisId> others;  ///< without the one along which it transforms, in the order of memory
    FieldSchedule frame;         ///< of all that it reads and stores, and no calls
    std::vector<FftStep> steps;

    [[nodiscard]] bool along_rows() const { return lines.axes.front() == lines.along; }
    /// Lines of a real field that stand in one: two, but where there is only one.
    [[nodiscard]] int together() const { return lines.is_real() && !others.empty() ? 2 : 1; }
    [[nodiscard]] bool is_dual() const { return lines.spectrum == CellType::complex128; }
};

/// How a line of n numbers is transformed by so many threads. Number n = Σ d_s Π_{v>s} r_v; behind stage s the digit
/// d_s is k_s, and the result is that of Σ k_s Π_{v<s} r_v. A thread has the r_s numbers of a stage that differ in d_s
/// alone, of each of its butterflies: b, b + threads, …
struct LineFactors {
    int cells = 0, threads = 0;
    std::vector<int> radices;
    std::vector<int> weights;  ///< by radix: from a digit's number to the next in shared memory
    int words = 0;             ///< in shared memory

    [[nodiscard]] int stages() const { return static_cast<int>(radices.size()); }
    /// Butterflies of a thread in this stage; some threads may have fewer.
    [[nodiscard]] int butterflies(int stage) const;
    /// Numbers that a thread has in registers, at most.
    [[nodiscard]] int numbers() const;
    /// With the radices turned round.
    [[nodiscard]] LineFactors turned_round() const;
    /// For butterfly b in a stage: k_1 + r_1 k_2 + … of the digits before it, the count of these, and its first word.
    [[nodiscard]] int place_before(int stage, int b) const { return b % count_before(stage); }
    [[nodiscard]] int count_before(int stage) const;
    [[nodiscard]] int first_word(int stage, int b) const;
    [[nodiscard]] int butterflies_of_line(int stage) const { return cells / radices[static_cast<std::size_t>(stage)]; }
};
/// As few stages as radices of at most 16 allow, with as few numbers a thread as these do. `along_rows`: threads beside
/// each other have numbers of one line. None: the length has a prime factor above 7, or a thread would have more than
/// 16 numbers.
[[nodiscard]] std::optional<LineFactors> line_factors(int cells, int threads, bool along_rows, bool dual);

/// Lines of one length as blocks have them, whatever is computed of them.
struct FftShape {
    LineFactors factors;
    /// A word of a line in shared memory is that word of the line times the first, and the line's number times the
    /// second.
    std::array<int, 2> pitches{};
    /// By parity of the transforms before: by stage the words of each thread's butterflies, and the words opposite of
    /// those that it has behind the last stage.
    std::array<std::vector<block::Touch>, 2> stages;
    std::array<block::Touch, 2> opposite;
};

struct FftSchedule {
    std::shared_ptr<const FftWork> work;
    FieldChoice choice;  ///< walk `fft` (search/choice.hpp)
    std::shared_ptr<const FftShape> shape;
    std::shared_ptr<const block::BlockProgram> block;

    [[nodiscard]] const Fusion& fusion() const { return work->fusion; }
    [[nodiscard]] const LineFactors& factors() const { return shape->factors; }
    [[nodiscard]] int lines() const { return choice.threads_x; }  ///< of a block; of a real field pairs of them
    [[nodiscard]] int threads() const { return choice.threads_x * choice.threads_y; }
    [[nodiscard]] LineFactors factors_of(const FftPass& pass) const {
        return pass.turned % 2 == 0 ? factors() : factors().turned_round();
    }
    /// What cells read between and behind transforms is asked for before the first one, where a multiprocessor has few
    /// blocks and their lines whole sectors beside each other.
    [[nodiscard]] bool prefetches() const {
        constexpr int least_lines = 8;
        return !work->lines.is_real() && !work->along_rows() && lines() >= least_lines;
    }
    /// Numbers that went through so many transforms: of each butterfly b of a thread so many, cells / radix apart.
    [[nodiscard]] int radix_at(int turned) const {
        return turned % 2 == 0 ? factors().radices.front() : factors().radices.back();
    }
    /// Numbers of a thread, at most: 128 = 16 * 8 numbers of 16 threads are first 16 of each second one, then 8 of
    /// each.
    [[nodiscard]] int numbers_at(int turned) const {
        const int radix = radix_at(turned), many = factors().cells / radix;
        return radix * ((many + factors().threads - 1) / factors().threads);
    }
    /// The same of lines that a thread holds, in the order that has them in more threads.
    [[nodiscard]] int numbers_held() const { return std::min(numbers_at(0), numbers_at(1)); }
};

struct FftWorkResult {
    std::shared_ptr<const FftWork> value;  ///< null: see reason
    std::string reason;
};
/// Requires: the fusion transforms lines (search/transform_lines.hpp).
[[nodiscard]] FftWorkResult fft_work(const Program& program, const Graph& graph, const Fusion& fusion);

struct FftScheduleResult {
    std::optional<FftSchedule> value;
    std::string reason;
};
/// Shapes that were made before: null for those that are none.
using FftShapes = std::map<std::array<int, 5>, std::shared_ptr<const FftShape>>;
/// `cells` of a line: the kernel serves this length alone.
[[nodiscard]] FftScheduleResult schedule_fft(std::shared_ptr<const FftWork> work, const FieldChoice& choice,
                                             long long cells, const Program& program, const Graph& graph,
                                             FftShapes& shapes);
/// Choices worth scheduling for lines of so many cells, in a fixed order.
[[nodiscard]] std::vector<FieldChoice> fft_choices(const FftWork& work, long long cells);

/// Registers of a thread, as far as they are known before ptxas: what it would take, and what it is given; and the
/// blocks that a multiprocessor is to hold at least.
[[nodiscard]] int registers_wanted(const FftSchedule& schedule);
[[nodiscard]] int registers_of(const FftSchedule& schedule);
[[nodiscard]] int least_blocks(const FftSchedule& schedule);

[[nodiscard]] std::string print(const FftSchedule& schedule, const Program& program, const Graph& graph);

}  // namespace kasc
