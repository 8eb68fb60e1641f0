#include "runtime/devices/cuda_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

#include "runtime/devices/cuda_driver.hpp"
#include "runtime/devices/cuda_transforms.hpp"

namespace kasc::runtime {

namespace {

DeviceAddress address_of(const std::byte* p) { return reinterpret_cast<DeviceAddress>(p); }

class CudaDevice final : public ComputeDevice {
public:
    CudaDevice(CudaCode code, std::shared_ptr<SharedBlocks> shared, void* stream, int number)
        : gpu_(number),
          driver_(gpu_.driver()),
          code_(std::move(code)),
          shared_(std::move(shared)),
          stream_(stream),
          is_callers_stream_(stream != nullptr) {}
    CudaDevice(const CudaDevice&) = delete;
    CudaDevice& operator=(const CudaDevice&) = delete;
    ~CudaDevice() override {
        if (!gpu_.fault().empty()) return;
        const WithinContext within(gpu_);
        await_own();
        for (const auto& [group, captures] : graphs_) {
            for (const Captured& c : captures)
                if (c.graph != nullptr) driver_.destroy_graph_code(c.graph);
        }
        transforms_.reset();
        for (std::byte* block : taken_)
            if (!shared_) driver_.release(address_of(block));
        for (void* event : {began_, ended_})
            if (event != nullptr) driver_.destroy_event(event);
        for (void* stream : {is_callers_stream_ ? nullptr : stream_, capturing_})
            if (stream != nullptr) driver_.destroy_stream(stream);
    }

    void open() {
        fault_ = gpu_.fault().empty() ? code_.kernels->fault() : gpu_.fault();
        if (fault_.empty()) check(gpu_.enter(), "the device");
        if (!is_callers_stream_) {
            if (fault_.empty()) check(driver_.make_stream(&stream_, 0), "a stream");
            if (fault_.empty()) check(driver_.make_event(&began_, 0), "an event");
            if (fault_.empty()) check(driver_.make_event(&ended_, 0), "an event");
        }
        if (fault_.empty()) transforms_ = std::make_unique<CudaTransforms>(stream_);
    }

    [[nodiscard]] const std::string& fault() const override { return fault_; }
    [[nodiscard]] bool shares_host_memory() const override { return false; }

    [[nodiscard]] std::byte* take(const std::string& name, std::uint64_t bytes) override {
        if (!fault_.empty()) return nullptr;
        std::byte* block = shared_ ? shared_->find(bytes, taken_) : nullptr;
        if (block == nullptr) {
            const std::uint64_t room = std::max<std::uint64_t>(bytes, 1);
            DeviceAddress address = 0;
            if (!check(driver_.allocate(&address, room), name)) return nullptr;
            block = reinterpret_cast<std::byte*>(address);
            if (shared_) shared_->add({block, room});
        }
        taken_.push_back(block);
        return block;
    }
    void copy(std::byte* to, const std::byte* from, std::uint64_t bytes) override {
        if (fault_.empty() && to != from)
            check(driver_.within(address_of(to), address_of(from), bytes, stream_), "copy");
    }
    void zero(std::byte* to, std::uint64_t bytes) override {
        if (fault_.empty()) check(driver_.set_bytes(address_of(to), 0, bytes, stream_), "zero");
    }
    void upload(std::byte* to, const void* values, std::uint64_t bytes) override {
        if (fault_.empty()) check(driver_.to_device(address_of(to), values, bytes, stream_), "upload");
        synchronise();
    }
    void download(void* values, const std::byte* from, std::uint64_t bytes) override {
        if (fault_.empty()) check(driver_.to_host(values, address_of(from), bytes, stream_), "download");
        synchronise();
    }

    [[nodiscard]] long long most_blocks_across() const override { return 65535; }
    [[nodiscard]] std::size_t find_kernel(const std::string& name, int dynamic_shared_bytes) override {
        void* const function = fault_.empty() ? code_.kernels->find(name) : nullptr;
        if (fault_.empty() && function == nullptr) fault_ = name + ": it is not there";
        constexpr int dynamic_shared_size = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        if (fault_.empty() && dynamic_shared_bytes > 0)
            check(driver_.set_function(function, dynamic_shared_size, dynamic_shared_bytes), name);
        functions_.push_back({function, name, static_cast<unsigned>(dynamic_shared_bytes)});
        return functions_.size() - 1;
    }
    void launch(std::size_t kernel, const LaunchShape& grid, const LaunchShape& block,
                void* const* arguments) override {
        if (!fault_.empty()) return;
        const auto n = [](long long count) { return static_cast<unsigned>(count); };
        const auto& [function, name, shared] = functions_.at(kernel);
        // The driver reads the addresses alone.
        check(driver_.launch(function, n(grid.x), n(grid.y), n(grid.z), n(block.x), n(block.y), n(block.z), shared,
                             stream_, const_cast<void**>(arguments), nullptr),
              name);
    }

