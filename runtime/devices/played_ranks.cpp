// Each lane has a queue. Where results are asked for, the queues are emptied, where messages are, that of their lane: a
// lane is drawn, and the first of its queue done, unless it awaits a mark that is not done.
//
//   lane 0   launch A, mark 1      awaits mark 1 of lane 1, launch B
//   lane 1   launch A', mark 1     awaits mark 1 of lane 0, launch B'
//
// A' comes before A or after it, and before B.
//
// What a rank has copies of, and the array as it sees it, is memory of its own: a launch on it is preceded by a copy of
// all but the copies from the array, and followed by one back.
#include "runtime/devices/played_ranks.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <random>
#include <stdexcept>

namespace kasc::runtime {

namespace {

class PlayedRanks final : public ComputeDevice {
public:
    PlayedRanks(std::unique_ptr<ComputeDevice> device, int ranks, unsigned seed)
        : device_(std::move(device)), ranks_(ranks), queues_(2 * static_cast<std::size_t>(ranks)), random_(seed) {}
    PlayedRanks(const PlayedRanks&) = delete;
    PlayedRanks& operator=(const PlayedRanks&) = delete;
    ~PlayedRanks() override = default;

    [[nodiscard]] const std::string& fault() const override { return device_->fault(); }
    [[nodiscard]] bool shares_host_memory() const override { return device_->shares_host_memory(); }
    [[nodiscard]] std::byte* take(const std::string& name, std::uint64_t bytes) override {
        return device_->take(name, bytes);
    }
    void copy(std::byte* to, const std::byte* from, std::uint64_t bytes) override {
        if (to == from) return;
        each_part(bytes, [=, this](std::uint64_t first, std::uint64_t part) {
            device_->copy(to + first, from + first, part);
        });
    }
    void zero(std::byte* to, std::uint64_t bytes) override {
        each_part(bytes, [=, this](std::uint64_t first, std::uint64_t part) { device_->zero(to + first, part); });
    }
    void upload(std::byte* to, const void* values, std::uint64_t bytes) override {
        synchronise();
        device_->upload(to, values, bytes);
    }
    void download(void* values, const std::byte* from, std::uint64_t bytes) override {
        synchronise();
        device_->download(values, from, bytes);
    }

    [[nodiscard]] std::uint64_t page_bytes() const override { return ranks_ > 1 ? page : device_->page_bytes(); }
    [[nodiscard]] std::byte* take_cut(const std::string& name, std::uint64_t bytes, const ArrayParts& parts) override {
        if (ranks_ == 1) return device_->take_cut(name, bytes, parts);
        // All ranks of one memory hold all of it.
        std::byte* const array = device_->take(name, bytes);
        for (std::size_t r = 0; r < parts.copies.size(); ++r) {
            if (parts.copies[r].empty()) continue;
            std::byte* const seen = device_->take(name + ", with copies", bytes);
            views_.push_back({static_cast<int>(r), array, seen, bytes, parts.copies[r]});
        }
        return array;
    }
    [[nodiscard]] const std::vector<ByteRange>& copies(int rank, const std::byte* array) const override {
        const View* view = view_of(rank, array);
        return view == nullptr ? ComputeDevice::copies(rank, array) : view->copies;
    }
    [[nodiscard]] std::byte* seen_by(int rank, std::byte* array) const override {
        const View* view = view_of(rank, array);
        return view == nullptr ? array : view->seen + elsewhere;
    }
    void renew(int lane, const std::byte* array, const ByteRange& bytes) override {
        const View view = *view_of(lane % ranks_, array);
        const std::uint64_t low = std::min(bytes.low, view.bytes), high = std::min(bytes.high, view.bytes);
        ask(lane, [=, this] { device_->copy(view.seen + low, view.array + low, high - low); });
    }
    void hold(const std::byte* from, std::uint64_t bytes) override { device_->hold(from, bytes); }
    [[nodiscard]] std::byte* message_room(MessageWay way, std::uint64_t bytes, MessageMemory memory) override {
        await_messages();  // what still reads it
        return device_->message_room(way, bytes, memory);
    }
    void gather(std::byte* to, const std::vector<DeviceBytes>& from) override {
        ask(lane_of_messages, [=, this] { device_->gather(to, from); });
    }
    void scatter(const std::vector<DeviceBytes>& to, const std::byte* from) override {
        ask(lane_of_messages, [=, this] { device_->scatter(to, from); });
    }
    [[nodiscard]] double exchange_seconds() override { return device_->exchange_seconds(); }
    void await_messages() override {
        const Queue& queue = queues_.at(lane_of_messages);
        while (!queue.asked.empty()) {
            if (!go_on()) throw std::logic_error("lanes wait for each other");
        }
    }

