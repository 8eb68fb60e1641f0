// Bounds are wide around every device that exists; they catch values in a wrong unit (bytes for gigabytes, MHz for GHz)
// and keep the model's arithmetic far from overflow.

#include "model/device/fields.hpp"

namespace kasc {

const std::vector<DeviceField>& device_fields() {
    static const std::vector<DeviceField> fields{
        {"multiprocessors", &Device::multiprocessors, 1, 4096, NeededBy::both},
        {"clock_ghz", &Device::clock_ghz, 0.01, 20, NeededBy::both},
        {"copy_gb_s", &Device::copy_gb_s, 0.1, 1e6, NeededBy::both},
        {"l2_gb_s", &Device::l2_gb_s, 0.1, 1e7, NeededBy::gpu},
        {"shared_bytes_per_clock", &Device::shared_bytes_per_clock, 1, 4096, NeededBy::gpu},
        {"fp32_per_clock", &Device::fp32_per_clock, 1, 65536, NeededBy::both},
        {"memory_latency_ns", &Device::memory_latency_ns, 1, 1e5, NeededBy::gpu},
        {"barrier_ns", &Device::barrier_ns, 0.1, 1e5, NeededBy::gpu},
        {"block_dispatch_ns", &Device::block_dispatch_ns, 0, 1e5, NeededBy::gpu},
        {"launch_us", &Device::launch_us, 0.001, 1e5, NeededBy::both},
        {"max_threads_per_block", &Device::max_threads_per_block, 1, 1024, NeededBy::gpu},
        {"max_threads_per_multiprocessor", &Device::max_threads_per_multiprocessor, 32, 65536, NeededBy::gpu},
        {"max_blocks_per_multiprocessor", &Device::max_blocks_per_multiprocessor, 1, 1024, NeededBy::gpu},
        {"registers_per_multiprocessor", &Device::registers_per_multiprocessor, 1024, 1 << 24, NeededBy::gpu},
        {"max_shared_bytes_per_block", &Device::max_shared_bytes_per_block, 1024, 1 << 24, NeededBy::gpu},
        {"max_dynamic_shared_bytes_per_block", &Device::max_dynamic_shared_bytes_per_block, 1024, 1 << 24,
         NeededBy::none},
        {"shared_bytes_per_multiprocessor", &Device::shared_bytes_per_multiprocessor, 1024, 1 << 24, NeededBy::gpu},
        {"reserved_shared_bytes_per_block", &Device::reserved_shared_bytes_per_block, 1, 65536, NeededBy::gpu},
        {"l2_bytes", &Device::l2_bytes, 1024, 1e12, NeededBy::both},
        {"instruction_cache_bytes", &Device::instruction_cache_bytes, 1024, 1e9, NeededBy::none},
        {"core_cache_bytes", &Device::core_cache_bytes, 1024, 1e9, NeededBy::none},
    };
    return fields;
}

}  // namespace kasc
