#pragma once
// What is known of a device. Read from JSON (devices/*.json); an unknown key is an error with a caret.

#include <filesystem>
#include <memory>
#include <string>

#include "foundation/outcome.hpp"

namespace kasc {

struct MeasuredTable;

enum class DeviceKind { gpu, cpu };

struct Device {
    std::string name;
    DeviceKind kind = DeviceKind::gpu;
    std::string compute_capability;  ///< "9.0"; empty for a CPU
    int multiprocessors = 1;         ///< cores of a CPU
    double clock_ghz = 1;
    double copy_gb_s = 1;                 ///< measured device-to-device copy, bytes read plus written
    double l2_gb_s = 1;                   ///< of a CPU: from the cache that its cores share, all of them together
    double shared_bytes_per_clock = 128;  ///< per multiprocessor
    double fp32_per_clock = 256;          ///< fp32 operations (an fma is two) per clock and multiprocessor
    double memory_latency_ns = 600;
    double barrier_ns = 20;
    double block_dispatch_ns = 0.6;  ///< from the start of a block to the start of the next, anywhere on the device
    double launch_us = 2;            ///< of a kernel that follows another in a stream
    int max_threads_per_block = 1024;
    int max_threads_per_multiprocessor = 2048;
    int max_blocks_per_multiprocessor = 32;
    int registers_per_multiprocessor = 65536;
    int max_shared_bytes_per_block = 49152;          ///< that is laid out when a kernel is compiled
    int max_dynamic_shared_bytes_per_block = 49152;  ///< that is asked for at a launch
    int shared_bytes_per_multiprocessor = 233472;
    int reserved_shared_bytes_per_block = 1024;
    long l2_bytes = 0;                 ///< of a CPU: of the cache that its cores share
    long core_cache_bytes = 1 << 20;   ///< of a CPU: of the largest cache that a core has to itself
    long instruction_cache_bytes = 0;  ///< code that the warps of a multiprocessor issue at full rate; 0: of any size
    std::shared_ptr<const MeasuredTable> measured;  ///< of the library at hand, on this device; null: not measured
};

/// A name finds <name>.json in the device folder of the installation; else a path. K05xx.
[[nodiscard]] Outcome<Device> read_device(const std::string& name_or_path, const std::filesystem::path& device_folder);
[[nodiscard]] Outcome<Device> read_device_source(const SourceRef& source);

}  // namespace kasc
