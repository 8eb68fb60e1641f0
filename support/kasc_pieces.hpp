// What a run in pieces needs beside its arrays (kasc_memory, of the target's own header): what it goes on from, and
// windows on series that do not lie in memory whole.
#pragma once

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace {

// An array that an iteration needs as those before it left it.
struct kasc_live_array {
    const char* name;
    int type;  // of a word, as the header numbers them
    kasc_memory::handle array;
    long long words, word_bytes;   // words: negative where the array is a window, which is no state
    long long row = 0, apart = 0;  // words of a row, and from one row to the next; 0: there is nothing between them
};
inline std::vector<kasc_live_array> kasc_live(std::initializer_list<kasc_live_array> all) {
    std::vector<kasc_live_array> arrays;
    for (const kasc_live_array& a : all) {
        if (a.words >= 0) arrays.push_back(a);
    }
    return arrays;
}

// A type of this file's, so that a library of it exports no code for arrays of it.
struct kasc_byte {
    char word;
};

// Without what lies between rows.
inline int kasc_read_live(kasc_memory& memory, const kasc_live_array& a, void* values) {
    if (a.row == 0) return memory.read(values, a.array, 0, a.words, a.word_bytes);
    const long long rows = a.words / a.row;
    std::vector<kasc_byte> apart((std::size_t)(rows * a.apart * a.word_bytes));
    if (const int status = memory.read(apart.data(), a.array, 0, rows * a.apart, a.word_bytes); status != 0)
        return status;
    for (long long r = 0; r < rows; ++r)
        std::memcpy((char*)values + r * a.row * a.word_bytes, apart.data() + r * a.apart * a.word_bytes,
                    (std::size_t)(a.row * a.word_bytes));
    return 0;
}
inline int kasc_write_live(kasc_memory& memory, const kasc_live_array& a, const void* values) {
    if (a.row == 0) return memory.write(a.array, values, a.words, a.word_bytes);
    const long long rows = a.words / a.row;
    std::vector<kasc_byte> apart((std::size_t)(rows * a.apart * a.word_bytes));
    for (long long r = 0; r < rows; ++r)
        std::memcpy(apart.data() + r * a.apart * a.word_bytes, (const char*)values + r * a.row * a.word_bytes,
                    (std::size_t)(a.row * a.word_bytes));
    return memory.write(a.array, apart.data(), rows * a.apart, a.word_bytes);
}

// A series that does not lie in memory whole.
struct kasc_rows {
    virtual ~kasc_rows() = default;
    // Null values: zeros.
    virtual int load(kasc_memory& memory, long long from, long long count, const void* values) = 0;
    virtual int save(kasc_memory& memory, long long from, long long count, void* values) const = 0;
};

// Rows [first, first + held) of a series of `extent` rows lie in memory, `most` at a time. Kernels index the series as
// a whole: the array that they are given is moved back by the rows that are not there.
template <class T>
struct kasc_window final : kasc_rows {
    const char* name = "";
    kasc_memory::array<T>* whole = nullptr;
    long long row_words = 0, extent = 0, most = 0;  // 0: all of it lies in memory, and this is not in use
    kasc_memory::array<T> rows = {};
    long long first = 0, held = 0;

    void take(kasc_memory& memory, const char* series, kasc_memory::array<T>* array, long long words, long long of,
              long long at_most) {
        name = series, whole = array, row_words = words, extent = of, most = at_most;
        rows = memory.take<T>(name, most * row_words);
    }
    // Another run begins: no row is there.
    void clear() { first = held = 0; }
    // For a row that the series has not got, its first or last one: the program clamps it, or the launch refuses it.
    bool holds(long long row) const {
        const long long nearest = std::min(std::max(row, 0LL), extent - 1);
        return most == 0 || (nearest >= first && nearest < first + held);
    }
    int lacks(long long row) const { return kasc_fail(1, "row %lld of %s is not in its window", row, name); }

    int load(kasc_memory& memory, long long from, long long count, const void* values) override {
        if (from < 0 || count < 1 || count > most || from > extent - count)
            return kasc_fail(1, "rows %lld to %lld of %s do not fit its window", from, from + count - 1, name);
        first = from, held = count;
        *whole = memory.moved<T>(rows, first * row_words);
        if (values != nullptr) return memory.write(rows, values, count * row_words, sizeof(T));
        memory.zero<T>(rows, count * row_words);
        return memory.status();
    }
    int save(kasc_memory& memory, long long from, long long count, void* values) const override {
        if (count < 1 || from < first || from > first + held - count) return lacks(from);
        return memory.read(values, rows, (from - first) * row_words, count * row_words, sizeof(T));
    }
};

}  // namespace
