// The load's start takes the words of an element in another order.

/*# load_start metadata
Arguments = vector3
Result = vector3
#*/
inline void cpu_load_start(const float *v, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = 2 * v[k];
}

/*# load_start_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+2-tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_load_start_1_load_1(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 3 * LOAD_START_1_BY + ty * 3 + tx];
}

/*# load_start_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_load_start_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[bx * 3 * LOAD_START_1_BY + ty * 3 + tx] = s_r[APLS];
}

/*# load_start_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = 1
INPATTERN 0 = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_load_start_1_compute(float *s_v, float *s_r, int tx, int ty) {
    s_r[APOUT] = 2 * s_v[APIN0];
}
