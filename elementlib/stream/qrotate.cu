// qrotate(q, v): v turned by the unit quaternion q = (w, u): v + w t + u x t with t = 2 u x v. A quaternion is (w, x,
// y, z), the real part first.

#include "words4.cuh"

/*# qrotate metadata
Arguments = quaternion, vector3
Result = vector3
Flops = 30
#*/
inline void cpu_qrotate(const float *q, const float *v, float *r) {
    const float *u = q + 1;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const float t_i = 2.0f * fmaf(u[j], v[k], -(u[k] * v[j]));
        const float t_j = 2.0f * fmaf(u[k], v[i], -(u[i] * v[k]));
        const float t_k = 2.0f * fmaf(u[i], v[j], -(u[j] * v[i]));
        r[i] = fmaf(q[0], t_i, v[i]) + fmaf(u[j], t_k, -(u[k] * t_j));
    }
}

// qrotate_1: three threads an element, thread tx makes component tx. It picks components by its number, which registers
// do not allow.

/*# qrotate_1_load_1 metadata
Data type = quaternion
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*4+tx", block "2", stride "2", count 1, noreg 0
#*/
__device__ inline void d_qrotate_1_load_1(quaternion q, float *s_q, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 2; ++k) s_q[APLS + k] = q[bx * 4 * QROTATE_1_BY + ty * 4 + tx + k];
}

/*# qrotate_1_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qrotate_1_load_2(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 3 * QROTATE_1_BY + ty * 3 + tx];
}

/*# qrotate_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qrotate_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[bx * 3 * QROTATE_1_BY + ty * 3 + tx] = s_r[APLS];
}

/*# qrotate_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*4", block "4", stride "4", count 1, noreg 1
INPATTERN 1 = start "ty*3", block "3", stride "3", count 1, noreg 1
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qrotate_1_compute(float *s_q, float *s_v, float *s_r, int tx, int ty) {
    const int j = tx < 2 ? tx + 1 : 0, k = tx > 0 ? tx - 1 : 2;
    const float u_i = s_q[APIN0 + 1 + tx], u_j = s_q[APIN0 + 1 + j], u_k = s_q[APIN0 + 1 + k];
    const float v_i = s_v[APIN1 + tx], v_j = s_v[APIN1 + j], v_k = s_v[APIN1 + k];
    const float t_i = 2.0f * fmaf(u_j, v_k, -(u_k * v_j));
    const float t_j = 2.0f * fmaf(u_k, v_i, -(u_i * v_k));
    const float t_k = 2.0f * fmaf(u_i, v_j, -(u_j * v_i));
    s_r[APOUT] = fmaf(s_q[APIN0], t_i, v_i) + fmaf(u_j, t_k, -(u_k * t_j));
}

// qrotate_2: one thread an element.

/*# qrotate_2_load_1 metadata
Data type = quaternion
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_qrotate_2_load_1(quaternion q, float *s_q, int tx, int bx) {
    take_words4(s_q + APLS, q + 4 * (bx * QROTATE_2_BX + tx));
}

/*# qrotate_2_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "QROTATE_2_BX", count 3, noreg 0
#*/
__device__ inline void d_qrotate_2_load_2(vector3 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_v[APLS + k * QROTATE_2_BX] = v[bx * 3 * QROTATE_2_BX + tx + k * QROTATE_2_BX];
}

/*# qrotate_2_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "QROTATE_2_BX", count 3, noreg 0
#*/
__device__ inline void d_qrotate_2_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) r[bx * 3 * QROTATE_2_BX + tx + k * QROTATE_2_BX] = s_r[APLS + k * QROTATE_2_BX];
}

/*# qrotate_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*4", block "4", stride "4", count 1, noreg 0
INPATTERN 1 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_qrotate_2_compute(float *s_q, float *s_v, float *s_r, int tx) {
    float u[3], v[3], t[3];
    const float w = s_q[APIN0];
#pragma unroll
    for (int i = 0; i < 3; ++i) {
        u[i] = s_q[APIN0 + 1 + i];
        v[i] = s_v[APIN1 + i];
    }
#pragma unroll
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        t[i] = 2.0f * fmaf(u[j], v[k], -(u[k] * v[j]));
    }
#pragma unroll
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        s_r[APOUT + i] = fmaf(w, t[i], v[i]) + fmaf(u[j], t[k], -(u[k] * t[j]));
    }
}
