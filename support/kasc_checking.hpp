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
#include <cstring>
#include <initializer_list>
#include <list>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "kasc_checking_access.hpp"

namespace {

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
    template <int under_way = 0>
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
    // Words of each thread become those of the first thread of its group.
    void spread(int first, kasc_private_of& from, int from_first, int words, int group) {
        const int threads = static_cast<int>(region_.words / words_);
        for (int k = 0; k < words; ++k) {
            for (int thread = 0; thread < threads; ++thread) {
                kasc_state().thread = thread - thread % group;
                const T taken = from[thread - thread % group][from_first + k];
                kasc_state().thread = thread;
                (*this)[thread][first + k] = taken;
            }
        }
    }
    // Words of each thread become those of the thread `distance` behind it in its warp; where there is none, no thread
    // may read them any more, or, or_own, they are the thread's own.
    void exchange(int first, kasc_private_of& from, int from_first, int words, int distance, bool or_own = false) {
        constexpr int warp = 32;
        const int threads = static_cast<int>(region_.words / words_);
        for (int k = 0; k < words; ++k) {
            std::vector<T> taken(static_cast<std::size_t>(threads));
            const auto partner = [&](int thread) {
                return thread % warp + distance >= 0 && thread % warp + distance < warp;
            };
            for (int thread = 0; thread < threads; ++thread) {
                kasc_state().thread = thread;
                if (partner(thread) || or_own)
                    taken[static_cast<std::size_t>(thread)] =
                        from[partner(thread) ? thread + distance : thread][from_first + k];
            }
            for (int thread = 0; thread < threads; ++thread) {
                kasc_state().thread = thread;
                const kasc_pointer_to<T> own = (*this)[thread];
                if (partner(thread) || or_own)
                    own[first + k] = taken[static_cast<std::size_t>(thread)];
                else
                    region_.history[static_cast<std::size_t>(thread * words_ + first + k)].written = false;
            }
        }
    }

private:
    int words_;
    std::vector<T> memory_;
    kasc_region region_;
};
using kasc_private = kasc_private_of<float>;

// Numbers of 16 bits become floats on the way into registers, and floats them on the way back.
template <int words, class To, class T>
void kasc_load(To* to, const kasc_pointer_to<T>& from) {
    if (!from.aligned(words)) kasc_fault("a load of %d words is not aligned", words);
    for (int i = 0; i < words; ++i) to[i] = from[i];
}
// Into registers that outlive a barrier.
template <int words, class To, class T>
void kasc_load(const kasc_pointer_to<To>& to, const kasc_pointer_to<T>& from) {
    To taken[words];
    kasc_load<words>(taken, from);
    for (int i = 0; i < words; ++i) to[i] = taken[i];
}
template <int words, class From, class T>
void kasc_store(const kasc_pointer_to<T>& to, const From& from) {
    if (!to.aligned(words)) kasc_fault("a store of %d words is not aligned", words);
    for (int i = 0; i < words; ++i) to[i] = from[i];
}
template <class To, class From>
void load2(To&& to, const From& from) {
    kasc_load<2>(to, from);
}
template <class To, class From>
void load4(To&& to, const From& from) {
    kasc_load<4>(to, from);
}
template <class To, class From>
void load8(To&& to, const From& from) {
    kasc_load<8>(to, from);
}
template <class To, class From>
void store2(const To& to, const From& from) {
    kasc_store<2>(to, from);
}
template <class To, class From>
void store4(const To& to, const From& from) {
    kasc_store<4>(to, from);
}
template <class To, class From>
void store8(const To& to, const From& from) {
    kasc_store<8>(to, from);
}

// In shared memory `padding` words follow each `element` of them.
template <int element, int padding>
constexpr int padded_word(int word) {
    return padding == 0 ? word : word + word / element * padding;
}

template <int words = 1, class T>
void fetch(const kasc_pointer_to<T>& shared, const kasc_pointer_to<T>& global) {
    for (int k = 0; k < words; ++k) shared[k] = global[k];
}

inline void commit_copies() {}

template <class T>
void prefetch(const kasc_pointer_to<T>& global) {
    (void)static_cast<T>(global[0]);
}
template <int words, class T>
void prefetch_row(const kasc_pointer_to<T>& global) {
    for (int k = 0; k < words; ++k) (void)static_cast<T>(global[k]);
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

    // Words that the launch at hand has read so far, and written.
    std::pair<std::int64_t, std::int64_t> touched() const {
        std::pair<std::int64_t, std::int64_t> words{0, 0};
        for (const kasc_word& w : region_.history) {
            words.first += w.read_launch == kasc_state().launch;
            words.second += w.write_launch == kasc_state().launch;
        }
        return words;
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

inline void kasc_add(const kasc_pointer_to<int>& word, int number) { word[0].add(number); }
inline void kasc_add(const kasc_pointer_to<long long>& word, long long number) { word[0].add(number); }

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
    // The caller's arrays: on the host, in the target's memory.
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
    // What kernels have left in a number's array.
    int look(int& value, handle number) {
        kasc_state().kernel = "condition";
        number->copy_to(&value, 1);
        return check();
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
