// Names and numbers are those of nccl.h, which are stable.
//
// Two ranks connect as they send each other the first bytes. So each pair does as NCCL starts, with a few.
#include "runtime/devices/nccl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "runtime/devices/rank_memory.hpp"
#include "runtime/processes/shared_library.hpp"

namespace kasc::runtime {

namespace {

constexpr int of_bytes = 0;  // ncclInt8

bool all_say_yes(Communicator& processes, bool own) {
    const std::vector<std::string> all = gather_texts(processes, own ? "yes" : "no");
    return std::all_of(all.begin(), all.end(), [](const std::string& said) { return said == "yes"; });
}

}  // namespace

struct Nccl::Library {
    struct UniqueId {
        char bytes[128];  // NCCL_UNIQUE_ID_BYTES
    };
    int (*make_id)(UniqueId*) = nullptr;
    int (*begin)(void**, int, UniqueId, int) = nullptr;
    int (*end)(void*) = nullptr;
    int (*begin_group)() = nullptr;
    int (*end_group)() = nullptr;
    int (*send)(const void*, std::size_t, int, int, void*, void*) = nullptr;
    int (*receive)(void*, std::size_t, int, int, void*, void*) = nullptr;
    const char* (*error_text)(int) = nullptr;

    [[nodiscard]] bool load() {
        void* library = open_cuda_library({"libnccl.so.2"});
        const auto find = [&](const char* name, auto& into) { return find_function(library, name, into); };
        return library != nullptr && find("ncclGetUniqueId", make_id) && find("ncclCommInitRank", begin) &&
               find("ncclCommDestroy", end) && find("ncclGroupStart", begin_group) && find("ncclGroupEnd", end_group) &&
               find("ncclSend", send) && find("ncclRecv", receive) && find("ncclGetErrorString", error_text);
    }
};

std::unique_ptr<NcclStart> NcclStart::begin(Communicator& processes, int device,
                                            std::vector<std::pair<int, int>> pairs) {
    auto library = std::make_shared<Nccl::Library>();
    PagesDriver pages;
    std::string gpu(16, '\0');
    const bool found = !pairs.empty() && library->load() && pages.load() && pages.get_uuid(gpu.data(), device) == 0;
    // Who expects other pairs has another plan, which is said later, by those who still hear of it.
    std::string expected;
    for (const auto& [a, b] : pairs) expected += fmt::format("{} {}, ", a, b);
    const std::vector<std::string> gpus = gather_texts(processes, gpu);
    const std::vector<std::string> all_expected = gather_texts(processes, expected);
    const bool alike =
        std::all_of(all_expected.begin(), all_expected.end(), [&](const auto& e) { return e == expected; });
    const bool each_its_own = std::set<std::string>(gpus.begin(), gpus.end()).size() == gpus.size();
    Nccl::Library::UniqueId id{};
    const bool made = found && (processes.rank() != 0 || library->make_id(&id) == 0);
    if (!all_say_yes(processes, made && alike && each_its_own)) return nullptr;
    processes.broadcast(&id, sizeof(id));
    auto start = std::make_unique<NcclStart>();
    start->started_ = std::async(std::launch::async, [=, ranks = processes.ranks(), rank = processes.rank()] {
        std::unique_ptr<Nccl> own(new Nccl(device));
        const CudaDriver& driver = own->gpu_.driver();
        if (!own->gpu_.fault().empty() || own->gpu_.enter() != 0) return std::unique_ptr<Nccl>();
        if (library->begin(&own->communicator_, ranks, id, rank) != 0) return std::unique_ptr<Nccl>();
        own->library_ = library;
        constexpr std::uint64_t few = 1024;
        std::vector<Message> first;
        DeviceAddress bytes = 0;
        if (driver.allocate(&bytes, 2 * few) != 0) return std::unique_ptr<Nccl>();
        for (const auto& [a, b] : pairs) {
            if (a != rank && b != rank) continue;
            auto* const at = reinterpret_cast<std::byte*>(bytes);
            first.push_back({a == rank ? b : a, true, at, few});
            first.push_back({a == rank ? b : a, false, at + few, few});
        }
        void* stream = nullptr;
        bool sent = driver.make_stream(&stream, 1) == 0;  // CU_STREAM_NON_BLOCKING
        sent = sent && (first.empty() || own->exchange(first, stream).empty()) && driver.await_stream(stream) == 0;
        if (stream != nullptr) driver.destroy_stream(stream);
        driver.release(bytes);
        return sent ? std::move(own) : std::unique_ptr<Nccl>();
    });
    return start;
}

std::unique_ptr<Nccl> NcclStart::finish(Communicator& processes) {
    std::unique_ptr<Nccl> own = started_.valid() ? started_.get() : nullptr;
    return all_say_yes(processes, own != nullptr) ? std::move(own) : nullptr;
}

Nccl::~Nccl() {
    const WithinContext within(gpu_);
    if (library_) library_->end(communicator_);
}

std::string Nccl::exchange(const std::vector<Message>& messages, void* stream) {
    int error = library_->begin_group();
    for (const Message& m : messages) {
        for (std::int64_t row = 0; row < m.rows && error == 0; ++row) {
            std::byte* const at = m.at + row * m.apart;
            error = m.sends ? library_->send(at, m.bytes, of_bytes, m.other, communicator_, stream)
                            : library_->receive(at, m.bytes, of_bytes, m.other, communicator_, stream);
        }
    }
    const int ended = library_->end_group();
    if (error == 0) error = ended;
    return error == 0 ? "" : std::string("NCCL: ") + library_->error_text(error);
}

}  // namespace kasc::runtime
