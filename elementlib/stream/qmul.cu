// qmul(q, p) = q p, the rotation p and then q. A quaternion is (w, x, y, z), the real part first.

#include "words4.cuh"

/*# qmul metadata
Arguments = quaternion, quaternion
Result = quaternion
Flops = 28
#*/
inline void cpu_qmul(const float *q, const float *p, float *r) {
    r[0] = fmaf(-q[3], p[3], fmaf(-q[2], p[2], fmaf(-q[1], p[1], q[0] * p[0])));
    r[1] = fmaf(-q[3], p[2], fmaf(q[2], p[3], fmaf(q[1], p[0], q[0] * p[1])));
    r[2] = fmaf(q[3], p[1], fmaf(q[2], p[0], fmaf(-q[1], p[3], q[0] * p[2])));
    r[3] = fmaf(q[3], p[0], fmaf(-q[2], p[1], fmaf(q[1], p[2], q[0] * p[3])));
}

// qmul_1: four threads an element. Component tx is q_0 p_tx + s_1 q_1 p_(tx^1) + s_2 q_2 p_(tx^2) + s_3 q_3 p_(tx^3)
// with signs that depend on tx; p is indexed by the thread's number, which registers do not allow.

/*# qmul_1_load_1 metadata
Data type = quaternion
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*4+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qmul_1_load_1(quaternion q, float *s_q, int tx, int ty, int bx) {
    s_q[APLS] = q[bx * 4 * QMUL_1_BY + ty * 4 + tx];
}

/*# qmul_1_load_2 metadata
Data type = quaternion
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*4+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qmul_1_load_2(quaternion p, float *s_p, int tx, int ty, int bx) {
    s_p[APLS] = p[bx * 4 * QMUL_1_BY + ty * 4 + tx];
}

/*# qmul_1_save metadata
Data type = quaternion
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*4+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qmul_1_save(float *s_r, quaternion r, int tx, int ty, int bx) {
    r[bx * 4 * QMUL_1_BY + ty * 4 + tx] = s_r[APLS];
}

/*# qmul_1 metadata
GX = size
GY = 1
GZ = 1
BX = 4
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*4", block "4", stride "4", count 1, noreg 0
INPATTERN 1 = start "ty*4", block "4", stride "4", count 1, noreg 1
OUTPATTERN = start "ty*4+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qmul_1_compute(float *s_q, float *s_p, float *s_r, int tx, int ty) {
    const float q1 = tx % 2 == 0 ? -s_q[APIN0 + 1] : s_q[APIN0 + 1];
    const float q2 = tx % 3 == 0 ? -s_q[APIN0 + 2] : s_q[APIN0 + 2];
    const float q3 = tx < 2 ? -s_q[APIN0 + 3] : s_q[APIN0 + 3];
    const float first = s_q[APIN0] * s_p[APIN1 + tx];
    s_r[APOUT] = fmaf(q3, s_p[APIN1 + tx ^ 3], fmaf(q2, s_p[APIN1 + tx ^ 2], fmaf(q1, s_p[APIN1 + tx ^ 1], first)));
}

// qmul_2: one thread an element, 16 bytes at a time.

/*# qmul_2_load_1 metadata
Data type = quaternion
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_qmul_2_load_1(quaternion q, float *s_q, int tx, int bx) {
    take_words4(s_q + APLS, q + 4 * (bx * QMUL_2_BX + tx));
}

/*# qmul_2_load_2 metadata
Data type = quaternion
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_qmul_2_load_2(quaternion p, float *s_p, int tx, int bx) {
    take_words4(s_p + APLS, p + 4 * (bx * QMUL_2_BX + tx));
}

/*# qmul_2_save metadata
Data type = quaternion
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_qmul_2_save(float *s_r, quaternion r, int tx, int bx) {
    put_words4(r + 4 * (bx * QMUL_2_BX + tx), s_r + APLS);
}

/*# qmul_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*4", block "4", stride "4", count 1, noreg 0
INPATTERN 1 = start "tx*4", block "4", stride "4", count 1, noreg 0
OUTPATTERN = start "tx*4", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_qmul_2_compute(float *s_q, float *s_p, float *s_r, int tx) {
    float q[4], p[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        q[k] = s_q[APIN0 + k];
        p[k] = s_p[APIN1 + k];
    }
    s_r[APOUT] = fmaf(-q[3], p[3], fmaf(-q[2], p[2], fmaf(-q[1], p[1], q[0] * p[0])));
    s_r[APOUT + 1] = fmaf(-q[3], p[2], fmaf(q[2], p[3], fmaf(q[1], p[0], q[0] * p[1])));
    s_r[APOUT + 2] = fmaf(q[3], p[1], fmaf(q[2], p[0], fmaf(-q[1], p[3], q[0] * p[2])));
    s_r[APOUT + 3] = fmaf(q[3], p[0], fmaf(-q[2], p[1], fmaf(q[1], p[2], q[0] * p[3])));
}
