// mabs33(A): R_ij = |A_ij|.

#include "words4.cuh"

/*# mabs33 metadata
Arguments = matrix3x3
Result = matrix3x3
Flops = 9
#*/
inline void cpu_mabs33(const float *a, float *r) {
    for (int k = 0; k < 9; ++k) r[k] = fabsf(a[k]);
}

// mabs33_1: a thread a word.

/*# mabs33_1_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_mabs33_1_load_1(matrix3x3 a, float *s_a, int tx, int ty, int bx) {
    s_a[APLS] = a[bx * 9 * MABS33_1_BY + ty * 9 + tx];
}

/*# mabs33_1_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_mabs33_1_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
    r[bx * 9 * MABS33_1_BY + ty * 9 + tx] = s_r[APLS];
}

/*# mabs33_1 metadata
GX = size
GY = 1
GZ = 1
BX = 9
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_mabs33_1_compute(float *s_a, float *s_r, int tx, int ty) { s_r[APOUT] = fabsf(s_a[APIN0]); }

// mabs33_2: one thread an element.

/*# mabs33_2_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MABS33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_mabs33_2_load_1(matrix3x3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_a[APLS + k * MABS33_2_BX] = a[bx * 9 * MABS33_2_BX + tx + k * MABS33_2_BX];
}

/*# mabs33_2_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MABS33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_mabs33_2_save(float *s_r, matrix3x3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) r[bx * 9 * MABS33_2_BX + tx + k * MABS33_2_BX] = s_r[APLS + k * MABS33_2_BX];
}

/*# mabs33_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*9", block "9", stride "9", count 1, noreg 0
OUTPATTERN = start "tx*9", block "9", stride "9", count 1, noreg 0
#*/
__device__ inline void d_mabs33_2_compute(float *s_a, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_r[APOUT + k] = fabsf(s_a[APIN0 + k]);
}

// mabs33_3: four neighbouring words a thread, 16 bytes at a time.

/*# mabs33_3_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_mabs33_3_load_1(matrix3x3 a, float *s_a, int tx, int bx) {
    take_words4(s_a + APLS, a + 4 * (bx * MABS33_3_BX + tx));
}

/*# mabs33_3_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_mabs33_3_save(float *s_r, matrix3x3 r, int tx, int bx) {
    put_words4(r + 4 * (bx * MABS33_3_BX + tx), s_r + APLS);
}

/*# mabs33_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 144)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "4*tx", block "4", stride "4", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_mabs33_3_compute(float *s_a, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = fabsf(s_a[APIN0 + k]);
}
