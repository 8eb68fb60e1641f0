// What every function of a program's header does: it follows no NULL, and lets no exception out. Behind kasc_device.cuh
// or its CPU counterparts.
#pragma once

#include <cstring>
#include <exception>
#include <new>

// A function of the header. What is prepared is a hidden type, which would hide the functions that take it, too.
#define KASC_API extern "C" __attribute__((visibility("default")))

namespace {

// The status of `body`, whatever it throws.
template <class Body>
int kasc_call(const Body& body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return kasc_fail(2, "no memory is left on the host");
    } catch (const std::exception& error) {
        return kasc_fail(2, "%s", error.what());
    } catch (...) {
        return kasc_fail(2, "an exception of unknown type");
    }
}

inline int kasc_null(const char* what) { return kasc_fail(1, "%s is NULL", what); }

// Whatever else fails while this lives, the message stays: that of what failed first.
class kasc_first_message {
public:
    kasc_first_message() { std::memcpy(kept_, kasc_message, sizeof kept_); }
    ~kasc_first_message() { std::memcpy(kasc_message, kept_, sizeof kept_); }
    kasc_first_message(const kasc_first_message&) = delete;

private:
    char kept_[sizeof kasc_message];
};

}  // namespace
