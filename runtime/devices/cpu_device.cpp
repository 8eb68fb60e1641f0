#include "runtime/devices/cpu_device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <stdexcept>

#include "kasc_rooms.hpp"

namespace kasc::runtime {

namespace {

using Launch = void (*)(void* const*, const long long*, const long long*, void*);
using Transform = int (*)(int, int, const long long*, void*, void*, int, const long long*);
using Order = void (*)(int, long long, long long, void*, const void*);

class CpuDevice final : public ComputeDevice {
public:
    CpuDevice(std::shared_ptr<void> library, bool copies) : library_(std::move(library)), copies_(copies) {
        const auto make = reinterpret_cast<void* (*)()>(find("kasc_make_launches"));
        finish_launches_ = reinterpret_cast<void (*)(void*)>(find("kasc_finish_launches"));
        release_launches_ = reinterpret_cast<void (*)(void*)>(find("kasc_release_launches"));
        if (fault_.empty()) launches_ = make();
    }
    CpuDevice(const CpuDevice&) = delete;
    CpuDevice& operator=(const CpuDevice&) = delete;
    ~CpuDevice() override {
        if (launches_ != nullptr) release_launches_(launches_);
        for (const auto& [p, bytes] : reserved_) munmap(p, bytes);
    }

    [[nodiscard]] const std::string& fault() const override { return fault_; }
    [[nodiscard]] bool shares_host_memory() const override { return !copies_; }

    [[nodiscard]] std::byte* take(const std::string& name, std::uint64_t bytes) override {
        if (!fault_.empty()) return nullptr;
        void* p = rooms_.take(bytes);
        if (p == nullptr) fault_ = fmt::format("{}: no memory for {} bytes", name, bytes);
        return static_cast<std::byte*>(p);
    }
    /// A part of the array is touched here: pages are taken as they are.
    [[nodiscard]] std::byte* take_cut(const std::string& name, std::uint64_t bytes, const ArrayParts&) override {
        if (!fault_.empty()) return nullptr;
        void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) {
            fault_ = fmt::format("{}: no room for {} bytes", name, bytes);
            return nullptr;
        }
        reserved_.emplace_back(p, bytes);
        return static_cast<std::byte*>(p);
    }
    void copy(std::byte* to, const std::byte* from, std::uint64_t bytes) override {
        if (to != from && finish()) std::memcpy(to, from, bytes);
    }
    void zero(std::byte* to, std::uint64_t bytes) override {
        if (finish()) std::memset(to, 0, bytes);
    }
    void upload(std::byte* to, const void* values, std::uint64_t bytes) override {
        if (finish()) std::memcpy(to, values, bytes);
    }
    void download(void* values, const std::byte* from, std::uint64_t bytes) override {
        if (finish()) std::memcpy(values, from, bytes);
    }

    [[nodiscard]] long long most_blocks_across() const override { return std::numeric_limits<int>::max(); }
    [[nodiscard]] std::size_t find_kernel(const std::string& name, int /*dynamic_shared_bytes*/) override {
        kernels_.push_back(reinterpret_cast<Launch>(find(name + "_launch")));
        return kernels_.size() - 1;
    }
    void launch(std::size_t kernel, const LaunchShape& grid, const LaunchShape&, void* const* arguments) override {
        run(kernel, {{0, 0, 0}, grid}, arguments, launches_);
    }
    void launch_share(int, std::size_t kernel, const LaunchShare& share, const LaunchShape&,
                      const std::vector<void*>& arguments) override {
        if (finish()) run(kernel, share, arguments.data(), nullptr);
    }

