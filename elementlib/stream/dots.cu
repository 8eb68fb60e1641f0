// mddot33(A, B) = A_ij B_ij, vdot4(a, b) = a_i b_i and their like: the sum of products of words. It runs upwards, each
// step one fmaf. vdot3 stands in vdot3.cu.

#include "words4.cuh"

/*# variants metadata
function = type,       words, four, flops
vdot2    = vector2,    2,     8,    3
vdot4    = vector4,    4,     16,   7
vdot5    = vector5,    5,     20,   9
vdot6    = vector6,    6,     24,   11
mddot22  = matrix2x2,  4,     16,   7
mddot33  = matrix3x3,  9,     36,   17
mddot44  = matrix4x4,  16,    64,   31
mddot55  = matrix5x5,  25,    100,  49
mddot66  = matrix6x6,  36,    144,  71
qdot     = quaternion, 4,     16,   7
#*/

/*# $function metadata
Arguments = $type, $type
Result = scalar
Flops = $flops
#*/
inline void cpu_$function(const float *a, const float *b, float *r) {
    float sum = a[0] * b[0];
    for (int k = 1; k < $words; ++k) sum = fmaf(a[k], b[k], sum);
    r[0] = sum;
}

// Implementation 1: one thread an element.

/*# $function_1_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "$FUNCTION_1_BX", count $words, noreg 0
#*/
__device__ inline void d_$function_1_load_1($type a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) s_a[APLS + k * $FUNCTION_1_BX] = a[bx * $words * $FUNCTION_1_BX + tx + k * $FUNCTION_1_BX];
}

/*# $function_1_load_2 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "$FUNCTION_1_BX", count $words, noreg 0
#*/
__device__ inline void d_$function_1_load_2($type b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) s_b[APLS + k * $FUNCTION_1_BX] = b[bx * $words * $FUNCTION_1_BX + tx + k * $FUNCTION_1_BX];
}

/*# $function_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_save(float *s_r, scalar r, int tx, int bx) { r[bx * $FUNCTION_1_BX + tx] = s_r[APLS]; }

/*# $function_1 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*$words", block "$words", stride "$words", count 1, noreg 0
INPATTERN 1 = start "tx*$words", block "$words", stride "$words", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_compute(float *s_a, float *s_b, float *s_r, int tx) {
    float sum = s_a[APIN0] * s_b[APIN1];
#pragma unroll
    for (int k = 1; k < $words; ++k) sum = fmaf(s_a[APIN0 + k], s_b[APIN1 + k], sum);
    s_r[APOUT] = sum;
}

// Implementation 2: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# $function_2_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
#*/
__device__ inline void d_$function_2_load_1($type a, float *s_a, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) take_words4(s_a + APLS + 4 * k, a + 4 * ((bx * $FUNCTION_2_BX + tx) * $words + k));
}

/*# $function_2_load_2 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
#*/
__device__ inline void d_$function_2_load_2($type b, float *s_b, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) take_words4(s_b + APLS + 4 * k, b + 4 * ((bx * $FUNCTION_2_BX + tx) * $words + k));
}

/*# $function_2_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_2_save(float *s_r, scalar r, int tx, int bx) {
    put_words4(r + 4 * (bx * $FUNCTION_2_BX + tx), s_r + APLS);
}

/*# $function_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
INPATTERN 1 = start "$four*tx", block "$four", stride "$four", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_$function_2_compute(float *s_a, float *s_b, float *s_r, int tx) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
        float sum = s_a[APIN0 + $words * e] * s_b[APIN1 + $words * e];
#pragma unroll
        for (int k = 1; k < $words; ++k) sum = fmaf(s_a[APIN0 + $words * e + k], s_b[APIN1 + $words * e + k], sum);
        s_r[APOUT + e] = sum;
    }
}
