#include "runtime/devices/rank_memory.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

namespace kasc::runtime {

namespace {

// As cuda.h has them.
struct Location {
    int type = 1;  // CU_MEM_LOCATION_TYPE_DEVICE
    int id = 0;
};
struct AllocationProperties {
    int type = 1;  // CU_MEM_ALLOCATION_TYPE_PINNED
    int handle_types = 0;
    Location location;
    void* win32 = nullptr;
    unsigned char flags[8] = {};
};
struct AccessDescription {
    Location location;
    int flags = 3;  // CU_MEM_ACCESS_FLAGS_PROT_READWRITE
};

constexpr std::uint64_t page = std::uint64_t{2} << 20U;  // of every GPU so far; ranks_fault() asks
constexpr std::uint64_t array_alignment = 256;           // of arrays, as cudaMalloc promises

}  // namespace

bool PagesDriver::load() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto find = [&](const char* name, auto& into) { return find_function(library, name, into); };
    return library != nullptr && find("cuDeviceGetCount", count_devices) &&
           find("cuDeviceGetAttribute", get_attribute) && find("cuDeviceCanAccessPeer", can_access) &&
           find("cuMemGetAllocationGranularity", granularity) && find("cuMemAddressReserve", reserve) &&
           find("cuMemAddressFree", give_back) && find("cuMemCreate", create) && find("cuMemRelease", release) &&
           find("cuMemMap", map) && find("cuMemUnmap", unmap) && find("cuMemSetAccess", set_access) &&
           find("cuStreamWaitEvent", stream_waits) && find("cuCtxGetStreamPriorityRange", priorities) &&
           find("cuStreamCreateWithPriority", make_stream);
}

std::string ranks_fault(int ranks) {
    PagesDriver pages;
    int (*initialise)(unsigned) = nullptr;
    int devices = 0;
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr || !find_function(library, "cuInit", initialise) || initialise(0) != 0)
        return "there is no driver";
    if (!find_function(library, "cuDeviceGetCount", pages.count_devices) || pages.count_devices(&devices) != 0)
        return "the driver does not say how many GPUs there are";
    if (devices < ranks) return fmt::format("there {} {}", devices == 1 ? "is" : "are", devices);
    if (!pages.load()) return "the driver is too old for memory that several GPUs share";
    const auto attribute = [&](int which, int device) {
        int value = 0;
        return pages.get_attribute(&value, which, device) == 0 ? value : 0;
    };
    constexpr int major = 75, minor = 76, has_pages = 102;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR …,
                                                            // …_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
    for (int a = 0; a < ranks; ++a) {
        if (attribute(major, a) != attribute(major, 0) || attribute(minor, a) != attribute(minor, 0))
            return fmt::format("GPU {} is of another kind than GPU 0", a);
        if (attribute(has_pages, a) == 0) return fmt::format("GPU {} cannot map memory of others", a);
        AllocationProperties properties;
        properties.location.id = a;
        std::size_t bytes = 0;
        if (pages.granularity(&bytes, &properties, 0) != 0 || bytes == 0 || page % bytes != 0)
            return fmt::format("GPU {} has pages of {} bytes", a, bytes);
        for (int b = 0; b < ranks; ++b) {
            int can = 0;
            if (a != b && (pages.can_access(&can, a, b) != 0 || can == 0))
                return fmt::format("GPU {} has no peer access to GPU {}", a, b);
        }
    }
    return "";
}

RankMemory::RankMemory(const PagesDriver& driver, int ranks) : driver_(driver), ranks_(ranks) {}

RankMemory::~RankMemory() {
    for (const Range& range : ranges_) drop(range);
}

void RankMemory::drop(const Range& range) {
    std::uint64_t first = 0;
    for (std::size_t r = 0; r < range.pages.size(); ++r) {
        if (range.pages[r] != 0) {
            driver_.unmap(range.address + first, range.ends[r] - first);
            driver_.release(range.pages[r]);
        }
        first = range.ends[r];
    }
    if (range.address != 0) driver_.give_back(range.address, range.ends.back());
}

bool RankMemory::map(Range& range) {
    if (!well(driver_.reserve(&range.address, range.ends.back(), page, 0, 0))) return false;
    std::uint64_t first = 0;
    for (std::size_t r = 0; r < range.ends.size(); ++r) {
        const std::uint64_t bytes = range.ends[r] - first;
        range.pages.push_back(0);
        if (bytes == 0) continue;
        AllocationProperties properties;
        properties.location.id = static_cast<int>(r);
        unsigned long long handle = 0;
        if (!well(driver_.create(&handle, bytes, &properties, 0))) return false;
        if (!well(driver_.map(range.address + first, bytes, 0, handle, 0))) {
            driver_.release(handle);
            return false;
        }
        range.pages.back() = handle;
        first = range.ends[r];
    }
    std::vector<AccessDescription> all(static_cast<std::size_t>(ranks_));
    for (int r = 0; r < ranks_; ++r) all[static_cast<std::size_t>(r)].location.id = r;
    return well(driver_.set_access(range.address, range.ends.back(), all.data(), all.size()));
}

std::byte* RankMemory::take_cut(const std::vector<std::uint64_t>& ends) {
    Range range{0, ends, {}};
    if (!map(range)) {
        drop(range);
        return nullptr;
    }
    ranges_.push_back(std::move(range));
    return reinterpret_cast<std::byte*>(ranges_.back().address);
}

std::byte* RankMemory::take(std::uint64_t bytes) {
    const std::uint64_t room =
        std::max<std::uint64_t>(1, (bytes + array_alignment - 1) / array_alignment) * array_alignment;
    if (room > left_) {
        const std::uint64_t pages = (room + page - 1) / page * page;
        std::byte* const taken = take_cut({pages});
        if (taken == nullptr || pages - room <= left_) return taken;
        small_ = reinterpret_cast<DeviceAddress>(taken) + room;
        left_ = pages - room;
        return taken;
    }
    const DeviceAddress at = small_;
    small_ += room, left_ -= room;
    return reinterpret_cast<std::byte*>(at);
}

std::vector<RankPart> RankMemory::parts(const std::byte* from, std::uint64_t bytes) const {
    const auto at = reinterpret_cast<DeviceAddress>(from);
    const auto range = std::find_if(ranges_.begin(), ranges_.end(),
                                    [&](const Range& r) { return at >= r.address && at - r.address < r.ends.back(); });
    if (range == ranges_.end()) return {{0, 0, bytes}};
    std::vector<RankPart> parts;
    const std::uint64_t begin = at - range->address, end = begin + bytes;
    std::uint64_t first = 0;
    for (std::size_t r = 0; r < range->ends.size(); ++r) {
        const std::uint64_t low = std::max(begin, first), high = std::min(end, range->ends[r]);
        if (low < high) parts.push_back({static_cast<int>(r), low - begin, high - low});
        first = range->ends[r];
    }
    return parts;
}

}  // namespace kasc::runtime
