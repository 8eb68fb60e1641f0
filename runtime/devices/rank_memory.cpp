#include "runtime/devices/rank_memory.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

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

constexpr std::uint64_t page = gpu_page_bytes;  // ranks_fault() asks
constexpr std::uint64_t array_alignment = 256;  // of arrays, as cudaMalloc promises

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
           find("cuStreamCreateWithPriority", make_stream) && find("cuMemcpyAsync", move) &&
           find("cuMemHostAlloc", take_host) && find("cuMemFreeHost", give_host) && find("cuDeviceGetUuid", get_uuid);
}

namespace {

/// The driver, awake. What is wrong; empty: nothing.
std::string wake(PagesDriver& pages) {
    int (*initialise)(unsigned) = nullptr;
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr || !find_function(library, "cuInit", initialise) || initialise(0) != 0)
        return "there is no driver";
    if (!find_function(library, "cuDeviceGetCount", pages.count_devices))
        return "the driver does not say how many GPUs there are";
    return "";
}

int attribute_of(const PagesDriver& pages, int which, int device) {
    int value = 0;
    return pages.get_attribute(&value, which, device) == 0 ? value : 0;
}

std::string pages_fault(const PagesDriver& pages, int device) {
    constexpr int has_pages = 102;  // CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
    if (attribute_of(pages, has_pages, device) == 0) return fmt::format("GPU {} cannot map memory of others", device);
    AllocationProperties properties;
    properties.location.id = device;
    std::size_t bytes = 0;
    if (pages.granularity(&bytes, &properties, 0) != 0 || bytes == 0 || page % bytes != 0)
        return fmt::format("GPU {} has pages of {} bytes", device, bytes);
    return "";
}

}  // namespace

std::string pages_fault(int device) {
    PagesDriver pages;
    if (std::string fault = wake(pages); !fault.empty()) return fault;
    if (!pages.load()) return "the driver is too old for memory that is reserved";
    return pages_fault(pages, device);
}

std::string ranks_fault(int ranks) {
    PagesDriver pages;
    int devices = 0;
    if (std::string fault = wake(pages); !fault.empty()) return fault;
    if (pages.count_devices(&devices) != 0) return "the driver does not say how many GPUs there are";
    if (devices < ranks) return fmt::format("there {} {}", devices == 1 ? "is" : "are", devices);
    if (!pages.load()) return "the driver is too old for memory that several GPUs share";
    constexpr int major = 75, minor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR
    for (int a = 0; a < ranks; ++a) {
        for (const int part : {major, minor}) {
            if (attribute_of(pages, part, a) != attribute_of(pages, part, 0))
                return fmt::format("GPU {} is of another kind than GPU 0", a);
        }
        if (std::string fault = pages_fault(pages, a); !fault.empty()) return fault;
        for (int b = 0; b < ranks; ++b) {
            int can = 0;
            if (a != b && (pages.can_access(&can, a, b) != 0 || can == 0))
                return fmt::format("GPU {} has no peer access to GPU {}", a, b);
        }
    }
    return "";
}

namespace {

/// Copies are mapped apart from all else: pages that begin in one lie in it.
bool is_copy(const std::vector<ByteRange>& copies, std::uint64_t first) {
    return std::any_of(copies.begin(), copies.end(),
                       [&](const ByteRange& copy) { return first >= copy.low && first < copy.high; });
}

}  // namespace

RankMemory::RankMemory(const PagesDriver& driver, std::vector<int> devices)
    : driver_(driver), devices_(std::move(devices)) {}

RankMemory::~RankMemory() {
    for (const Range& range : ranges_) drop(range);
}

void RankMemory::drop(const Range& range) {
    const auto unmap = [&](DeviceAddress address, const Mapped& all) {
        for (const auto& [first, pages] : all) driver_.unmap(address + first, pages.end - first);
        if (address != 0) driver_.give_back(address, range.ends.back());
    };
    for (const View& view : range.views) {
        unmap(view.address, view.pages);
        for (const auto& [first, pages] : view.pages) {
            if (is_copy(view.copies, first)) driver_.release(pages.handle);
        }
    }
    unmap(range.address, range.pages);
    for (const auto& [first, pages] : range.pages) driver_.release(pages.handle);
}

std::optional<RankMemory::Handle> RankMemory::make_pages(std::uint64_t bytes, int device) {
    AllocationProperties properties;
    properties.location.id = device;
    Handle handle = 0;
    return well(driver_.create(&handle, bytes, &properties, 0)) ? std::optional(handle) : std::nullopt;
}

bool RankMemory::map(DeviceAddress address, std::uint64_t bytes, Handle handle, const std::vector<int>& devices) {
    if (!well(driver_.map(address, bytes, 0, handle, 0))) return false;
    std::vector<AccessDescription> all(devices.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k].location.id = devices[k];
    if (well(driver_.set_access(address, bytes, all.data(), all.size()))) return true;
    driver_.unmap(address, bytes);
    return false;
}

bool RankMemory::map_pages(Range& range, std::uint64_t first, std::uint64_t end, int device) {
    const std::optional<Handle> handle = make_pages(end - first, device);
    if (!handle) return false;
    if (!map(range.address + first, end - first, *handle, devices_)) {
        driver_.release(*handle);
        return false;
    }
    range.pages[first] = {end, *handle};
    return true;
}

