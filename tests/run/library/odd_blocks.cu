// Blocks that serve other numbers of elements than the search tries for all: fixed by their author, or such that no block
// serves 32, 64, 96, 128, 192 or 256 elements.

/*# matrix16x16 metadata
Shape = 16, 16
#*/
typedef float *matrix16x16;

// One thread, one element.

/*# salone metadata
Arguments = scalar
Result = scalar
#*/
inline void cpu_salone(const float *a, float *r) {
    *r = *a + 1;
}

/*# salone_1_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_salone_1_load_1(scalar a, float *s_a, int tx, int bx) {
    s_a[APLS] = a[bx * SALONE_1_BX + tx];
}

/*# salone_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_salone_1_save(float *s_r, scalar r, int tx, int bx) {
    r[bx * SALONE_1_BX + tx] = s_r[APLS];
}

/*# salone_1 metadata
GX = size
GY = 1
GZ = 1
BX = 1
BY = 1
BZ = 1
BATCH = 1
INPATTERN 0 = start "tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_salone_1_compute(float *s_a, float *s_r, int tx) {
    s_r[APOUT] = s_a[APIN0] + 1;
}

// Seven elements.

/*# sseven metadata
Arguments = scalar
Result = scalar
#*/
inline void cpu_sseven(const float *a, float *r) {
    *r = *a - 7;
}

/*# sseven_1_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_sseven_1_load_1(scalar a, float *s_a, int tx, int bx) {
    s_a[APLS] = a[bx * SSEVEN_1_BX + tx];
}

/*# sseven_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_sseven_1_save(float *s_r, scalar r, int tx, int bx) {
    r[bx * SSEVEN_1_BX + tx] = s_r[APLS];
}

/*# sseven_1 metadata
GX = size
GY = 1
GZ = 1
BX = 7
BY = 1
BZ = 1
BATCH = 1
INPATTERN 0 = start "tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_sseven_1_compute(float *s_a, float *s_r, int tx) {
    s_r[APOUT] = s_a[APIN0] - 7;
}

// 384 elements, or 10: two fixed blocks of one function.

/*# smany metadata
Arguments = scalar
Result = scalar
#*/
inline void cpu_smany(const float *a, float *r) {
    *r = 3 * *a;
}

/*# smany_1_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smany_1_load_1(scalar a, float *s_a, int tx, int bx) {
    s_a[APLS] = a[bx * SMANY_1_BX + tx];
}

/*# smany_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smany_1_save(float *s_r, scalar r, int tx, int bx) {
    r[bx * SMANY_1_BX + tx] = s_r[APLS];
}

/*# smany_1 metadata
GX = size
GY = 1
GZ = 1
BX = 384
BY = 1
BZ = 1
BATCH = 1
INPATTERN 0 = start "tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smany_1_compute(float *s_a, float *s_r, int tx) {
    s_r[APOUT] = 3 * s_a[APIN0];
}

/*# smany_2_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smany_2_load_1(scalar a, float *s_a, int tx, int bx) {
    s_a[APLS] = a[bx * SMANY_2_BX + tx];
}

/*# smany_2_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smany_2_save(float *s_r, scalar r, int tx, int bx) {
    r[bx * SMANY_2_BX + tx] = s_r[APLS];
}

/*# smany_2 metadata
GX = size
GY = 1
GZ = 1
BX = 10
BY = 1
BZ = 1
BATCH = 1
INPATTERN 0 = start "tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smany_2_compute(float *s_a, float *s_r, int tx) {
    s_r[APOUT] = 3 * s_a[APIN0];
}

// 512 elements of three words.

/*# vmany metadata
Arguments = vector3
Result = vector3
#*/
inline void cpu_vmany(const float *a, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = 0.5f * a[k];
}

