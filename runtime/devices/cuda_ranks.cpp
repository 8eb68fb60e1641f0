// A process among several has one rank, whose arrays have pages where the process touches them; pieces of them
// are sent to others, or gathered for them and scattered, in the stream of its second lane.
//
// What one GPU does alone, transforms, ordered lists and kernels around them, is the first rank's device's, in the
// stream that the first rank has here. All else is done by rank.
#include "runtime/devices/cuda_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "runtime/devices/rank_memory.hpp"
#include "runtime/devices/stream_times.hpp"

namespace kasc::runtime {

namespace {

DeviceAddress address(const std::byte* p) { return reinterpret_cast<DeviceAddress>(p); }

/// Where arrays that are cut have pages: all, on the ranks as they are cut, or where they are held.
enum class Arrays { cut, reserved };

class CudaRanks final : public ComputeDevice {
public:
    /// `devices`: by rank. reserved: of a process among several, which has pages where it touches them.
    CudaRanks(CudaCode code, const std::vector<std::string>& units, std::vector<int> devices, Arrays arrays,
              std::unique_ptr<Nccl> nccl = nullptr)
        : code_(std::move(code)), devices_(std::move(devices)), arrays_(arrays), nccl_(std::move(nccl)) {
        for (const int device : devices_) {
            const bool first = ranks_.empty();
            ranks_.push_back(std::make_unique<Rank>(device));
            ranks_.back()->kernels = first ? code_.kernels : std::make_shared<const LoadedKernels>(units, device);
        }
        if (!pages_.load()) fault_ = "the driver is too old for memory that several GPUs share";
    }
    CudaRanks(const CudaRanks&) = delete;
    CudaRanks& operator=(const CudaRanks&) = delete;
    ~CudaRanks() override {
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            for (void* stream : ranks_[r]->streams)
                if (enter(r) && stream != nullptr) driver().await_stream(stream);
        }
        enter(0);
        exchange_times_.reset();
        nccl_.reset();
        first_.reset();
        memory_.reset();
        for (Room& room : rooms_) drop(room);
        for (void* event : {began_, ended_})
            if (event != nullptr) driver().destroy_event(event);
        for (std::size_t r = ranks_.size(); r-- > 0;) {
            if (!enter(r)) continue;
            for (void* event : ranks_[r]->marked)
                if (event != nullptr) driver().destroy_event(event);
            for (void* stream : ranks_[r]->streams)
                if (stream != nullptr) driver().destroy_stream(stream);
        }
    }

    void open() {
        constexpr unsigned without_time = 2;  // CU_EVENT_DISABLE_TIMING
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            Rank& rank = *ranks_[r];
            if (fault_.empty()) fault_ = rank.gpu.fault().empty() ? rank.kernels->fault() : rank.gpu.fault();
            if (!fault_.empty() || !check(rank.gpu.enter(), "a device")) return;
            int last = 0, first_served = 0;
            check(pages_.priorities(&last, &first_served), "a stream");
            check(pages_.make_stream(&rank.streams[0], 0, last), "a stream");
            check(pages_.make_stream(&rank.streams[1], 0, first_served), "a stream");
            for (void*& event : rank.marked) check(driver().make_event(&event, without_time), "an event");
        }
        current_ = ranks_.size() - 1;
        if (!fault_.empty() || !enter(0)) return;
        check(driver().make_event(&began_, 0), "an event");
        check(driver().make_event(&ended_, 0), "an event");
        memory_.emplace(pages_, devices_);
        if (nccl_) exchange_times_.emplace(driver());
        auto first = open_cuda_device(code_, nullptr, ranks_.front()->streams[0], devices_.front());
        if (first) {
            first_ = std::move(*first.value);
        } else {
            fault_ = first.diagnostics.front().message;
        }
    }

    [[nodiscard]] const std::string& fault() const override { return fault_; }
    [[nodiscard]] bool shares_host_memory() const override { return false; }

