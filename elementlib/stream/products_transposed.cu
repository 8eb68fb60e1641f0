// mmult33(A, B) = A B^T and its like. A sum over k runs upwards, each step one fmaf.

/*# variants metadata
function = type,      n, words, flops
mmult22  = matrix2x2, 2, 4,     12
mmult33  = matrix3x3, 3, 9,     45
mmult44  = matrix4x4, 4, 16,    112
mmult55  = matrix5x5, 5, 25,    225
mmult66  = matrix6x6, 6, 36,    396
#*/

/*# $function metadata
Arguments = $type, $type
Result = $type
Flops = $flops
#*/
inline void cpu_$function(const float *a, const float *b, float *r) {
    for (int y = 0; y < $n; ++y) {
        for (int x = 0; x < $n; ++x) {
            float sum = a[y * $n] * b[x * $n];
            for (int k = 1; k < $n; ++k) sum = fmaf(a[y * $n + k], b[x * $n + k], sum);
            r[y * $n + x] = sum;
        }
    }
}

// Implementation 1: n threads an element, thread tx makes column tx.

/*# $function_1_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$n+tx", block "1", stride "$n*$FUNCTION_1_BY", count $n, noreg 0
#*/
__device__ inline void d_$function_1_load_1($type a, float *s_a, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < $n; ++k) {
        s_a[APLS + k * $n * $FUNCTION_1_BY] = a[bx * $words * $FUNCTION_1_BY + ty * $n + tx + k * $n * $FUNCTION_1_BY];
    }
}

/*# $function_1_load_2 metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$n+tx", block "1", stride "$n*$FUNCTION_1_BY", count $n, noreg 0
#*/
__device__ inline void d_$function_1_load_2($type b, float *s_b, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < $n; ++k) {
        s_b[APLS + k * $n * $FUNCTION_1_BY] = b[bx * $words * $FUNCTION_1_BY + ty * $n + tx + k * $n * $FUNCTION_1_BY];
    }
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
INPATTERN 0 = start "ty*$words", block "$words", stride "$words", count 1, noreg 0
INPATTERN 1 = start "ty*$words+tx*$n", block "$n", stride "$n", count 1, noreg 0
OUTPATTERN = start "ty*$words+tx", block "1", stride "$n", count $n, noreg 0
#*/
__device__ inline void d_$function_1_compute(float *s_a, float *s_b, float *s_r, int tx, int ty) {
    float b[$n];
#pragma unroll
    for (int k = 0; k < $n; ++k) b[k] = s_b[APIN1 + k];
#pragma unroll
    for (int y = 0; y < $n; ++y) {
        float sum = s_a[APIN0 + y * $n] * b[0];
#pragma unroll
        for (int k = 1; k < $n; ++k) sum = fmaf(s_a[APIN0 + y * $n + k], b[k], sum);
        s_r[APOUT + y * $n] = sum;
    }
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
    float b[$words];
#pragma unroll
    for (int k = 0; k < $words; ++k) b[k] = s_b[APIN1 + k];
#pragma unroll
    for (int y = 0; y < $n; ++y) {
        float a[$n];
#pragma unroll
        for (int k = 0; k < $n; ++k) a[k] = s_a[APIN0 + y * $n + k];
#pragma unroll
        for (int x = 0; x < $n; ++x) {
            float sum = a[0] * b[x * $n];
#pragma unroll
            for (int k = 1; k < $n; ++k) sum = fmaf(a[k], b[x * $n + k], sum);
            s_r[APOUT + y * $n + x] = sum;
        }
    }
}
