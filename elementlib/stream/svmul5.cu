// svmul5(v, s) = s v.

#include "words4.cuh"

/*# svmul5 metadata
Arguments = vector5, scalar
Result = vector5
Flops = 5
#*/
inline void cpu_svmul5(const float *v, const float *s, float *r) {
    for (int k = 0; k < 5; ++k) r[k] = v[k] * s[0];
}

// svmul5_1: a thread a component.

/*# svmul5_1_load_1 metadata
Data type = vector5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul5_1_load_1(vector5 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 5 * SVMUL5_1_BY + ty * 5 + tx];
}

/*# svmul5_1_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = ty, bx
LSPATTERN = start "ty", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul5_1_load_2(scalar s, float *s_s, int ty, int bx) { s_s[APLS] = s[bx * SVMUL5_1_BY + ty]; }

/*# svmul5_1_save metadata
Data type = vector5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul5_1_save(float *s_r, vector5 r, int tx, int ty, int bx) {
    r[bx * 5 * SVMUL5_1_BY + ty * 5 + tx] = s_r[APLS];
}

/*# svmul5_1 metadata
GX = size
GY = 1
GZ = 1
BX = 5
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
INPATTERN 1 = start "ty", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul5_1_compute(float *s_v, float *s_s, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_v[APIN0] * s_s[APIN1];
}

// svmul5_2: one thread an element.

/*# svmul5_2_load_1 metadata
Data type = vector5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "SVMUL5_2_BX", count 5, noreg 0
#*/
__device__ inline void d_svmul5_2_load_1(vector5 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) s_v[APLS + k * SVMUL5_2_BX] = v[bx * 5 * SVMUL5_2_BX + tx + k * SVMUL5_2_BX];
}

/*# svmul5_2_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul5_2_load_2(scalar s, float *s_s, int tx, int bx) { s_s[APLS] = s[bx * SVMUL5_2_BX + tx]; }

/*# svmul5_2_save metadata
Data type = vector5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "SVMUL5_2_BX", count 5, noreg 0
#*/
__device__ inline void d_svmul5_2_save(float *s_r, vector5 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) r[bx * 5 * SVMUL5_2_BX + tx + k * SVMUL5_2_BX] = s_r[APLS + k * SVMUL5_2_BX];
}

/*# svmul5_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*5", block "5", stride "5", count 1, noreg 0
INPATTERN 1 = start "tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tx*5", block "5", stride "5", count 1, noreg 0
#*/
__device__ inline void d_svmul5_2_compute(float *s_v, float *s_s, float *s_r, int tx) {
    const float s = s_s[APIN1];
#pragma unroll
    for (int k = 0; k < 5; ++k) s_r[APOUT + k] = s_v[APIN0 + k] * s;
}

// svmul5_3: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# svmul5_3_load_1 metadata
Data type = vector5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "20*tx", block "20", stride "20", count 1, noreg 0
#*/
__device__ inline void d_svmul5_3_load_1(vector5 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) take_words4(s_v + APLS + 4 * k, v + 4 * ((bx * SVMUL5_3_BX + tx) * 5 + k));
}

/*# svmul5_3_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_svmul5_3_load_2(scalar s, float *s_s, int tx, int bx) {
    take_words4(s_s + APLS, s + 4 * (bx * SVMUL5_3_BX + tx));
}

/*# svmul5_3_save metadata
Data type = vector5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "20*tx", block "20", stride "20", count 1, noreg 0
#*/
__device__ inline void d_svmul5_3_save(float *s_r, vector5 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) put_words4(r + 4 * ((bx * SVMUL5_3_BX + tx) * 5 + k), s_r + APLS + 4 * k);
}

/*# svmul5_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "20*tx", block "20", stride "20", count 1, noreg 0
INPATTERN 1 = start "4*tx", block "4", stride "4", count 1, noreg 0
OUTPATTERN = start "20*tx", block "20", stride "20", count 1, noreg 0
#*/
__device__ inline void d_svmul5_3_compute(float *s_v, float *s_s, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 20; ++k) s_r[APOUT + k] = s_v[APIN0 + k] * s_s[APIN1 + k / 5];
}