    void launch_share(int, std::size_t kernel, const LaunchShare& share, const LaunchShape& block,
                      const std::vector<void*>& arguments) override {
        launch(kernel, share.blocks, block, arguments.data());  // the only rank's share is all of it
    }

    [[nodiscard]] bool stores_functions() const override { return true; }
    [[nodiscard]] std::size_t add_transform(const TransformShape& shape) override {
        if (!fault_.empty()) return 0;
        const std::size_t number = transforms_->add(shape);
        fault_ = transforms_->fault();
        return number;
    }
    [[nodiscard]] std::size_t add_storing_transform(const TransformShape& shape,
                                                    const StoredFunction& function) override {
        Storing s{function.cells,
                  take(function.name, function.argument_bytes),
                  find_kernel(function.name + "_give", 0),
                  find_kernel(function.name + "_behind", 0),
                  std::nullopt,
                  0};
        if (function.cells > std::numeric_limits<int>::max() - threads_behind)
            fault_ = fmt::format("{} counts cells in 31 bits, the arrays have {}", function.name, function.cells);
        if (fault_.empty() && code_.stored) {
            if (!stored_) stored_ = code_.stored();
            s.linked = transforms_->add_storing(shape, function.name, *stored_, s.arguments);
        }
        if (fault_.empty() && !s.linked) s.plain = add_transform(shape);
        storing_.push_back(s);
        return storing_.size() - 1;
    }
    [[nodiscard]] std::size_t add_list(const ListShape& shape) override {
        lists_.push_back(shape);
        if (lists_.size() > 1) return lists_.size() - 1;
        count_ = find_kernel("kasc_order_count", 0), scan_ = find_kernel("kasc_order_scan", 0);
        place_ = find_kernel("kasc_order_place", 0), runs_ = find_kernel("kasc_order_runs", 0);
        starts_ = find_kernel("kasc_order_starts", 0);
        return 0;
    }
    void ready_transforms() override {
        if (!lists_.empty()) {
            long long words = 0;
            for (const ListShape& list : lists_)
                words = std::max(words, 3 * list.entries + digits * (tiles(list.entries) + 1));
            work_ = reinterpret_cast<int*>(take("the work area of ordered lists", sizeof(int) * words));
        }
        if (!fault_.empty() || transforms_->area_bytes() == 0) return;
        std::byte* area = take("the work area of the transforms", transforms_->area_bytes());
        if (!fault_.empty()) return;
        transforms_->set_area(area);
        fault_ = transforms_->fault();
    }
    void transform(std::size_t number, std::byte* to, std::byte* from, bool forward) override {
        if (!fault_.empty()) return;
        transforms_->run(number, to, from, forward);
        fault_ = transforms_->fault();
    }
    void storing_transform(std::size_t number, std::byte* to, std::byte* from, bool forward,
                           const std::vector<void*>& arguments) override {
        Storing& s = storing_.at(number);
        std::vector<void*> given{&s.arguments};
        given.insert(given.end(), arguments.begin(), arguments.end());
        launch(s.give, {}, {}, given.data());
        transform(s.linked.value_or(s.plain), to, from, forward);
        if (s.linked) return;
        int cells = static_cast<int>(s.cells);
        const std::array<void*, 3> behind{&to, &cells, &s.arguments};
        launch(s.behind, {(s.cells + threads_behind - 1) / threads_behind}, {threads_behind}, behind.data());
    }

