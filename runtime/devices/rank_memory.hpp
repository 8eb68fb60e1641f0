#pragma once
// Memory of several GPUs of one host as one: an array is one range of addresses, its pages lie on the devices as it is
// cut, and every device reads and writes all of them, by peer access. Kernels need not know where a word lies.
//
//   T at 0x…, 8 MB, ends 4 MB, 8 MB     device 0: pages 0 1    device 1: pages 2 3    both: all of it
//
// Words of others are slow to read. Of those that it reads again and again a rank has copies, and addresses of its own
// for the array, where the copies' pages are in place of the others':
//
//   T, with a copy of page 2 on device 0    device 0 at 0x…': pages 0 1 of T, the copy, page 3 of T
//
// A process that has a part of an array, and others the rest, has addresses for all of it, and pages where it asks for
// them:
//
//   T at 0x…, 8 MB, reserved            bytes 3 … 5 MB are held: pages 1 2

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/devices/compute_device.hpp"
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
    int (*move)(DeviceAddress, DeviceAddress, std::size_t, void*) = nullptr;  ///< between memory of any kind
    int (*take_host)(void**, std::size_t, unsigned) = nullptr;                ///< of the host, that devices know
    int (*give_host)(void*) = nullptr;
    int (*get_uuid)(char*, int) = nullptr;  ///< 16 bytes, of no other device anywhere

    /// False: there is no driver, or an old one.
    [[nodiscard]] bool load();
};

/// Why the first `ranks` GPUs cannot share a run; empty: they can. Wakes the driver.
[[nodiscard]] std::string ranks_fault(int ranks);
/// Why this GPU has no memory that can be reserved; empty: it has. Wakes the driver.
[[nodiscard]] std::string pages_fault(int device);

/// A part of an array, on one device.
struct RankPart {
    int rank = 0;
    std::uint64_t first = 0, bytes = 0;  ///< from the place that was asked for
};

class RankMemory {
public:
    /// `devices`: numbers, by rank. Requires: ranks_fault() is empty of several, pages_fault() of one.
    RankMemory(const PagesDriver& driver, std::vector<int> devices);
    RankMemory(const RankMemory&) = delete;
    RankMemory& operator=(const RankMemory&) = delete;
    /// Requires: nothing is at work on it.
    ~RankMemory();

    /// CUDA's last error, of a call that gave no array.
    [[nodiscard]] int error() const { return error_; }
    /// Null after an error.
    [[nodiscard]] std::byte* take_cut(const ArrayParts& parts);
    /// Addresses alone. Null after an error.
    [[nodiscard]] std::byte* reserve(std::uint64_t bytes);
    /// Pages of the first rank's device for these bytes of what was reserved, where there are none yet; of other memory
    /// there are all. False after an error.
    [[nodiscard]] bool hold(const std::byte* from, std::uint64_t bytes);
    /// On the first rank's device, beside others where it is small.
    [[nodiscard]] std::byte* take(std::uint64_t bytes);
    /// Where these bytes of an array lie, in order.
    [[nodiscard]] std::vector<RankPart> parts(const std::byte* from, std::uint64_t bytes) const;
    /// What the rank has copies of, and where it finds the array with them (ComputeDevice).
    [[nodiscard]] const std::vector<ByteRange>& copies(int rank, const std::byte* array) const;
    [[nodiscard]] std::byte* seen_by(int rank, std::byte* array) const;

private:
    using Handle = unsigned long long;  ///< of physical memory
    struct Pages {
        std::uint64_t end = 0;
        Handle handle = 0;
    };
    using Mapped = std::map<std::uint64_t, Pages>;  ///< by where they begin; apart
    /// An array as one rank sees it.
    struct View {
        DeviceAddress address = 0;
        std::vector<ByteRange> copies;
        Mapped pages;  ///< those of copies are its own, all others the array's
    };
    struct Range {
        DeviceAddress address = 0;
        std::vector<std::uint64_t> ends;  ///< by rank
        Mapped pages;
        std::vector<View> views;  ///< by rank; empty: nobody has copies
    };
    const PagesDriver& driver_;
    const std::vector<int> devices_;
    int error_ = 0;
    std::vector<Range> ranges_;
    DeviceAddress small_ = 0;  ///< where the next small array begins
    std::uint64_t left_ = 0;   ///< bytes there

    [[nodiscard]] bool well(int error) { return error == 0 || (error_ = error, false); }
    [[nodiscard]] std::optional<Handle> make_pages(std::uint64_t bytes, int device);
    [[nodiscard]] bool map(DeviceAddress address, std::uint64_t bytes, Handle handle, const std::vector<int>& devices);
    [[nodiscard]] bool map_pages(Range& range, std::uint64_t first, std::uint64_t end, int device);
    [[nodiscard]] bool map_parts(Range& range);
    [[nodiscard]] bool map_view(const Range& range, View& view, int device);
    void drop(const Range& range);
    [[nodiscard]] std::byte* add(Range range, bool whole);
    [[nodiscard]] std::vector<Range>::const_iterator find(const std::byte* at) const;
};

}  // namespace kasc::runtime
