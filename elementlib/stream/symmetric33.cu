// Symmetric 3x3 matrices of six words xx, yy, zz, yz, xz, xy: what is not word by word. Sums run upwards in these
// words.

/*# symmetric33 metadata
Arguments = matrix3x3
Result = symmetric3x3
Flops = 6
#*/
// The symmetric part of a matrix.
inline void cpu_symmetric33(const float *m, float *r) {
    r[0] = m[0];
    r[1] = m[4];
    r[2] = m[8];
    r[3] = (m[5] + m[7]) * 0.5f;
    r[4] = (m[2] + m[6]) * 0.5f;
    r[5] = (m[1] + m[3]) * 0.5f;
}

/*# fullsym33 metadata
Arguments = symmetric3x3
Result = matrix3x3
Flops = 0
#*/
inline void cpu_fullsym33(const float *s, float *r) {
    r[0] = s[0];
    r[4] = s[1];
    r[8] = s[2];
    r[5] = r[7] = s[3];
    r[2] = r[6] = s[4];
    r[1] = r[3] = s[5];
}

/*# tracesym33 metadata
Arguments = symmetric3x3
Result = scalar
Flops = 2
#*/
inline void cpu_tracesym33(const float *s, float *r) { r[0] = s[0] + s[1] + s[2]; }

/*# deviatorsym33 metadata
Arguments = symmetric3x3
Result = symmetric3x3
Flops = 6
#*/
// S - trace(S)/3 I.
inline void cpu_deviatorsym33(const float *s, float *r) {
    const float mean = (s[0] + s[1] + s[2]) / 3.0f;
    r[0] = s[0] - mean;
    r[1] = s[1] - mean;
    r[2] = s[2] - mean;
    r[3] = s[3];
    r[4] = s[4];
    r[5] = s[5];
}

/*# mddotsym33 metadata
Arguments = symmetric3x3, symmetric3x3
Result = scalar
Flops = 12
#*/
// A_ij B_ij: words beside the diagonal count twice.
inline void cpu_mddotsym33(const float *a, const float *b, float *r) {
    const float diagonal = fmaf(a[2], b[2], fmaf(a[1], b[1], a[0] * b[0]));
    const float beside = fmaf(a[5], b[5], fmaf(a[4], b[4], a[3] * b[3]));
    r[0] = diagonal + 2.0f * beside;
}

/*# mvmulsym33 metadata
Arguments = symmetric3x3, vector3
Result = vector3
Flops = 15
#*/
inline void cpu_mvmulsym33(const float *s, const float *v, float *r) {
    r[0] = fmaf(s[4], v[2], fmaf(s[5], v[1], s[0] * v[0]));
    r[1] = fmaf(s[3], v[2], fmaf(s[1], v[1], s[5] * v[0]));
    r[2] = fmaf(s[2], v[2], fmaf(s[3], v[1], s[4] * v[0]));
}

/*# vselfouter3 metadata
Arguments = vector3
Result = symmetric3x3
Flops = 6
#*/
// v v^T.
inline void cpu_vselfouter3(const float *v, float *r) {
    r[0] = v[0] * v[0];
    r[1] = v[1] * v[1];
    r[2] = v[2] * v[2];
    r[3] = v[1] * v[2];
    r[4] = v[0] * v[2];
    r[5] = v[0] * v[1];
}

/*# detsym33 metadata
Arguments = symmetric3x3
Result = scalar
Flops = 14
#*/
inline void cpu_detsym33(const float *s, float *r) {
    const float xx = fmaf(s[1], s[2], -(s[3] * s[3]));
    const float xy = fmaf(s[4], s[3], -(s[5] * s[2]));
    const float xz = fmaf(s[5], s[3], -(s[4] * s[1]));
    r[0] = fmaf(s[4], xz, fmaf(s[5], xy, s[0] * xx));
}

/*# inversesym33 metadata
Arguments = symmetric3x3
Result = symmetric3x3
Flops = 30
#*/
// By cofactors, not finite where S is singular.
inline void cpu_inversesym33(const float *s, float *r) {
    const float xx = fmaf(s[1], s[2], -(s[3] * s[3]));
    const float xy = fmaf(s[4], s[3], -(s[5] * s[2]));
    const float xz = fmaf(s[5], s[3], -(s[4] * s[1]));
    const float scale = 1.0f / fmaf(s[4], xz, fmaf(s[5], xy, s[0] * xx));
    r[0] = xx * scale;
    r[1] = fmaf(s[0], s[2], -(s[4] * s[4])) * scale;
    r[2] = fmaf(s[0], s[1], -(s[5] * s[5])) * scale;
    r[3] = fmaf(s[5], s[4], -(s[0] * s[3])) * scale;
    r[4] = xz * scale;
    r[5] = xy * scale;
}

/*# rotatesym33 metadata
Arguments = matrix3x3, symmetric3x3
Result = symmetric3x3
Flops = 75
#*/
// R S R^T: the tensor S in axes that R turned.
inline void cpu_rotatesym33(const float *m, const float *s, float *r) {
    float t[9];
    for (int y = 0; y < 3; ++y) {
        const float a = m[y * 3], b = m[y * 3 + 1], c = m[y * 3 + 2];
        t[y * 3] = fmaf(c, s[4], fmaf(b, s[5], a * s[0]));
        t[y * 3 + 1] = fmaf(c, s[3], fmaf(b, s[1], a * s[5]));
        t[y * 3 + 2] = fmaf(c, s[2], fmaf(b, s[3], a * s[4]));
    }
    for (int k = 0; k < 3; ++k)
        r[k] = fmaf(t[k * 3 + 2], m[k * 3 + 2], fmaf(t[k * 3 + 1], m[k * 3 + 1], t[k * 3] * m[k * 3]));
    r[3] = fmaf(t[5], m[8], fmaf(t[4], m[7], t[3] * m[6]));
    r[4] = fmaf(t[2], m[8], fmaf(t[1], m[7], t[0] * m[6]));
    r[5] = fmaf(t[2], m[5], fmaf(t[1], m[4], t[0] * m[3]));
}
