// mmult33(A, B) = A B^T for 3x3 matrices. A sum over k runs upwards, each step one fmaf.

/*# mmult33 metadata
Arguments = matrix3x3, matrix3x3
Result = matrix3x3
Flops = 45
#*/
inline void cpu_mmult33(const float *a, const float *b, float *r) {
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 3; ++x) {
            float sum = a[y * 3] * b[x * 3];
            for (int k = 1; k < 3; ++k) sum = fmaf(a[y * 3 + k], b[x * 3 + k], sum);
            r[y * 3 + x] = sum;
        }
    }
}

// mmult33_1: three threads an element, thread tx makes column tx.

/*# mmult33_1_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*MMULT33_1_BY", count 3, noreg 0
#*/
__device__ inline void d_mmult33_1_load_1(matrix3x3 a, float *s_a, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        s_a[APLS + k * 3 * MMULT33_1_BY] = a[bx * 9 * MMULT33_1_BY + ty * 3 + tx + k * 3 * MMULT33_1_BY];
    }
}

/*# mmult33_1_load_2 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*MMULT33_1_BY", count 3, noreg 0
#*/
__device__ inline void d_mmult33_1_load_2(matrix3x3 b, float *s_b, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        s_b[APLS + k * 3 * MMULT33_1_BY] = b[bx * 9 * MMULT33_1_BY + ty * 3 + tx + k * 3 * MMULT33_1_BY];
    }
}

/*# mmult33_1_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*MMULT33_1_BY", count 3, noreg 0
#*/
__device__ inline void d_mmult33_1_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        r[bx * 9 * MMULT33_1_BY + ty * 3 + tx + k * 3 * MMULT33_1_BY] = s_r[APLS + k * 3 * MMULT33_1_BY];
    }
}

/*# mmult33_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*9", block "9", stride "9", count 1, noreg 0
INPATTERN 1 = start "ty*9+tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "3", count 3, noreg 0
#*/
__device__ inline void d_mmult33_1_compute(float *s_a, float *s_b, float *s_r, int tx, int ty) {
    float b[3];
#pragma unroll
    for (int k = 0; k < 3; ++k) b[k] = s_b[APIN1 + k];
#pragma unroll
    for (int y = 0; y < 3; ++y) {
        float sum = s_a[APIN0 + y * 3] * b[0];
#pragma unroll
        for (int k = 1; k < 3; ++k) sum = fmaf(s_a[APIN0 + y * 3 + k], b[k], sum);
        s_r[APOUT + y * 3] = sum;
    }
}

// mmult33_2: one thread an element. An odd number of words an element keeps shared memory free of bank conflicts.

/*# mmult33_2_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MMULT33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_mmult33_2_load_1(matrix3x3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_a[APLS + k * MMULT33_2_BX] = a[bx * 9 * MMULT33_2_BX + tx + k * MMULT33_2_BX];
}

/*# mmult33_2_load_2 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MMULT33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_mmult33_2_load_2(matrix3x3 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_b[APLS + k * MMULT33_2_BX] = b[bx * 9 * MMULT33_2_BX + tx + k * MMULT33_2_BX];
}

/*# mmult33_2_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MMULT33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_mmult33_2_save(float *s_r, matrix3x3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) r[bx * 9 * MMULT33_2_BX + tx + k * MMULT33_2_BX] = s_r[APLS + k * MMULT33_2_BX];
}

/*# mmult33_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*9", block "9", stride "9", count 1, noreg 0
INPATTERN 1 = start "tx*9", block "9", stride "9", count 1, noreg 0
OUTPATTERN = start "tx*9", block "9", stride "9", count 1, noreg 0
#*/
__device__ inline void d_mmult33_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
    float b[9];
#pragma unroll
    for (int k = 0; k < 9; ++k) b[k] = s_b[APIN1 + k];
#pragma unroll
    for (int y = 0; y < 3; ++y) {
        float a[3];
#pragma unroll
        for (int k = 0; k < 3; ++k) a[k] = s_a[APIN0 + y * 3 + k];
#pragma unroll
        for (int x = 0; x < 3; ++x) {
            float sum = a[0] * b[x * 3];
#pragma unroll
            for (int k = 1; k < 3; ++k) sum = fmaf(a[k], b[x * 3 + k], sum);
            s_r[APOUT + y * 3 + x] = sum;
        }
    }
}
