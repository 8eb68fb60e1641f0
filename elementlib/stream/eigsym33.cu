// eigsym33(M), and eigvalsym33(S) of the six words of such a matrix: the eigenvalues of the symmetric matrix M, the
// largest first; only its upper triangle is looked at. Not iterative, after D. Eberly, "A Robust Eigensolver for 3x3
// Symmetric Matrices": with q = trace/3 and B = (M - q I) / p of Frobenius norm sqrt(6), the eigenvalue of B that
// stands apart from the other two is b = +-2 h(|det B| / 2), where h(x) = cos(acos(x) / 3). The adjugate A of B - b I
// is a multiple of w w', w the eigenvector of b, and has the multiple as its trace. So the other two,
//
//     -b/2 +- r,    2 r^2 = |E|^2,    E = B + b/2 I - 3/2 b A / trace(A)
//
// come of words that are as exact as B's own: nearly equal ones as all others, to a few units in the last place of the
// largest. Of their sum and product r would be the root of a difference, which has half of the digits there.
//
// h is a polynomial of degree 8 on 0 ... 1, fitted at Chebyshev points and rounded to float32; its error there, with
// that of evaluating it by fmaf, is below 5.3e-8. libm's functions would round otherwise on a GPU than on a CPU.

/*# variants metadata
function    = type,         words, thirds, xy, xz, yy, yz, zz, block, stride, count
eigsym33    = matrix3x3,    9,     3,      1,  2,  4,  5,  8,  3-i,   4,      3
eigvalsym33 = symmetric3x3, 6,     2,      5,  4,  1,  3,  2,  6,     6,      1
#*/

/*# $function metadata
Arguments = $type
Result = vector3
Flops = 134
#*/
inline void cpu_$function(const float *m, float *r) {
    const float m00 = m[0], m01 = m[$xy], m02 = m[$xz], m11 = m[$yy], m12 = m[$yz], m22 = m[$zz];
    const float largest =
        fmaxf(fmaxf(fmaxf(fabsf(m00), fabsf(m11)), fmaxf(fabsf(m22), fabsf(m01))), fmaxf(fabsf(m02), fabsf(m12)));
    // Powers of two keep squares in range, and change no digit.
    const float up = largest > 0x1p40f ? 0x1p-80f : largest < 0x1p-40f ? 0x1p100f : 1.0f;
    const float down = largest > 0x1p40f ? 0x1p80f : largest < 0x1p-40f ? 0x1p-100f : 1.0f;
    const float q = (m00 * up + m11 * up + m22 * up) * 0.333333343f;
    float b00 = m00 * up - q, b11 = m11 * up - q, b22 = m22 * up - q, b01 = m01 * up, b02 = m02 * up, b12 = m12 * up;
    const float outside = fmaf(b12, b12, fmaf(b02, b02, b01 * b01));
    const float squares = fmaf(b22, b22, fmaf(b11, b11, fmaf(b00, b00, outside + outside)));
    const float p = sqrtf(squares * 0.166666672f);
    if (!(p > 0.0f)) {
        r[0] = r[1] = r[2] = q * down;
        return;
    }
    const float scale = 1.0f / p;
    b00 *= scale, b11 *= scale, b22 *= scale, b01 *= scale, b02 *= scale, b12 *= scale;
    const float c00 = fmaf(b11, b22, -(b12 * b12)), c01 = fmaf(b02, b12, -(b01 * b22));
    const float c02 = fmaf(b01, b12, -(b02 * b11));
    const float half = 0.5f * fmaf(b02, c02, fmaf(b01, c01, b00 * c00));
    const float x = fminf(fabsf(half), 1.0f);
    float h = -0.000302854198f;
    h = fmaf(h, x, 0.00176485686f);
    h = fmaf(h, x, -0.00492969109f);
    h = fmaf(h, x, 0.00938333012f);
    h = fmaf(h, x, -0.015107275f);
    h = fmaf(h, x, 0.0246042963f);
    h = fmaf(h, x, -0.0481044427f);
    h = fmaf(h, x, 0.166666374f);
    h = fmaf(h, x, 0.866025388f);
    const float apart = half < 0.0f ? -2.0f * h : 2.0f * h;
    const float d0 = b00 - apart, d1 = b11 - apart, d2 = b22 - apart;
    const float a00 = fmaf(d1, d2, -(b12 * b12)), a11 = fmaf(d0, d2, -(b02 * b02)), a22 = fmaf(d0, d1, -(b01 * b01));
    const float a01 = fmaf(b02, b12, -(b01 * d2)), a02 = fmaf(b01, b12, -(b02 * d1)), a12 = fmaf(b01, b02, -(b12 * d0));
    const float share = -1.5f * apart / (a00 + a11 + a22), middle = -0.5f * apart;
    const float e00 = fmaf(share, a00, b00 - middle), e11 = fmaf(share, a11, b11 - middle);
    const float e22 = fmaf(share, a22, b22 - middle);
    const float e01 = fmaf(share, a01, b01), e02 = fmaf(share, a02, b02), e12 = fmaf(share, a12, b12);
    const float beside = fmaf(e12, e12, fmaf(e02, e02, e01 * e01));
    const float reach = sqrtf(0.5f * fmaf(e22, e22, fmaf(e11, e11, fmaf(e00, e00, beside + beside))));
    // Where B is of rounding alone, its trace is not 0: the order stays.
    const float high = fminf(middle + reach, fabsf(apart)), low = fmaxf(middle - reach, -fabsf(apart));
    r[0] = fmaf(p, half < 0.0f ? high : apart, q) * down;
    r[1] = fmaf(p, half < 0.0f ? low : high, q) * down;
    r[2] = fmaf(p, half < 0.0f ? apart : low, q) * down;
}

