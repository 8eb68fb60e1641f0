#pragma once
// Who waits for whom before a launch: what a launch reads was written before, wherever that was done, and what it
// writes is read and written by nobody any more.

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace kasc::ranks {

/// Places [low, high) of an array, which is known by where it begins: along its outermost axis, or all of them.
struct Touch {
    const void* array = nullptr;
    bool writes = false;
    std::int64_t low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
};

/// What one lane does of a launch.
struct Part {
    int lane = 0;
    std::vector<Touch> touches;
};

/// `lane` waits for all that `marked` was asked for until now.
struct Wait {
    int lane = 0, marked = 0;
    friend bool operator==(const Wait&, const Wait&) = default;
};

/// A lane does what it is asked for in order; each rank has some (shares.hpp). The order knows how much each lane was
/// asked for, and up to where it follows the others, by waits of its own or of those that it waited for.
///
///   launch 1 on lanes 0 1   writes T'           lane 0: 1 0    lane 1: 0 1
///   launch 2 on lanes 0 1   reads T'            waits 0 ← 1, 1 ← 0
///   launch 3 on lane 0      reads T'            none: it follows launch 1 of lane 1 already
class Order {
public:
    explicit Order(int lanes);

    /// Waits of the next launch, whose parts are in no order with each other. All of the waits are to be marked before
    /// the first of them waits.
    [[nodiscard]] std::vector<Wait> launch(const std::vector<Part>& parts);

private:
    using Counts = std::vector<std::uint64_t>;  ///< by lane
    struct Touched {
        std::int64_t low, high;
        bool writes;
        std::uint64_t when;  ///< how much the lane had been asked for then
    };
    std::size_t lanes_;
    Counts asked_;
    std::vector<Counts> follows_;                                  ///< by lane
    std::map<const void*, std::vector<std::vector<Touched>>> of_;  ///< by array, by lane: the last of each place

    void need(const Touch& touch, Counts& needed) const;
    void add(const Touch& touch, std::size_t lane);
};

}  // namespace kasc::ranks
