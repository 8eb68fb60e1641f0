// det44(M) and its like, by elimination with partial pivoting: a larger word below the diagonal changes places with the
// pivot, row with row, so that all indices are known where loops are unrolled, and words stay registers.

/*# variants metadata
function = type,      n, words, flops
det44    = matrix4x4, 4, 16,    50
det55    = matrix5x5, 5, 25,    95
det66    = matrix6x6, 6, 36,    160
#*/

/*# $function metadata
Arguments = $type
Result = scalar
Flops = $flops
#*/
inline void cpu_$function(const float *m, float *r) {
    float a[$words], product = 1.0f;
#pragma unroll
    for (int k = 0; k < $words; ++k) a[k] = m[k];
#pragma unroll
    for (int k = 0; k < $n; ++k) {
#pragma unroll
        for (int i = k + 1; i < $n; ++i) {
            const bool larger = fabsf(a[i * $n + k]) > fabsf(a[k * $n + k]);
            product = larger ? -product : product;
#pragma unroll
            for (int j = k; j < $n; ++j) {
                const float upper = a[k * $n + j], lower = a[i * $n + j];
                a[k * $n + j] = larger ? lower : upper;
                a[i * $n + j] = larger ? upper : lower;
            }
        }
        product *= a[k * $n + k];
        // A column of zeros: nothing is left to eliminate.
        const float scale = a[k * $n + k] == 0.0f ? 0.0f : 1.0f / a[k * $n + k];
#pragma unroll
        for (int i = k + 1; i < $n; ++i) {
            const float factor = -(a[i * $n + k] * scale);
#pragma unroll
            for (int j = k + 1; j < $n; ++j) a[i * $n + j] = fmaf(factor, a[k * $n + j], a[i * $n + j]);
        }
    }
    r[0] = product;
}