    [[nodiscard]] std::byte* take(const std::string& name, std::uint64_t bytes) override {
        return fault_.empty() ? taken(memory_->take(bytes), name) : nullptr;
    }
    [[nodiscard]] std::byte* take_cut(const std::string& name, std::uint64_t bytes, const ArrayParts& parts) override {
        if (!fault_.empty()) return nullptr;
        return taken(arrays_ == Arrays::reserved ? memory_->reserve(bytes) : memory_->take_cut(parts), name);
    }
    [[nodiscard]] const std::vector<ByteRange>& copies(int rank, const std::byte* array) const override {
        return fault_.empty() ? memory_->copies(rank, array) : ComputeDevice::copies(rank, array);
    }
    [[nodiscard]] std::byte* seen_by(int rank, std::byte* array) const override {
        return fault_.empty() ? memory_->seen_by(rank, array) : array;
    }
    void renew(int lane, const std::byte* array, const ByteRange& bytes) override {
        by(lane, "a copy", [&](void* stream) {
            const DeviceAddress from = address(array);
            const DeviceAddress to = address(seen_by(lane % ranks(), const_cast<std::byte*>(array)));
            return driver().within(to + bytes.low, from + bytes.low, bytes.high - bytes.low, stream);
        });
    }
    void hold(const std::byte* from, std::uint64_t bytes) override {
        if (fault_.empty() && !memory_->hold(from, bytes)) check(memory_->error(), "memory for a part of an array");
    }
    void copy(std::byte* to, const std::byte* from, std::uint64_t bytes) override {
        if (to == from) return;
        hold(to, bytes);
        for (const RankPart& of_to : memory_->parts(to, bytes)) {
            for (const RankPart& part : memory_->parts(from + of_to.first, of_to.bytes)) {
                const std::uint64_t first = of_to.first + part.first;
                by(of_to.rank, "copy", [&](void* stream) {
                    return driver().within(address(to + first), address(from + first), part.bytes, stream);
                });
            }
        }
    }
    void zero(std::byte* to, std::uint64_t bytes) override {
        hold(to, bytes);
        for (const RankPart& part : memory_->parts(to, bytes))
            by(part.rank, "zero",
               [&](void* stream) { return driver().set_bytes(address(to + part.first), 0, part.bytes, stream); });
    }
    void upload(std::byte* to, const void* values, std::uint64_t bytes) override {
        hold(to, bytes);
        synchronise();
        for (const RankPart& part : memory_->parts(to, bytes))
            by(part.rank, "upload", [&](void* stream) {
                return driver().to_device(address(to + part.first), static_cast<const std::byte*>(values) + part.first,
                                          part.bytes, stream);
            });
        synchronise();
    }
    void download(void* values, const std::byte* from, std::uint64_t bytes) override {
        synchronise();
        for (const RankPart& part : memory_->parts(from, bytes))
            by(part.rank, "download", [&](void* stream) {
                return driver().to_host(static_cast<std::byte*>(values) + part.first, address(from + part.first),
                                        part.bytes, stream);
            });
        synchronise();
    }

    [[nodiscard]] bool exchange(const std::vector<Message>& messages) override {
        if (nccl_ == nullptr) return false;
        by(lane_of_messages, "messages", [&](void* stream) {
            const int begun = exchange_times_->begin(stream);
            fault_ = nccl_->exchange(messages, stream);
            return begun != 0 ? begun : exchange_times_->end(stream);
        });
        return true;
    }
    [[nodiscard]] double exchange_seconds() override {
        return exchange_times_ && fault_.empty() && enter(0) ? exchange_times_->seconds() : 0;
    }
    [[nodiscard]] std::byte* message_room(MessageWay way, std::uint64_t bytes, MessageMemory memory) override {
        Room& room = rooms_.at(way == MessageWay::out ? 0 : 1);
        if (room.bytes >= bytes || !fault_.empty() || !enter(0)) return room.at;
        constexpr std::uint64_t least = std::uint64_t{1} << 20U;
        synchronise();  // what still reads it
        drop(room);
        room.memory = memory;
        const std::uint64_t taken = std::max(least, 2 * bytes);
        DeviceAddress address = 0;
        void* host = nullptr;
        const bool on_device = memory == MessageMemory::device;
        if (!check(on_device ? driver().allocate(&address, taken) : pages_.take_host(&host, taken, 0), "messages"))
            return nullptr;
        room.at = on_device ? reinterpret_cast<std::byte*>(address) : static_cast<std::byte*>(host);
        room.bytes = taken;
        return room.at;
    }
    void gather(std::byte* to, const std::vector<DeviceBytes>& from) override {
        for (const DeviceBytes& piece : from) {
            move(to, piece.at, piece.bytes);
            to += piece.bytes;
        }
    }
    void scatter(const std::vector<DeviceBytes>& to, const std::byte* from) override {
        for (const DeviceBytes& piece : to) {
            move(piece.at, from, piece.bytes);
            from += piece.bytes;
        }
    }
    void await_messages() override {
        by(lane_of_messages, "messages", [&](void* stream) { return driver().await_stream(stream); });
    }

