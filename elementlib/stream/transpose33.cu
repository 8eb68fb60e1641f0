// transpose33(M): R_ij = M_ji.

/*# transpose33 metadata
Arguments = matrix3x3
Result = matrix3x3
Flops = 0
#*/
inline void cpu_transpose33(const float *m, float *r) {
    for (int k = 0; k < 9; ++k) r[k] = m[k % 3 * 3 + k / 3];
}

// transpose33_1: a thread a word.

/*# transpose33_1_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_transpose33_1_load_1(matrix3x3 m, float *s_m, int tx, int ty, int bx) {
    s_m[APLS] = m[bx * 9 * TRANSPOSE33_1_BY + ty * 9 + tx];
}

/*# transpose33_1_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_transpose33_1_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
    r[bx * 9 * TRANSPOSE33_1_BY + ty * 9 + tx] = s_r[APLS];
}

/*# transpose33_1 metadata
GX = size
GY = 1
GZ = 1
BX = 9
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*9+tx%3*3+tx/3", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_transpose33_1_compute(float *s_m, float *s_r, int tx, int ty) { s_r[APOUT] = s_m[APIN0]; }

// transpose33_2: one thread an element.

/*# transpose33_2_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "TRANSPOSE33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_transpose33_2_load_1(matrix3x3 m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        s_m[APLS + k * TRANSPOSE33_2_BX] = m[bx * 9 * TRANSPOSE33_2_BX + tx + k * TRANSPOSE33_2_BX];
    }
}

/*# transpose33_2_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "TRANSPOSE33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_transpose33_2_save(float *s_r, matrix3x3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        r[bx * 9 * TRANSPOSE33_2_BX + tx + k * TRANSPOSE33_2_BX] = s_r[APLS + k * TRANSPOSE33_2_BX];
    }
}

/*# transpose33_2 metadata
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
__device__ inline void d_transpose33_2_compute(float *s_m, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_r[APOUT + k] = s_m[APIN0 + k % 3 * 3 + k / 3];
}

// transpose33_3: three threads an element, thread tx makes column tx of row tx.

/*# transpose33_3_load_1 metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*TRANSPOSE33_3_BY", count 3, noreg 0
#*/
__device__ inline void d_transpose33_3_load_1(matrix3x3 m, float *s_m, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        s_m[APLS + k * 3 * TRANSPOSE33_3_BY] = m[bx * 9 * TRANSPOSE33_3_BY + ty * 3 + tx + k * 3 * TRANSPOSE33_3_BY];
    }
}

/*# transpose33_3_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*TRANSPOSE33_3_BY", count 3, noreg 0
#*/
__device__ inline void d_transpose33_3_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        r[bx * 9 * TRANSPOSE33_3_BY + ty * 3 + tx + k * 3 * TRANSPOSE33_3_BY] = s_r[APLS + k * 3 * TRANSPOSE33_3_BY];
    }
}

/*# transpose33_3 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*9+tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "3", count 3, noreg 0
#*/
__device__ inline void d_transpose33_3_compute(float *s_m, float *s_r, int tx, int ty) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_r[APOUT + k * 3] = s_m[APIN0 + k];
}
