// Random numbers, for code emitted by kasc for every target: each is a function of a seed and of up to four numbers
// that count, so that any cell has its own in any order. Philox4x32 with ten rounds (Salmon, Moraes, Dror and Shaw,
// Parallel random numbers: as easy as 1, 2, 3, SC 2011).
#pragma once

#ifdef __CUDACC__
#define KASC_OF_RANDOM __host__ __device__ __forceinline__
#else
#define KASC_OF_RANDOM __attribute__((always_inline)) inline
#endif

namespace {

struct kasc_random_words {
    unsigned word[4];
};

KASC_OF_RANDOM unsigned kasc_upper_product(unsigned a, unsigned b) {
#ifdef __CUDA_ARCH__
    return __umulhi(a, b);
#else
    return (unsigned)((unsigned long long)a * b >> 32);
#endif
}

KASC_OF_RANDOM kasc_random_words kasc_philox(kasc_random_words count, unsigned key_0, unsigned key_1) {
    const unsigned factor_0 = 0xD2511F53u, factor_1 = 0xCD9E8D57u;
    unsigned* c = count.word;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int round = 0; round < 10; ++round) {
        const unsigned upper_0 = kasc_upper_product(factor_0, c[0]), lower_0 = factor_0 * c[0];
        const unsigned upper_1 = kasc_upper_product(factor_1, c[2]), lower_1 = factor_1 * c[2];
        c[0] = upper_1 ^ c[1] ^ key_0;
        c[1] = lower_1;
        c[2] = upper_0 ^ c[3] ^ key_1;
        c[3] = lower_0;
        key_0 += 0x9E3779B9u;
        key_1 += 0xBB67AE85u;
    }
    return count;
}

KASC_OF_RANDOM kasc_random_words kasc_philox(int seed, int a, int b, int c, int d) {
    return kasc_philox(kasc_random_words{{(unsigned)a, (unsigned)b, (unsigned)c, (unsigned)d}}, (unsigned)seed, 0u);
}

// From 0 on and less than 1: multiples of 2^-24, of 2^-53.
KASC_OF_RANDOM float kasc_randomf(int seed, int a, int b, int c, int d) {
    return (float)(kasc_philox(seed, a, b, c, d).word[0] >> 8) * (1.0f / 16777216.0f);
}
KASC_OF_RANDOM double kasc_random(int seed, int a, int b, int c, int d) {
    const kasc_random_words words = kasc_philox(seed, a, b, c, d);
    return (double)(((unsigned long long)words.word[0] << 32 | words.word[1]) >> 11) * (1.0 / 9007199254740992.0);
}

}  // namespace
