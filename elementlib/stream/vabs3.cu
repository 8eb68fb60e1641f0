// vabs3(a): r_i = |a_i|.

#include "words4.cuh"

/*# vabs3 metadata
Arguments = vector3
Result = vector3
Flops = 3
#*/
inline void cpu_vabs3(const float *a, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = fabsf(a[k]);
}

// vabs3_1: a thread a component.

/*# vabs3_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vabs3_1_load_1(vector3 a, float *s_a, int tx, int ty, int bx) {
    s_a[APLS] = a[bx * 3 * VABS3_1_BY + ty * 3 + tx];
}

/*# vabs3_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vabs3_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[bx * 3 * VABS3_1_BY + ty * 3 + tx] = s_r[APLS];
}

/*# vabs3_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vabs3_1_compute(float *s_a, float *s_r, int tx, int ty) { s_r[APOUT] = fabsf(s_a[APIN0]); }

// vabs3_2: one thread an element.

/*# vabs3_2_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VABS3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_vabs3_2_load_1(vector3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_a[APLS + k * VABS3_2_BX] = a[bx * 3 * VABS3_2_BX + tx + k * VABS3_2_BX];
}

/*# vabs3_2_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VABS3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_vabs3_2_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) r[bx * 3 * VABS3_2_BX + tx + k * VABS3_2_BX] = s_r[APLS + k * VABS3_2_BX];
}

/*# vabs3_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_vabs3_2_compute(float *s_a, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_r[APOUT + k] = fabsf(s_a[APIN0 + k]);
}

// vabs3_3: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# vabs3_3_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vabs3_3_load_1(vector3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) take_words4(s_a + APLS + 4 * k, a + 4 * ((bx * VABS3_3_BX + tx) * 3 + k));
}

/*# vabs3_3_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vabs3_3_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) put_words4(r + 4 * ((bx * VABS3_3_BX + tx) * 3 + k), s_r + APLS + 4 * k);
}

/*# vabs3_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "12*tx", block "12", stride "12", count 1, noreg 0
OUTPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vabs3_3_compute(float *s_a, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 12; ++k) s_r[APOUT + k] = fabsf(s_a[APIN0 + k]);
}
