#pragma once
// Ctrl-C, or a system that goes down (SIGTERM): the first asks the run to stop at the next step, the second ends the
// process as usual.

#include <signal.h>

namespace kasc::runtime {

/// While it lives, SIGINT and SIGTERM are only noted. One at a time.
class InterruptWatch {
public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

    [[nodiscard]] bool interrupted() const;

private:
    struct sigaction previous_ {};
    struct sigaction previous_term_ {};
};

}  // namespace kasc::runtime
