#pragma once
// The machine's GPU, asked through the driver library alone: kasc needs no CUDA toolkit to know what it could use.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kasc::runtime {

struct Gpu {
    std::string name;            ///< "NVIDIA H100 80GB HBM3"
    int compute_capability = 0;  ///< 90 stands for 9.0
    std::uint64_t memory_bytes = 0;
    int devices = 1;             ///< that the driver shows
    std::string driver_version;  ///< "580.82.07"; where the management library is missing, the API's: "CUDA 13.0"
};

/// Names of the devices that the driver shows (CUDA_VISIBLE_DEVICES holds), in its order. Asked by a process of its
/// own: a driver that has been asked does not look at the environment again.
[[nodiscard]] std::vector<std::string> gpu_names();

/// The first device that the driver shows (CUDA_VISIBLE_DEVICES holds), or the one of this number; none without driver
/// or device. Asked by this process, which wakes the driver for what it will compute; forks of it can use no GPU from
/// then on.
[[nodiscard]] std::optional<Gpu> find_gpu(int number = 0);
/// The first, asked by a process of its own: forks of this one can use the GPU.
[[nodiscard]] std::optional<Gpu> find_gpu_aside();

}  // namespace kasc::runtime
