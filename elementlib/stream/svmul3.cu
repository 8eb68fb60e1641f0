// svmul3(v, s) = s v.

#include "words4.cuh"

/*# svmul3 metadata
Arguments = vector3, scalar
Result = vector3
Flops = 3
#*/
inline void cpu_svmul3(const float *v, const float *s, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = v[k] * s[0];
}

// svmul3_1: a thread a component.

/*# svmul3_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul3_1_load_1(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 3 * SVMUL3_1_BY + ty * 3 + tx];
}

/*# svmul3_1_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = ty, bx
LSPATTERN = start "ty", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul3_1_load_2(scalar s, float *s_s, int ty, int bx) {
    s_s[APLS] = s[bx * SVMUL3_1_BY + ty];
}

/*# svmul3_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul3_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[bx * 3 * SVMUL3_1_BY + ty * 3 + tx] = s_r[APLS];
}

/*# svmul3_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
INPATTERN 1 = start "ty", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul3_1_compute(float *s_v, float *s_s, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_v[APIN0] * s_s[APIN1];
}

// svmul3_2: one thread an element.

/*# svmul3_2_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "SVMUL3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_svmul3_2_load_1(vector3 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_v[APLS + k * SVMUL3_2_BX] = v[bx * 3 * SVMUL3_2_BX + tx + k * SVMUL3_2_BX];
}

/*# svmul3_2_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul3_2_load_2(scalar s, float *s_s, int tx, int bx) {
    s_s[APLS] = s[bx * SVMUL3_2_BX + tx];
}

/*# svmul3_2_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "SVMUL3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_svmul3_2_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) r[bx * 3 * SVMUL3_2_BX + tx + k * SVMUL3_2_BX] = s_r[APLS + k * SVMUL3_2_BX];
}

/*# svmul3_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*3", block "3", stride "3", count 1, noreg 0
INPATTERN 1 = start "tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_svmul3_2_compute(float *s_v, float *s_s, float *s_r, int tx) {
    const float s = s_s[APIN1];
#pragma unroll
    for (int k = 0; k < 3; ++k) s_r[APOUT + k] = s_v[APIN0 + k] * s;
}

// svmul3_3: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# svmul3_3_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_svmul3_3_load_1(vector3 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) take_words4(s_v + APLS + 4 * k, v + 4 * ((bx * SVMUL3_3_BX + tx) * 3 + k));
}

/*# svmul3_3_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_svmul3_3_load_2(scalar s, float *s_s, int tx, int bx) {
    take_words4(s_s + APLS, s + 4 * (bx * SVMUL3_3_BX + tx));
}

/*# svmul3_3_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_svmul3_3_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) put_words4(r + 4 * ((bx * SVMUL3_3_BX + tx) * 3 + k), s_r + APLS + 4 * k);
}

/*# svmul3_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "12*tx", block "12", stride "12", count 1, noreg 0
INPATTERN 1 = start "4*tx", block "4", stride "4", count 1, noreg 0
OUTPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_svmul3_3_compute(float *s_v, float *s_s, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 12; ++k) s_r[APOUT + k] = s_v[APIN0 + k] * s_s[APIN1 + k / 3];
}
