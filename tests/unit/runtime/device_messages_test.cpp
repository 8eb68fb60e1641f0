// Exchanges of processes, here threads, whose arrays lie in memory that is not the host's.
#include "runtime/devices/device_messages.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "support/thread_ranks.hpp"

namespace kasc::runtime {
namespace {

/// Only its copies reach what is there: its addresses are nobody's.
class MemoryElsewhere final : public ComputeDevice {
public:
    explicit MemoryElsewhere(std::size_t bytes) : bytes_(bytes) {}
    [[nodiscard]] std::byte* begin() { return bytes_.data() + elsewhere; }

    [[nodiscard]] const std::string& fault() const override { return fault_; }
    [[nodiscard]] bool shares_host_memory() const override { return false; }
    void upload(std::byte* to, const void* values, std::uint64_t bytes) override {
        std::memcpy(to - elsewhere, values, bytes);
    }
    void download(void* values, const std::byte* from, std::uint64_t bytes) override {
        std::memcpy(values, from - elsewhere, bytes);
    }
    void synchronise() override {}
    void break_down() { fault_ = "it is broken"; }

    std::byte* take(const std::string&, std::uint64_t) override { return nullptr; }
    void copy(std::byte*, const std::byte*, std::uint64_t) override { none(); }
    void zero(std::byte*, std::uint64_t) override { none(); }
    [[nodiscard]] long long most_blocks_across() const override { return 0; }
    [[nodiscard]] std::size_t find_kernel(const std::string&, int) override { return 0; }
    void launch(std::size_t, const LaunchShape&, const LaunchShape&, void* const*) override { none(); }
    void launch_share(int, std::size_t, const LaunchShare&, const LaunchShape&, const std::vector<void*>&) override {
        none();
    }
    [[nodiscard]] bool stores_functions() const override { return false; }
    [[nodiscard]] std::size_t add_transform(const TransformShape&) override { return 0; }
    [[nodiscard]] std::size_t add_storing_transform(const TransformShape&, const StoredFunction&) override { return 0; }
    [[nodiscard]] std::size_t add_list(const ListShape&) override { return 0; }
    void ready_transforms() override {}
    void transform(std::size_t, std::byte*, std::byte*, bool) override { none(); }
    void storing_transform(std::size_t, std::byte*, std::byte*, bool, const std::vector<void*>&) override { none(); }
    void order(std::size_t, std::byte*, const std::byte*) override { none(); }
    void runs(std::size_t, std::byte*, const std::byte*) override { none(); }
    void starts(std::size_t, std::byte*, const std::byte*) override { none(); }
    void repeat(std::size_t, const std::vector<std::byte*>&, const std::function<void()>&) override { none(); }
    void begin_timing() override {}
    [[nodiscard]] double end_timing() override { return 0; }

private:
    static constexpr std::ptrdiff_t elsewhere = std::ptrdiff_t{1} << 60;
    std::vector<std::byte> bytes_;
    std::string fault_;

    static void none() { throw std::logic_error("messages compute nothing"); }
};

/// What byte i of a rank's array is at first.
std::byte word(int rank, std::size_t i) { return std::byte(static_cast<unsigned char>(7 * i + 31U * rank + i / 251)); }

/// Three ranks, each with an array of so many bytes; `messages` of a rank on its array. All arrays, as they are then.
template <class Messages>
std::vector<std::vector<std::byte>> after(std::size_t bytes, const Messages& messages) {
    constexpr int ranks = 3;
    const auto all = std::make_shared<test::ThreadRanks>();
    std::vector<std::vector<std::byte>> arrays(ranks, std::vector<std::byte>(bytes));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            test::ThreadRank own(all, rank, ranks, static_cast<unsigned>(rank) + 1);
            MemoryElsewhere device(bytes);
            std::vector<std::byte>& array = arrays[static_cast<std::size_t>(rank)];
            for (std::size_t i = 0; i < bytes; ++i) array[i] = word(rank, i);
            device.upload(device.begin(), array.data(), bytes);
            DeviceMessages(device, own).exchange(messages(rank, device.begin()));
            device.download(array.data(), device.begin(), bytes);
        });
    }
    for (std::thread& thread : threads) thread.join();
    return arrays;
}

TEST(DeviceMessages, PiecesOfSeveralMessagesGoAsOneAndComeToTheirPlaces) {
    // Rank 1 sends the bytes 8 … 9, and 16 … 17, 20 … 21 and 24 … 25 of each to both sides, which have them behind.
    const auto arrays = after(64, [](int rank, std::byte* at) {
        std::vector<Message> all;
        if (rank == 1) {
            for (const int other : {0, 2}) {
                all.push_back({other, true, at + 8, 2});
                all.push_back({other, true, at + 16, 2, 3, 4});
            }
        } else {
            all.push_back({1, false, at + 40, 2});
            all.push_back({1, false, at + 42, 2, 3, 2});
        }
        return all;
    });
    const std::vector<std::size_t> came{8, 9, 16, 17, 20, 21, 24, 25};
    for (const std::size_t rank : {0U, 2U}) {
        for (std::size_t k = 0; k < came.size(); ++k) EXPECT_EQ(arrays[rank][40 + k], word(1, came[k])) << k;
        EXPECT_EQ(arrays[rank][39], word(static_cast<int>(rank), 39));
        EXPECT_EQ(arrays[rank][48], word(static_cast<int>(rank), 48));
    }
}

TEST(DeviceMessages, LongOnesGoInRounds) {
    // 40 MB of rank 0 to rank 2, which sends 3 bytes back; rank 1 takes and gives 33 MB.
    constexpr std::size_t mb = std::size_t{1} << 20U, bytes = 80 * mb;
    const auto arrays = after(bytes, [](int rank, std::byte* at) -> std::vector<Message> {
        if (rank == 0) return {{2, true, at, 40 * mb}, {1, true, at + 5, 33 * mb}, {2, false, at + 79 * mb, 3}};
        if (rank == 1) return {{0, false, at + mb, 33 * mb}, {2, true, at + 40 * mb, 33 * mb}};
        return {{0, false, at + 1, 20 * mb, 2, 20 * mb}, {0, true, at + 75 * mb, 3}, {1, false, at + 41 * mb, 33 * mb}};
    });
    EXPECT_EQ(arrays[0][79 * mb + 2], word(2, 75 * mb + 2));
    for (std::size_t i = 0; i < 33 * mb; i += 4099) {
        ASSERT_EQ(arrays[1][mb + i], word(0, 5 + i)) << i;
        ASSERT_EQ(arrays[2][1 + i], word(0, i)) << i;
        ASSERT_EQ(arrays[2][41 * mb + i], word(1, 40 * mb + i)) << i;
    }
    EXPECT_EQ(arrays[2][40 * mb], word(0, 40 * mb - 1));
}

TEST(DeviceMessages, ADeviceThatHasFailedSendsNothing) {
    const auto all = std::make_shared<test::ThreadRanks>();
    test::ThreadRank own(all, 0, 2);
    MemoryElsewhere device(8);
    device.break_down();
    DeviceMessages(device, own).exchange({{1, true, device.begin(), 8}, {1, false, device.begin(), 8}});
    EXPECT_TRUE(all->under_way.empty());
}

}  // namespace
}  // namespace kasc::runtime
