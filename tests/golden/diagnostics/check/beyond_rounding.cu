// An approximation that is stated, but not well enough.

/*# beyond_rounding metadata
Arguments = vector3
Result = vector3
Accuracy = 1e-6
#*/
inline void cpu_beyond_rounding(const float *v, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = v[k] * 1.00001f;
}

/*# beyond_rounding_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_beyond_rounding_1_load_1(vector3 v, float *s_v, int tx, int bx) {
    for (int k = 0; k < 3; ++k) s_v[APLS + k] = v[bx * 3 * BEYOND_ROUNDING_1_BX + tx * 3 + k];
}

/*# beyond_rounding_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_beyond_rounding_1_save(float *s_r, vector3 r, int tx, int bx) {
    for (int k = 0; k < 3; ++k) r[bx * 3 * BEYOND_ROUNDING_1_BX + tx * 3 + k] = s_r[APLS + k];
}

/*# beyond_rounding_1 metadata
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
__device__ inline void d_beyond_rounding_1_compute(float *s_v, float *s_r, int tx) {
    for (int k = 0; k < 3; ++k) s_r[APOUT + k] = s_v[APIN0 + k];
}
