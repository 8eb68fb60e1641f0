#pragma once
// Threads of this process as ranks that speak with each other, some of them late: what a run forgets to send is not
// there, since each has arrays of its own.

#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "runtime/processes/communicator.hpp"

namespace kasc::test {

/// What they have in common.
struct ThreadRanks {
    std::mutex mutex;
    std::condition_variable changed;
    std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> under_way;  ///< by sender and receiver
    bool broken = false;

    /// A rank has failed: nobody waits any longer.
    void end() {
        const std::lock_guard lock(mutex);
        broken = true;
        changed.notify_all();
    }
};

class ThreadRank final : public runtime::Communicator {
public:
    /// `seed` draws delays; 0: there are none.
    ThreadRank(std::shared_ptr<ThreadRanks> all, int rank, int ranks, unsigned seed = 0)
        : all_(std::move(all)), rank_(rank), ranks_(ranks), late_(seed > 0), random_(seed) {}

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return ranks_; }
    void exchange(const std::vector<runtime::Message>& messages) override {
        if (late_ && random_() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 500));
        for (const runtime::Message& m : messages)
            if (m.sends) each_row(m, [&](std::byte* at) { send(m.other, at, m.bytes); });
        for (const runtime::Message& m : messages)
            if (!m.sends) each_row(m, [&](std::byte* at) { receive(m.other, at, m.bytes); });
    }
    void broadcast(void* values, std::uint64_t bytes) override {
        for (int other = 1; other < ranks_ && rank_ == 0; ++other) send(other, values, bytes);
        if (rank_ > 0) receive(0, values, bytes);
    }
    [[nodiscard]] std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& own) override {
        for (int other = 0; other < ranks_; ++other)
            if (other != rank_) send(other, own.data(), own.size());
        std::vector<std::vector<std::byte>> by_rank;
        for (int other = 0; other < ranks_; ++other) by_rank.push_back(other == rank_ ? own : next_of(other));
        return by_rank;
    }
    [[noreturn]] void abort(int) override {
        all_->end();
        throw std::runtime_error("a rank ends the run");
    }

private:
    const std::shared_ptr<ThreadRanks> all_;
    const int rank_, ranks_;
    const bool late_;
    std::mt19937 random_;

    template <class Act>
    static void each_row(const runtime::Message& m, const Act& act) {
        for (std::int64_t row = 0; row < m.rows; ++row) act(m.at + row * m.apart);
    }
    void send(int to, const void* values, std::uint64_t bytes) {
        const auto* at = static_cast<const std::byte*>(values);
        const std::lock_guard lock(all_->mutex);
        all_->under_way[{rank_, to}].emplace_back(at, at + bytes);
        all_->changed.notify_all();
    }
    [[nodiscard]] std::vector<std::byte> next_of(int from) {
        std::unique_lock lock(all_->mutex);
        auto& queue = all_->under_way[{from, rank_}];
        all_->changed.wait(lock, [&] { return !queue.empty() || all_->broken; });
        if (queue.empty()) throw std::runtime_error("another rank has failed");
        std::vector<std::byte> first = std::move(queue.front());
        queue.pop_front();
        return first;
    }
    void receive(int from, void* values, std::uint64_t bytes) {
        const std::vector<std::byte> came = next_of(from);
        if (came.size() != bytes) throw std::logic_error("a message is not what its receiver waits for");
        std::memcpy(values, came.data(), bytes);
    }
};

}  // namespace kasc::test