    /// As support/kasc_orders.cuh does it.
    void order(std::size_t number, std::byte* to, const std::byte* from) override {
        const ListShape& list = lists_.at(number);
        int n = static_cast<int>(list.entries), blocks = static_cast<int>(tiles(list.entries)), passes = 1;
        const std::array<int*, 2> cells{work_, work_ + n},
            entries{reinterpret_cast<int*>(to), work_ + 2 * list.entries};
        int* counts = work_ + 3 * list.entries;
        int* totals = counts + digits * static_cast<long long>(blocks);
        while (list.cells >> (digit_bits * passes) > 0) ++passes;
        const int *cell = reinterpret_cast<const int*>(from), *entry = nullptr;
        for (int pass = 0; pass < passes; ++pass) {
            int shift = digit_bits * pass;
            int *to_cells = cells.at((passes - 1 - pass) % 2), *to_entries = entries.at((passes - 1 - pass) % 2);
            const std::array<void*, 5> counted{&cell, &n, &shift, &counts, &blocks};
            launch(count_, {blocks}, {order_threads}, counted.data());
            const std::array<void*, 3> scanned{&counts, &totals, &blocks};
            launch(scan_, {digits}, {scan_threads}, scanned.data());
            const std::array<void*, 9> placed{&cell,   &entry,  &n,        &shift,     &counts,
                                              &totals, &blocks, &to_cells, &to_entries};
            launch(place_, {blocks}, {order_threads}, placed.data());
            cell = to_cells, entry = to_entries;
        }
    }
    void runs(std::size_t number, std::byte* to, const std::byte* from) override {
        launch_over(runs_, (lists_.at(number).entries + order_threads - 1) / order_threads, number, to, from);
    }
    void starts(std::size_t number, std::byte* to, const std::byte* from) override {
        launch_over(starts_, tiles(lists_.at(number).entries), number, to, from);
    }

    /// The first time on the same arrays the launches run as they are, which also loads their kernels; the second time
    /// they are captured, from then on replayed. Arrays that change places are few; where they never come back there is
    /// nothing to replay. In a graph of the caller's they stand one by one.
    void repeat(std::size_t group, const std::vector<std::byte*>& arrays,
                const std::function<void()>& launches) override {
        constexpr std::size_t most_captures = 8;
        if (!fault_.empty()) return;
        if (is_callers_stream_ && is_captured(stream_)) return launches();
        std::vector<Captured>& captures = graphs_[group];
        const auto seen =
            std::find_if(captures.begin(), captures.end(), [&](const Captured& c) { return c.arrays == arrays; });
        if (seen == captures.end()) {
            if (captures.size() < most_captures) captures.push_back({arrays, nullptr});
            return launches();
        }
        if (seen->graph == nullptr) capture(launches, seen->graph);
        if (fault_.empty()) check(driver_.launch_graph(seen->graph, stream_), "a graph of launches");
    }

    void synchronise() override {
        if (fault_.empty() && !is_callers_stream_) check(driver_.await_stream(stream_), "kernels");
    }
    void begin_timing() override {
        if (fault_.empty() && !is_callers_stream_) check(driver_.record_event(began_, stream_), "time");
    }
    [[nodiscard]] double end_timing() override {
        float ms = 0;
        if (is_callers_stream_) return 0;
        if (fault_.empty()) check(driver_.record_event(ended_, stream_), "time");
        if (fault_.empty()) check(driver_.await_event(ended_), "kernels");
        if (fault_.empty()) check(driver_.elapsed(&ms, began_, ended_), "time");
        return 1e-3 * static_cast<double>(ms);
    }

private:
    static constexpr int threads_behind = 256;  ///< of a block of <name>_behind
    /// Sizes of support/kasc_order_kernels.cuh.
    static constexpr int order_threads = 256, order_tile = 4096, scan_threads = 1024, digits = 256, digit_bits = 8;
    [[nodiscard]] static long long tiles(long long entries) { return (entries + order_tile - 1) / order_tile; }
    /// A kernel over a list in ascending order.
    void launch_over(std::size_t kernel, long long blocks, std::size_t number, std::byte* to, const std::byte* from) {
        int n = static_cast<int>(lists_.at(number).entries), none = static_cast<int>(lists_.at(number).cells);
        const std::array<void*, 4> arguments{&from, &n, &none, &to};
        launch(kernel, {blocks}, {order_threads}, arguments.data());
    }

    struct Storing {
        long long cells;
        std::byte* arguments;
        std::size_t give, behind;
        std::optional<std::size_t> linked;  ///< cuFFT calls the function
        std::size_t plain;                  ///< else: a kernel behind it does
    };
    struct Captured {
        std::vector<std::byte*> arrays;
        void* graph;
    };
    const GpuContext gpu_;
    const CudaDriver& driver_;
    CudaCode code_;
    std::shared_ptr<SharedBlocks> shared_;
    void *stream_ = nullptr, *began_ = nullptr, *ended_ = nullptr;
    void* capturing_ = nullptr;  ///< where graphs are captured: the caller's stream may be the default, which cannot be
    bool is_callers_stream_ = false;
    std::string fault_;
    std::vector<std::byte*> taken_;
    struct Function {
        void* function;
        std::string name;
        unsigned dynamic_shared_bytes;
    };
    std::vector<Function> functions_;
    std::unique_ptr<CudaTransforms> transforms_;
    std::vector<Storing> storing_;
    std::optional<std::string> stored_;
    std::vector<ListShape> lists_;
    std::size_t count_ = 0, scan_ = 0, place_ = 0, runs_ = 0, starts_ = 0;
    int* work_ = nullptr;
    std::map<std::size_t, std::vector<Captured>> graphs_;

