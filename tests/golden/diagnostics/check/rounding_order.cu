// A sum in another order than the reference's.
__device__ inline float v_sum(float x, float y, float z) { return x * 1.1f + (y * 0.7f + z * 0.3f); }

/*# rounding_order metadata
Arguments = vector3
Result = vector3
#*/
inline void cpu_rounding_order(const float *v, float *r) {
    r[0] = fmaf(v[2], 0.3f, fmaf(v[1], 0.7f, v[0] * 1.1f));
    r[1] = v[0] / v[1];
    r[2] = v[2];
}

/*# rounding_order_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_rounding_order_1_load_1(vector3 v, float *s_v, int tx, int bx) {
    for (int k = 0; k < 3; ++k) s_v[APLS + k] = v[bx * 3 * ROUNDING_ORDER_1_BX + tx * 3 + k];
}

/*# rounding_order_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_rounding_order_1_save(float *s_r, vector3 r, int tx, int bx) {
    for (int k = 0; k < 3; ++k) r[bx * 3 * ROUNDING_ORDER_1_BX + tx * 3 + k] = s_r[APLS + k];
}

/*# rounding_order_1 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 32)
BY = 1
BZ = 1
BATCH = 1
INPATTERN 0 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_rounding_order_1_compute(float *s_v, float *s_r, int tx) {
    s_r[APOUT] = v_sum(s_v[APIN0], s_v[APIN0 + 1], s_v[APIN0 + 2]);
    s_r[APOUT + 1] = s_v[APIN0] * (1 / s_v[APIN0 + 1]);
    s_r[APOUT + 2] = s_v[APIN0 + 2];
}
