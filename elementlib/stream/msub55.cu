// msub55(A, B) = A - B for 5x5 matrices.

#include "words4.cuh"

/*# msub55 metadata
Arguments = matrix5x5, matrix5x5
Result = matrix5x5
Flops = 25
#*/
inline void cpu_msub55(const float *a, const float *b, float *r) {
    for (int k = 0; k < 25; ++k) r[k] = a[k] - b[k];
}

// msub55_1: five threads an element, thread tx makes column tx, as mmul55_1 does.

/*# msub55_1_load_1 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "5*MSUB55_1_BY", count 5, noreg 0
#*/
__device__ inline void d_msub55_1_load_1(matrix5x5 a, float *s_a, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        s_a[APLS + k * 5 * MSUB55_1_BY] = a[bx * 25 * MSUB55_1_BY + ty * 5 + tx + k * 5 * MSUB55_1_BY];
    }
}

/*# msub55_1_load_2 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "5*MSUB55_1_BY", count 5, noreg 0
#*/
__device__ inline void d_msub55_1_load_2(matrix5x5 b, float *s_b, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        s_b[APLS + k * 5 * MSUB55_1_BY] = b[bx * 25 * MSUB55_1_BY + ty * 5 + tx + k * 5 * MSUB55_1_BY];
    }
}

/*# msub55_1_save metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "5*MSUB55_1_BY", count 5, noreg 0
#*/
__device__ inline void d_msub55_1_save(float *s_r, matrix5x5 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        r[bx * 25 * MSUB55_1_BY + ty * 5 + tx + k * 5 * MSUB55_1_BY] = s_r[APLS + k * 5 * MSUB55_1_BY];
    }
}

/*# msub55_1 metadata
GX = size
GY = 1
GZ = 1
BX = 5
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*25+tx", block "1", stride "5", count 5, noreg 0
INPATTERN 1 = start "ty*25+tx", block "1", stride "5", count 5, noreg 0
OUTPATTERN = start "ty*25+tx", block "1", stride "5", count 5, noreg 0
#*/
__device__ inline void d_msub55_1_compute(float *s_a, float *s_b, float *s_r, int tx, int ty) {
#pragma unroll
    for (int y = 0; y < 5; ++y) s_r[APOUT + y * 5] = s_a[APIN0 + y * 5] - s_b[APIN1 + y * 5];
}

// msub55_2: one thread an element.

/*# msub55_2_load_1 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MSUB55_2_BX", count 25, noreg 0
#*/
__device__ inline void d_msub55_2_load_1(matrix5x5 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 25; ++k) s_a[APLS + k * MSUB55_2_BX] = a[bx * 25 * MSUB55_2_BX + tx + k * MSUB55_2_BX];
}

/*# msub55_2_load_2 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MSUB55_2_BX", count 25, noreg 0
#*/
__device__ inline void d_msub55_2_load_2(matrix5x5 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 25; ++k) s_b[APLS + k * MSUB55_2_BX] = b[bx * 25 * MSUB55_2_BX + tx + k * MSUB55_2_BX];
}

/*# msub55_2_save metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MSUB55_2_BX", count 25, noreg 0
#*/
__device__ inline void d_msub55_2_save(float *s_r, matrix5x5 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 25; ++k) r[bx * 25 * MSUB55_2_BX + tx + k * MSUB55_2_BX] = s_r[APLS + k * MSUB55_2_BX];
}

/*# msub55_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*25", block "25", stride "25", count 1, noreg 0
INPATTERN 1 = start "tx*25", block "25", stride "25", count 1, noreg 0
OUTPATTERN = start "tx*25", block "25", stride "25", count 1, noreg 0
#*/
__device__ inline void d_msub55_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 25; ++k) s_r[APOUT + k] = s_a[APIN0 + k] - s_b[APIN1 + k];
}

// msub55_3: four neighbouring words a thread, 16 bytes at a time.

/*# msub55_3_load_1 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_msub55_3_load_1(matrix5x5 a, float *s_a, int tx, int bx) {
    take_words4(s_a + APLS, a + 4 * (bx * MSUB55_3_BX + tx));
}

/*# msub55_3_load_2 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_msub55_3_load_2(matrix5x5 b, float *s_b, int tx, int bx) {
    take_words4(s_b + APLS, b + 4 * (bx * MSUB55_3_BX + tx));
}

/*# msub55_3_save metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_msub55_3_save(float *s_r, matrix5x5 r, int tx, int bx) {
    put_words4(r + 4 * (bx * MSUB55_3_BX + tx), s_r + APLS);
}

/*# msub55_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 200)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "4*tx", block "4", stride "4", count 1, noreg 0
INPATTERN 1 = start "4*tx", block "4", stride "4", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_msub55_3_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = s_a[APIN0 + k] - s_b[APIN1 + k];
}
