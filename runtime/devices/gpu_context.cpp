#include "runtime/devices/gpu_context.hpp"

namespace kasc::runtime {

GpuContext::GpuContext(int number) {
    if (!driver_.load()) {
        fault_ = "there is no driver";
        return;
    }
    const auto check = [&](int error, const char* what) {
        if (error != 0) fault_ = what + (": " + driver_.text(error));
        return error == 0;
    };
    if (check(driver_.initialise(0), "the driver") && check(driver_.get_device(&device_, number), "the device"))
        check(driver_.retain_context(&context_, device_), "the device");
}

GpuContext::~GpuContext() {
    if (context_ != nullptr) driver_.release_context(device_);
}

WithinContext::WithinContext(const GpuContext& context) : context_(context) {
    if (context.context_ != nullptr) entered_ = context.driver_.push_context(context.context_) == 0;
}

WithinContext::~WithinContext() {
    void* own = nullptr;
    if (entered_) context_.driver_.pop_context(&own);
}

}  // namespace kasc::runtime
