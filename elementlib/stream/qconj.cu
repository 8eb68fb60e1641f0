// qconj(q) = (w, -x, -y, -z), the inverse of a rotation. A quaternion is (w, x, y, z), the real part first.

#include "words4.cuh"

/*# qconj metadata
Arguments = quaternion
Result = quaternion
Flops = 3
#*/
inline void cpu_qconj(const float *q, float *r) {
    r[0] = q[0];
    for (int k = 1; k < 4; ++k) r[k] = -q[k];
}

// qconj_1: a thread a component.

/*# qconj_1_load_1 metadata
Data type = quaternion
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*4+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qconj_1_load_1(quaternion q, float *s_q, int tx, int ty, int bx) {
    s_q[APLS] = q[bx * 4 * QCONJ_1_BY + ty * 4 + tx];
}

/*# qconj_1_save metadata
Data type = quaternion
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*4+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qconj_1_save(float *s_r, quaternion r, int tx, int ty, int bx) {
    r[bx * 4 * QCONJ_1_BY + ty * 4 + tx] = s_r[APLS];
}

/*# qconj_1 metadata
GX = size
GY = 1
GZ = 1
BX = 4
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*4+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*4+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qconj_1_compute(float *s_q, float *s_r, int tx, int ty) {
    const float q = s_q[APIN0];
    s_r[APOUT] = tx == 0 ? q : -q;
}

// qconj_2: one thread an element, 16 bytes at a time.

/*# qconj_2_load_1 metadata
Data type = quaternion
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_qconj_2_load_1(quaternion q, float *s_q, int tx, int bx) {
    take_words4(s_q + APLS, q + 4 * (bx * QCONJ_2_BX + tx));
}

/*# qconj_2_save metadata
Data type = quaternion
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_qconj_2_save(float *s_r, quaternion r, int tx, int bx) {
    put_words4(r + 4 * (bx * QCONJ_2_BX + tx), s_r + APLS);
}

/*# qconj_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*4", block "4", stride "4", count 1, noreg 0
OUTPATTERN = start "tx*4", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_qconj_2_compute(float *s_q, float *s_r, int tx) {
    s_r[APOUT] = s_q[APIN0];
#pragma unroll
    for (int k = 1; k < 4; ++k) s_r[APOUT + k] = -s_q[APIN0 + k];
}
