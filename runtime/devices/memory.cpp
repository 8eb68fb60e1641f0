#include "runtime/devices/memory.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/devices/cuda_driver.hpp"

namespace kasc::runtime {

namespace {

constexpr std::uint64_t alignment = 256;  // what cudaMalloc promises

class HostMemory : public DeviceMemory {
public:
    ~HostMemory() override {
        for (void* p : taken_) std::free(p);
    }
    void* allocate(std::uint64_t bytes) override {
        void* p = std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
        if (p != nullptr) taken_.push_back(p);
        return p;
    }
    bool upload(void* to, std::span<const std::byte> from) override {
        std::memcpy(to, from.data(), from.size_bytes());
        return true;
    }
    bool download(std::span<std::byte> to, const void* from) override {
        std::memcpy(to.data(), from, to.size_bytes());
        return true;
    }
    bool fill(void* to, std::byte with, std::uint64_t bytes) override {
        std::memset(to, std::to_integer<int>(with), bytes);
        return true;
    }
    double copy_gb_s(void* to, const void* from, std::uint64_t bytes) override {
        const auto began = std::chrono::steady_clock::now();
        std::memcpy(to, from, bytes);
        const std::chrono::duration<double, std::nano> ns = std::chrono::steady_clock::now() - began;
        return 2.0 * static_cast<double>(bytes) / ns.count();
    }

private:
    std::vector<void*> taken_;
};

class GpuMemory : public DeviceMemory {
public:
    ~GpuMemory() override {
        for (const DeviceAddress a : taken_) driver_.release(a);
    }
    bool open() {
        int device = 0;
        void* context = nullptr;
        return driver_.load() && driver_.initialise(0) == 0 && driver_.get_device(&device, 0) == 0 &&
               driver_.retain_context(&context, device) == 0 && driver_.set_context(context) == 0 &&
               driver_.make_event(&began_, 0) == 0 && driver_.make_event(&ended_, 0) == 0;
    }
    void* allocate(std::uint64_t bytes) override {
        DeviceAddress a = 0;
        if (driver_.allocate(&a, bytes) != 0) return nullptr;
        taken_.push_back(a);
        return reinterpret_cast<void*>(a);
    }
    bool upload(void* to, std::span<const std::byte> from) override {
        return driver_.to_device(address(to), from.data(), from.size_bytes(), nullptr) == 0 &&
               driver_.await_stream(nullptr) == 0;
    }
    bool download(std::span<std::byte> to, const void* from) override {
        return driver_.to_host(to.data(), address(from), to.size_bytes(), nullptr) == 0 &&
               driver_.await_stream(nullptr) == 0;
    }
    bool fill(void* to, std::byte with, std::uint64_t bytes) override {
        return driver_.set_bytes(address(to), std::to_integer<unsigned char>(with), bytes, nullptr) == 0 &&
               driver_.await_stream(nullptr) == 0;
    }
    double copy_gb_s(void* to, const void* from, std::uint64_t bytes) override {
        float ms = 0;
        const bool done = driver_.record_event(began_, nullptr) == 0 &&
                          driver_.within(address(to), address(from), bytes, nullptr) == 0 &&
                          driver_.record_event(ended_, nullptr) == 0 && driver_.await_event(ended_) == 0 &&
                          driver_.elapsed(&ms, began_, ended_) == 0;
        return done && ms > 0 ? 2e-6 * static_cast<double>(bytes) / static_cast<double>(ms) : 0;
    }

private:
    CudaDriver driver_;
    void* began_ = nullptr;
    void* ended_ = nullptr;
    std::vector<DeviceAddress> taken_;

    static DeviceAddress address(const void* p) { return reinterpret_cast<DeviceAddress>(p); }
};

}  // namespace

std::unique_ptr<DeviceMemory> open_device_memory(BuildTarget target) {
    if (target == BuildTarget::cpu) return std::make_unique<HostMemory>();
    auto gpu = std::make_unique<GpuMemory>();
    if (!gpu->open()) return nullptr;
    return gpu;
}

}  // namespace kasc::runtime
