// sadd(a, b) = a + b, ssub, smul and sdiv, each correctly rounded.

#include "words4.cuh"

/*# variants metadata
function = op
sadd     = +
ssub     = -
smul     = *
sdiv     = /
#*/

/*# $function metadata
Arguments = scalar, scalar
Result = scalar
Flops = 1
#*/
inline void cpu_$function(const float *a, const float *b, float *r) { r[0] = a[0] $op b[0]; }

// Implementation 1: one thread an element.

/*# $function_1_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_load_1(scalar a, float *s_a, int tx, int bx) { s_a[APLS] = a[bx * $FUNCTION_1_BX + tx]; }

/*# $function_1_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_load_2(scalar b, float *s_b, int tx, int bx) { s_b[APLS] = b[bx * $FUNCTION_1_BX + tx]; }

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
INPATTERN 1 = start "tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_compute(float *s_a, float *s_b, float *s_r, int tx) {
    s_r[APOUT] = s_a[APIN0] $op s_b[APIN1];
}

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

/*# $function_2_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_2_load_2(scalar b, float *s_b, int tx, int bx) {
    take_words4(s_b + APLS, b + 4 * (bx * $FUNCTION_2_BX + tx));
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
INPATTERN 1 = start "4*tx", block "4", stride "4", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = s_a[APIN0 + k] $op s_b[APIN1 + k];
}
