// svmul3(v, s) = s v and its like: a vector times a number.

#include "words4.cuh"

/*# variants metadata
function   = type,         words, four
svmul2     = vector2,      2,     8
svmul3     = vector3,      3,     12
svmul4     = vector4,      4,     16
svmul5     = vector5,      5,     20
svmul6     = vector6,      6,     24
smmulsym33 = symmetric3x3, 6,     24
sqmul      = quaternion,   4,     16
#*/

/*# $function metadata
Arguments = $type, scalar
Result = $type
Flops = $words
#*/
inline void cpu_$function(const float *v, const float *s, float *r) {
    for (int k = 0; k < $words; ++k) r[k] = v[k] * s[0];
}

// Implementation 1: a thread a component.

/*# $function_1_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$words+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_load_1($type v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * $words * $FUNCTION_1_BY + ty * $words + tx];
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
INPATTERN 1 = start "ty", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*$words+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_compute(float *s_v, float *s_s, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_v[APIN0] * s_s[APIN1];
}

// Implementation 2: one thread an element.

/*# $function_2_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "$FUNCTION_2_BX", count $words, noreg 0
#*/
__device__ inline void d_$function_2_load_1($type v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) s_v[APLS + k * $FUNCTION_2_BX] = v[bx * $words * $FUNCTION_2_BX + tx + k * $FUNCTION_2_BX];
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
__device__ inline void d_$function_2_compute(float *s_v, float *s_s, float *s_r, int tx) {
    const float s = s_s[APIN1];
#pragma unroll
    for (int k = 0; k < $words; ++k) s_r[APOUT + k] = s_v[APIN0 + k] * s;
}

// Implementation 3: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# $function_3_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
#*/
__device__ inline void d_$function_3_load_1($type v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) take_words4(s_v + APLS + 4 * k, v + 4 * ((bx * $FUNCTION_3_BX + tx) * $words + k));
}

/*# $function_3_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_3_load_2(scalar s, float *s_s, int tx, int bx) {
    take_words4(s_s + APLS, s + 4 * (bx * $FUNCTION_3_BX + tx));
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
INPATTERN 1 = start "4*tx", block "4", stride "4", count 1, noreg 0
OUTPATTERN = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
#*/
__device__ inline void d_$function_3_compute(float *s_v, float *s_s, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < $four; ++k) s_r[APOUT + k] = s_v[APIN0 + k] * s_s[APIN1 + k / $words];
}
