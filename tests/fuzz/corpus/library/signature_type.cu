/*# scalar metadata
Shape = scalar
#*/
typedef float *scalar;
/*# vector3 metadata
Shape = 3
#*/
typedef float *vector3;
/*# scale metadata
Arguments = vector3
Result = vector3
Flops = 3
#*/
inline void cpu_scale(const float *v, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = 2.0f * v[k];
}
/*# scale_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_scale_1_load_1(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 3 * SCALE_1_BY + ty * 3 + tx];
}
/*# scale_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_scale_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[bx * 3 * SCALE_1_BY + ty * 3 + tx] = s_r[APLS];
}
/*# scale_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_scale_1_compute(float *s_v, float *s_r, int tx, int ty) {
    s_r[APOUT] = 2.0f * s_v[APIN0];
}
__global__ void cu_scale_1(vector3 v, vector3 r) {}
/*# scale_2_load_1 metadata
Data type = scalar
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*1+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_scale_2_load_1(scalar v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx * 1 * SCALE_2_BY + ty * 1 + tx];
}
/*# scale_2_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*1+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_scale_2_save(float *s_r, scalar r, int tx, int ty, int bx) {
    r[bx * 1 * SCALE_2_BY + ty * 1 + tx] = s_r[APLS];
}
/*# scale_2 metadata
GX = size
GY = 1
GZ = 1
BX = 1
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*1+tx", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*1+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_scale_2_compute(float *s_v, float *s_r, int tx, int ty) {
    s_r[APOUT] = 2.0f * s_v[APIN0];
}
__global__ void cu_scale_2(scalar v, scalar r) {}
