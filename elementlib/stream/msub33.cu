// msub33(A, B) = A - B for 3x3 matrices.

#include "words4.cuh"

/*# msub33 metadata
Arguments = matrix3x3, matrix3x3
Result = matrix3x3
Flops = 9
#*/
inline void cpu_msub33(const float *a, const float *b, float *r) {
    for (int k = 0; k < 9; ++k) r[k] = a[k] - b[k];
}

// msub33_1: a thread a word.

/*# msub33_1_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_msub33_1_load_1(matrix3x3 a, float *s_a, int tx, int ty, int bx) {
    s_a[APLS] = a[bx * 9 * MSUB33_1_BY + ty * 9 + tx];
}

/*# msub33_1_load_2 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_msub33_1_load_2(matrix3x3 b, float *s_b, int tx, int ty, int bx) {
    s_b[APLS] = b[bx * 9 * MSUB33_1_BY + ty * 9 + tx];
}

/*# msub33_1_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_msub33_1_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
    r[bx * 9 * MSUB33_1_BY + ty * 9 + tx] = s_r[APLS];
}

/*# msub33_1 metadata
GX = size
GY = 1
GZ = 1
BX = 9
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
INPATTERN 1 = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_msub33_1_compute(float *s_a, float *s_b, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_a[APIN0] - s_b[APIN1];
}

// msub33_2: one thread an element.

/*# msub33_2_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MSUB33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_msub33_2_load_1(matrix3x3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_a[APLS + k * MSUB33_2_BX] = a[bx * 9 * MSUB33_2_BX + tx + k * MSUB33_2_BX];
}

/*# msub33_2_load_2 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MSUB33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_msub33_2_load_2(matrix3x3 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_b[APLS + k * MSUB33_2_BX] = b[bx * 9 * MSUB33_2_BX + tx + k * MSUB33_2_BX];
}

/*# msub33_2_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MSUB33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_msub33_2_save(float *s_r, matrix3x3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) r[bx * 9 * MSUB33_2_BX + tx + k * MSUB33_2_BX] = s_r[APLS + k * MSUB33_2_BX];
}

/*# msub33_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*9", block "9", stride "9", count 1, noreg 0
INPATTERN 1 = start "tx*9", block "9", stride "9", count 1, noreg 0
OUTPATTERN = start "tx*9", block "9", stride "9", count 1, noreg 0
#*/
__device__ inline void d_msub33_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_r[APOUT + k] = s_a[APIN0 + k] - s_b[APIN1 + k];
}

// msub33_3: four neighbouring words a thread, 16 bytes at a time.

/*# msub33_3_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_msub33_3_load_1(matrix3x3 a, float *s_a, int tx, int bx) {
    take_words4(s_a + APLS, a + 4 * (bx * MSUB33_3_BX + tx));
}

/*# msub33_3_load_2 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_msub33_3_load_2(matrix3x3 b, float *s_b, int tx, int bx) {
    take_words4(s_b + APLS, b + 4 * (bx * MSUB33_3_BX + tx));
}

/*# msub33_3_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_msub33_3_save(float *s_r, matrix3x3 r, int tx, int bx) {
    put_words4(r + 4 * (bx * MSUB33_3_BX + tx), s_r + APLS);
}

/*# msub33_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 144)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "4*tx", block "4", stride "4", count 1, noreg 0
INPATTERN 1 = start "4*tx", block "4", stride "4", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_msub33_3_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = s_a[APIN0 + k] - s_b[APIN1 + k];
}
