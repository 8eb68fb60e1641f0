#pragma once
// Ctrl-C: the first asks the run to stop at the next step, the second ends the process as usual.

#include <signal.h>

namespace kasc::runtime {

/// While it lives, SIGINT is only noted. One at a time.
class InterruptWatch {
public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

    [[nodiscard]] bool interrupted() const;

private:
    struct sigaction previous_ {};
};

}  // namespace kasc::runtime