/*# vmany_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_vmany_1_load_1(vector3 a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_a[APLS + k] = a[(bx * VMANY_1_BX + tx) * 3 + k];
}

/*# vmany_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_vmany_1_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) r[(bx * VMANY_1_BX + tx) * 3 + k] = s_r[APLS + k];
}

/*# vmany_1 metadata
GX = size
GY = 1
GZ = 1
BX = 512
BY = 1
BZ = 1
BATCH = 1
INPATTERN 0 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_vmany_1_compute(float *s_a, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_r[APOUT + k] = 0.5f * s_a[APIN0 + k];
}

// Five elements a thread: none of the usual numbers is a multiple of five.

/*# sfive metadata
Arguments = scalar
Result = scalar
#*/
inline void cpu_sfive(const float *a, float *r) {
    *r = *a * *a;
}

/*# sfive_1_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*5", block "5", stride "5", count 1, noreg 0
#*/
__device__ inline void d_sfive_1_load_1(scalar a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) s_a[APLS + k] = a[(bx * SFIVE_1_BX + tx) * 5 + k];
}

/*# sfive_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*5", block "5", stride "5", count 1, noreg 0
#*/
__device__ inline void d_sfive_1_save(float *s_r, scalar r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) r[(bx * SFIVE_1_BX + tx) * 5 + k] = s_r[APLS + k];
}

/*# sfive_1 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 16)
BY = 1
BZ = 1
BATCH = 1
INPATTERN 0 = start "tx*5", block "5", stride "5", count 1, noreg 0
OUTPATTERN = start "tx*5", block "5", stride "5", count 1, noreg 0
#*/
__device__ inline void d_sfive_1_compute(float *s_a, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 5; ++k) s_r[APOUT + k] = s_a[APIN0 + k] * s_a[APIN0 + k];
}

// Ten elements, three threads each.

/*# vten metadata
Arguments = vector3
Result = vector3
#*/
inline void cpu_vten(const float *a, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = a[k] + 10;
}

/*# vten_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vten_1_load_1(vector3 a, float *s_a, int tx, int ty, int bx) {
    s_a[APLS] = a[(bx * VTEN_1_BY + ty) * 3 + tx];
}

/*# vten_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vten_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[(bx * VTEN_1_BY + ty) * 3 + tx] = s_r[APLS];
}

/*# vten_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = 10
BZ = 1
BATCH = 1
INPATTERN 0 = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vten_1_compute(float *s_a, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_a[APIN0] + 10;
}

// An element needs 256 threads: a block serves at most four.

/*# transpose16 metadata
Arguments = matrix16x16
Result = matrix16x16
#*/
inline void cpu_transpose16(const float *a, float *r) {
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x) r[16 * y + x] = a[16 * x + y];
    }
}

/*# transpose16_1_load_1 metadata
Data type = matrix16x16
Data location = shared
Other parameters = tx, ty, tz, bx
LSPATTERN = start "tz*256+ty*16+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_transpose16_1_load_1(matrix16x16 a, float *s_a, int tx, int ty, int tz, int bx) {
    s_a[APLS] = a[(bx * TRANSPOSE16_1_BZ + tz) * 256 + ty * 16 + tx];
}

/*# transpose16_1_save metadata
Data type = matrix16x16
Data location = shared
Other parameters = tx, ty, tz, bx
LSPATTERN = start "tz*256+ty*16+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_transpose16_1_save(float *s_r, matrix16x16 r, int tx, int ty, int tz, int bx) {
    r[(bx * TRANSPOSE16_1_BZ + tz) * 256 + ty * 16 + tx] = s_r[APLS];
}

/*# transpose16_1 metadata
GX = size
GY = 1
GZ = 1
BX = 16
BY = 16
BZ = size
BATCH = 1
INPATTERN 0 = start "tz*256+tx*16+ty", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tz*256+ty*16+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_transpose16_1_compute(float *s_a, float *s_r, int tx, int ty, int tz) {
    s_r[APOUT] = s_a[APIN0];
}
