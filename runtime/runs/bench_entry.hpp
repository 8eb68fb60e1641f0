#pragma once
// How kasc calls the kernels that measure an implementation of the library. Emitted code holds its own copy of this
// struct (support/kasc_bench_*); the symbol is kasc_bench.

extern "C" {

struct kasc_bench_call {
    int elements;            ///< a block: one of those that the kernels were made for
    int phase;               ///< 0 load, 1 compute, 2 save
    int rounds;              ///< of computing
    int extra_shared_bytes;  ///< that a block holds beside its own
    int n;                   ///< elements of the streams
    float* const* inputs;    ///< in the target's memory
    float* output;
    double seconds;       ///< receives the kernel's time
    int registers;        ///< receives the registers of a thread
    int threads;          ///< receives the threads of a block
    int resident_blocks;  ///< receives how many blocks a multiprocessor holds at a time; 0: none fits
};

/// 0 good; else the device failed.
using kasc_bench_function = int (*)(kasc_bench_call*);
}
