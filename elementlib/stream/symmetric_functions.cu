// sqrtsym33(S), logsym33(S) and expsym33(S): functions of symmetric matrices, V f(eigenvalues) V^T with eigenvectors by
// Jacobi's rotations as in eigenvectors.cu. Root and logarithm want a positive definite S.

/*# variants metadata
function  = accuracy, before
sqrtsym33 = none,     sqrtf
logsym33  = 2e-6,     logf
expsym33  = 2e-6,     expf
#*/

/*# $function metadata
Arguments = symmetric3x3
Result = symmetric3x3
Flops = 750
Accuracy = $accuracy
#*/
inline void cpu_$function(const float *m, float *r) {
    float a[9] = {m[0], m[5], m[4], m[5], m[1], m[3], m[4], m[3], m[2]};
    float v[9] = {1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f};
    for (int sweep = 0; sweep < 5; ++sweep) {
#pragma unroll
        for (int plane = 0; plane < 3; ++plane) {
            const int p = plane == 2 ? 1 : 0, q = plane == 0 ? 1 : 2, other = 2 - plane;
            const float beside = a[p * 3 + q];
            const float slope = (a[q * 3 + q] - a[p * 3 + p]) / (2.0f * beside);
            const float steep = fabsf(slope) + sqrtf(fmaf(slope, slope, 1.0f));
            const float t = beside == 0.0f ? 0.0f : slope < 0.0f ? -1.0f / steep : 1.0f / steep;
            const float c = 1.0f / sqrtf(fmaf(t, t, 1.0f)), s = t * c;
            a[p * 3 + p] = fmaf(-t, beside, a[p * 3 + p]);
            a[q * 3 + q] = fmaf(t, beside, a[q * 3 + q]);
            a[p * 3 + q] = a[q * 3 + p] = 0.0f;
            const float by_p = a[p * 3 + other], by_q = a[q * 3 + other];
            a[p * 3 + other] = a[other * 3 + p] = fmaf(c, by_p, -(s * by_q));
            a[q * 3 + other] = a[other * 3 + q] = fmaf(s, by_p, c * by_q);
#pragma unroll
            for (int y = 0; y < 3; ++y) {
                const float of_p = v[y * 3 + p], of_q = v[y * 3 + q];
                v[y * 3 + p] = fmaf(c, of_p, -(s * of_q));
                v[y * 3 + q] = fmaf(s, of_p, c * of_q);
            }
        }
    }
    const float x = $before(a[0]), y = $before(a[4]), z = $before(a[8]);
    r[0] = fmaf(v[2] * v[2], z, fmaf(v[1] * v[1], y, v[0] * v[0] * x));
    r[1] = fmaf(v[5] * v[5], z, fmaf(v[4] * v[4], y, v[3] * v[3] * x));
    r[2] = fmaf(v[8] * v[8], z, fmaf(v[7] * v[7], y, v[6] * v[6] * x));
    r[3] = fmaf(v[5] * v[8], z, fmaf(v[4] * v[7], y, v[3] * v[6] * x));
    r[4] = fmaf(v[2] * v[8], z, fmaf(v[1] * v[7], y, v[0] * v[6] * x));
    r[5] = fmaf(v[2] * v[5], z, fmaf(v[1] * v[4], y, v[0] * v[3] * x));
}
