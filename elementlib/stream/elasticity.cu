// Linear elasticity: a strain's tensor to a stress's. Words of 6x6 matrices are Voigt's (voigt.cu).

/*# hooke66 metadata
Arguments = matrix6x6, symmetric3x3
Result = symmetric3x3
Flops = 69
#*/
// C : E of a stiffness and a strain; shears of the tensor E are not doubled, columns of C count them twice.
inline void cpu_hooke66(const float *c, const float *e, float *r) {
    for (int y = 0; y < 6; ++y) {
        float sum = c[y * 6] * e[0];
        for (int k = 1; k < 6; ++k) sum = fmaf(c[y * 6 + k], k < 3 ? e[k] : e[k] * 2.0f, sum);
        r[y] = sum;
    }
}

/*# hookeiso66 metadata
Arguments = scalar, scalar
Result = matrix6x6
Flops = 2
#*/
// The stiffness of an isotropic material with Lame's constants lambda and mu.
inline void cpu_hookeiso66(const float *lambda, const float *mu, float *r) {
    for (int k = 0; k < 36; ++k) {
        const int y = k / 6, x = k % 6;
        const float axial = y == x ? fmaf(2.0f, mu[0], lambda[0]) : lambda[0];
        r[k] = y < 3 && x < 3 ? axial : y == x ? mu[0] : 0.0f;
    }
}

/*# hookeisosym33 metadata
Arguments = symmetric3x3, scalar, scalar
Result = symmetric3x3
Flops = 12
#*/
// lambda trace(E) I + 2 mu E.
inline void cpu_hookeisosym33(const float *e, const float *lambda, const float *mu, float *r) {
    const float pressure = lambda[0] * (e[0] + e[1] + e[2]), twice = 2.0f * mu[0];
    for (int k = 0; k < 6; ++k) r[k] = k < 3 ? fmaf(twice, e[k], pressure) : twice * e[k];
}
