// det22(M) and inverse22(M), not finite where M is singular.

/*# det22 metadata
Arguments = matrix2x2
Result = scalar
Flops = 3
#*/
inline void cpu_det22(const float *m, float *r) { r[0] = fmaf(m[0], m[3], -(m[1] * m[2])); }

/*# inverse22 metadata
Arguments = matrix2x2
Result = matrix2x2
Flops = 9
#*/
inline void cpu_inverse22(const float *m, float *r) {
    const float scale = 1.0f / fmaf(m[0], m[3], -(m[1] * m[2]));
    r[0] = m[3] * scale;
    r[1] = -m[1] * scale;
    r[2] = -m[2] * scale;
    r[3] = m[0] * scale;
}
