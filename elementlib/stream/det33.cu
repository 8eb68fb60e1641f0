// det33(M) = det M: row 0 . (row 1 x row 2).

#include "words4.cuh"

/*# det33 metadata
Arguments = matrix3x3
Result = scalar
Flops = 14
#*/
inline void cpu_det33(const float *m, float *r) {
    const float x = fmaf(m[4], m[8], -(m[5] * m[7]));
    const float y = fmaf(m[5], m[6], -(m[3] * m[8]));
    const float z = fmaf(m[3], m[7], -(m[4] * m[6]));
    r[0] = fmaf(m[2], z, fmaf(m[1], y, m[0] * x));
}

// det33_1: one thread an element.

/*# det33_1_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "DET33_1_BX", count 9, noreg 0
#*/
__device__ inline void d_det33_1_load_1(matrix3x3 m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_m[APLS + k * DET33_1_BX] = m[bx * 9 * DET33_1_BX + tx + k * DET33_1_BX];
}

/*# det33_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_det33_1_save(float *s_r, scalar r, int tx, int bx) { r[bx * DET33_1_BX + tx] = s_r[APLS]; }

/*# det33_1 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*9", block "9", stride "9", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_det33_1_compute(float *s_m, float *s_r, int tx) {
    const float x = fmaf(s_m[APIN0 + 4], s_m[APIN0 + 8], -(s_m[APIN0 + 5] * s_m[APIN0 + 7]));
    const float y = fmaf(s_m[APIN0 + 5], s_m[APIN0 + 6], -(s_m[APIN0 + 3] * s_m[APIN0 + 8]));
    const float z = fmaf(s_m[APIN0 + 3], s_m[APIN0 + 7], -(s_m[APIN0 + 4] * s_m[APIN0 + 6]));
    s_r[APOUT] = fmaf(s_m[APIN0 + 2], z, fmaf(s_m[APIN0 + 1], y, s_m[APIN0] * x));
}

// det33_2: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# det33_2_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "36*tx", block "36", stride "36", count 1, noreg 0
#*/
__device__ inline void d_det33_2_load_1(matrix3x3 m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) take_words4(s_m + APLS + 4 * k, m + 4 * ((bx * DET33_2_BX + tx) * 9 + k));
}

/*# det33_2_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_det33_2_save(float *s_r, scalar r, int tx, int bx) {
    put_words4(r + 4 * (bx * DET33_2_BX + tx), s_r + APLS);
}

/*# det33_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "36*tx", block "36", stride "36", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_det33_2_compute(float *s_m, float *s_r, int tx) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
        const float x =
            fmaf(s_m[APIN0 + 9 * e + 4], s_m[APIN0 + 9 * e + 8], -(s_m[APIN0 + 9 * e + 5] * s_m[APIN0 + 9 * e + 7]));
        const float y =
            fmaf(s_m[APIN0 + 9 * e + 5], s_m[APIN0 + 9 * e + 6], -(s_m[APIN0 + 9 * e + 3] * s_m[APIN0 + 9 * e + 8]));
        const float z =
            fmaf(s_m[APIN0 + 9 * e + 3], s_m[APIN0 + 9 * e + 7], -(s_m[APIN0 + 9 * e + 4] * s_m[APIN0 + 9 * e + 6]));
        s_r[APOUT + e] = fmaf(s_m[APIN0 + 9 * e + 2], z, fmaf(s_m[APIN0 + 9 * e + 1], y, s_m[APIN0 + 9 * e] * x));
    }
}
