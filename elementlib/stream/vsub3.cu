// vsub3(a, b) = a - b.

#include "words4.cuh"

/*# vsub3 metadata
Arguments = vector3, vector3
Result = vector3
Flops = 3
#*/
inline void cpu_vsub3(const float *a, const float *b, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = a[k] - b[k];
}

// vsub3_1: a thread a component.

/*# vsub3_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vsub3_1_load_1(vector3 a, float *s_a, int tx, int ty, int bx) {
    s_a[APLS] = a[bx * 3 * VSUB3_1_BY + ty * 3 + tx];
}

/*# vsub3_1_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vsub3_1_load_2(vector3 b, float *s_b, int tx, int ty, int bx) {
    s_b[APLS] = b[bx * 3 * VSUB3_1_BY + ty * 3 + tx];
}

/*# vsub3_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vsub3_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[bx * 3 * VSUB3_1_BY + ty * 3 + tx] = s_r[APLS];
}

/*# vsub3_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
INPATTERN 1 = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vsub3_1_compute(float *s_a, float *s_b, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_a[APIN0] - s_b[APIN1];
}

// vsub3_2: one thread an element.

/*# vsub3_2_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VSUB3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_vsub3_2_load_1(vector3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_a[APLS + k * VSUB3_2_BX] = a[bx * 3 * VSUB3_2_BX + tx + k * VSUB3_2_BX];
}

/*# vsub3_2_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VSUB3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_vsub3_2_load_2(vector3 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_b[APLS + k * VSUB3_2_BX] = b[bx * 3 * VSUB3_2_BX + tx + k * VSUB3_2_BX];
}

/*# vsub3_2_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VSUB3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_vsub3_2_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) r[bx * 3 * VSUB3_2_BX + tx + k * VSUB3_2_BX] = s_r[APLS + k * VSUB3_2_BX];
}

/*# vsub3_2 metadata
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
__device__ inline void d_vsub3_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_r[APOUT + k] = s_a[APIN0 + k] - s_b[APIN1 + k];
}

// vsub3_3: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# vsub3_3_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vsub3_3_load_1(vector3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) take_words4(s_a + APLS + 4 * k, a + 4 * ((bx * VSUB3_3_BX + tx) * 3 + k));
}

/*# vsub3_3_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vsub3_3_load_2(vector3 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) take_words4(s_b + APLS + 4 * k, b + 4 * ((bx * VSUB3_3_BX + tx) * 3 + k));
}

/*# vsub3_3_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vsub3_3_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) put_words4(r + 4 * ((bx * VSUB3_3_BX + tx) * 3 + k), s_r + APLS + 4 * k);
}

/*# vsub3_3 metadata
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
__device__ inline void d_vsub3_3_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 12; ++k) s_r[APOUT + k] = s_a[APIN0 + k] - s_b[APIN1 + k];
}
