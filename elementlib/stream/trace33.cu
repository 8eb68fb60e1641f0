// trace33(M) = M_00 + M_11 + M_22.

#include "words4.cuh"

/*# trace33 metadata
Arguments = matrix3x3
Result = scalar
Flops = 2
#*/
inline void cpu_trace33(const float *m, float *r) { r[0] = m[0] + m[4] + m[8]; }

// trace33_1: one thread an element.

/*# trace33_1_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "TRACE33_1_BX", count 9, noreg 0
#*/
__device__ inline void d_trace33_1_load_1(matrix3x3 m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_m[APLS + k * TRACE33_1_BX] = m[bx * 9 * TRACE33_1_BX + tx + k * TRACE33_1_BX];
}

/*# trace33_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_trace33_1_save(float *s_r, scalar r, int tx, int bx) { r[bx * TRACE33_1_BX + tx] = s_r[APLS]; }

/*# trace33_1 metadata
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
__device__ inline void d_trace33_1_compute(float *s_m, float *s_r, int tx) {
    s_r[APOUT] = s_m[APIN0] + s_m[APIN0 + 4] + s_m[APIN0 + 8];
}

// trace33_2: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# trace33_2_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "36*tx", block "36", stride "36", count 1, noreg 0
#*/
__device__ inline void d_trace33_2_load_1(matrix3x3 m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) take_words4(s_m + APLS + 4 * k, m + 4 * ((bx * TRACE33_2_BX + tx) * 9 + k));
}

/*# trace33_2_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_trace33_2_save(float *s_r, scalar r, int tx, int bx) {
    put_words4(r + 4 * (bx * TRACE33_2_BX + tx), s_r + APLS);
}

/*# trace33_2 metadata
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
__device__ inline void d_trace33_2_compute(float *s_m, float *s_r, int tx) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
        s_r[APOUT + e] = s_m[APIN0 + 9 * e] + s_m[APIN0 + 9 * e + 4] + s_m[APIN0 + 9 * e + 8];
    }
}
