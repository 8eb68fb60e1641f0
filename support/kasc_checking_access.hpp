// The memory of checking mode (kasc_checking.hpp): regions of words, what was done to each word, and pointers that
// tell.
#pragma once

#include <math.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "kasc_half.h"
#include "kasc_integers.hpp"
#include "kasc_quotients.hpp"
#include "kasc_random.hpp"

#define __device__
#define __forceinline__ inline
#define __global__

struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) double2 {
    double x, y;
};

namespace {

inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fadd_rn(float a, float b) { return a + b; }

// The first fault of a run, and where the kernel stands.
struct kasc_check_state {
    std::string fault;
    std::string kernel;
    int block[3] = {0, 0, 0};
    int thread = -1;
    int interval = 0;  // barriers passed in this block
    std::int64_t block_number = 0;
    std::int64_t launch = 0;
    // The launch whose blocks have all counted themselves, and by which of their threads (kasc_is_last).
    std::int64_t finished_launch = -1, counted_block = -1;
    int finished_by = -1;
    int seed = 1, drawn = 0;

    unsigned random() { return kasc_philox(seed, drawn++, 0, 0, 0).word[0]; }
};
inline kasc_check_state& kasc_state() {
    static kasc_check_state state = [] {
        kasc_check_state s;
        if (const char* seed = std::getenv("KASC_SEED")) s.seed = static_cast<int>(std::strtoul(seed, nullptr, 10));
        return s;
    }();
    return state;
}

inline void kasc_fault(const char* format, ...) {
    kasc_check_state& s = kasc_state();
    if (!s.fault.empty()) return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char place[160];
    std::snprintf(place, sizeof place, "%s, block (%d,%d,%d), thread %d: ", s.kernel.c_str(), s.block[0], s.block[1],
                  s.block[2], s.thread);
    s.fault = std::string(place) + text;
}

enum class kasc_space { global, shared, private_ };

constexpr int several = -2;  // in place of a writer's number: no thread may read before the next barrier

// One word's history: who wrote it last and who read it since, in which interval of which block of which launch.
struct kasc_word {
    bool written = false;
    std::int64_t read_launch = -1;  // the last that read it, of global memory
    int interval = -1;
    int writer = -1;                     // thread; -1: none in this interval
    int reader = -1, other_reader = -1;  // two distinct threads that read in this interval
    int added_in = -1, adder = -1;       // the last interval in which threads added to it; -2: several of them
    std::int64_t write_launch = -1, write_block = -1;
    int write_thread = -1, write_interval = -1;
};

struct kasc_region {
    std::string name;
    kasc_space space = kasc_space::global;
    void* data = nullptr;
    std::int64_t words = 0;
    std::vector<kasc_word> history;

    template <class T>
    [[nodiscard]] T& word(std::int64_t i) const {
        return static_cast<T*>(data)[i];
    }
    // Where set, it is told every access, in bounds or not, and nothing is checked here: `kasc check-lib` compares
    // what a library's functions touch with what their patterns declare.
    void (*touch)(void* user, long long word, int writes) = nullptr;
    void* user = nullptr;

