// vouter3(a, b): R_ij = a_i b_j.

/*# vouter3 metadata
Arguments = vector3, vector3
Result = matrix3x3
Flops = 9
#*/
inline void cpu_vouter3(const float *a, const float *b, float *r) {
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 3; ++x) r[y * 3 + x] = a[y] * b[x];
    }
}

// vouter3_1: a thread a word.

/*# vouter3_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx%3", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vouter3_1_load_1(vector3 a, float *s_a, int tx, int ty, int bx) {
    s_a[APLS] = a[bx * 3 * VOUTER3_1_BY + ty * 3 + tx % 3];
}

/*# vouter3_1_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx%3", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vouter3_1_load_2(vector3 b, float *s_b, int tx, int ty, int bx) {
    s_b[APLS] = b[bx * 3 * VOUTER3_1_BY + ty * 3 + tx % 3];
}

/*# vouter3_1_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vouter3_1_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
    r[bx * 9 * VOUTER3_1_BY + ty * 9 + tx] = s_r[APLS];
}

/*# vouter3_1 metadata
GX = size
GY = 1
GZ = 1
BX = 9
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*3+tx/3", block "1", stride "1", count 1, noreg 0
INPATTERN 1 = start "ty*3+tx%3", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vouter3_1_compute(float *s_a, float *s_b, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_a[APIN0] * s_b[APIN1];
}

// vouter3_2: one thread an element.

/*# vouter3_2_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VOUTER3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_vouter3_2_load_1(vector3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_a[APLS + k * VOUTER3_2_BX] = a[bx * 3 * VOUTER3_2_BX + tx + k * VOUTER3_2_BX];
}

/*# vouter3_2_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VOUTER3_2_BX", count 3, noreg 0
#*/
__device__ inline void d_vouter3_2_load_2(vector3 b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_b[APLS + k * VOUTER3_2_BX] = b[bx * 3 * VOUTER3_2_BX + tx + k * VOUTER3_2_BX];
}

/*# vouter3_2_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VOUTER3_2_BX", count 9, noreg 0
#*/
__device__ inline void d_vouter3_2_save(float *s_r, matrix3x3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) r[bx * 9 * VOUTER3_2_BX + tx + k * VOUTER3_2_BX] = s_r[APLS + k * VOUTER3_2_BX];
}

/*# vouter3_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*3", block "3", stride "3", count 1, noreg 0
INPATTERN 1 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx*9", block "9", stride "9", count 1, noreg 0
#*/
__device__ inline void d_vouter3_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) s_r[APOUT + k] = s_a[APIN0 + k / 3] * s_b[APIN1 + k % 3];
}

// vouter3_3: three threads an element, thread tx makes column tx.

/*# vouter3_3_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vouter3_3_load_1(vector3 a, float *s_a, int tx, int ty, int bx) {
    s_a[APLS] = a[bx * 3 * VOUTER3_3_BY + ty * 3 + tx];
}

/*# vouter3_3_load_2 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vouter3_3_load_2(vector3 b, float *s_b, int tx, int ty, int bx) {
    s_b[APLS] = b[bx * 3 * VOUTER3_3_BY + ty * 3 + tx];
}

/*# vouter3_3_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*VOUTER3_3_BY", count 3, noreg 0
#*/
__device__ inline void d_vouter3_3_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        r[bx * 9 * VOUTER3_3_BY + ty * 3 + tx + k * 3 * VOUTER3_3_BY] = s_r[APLS + k * 3 * VOUTER3_3_BY];
    }
}

/*# vouter3_3 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*3", block "3", stride "3", count 1, noreg 0
INPATTERN 1 = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "3", count 3, noreg 0
#*/
__device__ inline void d_vouter3_3_compute(float *s_a, float *s_b, float *s_r, int tx, int ty) {
    const float b = s_b[APIN1];
#pragma unroll
    for (int y = 0; y < 3; ++y) s_r[APOUT + y * 3] = s_a[APIN0 + y] * b;
}
