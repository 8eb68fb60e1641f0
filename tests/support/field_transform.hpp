#pragma once
// A discrete Fourier transform by its definition, X(k) = Σ x(j) exp(∓2πi jk/n), axis by axis, in double whatever the
// cells are. Half a spectrum goes back to reals as every library takes it that transforms lines: along the halved axis
// last, where the wave numbers that are missing are the conjugates of those that are there, and numbers that are their
// own mirror images (0 and, of an even size, the highest) are taken for real.

#include <complex>
#include <numbers>

#include "support/field_values.hpp"

namespace kasc::test {

class FieldTransform {
public:
    FieldTransform(const Program& program, const Problem& problem, const TransformStatement& statement)
        : statement_(statement),
          from_(field_shape(program, statement.source)),
          to_(field_shape(program, statement.target)) {
        // A real side is never halved; where both are complex, they are alike.
        for (const AxisId axis : is_complex(from_.type) ? to_.axes : from_.axes)
            lengths_.push_back(static_cast<std::size_t>(problem.extents.at(axis.index)));
    }

    [[nodiscard]] Cells of(const Cells& source) const {
        const bool real_from = !is_complex(from_.type), real_to = !is_complex(to_.type);
        Numbers all = numbers(source);
        const std::size_t first = statement_.axes.front();
        for (const std::size_t axis : statement_.axes) {
            if (axis != first) along(axis, all, real_to ? half(first) : lengths_[first]);
        }
        if (real_to) all = completed(all, first);
        along(first, all, lengths_[first]);
        if (real_from) all = halved(all, first);
        Cells target;
        for (const Number& x : all) {
            target.push_back(stored(to_.type, x.real()));
            if (!real_to) target.push_back(stored(to_.type, x.imag()));
        }
        return target;
    }

private:
    using Number = std::complex<double>;
    using Numbers = std::vector<Number>;

    const TransformStatement& statement_;
    const FieldShape &from_, &to_;
    std::vector<std::size_t> lengths_;  ///< of all axes, none of them halved

    [[nodiscard]] std::size_t half(std::size_t axis) const { return lengths_[axis] / 2 + 1; }
    [[nodiscard]] Numbers numbers(const Cells& cells) const {
        if (!is_complex(from_.type)) return {cells.begin(), cells.end()};
        Numbers all;
        for (std::size_t k = 0; k < cells.size(); k += 2) all.emplace_back(cells[k], cells[k + 1]);
        return all;
    }
    /// How many numbers lie from one to the next along the axis. `first_length`: of the first transformed axis.
    [[nodiscard]] std::size_t stride(std::size_t axis, std::size_t first_length) const {
        std::size_t words = 1;
        for (std::size_t k = 0; k < axis; ++k) words *= k == statement_.axes.front() ? first_length : lengths_[k];
        return words;
    }
    void along(std::size_t axis, Numbers& all, std::size_t first_length) const {
        const std::size_t n = lengths_[axis], step = stride(axis, first_length);
        const double sign = statement_.direction == Direction::forward ? -1 : 1;
        Numbers root, line(n);
        for (std::size_t k = 0; k < n; ++k)
            root.push_back(
                std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n)));
        for (std::size_t begin = 0; begin < all.size(); ++begin) {
            if (begin / step % n != 0) continue;
            for (std::size_t k = 0; k < n; ++k) {
                line[k] = 0;
                for (std::size_t j = 0; j < n; ++j) line[k] += all[begin + j * step] * root[j * k % n];
            }
            for (std::size_t k = 0; k < n; ++k) all[begin + k * step] = line[k];
        }
    }
    /// Lines of n numbers from lines of the first n/2 + 1.
    [[nodiscard]] Numbers completed(const Numbers& halves, std::size_t axis) const {
        const std::size_t n = lengths_[axis], step = stride(axis, n), few = half(axis);
        Numbers all;
        for (std::size_t i = 0; i < halves.size() / few * n; ++i) {
            const std::size_t inner = i % step, k = i / step % n, outer = i / step / n;
            const Number& there = halves[(outer * few + (k < few ? k : n - k)) * step + inner];
            const bool own_image = k == 0 || 2 * k == n;
            all.push_back(own_image ? there.real() : k < few ? there : std::conj(there));
        }
        return all;
    }
    [[nodiscard]] Numbers halved(const Numbers& all, std::size_t axis) const {
        const std::size_t n = lengths_[axis], step = stride(axis, n);
        Numbers halves;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i / step % n < half(axis)) halves.push_back(all[i]);
        }
        return halves;
    }
};

}  // namespace kasc::test
