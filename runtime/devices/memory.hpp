#pragma once
// Arrays in the memory of the device that emitted code runs on: a GPU's through the driver library alone (see gpu.hpp),
// or the host's own. Emitted code shares the GPU's primary context, so that it sees these arrays.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "runtime/building/build.hpp"

namespace kasc::runtime {

class DeviceMemory {
public:
    virtual ~DeviceMemory() = default;
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    /// Held until this object ends; aligned to 256 bytes. Null: there is no room.
    [[nodiscard]] virtual void* allocate(std::uint64_t bytes) = 0;
    /// False: the device failed, now or in work that was given to it before.
    [[nodiscard]] virtual bool upload(void* to, std::span<const std::byte> from) = 0;
    [[nodiscard]] virtual bool download(std::span<std::byte> to, const void* from) = 0;
    [[nodiscard]] virtual bool fill(void* to, std::byte with, std::uint64_t bytes) = 0;
    /// Bytes read plus written a second of one copy of `bytes` within the device; 0: it could not be measured.
    [[nodiscard]] virtual double copy_gb_s(void* to, const void* from, std::uint64_t bytes) = 0;

protected:
    DeviceMemory() = default;
};

/// Null: there is no such device.
[[nodiscard]] std::unique_ptr<DeviceMemory> open_device_memory(BuildTarget target);

}  // namespace kasc::runtime
