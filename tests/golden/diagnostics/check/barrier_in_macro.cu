// A barrier in a macro that a helper of the part uses. The whole kernel may have one.
#define WAIT __syncthreads()
__device__ inline void copy3(float *to, const float *from) {
    WAIT;
    for (int k = 0; k < 3; ++k) to[k] = from[k];
}
__device__ inline void unused() { __syncwarp(); }
__global__ void cu_barrier_in_macro_1(vector3 v, vector3 r) { __shared__ float s[96]; WAIT; }

/*# barrier_in_macro metadata
Arguments = vector3
Result = vector3
#*/
inline void cpu_barrier_in_macro(const float *v, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = v[k];
}

/*# barrier_in_macro_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_barrier_in_macro_1_load_1(vector3 v, float *s_v, int tx, int bx) {
    for (int k = 0; k < 3; ++k) s_v[APLS + k] = v[bx * 3 * BARRIER_IN_MACRO_1_BX + tx * 3 + k];
}

/*# barrier_in_macro_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_barrier_in_macro_1_save(float *s_r, vector3 r, int tx, int bx) {
    for (int k = 0; k < 3; ++k) r[bx * 3 * BARRIER_IN_MACRO_1_BX + tx * 3 + k] = s_r[APLS + k];
}

/*# barrier_in_macro_1 metadata
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
__device__ inline void d_barrier_in_macro_1_compute(float *s_v, float *s_r, int tx) {
    copy3(s_r + APOUT, s_v + APIN0);
}
