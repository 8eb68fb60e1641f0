#pragma once
// What is before each number of a line and itself, in the order that the language says (Running, program.hpp): of
// pieces of each size the whole ones before it, one after the other, and the largest first.

#include <vector>

#include "support/folded_numbers.hpp"

namespace kasc::test {

class RunningNumbers {
public:
    /// For pieces of so many sizes; `before`: all that is before the first number.
    explicit RunningNumbers(const FoldedNumbers& numbers, int levels = running_levels)
        : RunningNumbers(numbers, levels, numbers.nothing()) {}
    RunningNumbers(const FoldedNumbers& numbers, int levels, double before)
        : numbers_(numbers), before_(static_cast<std::size_t>(levels) + 1, numbers.nothing()) {
        before_.back() = before;
    }

    /// With the next number of the line.
    [[nodiscard]] double with(double value) {
        before_.front() = numbers_.join(before_.front(), value);
        const double all = so_far();
        ++count_;
        // What a piece has come to is a part of the next larger one.
        long long cells = running_base;
        for (std::size_t size = 1; size < before_.size() && count_ % cells == 0; ++size, cells *= running_base) {
            before_[size] = numbers_.join(before_[size], before_[size - 1]);
            before_[size - 1] = numbers_.nothing();
        }
        return all;
    }
    /// The result of the numbers so far.
    [[nodiscard]] double so_far() const {
        double all = before_.back();
        for (std::size_t size = before_.size() - 1; size-- > 0;) all = numbers_.join(all, before_[size]);
        return numbers_.result(all);
    }

private:
    FoldedNumbers numbers_;
    /// Cells of its own piece of 16, pieces of 16 of its own one of 256, …, of the largest all.
    std::vector<double> before_;
    long long count_ = 0;
};

/// Sizes of pieces below one that blocks have; of such pieces there are those above.
inline constexpr int levels_of_piece = 3;

/// A line of so many cells, by their numbers: `value` of a cell, what is `carried` to the piece that begins with it,
/// and `store` of what the cell holds then.
template <class Value, class Carried, class Store>
void run_line(const Running& running, const FoldedNumbers& numbers, long long cells, Value value, Carried carried,
              Store store) {
    RunningNumbers line(numbers, running.of_pieces ? running_levels - levels_of_piece : running_levels);
    for (long long number = 0; number < cells; ++number) {
        if (running.carries && number % running_piece == 0)
            line = RunningNumbers(numbers, levels_of_piece, carried(number));
        const double before = line.so_far(), with = line.with(value(number));
        store(number, running.of_pieces ? before : with);
    }
}

/// The sum of a piece whose cells are all there; what others are nobody asks.
template <class Value>
[[nodiscard]] double sum_of_piece(const FoldedNumbers& numbers, long long cells, long long piece, Value value) {
    RunningNumbers sum(numbers, levels_of_piece);
    for (long long k = running_piece * piece; k < cells && k < running_piece * (piece + 1); ++k)
        static_cast<void>(sum.with(value(k)));
    return sum.so_far();
}

}  // namespace kasc::test
