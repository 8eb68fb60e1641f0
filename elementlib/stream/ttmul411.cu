// ttmul411(T, v): R_ijk = sum over l of T_ijkl v_l, upwards, each step one fmaf.

/*# ttmul411 metadata
Arguments = tensor3x3x3x3, vector3
Result = tensor3x3x3
Flops = 135
#*/
inline void cpu_ttmul411(const float *t, const float *v, float *r) {
    for (int i = 0; i < 27; ++i) r[i] = fmaf(t[i * 3 + 2], v[2], fmaf(t[i * 3 + 1], v[1], t[i * 3] * v[0]));
}

// ttmul411_1: 27 threads an element: a thread a word.

/*# ttmul411_1_load_1 metadata
Data type = tensor3x3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*27+tx", block "1", stride "27*TTMUL411_1_BY", count 3, noreg 0
#*/
__device__ inline void d_ttmul411_1_load_1(tensor3x3x3x3 t, float *s_t, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        s_t[APLS + k * 27 * TTMUL411_1_BY] = t[bx * 81 * TTMUL411_1_BY + ty * 27 + tx + k * 27 * TTMUL411_1_BY];
    }
}

/*# ttmul411_1_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx%3", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul411_1_load_2(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 3 * TTMUL411_1_BY + ty * 3 + tx % 3];
}

/*# ttmul411_1_save metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*27+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul411_1_save(float *s_r, tensor3x3x3 r, int tx, int ty, int bx) {
    r[bx * 27 * TTMUL411_1_BY + ty * 27 + tx] = s_r[APLS];
}

/*# ttmul411_1 metadata
GX = size
GY = 1
GZ = 1
BX = 27
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*81+tx*3", block "3", stride "3", count 1, noreg 0
INPATTERN 1 = start "ty*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "ty*27+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul411_1_compute(float *s_t, float *s_v, float *s_r, int tx, int ty) {
    s_r[APOUT] = fmaf(s_t[APIN0 + 2], s_v[APIN1 + 2], fmaf(s_t[APIN0 + 1], s_v[APIN1 + 1], s_t[APIN0] * s_v[APIN1]));
}

// ttmul411_2: one thread an element.

/*# ttmul411_2_load_1 metadata
Data type = tensor3x3x3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "TTMUL411_2_BX", count 81, noreg 0
#*/
__device__ inline void d_ttmul411_2_load_1(tensor3x3x3x3 t, float *s_t, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 81; ++k) s_t[APLS + k * TTMUL411_2_BX] = t[bx * 81 * TTMUL411_2_BX + tx + k * TTMUL411_2_BX];
}

/*# ttmul411_2_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "TTMUL411_2_BX", count 3, noreg 0
#*/
__device__ inline void d_ttmul411_2_load_2(vector3 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_v[APLS + k * TTMUL411_2_BX] = v[bx * 3 * TTMUL411_2_BX + tx + k * TTMUL411_2_BX];
}

/*# ttmul411_2_save metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "TTMUL411_2_BX", count 27, noreg 0
#*/
__device__ inline void d_ttmul411_2_save(float *s_r, tensor3x3x3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 27; ++k) r[bx * 27 * TTMUL411_2_BX + tx + k * TTMUL411_2_BX] = s_r[APLS + k * TTMUL411_2_BX];
}

/*# ttmul411_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*81", block "81", stride "81", count 1, noreg 0
INPATTERN 1 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx*27", block "27", stride "27", count 1, noreg 0
#*/
__device__ inline void d_ttmul411_2_compute(float *s_t, float *s_v, float *s_r, int tx) {
    const float x = s_v[APIN1], y = s_v[APIN1 + 1], z = s_v[APIN1 + 2];
#pragma unroll
    for (int i = 0; i < 27; ++i)
        s_r[APOUT + i] = fmaf(s_t[APIN0 + i * 3 + 2], z, fmaf(s_t[APIN0 + i * 3 + 1], y, s_t[APIN0 + i * 3] * x));
}

