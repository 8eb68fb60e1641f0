// cholsolve44(M, b) = x with M x = b for a symmetric positive definite M, of which the lower triangle is looked at, and
// its like: L L^T = M, L y = b, L^T x = y. Not a number where M is not positive definite.

/*# variants metadata
function    = matrix,    vector,  n, words, flops
cholsolve22 = matrix2x2, vector2, 2, 4,     16
cholsolve33 = matrix3x3, vector3, 3, 9,     38
cholsolve44 = matrix4x4, vector4, 4, 16,    72
cholsolve55 = matrix5x5, vector5, 5, 25,    120
cholsolve66 = matrix6x6, vector6, 6, 36,    182
#*/

/*# $function metadata
Arguments = $matrix, $vector
Result = $vector
Flops = $flops
#*/
inline void cpu_$function(const float *m, const float *b, float *r) {
    float a[$words], scale[$n], v[$n];
#pragma unroll
    for (int k = 0; k < $words; ++k) a[k] = m[k];
#pragma unroll
    for (int x = 0; x < $n; ++x) {
        float rest = a[x * $n + x];
#pragma unroll
        for (int k = 0; k < x; ++k) rest = fmaf(-a[x * $n + k], a[x * $n + k], rest);
        scale[x] = 1.0f / sqrtf(rest);
#pragma unroll
        for (int y = x + 1; y < $n; ++y) {
            float sum = a[y * $n + x];
#pragma unroll
            for (int k = 0; k < x; ++k) sum = fmaf(-a[y * $n + k], a[x * $n + k], sum);
            a[y * $n + x] = sum * scale[x];
        }
    }
#pragma unroll
    for (int y = 0; y < $n; ++y) {
        float sum = b[y];
#pragma unroll
        for (int k = 0; k < y; ++k) sum = fmaf(-a[y * $n + k], v[k], sum);
        v[y] = sum * scale[y];
    }
#pragma unroll
    for (int y = $n - 1; y >= 0; --y) {
        float sum = v[y];
#pragma unroll
        for (int k = y + 1; k < $n; ++k) sum = fmaf(-a[k * $n + y], v[k], sum);
        v[y] = sum * scale[y];
        r[y] = v[y];
    }
}
