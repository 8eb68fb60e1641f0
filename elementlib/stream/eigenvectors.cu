// eigvec33(M), and eigvecsym33(S) of six words: the eigenvectors of a symmetric matrix as columns, in the order of
// eigsym33's values, the largest's first; of M the upper triangle is looked at. They are orthonormal, also where
// eigenvalues are equal, to about 5e-7, and make a rotation (det = 1). By Jacobi's rotations, five sweeps over the
// three planes: convergence is quadratic, so that the last sweep finds nothing left to turn in float32.

/*# variants metadata
function    = type,         xy, xz, yy, yz, zz
eigvec33    = matrix3x3,    1,  2,  4,  5,  8
eigvecsym33 = symmetric3x3, 5,  4,  1,  3,  2
#*/

/*# $function metadata
Arguments = $type
Result = matrix3x3
Flops = 700
#*/
inline void cpu_$function(const float *m, float *r) {
    float a[9] = {m[0], m[$xy], m[$xz], m[$xy], m[$yy], m[$yz], m[$xz], m[$yz], m[$zz]};
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
    // The largest eigenvalue first. Columns that change places keep the determinant by a sign.
#pragma unroll
    for (int step = 0; step < 3; ++step) {
        const int p = step == 1 ? 1 : 0, q = p + 1;
        const float upper = a[p * 3 + p], lower = a[q * 3 + q];
        const bool swap = upper < lower;
        a[p * 3 + p] = swap ? lower : upper;
        a[q * 3 + q] = swap ? upper : lower;
#pragma unroll
        for (int y = 0; y < 3; ++y) {
            const float of_p = v[y * 3 + p], of_q = v[y * 3 + q];
            v[y * 3 + p] = swap ? of_q : of_p;
            v[y * 3 + q] = swap ? -of_p : of_q;
        }
    }
#pragma unroll
    for (int k = 0; k < 9; ++k) r[k] = v[k];
}
