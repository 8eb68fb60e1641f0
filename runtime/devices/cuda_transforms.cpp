// Names and numbers are those of cufft.h and cufftXt.h, which are stable.
#include "runtime/devices/cuda_transforms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "runtime/processes/shared_library.hpp"

namespace kasc::runtime {

namespace {

// cufftType, and the directions.
enum CufftType { r2c = 0x2a, c2r = 0x2c, c2c = 0x29, d2z = 0x6a, z2d = 0x6c, z2z = 0x69 };
constexpr int forwards = -1, backwards = 1;

CufftType type_of(const TransformShape& shape) {
    const bool dual = is_dual(shape.from);
    if (!is_complex(shape.from)) return dual ? d2z : r2c;
    if (!is_complex(shape.to)) return dual ? z2d : c2r;
    return dual ? z2z : c2c;
}

/// cufftXtCallbackType of a store: complex, complex double, real, real double.
int store_callback(CellType to) { return (is_complex(to) ? 4 : 6) + (is_dual(to) ? 1 : 0); }

}  // namespace

struct CudaTransforms::Library {
    int (*create)(int*) = nullptr;
    int (*destroy)(int) = nullptr;
    int (*set_auto_allocation)(int, int) = nullptr;
    int (*make_plan)(int, int, long long*, long long*, long long, long long, long long*, long long, long long, int,
                     long long, std::size_t*) = nullptr;
    int (*set_stream)(int, void*) = nullptr;
    int (*set_area)(int, void*) = nullptr;
    int (*run_r2c)(int, void*, void*) = nullptr;
    int (*run_c2r)(int, void*, void*) = nullptr;
    int (*run_d2z)(int, void*, void*) = nullptr;
    int (*run_z2d)(int, void*, void*) = nullptr;
    int (*run_c2c)(int, void*, void*, int) = nullptr;
    int (*run_z2z)(int, void*, void*, int) = nullptr;
    /// Null: of a cuFFT before 11.3.
    int (*set_callback)(int, const char*, const void*, std::size_t, int, void**) = nullptr;

    [[nodiscard]] bool load() {
        void* library = open_cuda_library({"libcufft.so.12", "libcufft.so.11", "libcufft.so"});
        if (library == nullptr) return false;
        const auto find = [&](const char* name, auto& into) { return find_function(library, name, into); };
        static_cast<void>(find("cufftXtSetJITCallback", set_callback));
        return find("cufftCreate", create) && find("cufftDestroy", destroy) &&
               find("cufftSetAutoAllocation", set_auto_allocation) && find("cufftMakePlanMany64", make_plan) &&
               find("cufftSetStream", set_stream) && find("cufftSetWorkArea", set_area) &&
               find("cufftExecR2C", run_r2c) && find("cufftExecC2R", run_c2r) && find("cufftExecD2Z", run_d2z) &&
               find("cufftExecZ2D", run_z2d) && find("cufftExecC2C", run_c2c) && find("cufftExecZ2Z", run_z2z);
    }
};

CudaTransforms::~CudaTransforms() {
    for (const Plan& p : plans_) library_->destroy(p.handle);
}

bool CudaTransforms::open() {
    if (library_) return true;
    auto library = std::make_shared<Library>();
    if (!library->load()) {
        fault_ = "cuFFT, which the program's transforms need, is not on this machine (pip install nvidia-cufft)";
        return false;
    }
    library_ = std::move(library);
    return true;
}

void CudaTransforms::check(int result) {
    if (result != 0 && fault_.empty()) fault_ = fmt::format("a transform: cuFFT's error {}", result);
}

/// The plan stands last where it was made. cuFFT's result.
template <class Before>
int CudaTransforms::make(const TransformShape& shape, const Before& before) {
    const CufftType type = type_of(shape);
    std::vector<long long> whole = shape.lengths, half = shape.lengths;
    half.back() = half.back() / 2 + 1;
    const bool from_half = type == c2r || type == z2d, to_half = type == r2c || type == d2z;
    std::vector<long long>&from = from_half ? half : whole, &to = to_half ? half : whole;
    const auto cells = [](const std::vector<long long>& lengths) {
        long long product = 1;
        for (const long long n : lengths) product *= n;
        return product;
    };
    const long long from_cells = cells(from), to_cells = cells(to);
    // cuFFT knows one distance between transforms: of neighbours where there are any, else of whole arrays.
    const bool neighbours = shape.inner > 1;
    Plan plan{0, shape, neighbours ? shape.outer : 1,
              static_cast<std::size_t>(shape.inner * from_cells) * cell_bytes(shape.from),
              static_cast<std::size_t>(shape.inner * to_cells) * cell_bytes(shape.to)};
    std::size_t area = 0;
    int result = library_->create(&plan.handle);
    if (result != 0) return result;
    result = library_->set_auto_allocation(plan.handle, 0);
    if (result == 0) result = before(plan.handle);
    if (result == 0)
        result = library_->make_plan(plan.handle, static_cast<int>(whole.size()), whole.data(), from.data(),
                                     shape.inner, neighbours ? 1 : from_cells, to.data(), shape.inner,
                                     neighbours ? 1 : to_cells, type, neighbours ? shape.inner : shape.outer, &area);
    if (result == 0) result = library_->set_stream(plan.handle, stream_);
    if (result != 0) {
        library_->destroy(plan.handle);
        return result;
    }
    area_ = std::max(area_, area);
    plans_.push_back(std::move(plan));
    return 0;
}

std::size_t CudaTransforms::add(const TransformShape& shape) {
    if (open()) check(make(shape, [](int) { return 0; }));
    return plans_.empty() ? 0 : plans_.size() - 1;
}

std::optional<std::size_t> CudaTransforms::add_storing(const TransformShape& shape, const std::string& function,
                                                       const std::string& code, void* arguments) {
    if (!open() || library_->set_callback == nullptr || code.empty()) return std::nullopt;
    std::array<void*, 1> given{arguments};
    const int result = make(shape, [&](int plan) {
        return library_->set_callback(plan, function.c_str(), code.data(), code.size(), store_callback(shape.to),
                                      given.data());
    });
    if (result != 0) return std::nullopt;
    return plans_.size() - 1;
}

void CudaTransforms::set_area(void* area) {
    for (const Plan& p : plans_) check(library_->set_area(p.handle, area));
}

void CudaTransforms::set_stream(void* stream) {
    stream_ = stream;
    for (const Plan& p : plans_) check(library_->set_stream(p.handle, stream));
}

void CudaTransforms::run(std::size_t number, std::byte* to, std::byte* from, bool forward) {
    if (!fault_.empty()) return;
    const Plan& p = plans_.at(number);
    const int direction = forward ? forwards : backwards;
    for (long long k = 0; k < p.repeats; ++k, from += p.from_bytes, to += p.to_bytes) {
        switch (type_of(p.shape)) {
            case r2c:
                check(library_->run_r2c(p.handle, from, to));
                break;
            case c2r:
                check(library_->run_c2r(p.handle, from, to));
                break;
            case d2z:
                check(library_->run_d2z(p.handle, from, to));
                break;
            case z2d:
                check(library_->run_z2d(p.handle, from, to));
                break;
            case c2c:
                check(library_->run_c2c(p.handle, from, to, direction));
                break;
            case z2z:
                check(library_->run_z2z(p.handle, from, to, direction));
                break;
        }
    }
}

}  // namespace kasc::runtime
