// cholesky44(M) = L with L L^T = M for a symmetric positive definite M, of which the lower triangle is looked at, and
// its like; above the diagonal L is 0. Not a number where M is not positive definite.

/*# variants metadata
function   = type,      n, words, flops
cholesky22 = matrix2x2, 2, 4,     8
cholesky33 = matrix3x3, 3, 9,     20
cholesky44 = matrix4x4, 4, 16,    40
cholesky55 = matrix5x5, 5, 25,    70
cholesky66 = matrix6x6, 6, 36,    110
#*/

/*# $function metadata
Arguments = $type
Result = $type
Flops = $flops
#*/
inline void cpu_$function(const float *m, float *r) {
    float a[$words];
#pragma unroll
    for (int k = 0; k < $words; ++k) a[k] = m[k];
#pragma unroll
    for (int x = 0; x < $n; ++x) {
        float rest = a[x * $n + x];
#pragma unroll
        for (int k = 0; k < x; ++k) rest = fmaf(-a[x * $n + k], a[x * $n + k], rest);
        a[x * $n + x] = sqrtf(rest);
        const float scale = 1.0f / a[x * $n + x];
#pragma unroll
        for (int y = x + 1; y < $n; ++y) {
            float sum = a[y * $n + x];
#pragma unroll
            for (int k = 0; k < x; ++k) sum = fmaf(-a[y * $n + k], a[x * $n + k], sum);
            a[y * $n + x] = sum * scale;
        }
    }
#pragma unroll
    for (int k = 0; k < $words; ++k) r[k] = k / $n < k % $n ? 0.0f : a[k];
}
