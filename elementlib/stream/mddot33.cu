// mddot33(A, B) = A : B = sum of A_ij B_ij. The sum runs upwards, each step one fmaf.

#include "words4.cuh"

/*# mddot33 metadata
Arguments = matrix3x3, matrix3x3
Result = scalar
Flops = 17
#*/
inline void cpu_mddot33(const float *a, const float *b, float *r) {
    float sum = a[0] * b[0];
    for (int k = 1; k < 9; ++k) sum = fmaf(a[k], b[k], sum);
    r[0] = sum;
}

// mddot33_1: one thread an element.

/*# mddot33_1_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MDDOT33_1_BX", count 9, noreg 0
#*/
__device__ inline void d_mddot33_1_load_1(matrix3x3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_a[APLS + k * MDDOT33_1_BX] = a[bx * 9 * MDDOT33_1_BX + tx + k * MDDOT33_1_BX];
}

/*# mddot33_1_load_2 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MDDOT33_1_BX", count 9, noreg 0
#*/
__device__ inline void d_mddot33_1_load_2(matrix3x3 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_b[APLS + k * MDDOT33_1_BX] = b[bx * 9 * MDDOT33_1_BX + tx + k * MDDOT33_1_BX];
}

/*# mddot33_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_mddot33_1_save(float *s_r, scalar r, int tx, int bx) { r[bx * MDDOT33_1_BX + tx] = s_r[APLS]; }

/*# mddot33_1 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*9", block "9", stride "9", count 1, noreg 0
INPATTERN 1 = start "tx*9", block "9", stride "9", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_mddot33_1_compute(float *s_a, float *s_b, float *s_r, int tx) {
    float sum = s_a[APIN0] * s_b[APIN1];
#pragma unroll
    for (int k = 1; k < 9; ++k) sum = fmaf(s_a[APIN0 + k], s_b[APIN1 + k], sum);
    s_r[APOUT] = sum;
}

// mddot33_2: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# mddot33_2_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "36*tx", block "36", stride "36", count 1, noreg 0
#*/
__device__ inline void d_mddot33_2_load_1(matrix3x3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) take_words4(s_a + APLS + 4 * k, a + 4 * ((bx * MDDOT33_2_BX + tx) * 9 + k));
}

/*# mddot33_2_load_2 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "36*tx", block "36", stride "36", count 1, noreg 0
#*/
__device__ inline void d_mddot33_2_load_2(matrix3x3 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) take_words4(s_b + APLS + 4 * k, b + 4 * ((bx * MDDOT33_2_BX + tx) * 9 + k));
}

/*# mddot33_2_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_mddot33_2_save(float *s_r, scalar r, int tx, int bx) {
    put_words4(r + 4 * (bx * MDDOT33_2_BX + tx), s_r + APLS);
}

/*# mddot33_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "36*tx", block "36", stride "36", count 1, noreg 0
INPATTERN 1 = start "36*tx", block "36", stride "36", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_mddot33_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
        float sum = s_a[APIN0 + 9 * e] * s_b[APIN1 + 9 * e];
#pragma unroll
        for (int k = 1; k < 9; ++k) sum = fmaf(s_a[APIN0 + 9 * e + k], s_b[APIN1 + 9 * e + k], sum);
        s_r[APOUT + e] = sum;
    }
}
