// vadd3(a, b) = a + b, vsub3, vmul3 and their like: words of two vectors, pair by pair.

#include "words4.cuh"

/*# variants metadata
function  = type,         words, four, op
vadd2     = vector2,      2,     8,    +
vsub2     = vector2,      2,     8,    -
vmul2     = vector2,      2,     8,    *
vadd3     = vector3,      3,     12,   +
vsub3     = vector3,      3,     12,   -
vmul3     = vector3,      3,     12,   *
vadd4     = vector4,      4,     16,   +
vsub4     = vector4,      4,     16,   -
vmul4     = vector4,      4,     16,   *
vadd5     = vector5,      5,     20,   +
vsub5     = vector5,      5,     20,   -
vmul5     = vector5,      5,     20,   *
vadd6     = vector6,      6,     24,   +
vsub6     = vector6,      6,     24,   -
vmul6     = vector6,      6,     24,   *
maddsym33 = symmetric3x3, 6,     24,   +
msubsym33 = symmetric3x3, 6,     24,   -
qadd      = quaternion,   4,     16,   +
qsub      = quaternion,   4,     16,   -
#*/

/*# $function metadata
Arguments = $type, $type
Result = $type
Flops = $words
#*/
inline void cpu_$function(const float *a, const float *b, float *r) {
    for (int k = 0; k < $words; ++k) r[k] = a[k] $op b[k];
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

/*# $function_1_load_2 metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$words+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_load_2($type b, float *s_b, int tx, int ty, int bx) {
    s_b[APLS] = b[bx * $words * $FUNCTION_1_BY + ty * $words + tx];
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
INPATTERN 1 = start "ty*$words+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*$words+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_compute(float *s_a, float *s_b, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_a[APIN0] $op s_b[APIN1];
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

/*# $function_2_load_2 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "$FUNCTION_2_BX", count $words, noreg 0
#*/
__device__ inline void d_$function_2_load_2($type b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) s_b[APLS + k * $FUNCTION_2_BX] = b[bx * $words * $FUNCTION_2_BX + tx + k * $FUNCTION_2_BX];
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
INPATTERN 1 = start "tx*$words", block "$words", stride "$words", count 1, noreg 0
OUTPATTERN = start "tx*$words", block "$words", stride "$words", count 1, noreg 0
#*/
__device__ inline void d_$function_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) s_r[APOUT + k] = s_a[APIN0 + k] $op s_b[APIN1 + k];
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

/*# $function_3_load_2 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
#*/
__device__ inline void d_$function_3_load_2($type b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) take_words4(s_b + APLS + 4 * k, b + 4 * ((bx * $FUNCTION_3_BX + tx) * $words + k));
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
INPATTERN 1 = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
OUTPATTERN = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
#*/
__device__ inline void d_$function_3_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < $four; ++k) s_r[APOUT + k] = s_a[APIN0 + k] $op s_b[APIN1 + k];
}
