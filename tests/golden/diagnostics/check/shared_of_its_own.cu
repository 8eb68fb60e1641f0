// Shared memory of its own.

/*# shared_of_its_own metadata
Arguments = vector3
Result = vector3
#*/
inline void cpu_shared_of_its_own(const float *v, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = v[k];
}

/*# shared_of_its_own_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_shared_of_its_own_1_load_1(vector3 v, float *s_v, int tx, int bx) {
    for (int k = 0; k < 3; ++k) s_v[APLS + k] = v[bx * 3 * SHARED_OF_ITS_OWN_1_BX + tx * 3 + k];
}

/*# shared_of_its_own_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_shared_of_its_own_1_save(float *s_r, vector3 r, int tx, int bx) {
    for (int k = 0; k < 3; ++k) r[bx * 3 * SHARED_OF_ITS_OWN_1_BX + tx * 3 + k] = s_r[APLS + k];
}

/*# shared_of_its_own_1 metadata
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
__device__ inline void d_shared_of_its_own_1_compute(float *s_v, float *s_r, int tx) {
    __shared__ float s_own[96];
    for (int k = 0; k < 3; ++k) s_own[k] = s_v[APIN0 + k];
    for (int k = 0; k < 3; ++k) s_r[APOUT + k] = s_own[k];
}
