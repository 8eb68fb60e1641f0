// identity33() = I, the 3x3 identity.

#include "words4.cuh"

/*# identity33 metadata
Arguments = none
Result = matrix3x3
Flops = 0
#*/
inline void cpu_identity33(float *r) {
    for (int k = 0; k < 9; ++k) r[k] = k % 4 == 0 ? 1.0f : 0.0f;
}

// identity33_1: a thread a word.

/*# identity33_1_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_identity33_1_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
    r[bx * 9 * IDENTITY33_1_BY + ty * 9 + tx] = s_r[APLS];
}

/*# identity33_1 metadata
GX = size
GY = 1
GZ = 1
BX = 9
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
OUTPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_identity33_1_compute(float *s_r, int tx, int ty) { s_r[APOUT] = tx % 4 == 0 ? 1.0f : 0.0f; }

// identity33_2: one thread an element.

/*# identity33_2_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "IDENTITY33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_identity33_2_save(float *s_r, matrix3x3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        r[bx * 9 * IDENTITY33_2_BX + tx + k * IDENTITY33_2_BX] = s_r[APLS + k * IDENTITY33_2_BX];
    }
}

/*# identity33_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
OUTPATTERN = start "tx*9", block "9", stride "9", count 1, noreg 0
#*/
__device__ inline void d_identity33_2_compute(float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_r[APOUT + k] = k % 4 == 0 ? 1.0f : 0.0f;
}

// identity33_3: four neighbouring words a thread, 16 bytes at a time.

/*# identity33_3_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_identity33_3_save(float *s_r, matrix3x3 r, int tx, int bx) {
    put_words4(r + 4 * (bx * IDENTITY33_3_BX + tx), s_r + APLS);
}

/*# identity33_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 144)
BY = 1
BZ = 1
BATCH = size (recommended 1)
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_identity33_3_compute(float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = (4 * tx + k) % 9 % 4 == 0 ? 1.0f : 0.0f;
}

// identity33_4: three threads an element, thread tx makes column tx, as mmul33_1 does.

/*# identity33_4_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*IDENTITY33_4_BY", count 3, noreg 0
#*/
__device__ inline void d_identity33_4_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        r[bx * 9 * IDENTITY33_4_BY + ty * 3 + tx + k * 3 * IDENTITY33_4_BY] = s_r[APLS + k * 3 * IDENTITY33_4_BY];
    }
}

/*# identity33_4 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
OUTPATTERN = start "ty*9+tx", block "1", stride "3", count 3, noreg 0
#*/
__device__ inline void d_identity33_4_compute(float *s_r, int tx, int ty) {
#pragma unroll
    for (int y = 0; y < 3; ++y) s_r[APOUT + y * 3] = y == tx ? 1.0f : 0.0f;
}
