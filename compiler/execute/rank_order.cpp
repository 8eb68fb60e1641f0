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

void wait(const std::vector<ranks::Wait>& waits, runtime::ComputeDevice& device) {
    std::set<int> marked;
    for (const ranks::Wait& wait : waits) {
        if (marked.insert(wait.marked).second) device.mark(wait.marked);
    }
    for (const ranks::Wait& wait : waits) device.await(wait.lane, wait.marked);
}

/// Neither stores what the other touches.
bool are_apart(const ranks::Part& a, const ranks::Part& b) {
    const auto meet = [](const ranks::Touch& s, const ranks::Touch& t) {
        return s.array == t.array && (s.writes || t.writes) && s.low < t.high && t.low < s.high;
    };
    return std::none_of(a.touches.begin(), a.touches.end(), [&](const ranks::Touch& own) {
        return std::any_of(b.touches.begin(), b.touches.end(), [&](const auto& other) { return meet(own, other); });
    });
}

class DeviceRanks final : public RankOrder {
public:
    explicit DeviceRanks(runtime::ComputeDevice& device)
        : device_(device), ranks_(device.ranks()), order_(ranks::lanes_of_rank * ranks_) {}

    [[nodiscard]] int ranks() const override { return ranks_; }
    [[nodiscard]] ranks::Memory memory() const override { return ranks::Memory::one; }
    [[nodiscard]] bool is_here(int) const override { return true; }
    [[nodiscard]] int here() const override { return 0; }
    void launch(const std::vector<ranks::Part>& of_ranks) override {
        if (several()) wait(order_.launch(of_ranks), device_);
    }
    void launch(const std::vector<ranks::Part>&, const std::vector<ranks::Part>& here, const Begin& begin) override {
        launch(here);
        for (std::size_t k = 0; k < here.size(); ++k) begin(k);
    }

private:
    runtime::ComputeDevice& device_;
    const int ranks_;
    ranks::Order order_;
};

/// What an exchange is in, and blocks that wait for it: so it waits for blocks at the cuts alone.
constexpr int lane_of_messages = runtime::ComputeDevice::lane_of_messages;

class ProcessRanks final : public RankOrder {
public:
    ProcessRanks(runtime::Communicator& processes, runtime::ComputeDevice& device)
        : processes_(processes), device_(device), messages_(device, processes) {}

    [[nodiscard]] int ranks() const override { return processes_.ranks(); }
    [[nodiscard]] ranks::Memory memory() const override { return ranks::Memory::own; }
    [[nodiscard]] bool is_here(int rank) const override { return rank == processes_.rank(); }
    [[nodiscard]] int here() const override { return processes_.rank(); }
    void launch(const std::vector<ranks::Part>& of_ranks) override {
        std::vector<ranks::Part> here;
        for (const ranks::Part& part : of_ranks) {
            if (is_here(part.lane)) here.push_back({0, part.touches});
        }
        launch(of_ranks, here, [](std::size_t) {});
    }
    void launch(const std::vector<ranks::Part>& of_ranks, const std::vector<ranks::Part>& here,
                const Begin& begin) override {
        hold(here);
        const Exchange exchange = exchange_before(of_ranks);
        // What needs nothing that comes, nor stores what goes, is asked for before the exchange, which then is under
        // way beside it. A device that computes at once would have others wait for it.
        std::vector<std::size_t> beside, behind, last;
        for (std::size_t k = 0; k < here.size(); ++k) {
            const bool first_lane = here[k].lane != lane_of_messages;
            const bool waits = first_lane && (device_.shares_host_memory() || !are_apart(here[k], exchange.touched));
            (exchange.messages.empty() || (first_lane && !waits) ? beside : waits ? last : behind).push_back(k);
        }
        std::vector<ranks::Part> parts;
        if (!exchange.messages.empty()) parts.push_back(exchange.touched);
        for (const auto& of : {beside, behind})
            for (const std::size_t k : of) parts.push_back(here[k]);
        wait(order_.launch(parts), device_);
        for (const std::size_t k : beside) begin(k);
        if (!exchange.messages.empty()) messages_.exchange(exchange.messages);
        for (const std::size_t k : behind) begin(k);
        parts.clear();
        for (const std::size_t k : last) parts.push_back(here[k]);
        wait(order_.launch(parts), device_);
        for (const std::size_t k : last) begin(k);
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
    ranks::Order order_{ranks::lanes_of_rank};  ///< of this process' device

    struct Exchange {
        std::vector<runtime::Message> messages;
        ranks::Part touched{lane_of_messages, {}};  ///< here
    };
    /// What this process sends and is sent before a launch.
    [[nodiscard]] Exchange exchange_before(const std::vector<ranks::Part>& of_ranks) {
        Exchange exchange;
        for (const ranks::Transfer& t : holdings_.launch(of_ranks)) {
            if (!is_here(t.from) && !is_here(t.to)) continue;
            const bool sends = is_here(t.from);
            auto* const array = static_cast<std::byte*>(const_cast<void*>(t.array));
            exchange.messages.push_back({sends ? t.to : t.from, sends, array + t.low,
                                         static_cast<std::uint64_t>(t.high - t.low), t.rows, t.apart});
            exchange.touched.touches.push_back({t.array, !sends, t.low, t.high + (t.rows - 1) * t.apart});
        }
        return exchange;
    }
    void hold(const std::vector<ranks::Part>& here) {
        for (const ranks::Part& part : here) {
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
