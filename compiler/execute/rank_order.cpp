#include "execute/rank_order.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "ranks/copies.hpp"
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

std::byte* as_it_is(std::byte* array) { return array; }

class DeviceRanks final : public RankOrder {
public:
    explicit DeviceRanks(runtime::ComputeDevice& device)
        : device_(device), ranks_(device.ranks()), order_(ranks::lanes_of_rank * ranks_) {}

    [[nodiscard]] int ranks() const override { return ranks_; }
    [[nodiscard]] ranks::Memory memory() const override { return ranks::Memory::one; }
    [[nodiscard]] bool is_here(int) const override { return true; }
    [[nodiscard]] int here() const override { return 0; }
    void launch(const std::vector<ranks::Part>& of_ranks) override {
        if (!several()) return;
        wait(order_.launch(of_ranks), device_);
        for (const ranks::Part& part : of_ranks) store(part.touches);
    }
    void launch(const std::vector<ranks::Part>&, const std::vector<ranks::Part>& here, const Begin& begin) override {
        // What one rank computes alone it reads where it is: it may be anything, and once.
        std::vector<Copied> copied(here.size());
        for (std::size_t k = 0; k < here.size() && here.size() > 1; ++k) copied[k] = copied_by(here[k]);
        const std::vector<ranks::Part> parts = with_copies(here, copied);
        wait(order_.launch(parts), device_);
        for (const ranks::Part& part : here) store(part.touches);
        for (std::size_t k = 0; k < here.size(); ++k) {
            begin(k, [&](std::byte* array) {
                return copied[k].contains(array) ? device_.seen_by(rank_of(here[k]), array) : array;
            });
        }
    }
    void give_to_first(const void* array, std::int64_t low, std::int64_t high) override {
        store({{array, true, low, high}});
    }
    void give(const std::vector<ranks::Touch>& of_rank) override {
        for (const ranks::Touch& touch : of_rank) store({{touch.array, true, touch.low, touch.high}});
    }

private:
    using Copied = std::set<const void*>;
    runtime::ComputeDevice& device_;
    const int ranks_;
    ranks::Order order_;
    ranks::Copies copies_;

    [[nodiscard]] int rank_of(const ranks::Part& part) const { return part.lane % ranks_; }
    static ByteRange common(const ranks::Touch& touch, const ByteRange& bytes) {
        const auto from_start = [](std::int64_t at) {
            return static_cast<std::uint64_t>(std::max<std::int64_t>(0, at));
        };
        return {std::max(bytes.low, from_start(touch.low)), std::min(bytes.high, from_start(touch.high))};
    }
    void store(const std::vector<ranks::Touch>& touches) {
        constexpr ByteRange all{0, std::numeric_limits<std::uint64_t>::max()};
        for (const ranks::Touch& touch : touches) {
            if (touch.writes) copies_.store(touch.array, common(touch, all));
        }
    }
    /// Arrays of which a part reads its rank's copies: not those in whose copies it would store.
    [[nodiscard]] Copied copied_by(const ranks::Part& part) const {
        Copied copied, stored;
        for (const ranks::Touch& touch : part.touches) {
            const auto& copies = device_.copies(rank_of(part), static_cast<const std::byte*>(touch.array));
            if (!copies.empty()) copied.insert(touch.array);
            const bool within = touch.writes && std::any_of(copies.begin(), copies.end(), [&](const ByteRange& copy) {
                                    const ByteRange both = common(touch, copy);
                                    return both.low < both.high;
                                });
            if (within) stored.insert(touch.array);
        }
        for (const void* array : stored) copied.erase(array);
        return copied;
    }
    /// The parts as they touch copies and what is no copy, behind what renews the copies: in lanes that are served
    /// first, so that blocks at the cuts follow, and what lies between them does not wait.
    [[nodiscard]] std::vector<ranks::Part> with_copies(const std::vector<ranks::Part>& parts,
                                                       const std::vector<Copied>& copied) {
        std::vector<ranks::Part> touching, renewals;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const ranks::Part& part = parts[k];
            ranks::Part renewal{ranks::rim_lane(rank_of(part), ranks_), {}};
            touching.push_back({part.lane, {}});
            for (const ranks::Touch& touch : part.touches) {
                if (touch.writes || !copied[k].contains(touch.array)) {
                    touching.back().touches.push_back(touch);
                } else {
                    read_copies(touch, touching.back(), renewal);
                }
            }
            if (!renewal.touches.empty()) renewals.push_back(std::move(renewal));
        }
        if (renewals.empty()) return touching;
        wait(order_.launch(renewals), device_);
        for (const ranks::Part& renewal : renewals) {
            for (const ranks::Touch& touch : renewal.touches) {
                if (touch.writes) continue;
                device_.renew(renewal.lane, static_cast<const std::byte*>(touch.array),
                              {static_cast<std::uint64_t>(touch.low), static_cast<std::uint64_t>(touch.high)});
            }
        }
        return touching;
    }
    /// `renewal`: reads the array, and stores the copy, which is known by where the rank finds the array.
    void read_copies(const ranks::Touch& touch, ranks::Part& part, ranks::Part& renewal) {
        auto* const array = static_cast<std::byte*>(const_cast<void*>(touch.array));
        const int rank = rank_of(part);
        const void* const seen = device_.seen_by(rank, array);
        const auto at = [](std::uint64_t byte) { return static_cast<std::int64_t>(byte); };
        std::int64_t rest = touch.low;
        for (const ByteRange& copy : device_.copies(rank, array)) {
            const ByteRange bytes = common(touch, copy);
            if (bytes.low >= bytes.high) continue;
            if (rest < at(bytes.low)) part.touches.push_back({array, false, rest, at(bytes.low)});
            rest = at(bytes.high);
            part.touches.push_back({seen, false, at(bytes.low), at(bytes.high)});
            for (const ByteRange& lacks : copies_.bring(rank, array, bytes)) {
                renewal.touches.push_back({array, false, at(lacks.low), at(lacks.high)});
                renewal.touches.push_back({seen, true, at(lacks.low), at(lacks.high)});
            }
        }
        if (rest < touch.high) part.touches.push_back({array, false, rest, touch.high});
    }
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
        launch(of_ranks, here, [](std::size_t, const Seen&) {});
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
        for (const std::size_t k : beside) begin(k, as_it_is);
        if (!exchange.messages.empty()) messages_.exchange(exchange.messages);
        for (const std::size_t k : behind) begin(k, as_it_is);
        parts.clear();
        for (const std::size_t k : last) parts.push_back(here[k]);
        wait(order_.launch(parts), device_);
        for (const std::size_t k : last) begin(k, as_it_is);
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
