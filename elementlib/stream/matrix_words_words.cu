// mabs33_1 and its like: a thread a word.

#include "words4.cuh"

/*# variants metadata
function = type,      words, before, behind
mabs22   = matrix2x2, 4,     fabsf(, )
mabs33   = matrix3x3, 9,     fabsf(, )
mhalf33  = matrix3x3, 9,     "",     " * 0.5f"
#*/

// Implementation 1: a thread a word.

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
