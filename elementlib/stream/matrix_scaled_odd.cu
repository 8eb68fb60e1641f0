// smmul33_3 and its like, where words of neighbouring elements share 16 bytes.

#include "words4.cuh"

/*# variants metadata
function = type,          words, threads
smmul33  = matrix3x3,     9,     144
smmul55  = matrix5x5,     25,    200
stmul3   = tensor3x3x3,   27,    108
stmul4   = tensor3x3x3x3, 81,    162
#*/

// Implementation 3: four neighbouring words a thread, 16 bytes at a time. They belong to one element or to two
// neighbours, so a thread holds two scalars: its first element's and the next one's, or, in the last element of the
// tile, the one before and its own.

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
LSPATTERN = start "4*tx/$words-4*tx/$words/(4*$FUNCTION_3_BX/$words-1)", block "2", stride "2", count 1, noreg 0
#*/
__device__ inline void d_$function_3_load_2(scalar s, float *s_s, int tx, int bx) {
    const int last = 4 * $FUNCTION_3_BX / $words - 1;
    const int first = 4 * tx / $words - 4 * tx / $words / last;
    s_s[APLS] = s[bx * (last + 1) + first];
    s_s[APLS + 1] = s[bx * (last + 1) + first + 1];
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
INPATTERN 1 = start "4*tx/$words-4*tx/$words/(4*$FUNCTION_3_BX/$words-1)", block "2", stride "2", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_3_compute(float *s_m, float *s_s, float *s_r, int tx) {
    const int first = 4 * tx / $words - 4 * tx / $words / (4 * $FUNCTION_3_BX / $words - 1);
    const float own = s_s[APIN1], next = s_s[APIN1 + 1];
#pragma unroll
    for (int k = 0; k < 4; ++k) s_r[APOUT + k] = s_m[APIN0 + k] * ((4 * tx + k) / $words == first ? own : next);
}
