// identity55() = I and its like. identity33 stands in identity33.cu.

#include "words4.cuh"

/*# variants metadata
function   = type,      n, next, words, threads
identity22 = matrix2x2, 2, 3,    4,     128
identity44 = matrix4x4, 4, 5,    16,    128
identity55 = matrix5x5, 5, 6,    25,    200
identity66 = matrix6x6, 6, 7,    36,    144
#*/

/*# $function metadata
Arguments = none
Result = $type
Flops = 0
#*/
inline void cpu_$function(float *r) {
    for (int k = 0; k < $words; ++k) r[k] = k % $next == 0 ? 1.0f : 0.0f;
}

// Implementation 1: n threads an element, thread tx makes column tx, as mmul55_1 does.

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
OUTPATTERN = start "ty*$words+tx", block "1", stride "$n", count $n, noreg 0
#*/
__device__ inline void d_$function_1_compute(float *s_r, int tx, int ty) {
#pragma unroll
    for (int y = 0; y < $n; ++y) s_r[APOUT + y * $n] = y == tx ? 1.0f : 0.0f;
}

// Implementation 2: one thread an element.

/*# $function_2_save metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "$FUNCTION_2_BX", count $words, noreg 0
#*/
__device__ inline void d_$function_2_save(float *s_r, $type r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) {
        r[bx * $words * $FUNCTION_2_BX + tx + k * $FUNCTION_2_BX] = s_r[APLS + k * $FUNCTION_2_BX];
    }
}

/*# $function_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
OUTPATTERN = start "tx*$words", block "$words", stride "$words", count 1, noreg 0
#*/
__device__ inline void d_$function_2_compute(float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) s_r[APOUT + k] = k % $next == 0 ? 1.0f : 0.0f;
}

// Implementation 3: four neighbouring words a thread, 16 bytes at a time.

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
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_3_compute(float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = (4 * tx + k) % $words % $next == 0 ? 1.0f : 0.0f;
}
