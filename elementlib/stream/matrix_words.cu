// mabs33(A): R_ij = |A_ij|, mhalf33 and their like: each word of a matrix by itself.

#include "words4.cuh"

/*# variants metadata
function = type,          words, threads, before, behind
mabs22   = matrix2x2,     4,     128,     fabsf(, )
mabs33   = matrix3x3,     9,     144,     fabsf(, )
mabs44   = matrix4x4,     16,    128,     fabsf(, )
mabs55   = matrix5x5,     25,    200,     fabsf(, )
mabs66   = matrix6x6,     36,    144,     fabsf(, )
mhalf33  = matrix3x3,     9,     144,     "",     " * 0.5f"
tabs3    = tensor3x3x3,   27,    108,     fabsf(, )
tabs4    = tensor3x3x3x3, 81,    162,     fabsf(, )
#*/

/*# $function metadata
Arguments = $type
Result = $type
Flops = $words
#*/
inline void cpu_$function(const float *a, float *r) {
    for (int k = 0; k < $words; ++k) r[k] = ${before}a[k]$behind;
}

// Implementation 2: one thread an element.

/*# $function_2_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "$FUNCTION_2_BX", count $words, noreg 0
#*/
__device__ inline void d_$function_2_load_1($type a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) s_a[APLS + k * $FUNCTION_2_BX] = a[bx * $words * $FUNCTION_2_BX + tx + k * $FUNCTION_2_BX];
}

/*# $function_2_save metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "$FUNCTION_2_BX", count $words, noreg 0
#*/
__device__ inline void d_$function_2_save(float *s_r, $type r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) r[bx * $words * $FUNCTION_2_BX + tx + k * $FUNCTION_2_BX] = s_r[APLS + k * $FUNCTION_2_BX];
}

/*# $function_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*$words", block "$words", stride "$words", count 1, noreg 0
OUTPATTERN = start "tx*$words", block "$words", stride "$words", count 1, noreg 0
#*/
__device__ inline void d_$function_2_compute(float *s_a, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) s_r[APOUT + k] = ${before}s_a[APIN0 + k]$behind;
}

// Implementation 3: four neighbouring words a thread, 16 bytes at a time.

/*# $function_3_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_3_load_1($type a, float *s_a, int tx, int bx) {
    take_words4(s_a + APLS, a + 4 * (bx * $FUNCTION_3_BX + tx));
}

/*# $function_3_save metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_3_save(float *s_r, $type r, int tx, int bx) {
    put_words4(r + 4 * (bx * $FUNCTION_3_BX + tx), s_r + APLS);
}

/*# $function_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended $threads)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "4*tx", block "4", stride "4", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_3_compute(float *s_a, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = ${before}s_a[APIN0 + k]$behind;
}
