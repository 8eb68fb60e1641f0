// 4x4 matrices: 16 words an element, which lie in the same banks of shared memory from thread to thread.

/*# matrix4x4 metadata
Shape = 4, 4
#*/
typedef float *matrix4x4;

/*# mmul44 metadata
Arguments = matrix4x4, matrix4x4
Result = matrix4x4
Flops = 112
#*/
inline void cpu_mmul44(const float *a, const float *b, float *r) {
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) {
            float sum = a[4 * y] * b[x];
            for (int k = 1; k < 4; ++k) sum = fmaf(a[4 * y + k], b[4 * k + x], sum);
            r[4 * y + x] = sum;
        }
    }
}

// mmul44_1: four threads an element, thread tx makes column tx.

/*# mmul44_1_load_1 metadata
Data type = matrix4x4
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*16+tx", block "1", stride "4", count 4, noreg 0
#*/
__device__ inline void d_mmul44_1_load_1(matrix4x4 a, float *s_a, int tx, int ty, int bx) {
#pragma unroll
    for (int y = 0; y < 4; ++y) s_a[APLS + y * 4] = a[(bx * MMUL44_1_BY + ty) * 16 + tx + y * 4];
}

/*# mmul44_1_load_2 metadata
Data type = matrix4x4
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*16+tx", block "1", stride "4", count 4, noreg 0
#*/
__device__ inline void d_mmul44_1_load_2(matrix4x4 b, float *s_b, int tx, int ty, int bx) {
#pragma unroll
    for (int y = 0; y < 4; ++y) s_b[APLS + y * 4] = b[(bx * MMUL44_1_BY + ty) * 16 + tx + y * 4];
}

/*# mmul44_1_save metadata
Data type = matrix4x4
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*16+tx", block "1", stride "4", count 4, noreg 0
#*/
__device__ inline void d_mmul44_1_save(float *s_r, matrix4x4 r, int tx, int ty, int bx) {
#pragma unroll
    for (int y = 0; y < 4; ++y) r[(bx * MMUL44_1_BY + ty) * 16 + tx + y * 4] = s_r[APLS + y * 4];
}

/*# mmul44_1 metadata
GX = size
GY = 1
GZ = 1
BX = 4
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*16", block "16", stride "16", count 1, noreg 1
INPATTERN 1 = start "ty*16+tx", block "1", stride "4", count 4, noreg 0
OUTPATTERN = start "ty*16+tx", block "1", stride "4", count 4, noreg 0
#*/
__device__ inline void d_mmul44_1_compute(float *s_a, float *s_b, float *s_r, int tx, int ty) {
#pragma unroll
    for (int y = 0; y < 4; ++y) {
        float sum = s_a[APIN0 + 4 * y] * s_b[APIN1];
#pragma unroll
        for (int k = 1; k < 4; ++k) sum = fmaf(s_a[APIN0 + 4 * y + k], s_b[APIN1 + 4 * k], sum);
        s_r[APOUT + 4 * y] = sum;
    }
}

// mmul44_2: a thread an element.

/*# mmul44_2_load_1 metadata
Data type = matrix4x4
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*16", block "16", stride "16", count 1, noreg 0
#*/
__device__ inline void d_mmul44_2_load_1(matrix4x4 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 16; ++k) s_a[APLS + k] = a[(bx * MMUL44_2_BX + tx) * 16 + k];
}

/*# mmul44_2_load_2 metadata
Data type = matrix4x4
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*16", block "16", stride "16", count 1, noreg 0
#*/
__device__ inline void d_mmul44_2_load_2(matrix4x4 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 16; ++k) s_b[APLS + k] = b[(bx * MMUL44_2_BX + tx) * 16 + k];
}

/*# mmul44_2_save metadata
Data type = matrix4x4
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*16", block "16", stride "16", count 1, noreg 0
#*/
__device__ inline void d_mmul44_2_save(float *s_r, matrix4x4 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 16; ++k) r[(bx * MMUL44_2_BX + tx) * 16 + k] = s_r[APLS + k];
}

/*# mmul44_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 64)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*16", block "16", stride "16", count 1, noreg 0
INPATTERN 1 = start "tx*16", block "16", stride "16", count 1, noreg 0
OUTPATTERN = start "tx*16", block "16", stride "16", count 1, noreg 0
#*/
__device__ inline void d_mmul44_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int y = 0; y < 4; ++y) {
#pragma unroll
        for (int x = 0; x < 4; ++x) {
            float sum = s_a[APIN0 + 4 * y] * s_b[APIN1 + x];
#pragma unroll
            for (int k = 1; k < 4; ++k) sum = fmaf(s_a[APIN0 + 4 * y + k], s_b[APIN1 + 4 * k + x], sum);
            s_r[APOUT + 4 * y + x] = sum;
        }
    }
}
