// inverse33(M) = M^-1 by cofactors: column i is row j x row k for (i, j, k) in cyclic order, times one
// reciprocal of the determinant; infinite or no number where M is singular.

/*# inverse33 metadata
Arguments = matrix3x3
Result = matrix3x3
Flops = 42
#*/
inline void cpu_inverse33(const float *m, float *r) {
    float cofactor[9];
    for (int y = 0; y < 3; ++y) {
        const float *p = m + (y + 1) % 3 * 3, *q = m + (y + 2) % 3 * 3;
        for (int x = 0; x < 3; ++x) {
            const int i = (x + 1) % 3, j = (x + 2) % 3;
            cofactor[y * 3 + x] = fmaf(p[i], q[j], -(p[j] * q[i]));
        }
    }
    const float scale = 1.0f / fmaf(m[2], cofactor[2], fmaf(m[1], cofactor[1], m[0] * cofactor[0]));
    for (int k = 0; k < 9; ++k) r[k] = cofactor[k % 3 * 3 + k / 3] * scale;
}

// inverse33_1: three threads an element, thread tx makes column tx from the two rows that it picks by its number:
// registers do not allow that.

/*# inverse33_1_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*INVERSE33_1_BY", count 3, noreg 0
#*/
__device__ inline void d_inverse33_1_load_1(matrix3x3 m, float *s_m, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        s_m[APLS + k * 3 * INVERSE33_1_BY] = m[bx * 9 * INVERSE33_1_BY + ty * 3 + tx + k * 3 * INVERSE33_1_BY];
    }
}

/*# inverse33_1_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*INVERSE33_1_BY", count 3, noreg 0
#*/
__device__ inline void d_inverse33_1_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        r[bx * 9 * INVERSE33_1_BY + ty * 3 + tx + k * 3 * INVERSE33_1_BY] = s_r[APLS + k * 3 * INVERSE33_1_BY];
    }
}

/*# inverse33_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*9", block "9", stride "9", count 1, noreg 1
OUTPATTERN = start "ty*9+tx", block "1", stride "3", count 3, noreg 0
#*/
__device__ inline void d_inverse33_1_compute(float *s_m, float *s_r, int tx, int ty) {
    const float x = fmaf(s_m[APIN0 + 4], s_m[APIN0 + 8], -(s_m[APIN0 + 5] * s_m[APIN0 + 7]));
    const float y = fmaf(s_m[APIN0 + 5], s_m[APIN0 + 6], -(s_m[APIN0 + 3] * s_m[APIN0 + 8]));
    const float z = fmaf(s_m[APIN0 + 3], s_m[APIN0 + 7], -(s_m[APIN0 + 4] * s_m[APIN0 + 6]));
    const float scale = 1.0f / fmaf(s_m[APIN0 + 2], z, fmaf(s_m[APIN0 + 1], y, s_m[APIN0] * x));
    const int p = tx < 2 ? tx * 3 + 3 : 0, q = tx > 0 ? tx * 3 - 3 : 6;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        s_r[APOUT + k * 3] =
            fmaf(s_m[APIN0 + p + i], s_m[APIN0 + q + j], -(s_m[APIN0 + p + j] * s_m[APIN0 + q + i])) * scale;
    }
}

// inverse33_2: one thread an element.

/*# inverse33_2_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "INVERSE33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_inverse33_2_load_1(matrix3x3 m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_m[APLS + k * INVERSE33_2_BX] = m[bx * 9 * INVERSE33_2_BX + tx + k * INVERSE33_2_BX];
}

/*# inverse33_2_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "INVERSE33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_inverse33_2_save(float *s_r, matrix3x3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) r[bx * 9 * INVERSE33_2_BX + tx + k * INVERSE33_2_BX] = s_r[APLS + k * INVERSE33_2_BX];
}

/*# inverse33_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*9", block "9", stride "9", count 1, noreg 0
OUTPATTERN = start "tx*9", block "9", stride "9", count 1, noreg 0
#*/
__device__ inline void d_inverse33_2_compute(float *s_m, float *s_r, int tx) {
    float m[9], cofactor[9];
#pragma unroll
    for (int k = 0; k < 9; ++k) m[k] = s_m[APIN0 + k];
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        const int p = (k / 3 + 1) % 3 * 3, q = (k / 3 + 2) % 3 * 3, i = (k + 1) % 3, j = (k + 2) % 3;
        cofactor[k] = fmaf(m[p + i], m[q + j], -(m[p + j] * m[q + i]));
    }
    const float scale = 1.0f / fmaf(m[2], cofactor[2], fmaf(m[1], cofactor[1], m[0] * cofactor[0]));
#pragma unroll
    for (int k = 0; k < 9; ++k) s_r[APOUT + k] = cofactor[k % 3 * 3 + k / 3] * scale;
}
