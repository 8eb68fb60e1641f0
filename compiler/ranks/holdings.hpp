#pragma once
// Which ranks hold which bytes of which arrays, where each has memory of its own: what a rank lacks before a launch is
// sent to it by one that has it. Every rank keeps the same book, so that nobody asks.

#include <cstdint>
#include <map>
#include <vector>

#include "ranks/order.hpp"

namespace kasc::ranks {

/// Bytes [low, high) of an array go from one rank to another, and as many behind them in `rows` - 1 further rows that
/// begin `apart` bytes after each other.
struct Transfer {
    int from = 0, to = 0;
    const void* array = nullptr;
    std::int64_t low = 0, high = 0;
    std::int64_t rows = 1, apart = 0;

    [[nodiscard]] std::int64_t bytes() const { return (high - low) * rows; }
    friend bool operator==(const Transfer&, const Transfer&) = default;
};

/// What nobody has stored yet is held by nobody, and is not sent.
///
///   T of 8 planes over 2 ranks      rank 0 has stored 0 … 3, rank 1 4 … 7
///   rank 0 reads 0 … 4 of T         plane 4 goes from rank 1 to rank 0; both hold it now
///   rank 1 stores 4 … 7 of T        rank 1 alone holds them
///   rank 0 reads half of each       planes 5 … 7 have come from rank 1 in three rows
class Holdings {
public:
    /// One rank holds these bytes, and no other does.
    void put(const void* array, std::int64_t low, std::int64_t high, int rank);
    /// This rank holds them as well.
    void add(const void* array, std::int64_t low, std::int64_t high, int rank);
    /// Bytes that a rank holds, of all arrays.
    [[nodiscard]] std::int64_t bytes_of(int rank) const;
    /// Nobody holds anything of it.
    void forget(const void* array) { arrays_.erase(array); }

    /// Transfers before the next launch, of which a part's lane is its rank. What a rank stores it holds before, too:
    /// it may leave some of it as it is. Several ranks may store the same bytes, if they store the same there.
    /// Requires: all places are given in bytes.
    [[nodiscard]] std::vector<Transfer> launch(const std::vector<Part>& parts);

private:
    struct Piece {
        std::int64_t high = 0;
        std::vector<int> holders;  ///< ascending
    };
    using Pieces = std::map<std::int64_t, Piece>;  ///< by their low ends; apart
    std::map<const void*, Pieces> arrays_;

    static void cut(Pieces& pieces, std::int64_t at);
    static void join(Pieces& pieces);
    static void add(Pieces& pieces, std::int64_t low, std::int64_t high, int rank);
    static void bring(Pieces& pieces, const Touch& touch, int rank, std::vector<Transfer>& transfers);
};

}  // namespace kasc::ranks
