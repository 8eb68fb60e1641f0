// anisotropy3(v): fractional anisotropy of a tensor with the eigenvalues x, y, z: 0 where all are equal or
// zero, 1 where one alone is not zero:
//     sqrt(((x - y)^2 + (y - z)^2 + (z - x)^2) / (2 (x^2 + y^2 + z^2)))

#include "words4.cuh"

/*# anisotropy3 metadata
Arguments = vector3
Result = scalar
Flops = 16
#*/
inline void cpu_anisotropy3(const float *v, float *r) {
    const float x = v[0], y = v[1], z = v[2];
    const float xy = x - y, yz = y - z, zx = z - x;
    const float differences = fmaf(zx, zx, fmaf(yz, yz, xy * xy));
    const float squares = fmaf(z, z, fmaf(y, y, x * x));
    r[0] = squares > 0 ? sqrtf(differences / (squares + squares)) : 0.0f;
}

// anisotropy3_1: one thread an element.

/*# anisotropy3_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "ANISOTROPY3_1_BX", count 3, noreg 0
#*/
__device__ inline void d_anisotropy3_1_load_1(vector3 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        s_v[APLS + k * ANISOTROPY3_1_BX] = v[bx * 3 * ANISOTROPY3_1_BX + tx + k * ANISOTROPY3_1_BX];
    }
}

/*# anisotropy3_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_anisotropy3_1_save(float *s_r, scalar r, int tx, int bx) {
    r[bx * ANISOTROPY3_1_BX + tx] = s_r[APLS];
}

/*# anisotropy3_1 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_anisotropy3_1_compute(float *s_v, float *s_r, int tx) {
    const float x = s_v[APIN0], y = s_v[APIN0 + 1], z = s_v[APIN0 + 2];
    const float xy = x - y, yz = y - z, zx = z - x;
    const float differences = fmaf(zx, zx, fmaf(yz, yz, xy * xy));
    const float squares = fmaf(z, z, fmaf(y, y, x * x));
    s_r[APOUT] = squares > 0 ? sqrtf(differences / (squares + squares)) : 0.0f;
}

// anisotropy3_2: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# anisotropy3_2_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_anisotropy3_2_load_1(vector3 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) take_words4(s_v + APLS + 4 * k, v + 4 * ((bx * ANISOTROPY3_2_BX + tx) * 3 + k));
}

/*# anisotropy3_2_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_anisotropy3_2_save(float *s_r, scalar r, int tx, int bx) {
    put_words4(r + 4 * (bx * ANISOTROPY3_2_BX + tx), s_r + APLS);
}

/*# anisotropy3_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "12*tx", block "12", stride "12", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_anisotropy3_2_compute(float *s_v, float *s_r, int tx) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
        const float x = s_v[APIN0 + 3 * e], y = s_v[APIN0 + 3 * e + 1], z = s_v[APIN0 + 3 * e + 2];
        const float xy = x - y, yz = y - z, zx = z - x;
        const float differences = fmaf(zx, zx, fmaf(yz, yz, xy * xy));
        const float squares = fmaf(z, z, fmaf(y, y, x * x));
        s_r[APOUT + e] = squares > 0 ? sqrtf(differences / (squares + squares)) : 0.0f;
    }
}
