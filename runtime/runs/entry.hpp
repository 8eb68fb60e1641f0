#pragma once
// How kasc calls an emitted program that it has built as a shared library, together with <program>_entry.cpp, which
// holds its own copy of this struct and calls the program's header. Symbols:
//
//     int <program>_entry(const kasc_entry_call *)                        arrays of the host, all at once
//     int <program>_prepare_entry(const kasc_entry_call *, void **)       arrays in the target's memory: prepared, then
//     int <program>_launch_entry(const kasc_entry_call *, void *)             launched, or where it has a loop
//     int <program>_begin_entry(const kasc_entry_call *, void *)              begun, for the header's calls in pieces

extern "C" {

struct kasc_entry_call {
    const long long* extents;   ///< streams: {number of elements}; fields: by axis, in the program's order
    const double* parameters;   ///< by parameter, in the program's order; integers exactly
    const void* const* inputs;  ///< arrays, in the order of the input statement
    void* const* outputs;       ///< arrays, in the order of the return statement
    int (*progress)(void* user, long long done, long long total);  ///< may be null; nonzero asks to stop
    void* user;
    double* kernel_seconds;  ///< may be null: receives the time of the kernels alone
    char* message;           ///< receives what went wrong, ends in 0
    long long message_bytes;
    const long long* rows;  ///< of a run in pieces: by series, rows in memory at a time or 0; null: all whole
};

/// 0 good; 1 the input is at fault (a position outside its axis); 2 the device failed; 3 a check of checking mode
/// failed; 4 stopped on request; 5 the reference of a program whose functions have none.
using kasc_entry_function = int (*)(const kasc_entry_call*);
}
