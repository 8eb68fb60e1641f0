// sexp(a) = e^a. A GPU rounds it otherwise than a CPU.

#include "words4.cuh"

/*# sexp metadata
Arguments = scalar
Result = scalar
Flops = 8
Accuracy = 1e-6
#*/
inline void cpu_sexp(const float *a, float *r) { r[0] = expf(a[0]); }

// sexp_1: one thread an element.

/*# sexp_1_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_sexp_1_load_1(scalar a, float *s_a, int tx, int bx) { s_a[APLS] = a[bx * SEXP_1_BX + tx]; }

/*# sexp_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_sexp_1_save(float *s_r, scalar r, int tx, int bx) { r[bx * SEXP_1_BX + tx] = s_r[APLS]; }

/*# sexp_1 metadata
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
__device__ inline void d_sexp_1_compute(float *s_a, float *s_r, int tx) { s_r[APOUT] = expf(s_a[APIN0]); }

// sexp_2: four elements a thread, 16 bytes at a time.

/*# sexp_2_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_sexp_2_load_1(scalar a, float *s_a, int tx, int bx) {
    take_words4(s_a + APLS, a + 4 * (bx * SEXP_2_BX + tx));
}

/*# sexp_2_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_sexp_2_save(float *s_r, scalar r, int tx, int bx) {
    put_words4(r + 4 * (bx * SEXP_2_BX + tx), s_r + APLS);
}

/*# sexp_2 metadata
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
__device__ inline void d_sexp_2_compute(float *s_a, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = expf(s_a[APIN0 + k]);
}