    [[nodiscard]] bool traced() const { return touch != nullptr; }
    [[nodiscard]] bool holds(std::int64_t i) const { return i >= 0 && i < words; }
};

// What a message shows of a word.
template <class T>
double kasc_shown(const T& word) {
    if constexpr (std::is_convertible_v<T, double>)
        return static_cast<double>(word);
    else
        return static_cast<double>(word.x);
}

// What threads add to a word of shared memory is complete behind the next barrier.
inline void kasc_await_added(kasc_region& r, const kasc_word& w, std::int64_t i, const char* what) {
    const kasc_check_state& s = kasc_state();
    if (w.added_in == s.interval && w.adder != s.thread)
        kasc_fault("%s word %lld of %s, to which another thread adds with no barrier between", what, (long long)i,
                   r.name.c_str());
}

inline void kasc_read(kasc_region& r, std::int64_t i) {
    kasc_check_state& s = kasc_state();
    kasc_word& w = r.history[static_cast<std::size_t>(i)];
    if (!w.written) kasc_fault("reads word %lld of %s, which nothing has written", (long long)i, r.name.c_str());
    if (r.space == kasc_space::private_) return;
    if (r.space == kasc_space::global) {
        w.read_launch = s.launch;
        if (w.write_launch == s.launch) {
            const bool same_block = w.write_block == s.block_number;
            const bool counted = s.finished_launch == s.launch && w.write_thread == s.finished_by;
            const bool ordered =
                counted || (same_block && (w.write_thread == s.thread || w.write_interval < s.interval));
            if (!ordered)
                kasc_fault("reads word %lld of %s, which thread %d of block %lld writes in the same kernel",
                           (long long)i, r.name.c_str(), w.write_thread, (long long)w.write_block);
        }
        return;
    }
    kasc_await_added(r, w, i, "reads");
    if (w.interval != s.interval) {
        w.interval = s.interval;
        w.writer = w.reader = w.other_reader = -1;
    }
    if (w.writer != -1 && w.writer != s.thread) {
        kasc_fault("reads word %lld of %s, which thread %d writes with no barrier between", (long long)i,
                   r.name.c_str(), w.writer);
    }
    if (w.reader == -1 || w.reader == s.thread)
        w.reader = s.thread;
    else
        w.other_reader = s.thread;
}

template <class T>
void kasc_write(kasc_region& r, std::int64_t i, T value) {
    kasc_check_state& s = kasc_state();
    kasc_word& w = r.history[static_cast<std::size_t>(i)];
    if (r.space == kasc_space::global && w.write_launch == s.launch &&
        (w.write_block != s.block_number || w.write_thread != s.thread)) {
        const bool ordered = w.write_block == s.block_number && w.write_interval < s.interval;
        if (!ordered && std::memcmp(&value, &r.word<T>(i), sizeof value) != 0) {
            kasc_fault("writes %g to word %lld of %s, where thread %d of block %lld wrote %g", kasc_shown(value),
                       (long long)i, r.name.c_str(), w.write_thread, (long long)w.write_block,
                       kasc_shown(r.word<T>(i)));
        }
    }
    if (r.space == kasc_space::shared) {
        kasc_await_added(r, w, i, "writes");
        if (w.interval != s.interval) {
            w.interval = s.interval;
            w.writer = w.reader = w.other_reader = -1;
        }
        const bool rewritten = w.writer != -1 && w.writer != s.thread;
        const bool equal = std::memcmp(&value, &r.word<T>(i), sizeof value) == 0;
        const int reader = w.reader != -1 && w.reader != s.thread ? w.reader : w.other_reader;
        if (rewritten && !equal) {
            kasc_fault("writes word %lld of %s, where thread %d wrote another value with no barrier between",
                       (long long)i, r.name.c_str(), w.writer);
        } else if (reader != -1 && reader != s.thread) {
            kasc_fault("writes word %lld of %s, which thread %d reads with no barrier between", (long long)i,
                       r.name.c_str(), reader);
        }
        w.writer = rewritten ? several : s.thread;
    }
    w.written = true;
    w.write_launch = s.launch;
    w.write_block = s.block_number;
    w.write_thread = s.thread;
    w.write_interval = s.interval;
    r.word<T>(i) = value;
}

// Any number of threads may add to a word of memory, and none reads it in the same kernel; of shared memory none does
// before the next barrier.
template <class Integer>
void kasc_add_to(kasc_region& r, std::int64_t i, Integer number) {
    using Bits = std::make_unsigned_t<Integer>;
    constexpr int many = -2;
    kasc_word& w = r.history[static_cast<std::size_t>(i)];
    if (!w.written) kasc_fault("adds to word %lld of %s, which nothing has written", (long long)i, r.name.c_str());
    const kasc_check_state& s = kasc_state();
    if (r.space == kasc_space::shared) {
        const auto others = [&](int thread) { return thread != -1 && thread != s.thread; };
        if (w.interval == s.interval && (others(w.writer) || others(w.reader) || others(w.other_reader)))
            kasc_fault("adds to word %lld of %s, which another thread touches with no barrier between", (long long)i,
                       r.name.c_str());
        w.adder = w.added_in == s.interval && w.adder != s.thread ? many : s.thread;
        w.added_in = s.interval;
    }
    w.write_launch = s.launch;
    w.write_block = w.write_thread = many;
    r.word<Integer>(i) = static_cast<Integer>(static_cast<Bits>(r.word<Integer>(i)) + static_cast<Bits>(number));
}

// What an expression has of a word: numbers of 16 bits are floats there.
template <class T>
struct kasc_number_of {
    using type = T;
};
template <>
struct kasc_number_of<kasc_half> {
    using type = float;
};
template <>
struct kasc_number_of<kasc_bfloat16> {
    using type = float;
};

template <class T>
class kasc_pointer_to;

// A word reached through a pointer: reads and writes are seen, but for those of a function's own local arrays.
template <class T>
class kasc_reference_to {
public:
    using number = typename kasc_number_of<T>::type;
    explicit kasc_reference_to(T* own) : own_(own) {}
    kasc_reference_to(kasc_region* region, std::int64_t index) : region_(region), index_(index) {}
    kasc_reference_to(const kasc_reference_to&) = default;
    kasc_pointer_to<T> operator&() const;
    operator number() const { return word(); }
    [[nodiscard]] T word() const {
        if (own_ != nullptr) return *own_;
        if (region_ != nullptr && region_->traced()) {
            region_->touch(region_->user, index_, 0);
            return region_->holds(index_) ? region_->template word<T>(index_) : T{};
        }
        if (index_ < 0) return T{};
        kasc_read(*region_, index_);
        return region_->template word<T>(index_);
    }
    kasc_reference_to& operator=(number value) {
        store(static_cast<T>(value));
        return *this;
    }
    // The word as it lies in memory.
    void store(T value) {
        if (own_ != nullptr) {
            *own_ = value;
        } else if (region_ != nullptr && region_->traced()) {
            region_->touch(region_->user, index_, 1);
            if (region_->holds(index_)) region_->template word<T>(index_) = value;
        } else if (index_ >= 0) {
            kasc_write(*region_, index_, value);
        }
    }
    kasc_reference_to& operator=(const kasc_reference_to& other) {
        store(other.word());
        return *this;
    }
    void add(T value) {
        if (index_ >= 0) kasc_add_to(*region_, index_, value);
    }
    kasc_reference_to& operator+=(number value) { return *this = *this + value; }
    kasc_reference_to& operator-=(number value) { return *this = *this - value; }
    kasc_reference_to& operator*=(number value) { return *this = *this * value; }
    kasc_reference_to& operator/=(number value) { return *this = *this / value; }

private:
    friend class kasc_pointer_to<T>;
    kasc_region* region_ = nullptr;
    std::int64_t index_ = 0;
    T* own_ = nullptr;
};

template <class T>
class kasc_pointer_to {
public:
    kasc_pointer_to() = default;
    // A local array of the author's, handed to a function: nothing but that function's thread can touch it.
    kasc_pointer_to(const T* own) : own_(const_cast<T*>(own)) {}
    kasc_pointer_to(kasc_region* region, std::int64_t first, std::int64_t words)
        : region_(region), low_(first), high_(first + words), at_(first) {}
    kasc_reference_to<T> operator[](std::int64_t i) const {
        const std::int64_t at = at_ + i;
        if (own_ != nullptr) return kasc_reference_to<T>(own_ + at);
        if (region_ != nullptr && region_->traced()) return {region_, at};
        if (region_ == nullptr || at < low_ || at >= high_) {
            kasc_fault("touches word %lld of %s, which has %lld", (long long)(at - low_),
                       region_ == nullptr ? "no array" : region_->name.c_str(), (long long)(high_ - low_));
            return {region_, -1};
        }
        return {region_, at};
    }
    kasc_reference_to<T> operator*() const { return (*this)[0]; }
    kasc_pointer_to operator+(std::int64_t i) const {
        kasc_pointer_to moved = *this;
        moved.at_ += i;
        return moved;
    }
    kasc_pointer_to operator-(std::int64_t i) const { return *this + -i; }
    kasc_pointer_to& operator+=(std::int64_t i) { return *this = *this + i; }
    kasc_pointer_to& operator++() { return *this += 1; }
    // The word itself, which all threads may touch together.
    [[nodiscard]] T& unwatched() const { return region_->template word<T>(at_); }
    [[nodiscard]] bool aligned(std::int64_t words) const { return (at_ - low_) % words == 0; }

private:
    kasc_region* region_ = nullptr;
    std::int64_t low_ = 0, high_ = 0, at_ = 0;
    T* own_ = nullptr;

