#include "runtime/reserved_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace kasc::runtime {

std::optional<ReservedMemory> ReservedMemory::reserve(std::uint64_t bytes) {
    const auto size = static_cast<std::size_t>(std::max<std::uint64_t>(bytes, 1));
    void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) return std::nullopt;
    return ReservedMemory(static_cast<std::byte*>(data), bytes);
}

ReservedMemory::ReservedMemory(ReservedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}

ReservedMemory::~ReservedMemory() {
    if (data_ != nullptr) munmap(data_, static_cast<std::size_t>(std::max<std::uint64_t>(bytes_, 1)));
}

}  // namespace kasc::runtime
