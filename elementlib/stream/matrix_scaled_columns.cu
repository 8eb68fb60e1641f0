// smmul55_1 and its like: n threads an element, thread tx makes column tx, as mmul55_1 does. smmul33_4 stands in
// smmul33.cu.

#include "words4.cuh"

/*# variants metadata
function = type,      n, words
smmul44  = matrix4x4, 4, 16
smmul55  = matrix5x5, 5, 25
smmul66  = matrix6x6, 6, 36
#*/

// Implementation 1: five threads an element, thread tx makes column tx, as mmul55_1 does.

/*# $function_1_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$n+tx", block "1", stride "$n*$FUNCTION_1_BY", count $n, noreg 0
#*/
__device__ inline void d_$function_1_load_1($type m, float *s_m, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < $n; ++k) {
        s_m[APLS + k * $n * $FUNCTION_1_BY] = m[bx * $words * $FUNCTION_1_BY + ty * $n + tx + k * $n * $FUNCTION_1_BY];
    }
}

/*# $function_1_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = ty, bx
LSPATTERN = start "ty", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_load_2(scalar s, float *s_s, int ty, int bx) {
    s_s[APLS] = s[bx * $FUNCTION_1_BY + ty];
}

/*# $function_1_save metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$n+tx", block "1", stride "$n*$FUNCTION_1_BY", count $n, noreg 0
#*/
__device__ inline void d_$function_1_save(float *s_r, $type r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < $n; ++k) {
        r[bx * $words * $FUNCTION_1_BY + ty * $n + tx + k * $n * $FUNCTION_1_BY] = s_r[APLS + k * $n * $FUNCTION_1_BY];
    }
}

/*# $function_1 metadata
GX = size
GY = 1
GZ = 1
BX = $n
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*$words+tx", block "1", stride "$n", count $n, noreg 0
INPATTERN 1 = start "ty", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*$words+tx", block "1", stride "$n", count $n, noreg 0
#*/
__device__ inline void d_$function_1_compute(float *s_m, float *s_s, float *s_r, int tx, int ty) {
    const float s = s_s[APIN1];
#pragma unroll
    for (int y = 0; y < $n; ++y) s_r[APOUT + y * $n] = s_m[APIN0 + y * $n] * s;
}
