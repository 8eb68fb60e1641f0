// result 1 2 nan, reference 1 2.5 nan, tolerance 0: word 1. With a tolerance of 0.2 (of 2.5): none.

#include "runtime/runs/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <vector>

#include "foundation/parallel.hpp"

namespace kasc::runtime {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;  // what stays in a core's cache

}  // namespace

bool same_bytes(const void* a, const void* b, std::size_t bytes) {
    const auto *as = static_cast<const std::byte*>(a), *bs = static_cast<const std::byte*>(b);
    std::atomic<bool> same = true;
    parallel_for((bytes + piece_bytes - 1) / piece_bytes, [&](std::size_t piece) {
        const std::size_t begin = piece * piece_bytes;
        if (same && std::memcmp(as + begin, bs + begin, std::min(piece_bytes, bytes - begin)) != 0) same = false;
    });
    return same;
}

std::optional<std::size_t> first_difference(const Words& result, const Words& reference, double tolerance) {
    if (is_complex(reference.type())) {
        const auto parts = [&](const Words& words) {
            return Words(part_type(words.type()), words.data(), parts_of_cell(words.type()) * words.size());
        };
        const auto part = first_difference(parts(result), parts(reference), tolerance);
        return part ? std::optional(*part / parts_of_cell(reference.type())) : std::nullopt;
    }
    const std::size_t bytes = word_bytes(reference.type()), words = reference.size();
    if (same_bytes(result.data(), reference.data(), words * bytes)) return std::nullopt;
    const std::size_t piece_words = piece_bytes / bytes, pieces = (words + piece_words - 1) / piece_words;
    const auto in_pieces = [&](const auto& work) {
        parallel_for(pieces, [&](std::size_t piece) {
            work(piece, piece * piece_words, std::min(words, (piece + 1) * piece_words));
        });
    };
    std::vector<double> magnitudes(pieces);
    in_pieces([&](std::size_t piece, std::size_t begin, std::size_t end) {
        double largest = 0;
        for (std::size_t k = begin; k < end; ++k) {
            const double y = reference[k];
            largest = std::isfinite(y) ? std::max(largest, std::abs(y)) : largest;
        }
        magnitudes[piece] = largest;
    });
    const double rounded = tolerance == 0 ? 0 : std::max(tolerance, last_digit(reference.type()));
    const double allowed = rounded * *std::max_element(magnitudes.begin(), magnitudes.end());
    const auto* xs = static_cast<const std::byte*>(result.data());
    const auto* ys = static_cast<const std::byte*>(reference.data());
    std::vector<std::size_t> differing(pieces, words);
    in_pieces([&](std::size_t piece, std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const double x = result[k], y = reference[k];
            if (std::memcmp(xs + k * bytes, ys + k * bytes, bytes) == 0 || (std::isnan(x) && std::isnan(y))) continue;
            if (std::abs(x - y) <= allowed && tolerance != 0) continue;
            differing[piece] = k;
            return;
        }
    });
    const std::size_t first = *std::min_element(differing.begin(), differing.end());
    return first == words ? std::nullopt : std::optional(first);
}

std::string difference_text(const std::string& name, const Words& result, const Words& reference, std::size_t word) {
    return fmt::format("{} differs from the reference: word {} is {:.9g}, the reference says {:.9g}", name, word,
                       result[word], reference[word]);
}

}  // namespace kasc::runtime
