// mvmul55(M, v) = M v for a 5x5 matrix. Each sum runs upwards, each step one fmaf.

/*# mvmul55 metadata
Arguments = matrix5x5, vector5
Result = vector5
Flops = 45
#*/
inline void cpu_mvmul55(const float *m, const float *v, float *r) {
    for (int y = 0; y < 5; ++y) {
        float sum = m[y * 5] * v[0];
        for (int k = 1; k < 5; ++k) sum = fmaf(m[y * 5 + k], v[k], sum);
        r[y] = sum;
    }
}

// mvmul55_1: five threads an element, thread tx makes component tx.

/*# mvmul55_1_load_1 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "5*MVMUL55_1_BY", count 5, noreg 0
#*/
__device__ inline void d_mvmul55_1_load_1(matrix5x5 m, float *s_m, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        s_m[APLS + k * 5 * MVMUL55_1_BY] = m[bx * 25 * MVMUL55_1_BY + ty * 5 + tx + k * 5 * MVMUL55_1_BY];
    }
}

/*# mvmul55_1_load_2 metadata
Data type = vector5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_mvmul55_1_load_2(vector5 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 5 * MVMUL55_1_BY + ty * 5 + tx];
}

/*# mvmul55_1_save metadata
Data type = vector5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_mvmul55_1_save(float *s_r, vector5 r, int tx, int ty, int bx) {
    r[bx * 5 * MVMUL55_1_BY + ty * 5 + tx] = s_r[APLS];
}

/*# mvmul55_1 metadata
GX = size
GY = 1
GZ = 1
BX = 5
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*25+tx*5", block "5", stride "5", count 1, noreg 0
INPATTERN 1 = start "ty*5", block "5", stride "5", count 1, noreg 0
OUTPATTERN = start "ty*5+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_mvmul55_1_compute(float *s_m, float *s_v, float *s_r, int tx, int ty) {
    float sum = s_m[APIN0] * s_v[APIN1];
#pragma unroll
    for (int k = 1; k < 5; ++k) sum = fmaf(s_m[APIN0 + k], s_v[APIN1 + k], sum);
    s_r[APOUT] = sum;
}

// mvmul55_2: one thread an element.

/*# mvmul55_2_load_1 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MVMUL55_2_BX", count 25, noreg 0
#*/
__device__ inline void d_mvmul55_2_load_1(matrix5x5 m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 25; ++k) s_m[APLS + k * MVMUL55_2_BX] = m[bx * 25 * MVMUL55_2_BX + tx + k * MVMUL55_2_BX];
}

/*# mvmul55_2_load_2 metadata
Data type = vector5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MVMUL55_2_BX", count 5, noreg 0
#*/
__device__ inline void d_mvmul55_2_load_2(vector5 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) s_v[APLS + k * MVMUL55_2_BX] = v[bx * 5 * MVMUL55_2_BX + tx + k * MVMUL55_2_BX];
}

/*# mvmul55_2_save metadata
Data type = vector5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MVMUL55_2_BX", count 5, noreg 0
#*/
__device__ inline void d_mvmul55_2_save(float *s_r, vector5 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) r[bx * 5 * MVMUL55_2_BX + tx + k * MVMUL55_2_BX] = s_r[APLS + k * MVMUL55_2_BX];
}

/*# mvmul55_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*25", block "25", stride "25", count 1, noreg 0
INPATTERN 1 = start "tx*5", block "5", stride "5", count 1, noreg 0
OUTPATTERN = start "tx*5", block "5", stride "5", count 1, noreg 0
#*/
__device__ inline void d_mvmul55_2_compute(float *s_m, float *s_v, float *s_r, int tx) {
    float v[5];
#pragma unroll
    for (int k = 0; k < 5; ++k) v[k] = s_v[APIN1 + k];
#pragma unroll
    for (int y = 0; y < 5; ++y) {
        float sum = s_m[APIN0 + y * 5] * v[0];
#pragma unroll
        for (int k = 1; k < 5; ++k) sum = fmaf(s_m[APIN0 + y * 5 + k], v[k], sum);
        s_r[APOUT + y] = sum;
    }
}
