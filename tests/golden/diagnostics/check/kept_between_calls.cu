// A variable that stays from call to call is one for all threads; constants may be static.
static __device__ inline float one_more() {
    static const float step = 1.0f;
    static int calls = 0;
    ++calls;
    return step;
}

/*# kept_between_calls metadata
Arguments = vector3
Result = vector3
#*/
inline void cpu_kept_between_calls(const float *v, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = v[k] + 1.0f;
}

/*# kept_between_calls_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_kept_between_calls_1_load_1(vector3 v, float *s_v, int tx, int bx) {
    for (int k = 0; k < 3; ++k) s_v[APLS + k] = v[bx * 3 * KEPT_BETWEEN_CALLS_1_BX + tx * 3 + k];
}

/*# kept_between_calls_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_kept_between_calls_1_save(float *s_r, vector3 r, int tx, int bx) {
    for (int k = 0; k < 3; ++k) r[bx * 3 * KEPT_BETWEEN_CALLS_1_BX + tx * 3 + k] = s_r[APLS + k];
}

/*# kept_between_calls_1 metadata
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
__device__ inline void d_kept_between_calls_1_compute(float *s_v, float *s_r, int tx) {
    for (int k = 0; k < 3; ++k) s_r[APOUT + k] = s_v[APIN0 + k] + one_more();
}
