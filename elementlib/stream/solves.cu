// msolve44(M, b) = x with M x = b, and its like: elimination with partial pivoting, then substitution from the last
// unknown; not finite where M is singular. A larger word below the diagonal changes places with the pivot, row with
// row, so that all indices are known where loops are unrolled, and words stay registers.

/*# variants metadata
function = matrix,    vector,  n, words, flops
msolve22 = matrix2x2, vector2, 2, 4,     12
msolve33 = matrix3x3, vector3, 3, 9,     36
msolve44 = matrix4x4, vector4, 4, 16,    80
msolve55 = matrix5x5, vector5, 5, 25,    145
msolve66 = matrix6x6, vector6, 6, 36,    240
#*/

/*# $function metadata
Arguments = $matrix, $vector
Result = $vector
Flops = $flops
#*/
inline void cpu_$function(const float *m, const float *b, float *r) {
    float a[$words], x[$n];
#pragma unroll
    for (int k = 0; k < $words; ++k) a[k] = m[k];
#pragma unroll
    for (int k = 0; k < $n; ++k) x[k] = b[k];
#pragma unroll
    for (int k = 0; k < $n; ++k) {
#pragma unroll
        for (int i = k + 1; i < $n; ++i) {
            const bool larger = fabsf(a[i * $n + k]) > fabsf(a[k * $n + k]);
#pragma unroll
            for (int j = k; j < $n; ++j) {
                const float upper = a[k * $n + j], lower = a[i * $n + j];
                a[k * $n + j] = larger ? lower : upper;
                a[i * $n + j] = larger ? upper : lower;
            }
            const float upper = x[k], lower = x[i];
            x[k] = larger ? lower : upper;
            x[i] = larger ? upper : lower;
        }
        const float scale = 1.0f / a[k * $n + k];
#pragma unroll
        for (int i = k + 1; i < $n; ++i) {
            const float factor = -(a[i * $n + k] * scale);
#pragma unroll
            for (int j = k + 1; j < $n; ++j) a[i * $n + j] = fmaf(factor, a[k * $n + j], a[i * $n + j]);
            x[i] = fmaf(factor, x[k], x[i]);
        }
    }
#pragma unroll
    for (int y = $n - 1; y >= 0; --y) {
        float sum = x[y];
#pragma unroll
        for (int j = y + 1; j < $n; ++j) sum = fmaf(-a[y * $n + j], x[j], sum);
        x[y] = sum / a[y * $n + y];
        r[y] = x[y];
    }
}