    friend class kasc_reference_to<T>;
};
template <class T>
kasc_pointer_to<T> kasc_reference_to<T>::operator&() const {
    if (own_ != nullptr) return own_;
    kasc_pointer_to<T> p(region_, 0, region_ == nullptr ? 0 : region_->words);
    p.at_ = index_;
    return p;
}
using kasc_pointer = kasc_pointer_to<float>;
using kasc_reference = kasc_reference_to<float>;

// Whether all other blocks of the launch have come here before. What the thread that does this had stored in each of
// them may be read from then on; what other threads had may not, as no barrier is asked for before.
inline int kasc_is_last(const kasc_pointer_to<int>& finished, long long blocks) {
    kasc_check_state& s = kasc_state();
    if (s.block_number == s.counted_block) kasc_fault("the block counts itself twice");
    s.counted_block = s.block_number;
    const int counted = finished.unwatched() + 1;
    const bool last = counted == blocks;
    finished.unwatched() = last ? 0 : counted;
    if (last) s.finished_launch = s.launch, s.finished_by = s.thread;
    return last;
}

// float4 accesses of an author's code.
class kasc_reference4 {
public:
    explicit kasc_reference4(kasc_pointer p) : p_(p) {}
    operator float4() const { return {p_[0], p_[1], p_[2], p_[3]}; }
    kasc_reference4& operator=(const float4& v) {
        p_[0] = v.x;
        p_[1] = v.y;
        p_[2] = v.z;
        p_[3] = v.w;
        return *this;
    }
    kasc_reference4& operator=(const kasc_reference4& other) { return *this = static_cast<float4>(other); }

private:
    kasc_pointer p_;
};
class kasc_pointer4 {
public:
    explicit kasc_pointer4(kasc_pointer p) : p_(p) {}
    kasc_reference4 operator*() const { return kasc_reference4(p_); }
    kasc_reference4 operator[](std::int64_t i) const { return kasc_reference4(p_ + 4 * i); }

private:
    kasc_pointer p_;
};

}  // namespace
