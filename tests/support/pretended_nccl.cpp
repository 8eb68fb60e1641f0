// NCCL between threads of one process, whose GPUs' memory is the host's. It starts slowly, on some ranks more than on
// others; what is sent to a rank that nobody has begun to send to before is counted (pretended_connections).
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace {

struct Rank {
    int number;
};
struct Operation {
    Rank* rank;
    int other;
    std::byte* at;  ///< where it comes to; null: it is sent
    std::vector<std::byte> sent;
    std::size_t bytes;
};
std::mutex mutex;
std::condition_variable changed;
std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> under_way;  ///< by sender and receiver
std::set<std::pair<int, int>> connected;
int begun = 0;  ///< communicators, ever: it only grows, since one may end before another has seen it begin
int alive = 0;
thread_local std::vector<Operation> group;

}  // namespace

extern "C" {

struct UniqueId {
    char bytes[128];
};

int ncclGetUniqueId(UniqueId* id) {
    std::memset(id, 5, sizeof(*id));
    return 0;
}
int ncclCommInitRank(void** communicator, int ranks, UniqueId id, int rank) {
    if (id.bytes[127] != 5) return 4;  // ncclInvalidArgument
    std::this_thread::sleep_for(std::chrono::milliseconds(20 * rank));
    std::unique_lock lock(mutex);
    const int all = (begun / ranks + 1) * ranks;
    ++begun, ++alive;
    changed.notify_all();
    changed.wait(lock, [&] { return begun >= all; });
    *communicator = new Rank{rank};
    return 0;
}
int ncclCommDestroy(void* communicator) {
    const std::lock_guard lock(mutex);
    if (--alive == 0) connected.clear();
    delete static_cast<Rank*>(communicator);
    return 0;
}
int ncclGroupStart() {
    group.clear();
    return 0;
}
int ncclSend(const void* at, std::size_t bytes, int /*type*/, int other, void* communicator, void* /*stream*/) {
    const auto* from = static_cast<const std::byte*>(at);
    group.push_back({static_cast<Rank*>(communicator), other, nullptr, {from, from + bytes}, bytes});
    return 0;
}
int ncclRecv(void* at, std::size_t bytes, int /*type*/, int other, void* communicator, void* /*stream*/) {
    group.push_back({static_cast<Rank*>(communicator), other, static_cast<std::byte*>(at), {}, bytes});
    return 0;
}
int ncclGroupEnd() {
    std::unique_lock lock(mutex);
    for (Operation& o : group) {
        if (o.at != nullptr) continue;
        connected.emplace(o.rank->number, o.other);
        under_way[{o.rank->number, o.other}].push_back(std::move(o.sent));
    }
    changed.notify_all();
    for (const Operation& o : group) {
        if (o.at == nullptr) continue;
        auto& queue = under_way[{o.other, o.rank->number}];
        changed.wait(lock, [&] { return !queue.empty(); });
        if (queue.front().size() != o.bytes) return 5;  // ncclInvalidUsage
        std::memcpy(o.at, queue.front().data(), o.bytes);
        queue.pop_front();
    }
    group.clear();
    return 0;
}
const char* ncclGetErrorString(int /*error*/) { return "a pretended error"; }

int pretended_connections() {
    const std::lock_guard lock(mutex);
    return static_cast<int>(connected.size());
}
}