// ttmul411_3: nine threads an element, thread tx makes R_ijk for j = tx / 3, k = tx % 3 and all i.

/*# ttmul411_3_load_1 metadata
Data type = tensor3x3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "9*TTMUL411_3_BY", count 9, noreg 0
#*/
__device__ inline void d_ttmul411_3_load_1(tensor3x3x3x3 t, float *s_t, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        s_t[APLS + k * 9 * TTMUL411_3_BY] = t[bx * 81 * TTMUL411_3_BY + ty * 9 + tx + k * 9 * TTMUL411_3_BY];
    }
}

/*# ttmul411_3_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx%3", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul411_3_load_2(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 3 * TTMUL411_3_BY + ty * 3 + tx % 3];
}

/*# ttmul411_3_save metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "9*TTMUL411_3_BY", count 3, noreg 0
#*/
__device__ inline void d_ttmul411_3_save(float *s_r, tensor3x3x3 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        r[bx * 27 * TTMUL411_3_BY + ty * 9 + tx + k * 9 * TTMUL411_3_BY] = s_r[APLS + k * 9 * TTMUL411_3_BY];
    }
}

/*# ttmul411_3 metadata
GX = size
GY = 1
GZ = 1
BX = 9
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*81+tx*3", block "3", stride "27", count 3, noreg 0
INPATTERN 1 = start "ty*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "ty*27+tx", block "1", stride "9", count 3, noreg 0
#*/
__device__ inline void d_ttmul411_3_compute(float *s_t, float *s_v, float *s_r, int tx, int ty) {
    const float x = s_v[APIN1], y = s_v[APIN1 + 1], z = s_v[APIN1 + 2];
#pragma unroll
    for (int i = 0; i < 3; ++i)
        s_r[APOUT + i * 9] =
            fmaf(s_t[APIN0 + i * 27 + 2], z, fmaf(s_t[APIN0 + i * 27 + 1], y, s_t[APIN0 + i * 27] * x));
}

// ttmul411_4: three threads an element, thread tx makes R_ijk for i = tx and all j, k.

/*# ttmul411_4_load_1 metadata
Data type = tensor3x3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*TTMUL411_4_BY", count 27, noreg 0
#*/
__device__ inline void d_ttmul411_4_load_1(tensor3x3x3x3 t, float *s_t, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 27; ++k) {
        s_t[APLS + k * 3 * TTMUL411_4_BY] = t[bx * 81 * TTMUL411_4_BY + ty * 3 + tx + k * 3 * TTMUL411_4_BY];
    }
}

/*# ttmul411_4_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul411_4_load_2(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 3 * TTMUL411_4_BY + ty * 3 + tx];
}

/*# ttmul411_4_save metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*TTMUL411_4_BY", count 9, noreg 0
#*/
__device__ inline void d_ttmul411_4_save(float *s_r, tensor3x3x3 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        r[bx * 27 * TTMUL411_4_BY + ty * 3 + tx + k * 3 * TTMUL411_4_BY] = s_r[APLS + k * 3 * TTMUL411_4_BY];
    }
}

/*# ttmul411_4 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*81+tx*27", block "27", stride "27", count 1, noreg 0
INPATTERN 1 = start "ty*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "ty*27+tx*9", block "9", stride "9", count 1, noreg 0
#*/
__device__ inline void d_ttmul411_4_compute(float *s_t, float *s_v, float *s_r, int tx, int ty) {
    const float x = s_v[APIN1], y = s_v[APIN1 + 1], z = s_v[APIN1 + 2];
#pragma unroll
    for (int i = 0; i < 9; ++i)
        s_r[APOUT + i] = fmaf(s_t[APIN0 + i * 3 + 2], z, fmaf(s_t[APIN0 + i * 3 + 1], y, s_t[APIN0 + i * 3] * x));
}
