// smmul44_3 and its like, where an element has a multiple of four words.

#include "words4.cuh"

/*# variants metadata
function = type,      words, threads
smmul22  = matrix2x2, 4,     128
smmul44  = matrix4x4, 16,    128
smmul66  = matrix6x6, 36,    144
#*/

// Implementation 3: four neighbouring words of one element a thread, 16 bytes at a time.

/*# $function_3_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_3_load_1($type m, float *s_m, int tx, int bx) {
    take_words4(s_m + APLS, m + 4 * (bx * $FUNCTION_3_BX + tx));
}

/*# $function_3_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx/$words", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_3_load_2(scalar s, float *s_s, int tx, int bx) {
    s_s[APLS] = s[bx * (4 * $FUNCTION_3_BX / $words) + 4 * tx / $words];
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
INPATTERN 1 = start "4*tx/$words", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_3_compute(float *s_m, float *s_s, float *s_r, int tx) {
    const float s = s_s[APIN1];
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = s_m[APIN0 + k] * s;
}
