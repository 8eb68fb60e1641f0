#include "runtime/processes/interrupt.hpp"

#include <unistd.h>

namespace kasc::runtime {

namespace {

// A signal handler can reach nothing but a variable of the process.
volatile sig_atomic_t noted = 0;

void note(int) {
    noted = 1;
    constexpr char text[] = "\nstopping after this step (Ctrl-C again: at once)\n";
    // Nothing to be done if standard error is gone.
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) return;
}

}  // namespace

InterruptWatch::InterruptWatch() {
    noted = 0;
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &previous_);
    sigaction(SIGTERM, &action, &previous_term_);
}

InterruptWatch::~InterruptWatch() {
    sigaction(SIGINT, &previous_, nullptr);
    sigaction(SIGTERM, &previous_term_, nullptr);
}

bool InterruptWatch::interrupted() const { return noted != 0; }

}  // namespace kasc::runtime
