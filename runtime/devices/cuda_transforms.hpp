#pragma once
// Transforms by cuFFT, found when they are needed. They take turns on one stream, so that one work area serves them
// all.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/devices/compute_device.hpp"

namespace kasc::runtime {

class CudaTransforms {
public:
    explicit CudaTransforms(void* stream) : stream_(stream) {}
    ~CudaTransforms();
    CudaTransforms(const CudaTransforms&) = delete;
    CudaTransforms& operator=(const CudaTransforms&) = delete;

    /// What went wrong first; empty: nothing.
    [[nodiscard]] const std::string& fault() const { return fault_; }
    /// A number for run().
    std::size_t add(const TransformShape& shape);
    /// The same with a function that cuFFT links into its last kernel; `arguments` is its address of them. None: this
    /// cuFFT cannot, or refuses.
    std::optional<std::size_t> add_storing(const TransformShape& shape, const std::string& function,
                                           const std::string& code, void* arguments);
    [[nodiscard]] bool empty() const { return plans_.empty(); }
    /// Bytes of the work area that all plans are then given.
    [[nodiscard]] std::size_t area_bytes() const { return area_; }
    void set_area(void* area);
    /// In which they run from now on.
    void set_stream(void* stream);
    void run(std::size_t number, std::byte* to, std::byte* from, bool forward);

private:
    struct Library;
    struct Plan {
        int handle = 0;
        TransformShape shape;
        long long repeats = 1;
        std::size_t from_bytes = 0, to_bytes = 0;  ///< from one of them to the next
    };
    std::shared_ptr<const Library> library_;
    void* stream_;
    std::vector<Plan> plans_;
    std::size_t area_ = 0;
    std::string fault_;

    [[nodiscard]] bool open();
    void check(int result);
    template <class Before>
    int make(const TransformShape& shape, const Before& before);
};

}  // namespace kasc::runtime
