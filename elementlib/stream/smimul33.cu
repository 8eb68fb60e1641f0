// smimul33(s) = s I, I the 3x3 identity.

#include "words4.cuh"

/*# smimul33 metadata
Arguments = scalar
Result = matrix3x3
Flops = 0
#*/
inline void cpu_smimul33(const float *s, float *r) {
    for (int k = 0; k < 9; ++k) r[k] = k % 4 == 0 ? s[0] : 0.0f;
}

// smimul33_1: a thread a word.

/*# smimul33_1_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = ty, bx
LSPATTERN = start "ty", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smimul33_1_load_1(scalar s, float *s_s, int ty, int bx) {
    s_s[APLS] = s[bx * SMIMUL33_1_BY + ty];
}

/*# smimul33_1_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smimul33_1_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
    r[bx * 9 * SMIMUL33_1_BY + ty * 9 + tx] = s_r[APLS];
}

/*# smimul33_1 metadata
GX = size
GY = 1
GZ = 1
BX = 9
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smimul33_1_compute(float *s_s, float *s_r, int tx, int ty) {
    const float s = s_s[APIN0];
    s_r[APOUT] = tx % 4 == 0 ? s : 0.0f;
}

// smimul33_2: one thread an element.

/*# smimul33_2_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smimul33_2_load_1(scalar s, float *s_s, int tx, int bx) {
    s_s[APLS] = s[bx * SMIMUL33_2_BX + tx];
}

/*# smimul33_2_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "SMIMUL33_2_BX", count 9, noreg 0
#*/
__device__ inline void d_smimul33_2_save(float *s_r, matrix3x3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 9; ++k) r[bx * 9 * SMIMUL33_2_BX + tx + k * SMIMUL33_2_BX] = s_r[APLS + k * SMIMUL33_2_BX];
}

/*# smimul33_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tx*9", block "9", stride "9", count 1, noreg 0
#*/
__device__ inline void d_smimul33_2_compute(float *s_s, float *s_r, int tx) {
    const float s = s_s[APIN0];
#pragma unroll
    for (int k = 0; k < 9; ++k) s_r[APOUT + k] = k % 4 == 0 ? s : 0.0f;
}

// smimul33_3: four neighbouring words a thread, 16 bytes at a time. They belong to one element or to two neighbours, so
// a thread holds two scalars: its first element's and the next one's, or, in the last element of the tile, the one
// before and its own.

/*# smimul33_3_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx/9-4*tx/9/(4*SMIMUL33_3_BX/9-1)", block "2", stride "2", count 1, noreg 0
#*/
__device__ inline void d_smimul33_3_load_1(scalar s, float *s_s, int tx, int bx) {
    const int last = 4 * SMIMUL33_3_BX / 9 - 1;
    const int first = 4 * tx / 9 - 4 * tx / 9 / last;
    s_s[APLS] = s[bx * (last + 1) + first];
    s_s[APLS + 1] = s[bx * (last + 1) + first + 1];
}

/*# smimul33_3_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_smimul33_3_save(float *s_r, matrix3x3 r, int tx, int bx) {
    put_words4(r + 4 * (bx * SMIMUL33_3_BX + tx), s_r + APLS);
}

/*# smimul33_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 144)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "4*tx/9-4*tx/9/(4*SMIMUL33_3_BX/9-1)", block "2", stride "2", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_smimul33_3_compute(float *s_s, float *s_r, int tx) {
    const int first = 4 * tx / 9 - 4 * tx / 9 / (4 * SMIMUL33_3_BX / 9 - 1);
    const float own = s_s[APIN0], next = s_s[APIN0 + 1];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const int word = 4 * tx + k;
        s_r[APOUT + k] = word % 9 % 4 != 0 ? 0.0f : word / 9 == first ? own : next;
    }
}

// smimul33_4: three threads an element, thread tx makes column tx, as mmul33_1 does.

/*# smimul33_4_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = ty, bx
LSPATTERN = start "ty", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_smimul33_4_load_1(scalar s, float *s_s, int ty, int bx) {
    s_s[APLS] = s[bx * SMIMUL33_4_BY + ty];
}

/*# smimul33_4_save metadata
Data type = matrix3x3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*SMIMUL33_4_BY", count 3, noreg 0
#*/
__device__ inline void d_smimul33_4_save(float *s_r, matrix3x3 r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        r[bx * 9 * SMIMUL33_4_BY + ty * 3 + tx + k * 3 * SMIMUL33_4_BY] = s_r[APLS + k * 3 * SMIMUL33_4_BY];
    }
}

/*# smimul33_4 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*9+tx", block "1", stride "3", count 3, noreg 0
#*/
__device__ inline void d_smimul33_4_compute(float *s_s, float *s_r, int tx, int ty) {
    const float s = s_s[APIN0];
#pragma unroll
    for (int y = 0; y < 3; ++y) s_r[APOUT + y * 3] = y == tx ? s : 0.0f;
}
