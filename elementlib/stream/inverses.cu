// inverse44(M) and its like: all columns of the identity by elimination with partial pivoting, as msolve44 does one;
// not finite where M is singular.

/*# variants metadata
function  = type,      n, words, flops
inverse44 = matrix4x4, 4, 16,    190
inverse55 = matrix5x5, 5, 25,    370
inverse66 = matrix6x6, 6, 36,    640
#*/

/*# $function metadata
Arguments = $type
Result = $type
Flops = $flops
#*/
inline void cpu_$function(const float *m, float *r) {
    float a[$words], x[$words];
#pragma unroll
    for (int k = 0; k < $words; ++k) {
        a[k] = m[k];
        x[k] = k / $n == k % $n ? 1.0f : 0.0f;
    }
#pragma unroll
    for (int k = 0; k < $n; ++k) {
#pragma unroll
        for (int i = k + 1; i < $n; ++i) {
            const bool larger = fabsf(a[i * $n + k]) > fabsf(a[k * $n + k]);
#pragma unroll
            for (int j = 0; j < $n; ++j) {
                const float upper = a[k * $n + j], lower = a[i * $n + j];
                a[k * $n + j] = larger ? lower : upper;
                a[i * $n + j] = larger ? upper : lower;
                const float above = x[k * $n + j], below = x[i * $n + j];
                x[k * $n + j] = larger ? below : above;
                x[i * $n + j] = larger ? above : below;
            }
        }
        const float scale = 1.0f / a[k * $n + k];
#pragma unroll
        for (int i = k + 1; i < $n; ++i) {
            const float factor = -(a[i * $n + k] * scale);
#pragma unroll
            for (int j = k + 1; j < $n; ++j) a[i * $n + j] = fmaf(factor, a[k * $n + j], a[i * $n + j]);
#pragma unroll
            for (int j = 0; j < $n; ++j) x[i * $n + j] = fmaf(factor, x[k * $n + j], x[i * $n + j]);
        }
    }
#pragma unroll
    for (int y = $n - 1; y >= 0; --y) {
        const float scale = 1.0f / a[y * $n + y];
#pragma unroll
        for (int column = 0; column < $n; ++column) {
            float sum = x[y * $n + column];
#pragma unroll
            for (int j = y + 1; j < $n; ++j) sum = fmaf(-a[y * $n + j], x[j * $n + column], sum);
            x[y * $n + column] = sum * scale;
            r[y * $n + column] = x[y * $n + column];
        }
    }
}
