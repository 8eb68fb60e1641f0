// identity55() = I, the 5x5 identity.

#include "words4.cuh"

/*# identity55 metadata
Arguments = none
Result = matrix5x5
Flops = 0
#*/
inline void cpu_identity55(float *r) {
    for (int k = 0; k < 25; ++k) r[k] = k % 6 == 0 ? 1.0f : 0.0f;
}

// identity55_1: five threads an element, thread tx makes column tx, as mmul55_1 does.

/*# identity55_1_save metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "5*IDENTITY55_1_BY", count 5, noreg 0
#*/
__device__ inline void d_identity55_1_save(float *s_r, matrix5x5 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        r[bx * 25 * IDENTITY55_1_BY + ty * 5 + tx + k * 5 * IDENTITY55_1_BY] = s_r[APLS + k * 5 * IDENTITY55_1_BY];
    }
}

/*# identity55_1 metadata
GX = size
GY = 1
GZ = 1
BX = 5
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
OUTPATTERN = start "ty*25+tx", block "1", stride "5", count 5, noreg 0
#*/
__device__ inline void d_identity55_1_compute(float *s_r, int tx, int ty) {
#pragma unroll
    for (int y = 0; y < 5; ++y) s_r[APOUT + y * 5] = y == tx ? 1.0f : 0.0f;
}

// identity55_2: one thread an element.

/*# identity55_2_save metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "IDENTITY55_2_BX", count 25, noreg 0
#*/
__device__ inline void d_identity55_2_save(float *s_r, matrix5x5 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 25; ++k) {
        r[bx * 25 * IDENTITY55_2_BX + tx + k * IDENTITY55_2_BX] = s_r[APLS + k * IDENTITY55_2_BX];
    }
}

/*# identity55_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
OUTPATTERN = start "tx*25", block "25", stride "25", count 1, noreg 0
#*/
__device__ inline void d_identity55_2_compute(float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 25; ++k) s_r[APOUT + k] = k % 6 == 0 ? 1.0f : 0.0f;
}

// identity55_3: four neighbouring words a thread, 16 bytes at a time.

/*# identity55_3_save metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_identity55_3_save(float *s_r, matrix5x5 r, int tx, int bx) {
    put_words4(r + 4 * (bx * IDENTITY55_3_BX + tx), s_r + APLS);
}

/*# identity55_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 200)
BY = 1
BZ = 1
BATCH = size (recommended 1)
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_identity55_3_compute(float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = (4 * tx + k) % 25 % 6 == 0 ? 1.0f : 0.0f;
}
