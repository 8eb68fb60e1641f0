#include "runtime/processes/shared_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace kasc::runtime {

std::optional<SharedMemory> SharedMemory::allocate(std::uint64_t bytes) {
    const auto size = static_cast<std::size_t>(std::max<std::uint64_t>(bytes, 1));
    void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) return std::nullopt;
    return SharedMemory(static_cast<std::byte*>(data), size);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}

SharedMemory::~SharedMemory() {
    if (data_ != nullptr) munmap(data_, bytes_);
}

}  // namespace kasc::runtime
