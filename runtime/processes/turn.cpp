#include "runtime/processes/turn.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace kasc::runtime {

Turn::Turn(const std::filesystem::path& file, const std::function<bool()>& stop)
    : held_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    constexpr auto ask_every = std::chrono::milliseconds(50);
    while (held_ && flock(held_.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) return;
        if (stop && stop()) return;
        std::this_thread::sleep_for(ask_every);
    }
}

}  // namespace kasc::runtime