    bool check(int error, const std::string& what) {
        if (error != 0 && fault_.empty()) fault_ = what + ": " + driver_.text(error);
        return error == 0;
    }
    /// What may be at work on what goes with the device. Its stream may be gone where it is the caller's.
    void await_own() {
        if (!is_callers_stream_) {
            if (stream_ != nullptr) driver_.await_stream(stream_);
        } else if (!graphs_.empty() || (transforms_ && !transforms_->empty()) || !shared_) {
            driver_.await_context();
        }
    }

    void capture(const std::function<void()>& launches, void*& graph_code) {
        if (!is_callers_stream_) return capture_here(launches, graph_code);
        constexpr unsigned beside_the_default = 1;  // CU_STREAM_NON_BLOCKING
        if (capturing_ == nullptr && !check(driver_.make_stream(&capturing_, beside_the_default), "a stream")) return;
        void* const callers = stream_;
        work_in(capturing_);
        capture_here(launches, graph_code);
        work_in(callers);
    }
    void work_in(void* stream) {
        stream_ = stream;
        transforms_->set_stream(stream);
        if (fault_.empty()) fault_ = transforms_->fault();
    }
    void capture_here(const std::function<void()>& launches, void*& graph_code) {
        constexpr int of_this_thread = 1;  // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        if (!check(driver_.begin_capture(stream_, of_this_thread), "the capture of a graph")) return;
        launches();
        void* graph = nullptr;
        const int ended = driver_.end_capture(stream_, &graph);
        if (check(ended, "the capture of a graph") && fault_.empty())
            check(driver_.instantiate(&graph_code, graph, 0), "a graph of launches");
        if (graph != nullptr) driver_.destroy_graph(graph);
    }
};

}  // namespace

LoadedKernels::LoadedKernels(const std::vector<std::string>& units, int number) : gpu_(number), fault_(gpu_.fault()) {
    const WithinContext within(gpu_);
    for (const std::string& unit : units) {
        if (!fault_.empty()) return;
        void* module = nullptr;
        const int error = gpu_.driver().load_module(&module, unit.data());
        if (error == 0) {
            modules_.push_back(module);
        } else {
            fault_ = "the program's kernels: " + gpu_.driver().text(error);
        }
    }
}

LoadedKernels::~LoadedKernels() {
    if (modules_.empty()) return;
    const WithinContext within(gpu_);
    gpu_.driver().await_context();
    for (void* module : modules_) gpu_.driver().unload_module(module);
}

void* LoadedKernels::find(const std::string& name) const {
    void* function = nullptr;
    const auto holds = [&](void* module) { return gpu_.driver().get_function(&function, module, name.c_str()) == 0; };
    return std::any_of(modules_.begin(), modules_.end(), holds) ? function : nullptr;
}

SharedBlocks::~SharedBlocks() {
    if (!gpu_) return;
    const WithinContext within(*gpu_);
    gpu_->driver().await_context();
    for (const Block& block : blocks_) gpu_->driver().release(address_of(block.address));
}

void SharedBlocks::add(const Block& block) {
    if (!gpu_) gpu_ = std::make_unique<const GpuContext>();
    blocks_.push_back(block);
}

std::byte* SharedBlocks::find(std::uint64_t bytes, const std::vector<std::byte*>& taken) const {
    const Block* best = nullptr;
    for (const Block& block : blocks_) {
        if (block.bytes < bytes || (best != nullptr && best->bytes <= block.bytes)) continue;
        if (std::find(taken.begin(), taken.end(), block.address) == taken.end()) best = &block;
    }
    return best == nullptr ? nullptr : best->address;
}

Outcome<std::unique_ptr<ComputeDevice>> open_cuda_device(CudaCode code, std::shared_ptr<SharedBlocks> shared,
                                                         void* stream, int number) {
    using Opened = std::unique_ptr<ComputeDevice>;
    auto device = std::make_unique<CudaDevice>(std::move(code), std::move(shared), stream, number);
    device->open();
    if (device->fault().empty()) return success<Opened>(std::move(device));
    return failure<Opened>(placeless("K0812", "the device cannot be used: " + device->fault()));
}

bool is_captured(void* stream) {
    CudaDriver driver;
    int status = 0;  // CU_STREAM_CAPTURE_STATUS_NONE
    return driver.load() && driver.is_capturing(stream, &status) == 0 && status != 0;
}

}  // namespace kasc::runtime