    [[nodiscard]] long long most_blocks_across() const override { return device_->most_blocks_across(); }
    [[nodiscard]] std::size_t find_kernel(const std::string& name, int dynamic_shared_bytes) override {
        return device_->find_kernel(name, dynamic_shared_bytes);
    }
    void launch(std::size_t, const LaunchShape&, const LaunchShape&, void* const*) override {
        throw std::logic_error("a launch of several ranks names one");
    }
    [[nodiscard]] int ranks() const override { return ranks_; }
    void launch_share(int lane, std::size_t kernel, const LaunchShare& share, const LaunchShape& block,
                      const std::vector<void*>& arguments) override {
        std::vector<Word> words(arguments.size());
        for (std::size_t k = 0; k < words.size(); ++k) std::memcpy(words[k].data(), arguments[k], sizeof(Word));
        ask(lane, [=, this]() mutable {
            std::vector<void*> addresses;
            for (Word& word : words) addresses.push_back(word.data());
            std::vector<View> seen;
            for (const View& view : views_) {
                if (view.rank == lane % ranks_ && found_in(words, view)) seen.push_back(view);
            }
            for (const View& view : seen)
                each_beside_copies(view, [&](std::uint64_t low, std::uint64_t bytes) {
                    device_->copy(view.seen + low, view.array + low, bytes);
                });
            device_->launch_share(0, kernel, share, block, addresses);
            for (const View& view : seen)
                each_beside_copies(view, [&](std::uint64_t low, std::uint64_t bytes) {
                    device_->copy(view.array + low, view.seen + low, bytes);
                });
        });
    }
    void mark(int lane) override {
        Queue& queue = queues_.at(static_cast<std::size_t>(lane));
        ++queue.marks_asked;
        ask(lane, [&queue] { ++queue.marks_done; });
    }
    void await(int lane, int marked) override {
        const std::size_t other = static_cast<std::size_t>(marked);
        queues_.at(static_cast<std::size_t>(lane)).asked.push_back({{}, other, queues_.at(other).marks_asked});
    }

    [[nodiscard]] bool stores_functions() const override { return device_->stores_functions(); }
    [[nodiscard]] std::size_t add_transform(const TransformShape& shape) override {
        return device_->add_transform(shape);
    }
    [[nodiscard]] std::size_t add_storing_transform(const TransformShape& shape,
                                                    const StoredFunction& function) override {
        return device_->add_storing_transform(shape, function);
    }
    [[nodiscard]] std::size_t add_list(const ListShape& shape) override { return device_->add_list(shape); }
    void ready_transforms() override { device_->ready_transforms(); }
    void transform(std::size_t number, std::byte* to, std::byte* from, bool forward) override {
        ask(0, [=, this] { device_->transform(number, to, from, forward); });
    }
    void storing_transform(std::size_t number, std::byte* to, std::byte* from, bool forward,
                           const std::vector<void*>& arguments) override {
        synchronise();
        device_->storing_transform(number, to, from, forward, arguments);
    }
    void order(std::size_t number, std::byte* to, const std::byte* from) override {
        ask(0, [=, this] { device_->order(number, to, from); });
    }
    void runs(std::size_t number, std::byte* to, const std::byte* from) override {
        ask(0, [=, this] { device_->runs(number, to, from); });
    }
    void starts(std::size_t number, std::byte* to, const std::byte* from) override {
        ask(0, [=, this] { device_->starts(number, to, from); });
    }
    void repeat(std::size_t, const std::vector<std::byte*>&, const std::function<void()>& launches) override {
        launches();
    }

