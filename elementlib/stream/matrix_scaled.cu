// smmul33(M, s) = s M and its like: a matrix or tensor times a number. Other implementations stand in matrix_scaled_*.cu.

#include "words4.cuh"

/*# variants metadata
function = type,          words
smmul22  = matrix2x2,     4
smmul33  = matrix3x3,     9
smmul44  = matrix4x4,     16
smmul55  = matrix5x5,     25
smmul66  = matrix6x6,     36
stmul3   = tensor3x3x3,   27
stmul4   = tensor3x3x3x3, 81
#*/

/*# $function metadata
Arguments = $type, scalar
Result = $type
Flops = $words
#*/
inline void cpu_$function(const float *m, const float *s, float *r) {
    for (int k = 0; k < $words; ++k) r[k] = m[k] * s[0];
}

// Implementation 2: one thread an element.

/*# $function_2_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "$FUNCTION_2_BX", count $words, noreg 0
#*/
__device__ inline void d_$function_2_load_1($type m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) s_m[APLS + k * $FUNCTION_2_BX] = m[bx * $words * $FUNCTION_2_BX + tx + k * $FUNCTION_2_BX];
}

/*# $function_2_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_2_load_2(scalar s, float *s_s, int tx, int bx) {
    s_s[APLS] = s[bx * $FUNCTION_2_BX + tx];
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
INPATTERN 1 = start "tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "tx*$words", block "$words", stride "$words", count 1, noreg 0
#*/
__device__ inline void d_$function_2_compute(float *s_m, float *s_s, float *s_r, int tx) {
    const float s = s_s[APIN1];
#pragma unroll
    for (int k = 0; k < $words; ++k) s_r[APOUT + k] = s_m[APIN0 + k] * s;
}