    [[nodiscard]] long long most_blocks_across() const override { return first_->most_blocks_across(); }
    [[nodiscard]] std::size_t find_kernel(const std::string& name, int dynamic_shared_bytes) override {
        constexpr int dynamic_shared_size = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        Function found{name, {}, static_cast<unsigned>(dynamic_shared_bytes)};
        for (std::size_t r = 0; r < ranks_.size() && fault_.empty() && enter(r); ++r) {
            found.of_rank.push_back(ranks_[r]->kernels->find(name));
            if (found.of_rank.back() == nullptr) {
                fault_ = name + ": it is not there";
            } else if (dynamic_shared_bytes > 0) {
                check(driver().set_function(found.of_rank.back(), dynamic_shared_size, dynamic_shared_bytes), name);
            }
        }
        functions_.push_back(std::move(found));
        return functions_.size() - 1;
    }
    void launch(std::size_t, const LaunchShape&, const LaunchShape&, void* const*) override {
        throw std::logic_error("a launch of several ranks names one");
    }
    [[nodiscard]] int ranks() const override { return static_cast<int>(ranks_.size()); }
    void launch_share(int lane, std::size_t kernel, const LaunchShare& share, const LaunchShape& block,
                      const std::vector<void*>& arguments) override {
        const auto n = [](long long count) { return static_cast<unsigned>(count); };
        std::array<int, 3> first{static_cast<int>(share.first.x), static_cast<int>(share.first.y),
                                 static_cast<int>(share.first.z)};
        arguments_.assign(arguments.begin(), arguments.end());
        arguments_.push_back(first.data());
        const Function& function = functions_.at(kernel);
        by(lane, function.name, [&](void* stream) {
            return driver().launch(function.of_rank.at(static_cast<std::size_t>(lane % ranks())), n(share.blocks.x),
                                   n(share.blocks.y), n(share.blocks.z), n(block.x), n(block.y), n(block.z),
                                   function.dynamic_shared_bytes, stream, arguments_.data(), nullptr);
        });
    }
    void mark(int lane) override {
        by(lane, "an event", [&](void* stream) { return driver().record_event(event_of(lane), stream); });
    }
    void await(int lane, int marked) override {
        by(lane, "an event", [&](void* stream) { return pages_.stream_waits(stream, event_of(marked), 0); });
    }

    [[nodiscard]] bool stores_functions() const override { return first_->stores_functions(); }
    [[nodiscard]] std::size_t add_transform(const TransformShape& shape) override {
        return by_first([&] { return first_->add_transform(shape); });
    }
    [[nodiscard]] std::size_t add_storing_transform(const TransformShape& shape,
                                                    const StoredFunction& function) override {
        return by_first([&] { return first_->add_storing_transform(shape, function); });
    }
    [[nodiscard]] std::size_t add_list(const ListShape& shape) override {
        return by_first([&] { return first_->add_list(shape); });
    }
    void ready_transforms() override {
        by_first([&] { return first_->ready_transforms(), 0; });
    }
    void transform(std::size_t number, std::byte* to, std::byte* from, bool forward) override {
        by_first([&] { return first_->transform(number, to, from, forward), 0; });
    }
    void storing_transform(std::size_t number, std::byte* to, std::byte* from, bool forward,
                           const std::vector<void*>& arguments) override {
        by_first([&] { return first_->storing_transform(number, to, from, forward, arguments), 0; });
    }
    void order(std::size_t number, std::byte* to, const std::byte* from) override {
        by_first([&] { return first_->order(number, to, from), 0; });
    }
    void runs(std::size_t number, std::byte* to, const std::byte* from) override {
        by_first([&] { return first_->runs(number, to, from), 0; });
    }
    void starts(std::size_t number, std::byte* to, const std::byte* from) override {
        by_first([&] { return first_->starts(number, to, from), 0; });
    }
    void repeat(std::size_t, const std::vector<std::byte*>&, const std::function<void()>& launches) override {
        launches();
    }

