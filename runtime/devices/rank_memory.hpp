#pragma once
// Memory of several GPUs of one host as one: an array is one range of addresses, its pages lie on the devices as it is
// cut, and every device reads and writes all of them, by peer access. Kernels need not know where a word lies.
//
//   T at 0x…, 8 MB, ends 4 MB, 8 MB     device 0: pages 0 1    device 1: pages 2 3    both: all of it

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/devices/cuda_driver.hpp"

namespace kasc::runtime {

/// CUDA's functions for it. Names and numbers are those of cuda.h; they are binary-stable.
struct PagesDriver {
    int (*count_devices)(int*) = nullptr;
    int (*get_attribute)(int*, int, int) = nullptr;
    int (*can_access)(int*, int, int) = nullptr;
    int (*granularity)(std::size_t*, const void*, int) = nullptr;
    int (*reserve)(DeviceAddress*, std::size_t, std::size_t, DeviceAddress, unsigned long long) = nullptr;
    int (*give_back)(DeviceAddress, std::size_t) = nullptr;
    int (*create)(unsigned long long*, std::size_t, const void*, unsigned long long) = nullptr;
    int (*release)(unsigned long long) = nullptr;
    int (*map)(DeviceAddress, std::size_t, std::size_t, unsigned long long, unsigned long long) = nullptr;
    int (*unmap)(DeviceAddress, std::size_t) = nullptr;
    int (*set_access)(DeviceAddress, std::size_t, const void*, std::size_t) = nullptr;
    int (*stream_waits)(void*, void*, unsigned) = nullptr;
    int (*priorities)(int*, int*) = nullptr;  ///< of the context: the least, the greatest
    int (*make_stream)(void**, unsigned, int) = nullptr;

    /// False: there is no driver, or an old one.
    [[nodiscard]] bool load();
};

/// Why the first `ranks` GPUs cannot share a run; empty: they can. Wakes the driver.
[[nodiscard]] std::string ranks_fault(int ranks);

/// A part of an array, on one device.
struct RankPart {
    int rank = 0;
    std::uint64_t first = 0, bytes = 0;  ///< from the place that was asked for
};

class RankMemory {
public:
    /// Requires: ranks_fault(ranks) is empty.
    RankMemory(const PagesDriver& driver, int ranks);
    RankMemory(const RankMemory&) = delete;
    RankMemory& operator=(const RankMemory&) = delete;
    /// Requires: nothing is at work on it.
    ~RankMemory();

    /// CUDA's last error, of a call that gave no array.
    [[nodiscard]] int error() const { return error_; }
    /// Bytes before ends[r] lie on device r. Null after an error.
    [[nodiscard]] std::byte* take_cut(const std::vector<std::uint64_t>& ends);
    /// On device 0, beside others where it is small.
    [[nodiscard]] std::byte* take(std::uint64_t bytes);
    /// Where these bytes of an array lie, in order.
    [[nodiscard]] std::vector<RankPart> parts(const std::byte* from, std::uint64_t bytes) const;

private:
    struct Range {
        DeviceAddress address = 0;
        std::vector<std::uint64_t> ends;
        std::vector<unsigned long long> pages;  ///< handles, by rank; 0: none
    };
    const PagesDriver& driver_;
    const int ranks_;
    int error_ = 0;
    std::vector<Range> ranges_;
    DeviceAddress small_ = 0;  ///< where the next small array begins
    std::uint64_t left_ = 0;   ///< bytes there

    [[nodiscard]] bool well(int error) { return error == 0 || (error_ = error, false); }
    [[nodiscard]] bool map(Range& range);
    void drop(const Range& range);
};

}  // namespace kasc::runtime
