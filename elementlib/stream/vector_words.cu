// vabs3(a): r_i = |a_i|, and its like: each word of a vector by itself.

#include "words4.cuh"

/*# variants metadata
function = type,    words, four, before, behind
vabs2    = vector2, 2,     8,    fabsf(, )
vabs3    = vector3, 3,     12,   fabsf(, )
vabs4    = vector4, 4,     16,   fabsf(, )
vabs5    = vector5, 5,     20,   fabsf(, )
vabs6    = vector6, 6,     24,   fabsf(, )
#*/

/*# $function metadata
Arguments = $type
Result = $type
Flops = $words
#*/
inline void cpu_$function(const float *a, float *r) {
    for (int k = 0; k < $words; ++k) r[k] = ${before}a[k]$behind;
}

// Implementation 1: a thread a component.

/*# $function_1_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$words+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_load_1($type a, float *s_a, int tx, int ty, int bx) {
    s_a[APLS] = a[bx * $words * $FUNCTION_1_BY + ty * $words + tx];
}

/*# $function_1_save metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$words+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_save(float *s_r, $type r, int tx, int ty, int bx) {
    r[bx * $words * $FUNCTION_1_BY + ty * $words + tx] = s_r[APLS];
}

/*# $function_1 metadata
GX = size
GY = 1
GZ = 1
BX = $words
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*$words+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*$words+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_compute(float *s_a, float *s_r, int tx, int ty) { s_r[APOUT] = ${before}s_a[APIN0]$behind; }

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

// Implementation 3: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# $function_3_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
#*/
__device__ inline void d_$function_3_load_1($type a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) take_words4(s_a + APLS + 4 * k, a + 4 * ((bx * $FUNCTION_3_BX + tx) * $words + k));
}

/*# $function_3_save metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
#*/
__device__ inline void d_$function_3_save(float *s_r, $type r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) put_words4(r + 4 * ((bx * $FUNCTION_3_BX + tx) * $words + k), s_r + APLS + 4 * k);
}

/*# $function_3 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
OUTPATTERN = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
#*/
__device__ inline void d_$function_3_compute(float *s_a, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < $four; ++k) s_r[APOUT + k] = ${before}s_a[APIN0 + k]$behind;
}
