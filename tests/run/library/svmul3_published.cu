// The published form of a library file: no function block, no reference, an empty kernel body, one thread a component.

/*# svmul3_9_load_1 metadata
Data type = VECTOR3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul3_9_load_1(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx*3*SVMUL3_9_BY + ty*3 + tx];
}
/*# svmul3_9_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul3_9_load_2(scalar s, float *s_s, int tx, int ty, int bx) {
    s_s[APLS] = s[bx*SVMUL3_9_BY + ty];
}
/*# svmul3_9_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul3_9_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[bx*3*SVMUL3_9_BY + ty*3 + tx] = s_r[APLS];
}
__device__ inline void d_svmul3_9_compute(float *s_v, float *s_s, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_v[APIN0] * s_s[APIN1];
}
/*# svmul3_9 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
INPATTERN 1 = start "ty", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__global__ void cu_svmul3_9(vector3 v, scalar s, vector3 r) {
}
