// mvmul33(M, v) = M v. Each sum runs upwards, each step one fmaf.

/*# mvmul33 metadata
Arguments = matrix3x3, vector3
Result = vector3
Flops = 15
#*/
inline void cpu_mvmul33(const float *m, const float *v, float *r) {
    for (int y = 0; y < 3; ++y) r[y] = fmaf(m[y * 3 + 2], v[2], fmaf(m[y * 3 + 1], v[1], m[y * 3] * v[0]));
}

// mvmul33_1: three threads an element, thread tx makes component tx.

/*# mvmul33_1_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*MVMUL33_1_BY", count 3, noreg 0
#*/
__device__ inline void d_mvmul33_1_load_1(matrix3x3 m, float *s_m, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        s_m[APLS + k * 3 * MVMUL33_1_BY] = m[bx * 9 * MVMUL33_1_BY + ty * 3 + tx + k * 3 * MVMUL33_1_BY];
    }
}

/*# mvmul33_1_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_mvmul33_1_load_2(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 3 * MVMUL33_1_BY + ty * 3 + tx];
}

/*# mvmul33_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_mvmul33_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[bx * 3 * MVMUL33_1_BY + ty * 3 + tx] = s_r[APLS];
}

/*# mvmul33_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*9+tx*3", block "3", stride "3", count 1, noreg 0
INPATTERN 1 = start "ty*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_mvmul33_1_compute(float *s_m, float *s_v, float *s_r, int tx, int ty) {
    const float first = s_m[APIN0] * s_v[APIN1];
    s_r[APOUT] = fmaf(s_m[APIN0 + 2], s_v[APIN1 + 2], fmaf(s_m[APIN0 + 1], s_v[APIN1 + 1], first));
}

// mvmul33_2: one thread an element.

/*# mvmul33_2_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MVMUL33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_mvmul33_2_load_1(matrix3x3 m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_m[APLS + k * MVMUL33_2_BX] = m[bx * 9 * MVMUL33_2_BX + tx + k * MVMUL33_2_BX];
}

/*# mvmul33_2_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MVMUL33_2_BX", count 3, noreg 0
#*/
__device__ inline void d_mvmul33_2_load_2(vector3 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_v[APLS + k * MVMUL33_2_BX] = v[bx * 3 * MVMUL33_2_BX + tx + k * MVMUL33_2_BX];
}

/*# mvmul33_2_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MVMUL33_2_BX", count 3, noreg 0
#*/
__device__ inline void d_mvmul33_2_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) r[bx * 3 * MVMUL33_2_BX + tx + k * MVMUL33_2_BX] = s_r[APLS + k * MVMUL33_2_BX];
}

/*# mvmul33_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*9", block "9", stride "9", count 1, noreg 0
INPATTERN 1 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_mvmul33_2_compute(float *s_m, float *s_v, float *s_r, int tx) {
    float v[3];
#pragma unroll
    for (int k = 0; k < 3; ++k) v[k] = s_v[APIN1 + k];
#pragma unroll
    for (int y = 0; y < 3; ++y) {
        float sum = s_m[APIN0 + y * 3] * v[0];
        sum = fmaf(s_m[APIN0 + y * 3 + 1], v[1], sum);
        s_r[APOUT + y] = fmaf(s_m[APIN0 + y * 3 + 2], v[2], sum);
    }
}