    void synchronise() override {
        while (go_on()) {}
        for (const Queue& queue : queues_) {
            if (!queue.asked.empty()) throw std::logic_error("lanes wait for each other");
        }
        device_->synchronise();
    }
    void begin_timing() override {
        synchronise();
        device_->begin_timing();
    }
    [[nodiscard]] double end_timing() override {
        synchronise();
        return device_->end_timing();
    }

private:
    using Word = std::array<std::byte, 8>;
    struct Asked {
        std::function<void()> act;  ///< none: it waits
        std::size_t other = 0;
        std::size_t marks = 0;  ///< of the other, that are done before this is
    };
    struct Queue {
        std::deque<Asked> asked;
        std::size_t marks_asked = 0, marks_done = 0;
    };
    /// A few words, so that grids of tests have many pages.
    static constexpr std::uint64_t page = 64;
    /// Added to addresses that ranks see: what a window on a series is known by may lie anywhere beside its memory.
    static constexpr std::ptrdiff_t elsewhere = std::ptrdiff_t{1} << 61;
    struct View {
        int rank;
        std::byte *array, *seen;
        std::uint64_t bytes;
        std::vector<ByteRange> copies;
    };
    const std::unique_ptr<ComputeDevice> device_;
    const int ranks_;
    std::vector<View> views_;
    std::vector<Queue> queues_;  ///< by lane
    std::mt19937 random_;

    [[nodiscard]] const View* view_of(int rank, const std::byte* array) const {
        const auto view = std::find_if(views_.begin(), views_.end(),
                                       [&](const View& v) { return v.rank == rank && v.array == array; });
        return view == views_.end() ? nullptr : &*view;
    }
    /// A launch has the array as its rank sees it: the words are the device's from now on.
    static bool found_in(std::vector<Word>& words, const View& view) {
        bool any = false;
        for (Word& word : words) {
            std::byte* address = nullptr;
            std::memcpy(&address, word.data(), sizeof(address));
            if (address != view.seen + elsewhere) continue;
            std::memcpy(word.data(), &view.seen, sizeof(view.seen));
            any = true;
        }
        return any;
    }
    template <class Act>
    static void each_beside_copies(const View& view, const Act& act) {
        std::uint64_t low = 0;
        for (const ByteRange& copy : view.copies) {
            if (low < copy.low) act(low, copy.low - low);
            low = std::min(copy.high, view.bytes);
        }
        if (low < view.bytes) act(low, view.bytes - low);
    }

    void ask(int lane, std::function<void()> act) {
        queues_.at(static_cast<std::size_t>(lane)).asked.push_back({std::move(act), 0, 0});
    }
    /// Does the first of a lane; false: none can.
    bool go_on() {
        const std::vector<std::size_t> able = lanes_able();
        if (able.empty()) return false;
        Queue& queue = queues_[able[random_() % able.size()]];
        const Asked first = std::move(queue.asked.front());
        queue.asked.pop_front();
        if (first.act) first.act();
        return true;
    }
    template <class Act>
    void each_part(std::uint64_t bytes, const Act& act) {
        const auto n = static_cast<std::uint64_t>(ranks_);
        for (std::uint64_t r = 0; r < n; ++r) {
            const std::uint64_t first = bytes * r / n, part = bytes * (r + 1) / n - first;
            ask(static_cast<int>(r), [=] { act(first, part); });
        }
    }
    [[nodiscard]] std::vector<std::size_t> lanes_able() const {
        std::vector<std::size_t> able;
        for (std::size_t r = 0; r < queues_.size(); ++r) {
            if (queues_[r].asked.empty()) continue;
            const Asked& first = queues_[r].asked.front();
            if (queues_[first.other].marks_done >= first.marks) able.push_back(r);
        }
        return able;
    }
};

}  // namespace

std::unique_ptr<ComputeDevice> play_ranks(std::unique_ptr<ComputeDevice> device, int ranks, unsigned seed) {
    return std::make_unique<PlayedRanks>(std::move(device), ranks, seed);
}

}  // namespace kasc::runtime
