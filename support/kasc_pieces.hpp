// What a run in pieces needs beside its arrays (kasc_memory, of the target's own header): what it goes on from, and
// windows on series that do not lie in memory whole.
#pragma once

namespace {

// An array that an iteration needs as those before it left it.
struct kasc_live_array {
    const char *name;
    kasc_memory::array array;
    long long words;
};

// Rows [first, first + held) of a series of `extent` rows lie in memory, `most` at a time. Kernels index the series as a
// whole: the array that they are given is moved back by the rows that are not there.
struct kasc_window {
    const char *name = "";
    kasc_memory::array *whole = nullptr;
    long long row_words = 0, extent = 0, most = 0;  // 0: all of it lies in memory, and this is not in use
    kasc_memory::array rows = {};
    long long first = 0, held = 0;

    void take(kasc_memory &memory) { rows = memory.take(name, most * row_words); }
    bool holds(long long row) const { return most == 0 || (row >= first && row < first + held); }
    int lacks(long long row) const { return kasc_fail(1, "row %lld of %s is not in its window", row, name); }

    // Null values: zeros.
    int load(kasc_memory &memory, long long from, long long count, const float *values)
    {
        if (from < 0 || count < 1 || count > most || from > extent - count) return kasc_fail(1, "rows %lld to %lld of %s do not fit its window", from, from + count - 1, name);
        first = from, held = count;
        *whole = memory.moved(rows, first * row_words);
        if (values != nullptr) return memory.write(rows, values, count * row_words);
        memory.zero(rows, count * row_words);
        return memory.status();
    }
    int save(kasc_memory &memory, long long from, long long count, float *values) const
    {
        if (count < 1 || !holds(from) || !holds(from + count - 1)) return lacks(from);
        return memory.read(values, rows, (from - first) * row_words, count * row_words);
    }
};

}  // namespace
