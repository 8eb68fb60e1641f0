// qnormalise(q) = q / |q|: q times one reciprocal, no number where q is zero. A quaternion is (w, x, y, z), the real
// part first.

#include "words4.cuh"

/*# qnormalise metadata
Arguments = quaternion
Result = quaternion
Flops = 13
#*/
inline void cpu_qnormalise(const float *q, float *r) {
    const float scale = 1.0f / sqrtf(fmaf(q[3], q[3], fmaf(q[2], q[2], fmaf(q[1], q[1], q[0] * q[0]))));
    for (int k = 0; k < 4; ++k) r[k] = q[k] * scale;
}

// qnormalise_1: a thread a component, which it picks by its number: registers do not allow that.

/*# qnormalise_1_load_1 metadata
Data type = quaternion
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*4+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qnormalise_1_load_1(quaternion q, float *s_q, int tx, int ty, int bx) {
    s_q[APLS] = q[bx * 4 * QNORMALISE_1_BY + ty * 4 + tx];
}

/*# qnormalise_1_save metadata
Data type = quaternion
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*4+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qnormalise_1_save(float *s_r, quaternion r, int tx, int ty, int bx) {
    r[bx * 4 * QNORMALISE_1_BY + ty * 4 + tx] = s_r[APLS];
}

/*# qnormalise_1 metadata
GX = size
GY = 1
GZ = 1
BX = 4
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*4", block "4", stride "4", count 1, noreg 1
OUTPATTERN = start "ty*4+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_qnormalise_1_compute(float *s_q, float *s_r, int tx, int ty) {
    const float w = s_q[APIN0], x = s_q[APIN0 + 1], y = s_q[APIN0 + 2], z = s_q[APIN0 + 3];
    const float scale = 1.0f / sqrtf(fmaf(z, z, fmaf(y, y, fmaf(x, x, w * w))));
    s_r[APOUT] = s_q[APIN0 + tx] * scale;
}

// qnormalise_2: one thread an element, 16 bytes at a time.

/*# qnormalise_2_load_1 metadata
Data type = quaternion
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_qnormalise_2_load_1(quaternion q, float *s_q, int tx, int bx) {
    take_words4(s_q + APLS, q + 4 * (bx * QNORMALISE_2_BX + tx));
}

/*# qnormalise_2_save metadata
Data type = quaternion
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_qnormalise_2_save(float *s_r, quaternion r, int tx, int bx) {
    put_words4(r + 4 * (bx * QNORMALISE_2_BX + tx), s_r + APLS);
}

/*# qnormalise_2 metadata
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
__device__ inline void d_qnormalise_2_compute(float *s_q, float *s_r, int tx) {
    const float w = s_q[APIN0], x = s_q[APIN0 + 1], y = s_q[APIN0 + 2], z = s_q[APIN0 + 3];
    const float scale = 1.0f / sqrtf(fmaf(z, z, fmaf(y, y, fmaf(x, x, w * w))));
    s_r[APOUT] = w * scale;
    s_r[APOUT + 1] = x * scale;
    s_r[APOUT + 2] = y * scale;
    s_r[APOUT + 3] = z * scale;
}