    void synchronise() override {
        for (int lane = 0; lane < 2 * ranks(); ++lane)
            by(lane, "kernels", [&](void* stream) { return driver().await_stream(stream); });
    }
    void begin_timing() override {
        by(0, "time", [&](void* stream) { return driver().record_event(began_, stream); });
    }
    [[nodiscard]] double end_timing() override {
        for (int lane = 1; lane < 2 * ranks(); ++lane) mark(lane), await(0, lane);
        float ms = 0;
        by(0, "time", [&](void* stream) { return driver().record_event(ended_, stream); });
        by(0, "kernels", [&](void*) { return driver().await_event(ended_); });
        by(0, "time", [&](void*) { return driver().elapsed(&ms, began_, ended_); });
        return 1e-3 * static_cast<double>(ms);
    }

private:
    struct Rank {
        explicit Rank(int device) : gpu(device) {}
        const GpuContext gpu;
        std::shared_ptr<const LoadedKernels> kernels;
        std::array<void*, 2> streams{}, marked{};  ///< by lane
    };
    struct Function {
        std::string name;
        std::vector<void*> of_rank;
        unsigned dynamic_shared_bytes;
    };
    /// Where messages lie.
    struct Room {
        std::byte* at = nullptr;
        std::uint64_t bytes = 0;
        MessageMemory memory = MessageMemory::host;
    };
    PagesDriver pages_;
    CudaCode code_;
    const std::vector<int> devices_;
    const Arrays arrays_;
    std::array<Room, 2> rooms_;
    std::unique_ptr<Nccl> nccl_;  ///< of a process; null: messages go through rooms
    std::vector<std::unique_ptr<Rank>> ranks_;
    std::optional<StreamTimes> exchange_times_;  ///< of NCCL
    std::optional<RankMemory> memory_;
    std::unique_ptr<ComputeDevice> first_;
    std::vector<Function> functions_;
    std::vector<void*> arguments_;
    std::size_t current_ = 0;  ///< whose context is the thread's
    void *began_ = nullptr, *ended_ = nullptr;
    std::string fault_;

    [[nodiscard]] const CudaDriver& driver() const { return ranks_.front()->gpu.driver(); }
    void drop(Room& room) {
        if (room.at == nullptr) return;
        if (room.memory == MessageMemory::device) {
            driver().release(address(room.at));
        } else {
            pages_.give_host(room.at);
        }
        room = {};
    }
    /// Between memory of the device and any.
    void move(std::byte* to, const std::byte* from, std::uint64_t bytes) {
        by(lane_of_messages, "messages",
           [&](void* stream) { return pages_.move(address(to), address(from), bytes, stream); });
    }
    [[nodiscard]] Rank& of(int rank) { return *ranks_.at(static_cast<std::size_t>(rank)); }
    bool check(int error, const std::string& what) {
        if (error != 0 && fault_.empty()) fault_ = what + ": " + driver().text(error);
        return error == 0;
    }
    bool enter(std::size_t rank) {
        if (rank == current_) return true;
        if (!ranks_[rank]->gpu.fault().empty() || ranks_[rank]->gpu.enter() != 0) return false;
        current_ = rank;
        return true;
    }
    [[nodiscard]] std::byte* taken(std::byte* array, const std::string& name) {
        if (array == nullptr) check(memory_->error(), name);
        return array;
    }
    [[nodiscard]] void* event_of(int lane) { return of(lane % ranks()).marked.at(std::size_t(lane / ranks())); }
    /// In the lane's stream; nothing after a failure.
    template <class Act>
    void by(int lane, const std::string& what, const Act& act) {
        if (!fault_.empty()) return;
        const int rank = lane % ranks();
        if (!enter(static_cast<std::size_t>(rank))) {
            fault_ = "a device cannot be entered";
            return;
        }
        check(act(of(rank).streams.at(std::size_t(lane / ranks()))), what);
    }
    template <class Act>
    std::size_t by_first(const Act& act) {
        if (!fault_.empty() || !enter(0)) return 0;
        const auto result = static_cast<std::size_t>(act());
        fault_ = first_->fault();
        return result;
    }
};

}  // namespace

namespace {

Outcome<std::unique_ptr<ComputeDevice>> opened(std::unique_ptr<CudaRanks> device) {
    using Opened = std::unique_ptr<ComputeDevice>;
    device->open();
    if (device->fault().empty()) return success<Opened>(std::move(device));
    return failure<Opened>(placeless("K0812", "the devices cannot be used: " + device->fault()));
}

}  // namespace

Outcome<std::unique_ptr<ComputeDevice>> open_cuda_ranks(CudaCode code, const std::vector<std::string>& units,
                                                        int ranks) {
    std::vector<int> devices(static_cast<std::size_t>(ranks));
    std::iota(devices.begin(), devices.end(), 0);
    return opened(std::make_unique<CudaRanks>(std::move(code), units, std::move(devices), Arrays::cut));
}

Outcome<std::unique_ptr<ComputeDevice>> open_cuda_of_process(CudaCode code, int device, std::unique_ptr<Nccl> nccl) {
    return opened(std::make_unique<CudaRanks>(std::move(code), std::vector<std::string>{}, std::vector<int>{device},
                                              Arrays::reserved, std::move(nccl)));
}

}  // namespace kasc::runtime
