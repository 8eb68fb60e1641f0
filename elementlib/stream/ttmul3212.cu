// ttmul3212(T, M): R_ijk = sum over l of T_ilk M_lj, upwards, each step one fmaf.

/*# ttmul3212 metadata
Arguments = tensor3x3x3, matrix3x3
Result = tensor3x3x3
Flops = 135
#*/
inline void cpu_ttmul3212(const float *t, const float *m, float *r) {
    for (int n = 0; n < 27; ++n) {
        const int i = n / 9, j = n / 3 % 3, k = n % 3;
        const float first = t[i * 9 + k] * m[j];
        r[n] = fmaf(t[i * 9 + 6 + k], m[6 + j], fmaf(t[i * 9 + 3 + k], m[3 + j], first));
    }
}

// ttmul3212_1: 27 threads an element: a thread a word.

/*# ttmul3212_1_load_1 metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*27+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul3212_1_load_1(tensor3x3x3 t, float *s_t, int tx, int ty, int bx) {
    s_t[APLS] = t[bx * 27 * TTMUL3212_1_BY + ty * 27 + tx];
}

/*# ttmul3212_1_load_2 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx%9", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul3212_1_load_2(matrix3x3 m, float *s_m, int tx, int ty, int bx) {
    s_m[APLS] = m[bx * 9 * TTMUL3212_1_BY + ty * 9 + tx % 9];
}

/*# ttmul3212_1_save metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*27+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul3212_1_save(float *s_r, tensor3x3x3 r, int tx, int ty, int bx) {
    r[bx * 27 * TTMUL3212_1_BY + ty * 27 + tx] = s_r[APLS];
}

/*# ttmul3212_1 metadata
GX = size
GY = 1
GZ = 1
BX = 27
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*27+tx/9*9+tx%3", block "1", stride "3", count 3, noreg 0
INPATTERN 1 = start "ty*9+tx/3%3", block "1", stride "3", count 3, noreg 0
OUTPATTERN = start "ty*27+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul3212_1_compute(float *s_t, float *s_m, float *s_r, int tx, int ty) {
    s_r[APOUT] = fmaf(s_t[APIN0 + 6], s_m[APIN1 + 6], fmaf(s_t[APIN0 + 3], s_m[APIN1 + 3], s_t[APIN0] * s_m[APIN1]));
}

// ttmul3212_2: one thread an element.

/*# ttmul3212_2_load_1 metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "TTMUL3212_2_BX", count 27, noreg 0
#*/
__device__ inline void d_ttmul3212_2_load_1(tensor3x3x3 t, float *s_t, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 27; ++k) s_t[APLS + k * TTMUL3212_2_BX] = t[bx * 27 * TTMUL3212_2_BX + tx + k * TTMUL3212_2_BX];
}

/*# ttmul3212_2_load_2 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "TTMUL3212_2_BX", count 9, noreg 0
#*/
__device__ inline void d_ttmul3212_2_load_2(matrix3x3 m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_m[APLS + k * TTMUL3212_2_BX] = m[bx * 9 * TTMUL3212_2_BX + tx + k * TTMUL3212_2_BX];
}

/*# ttmul3212_2_save metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "TTMUL3212_2_BX", count 27, noreg 0
#*/
__device__ inline void d_ttmul3212_2_save(float *s_r, tensor3x3x3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 27; ++k) r[bx * 27 * TTMUL3212_2_BX + tx + k * TTMUL3212_2_BX] = s_r[APLS + k * TTMUL3212_2_BX];
}

/*# ttmul3212_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*27", block "27", stride "27", count 1, noreg 0
INPATTERN 1 = start "tx*9", block "9", stride "9", count 1, noreg 0
OUTPATTERN = start "tx*27", block "27", stride "27", count 1, noreg 0
#*/
__device__ inline void d_ttmul3212_2_compute(float *s_t, float *s_m, float *s_r, int tx) {
    float m[9];
#pragma unroll
    for (int l = 0; l < 9; ++l) m[l] = s_m[APIN1 + l];
#pragma unroll
    for (int n = 0; n < 27; ++n) {
        const int t = n / 9 * 9 + n % 3, j = n / 3 % 3;
        const float first = s_t[APIN0 + t] * m[j];
        s_r[APOUT + n] = fmaf(s_t[APIN0 + t + 6], m[j + 6], fmaf(s_t[APIN0 + t + 3], m[j + 3], first));
    }
}

