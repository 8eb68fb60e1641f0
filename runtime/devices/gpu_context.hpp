#pragma once
// A GPU's context, mostly the first's, which CUDA's runtime and packages of Python have as well, kept by whoever holds
// memory or code in it.

#include <string>

#include "runtime/devices/cuda_driver.hpp"

namespace kasc::runtime {

class GpuContext {
public:
    /// For the device of this number, in the driver's order.
    explicit GpuContext(int number = 0);
    GpuContext(const GpuContext&) = delete;
    GpuContext& operator=(const GpuContext&) = delete;
    ~GpuContext();

    /// Empty: it is there.
    [[nodiscard]] const std::string& fault() const { return fault_; }
    [[nodiscard]] const CudaDriver& driver() const { return driver_; }
    /// The calling thread's own from now on. CUDA's error, 0: none.
    [[nodiscard]] int enter() const { return driver_.set_context(context_); }

private:
    friend class WithinContext;
    CudaDriver driver_;
    int device_ = 0;
    void* context_ = nullptr;
    std::string fault_;
};

/// The context is the calling thread's own until this goes; then what was is again, which may be another GPU's.
class WithinContext {
public:
    explicit WithinContext(const GpuContext& context);
    WithinContext(const WithinContext&) = delete;
    WithinContext& operator=(const WithinContext&) = delete;
    ~WithinContext();

private:
    const GpuContext& context_;
    bool entered_ = false;
};

}  // namespace kasc::runtime
