#include "execute/rank_order.hpp"

#include <algorithm>
#include <set>

#include "ranks/holdings.hpp"
#include "runtime/devices/device_messages.hpp"
#include "runtime/runs/digest_in_turn.hpp"

namespace kasc::execute {

namespace {

std::vector<ranks::Part> parts_of(const std::vector<ranks::Touch>& of_rank, bool writes) {
    std::vector<ranks::Part> parts;
    for (std::size_t r = 0; r < of_rank.size(); ++r) {
        const bool any = of_rank[r].low < of_rank[r].high;
        if (any) parts.push_back({static_cast<int>(r), {{of_rank[r].array, writes, of_rank[r].low, of_rank[r].high}}});
    }
    return parts;
}

class DeviceRanks final : public RankOrder {
public:
    explicit DeviceRanks(runtime::ComputeDevice& device)
        : device_(device), ranks_(device.ranks()), order_(ranks::lanes_of_rank * ranks_) {}

    [[nodiscard]] int ranks() const override { return ranks_; }
    [[nodiscard]] ranks::Memory memory() const override { return ranks::Memory::one; }
    [[nodiscard]] bool is_here(int) const override { return true; }
    [[nodiscard]] int here() const override { return 0; }
    void launch(const std::vector<ranks::Part>& parts) override {
        if (!several()) return;
        const std::vector<ranks::Wait> waits = order_.launch(parts);
        std::set<int> marked;
        for (const ranks::Wait& wait : waits) {
            if (marked.insert(wait.marked).second) device_.mark(wait.marked);
        }
        for (const ranks::Wait& wait : waits) device_.await(wait.lane, wait.marked);
    }

private:
    runtime::ComputeDevice& device_;
    const int ranks_;
    ranks::Order order_;
};

class ProcessRanks final : public RankOrder {
public:
    ProcessRanks(runtime::Communicator& processes, runtime::ComputeDevice& device)
        : processes_(processes), device_(device), messages_(device, processes) {}

    [[nodiscard]] int ranks() const override { return processes_.ranks(); }
    [[nodiscard]] ranks::Memory memory() const override { return ranks::Memory::own; }
    [[nodiscard]] bool is_here(int rank) const override { return rank == processes_.rank(); }
    [[nodiscard]] int here() const override { return processes_.rank(); }
    void launch(const std::vector<ranks::Part>& parts) override {
        hold(parts);
        std::vector<runtime::Message> messages;
        for (const ranks::Transfer& t : holdings_.launch(parts)) {
            if (!is_here(t.from) && !is_here(t.to)) continue;
            const bool sends = is_here(t.from);
            auto* const array = static_cast<std::byte*>(const_cast<void*>(t.array));
            messages.push_back({sends ? t.to : t.from, sends, array + t.low, static_cast<std::uint64_t>(t.high - t.low),
                                t.rows, t.apart});
        }
        if (!messages.empty()) messages_.exchange(messages);
    }
    [[nodiscard]] bool all_well(bool own) override {
        const auto all = processes_.gather({std::byte{own}});
        return std::all_of(all.begin(), all.end(), [](const auto& rank) { return rank.front() == std::byte{1}; });
    }
    void tell(std::vector<std::int64_t>& numbers) override {
        std::uint64_t count = numbers.size();
        processes_.broadcast(&count, sizeof(count));
        numbers.resize(count);
        if (count > 0) processes_.broadcast(numbers.data(), count * sizeof(numbers[0]));
    }
    void give_to_first(const void* array, std::int64_t low, std::int64_t high) override {
        holdings_.put(array, low, high, 0);
    }
    void give(const std::vector<ranks::Touch>& of_rank) override {
        holdings_.forget(of_rank.front().array);
        static_cast<void>(holdings_.launch(parts_of(of_rank, true)));  // nobody has any of it: nothing is sent
    }
    [[nodiscard]] runtime::Digest digest(const std::function<void(runtime::Digest&)>& add) override {
        return runtime::digest_in_turn(&processes_, add);
    }

private:
    runtime::Communicator& processes_;
    runtime::ComputeDevice& device_;
    runtime::DeviceMessages messages_;
    ranks::Holdings holdings_;

    void hold(const std::vector<ranks::Part>& parts) {
        for (const ranks::Part& part : parts) {
            if (!is_here(part.lane)) continue;
            for (const ranks::Touch& t : part.touches) {
                const auto* const array = static_cast<const std::byte*>(t.array);
                if (t.low < t.high) device_.hold(array + t.low, static_cast<std::uint64_t>(t.high - t.low));
            }
        }
    }
};

}  // namespace

void RankOrder::all(const std::vector<ranks::Touch>& touches) {
    std::vector<ranks::Part> parts;
    for (int r = 0; r < ranks(); ++r) parts.push_back({r, touches});
    launch(parts);
}

void RankOrder::whole(const std::vector<ranks::Touch>& touches) {
    if (memory() == ranks::Memory::own) return all(touches);
    launch({{0, touches}});
}

void RankOrder::each(const std::vector<ranks::Touch>& of_rank) { launch(parts_of(of_rank, false)); }

runtime::Digest RankOrder::digest(const std::function<void(runtime::Digest&)>& add) {
    return runtime::digest_in_turn(nullptr, add);
}

void RankOrder::bring_to_first(const void* array, std::int64_t low, std::int64_t high) {
    launch({{0, {{array, false, low, high}}}});
}

std::unique_ptr<RankOrder> ranks_of(runtime::ComputeDevice& device) { return std::make_unique<DeviceRanks>(device); }
std::unique_ptr<RankOrder> ranks_of(runtime::Communicator& processes, runtime::ComputeDevice& device) {
    return std::make_unique<ProcessRanks>(processes, device);
}

}  // namespace kasc::execute
