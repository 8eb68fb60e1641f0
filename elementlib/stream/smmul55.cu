// smmul55(M, s) = s M for a 5x5 matrix.

#include "words4.cuh"

/*# smmul55 metadata
Arguments = matrix5x5, scalar
Result = matrix5x5
Flops = 25
#*/
inline void cpu_smmul55(const float *m, const float *s, float *r) {
    for (int k = 0; k < 25; ++k) r[k] = m[k] * s[0];
}

// smmul55_1: five threads an element, thread tx makes column tx, as mmul55_1 does.

/*# smmul55_1_load_1 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "5*SMMUL55_1_BY", count 5, noreg 0
#*/
__device__ inline void d_smmul55_1_load_1(matrix5x5 m, float *s_m, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        s_m[APLS + k * 5 * SMMUL55_1_BY] = m[bx * 25 * SMMUL55_1_BY + ty * 5 + tx + k * 5 * SMMUL55_1_BY];
    }
}

/*# smmul55_1_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = ty, bx
LSPATTERN = start "ty", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smmul55_1_load_2(scalar s, float *s_s, int ty, int bx) {
    s_s[APLS] = s[bx * SMMUL55_1_BY + ty];
}

/*# smmul55_1_save metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "5*SMMUL55_1_BY", count 5, noreg 0
#*/
__device__ inline void d_smmul55_1_save(float *s_r, matrix5x5 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        r[bx * 25 * SMMUL55_1_BY + ty * 5 + tx + k * 5 * SMMUL55_1_BY] = s_r[APLS + k * 5 * SMMUL55_1_BY];
    }
}

/*# smmul55_1 metadata
GX = size
GY = 1
GZ = 1
BX = 5
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*25+tx", block "1", stride "5", count 5, noreg 0
INPATTERN 1 = start "ty", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*25+tx", block "1", stride "5", count 5, noreg 0
#*/
__device__ inline void d_smmul55_1_compute(float *s_m, float *s_s, float *s_r, int tx, int ty) {
    const float s = s_s[APIN1];
#pragma unroll
    for (int y = 0; y < 5; ++y) s_r[APOUT + y * 5] = s_m[APIN0 + y * 5] * s;
}

// smmul55_2: one thread an element.

/*# smmul55_2_load_1 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "SMMUL55_2_BX", count 25, noreg 0
#*/
__device__ inline void d_smmul55_2_load_1(matrix5x5 m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 25; ++k) s_m[APLS + k * SMMUL55_2_BX] = m[bx * 25 * SMMUL55_2_BX + tx + k * SMMUL55_2_BX];
}

/*# smmul55_2_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smmul55_2_load_2(scalar s, float *s_s, int tx, int bx) {
    s_s[APLS] = s[bx * SMMUL55_2_BX + tx];
}

/*# smmul55_2_save metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "SMMUL55_2_BX", count 25, noreg 0
#*/
__device__ inline void d_smmul55_2_save(float *s_r, matrix5x5 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 25; ++k) r[bx * 25 * SMMUL55_2_BX + tx + k * SMMUL55_2_BX] = s_r[APLS + k * SMMUL55_2_BX];
}

/*# smmul55_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*25", block "25", stride "25", count 1, noreg 0
INPATTERN 1 = start "tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tx*25", block "25", stride "25", count 1, noreg 0
#*/
__device__ inline void d_smmul55_2_compute(float *s_m, float *s_s, float *s_r, int tx) {
    const float s = s_s[APIN1];
#pragma unroll
    for (int k = 0; k < 25; ++k) s_r[APOUT + k] = s_m[APIN0 + k] * s;
}

// smmul55_3: four neighbouring words a thread, 16 bytes at a time. They belong to one element or to two neighbours,
// so a thread holds two scalars: its first element's and the next one's, or, in the last element of the tile, the one
// before and its own.

/*# smmul55_3_load_1 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_smmul55_3_load_1(matrix5x5 m, float *s_m, int tx, int bx) {
    take_words4(s_m + APLS, m + 4 * (bx * SMMUL55_3_BX + tx));
}

/*# smmul55_3_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx/25-4*tx/25/(4*SMMUL55_3_BX/25-1)", block "2", stride "2", count 1, noreg 0
#*/
__device__ inline void d_smmul55_3_load_2(scalar s, float *s_s, int tx, int bx) {
    const int last = 4 * SMMUL55_3_BX / 25 - 1;
    const int first = 4 * tx / 25 - 4 * tx / 25 / last;
    s_s[APLS] = s[bx * (last + 1) + first];
    s_s[APLS + 1] = s[bx * (last + 1) + first + 1];
}

/*# smmul55_3_save metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_smmul55_3_save(float *s_r, matrix5x5 r, int tx, int bx) {
    put_words4(r + 4 * (bx * SMMUL55_3_BX + tx), s_r + APLS);
}

/*# smmul55_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 200)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "4*tx", block "4", stride "4", count 1, noreg 0
INPATTERN 1 = start "4*tx/25-4*tx/25/(4*SMMUL55_3_BX/25-1)", block "2", stride "2", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_smmul55_3_compute(float *s_m, float *s_s, float *s_r, int tx) {
    const int first = 4 * tx / 25 - 4 * tx / 25 / (4 * SMMUL55_3_BX / 25 - 1);
    const float own = s_s[APIN1], next = s_s[APIN1 + 1];
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = s_m[APIN0 + k] * ((4 * tx + k) / 25 == first ? own : next);
}
