// vvmulabs3(a, b) = |a . b|. The sum runs upwards, each step one fmaf.

#include "words4.cuh"

/*# vvmulabs3 metadata
Arguments = vector3, vector3
Result = scalar
Flops = 6
#*/
inline void cpu_vvmulabs3(const float *a, const float *b, float *r) {
    r[0] = fabsf(fmaf(a[2], b[2], fmaf(a[1], b[1], a[0] * b[0])));
}

// vvmulabs3_1: one thread an element.

/*# vvmulabs3_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VVMULABS3_1_BX", count 3, noreg 0
#*/
__device__ inline void d_vvmulabs3_1_load_1(vector3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_a[APLS + k * VVMULABS3_1_BX] = a[bx * 3 * VVMULABS3_1_BX + tx + k * VVMULABS3_1_BX];
}

/*# vvmulabs3_1_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VVMULABS3_1_BX", count 3, noreg 0
#*/
__device__ inline void d_vvmulabs3_1_load_2(vector3 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_b[APLS + k * VVMULABS3_1_BX] = b[bx * 3 * VVMULABS3_1_BX + tx + k * VVMULABS3_1_BX];
}

/*# vvmulabs3_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vvmulabs3_1_save(float *s_r, scalar r, int tx, int bx) {
    r[bx * VVMULABS3_1_BX + tx] = s_r[APLS];
}

/*# vvmulabs3_1 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*3", block "3", stride "3", count 1, noreg 0
INPATTERN 1 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vvmulabs3_1_compute(float *s_a, float *s_b, float *s_r, int tx) {
    s_r[APOUT] =
        fabsf(fmaf(s_a[APIN0 + 2], s_b[APIN1 + 2], fmaf(s_a[APIN0 + 1], s_b[APIN1 + 1], s_a[APIN0] * s_b[APIN1])));
}

// vvmulabs3_2: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# vvmulabs3_2_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vvmulabs3_2_load_1(vector3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) take_words4(s_a + APLS + 4 * k, a + 4 * ((bx * VVMULABS3_2_BX + tx) * 3 + k));
}

/*# vvmulabs3_2_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vvmulabs3_2_load_2(vector3 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) take_words4(s_b + APLS + 4 * k, b + 4 * ((bx * VVMULABS3_2_BX + tx) * 3 + k));
}

/*# vvmulabs3_2_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_vvmulabs3_2_save(float *s_r, scalar r, int tx, int bx) {
    put_words4(r + 4 * (bx * VVMULABS3_2_BX + tx), s_r + APLS);
}

/*# vvmulabs3_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "12*tx", block "12", stride "12", count 1, noreg 0
INPATTERN 1 = start "12*tx", block "12", stride "12", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_vvmulabs3_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
        s_r[APOUT + e] =
            fabsf(fmaf(s_a[APIN0 + 3 * e + 2], s_b[APIN1 + 3 * e + 2],
                       fmaf(s_a[APIN0 + 3 * e + 1], s_b[APIN1 + 3 * e + 1], s_a[APIN0 + 3 * e] * s_b[APIN1 + 3 * e])));
    }
}
