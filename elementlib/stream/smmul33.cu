// smmul33_4: another way of smmul33 (matrix_scaled.cu).

#include "words4.cuh"

// smmul33_4: three threads an element, thread tx makes column tx, as mmul33_1 does.

/*# smmul33_4_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*SMMUL33_4_BY", count 3, noreg 0
#*/
__device__ inline void d_smmul33_4_load_1(matrix3x3 m, float *s_m, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        s_m[APLS + k * 3 * SMMUL33_4_BY] = m[bx * 9 * SMMUL33_4_BY + ty * 3 + tx + k * 3 * SMMUL33_4_BY];
    }
}

/*# smmul33_4_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = ty, bx
LSPATTERN = start "ty", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smmul33_4_load_2(scalar s, float *s_s, int ty, int bx) {
    s_s[APLS] = s[bx * SMMUL33_4_BY + ty];
}

/*# smmul33_4_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*SMMUL33_4_BY", count 3, noreg 0
#*/
__device__ inline void d_smmul33_4_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        r[bx * 9 * SMMUL33_4_BY + ty * 3 + tx + k * 3 * SMMUL33_4_BY] = s_r[APLS + k * 3 * SMMUL33_4_BY];
    }
}

/*# smmul33_4 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*9+tx", block "1", stride "3", count 3, noreg 0
INPATTERN 1 = start "ty", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "3", count 3, noreg 0
#*/
__device__ inline void d_smmul33_4_compute(float *s_m, float *s_s, float *s_r, int tx, int ty) {
    const float s = s_s[APIN1];
#pragma unroll
    for (int y = 0; y < 3; ++y) s_r[APOUT + y * 3] = s_m[APIN0 + y * 3] * s;
}
