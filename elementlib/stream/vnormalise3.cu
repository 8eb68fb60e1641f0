// vnormalise3(v) = v / |v|: v times one reciprocal, no number where v is zero.

#include "words4.cuh"

/*# vnormalise3 metadata
Arguments = vector3
Result = vector3
Flops = 10
#*/
inline void cpu_vnormalise3(const float *v, float *r) {
    const float scale = 1.0f / sqrtf(fmaf(v[2], v[2], fmaf(v[1], v[1], v[0] * v[0])));
    for (int k = 0; k < 3; ++k) r[k] = v[k] * scale;
}

// vnormalise3_1: three threads an element, thread tx makes component tx, which it picks by its number: registers do not
// allow that.

/*# vnormalise3_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vnormalise3_1_load_1(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 3 * VNORMALISE3_1_BY + ty * 3 + tx];
}

/*# vnormalise3_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vnormalise3_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[bx * 3 * VNORMALISE3_1_BY + ty * 3 + tx] = s_r[APLS];
}

/*# vnormalise3_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*3", block "3", stride "3", count 1, noreg 1
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vnormalise3_1_compute(float *s_v, float *s_r, int tx, int ty) {
    const float x = s_v[APIN0], y = s_v[APIN0 + 1], z = s_v[APIN0 + 2];
    const float scale = 1.0f / sqrtf(fmaf(z, z, fmaf(y, y, x * x)));
    s_r[APOUT] = s_v[APIN0 + tx] * scale;
}

// vnormalise3_2: one thread an element.

/*# vnormalise3_2_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VNORMALISE3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_vnormalise3_2_load_1(vector3 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        s_v[APLS + k * VNORMALISE3_2_BX] = v[bx * 3 * VNORMALISE3_2_BX + tx + k * VNORMALISE3_2_BX];
    }
}

/*# vnormalise3_2_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VNORMALISE3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_vnormalise3_2_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        r[bx * 3 * VNORMALISE3_2_BX + tx + k * VNORMALISE3_2_BX] = s_r[APLS + k * VNORMALISE3_2_BX];
    }
}

/*# vnormalise3_2 metadata
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
__device__ inline void d_vnormalise3_2_compute(float *s_v, float *s_r, int tx) {
    const float x = s_v[APIN0], y = s_v[APIN0 + 1], z = s_v[APIN0 + 2];
    const float scale = 1.0f / sqrtf(fmaf(z, z, fmaf(y, y, x * x)));
    s_r[APOUT] = x * scale;
    s_r[APOUT + 1] = y * scale;
    s_r[APOUT + 2] = z * scale;
}

// vnormalise3_3: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# vnormalise3_3_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vnormalise3_3_load_1(vector3 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) take_words4(s_v + APLS + 4 * k, v + 4 * ((bx * VNORMALISE3_3_BX + tx) * 3 + k));
}

/*# vnormalise3_3_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vnormalise3_3_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) put_words4(r + 4 * ((bx * VNORMALISE3_3_BX + tx) * 3 + k), s_r + APLS + 4 * k);
}

/*# vnormalise3_3 metadata
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
__device__ inline void d_vnormalise3_3_compute(float *s_v, float *s_r, int tx) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
        const float x = s_v[APIN0 + 3 * e], y = s_v[APIN0 + 3 * e + 1], z = s_v[APIN0 + 3 * e + 2];
        const float scale = 1.0f / sqrtf(fmaf(z, z, fmaf(y, y, x * x)));
        s_r[APOUT + 3 * e] = x * scale;
        s_r[APOUT + 3 * e + 1] = y * scale;
        s_r[APOUT + 3 * e + 2] = z * scale;
    }
}
