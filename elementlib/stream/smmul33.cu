// smmul33(M, s) = s M for a 3x3 matrix.

#include "words4.cuh"

/*# smmul33 metadata
Arguments = matrix3x3, scalar
Result = matrix3x3
Flops = 9
#*/
inline void cpu_smmul33(const float *m, const float *s, float *r) {
    for (int k = 0; k < 9; ++k) r[k] = m[k] * s[0];
}

// smmul33_1: a thread a word.

/*# smmul33_1_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smmul33_1_load_1(matrix3x3 m, float *s_m, int tx, int ty, int bx) {
    s_m[APLS] = m[bx * 9 * SMMUL33_1_BY + ty * 9 + tx];
}

/*# smmul33_1_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = ty, bx
LSPATTERN = start "ty", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smmul33_1_load_2(scalar s, float *s_s, int ty, int bx) {
    s_s[APLS] = s[bx * SMMUL33_1_BY + ty];
}

/*# smmul33_1_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smmul33_1_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
    r[bx * 9 * SMMUL33_1_BY + ty * 9 + tx] = s_r[APLS];
}

/*# smmul33_1 metadata
GX = size
GY = 1
GZ = 1
BX = 9
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
INPATTERN 1 = start "ty", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smmul33_1_compute(float *s_m, float *s_s, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_m[APIN0] * s_s[APIN1];
}

// smmul33_2: one thread an element.

/*# smmul33_2_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "SMMUL33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_smmul33_2_load_1(matrix3x3 m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_m[APLS + k * SMMUL33_2_BX] = m[bx * 9 * SMMUL33_2_BX + tx + k * SMMUL33_2_BX];
}

/*# smmul33_2_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smmul33_2_load_2(scalar s, float *s_s, int tx, int bx) {
    s_s[APLS] = s[bx * SMMUL33_2_BX + tx];
}

/*# smmul33_2_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "SMMUL33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_smmul33_2_save(float *s_r, matrix3x3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) r[bx * 9 * SMMUL33_2_BX + tx + k * SMMUL33_2_BX] = s_r[APLS + k * SMMUL33_2_BX];
}

/*# smmul33_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*9", block "9", stride "9", count 1, noreg 0
INPATTERN 1 = start "tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tx*9", block "9", stride "9", count 1, noreg 0
#*/
__device__ inline void d_smmul33_2_compute(float *s_m, float *s_s, float *s_r, int tx) {
    const float s = s_s[APIN1];
#pragma unroll
    for (int k = 0; k < 9; ++k) s_r[APOUT + k] = s_m[APIN0 + k] * s;
}

// smmul33_3: four neighbouring words a thread, 16 bytes at a time. They belong to one element or to two neighbours, so
// a thread holds two scalars: its first element's and the next one's, or, in the last element of the tile, the one
// before and its own.

/*# smmul33_3_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_smmul33_3_load_1(matrix3x3 m, float *s_m, int tx, int bx) {
    take_words4(s_m + APLS, m + 4 * (bx * SMMUL33_3_BX + tx));
}

/*# smmul33_3_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx/9-4*tx/9/(4*SMMUL33_3_BX/9-1)", block "2", stride "2", count 1, noreg 0
#*/
__device__ inline void d_smmul33_3_load_2(scalar s, float *s_s, int tx, int bx) {
    const int last = 4 * SMMUL33_3_BX / 9 - 1;
    const int first = 4 * tx / 9 - 4 * tx / 9 / last;
    s_s[APLS] = s[bx * (last + 1) + first];
    s_s[APLS + 1] = s[bx * (last + 1) + first + 1];
}

/*# smmul33_3_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_smmul33_3_save(float *s_r, matrix3x3 r, int tx, int bx) {
    put_words4(r + 4 * (bx * SMMUL33_3_BX + tx), s_r + APLS);
}

/*# smmul33_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 144)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "4*tx", block "4", stride "4", count 1, noreg 0
INPATTERN 1 = start "4*tx/9-4*tx/9/(4*SMMUL33_3_BX/9-1)", block "2", stride "2", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_smmul33_3_compute(float *s_m, float *s_s, float *s_r, int tx) {
    const int first = 4 * tx / 9 - 4 * tx / 9 / (4 * SMMUL33_3_BX / 9 - 1);
    const float own = s_s[APIN1], next = s_s[APIN1 + 1];
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = s_m[APIN0 + k] * ((4 * tx + k) / 9 == first ? own : next);
}

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
