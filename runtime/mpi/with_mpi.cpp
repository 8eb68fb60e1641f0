// Messages are posted all at once, those that come before those that go, in pieces that MPI can count. Who waits looks
// again and again: at first at once, since an exchange takes microseconds; after a while now and then, so that others
// of the same core go on.
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <set>
#include <thread>

#include "runtime/mpi/processes.hpp"

namespace kasc::runtime {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t most_bytes_at_once = std::uint64_t{1} << 30U;
constexpr std::chrono::milliseconds eager{5};
constexpr std::chrono::microseconds between_looks{100};
/// A launch of one rank that takes so much longer than another's.
constexpr std::chrono::minutes longest_exchange{10};

class MpiProcesses final : public Communicator {
public:
    MpiProcesses() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
        MPI_Comm machine = MPI_COMM_NULL;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
        MPI_Comm_size(machine, &on_this_machine_);
        MPI_Comm_rank(machine, &number_on_this_machine_);
        MPI_Comm_free(&machine);
    }
    MpiProcesses(const MpiProcesses&) = delete;
    MpiProcesses& operator=(const MpiProcesses&) = delete;
    ~MpiProcesses() override {
        if (std::uncaught_exceptions() > 0) end_all("it ended by an exception", 3);
        MPI_Finalize();
    }

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return ranks_; }
    [[nodiscard]] int on_this_machine() const override { return on_this_machine_; }
    [[nodiscard]] int number_on_this_machine() const override { return number_on_this_machine_; }
    /// The library that runs says it, which need not be the one that this was compiled with. Not all have the function.
    [[nodiscard]] bool takes_device_memory() const override {
        const auto asked = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"));
        return asked != nullptr && asked() == 1;
    }

    void exchange(const std::vector<Message>& messages) override {
        std::vector<MPI_Request> requests;
        for (const bool sends : {false, true}) {
            for (const Message& m : messages) {
                if (m.sends == sends) post(m, requests);
            }
        }
        const bool came = wait(requests, Clock::now() + longest_exchange);
        if (came) return;
        std::set<int> others;
        for (const Message& m : messages) others.insert(m.other);
        end_all(fmt::format("it has waited ten minutes for rank {}", fmt::join(others, " or ")), 1);
    }
    void broadcast(void* values, std::uint64_t bytes) override {
        auto* at = static_cast<std::byte*>(values);
        for (std::uint64_t done = 0; done < bytes; done += most_bytes_at_once) {
            const auto count = static_cast<int>(std::min(most_bytes_at_once, bytes - done));
            std::vector<MPI_Request> request(1);
            MPI_Ibcast(at + done, count, MPI_BYTE, 0, MPI_COMM_WORLD, request.data());
            wait(request, std::nullopt);
        }
    }
    [[nodiscard]] std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& own) override {
        const int count = static_cast<int>(own.size());
        std::vector<int> counts(static_cast<std::size_t>(ranks_)), places;
        std::vector<MPI_Request> request(1);
        MPI_Iallgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD, request.data());
        wait(request, std::nullopt);
        int all = 0;
        for (const int c : counts) places.push_back(all), all += c;
        std::vector<std::byte> joined(static_cast<std::size_t>(all));
        request.resize(1);
        MPI_Iallgatherv(own.data(), count, MPI_BYTE, joined.data(), counts.data(), places.data(), MPI_BYTE,
                        MPI_COMM_WORLD, request.data());
        wait(request, std::nullopt);
        std::vector<std::vector<std::byte>> by_rank;
        for (std::size_t r = 0; r < counts.size(); ++r)
            by_rank.emplace_back(joined.begin() + places[r], joined.begin() + places[r] + counts[r]);
        return by_rank;
    }
    [[noreturn]] void abort(int status) override {
        std::fflush(nullptr);
        MPI_Abort(MPI_COMM_WORLD, status);
        std::terminate();
    }

private:
    int rank_ = 0, ranks_ = 1, on_this_machine_ = 1, number_on_this_machine_ = 0;

    static void post(const Message& m, std::vector<MPI_Request>& requests) {
        // As many rows in one message as MPI can count.
        const auto most_rows = static_cast<std::int64_t>(
            std::max<std::uint64_t>(1, most_bytes_at_once / std::max<std::uint64_t>(1, m.bytes)));
        for (std::int64_t row = 0; row < m.rows; row += most_rows)
            post_rows(m, row, std::min(most_rows, m.rows - row), requests);
    }
    static void post_rows(const Message& m, std::int64_t first, std::int64_t rows, std::vector<MPI_Request>& requests) {
        std::byte* const at = m.at + first * m.apart;
        if (rows == 1) return post_bytes(at, m, requests);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_create_hvector(static_cast<int>(rows), static_cast<int>(m.bytes), m.apart, MPI_BYTE, &type);
        MPI_Type_commit(&type);
        MPI_Request& request = requests.emplace_back();
        if (m.sends)
            MPI_Isend(at, 1, type, m.other, 0, MPI_COMM_WORLD, &request);
        else
            MPI_Irecv(at, 1, type, m.other, 0, MPI_COMM_WORLD, &request);
        MPI_Type_free(&type);  // when the message is over
    }
    static void post_bytes(std::byte* at, const Message& m, std::vector<MPI_Request>& requests) {
        for (std::uint64_t done = 0; done < m.bytes; done += most_bytes_at_once) {
            const auto count = static_cast<int>(std::min(most_bytes_at_once, m.bytes - done));
            MPI_Request& request = requests.emplace_back();
            if (m.sends)
                MPI_Isend(at + done, count, MPI_BYTE, m.other, 0, MPI_COMM_WORLD, &request);
            else
                MPI_Irecv(at + done, count, MPI_BYTE, m.other, 0, MPI_COMM_WORLD, &request);
        }
    }
    /// False: they were not done by then.
    static bool wait(std::vector<MPI_Request>& requests, std::optional<Clock::time_point> last) {
        const Clock::time_point began = Clock::now();
        for (;;) {
            int done = 0;
            MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
            if (done != 0) return true;
            const Clock::time_point now = Clock::now();
            if (last && now > *last) return false;
            if (now - began < eager)
                sched_yield();
            else
                std::this_thread::sleep_for(between_looks);
        }
    }
    [[noreturn]] void end_all(const std::string& why, int status) {
        fmt::print(stderr, "kasc: rank {} of {} ends the run: {}\n", rank_, ranks_, why);
        abort(status);
    }
};

}  // namespace

Outcome<std::unique_ptr<Communicator>> join_processes() {
    using Joined = std::unique_ptr<Communicator>;
    int has = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &has) != MPI_SUCCESS)
        return failure<Joined>(placeless("K0816", "MPI does not start", ""));
    auto processes = std::make_unique<MpiProcesses>();
    if (processes->ranks() == 1) return success<Joined>(nullptr);
    return success<Joined>(std::move(processes));
}

}  // namespace kasc::runtime
