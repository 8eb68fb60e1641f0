// Checking mode of code emitted by kasc: every access of a kernel to shared, private and global memory goes through
// kasc_pointer, which checks bounds, reads of words that nothing wrote, and races.
//
// A race: two threads touch the same word, at least one writes, and no barrier stands between them. For shared memory
// each word remembers its accesses since the last barrier; for global memory since the kernel's start, where barriers
// order the threads of one block only. Equal values may be written to one word: the last tile of a stream is moved back
// over the one before, which another block serves or the same one a round earlier, and threads that share an element
// may each load its scalar. Threads run in an order drawn anew for each region from KASC_SEED, so that a result that
// depends on the order shows.
#pragma once

#include <math.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <list>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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

template <class A, class B>
std::common_type_t<A, B> kasc_min(A a, B b) {
    return b < a ? b : a;
}
template <class A, class B>
std::common_type_t<A, B> kasc_max(A a, B b) {
    return a < b ? b : a;
}

// The first fault of a run, and where the kernel stands.
struct kasc_check_state {
    std::string fault;
    std::string kernel;
    int block[3] = {0, 0, 0};
    int thread = -1;
    int interval = 0;  // barriers passed in this block
    std::int64_t block_number = 0;
    std::int64_t launch = 0;
    std::mt19937 random{std::mt19937::default_seed};
};
inline kasc_check_state& kasc_state() {
    static kasc_check_state state = [] {
        kasc_check_state s;
        if (const char* seed = std::getenv("KASC_SEED"))
            s.random.seed(static_cast<unsigned>(std::strtoul(seed, nullptr, 10)));
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
    std::int64_t launch = -1, block = -1;
    int interval = -1;
    int writer = -1;                     // thread; -1: none in this interval
    int reader = -1, other_reader = -1;  // two distinct threads that read in this interval
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
    if constexpr (std::is_arithmetic_v<T>)
        return static_cast<double>(word);
    else
        return static_cast<double>(word.x);
}

inline void kasc_read(kasc_region& r, std::int64_t i) {
    kasc_check_state& s = kasc_state();
    kasc_word& w = r.history[static_cast<std::size_t>(i)];
    if (!w.written) kasc_fault("reads word %lld of %s, which nothing has written", (long long)i, r.name.c_str());
    if (r.space == kasc_space::private_) return;
    if (r.space == kasc_space::global) {
        if (w.write_launch == s.launch) {
            const bool same_block = w.write_block == s.block_number;
            const bool ordered = same_block && (w.write_thread == s.thread || w.write_interval < s.interval);
            if (!ordered)
                kasc_fault("reads word %lld of %s, which thread %d of block %lld writes in the same kernel",
                           (long long)i, r.name.c_str(), w.write_thread, (long long)w.write_block);
        }
        return;
    }
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

template <class T>
class kasc_pointer_to;

// A word reached through a pointer: reads and writes are seen, but for those of a function's own local arrays.
template <class T>
class kasc_reference_to {
public:
    explicit kasc_reference_to(T* own) : own_(own) {}
    kasc_reference_to(kasc_region* region, std::int64_t index) : region_(region), index_(index) {}
    kasc_reference_to(const kasc_reference_to&) = default;
    kasc_pointer_to<T> operator&() const;
    operator T() const {
        if (own_ != nullptr) return *own_;
        if (region_ != nullptr && region_->traced()) {
            region_->touch(region_->user, index_, 0);
            return region_->holds(index_) ? region_->template word<T>(index_) : T{};
        }
        if (index_ < 0) return T{};
        kasc_read(*region_, index_);
        return region_->template word<T>(index_);
    }
    kasc_reference_to& operator=(T value) {
        if (own_ != nullptr) {
            *own_ = value;
        } else if (region_ != nullptr && region_->traced()) {
            region_->touch(region_->user, index_, 1);
            if (region_->holds(index_)) region_->template word<T>(index_) = value;
        } else if (index_ >= 0) {
            kasc_write(*region_, index_, value);
        }
        return *this;
    }
    kasc_reference_to& operator=(const kasc_reference_to& other) { return *this = static_cast<T>(other); }
    kasc_reference_to& operator+=(T value) { return *this = *this + value; }
    kasc_reference_to& operator-=(T value) { return *this = *this - value; }
    kasc_reference_to& operator*=(T value) { return *this = *this * value; }
    kasc_reference_to& operator/=(T value) { return *this = *this / value; }

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

// One block of a kernel while it runs.
class kasc_block {
public:
    kasc_block(const char* kernel, int threads, int x, int y, int z, int shared_words)
        : threads_(threads), memory_(static_cast<std::size_t>(shared_words) + 1, NAN) {
        kasc_check_state& s = kasc_state();
        s.kernel = kernel;
        s.block[0] = x, s.block[1] = y, s.block[2] = z;
        s.thread = -1;
        s.interval = 0;
        ++s.block_number;
        region_.name = "shared memory";
        region_.space = kasc_space::shared;
        region_.data = memory_.data();
        region_.words = shared_words;
        region_.history.resize(static_cast<std::size_t>(shared_words));
    }
    [[nodiscard]] int threads() const { return threads_; }
    kasc_pointer shared(const char*, int offset, int words) { return {&region_, offset, words}; }
    // An array of its own.
    template <class T>
    kasc_pointer_to<T> shared(const char* name, int words) {
        tiles_.emplace_back(static_cast<std::size_t>(words) * sizeof(T), static_cast<unsigned char>(0xFF));
        kasc_region& region = tile_regions_.emplace_back();
        region.name = name;
        region.space = kasc_space::shared;
        region.data = tiles_.back().data();
        region.words = words;
        region.history.resize(static_cast<std::size_t>(words));
        return {&region, 0, words};
    }
    std::vector<int> thread_order() {
        std::vector<int> order(static_cast<std::size_t>(threads_));
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[kasc_state().random() % k]);
        return order;
    }
    void enter(int thread) { kasc_state().thread = thread; }
    void barrier() { ++kasc_state().interval; }
    void await_copies() {}

private:
    int threads_;
    std::vector<float> memory_;
    kasc_region region_;
    std::list<std::vector<unsigned char>> tiles_;
    std::list<kasc_region> tile_regions_;
};

// Registers of every thread that live across barriers.
template <class T>
class kasc_private_of {
public:
    kasc_private_of(const kasc_block& block, const char* name, int words)
        : words_(words), memory_(static_cast<std::size_t>(block.threads() * words)) {
        region_.name = name;
        region_.space = kasc_space::private_;
        region_.data = memory_.data();
        region_.words = block.threads() * words;
        region_.history.resize(memory_.size());
    }
    kasc_private_of(const kasc_private_of&) = delete;
    kasc_pointer_to<T> operator[](int thread) { return {&region_, static_cast<std::int64_t>(thread) * words_, words_}; }

private:
    int words_;
    std::vector<T> memory_;
    kasc_region region_;
};
using kasc_private = kasc_private_of<float>;

template <class T>
void load4(T* to, const kasc_pointer_to<T>& from) {
    if (!from.aligned(4)) kasc_fault("a load of four words is not aligned");
    for (int i = 0; i < 4; ++i) to[i] = from[i];
}
template <class T>
void load2(T* to, const kasc_pointer_to<T>& from) {
    if (!from.aligned(2)) kasc_fault("a load of two words is not aligned");
    for (int i = 0; i < 2; ++i) to[i] = from[i];
}
// Into registers that outlive a barrier.
template <class T>
void load4(const kasc_pointer_to<T>& to, const kasc_pointer_to<T>& from) {
    T words[4];
    load4(words, from);
    for (int i = 0; i < 4; ++i) to[i] = words[i];
}
template <class T>
void load2(const kasc_pointer_to<T>& to, const kasc_pointer_to<T>& from) {
    T words[2];
    load2(words, from);
    for (int i = 0; i < 2; ++i) to[i] = words[i];
}
template <class T>
void store4(const kasc_pointer_to<T>& to, const T* from) {
    if (!to.aligned(4)) kasc_fault("a store of four words is not aligned");
    for (int i = 0; i < 4; ++i) to[i] = from[i];
}
template <class T>
void store2(const kasc_pointer_to<T>& to, const T* from) {
    if (!to.aligned(2)) kasc_fault("a store of two words is not aligned");
    for (int i = 0; i < 2; ++i) to[i] = from[i];
}

// In shared memory `padding` words follow each `element` of them.
template <int element, int padding>
constexpr int padded_word(int word) {
    return padding == 0 ? word : word + word / element * padding;
}

template <int words, int threads, int element = 1, int padding = 0>
void copy_tile_in(const kasc_pointer& shared, const kasc_pointer& global, int thread) {
    for (int k = 4 * thread; k < words; k += 4 * threads) {
        for (int j = k; j < k + 4 && j < words; ++j) shared[padded_word<element, padding>(j)] = global[j];
    }
}
template <int words, int threads, int element = 1, int padding = 0>
void copy_tile_out(const kasc_pointer& global, const kasc_pointer& shared, int thread) {
    for (int k = 4 * thread; k < words; k += 4 * threads) {
        for (int j = k; j < k + 4 && j < words; ++j) global[j] = shared[padded_word<element, padding>(j)];
    }
}

// An array in "device" memory, of words of any size: they count as written once the host or a kernel wrote them.
class kasc_array {
public:
    kasc_array(const char* name, std::int64_t words, std::int64_t word_bytes)
        : word_bytes_(word_bytes), memory_(static_cast<std::size_t>(words * word_bytes), 0xFF) {  // NaN, as reals
        region_.name = name;
        region_.data = memory_.data();
        region_.words = words;
        region_.history.resize(static_cast<std::size_t>(words));
    }
    kasc_array(const kasc_array&) = delete;
    kasc_array& operator=(const kasc_array&) = delete;
    template <class T>
    kasc_pointer_to<T> pointer() {
        return kasc_pointer_to<T>(&region_, 0, region_.words) - before_;
    }
    // Kernels see an array of which this holds what stands `words` behind its start.
    void move(std::int64_t words) { before_ = words; }
    void copy_from(const void* values, std::int64_t words) {
        std::memcpy(memory_.data(), values, static_cast<std::size_t>(words * word_bytes_));
        for (std::int64_t i = 0; i < words; ++i) region_.history[static_cast<std::size_t>(i)].written = true;
    }
    void copy_from(const kasc_array& other) {
        memory_ = other.memory_;
        region_.data = memory_.data();
        for (std::size_t i = 0; i < region_.history.size(); ++i)
            region_.history[i].written = other.region_.history[i].written;
    }
    void zero() {
        std::fill(memory_.begin(), memory_.end(), static_cast<unsigned char>(0));
        for (kasc_word& w : region_.history) w.written = true;
    }
    void copy_to(void* values, std::int64_t words, std::int64_t first = 0) {
        for (std::int64_t i = first; i < first + words; ++i) {
            if (region_.history[static_cast<std::size_t>(i)].written) continue;
            kasc_state().thread = -1;
            kasc_fault("word %lld of the result %s was never written", (long long)i, region_.name.c_str());
        }
        std::memcpy(values, memory_.data() + first * word_bytes_, static_cast<std::size_t>(words * word_bytes_));
    }

    // For a library, which reads or writes all words.
    void* all_words(bool written) {
        for (std::size_t i = 0; i < region_.history.size(); ++i) {
            kasc_word& w = region_.history[i];
            if (!written && !w.written)
                kasc_fault("a transform reads word %lld of %s, which nothing has written", (long long)i,
                           region_.name.c_str());
            w.written = true;
        }
        return memory_.data();
    }
    void lose() {
        for (kasc_word& w : region_.history) w.written = false;
    }

private:
    std::int64_t word_bytes_;
    std::vector<unsigned char> memory_;
    kasc_region region_;
    std::int64_t before_ = 0;
};

template <class T>
T* kasc_words(kasc_array* array, bool written) {
    kasc_state().kernel = "transform";
    kasc_state().thread = -1;
    return static_cast<T*>(array->all_words(written));
}
inline void kasc_lose(kasc_array* array) { array->lose(); }

// ---- host --------------------------------------------------------------------------------------------------------

inline thread_local char kasc_message[512] = "";

inline int kasc_fail(int status, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(kasc_message, sizeof kasc_message, format, arguments);
    va_end(arguments);
    return status;
}

struct kasc_range {
    explicit kasc_range(const char*) {}
};

// Words between two arrays.
struct kasc_few {
    void* to;
    const void* from;
    long long words;  // of 4 bytes
};

// What a prepared program holds: every array is a kasc_array, so that the kernels' accesses are seen, the caller's
// through a copy of it.
class kasc_memory {
public:
    template <class T>
    using array = kasc_array*;
    using handle = kasc_array*;  // of an array of whatever words

    explicit kasc_memory(void*) { enter(); }
    kasc_memory(const kasc_memory&) = delete;

    int status() const { return status_; }
    void fail(int status) { status_ = status; }
    // At the beginning of a call on what was prepared before.
    int enter() {
        kasc_state().fault.clear();
        callers_.clear();
        return status_ = 0;
    }
    int release() {
        callers_.clear();
        arrays_.clear();
        return 0;
    }
    // Of the caller's arrays: on the host, in the target's memory.
    void present(const char* name, const void* array) {
        if (status_ == 0 && array == nullptr) status_ = kasc_fail(1, "%s is NULL", name);
    }
    void expect(const char* name, const void* array) { present(name, array); }
    template <class T>
    array<T> input(const char* name, const T* values, long long words) {
        array<T> a = output(name, values, words);
        a->copy_from(values, words);
        return a;
    }
    template <class T>
    array<T> output(const char* name, const T*, long long words) {
        callers_.push_back(std::make_unique<kasc_array>(name, words, sizeof(T)));
        return callers_.back().get();
    }
    template <class T>
    array<T> take(const char* name, long long words) {
        arrays_.push_back(std::make_unique<kasc_array>(name, words, sizeof(T)));
        return arrays_.back().get();
    }
    void copy(handle to, handle from, long long) {
        if (to != from) to->copy_from(*from);
    }
    template <class T = float>
    void zero(handle to, long long) {
        to->zero();
    }
    void deliver(void* to, handle from, long long words) {
        kasc_state().kernel = "result";
        from->copy_to(to, words);
        check();
    }
    // In place of an array of the caller's: zeros.
    template <class T>
    T* room(const char*, long long words) {
        rooms_.emplace_back(static_cast<std::size_t>(words) * sizeof(T), static_cast<unsigned char>(0));
        return reinterpret_cast<T*>(rooms_.back().data());
    }
    template <class T>
    const T* upload(const char*, const T* values, long long) {
        return values;
    }
    template <class T>
    T* result(const char*, T* values, long long) {
        return values;
    }
    template <class T>
    void download(T* values, const T* from, long long words) {
        if (values != from) std::memcpy(values, from, sizeof(T) * static_cast<std::size_t>(words));
    }
    // Between the host and an array of the run, `first` words into it.
    int write(handle to, const void* values, long long words, long long) {
        to->copy_from(values, words);
        return status_;
    }
    int read(void* values, handle from, long long first, long long words, long long) {
        kasc_state().kernel = "state";
        from->copy_to(values, words, first);
        return check();
    }
    // The array of which `rows` hold what stands `words` behind its start.
    template <class T>
    array<T> moved(handle rows, long long words) {
        rows->move(words);
        return rows;
    }
    void synchronise() {}
    void begin_timing() {}
    double end_timing() const { return 0; }
    int check() {
        if (status_ == 0 && !kasc_state().fault.empty()) status_ = kasc_fail(3, "%s", kasc_state().fault.c_str());
        return status_;
    }

private:
    int status_ = 0;
    std::vector<std::unique_ptr<kasc_array>> arrays_, callers_;
    std::list<std::vector<unsigned char>> rooms_;
};

inline void kasc_copy_few(kasc_memory&, std::initializer_list<kasc_few> copies) {
    for (const kasc_few& c : copies) std::memcpy(c.to, c.from, static_cast<std::size_t>(c.words) * 4);
}

}  // namespace