    [[nodiscard]] bool stores_functions() const override { return false; }
    [[nodiscard]] std::size_t add_transform(const TransformShape& shape) override {
        const bool dual = is_dual(shape.from);
        transforms_.push_back(
            {shape, reinterpret_cast<Transform>(find(dual ? "kasc_transform_double" : "kasc_transform_float"))});
        return transforms_.size() - 1;
    }
    [[nodiscard]] std::size_t add_storing_transform(const TransformShape&, const StoredFunction&) override {
        throw std::logic_error("transforms of a CPU store what they transform");
    }
    [[nodiscard]] std::size_t add_list(const ListShape& shape) override {
        lists_.push_back(shape);
        order_ = reinterpret_cast<Order>(find("kasc_order_entries"));
        return lists_.size() - 1;
    }
    void ready_transforms() override {}
    void transform(std::size_t number, std::byte* to, std::byte* from, bool forward) override {
        transform_lines(number, to, from, forward, nullptr);
    }
    void transform_part(std::size_t number, std::byte* to, std::byte* from, bool forward,
                        const TransformPart& part) override {
        const std::array<long long, 5> numbers{static_cast<long long>(part.axis), part.outer_low, part.outer_high,
                                               part.column_low, part.column_high};
        transform_lines(number, to, from, forward, numbers.data());
    }
    void storing_transform(std::size_t, std::byte*, std::byte*, bool, const std::vector<void*>&) override {
        throw std::logic_error("transforms of a CPU store what they transform");
    }
    void order(std::size_t number, std::byte* to, const std::byte* from) override { order_list(0, number, to, from); }
    void runs(std::size_t number, std::byte* to, const std::byte* from) override { order_list(1, number, to, from); }
    void starts(std::size_t number, std::byte* to, const std::byte* from) override { order_list(2, number, to, from); }
    void repeat(std::size_t, const std::vector<std::byte*>&, const std::function<void()>& launches) override {
        launches();
    }

    void synchronise() override { (void)finish(); }
    void begin_timing() override {
        (void)finish();
        began_ = std::chrono::steady_clock::now();
    }
    [[nodiscard]] double end_timing() override {
        (void)finish();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }

private:
    std::shared_ptr<void> library_;
    const bool copies_;
    std::string fault_;
    kasc_rooms rooms_;
    std::vector<std::pair<void*, std::uint64_t>> reserved_;
    std::vector<Launch> kernels_;
    std::vector<std::pair<TransformShape, Transform>> transforms_;
    std::vector<ListShape> lists_;
    Order order_ = nullptr;
    void* launches_ = nullptr;  ///< launches that wait (support/kasc_planes.hpp)
    void (*finish_launches_)(void*) = nullptr;
    void (*release_launches_)(void*) = nullptr;
    std::chrono::steady_clock::time_point began_;

    /// What was launched is computed; false: the device has failed.
    [[nodiscard]] bool finish() {
        if (launches_ != nullptr) finish_launches_(launches_);
        return fault_.empty();
    }
    /// `launches`: those that the launch may wait with; null: none.
    void run(std::size_t kernel, const LaunchShare& share, void* const* arguments, void* launches) {
        const std::array<long long, 3> first{share.first.x, share.first.y, share.first.z},
            blocks{share.blocks.x, share.blocks.y, share.blocks.z};
        if (fault_.empty()) kernels_.at(kernel)(arguments, first.data(), blocks.data(), launches);
    }
    void transform_lines(std::size_t number, std::byte* to, std::byte* from, bool forward, const long long* part) {
        // FFTW makes plans for one thread at a time, where there are several devices.
        static std::mutex one_at_a_time;
        if (!finish()) return;
        const auto& [shape, function] = transforms_.at(number);
        std::vector<long long> numbers = shape.lengths;
        numbers.insert(numbers.end(), {shape.inner, shape.outer});
        const int kind = !is_complex(shape.from) ? 0 : !is_complex(shape.to) ? 1 : 2;
        const std::lock_guard lock(one_at_a_time);
        if (function(kind, static_cast<int>(shape.lengths.size()), numbers.data(), to, from, forward ? 1 : 0, part) !=
            0)
            fault_ = "a transform: FFTW makes no plan";
    }
    void order_list(int what, std::size_t number, std::byte* to, const std::byte* from) {
        const ListShape& list = lists_.at(number);
        if (finish()) order_(what, list.entries, list.cells, to, from);
    }

    void* find(const std::string& symbol) {
        void* found = dlsym(library_.get(), symbol.c_str());
        if (found == nullptr && fault_.empty()) fault_ = "the program that was built lacks " + symbol;
        return found;
    }
};

}  // namespace

Outcome<std::unique_ptr<ComputeDevice>> open_cpu_device(const std::string& library, bool copies) {
    using Opened = std::unique_ptr<ComputeDevice>;
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        Diagnostic d;
        d.code = "K0804";
        d.message = "cannot load the program that was built";
        const char* reason = dlerror();
        if (reason != nullptr) d.notes.push_back({{}, reason});
        return failure<Opened>(std::move(d));
    }
    return success<Opened>(std::make_unique<CpuDevice>(std::shared_ptr<void>(handle, dlclose), copies));
}

}  // namespace kasc::runtime
