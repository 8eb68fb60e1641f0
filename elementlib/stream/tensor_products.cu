// Products of tensors with four indices: mouter33(A, B): R_ijkl = A_ij B_kl; tmddot4(T, M): R_ij = T_ijkl M_kl, the
// stress of a strain, summed upwards, each step one fmaf.

/*# mouter33 metadata
Arguments = matrix3x3, matrix3x3
Result = tensor3x3x3x3
Flops = 81
#*/
inline void cpu_mouter33(const float *a, const float *b, float *r) {
#pragma unroll
    for (int ij = 0; ij < 9; ++ij) {
#pragma unroll
        for (int kl = 0; kl < 9; ++kl) r[ij * 9 + kl] = a[ij] * b[kl];
    }
}

/*# tmddot4 metadata
Arguments = tensor3x3x3x3, matrix3x3
Result = matrix3x3
Flops = 153
#*/
inline void cpu_tmddot4(const float *t, const float *m, float *r) {
#pragma unroll
    for (int ij = 0; ij < 9; ++ij) {
        float sum = t[ij * 9] * m[0];
#pragma unroll
        for (int kl = 1; kl < 9; ++kl) sum = fmaf(t[ij * 9 + kl], m[kl], sum);
        r[ij] = sum;
    }
}
