// mvmul55(M, v) = M v and its like. Each sum runs upwards, each step one fmaf. mvmul33 stands in mvmul33.cu.

/*# variants metadata
function = type,      vector,  n, words, flops
mvmul22  = matrix2x2, vector2, 2, 4,     6
mvmul44  = matrix4x4, vector4, 4, 16,    28
mvmul55  = matrix5x5, vector5, 5, 25,    45
mvmul66  = matrix6x6, vector6, 6, 36,    66
#*/

/*# $function metadata
Arguments = $type, $vector
Result = $vector
Flops = $flops
#*/
inline void cpu_$function(const float *m, const float *v, float *r) {
    for (int y = 0; y < $n; ++y) {
        float sum = m[y * $n] * v[0];
        for (int k = 1; k < $n; ++k) sum = fmaf(m[y * $n + k], v[k], sum);
        r[y] = sum;
    }
}

// Implementation 1: n threads an element, thread tx makes component tx.

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
Data type = $vector
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$n+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_load_2($vector v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * $n * $FUNCTION_1_BY + ty * $n + tx];
}

/*# $function_1_save metadata
Data type = $vector
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$n+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_save(float *s_r, $vector r, int tx, int ty, int bx) {
    r[bx * $n * $FUNCTION_1_BY + ty * $n + tx] = s_r[APLS];
}

/*# $function_1 metadata
GX = size
GY = 1
GZ = 1
BX = $n
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*$words+tx*$n", block "$n", stride "$n", count 1, noreg 0
INPATTERN 1 = start "ty*$n", block "$n", stride "$n", count 1, noreg 0
OUTPATTERN = start "ty*$n+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_compute(float *s_m, float *s_v, float *s_r, int tx, int ty) {
    float sum = s_m[APIN0] * s_v[APIN1];
#pragma unroll
    for (int k = 1; k < $n; ++k) sum = fmaf(s_m[APIN0 + k], s_v[APIN1 + k], sum);
    s_r[APOUT] = sum;
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
Data type = $vector
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "$FUNCTION_2_BX", count $n, noreg 0
#*/
__device__ inline void d_$function_2_load_2($vector v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $n; ++k) s_v[APLS + k * $FUNCTION_2_BX] = v[bx * $n * $FUNCTION_2_BX + tx + k * $FUNCTION_2_BX];
}

/*# $function_2_save metadata
Data type = $vector
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "$FUNCTION_2_BX", count $n, noreg 0
#*/
__device__ inline void d_$function_2_save(float *s_r, $vector r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $n; ++k) r[bx * $n * $FUNCTION_2_BX + tx + k * $FUNCTION_2_BX] = s_r[APLS + k * $FUNCTION_2_BX];
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
INPATTERN 1 = start "tx*$n", block "$n", stride "$n", count 1, noreg 0
OUTPATTERN = start "tx*$n", block "$n", stride "$n", count 1, noreg 0
#*/
__device__ inline void d_$function_2_compute(float *s_m, float *s_v, float *s_r, int tx) {
    float v[$n];
#pragma unroll
    for (int k = 0; k < $n; ++k) v[k] = s_v[APIN1 + k];
#pragma unroll
    for (int y = 0; y < $n; ++y) {
        float sum = s_m[APIN0 + y * $n] * v[0];
#pragma unroll
        for (int k = 1; k < $n; ++k) sum = fmaf(s_m[APIN0 + y * $n + k], v[k], sum);
        s_r[APOUT + y] = sum;
    }
}
