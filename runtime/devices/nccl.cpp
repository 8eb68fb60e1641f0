// Names and numbers are those of nccl.h, which are stable.
#include "runtime/devices/nccl.hpp"

#include <algorithm>
#include <set>

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

std::unique_ptr<Nccl> Nccl::join(Communicator& processes, const std::string& gpu) {
    auto library = std::make_shared<Library>();
    const bool found = library->load();
    const std::vector<std::string> gpus = gather_texts(processes, gpu);
    const bool each_its_own = std::set<std::string>(gpus.begin(), gpus.end()).size() == gpus.size();
    Library::UniqueId id{};
    const bool made = found && (processes.rank() != 0 || library->make_id(&id) == 0);
    if (!all_say_yes(processes, made && each_its_own)) return nullptr;
    processes.broadcast(&id, sizeof(id));
    std::unique_ptr<Nccl> own(new Nccl);
    const bool begun = library->begin(&own->communicator_, processes.ranks(), id, processes.rank()) == 0;
    if (begun) own->library_ = std::move(library);
    return all_say_yes(processes, begun) ? std::move(own) : nullptr;
}

Nccl::~Nccl() {
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
