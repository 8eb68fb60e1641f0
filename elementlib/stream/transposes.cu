// transpose33(M): R_ij = M_ji, and its like.

/*# variants metadata
function    = type,      n, words
transpose22 = matrix2x2, 2, 4
transpose33 = matrix3x3, 3, 9
transpose44 = matrix4x4, 4, 16
transpose55 = matrix5x5, 5, 25
transpose66 = matrix6x6, 6, 36
#*/

/*# $function metadata
Arguments = $type
Result = $type
Flops = 0
#*/
inline void cpu_$function(const float *m, float *r) {
    for (int k = 0; k < $words; ++k) r[k] = m[k % $n * $n + k / $n];
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
    for (int k = 0; k < $words; ++k) {
        s_m[APLS + k * $FUNCTION_2_BX] = m[bx * $words * $FUNCTION_2_BX + tx + k * $FUNCTION_2_BX];
    }
}

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
INPATTERN 0 = start "tx*$words", block "$words", stride "$words", count 1, noreg 0
OUTPATTERN = start "tx*$words", block "$words", stride "$words", count 1, noreg 0
#*/
__device__ inline void d_$function_2_compute(float *s_m, float *s_r, int tx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) s_r[APOUT + k] = s_m[APIN0 + k % $n * $n + k / $n];
}

// Implementation 3: n threads an element, thread tx makes column tx of row tx.

/*# $function_3_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$n+tx", block "1", stride "$n*$FUNCTION_3_BY", count $n, noreg 0
#*/
__device__ inline void d_$function_3_load_1($type m, float *s_m, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < $n; ++k) {
        s_m[APLS + k * $n * $FUNCTION_3_BY] = m[bx * $words * $FUNCTION_3_BY + ty * $n + tx + k * $n * $FUNCTION_3_BY];
    }
}

/*# $function_3_save metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$n+tx", block "1", stride "$n*$FUNCTION_3_BY", count $n, noreg 0
#*/
__device__ inline void d_$function_3_save(float *s_r, $type r, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < $n; ++k) {
        r[bx * $words * $FUNCTION_3_BY + ty * $n + tx + k * $n * $FUNCTION_3_BY] = s_r[APLS + k * $n * $FUNCTION_3_BY];
    }
}

/*# $function_3 metadata
GX = size
GY = 1
GZ = 1
BX = $n
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*$words+tx*$n", block "$n", stride "$n", count 1, noreg 0
OUTPATTERN = start "ty*$words+tx", block "1", stride "$n", count $n, noreg 0
#*/
__device__ inline void d_$function_3_compute(float *s_m, float *s_r, int tx, int ty) {
#pragma unroll
    for (int k = 0; k < $n; ++k) s_r[APOUT + k * $n] = s_m[APIN0 + k];
}
