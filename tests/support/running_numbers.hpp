#pragma once
// What is before each number of a line and itself, in the order that the language says (Running, program.hpp): of
// pieces of each size the whole ones before it, one after the other, and the largest first.

#include <vector>

#include "support/folded_numbers.hpp"

namespace kasc::test {

class RunningNumbers {
public:
    /// Of pieces of so many sizes; `before`: all that is before the first number.
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
    /// Of the numbers that it has.
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

}  // namespace kasc::test
