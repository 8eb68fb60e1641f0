// Names and numbers of the driver API are those of CUDA's cuda.h; they are binary-stable.

#include "runtime/devices/gpu.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/processes/child.hpp"
#include "runtime/processes/shared_memory.hpp"

namespace kasc::runtime {

namespace {

constexpr int attribute_major = 75;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
constexpr int attribute_minor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR

template <class Function>
Function find(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
}

std::string driver_version(void* driver) {
    if (void* management = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
        const auto initialise = find<int (*)()>(management, "nvmlInit_v2");
        const auto get_version = find<int (*)(char*, unsigned)>(management, "nvmlSystemGetDriverVersion");
        std::array<char, 81> text{};  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE, and an end
        if (initialise && get_version && initialise() == 0 &&
            get_version(text.data(), static_cast<unsigned>(text.size() - 1)) == 0)
            return text.data();
    }
    const auto get_version = find<int (*)(int*)>(driver, "cuDriverGetVersion");
    int version = 0;  // 13000 stands for 13.0
    if (!get_version || get_version(&version) != 0) return "unknown";
    return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
}

constexpr std::size_t most_gpus = 64;  // the machines that there are have 16

/// What a child leaves.
struct NamesPage {
    int count = 0;
    std::array<std::array<char, 256>, most_gpus> names{};
};

bool ask_names(NamesPage& page) {
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver == nullptr) return false;
    const auto initialise = find<int (*)(unsigned)>(driver, "cuInit");
    const auto count_devices = find<int (*)(int*)>(driver, "cuDeviceGetCount");
    const auto get_device = find<int (*)(int*, int)>(driver, "cuDeviceGet");
    const auto get_name = find<int (*)(char*, int, int)>(driver, "cuDeviceGetName");
    if (!initialise || !count_devices || !get_device || !get_name) return false;
    int count = 0, device = 0;
    if (initialise(0) != 0 || count_devices(&count) != 0) return false;
    for (int i = 0; i < std::min(count, static_cast<int>(most_gpus)); ++i) {
        auto& name = page.names.at(static_cast<std::size_t>(i));
        if (get_device(&device, i) != 0 || get_name(name.data(), static_cast<int>(name.size() - 1), device) != 0)
            return false;
        page.count = i + 1;
    }
    return true;
}

/// What a child leaves of the first device.
struct GpuPage {
    std::array<char, 256> name{}, driver_version{};
    int compute_capability = 0;
    std::uint64_t memory_bytes = 0;
    int devices = 0;
};

// A driver takes some seconds to wake eight devices.
constexpr ChildLimits asking{60, 120, std::uint64_t{1} << 36U};

}  // namespace

std::vector<std::string> gpu_names() {
    const auto memory = SharedMemory::allocate(sizeof(NamesPage));
    if (!memory) return {};
    auto& page = *new (memory->data()) NamesPage;
    if (run_in_child(asking, [&] { return ask_names(page); }) != ChildEnd::finished) return {};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < static_cast<std::size_t>(page.count); ++i) names.emplace_back(page.names.at(i).data());
    return names;
}

std::optional<Gpu> find_gpu_aside() {
    const auto memory = SharedMemory::allocate(sizeof(GpuPage));
    if (!memory) return std::nullopt;
    auto& page = *new (memory->data()) GpuPage;
    const auto leave = [](const std::string& text, std::array<char, 256>& place) {
        text.copy(place.data(), place.size() - 1);
    };
    const auto ask = [&] {
        const auto gpu = find_gpu();
        if (!gpu) return false;
        leave(gpu->name, page.name);
        leave(gpu->driver_version, page.driver_version);
        page.compute_capability = gpu->compute_capability;
        page.memory_bytes = gpu->memory_bytes;
        page.devices = gpu->devices;
        return true;
    };
    if (run_in_child(asking, ask) != ChildEnd::finished) return std::nullopt;
    return Gpu{page.name.data(), page.compute_capability, page.memory_bytes, page.devices, page.driver_version.data()};
}

std::optional<Gpu> find_gpu(int number) {
    // Never closed: the driver starts threads and exit handlers that need its code.
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver == nullptr) return std::nullopt;
    const auto initialise = find<int (*)(unsigned)>(driver, "cuInit");
    const auto count_devices = find<int (*)(int*)>(driver, "cuDeviceGetCount");
    const auto get_device = find<int (*)(int*, int)>(driver, "cuDeviceGet");
    const auto get_name = find<int (*)(char*, int, int)>(driver, "cuDeviceGetName");
    const auto get_attribute = find<int (*)(int*, int, int)>(driver, "cuDeviceGetAttribute");
    const auto get_memory = find<int (*)(std::size_t*, int)>(driver, "cuDeviceTotalMem_v2");
    if (!initialise || !count_devices || !get_device || !get_name || !get_attribute || !get_memory) return std::nullopt;

    int count = 0;
    int device = 0;
    if (initialise(0) != 0 || count_devices(&count) != 0 || number >= count || get_device(&device, number) != 0)
        return std::nullopt;
    std::array<char, 256> name{};
    int major = 0;
    int minor = 0;
    std::size_t bytes = 0;
    if (get_name(name.data(), static_cast<int>(name.size() - 1), device) != 0 ||
        get_attribute(&major, attribute_major, device) != 0 || get_attribute(&minor, attribute_minor, device) != 0 ||
        get_memory(&bytes, device) != 0) {
        return std::nullopt;
    }
    return Gpu{name.data(), 10 * major + minor, bytes, count, driver_version(driver)};
}

}  // namespace kasc::runtime
