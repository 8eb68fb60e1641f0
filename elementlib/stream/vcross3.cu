// vcross3(a, b) = a x b: r_i = a_j b_k - a_k b_j for (i, j, k) in cyclic order, the first product inside the fmaf.

#include "words4.cuh"

/*# vcross3 metadata
Arguments = vector3, vector3
Result = vector3
Flops = 9
#*/
inline void cpu_vcross3(const float *a, const float *b, float *r) {
    r[0] = fmaf(a[1], b[2], -(a[2] * b[1]));
    r[1] = fmaf(a[2], b[0], -(a[0] * b[2]));
    r[2] = fmaf(a[0], b[1], -(a[1] * b[0]));
}

// vcross3_1: three threads an element, thread tx makes component tx. It picks components by its number, which registers
// do not allow.

/*# vcross3_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vcross3_1_load_1(vector3 a, float *s_a, int tx, int ty, int bx) {
    s_a[APLS] = a[bx * 3 * VCROSS3_1_BY + ty * 3 + tx];
}

/*# vcross3_1_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vcross3_1_load_2(vector3 b, float *s_b, int tx, int ty, int bx) {
    s_b[APLS] = b[bx * 3 * VCROSS3_1_BY + ty * 3 + tx];
}

/*# vcross3_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vcross3_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[bx * 3 * VCROSS3_1_BY + ty * 3 + tx] = s_r[APLS];
}

/*# vcross3_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*3", block "3", stride "3", count 1, noreg 1
INPATTERN 1 = start "ty*3", block "3", stride "3", count 1, noreg 1
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vcross3_1_compute(float *s_a, float *s_b, float *s_r, int tx, int ty) {
    const int j = tx < 2 ? tx + 1 : 0, k = tx > 0 ? tx - 1 : 2;
    s_r[APOUT] = fmaf(s_a[APIN0 + j], s_b[APIN1 + k], -(s_a[APIN0 + k] * s_b[APIN1 + j]));
}

// vcross3_2: one thread an element.

/*# vcross3_2_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VCROSS3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_vcross3_2_load_1(vector3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_a[APLS + k * VCROSS3_2_BX] = a[bx * 3 * VCROSS3_2_BX + tx + k * VCROSS3_2_BX];
}

/*# vcross3_2_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VCROSS3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_vcross3_2_load_2(vector3 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_b[APLS + k * VCROSS3_2_BX] = b[bx * 3 * VCROSS3_2_BX + tx + k * VCROSS3_2_BX];
}

/*# vcross3_2_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VCROSS3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_vcross3_2_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) r[bx * 3 * VCROSS3_2_BX + tx + k * VCROSS3_2_BX] = s_r[APLS + k * VCROSS3_2_BX];
}

/*# vcross3_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*3", block "3", stride "3", count 1, noreg 0
INPATTERN 1 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_vcross3_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
    s_r[APOUT] = fmaf(s_a[APIN0 + 1], s_b[APIN1 + 2], -(s_a[APIN0 + 2] * s_b[APIN1 + 1]));
    s_r[APOUT + 1] = fmaf(s_a[APIN0 + 2], s_b[APIN1], -(s_a[APIN0] * s_b[APIN1 + 2]));
    s_r[APOUT + 2] = fmaf(s_a[APIN0], s_b[APIN1 + 1], -(s_a[APIN0 + 1] * s_b[APIN1]));
}

// vcross3_3: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# vcross3_3_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vcross3_3_load_1(vector3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) take_words4(s_a + APLS + 4 * k, a + 4 * ((bx * VCROSS3_3_BX + tx) * 3 + k));
}

/*# vcross3_3_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vcross3_3_load_2(vector3 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) take_words4(s_b + APLS + 4 * k, b + 4 * ((bx * VCROSS3_3_BX + tx) * 3 + k));
}

/*# vcross3_3_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vcross3_3_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) put_words4(r + 4 * ((bx * VCROSS3_3_BX + tx) * 3 + k), s_r + APLS + 4 * k);
}

/*# vcross3_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "12*tx", block "12", stride "12", count 1, noreg 0
INPATTERN 1 = start "12*tx", block "12", stride "12", count 1, noreg 0
OUTPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vcross3_3_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
        s_r[APOUT + 3 * e] =
            fmaf(s_a[APIN0 + 3 * e + 1], s_b[APIN1 + 3 * e + 2], -(s_a[APIN0 + 3 * e + 2] * s_b[APIN1 + 3 * e + 1]));
        s_r[APOUT + 3 * e + 1] =
            fmaf(s_a[APIN0 + 3 * e + 2], s_b[APIN1 + 3 * e], -(s_a[APIN0 + 3 * e] * s_b[APIN1 + 3 * e + 2]));
        s_r[APOUT + 3 * e + 2] =
            fmaf(s_a[APIN0 + 3 * e], s_b[APIN1 + 3 * e + 1], -(s_a[APIN0 + 3 * e + 1] * s_b[APIN1 + 3 * e]));
    }
}
