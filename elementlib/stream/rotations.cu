// Rotations as vectors (axis times angle), matrices and unit quaternions (w, x, y, z): exponentials, logarithms, and
// what lies between. Logarithms are the shortest rotation, of at most half a turn. A GPU rounds sines and arcs
// otherwise than a CPU.

/*# qexp metadata
Arguments = vector3
Result = quaternion
Flops = 40
Accuracy = 1e-6
#*/
inline void cpu_qexp(const float *v, float *r) {
    const float half = 0.5f * sqrtf(fmaf(v[2], v[2], fmaf(v[1], v[1], v[0] * v[0])));
    // sin(half) / (2 half), by its series where half vanishes.
    const float scale = half < 1e-3f ? 0.5f - half * half / 12.0f : 0.5f * sinf(half) / half;
    r[0] = cosf(half);
    r[1] = v[0] * scale;
    r[2] = v[1] * scale;
    r[3] = v[2] * scale;
}

/*# qlog metadata
Arguments = quaternion
Result = vector3
Flops = 40
Accuracy = 1e-6
#*/
inline void cpu_qlog(const float *q, float *r) {
    const float sign = q[0] < 0.0f ? -1.0f : 1.0f;
    const float w = sign * q[0], x = sign * q[1], y = sign * q[2], z = sign * q[3];
    // The angle over its sine's half, by the series where that vanishes.
    const float sine = sqrtf(fmaf(z, z, fmaf(y, y, x * x))), ratio = sine / w;
    const float factor = ratio < 1e-3f ? fmaf(ratio * ratio, -1.0f / 3.0f, 1.0f) * 2.0f / w : 2.0f * atan2f(sine, w) / sine;
    r[0] = x * factor;
    r[1] = y * factor;
    r[2] = z * factor;
}

/*# qtom33 metadata
Arguments = quaternion
Result = matrix3x3
Flops = 30
#*/
inline void cpu_qtom33(const float *q, float *r) {
    const float w = q[0], x = q[1], y = q[2], z = q[3];
    const float xx = 2.0f * x * x, yy = 2.0f * y * y, zz = 2.0f * z * z;
    const float xy = 2.0f * x * y, xz = 2.0f * x * z, yz = 2.0f * y * z;
    const float wx = 2.0f * w * x, wy = 2.0f * w * y, wz = 2.0f * w * z;
    r[0] = 1.0f - (yy + zz);
    r[1] = xy - wz;
    r[2] = xz + wy;
    r[3] = xy + wz;
    r[4] = 1.0f - (xx + zz);
    r[5] = yz - wx;
    r[6] = xz - wy;
    r[7] = yz + wx;
    r[8] = 1.0f - (xx + yy);
}

/*# mtoq33 metadata
Arguments = matrix3x3
Result = quaternion
Flops = 40
#*/
// Of the two quaternions the one with w >= 0.
inline void cpu_mtoq33(const float *m, float *r) {
    // 4 w w to 4 z z, and the products: the largest square tells which row of them to take, by a divisor that is not small.
    const float ww = 1.0f + m[0] + m[4] + m[8], xx = 1.0f + m[0] - m[4] - m[8];
    const float yy = 1.0f - m[0] + m[4] - m[8], zz = 1.0f - m[0] - m[4] + m[8];
    const float wx = m[7] - m[5], wy = m[2] - m[6], wz = m[3] - m[1];
    const float xy = m[1] + m[3], xz = m[2] + m[6], yz = m[5] + m[7];
    const float largest = fmaxf(fmaxf(ww, xx), fmaxf(yy, zz));
    const bool by_w = ww == largest, by_x = xx == largest, by_y = yy == largest;
    float w = by_w ? ww : by_x ? wx : by_y ? wy : wz;
    float x = by_w ? wx : by_x ? xx : by_y ? xy : xz;
    float y = by_w ? wy : by_x ? xy : by_y ? yy : yz;
    float z = by_w ? wz : by_x ? xz : by_y ? yz : zz;
    const float scale = (w < 0.0f ? -0.5f : 0.5f) / sqrtf(largest);
    w *= scale, x *= scale, y *= scale, z *= scale;
    r[0] = w;
    r[1] = x;
    r[2] = y;
    r[3] = z;
}

