// mmul55(A, B) = A B for 5x5 matrices. A sum over k runs upwards, each step one fmaf, in every implementation and in
// the reference: all give the same bits.

/*# mmul55 metadata
Arguments = matrix5x5, matrix5x5
Result = matrix5x5
Flops = 225
#*/
inline void cpu_mmul55(const float *a, const float *b, float *r) {
    for (int y = 0; y < 5; ++y) {
        for (int x = 0; x < 5; ++x) {
            float sum = a[y * 5] * b[x];
            for (int k = 1; k < 5; ++k) sum = fmaf(a[y * 5 + k], b[k * 5 + x], sum);
            r[y * 5 + x] = sum;
        }
    }
}

// mmul55_1: 5 threads an element, thread tx makes column tx.

/*# mmul55_1_load_1 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "5*MMUL55_1_BY", count 5, noreg 0
#*/
__device__ inline void d_mmul55_1_load_1(matrix5x5 a, float *s_a, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        s_a[APLS + k * 5 * MMUL55_1_BY] = a[bx * 25 * MMUL55_1_BY + ty * 5 + tx + k * 5 * MMUL55_1_BY];
    }
}

/*# mmul55_1_load_2 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "5*MMUL55_1_BY", count 5, noreg 0
#*/
__device__ inline void d_mmul55_1_load_2(matrix5x5 b, float *s_b, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        s_b[APLS + k * 5 * MMUL55_1_BY] = b[bx * 25 * MMUL55_1_BY + ty * 5 + tx + k * 5 * MMUL55_1_BY];
    }
}

/*# mmul55_1_save metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*5+tx", block "1", stride "5*MMUL55_1_BY", count 5, noreg 0
#*/
__device__ inline void d_mmul55_1_save(float *s_r, matrix5x5 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        r[bx * 25 * MMUL55_1_BY + ty * 5 + tx + k * 5 * MMUL55_1_BY] = s_r[APLS + k * 5 * MMUL55_1_BY];
    }
}

/*# mmul55_1 metadata
GX = size
GY = 1
GZ = 1
BX = 5
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*25", block "25", stride "25", count 1, noreg 0
INPATTERN 1 = start "ty*25+tx", block "1", stride "5", count 5, noreg 0
OUTPATTERN = start "ty*25+tx", block "1", stride "5", count 5, noreg 0
#*/
__device__ inline void d_mmul55_1_compute(float *s_a, float *s_b, float *s_r, int tx, int ty) {
    float b[5];
#pragma unroll
    for (int k = 0; k < 5; ++k) b[k] = s_b[APIN1 + k * 5];
#pragma unroll
    for (int y = 0; y < 5; ++y) {
        float sum = s_a[APIN0 + y * 5] * b[0];
#pragma unroll
        for (int k = 1; k < 5; ++k) sum = fmaf(s_a[APIN0 + y * 5 + k], b[k], sum);
        s_r[APOUT + y * 5] = sum;
    }
}

// mmul55_2: one thread an element. An odd number of words an element keeps shared memory free of bank conflicts.

/*# mmul55_2_load_1 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MMUL55_2_BX", count 25, noreg 0
#*/
__device__ inline void d_mmul55_2_load_1(matrix5x5 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 25; ++k) s_a[APLS + k * MMUL55_2_BX] = a[bx * 25 * MMUL55_2_BX + tx + k * MMUL55_2_BX];
}

/*# mmul55_2_load_2 metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MMUL55_2_BX", count 25, noreg 0
#*/
__device__ inline void d_mmul55_2_load_2(matrix5x5 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 25; ++k) s_b[APLS + k * MMUL55_2_BX] = b[bx * 25 * MMUL55_2_BX + tx + k * MMUL55_2_BX];
}

/*# mmul55_2_save metadata
Data type = matrix5x5
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "MMUL55_2_BX", count 25, noreg 0
#*/
__device__ inline void d_mmul55_2_save(float *s_r, matrix5x5 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 25; ++k) r[bx * 25 * MMUL55_2_BX + tx + k * MMUL55_2_BX] = s_r[APLS + k * MMUL55_2_BX];
}

/*# mmul55_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*25", block "25", stride "25", count 1, noreg 0
INPATTERN 1 = start "tx*25", block "25", stride "25", count 1, noreg 0
OUTPATTERN = start "tx*25", block "25", stride "25", count 1, noreg 0
#*/
__device__ inline void d_mmul55_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
    float b[25];
#pragma unroll
    for (int k = 0; k < 25; ++k) b[k] = s_b[APIN1 + k];
#pragma unroll
    for (int y = 0; y < 5; ++y) {
        float a[5];
#pragma unroll
        for (int k = 0; k < 5; ++k) a[k] = s_a[APIN0 + y * 5 + k];
#pragma unroll
        for (int x = 0; x < 5; ++x) {
            float sum = a[0] * b[x];
#pragma unroll
            for (int k = 1; k < 5; ++k) sum = fmaf(a[k], b[k * 5 + x], sum);
            s_r[APOUT + y * 5 + x] = sum;
        }
    }
}
