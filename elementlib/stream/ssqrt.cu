// ssqrt(a) = the square root of a, correctly rounded.

#include "words4.cuh"

/*# ssqrt metadata
Arguments = scalar
Result = scalar
Flops = 1
#*/
inline void cpu_ssqrt(const float *a, float *r) { r[0] = sqrtf(a[0]); }

// ssqrt_1: one thread an element.

/*# ssqrt_1_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ssqrt_1_load_1(scalar a, float *s_a, int tx, int bx) { s_a[APLS] = a[bx * SSQRT_1_BX + tx]; }

/*# ssqrt_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ssqrt_1_save(float *s_r, scalar r, int tx, int bx) { r[bx * SSQRT_1_BX + tx] = s_r[APLS]; }

/*# ssqrt_1 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_ssqrt_1_compute(float *s_a, float *s_r, int tx) { s_r[APOUT] = sqrtf(s_a[APIN0]); }

// ssqrt_2: four elements a thread, 16 bytes at a time.

/*# ssqrt_2_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_ssqrt_2_load_1(scalar a, float *s_a, int tx, int bx) {
    take_words4(s_a + APLS, a + 4 * (bx * SSQRT_2_BX + tx));
}

/*# ssqrt_2_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_ssqrt_2_save(float *s_r, scalar r, int tx, int bx) {
    put_words4(r + 4 * (bx * SSQRT_2_BX + tx), s_r + APLS);
}

/*# ssqrt_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "4*tx", block "4", stride "4", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_ssqrt_2_compute(float *s_a, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = sqrtf(s_a[APIN0 + k]);
}