// The eigenvalues of the matrix with this upper triangle, as the reference says.
__device__ inline void eigenvalues_of(float m00, float m01, float m02, float m11, float m12, float m22, float &r0,
                                      float &r1, float &r2) {
    const float largest =
        fmaxf(fmaxf(fmaxf(fabsf(m00), fabsf(m11)), fmaxf(fabsf(m22), fabsf(m01))), fmaxf(fabsf(m02), fabsf(m12)));
    // Powers of two keep squares in range, and change no digit.
    const float up = largest > 0x1p40f ? 0x1p-80f : largest < 0x1p-40f ? 0x1p100f : 1.0f;
    const float down = largest > 0x1p40f ? 0x1p80f : largest < 0x1p-40f ? 0x1p-100f : 1.0f;
    const float q = (m00 * up + m11 * up + m22 * up) * 0.333333343f;
    float b00 = m00 * up - q, b11 = m11 * up - q, b22 = m22 * up - q, b01 = m01 * up, b02 = m02 * up, b12 = m12 * up;
    const float outside = fmaf(b12, b12, fmaf(b02, b02, b01 * b01));
    const float squares = fmaf(b22, b22, fmaf(b11, b11, fmaf(b00, b00, outside + outside)));
    const float p = sqrtf(squares * 0.166666672f);
    if (!(p > 0.0f)) {
        r0 = r1 = r2 = q * down;
        return;
    }
    const float scale = 1.0f / p;
    b00 *= scale, b11 *= scale, b22 *= scale, b01 *= scale, b02 *= scale, b12 *= scale;
    const float c00 = fmaf(b11, b22, -(b12 * b12)), c01 = fmaf(b02, b12, -(b01 * b22));
    const float c02 = fmaf(b01, b12, -(b02 * b11));
    const float half = 0.5f * fmaf(b02, c02, fmaf(b01, c01, b00 * c00));
    const float x = fminf(fabsf(half), 1.0f);
    float h = -0.000302854198f;
    h = fmaf(h, x, 0.00176485686f);
    h = fmaf(h, x, -0.00492969109f);
    h = fmaf(h, x, 0.00938333012f);
    h = fmaf(h, x, -0.015107275f);
    h = fmaf(h, x, 0.0246042963f);
    h = fmaf(h, x, -0.0481044427f);
    h = fmaf(h, x, 0.166666374f);
    h = fmaf(h, x, 0.866025388f);
    const float apart = half < 0.0f ? -2.0f * h : 2.0f * h;
    const float d0 = b00 - apart, d1 = b11 - apart, d2 = b22 - apart;
    const float a00 = fmaf(d1, d2, -(b12 * b12)), a11 = fmaf(d0, d2, -(b02 * b02)), a22 = fmaf(d0, d1, -(b01 * b01));
    const float a01 = fmaf(b02, b12, -(b01 * d2)), a02 = fmaf(b01, b12, -(b02 * d1)), a12 = fmaf(b01, b02, -(b12 * d0));
    const float share = -1.5f * apart / (a00 + a11 + a22), middle = -0.5f * apart;
    const float e00 = fmaf(share, a00, b00 - middle), e11 = fmaf(share, a11, b11 - middle);
    const float e22 = fmaf(share, a22, b22 - middle);
    const float e01 = fmaf(share, a01, b01), e02 = fmaf(share, a02, b02), e12 = fmaf(share, a12, b12);
    const float beside = fmaf(e12, e12, fmaf(e02, e02, e01 * e01));
    const float reach = sqrtf(0.5f * fmaf(e22, e22, fmaf(e11, e11, fmaf(e00, e00, beside + beside))));
    // Where B is of rounding alone, its trace is not 0: the order stays.
    const float high = fminf(middle + reach, fabsf(apart)), low = fmaxf(middle - reach, -fabsf(apart));
    r0 = fmaf(p, half < 0.0f ? high : apart, q) * down;
    r1 = fmaf(p, half < 0.0f ? low : high, q) * down;
    r2 = fmaf(p, half < 0.0f ? apart : low, q) * down;
}