// ttmul3212_3: nine threads an element, thread tx makes R_ijk for j = tx / 3, k = tx % 3 and all i.

/*# ttmul3212_3_load_1 metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "9*TTMUL3212_3_BY", count 3, noreg 0
#*/
__device__ inline void d_ttmul3212_3_load_1(tensor3x3x3 t, float *s_t, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        s_t[APLS + k * 9 * TTMUL3212_3_BY] = t[bx * 27 * TTMUL3212_3_BY + ty * 9 + tx + k * 9 * TTMUL3212_3_BY];
    }
}

/*# ttmul3212_3_load_2 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ttmul3212_3_load_2(matrix3x3 m, float *s_m, int tx, int ty, int bx) {
    s_m[APLS] = m[bx * 9 * TTMUL3212_3_BY + ty * 9 + tx];
}

/*# ttmul3212_3_save metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "9*TTMUL3212_3_BY", count 3, noreg 0
#*/
__device__ inline void d_ttmul3212_3_save(float *s_r, tensor3x3x3 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        r[bx * 27 * TTMUL3212_3_BY + ty * 9 + tx + k * 9 * TTMUL3212_3_BY] = s_r[APLS + k * 9 * TTMUL3212_3_BY];
    }
}

/*# ttmul3212_3 metadata
GX = size
GY = 1
GZ = 1
BX = 9
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*27+tx%3", block "1", stride "3", count 9, noreg 0
INPATTERN 1 = start "ty*9+tx/3", block "1", stride "3", count 3, noreg 0
OUTPATTERN = start "ty*27+tx", block "1", stride "9", count 3, noreg 0
#*/
__device__ inline void d_ttmul3212_3_compute(float *s_t, float *s_m, float *s_r, int tx, int ty) {
    const float x = s_m[APIN1], y = s_m[APIN1 + 3], z = s_m[APIN1 + 6];
#pragma unroll
    for (int i = 0; i < 3; ++i)
        s_r[APOUT + i * 9] = fmaf(s_t[APIN0 + i * 9 + 6], z, fmaf(s_t[APIN0 + i * 9 + 3], y, s_t[APIN0 + i * 9] * x));
}

// ttmul3212_4: three threads an element, thread tx makes R_ijk for i = tx and all j, k.

/*# ttmul3212_4_load_1 metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*TTMUL3212_4_BY", count 9, noreg 0
#*/
__device__ inline void d_ttmul3212_4_load_1(tensor3x3x3 t, float *s_t, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        s_t[APLS + k * 3 * TTMUL3212_4_BY] = t[bx * 27 * TTMUL3212_4_BY + ty * 3 + tx + k * 3 * TTMUL3212_4_BY];
    }
}

/*# ttmul3212_4_load_2 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*TTMUL3212_4_BY", count 3, noreg 0
#*/
__device__ inline void d_ttmul3212_4_load_2(matrix3x3 m, float *s_m, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        s_m[APLS + k * 3 * TTMUL3212_4_BY] = m[bx * 9 * TTMUL3212_4_BY + ty * 3 + tx + k * 3 * TTMUL3212_4_BY];
    }
}

/*# ttmul3212_4_save metadata
Data type = tensor3x3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*TTMUL3212_4_BY", count 9, noreg 0
#*/
__device__ inline void d_ttmul3212_4_save(float *s_r, tensor3x3x3 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        r[bx * 27 * TTMUL3212_4_BY + ty * 3 + tx + k * 3 * TTMUL3212_4_BY] = s_r[APLS + k * 3 * TTMUL3212_4_BY];
    }
}

/*# ttmul3212_4 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*27+tx*9", block "9", stride "9", count 1, noreg 0
INPATTERN 1 = start "ty*9", block "9", stride "9", count 1, noreg 0
OUTPATTERN = start "ty*27+tx*9", block "9", stride "9", count 1, noreg 0
#*/
__device__ inline void d_ttmul3212_4_compute(float *s_t, float *s_m, float *s_r, int tx, int ty) {
#pragma unroll
    for (int n = 0; n < 9; ++n) {
        const int j = n / 3, k = n % 3;
        const float first = s_t[APIN0 + k] * s_m[APIN1 + j];
        s_r[APOUT + n] =
            fmaf(s_t[APIN0 + 6 + k], s_m[APIN1 + 6 + j], fmaf(s_t[APIN0 + 3 + k], s_m[APIN1 + 3 + j], first));
    }
}