/// What is in a copy is mapped apart, since a view has all else of the array.
bool RankMemory::map_parts(Range& range) {
    std::set<std::uint64_t> cuts;
    for (const View& view : range.views) {
        for (const ByteRange& copy : view.copies) cuts.insert({copy.low, copy.high});
    }
    std::uint64_t first = 0;
    for (std::size_t r = 0; r < range.ends.size(); ++r) {
        cuts.insert(range.ends[r]);
        for (auto cut = cuts.upper_bound(first); first < range.ends[r]; ++cut) {
            if (!map_pages(range, first, *cut, devices_.at(r))) return false;
            first = *cut;
        }
    }
    for (std::size_t r = 0; r < range.views.size(); ++r) {
        if (!map_view(range, range.views[r], devices_.at(r))) return false;
    }
    return true;
}

bool RankMemory::map_view(const Range& range, View& view, int device) {
    if (view.copies.empty()) return true;
    if (!well(driver_.reserve(&view.address, range.ends.back(), page, 0, 0))) return false;
    for (const auto& [first, pages] : range.pages) {
        const std::uint64_t bytes = pages.end - first;
        const bool own = is_copy(view.copies, first);
        const std::optional<Handle> handle = own ? make_pages(bytes, device) : pages.handle;
        if (!handle) return false;
        if (!map(view.address + first, bytes, *handle, {device})) {
            if (own) driver_.release(*handle);
            return false;
        }
        view.pages[first] = {pages.end, *handle};
    }
    return true;
}

std::byte* RankMemory::add(Range range, bool whole) {
    if (!well(driver_.reserve(&range.address, range.ends.back(), page, 0, 0))) return nullptr;
    if (whole && !map_parts(range)) {
        drop(range);
        return nullptr;
    }
    ranges_.push_back(std::move(range));
    return reinterpret_cast<std::byte*>(ranges_.back().address);
}

std::byte* RankMemory::take_cut(const ArrayParts& parts) {
    Range range{0, parts.ends, {}, {}};
    for (const std::vector<ByteRange>& copies : parts.copies) range.views.push_back({0, copies, {}});
    return add(std::move(range), true);
}

const std::vector<ByteRange>& RankMemory::copies(int rank, const std::byte* array) const {
    static const std::vector<ByteRange> none;
    const auto range = find(array);
    const auto r = static_cast<std::size_t>(rank);
    return range == ranges_.end() || r >= range->views.size() ? none : range->views[r].copies;
}

std::byte* RankMemory::seen_by(int rank, std::byte* array) const {
    if (copies(rank, array).empty()) return array;
    const Range& range = *find(array);
    const DeviceAddress seen = range.views[static_cast<std::size_t>(rank)].address;
    return reinterpret_cast<std::byte*>(seen + (reinterpret_cast<DeviceAddress>(array) - range.address));
}

std::byte* RankMemory::reserve(std::uint64_t bytes) {
    return add({0, {std::max<std::uint64_t>(1, (bytes + page - 1) / page) * page}, {}, {}}, false);
}

std::vector<RankMemory::Range>::const_iterator RankMemory::find(const std::byte* at) const {
    const auto address = reinterpret_cast<DeviceAddress>(at);
    return std::find_if(ranges_.begin(), ranges_.end(),
                        [&](const Range& r) { return address >= r.address && address - r.address < r.ends.back(); });
}

bool RankMemory::hold(const std::byte* from, std::uint64_t bytes) {
    const auto found = find(from);
    if (found == ranges_.end() || bytes == 0) return true;
    Range& range = ranges_[static_cast<std::size_t>(found - ranges_.begin())];
    const std::uint64_t begin = reinterpret_cast<DeviceAddress>(from) - range.address;
    const std::uint64_t end = std::min(range.ends.back(), (begin + bytes + page - 1) / page * page);
    for (std::uint64_t first = begin / page * page; first < end;) {
        // Pages that reach over this place, or the next that there are.
        const auto behind = range.pages.upper_bound(first);
        if (behind != range.pages.begin() && std::prev(behind)->second.end > first) {
            first = std::prev(behind)->second.end;
            continue;
        }
        const std::uint64_t next = behind == range.pages.end() ? end : std::min(end, behind->first);
        if (!map_pages(range, first, next, devices_.front())) return false;
        first = next;
    }
    return true;
}

std::byte* RankMemory::take(std::uint64_t bytes) {
    const std::uint64_t room =
        std::max<std::uint64_t>(1, (bytes + array_alignment - 1) / array_alignment) * array_alignment;
    if (room > left_) {
        const std::uint64_t pages = (room + page - 1) / page * page;
        std::byte* const taken = take_cut({{pages}});
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
    const auto range = find(from);
    if (range == ranges_.end()) return {{0, 0, bytes}};
    std::vector<RankPart> parts;
    const std::uint64_t begin = reinterpret_cast<DeviceAddress>(from) - range->address, end = begin + bytes;
    std::uint64_t first = 0;
    for (std::size_t r = 0; r < range->ends.size(); ++r) {
        const std::uint64_t low = std::max(begin, first), high = std::min(end, range->ends[r]);
        if (low < high) parts.push_back({static_cast<int>(r), low - begin, high - low});
        first = range->ends[r];
    }
    return parts;
}

}  // namespace kasc::runtime