/*# rexp33 metadata
Arguments = vector3
Result = matrix3x3
Flops = 70
Accuracy = 1e-6
#*/
inline void cpu_rexp33(const float *v, float *r) {
    const float half = 0.5f * sqrtf(fmaf(v[2], v[2], fmaf(v[1], v[1], v[0] * v[0])));
    // sin(half) / (2 half), by its series where half vanishes.
    const float scale = half < 1e-3f ? 0.5f - half * half / 12.0f : 0.5f * sinf(half) / half;
    const float w = cosf(half), x = v[0] * scale, y = v[1] * scale, z = v[2] * scale;
    const float xx = 2.0f * x * x, yy = 2.0f * y * y, zz = 2.0f * z * z;
    const float xy = 2.0f * x * y, xz = 2.0f * x * z, yz = 2.0f * y * z;
    const float wx = 2.0f * w * x, wy = 2.0f * w * y, wz = 2.0f * w * z;
    r[0] = 1.0f - (yy + zz);
    r[1] = xy - wz;
    r[2] = xz + wy;
    r[3] = xy + wz;
    r[4] = 1.0f - (xx + zz);
    r[5] = yz - wx;
    r[6] = xz - wy;
    r[7] = yz + wx;
    r[8] = 1.0f - (xx + yy);
}

/*# rlog33 metadata
Arguments = matrix3x3
Result = vector3
Flops = 80
Accuracy = 1e-6
#*/
inline void cpu_rlog33(const float *m, float *r) {
    // 4 w w to 4 z z, and the products: the largest square tells which row of them to take, by a divisor that is not small.
    const float ww = 1.0f + m[0] + m[4] + m[8], xx = 1.0f + m[0] - m[4] - m[8];
    const float yy = 1.0f - m[0] + m[4] - m[8], zz = 1.0f - m[0] - m[4] + m[8];
    const float wx = m[7] - m[5], wy = m[2] - m[6], wz = m[3] - m[1];
    const float xy = m[1] + m[3], xz = m[2] + m[6], yz = m[5] + m[7];
    const float largest = fmaxf(fmaxf(ww, xx), fmaxf(yy, zz));
    const bool by_w = ww == largest, by_x = xx == largest, by_y = yy == largest;
    float w = by_w ? ww : by_x ? wx : by_y ? wy : wz;
    float x = by_w ? wx : by_x ? xx : by_y ? xy : xz;
    float y = by_w ? wy : by_x ? xy : by_y ? yy : yz;
    float z = by_w ? wz : by_x ? xz : by_y ? yz : zz;
    const float scale = (w < 0.0f ? -0.5f : 0.5f) / sqrtf(largest);
    w *= scale, x *= scale, y *= scale, z *= scale;
    // The angle over its sine's half, by the series where that vanishes.
    const float sine = sqrtf(fmaf(z, z, fmaf(y, y, x * x))), ratio = sine / w;
    const float factor = ratio < 1e-3f ? fmaf(ratio * ratio, -1.0f / 3.0f, 1.0f) * 2.0f / w : 2.0f * atan2f(sine, w) / sine;
    r[0] = x * factor;
    r[1] = y * factor;
    r[2] = z * factor;
}

/*# qslerp metadata
Arguments = quaternion, quaternion, scalar
Result = quaternion
Flops = 110
Accuracy = 2e-6
#*/
// From a (t = 0) to b (t = 1) at an even pace, the shorter way.
inline void cpu_qslerp(const float *a, const float *b, const float *t, float *r) {
    const float dot = fmaf(a[3], b[3], fmaf(a[2], b[2], fmaf(a[1], b[1], a[0] * b[0])));
    float apart = 0.0f, together = 0.0f, square = 0.0f, to[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        to[k] = dot < 0.0f ? -b[k] : b[k];
        apart = fmaf(to[k] - a[k], to[k] - a[k], apart);
        together = fmaf(to[k] + a[k], to[k] + a[k], together);
    }
    const float angle = 2.0f * atan2f(sqrtf(apart), sqrtf(together));
    const bool near = angle < 1e-3f;
    const float own = near ? 1.0f - t[0] : sinf((1.0f - t[0]) * angle), other = near ? t[0] : sinf(t[0] * angle);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        to[k] = fmaf(other, to[k], own * a[k]);
        square = fmaf(to[k], to[k], square);
    }
    const float scale = 1.0f / sqrtf(square);
#pragma unroll
    for (int k = 0; k < 4; ++k) r[k] = to[k] * scale;
}
