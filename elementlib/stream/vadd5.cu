// vadd5(a, b) = a + b.

#include "words4.cuh"

/*# vadd5 metadata
Arguments = vector5, vector5
Result = vector5
Flops = 5
#*/
inline void cpu_vadd5(const float *a, const float *b, float *r) {
    for (int k = 0; k < 5; ++k) r[k] = a[k] + b[k];
}

// vadd5_1: a thread a component.

/*# vadd5_1_load_1 metadata
Data type = vector5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vadd5_1_load_1(vector5 a, float *s_a, int tx, int ty, int bx) {
    s_a[APLS] = a[bx * 5 * VADD5_1_BY + ty * 5 + tx];
}

/*# vadd5_1_load_2 metadata
Data type = vector5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vadd5_1_load_2(vector5 b, float *s_b, int tx, int ty, int bx) {
    s_b[APLS] = b[bx * 5 * VADD5_1_BY + ty * 5 + tx];
}

/*# vadd5_1_save metadata
Data type = vector5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vadd5_1_save(float *s_r, vector5 r, int tx, int ty, int bx) {
    r[bx * 5 * VADD5_1_BY + ty * 5 + tx] = s_r[APLS];
}

/*# vadd5_1 metadata
GX = size
GY = 1
GZ = 1
BX = 5
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
INPATTERN 1 = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vadd5_1_compute(float *s_a, float *s_b, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_a[APIN0] + s_b[APIN1];
}

// vadd5_2: one thread an element.

/*# vadd5_2_load_1 metadata
Data type = vector5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VADD5_2_BX", count 5, noreg 0
#*/
__device__ inline void d_vadd5_2_load_1(vector5 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) s_a[APLS + k * VADD5_2_BX] = a[bx * 5 * VADD5_2_BX + tx + k * VADD5_2_BX];
}

/*# vadd5_2_load_2 metadata
Data type = vector5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VADD5_2_BX", count 5, noreg 0
#*/
__device__ inline void d_vadd5_2_load_2(vector5 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) s_b[APLS + k * VADD5_2_BX] = b[bx * 5 * VADD5_2_BX + tx + k * VADD5_2_BX];
}

/*# vadd5_2_save metadata
Data type = vector5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VADD5_2_BX", count 5, noreg 0
#*/
__device__ inline void d_vadd5_2_save(float *s_r, vector5 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) r[bx * 5 * VADD5_2_BX + tx + k * VADD5_2_BX] = s_r[APLS + k * VADD5_2_BX];
}

/*# vadd5_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*5", block "5", stride "5", count 1, noreg 0
INPATTERN 1 = start "tx*5", block "5", stride "5", count 1, noreg 0
OUTPATTERN = start "tx*5", block "5", stride "5", count 1, noreg 0
#*/
__device__ inline void d_vadd5_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) s_r[APOUT + k] = s_a[APIN0 + k] + s_b[APIN1 + k];
}

// vadd5_3: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# vadd5_3_load_1 metadata
Data type = vector5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "20*tx", block "20", stride "20", count 1, noreg 0
#*/
__device__ inline void d_vadd5_3_load_1(vector5 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) take_words4(s_a + APLS + 4 * k, a + 4 * ((bx * VADD5_3_BX + tx) * 5 + k));
}

/*# vadd5_3_load_2 metadata
Data type = vector5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "20*tx", block "20", stride "20", count 1, noreg 0
#*/
__device__ inline void d_vadd5_3_load_2(vector5 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) take_words4(s_b + APLS + 4 * k, b + 4 * ((bx * VADD5_3_BX + tx) * 5 + k));
}

/*# vadd5_3_save metadata
Data type = vector5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "20*tx", block "20", stride "20", count 1, noreg 0
#*/
__device__ inline void d_vadd5_3_save(float *s_r, vector5 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) put_words4(r + 4 * ((bx * VADD5_3_BX + tx) * 5 + k), s_r + APLS + 4 * k);
}

/*# vadd5_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "20*tx", block "20", stride "20", count 1, noreg 0
INPATTERN 1 = start "20*tx", block "20", stride "20", count 1, noreg 0
OUTPATTERN = start "20*tx", block "20", stride "20", count 1, noreg 0
#*/
__device__ inline void d_vadd5_3_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 20; ++k) s_r[APOUT + k] = s_a[APIN0 + k] + s_b[APIN1 + k];
}
