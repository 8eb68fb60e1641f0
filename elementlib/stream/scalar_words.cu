// Functions of one number. Roots are correctly rounded; a GPU rounds e^a and the logarithm otherwise than a CPU.

#include "words4.cuh"

/*# variants metadata
function = flops, accuracy, before, behind
sabs     = 1,     none,     fabsf(, )
sneg     = 1,     none,     -,      ""
shalf    = 1,     none,     "",     " * 0.5f"
ssqrt    = 1,     none,     sqrtf(, )
sexp     = 8,     1e-6,     expf(,  )
slog     = 8,     1e-6,     logf(,  )
#*/

/*# $function metadata
Arguments = scalar
Result = scalar
Flops = $flops
Accuracy = $accuracy
#*/
inline void cpu_$function(const float *a, float *r) { r[0] = ${before}a[0]$behind; }

// Implementation 1: one thread an element.

/*# $function_1_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_load_1(scalar a, float *s_a, int tx, int bx) { s_a[APLS] = a[bx * $FUNCTION_1_BX + tx]; }

/*# $function_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_save(float *s_r, scalar r, int tx, int bx) { r[bx * $FUNCTION_1_BX + tx] = s_r[APLS]; }

/*# $function_1 metadata
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
__device__ inline void d_$function_1_compute(float *s_a, float *s_r, int tx) { s_r[APOUT] = ${before}s_a[APIN0]$behind; }

// Implementation 2: four elements a thread, 16 bytes at a time.

/*# $function_2_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_2_load_1(scalar a, float *s_a, int tx, int bx) {
    take_words4(s_a + APLS, a + 4 * (bx * $FUNCTION_2_BX + tx));
}

/*# $function_2_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_2_save(float *s_r, scalar r, int tx, int bx) {
    put_words4(r + 4 * (bx * $FUNCTION_2_BX + tx), s_r + APLS);
}

/*# $function_2 metadata
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
__device__ inline void d_$function_2_compute(float *s_a, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = ${before}s_a[APIN0 + k]$behind;
}
