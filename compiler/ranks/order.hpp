#pragma once
// Which ranks wait for which before a launch: what a launch reads was written before on any rank, and what it writes is
// read and written by nobody any more.

#include <cstdint>
#include <map>
#include <vector>

namespace kasc::ranks {

/// Of an array, by where it begins.
struct Touch {
    const void* array = nullptr;
    bool writes = false;
};

/// `rank` waits for all that `marked` was asked for until now.
struct Wait {
    int rank = 0, marked = 0;
    friend bool operator==(const Wait&, const Wait&) = default;
};

/// Every rank does what it is asked for in order. Of each the order knows how much it was asked for, and up to where it
/// follows the others, by waits of its own or of those it waited for.
///
///   launch 1 on ranks 0 1   writes T'           rank 0: 1 0    rank 1: 0 1
///   launch 2 on ranks 0 1   reads T'            waits 0 ← 1, 1 ← 0
///   launch 3 on rank 0      reads T'            none: it follows launch 1 of rank 1 already
class Order {
public:
    explicit Order(int ranks);

    /// Of the next launch, on these ranks, where launches of some ranks go to one array at once in no order. The waits
    /// are to be marked all before the first of them waits.
    [[nodiscard]] std::vector<Wait> launch(const std::vector<Touch>& touches, const std::vector<int>& on);

private:
    using Counts = std::vector<std::uint64_t>;  ///< by rank
    struct Touched {
        Counts read, written;  ///< the last launch of each rank that did
    };
    std::size_t ranks_;
    Counts asked_;
    std::vector<Counts> follows_;  ///< by rank
    std::map<const void*, Touched> arrays_;
};

}  // namespace kasc::ranks
