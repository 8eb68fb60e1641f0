// Events are used again in turn: the time between two of them is asked for when they come up next, long after the
// stream has passed them, so that the host hardly ever waits.
#include "runtime/devices/stream_times.hpp"

namespace kasc::runtime {

StreamTimes::~StreamTimes() {
    for (const Span& span : spans_) {
        for (void* event : {span.begun, span.ended})
            if (event != nullptr) driver_.destroy_event(event);
    }
}

int StreamTimes::begin(void* stream) {
    Span& span = spans_[next_];
    count(span);
    for (void** event : {&span.begun, &span.ended}) {
        if (*event != nullptr) continue;
        if (const int error = driver_.make_event(event, 0); error != 0) return error;
    }
    return driver_.record_event(span.begun, stream);
}

int StreamTimes::end(void* stream) {
    Span& span = spans_[next_];
    next_ = (next_ + 1) % spans_.size();
    const int error = driver_.record_event(span.ended, stream);
    span.open = error == 0;
    return error;
}

double StreamTimes::seconds() {
    for (Span& span : spans_) count(span);
    return seconds_;
}

void StreamTimes::count(Span& span) {
    float ms = 0;
    if (!span.open) return;
    span.open = false;
    if (driver_.await_event(span.ended) == 0 && driver_.elapsed(&ms, span.begun, span.ended) == 0)
        seconds_ += 1e-3 * static_cast<double>(ms);
}

}  // namespace kasc::runtime
