// ttmul311(T, v): R_ij = sum over k of T_ijk v_k, upwards, each step one fmaf.

/*# ttmul311 metadata
Arguments = tensor3x3x3, vector3
Result = matrix3x3
Flops = 45
#*/
inline void cpu_ttmul311(const float *t, const float *v, float *r) {
    for (int i = 0; i < 9; ++i) r[i] = fmaf(t[i * 3 + 2], v[2], fmaf(t[i * 3 + 1], v[1], t[i * 3] * v[0]));
}

// ttmul311_1: nine threads an element: a thread a word.

/*# ttmul311_1_load_1 metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "9*TTMUL311_1_BY", count 3, noreg 0
#*/
__device__ inline void d_ttmul311_1_load_1(tensor3x3x3 t, float *s_t, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        s_t[APLS + k * 9 * TTMUL311_1_BY] = t[bx * 27 * TTMUL311_1_BY + ty * 9 + tx + k * 9 * TTMUL311_1_BY];
    }
}

/*# ttmul311_1_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx%3", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul311_1_load_2(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 3 * TTMUL311_1_BY + ty * 3 + tx % 3];
}

/*# ttmul311_1_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul311_1_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
    r[bx * 9 * TTMUL311_1_BY + ty * 9 + tx] = s_r[APLS];
}

/*# ttmul311_1 metadata
GX = size
GY = 1
GZ = 1
BX = 9
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*27+tx*3", block "3", stride "3", count 1, noreg 0
INPATTERN 1 = start "ty*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul311_1_compute(float *s_t, float *s_v, float *s_r, int tx, int ty) {
    s_r[APOUT] = fmaf(s_t[APIN0 + 2], s_v[APIN1 + 2], fmaf(s_t[APIN0 + 1], s_v[APIN1 + 1], s_t[APIN0] * s_v[APIN1]));
}

// ttmul311_2: one thread an element.

/*# ttmul311_2_load_1 metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "TTMUL311_2_BX", count 27, noreg 0
#*/
__device__ inline void d_ttmul311_2_load_1(tensor3x3x3 t, float *s_t, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 27; ++k) s_t[APLS + k * TTMUL311_2_BX] = t[bx * 27 * TTMUL311_2_BX + tx + k * TTMUL311_2_BX];
}

/*# ttmul311_2_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "TTMUL311_2_BX", count 3, noreg 0
#*/
__device__ inline void d_ttmul311_2_load_2(vector3 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_v[APLS + k * TTMUL311_2_BX] = v[bx * 3 * TTMUL311_2_BX + tx + k * TTMUL311_2_BX];
}

/*# ttmul311_2_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "TTMUL311_2_BX", count 9, noreg 0
#*/
__device__ inline void d_ttmul311_2_save(float *s_r, matrix3x3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) r[bx * 9 * TTMUL311_2_BX + tx + k * TTMUL311_2_BX] = s_r[APLS + k * TTMUL311_2_BX];
}

/*# ttmul311_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*27", block "27", stride "27", count 1, noreg 0
INPATTERN 1 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx*9", block "9", stride "9", count 1, noreg 0
#*/
__device__ inline void d_ttmul311_2_compute(float *s_t, float *s_v, float *s_r, int tx) {
    const float x = s_v[APIN1], y = s_v[APIN1 + 1], z = s_v[APIN1 + 2];
#pragma unroll
    for (int i = 0; i < 9; ++i)
        s_r[APOUT + i] = fmaf(s_t[APIN0 + i * 3 + 2], z, fmaf(s_t[APIN0 + i * 3 + 1], y, s_t[APIN0 + i * 3] * x));
}

// ttmul311_3: three threads an element, thread tx makes column tx.

/*# ttmul311_3_load_1 metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*TTMUL311_3_BY", count 9, noreg 0
#*/
__device__ inline void d_ttmul311_3_load_1(tensor3x3x3 t, float *s_t, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        s_t[APLS + k * 3 * TTMUL311_3_BY] = t[bx * 27 * TTMUL311_3_BY + ty * 3 + tx + k * 3 * TTMUL311_3_BY];
    }
}

/*# ttmul311_3_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul311_3_load_2(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 3 * TTMUL311_3_BY + ty * 3 + tx];
}

/*# ttmul311_3_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*TTMUL311_3_BY", count 3, noreg 0
#*/
__device__ inline void d_ttmul311_3_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        r[bx * 9 * TTMUL311_3_BY + ty * 3 + tx + k * 3 * TTMUL311_3_BY] = s_r[APLS + k * 3 * TTMUL311_3_BY];
    }
}

/*# ttmul311_3 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*27+tx*3", block "3", stride "9", count 3, noreg 0
INPATTERN 1 = start "ty*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "3", count 3, noreg 0
#*/
__device__ inline void d_ttmul311_3_compute(float *s_t, float *s_v, float *s_r, int tx, int ty) {
    const float x = s_v[APIN1], y = s_v[APIN1 + 1], z = s_v[APIN1 + 2];
#pragma unroll
    for (int i = 0; i < 3; ++i)
        s_r[APOUT + i * 3] = fmaf(s_t[APIN0 + i * 9 + 2], z, fmaf(s_t[APIN0 + i * 9 + 1], y, s_t[APIN0 + i * 9] * x));
}