// Implementation 1: one thread an element.

/*# $function_1_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "$FUNCTION_1_BX", count $words, noreg 0
#*/
__device__ inline void d_$function_1_load_1($type m, float *s_m, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < $words; ++k) s_m[APLS + k * $FUNCTION_1_BX] = m[bx * $words * $FUNCTION_1_BX + tx + k * $FUNCTION_1_BX];
}

/*# $function_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "$FUNCTION_1_BX", count 3, noreg 0
#*/
__device__ inline void d_$function_1_save(float *s_r, vector3 r, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) r[bx * 3 * $FUNCTION_1_BX + tx + k * $FUNCTION_1_BX] = s_r[APLS + k * $FUNCTION_1_BX];
}

/*# $function_1 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*$words", block "$words", stride "$words", count 1, noreg 0
OUTPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_$function_1_compute(float *s_m, float *s_r, int tx) {
    float r0, r1, r2;
    eigenvalues_of(s_m[APIN0], s_m[APIN0 + $xy], s_m[APIN0 + $xz], s_m[APIN0 + $yy], s_m[APIN0 + $yz], s_m[APIN0 + $zz], r0, r1,
                   r2);
    s_r[APOUT] = r0;
    s_r[APOUT + 1] = r1;
    s_r[APOUT + 2] = r2;
}

// Implementation 2: three threads an element, for kernels whose other calls have them: each computes all, thread tx keeps
// eigenvalue tx.

/*# $function_2_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "3*$FUNCTION_2_BY", count $thirds, noreg 0
#*/
__device__ inline void d_$function_2_load_1($type m, float *s_m, int tx, int ty, int bx) {
#pragma unroll
    for (int k = 0; k < $thirds; ++k) {
        s_m[APLS + k * 3 * $FUNCTION_2_BY] = m[bx * $words * $FUNCTION_2_BY + ty * 3 + tx + k * 3 * $FUNCTION_2_BY];
    }
}

/*# $function_2_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_2_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[bx * 3 * $FUNCTION_2_BY + ty * 3 + tx] = s_r[APLS];
}

/*# $function_2 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*$words", block "$block", stride "$stride", count $count, noreg 0
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_2_compute(float *s_m, float *s_r, int tx, int ty) {
    float r0, r1, r2;
    eigenvalues_of(s_m[APIN0], s_m[APIN0 + $xy], s_m[APIN0 + $xz], s_m[APIN0 + $yy], s_m[APIN0 + $yz], s_m[APIN0 + $zz], r0, r1,
                   r2);
    s_r[APOUT] = tx == 0 ? r0 : tx == 1 ? r1 : r2;
}
