// Each of 32 lanes has its own least and largest so far: the compiler computes them on whole vectors.

#include "foundation/extremes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "foundation/parallel.hpp"

namespace kasc {

namespace {

template <class T>
Extremes of(const T* cells, std::uint64_t count) {
    constexpr std::size_t lanes = 32;
    using Limits = std::numeric_limits<T>;
    constexpr T above = Limits::has_infinity ? Limits::infinity() : Limits::max();
    constexpr T below = Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::min();
    if (count == 0) return {};
    std::array<T, lanes> least, most;
    least.fill(above);
    most.fill(below);
    std::uint64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const T value = cells[i + lane];
            least[lane] = value < least[lane] ? value : least[lane];
            most[lane] = value > most[lane] ? value : most[lane];
        }
    }
    for (; i < count; ++i) {
        least[0] = cells[i] < least[0] ? cells[i] : least[0];
        most[0] = cells[i] > most[0] ? cells[i] : most[0];
    }
    return {static_cast<double>(*std::min_element(least.begin(), least.end())),
            static_cast<double>(*std::max_element(most.begin(), most.end()))};
}

}  // namespace

Extremes extremes_of(CellType type, const void* cells, std::uint64_t count) {
    Extremes found;
    switch (type) {
        case CellType::float32:
            return of(static_cast<const float*>(cells), count);
        case CellType::float64:
            return of(static_cast<const double*>(cells), count);
        case CellType::int32:
            return of(static_cast<const std::int32_t*>(cells), count);
        case CellType::int64:
            return of(static_cast<const std::int64_t*>(cells), count);
        case CellType::uint8:
            return of(static_cast<const std::uint8_t*>(cells), count);
        default:
            for (std::uint64_t i = 0; i < count; ++i) {
                const double value = cell_value(type, cells, i);
                if (value < found.least) found.least = value;
                if (value > found.most) found.most = value;
            }
            return found;
    }
}

Extremes all_extremes_of(CellType type, const void* cells, std::uint64_t count) {
    constexpr std::uint64_t cells_a_piece = std::uint64_t{1} << 18U;
    std::vector<Extremes> pieces((count + cells_a_piece - 1) / cells_a_piece);
    parallel_for(pieces.size(), [&](std::size_t i) {
        const std::uint64_t from = i * cells_a_piece;
        pieces[i] = extremes_of(type, static_cast<const std::byte*>(cells) + from * cell_bytes(type),
                                std::min(cells_a_piece, count - from));
    });
    Extremes all;
    for (const Extremes& piece : pieces) {
        all.least = std::min(all.least, piece.least);
        all.most = std::max(all.most, piece.most);
    }
    return all;
}

}  // namespace kasc
