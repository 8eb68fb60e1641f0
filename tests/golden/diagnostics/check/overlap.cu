// Both threads of an element write all of its result.

/*# overlap metadata
Arguments = vector3
Result = vector3
#*/
inline void cpu_overlap(const float *v, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = 2 * v[k];
}

/*# overlap_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_overlap_1_load_1(vector3 v, float *s_v, int tx, int ty, int bx) {
    for (int k = 0; k < 3; ++k) s_v[APLS + k] = v[(bx * OVERLAP_1_BY + ty) * 3 + k];
}

/*# overlap_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_overlap_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    for (int k = 0; k < 3; ++k) r[(bx * OVERLAP_1_BY + ty) * 3 + k] = s_r[APLS + k];
}

/*# overlap_1 metadata
GX = size
GY = 1
GZ = 1
BX = 2
BY = size (recommended 32)
BZ = 1
BATCH = 1
INPATTERN 0 = start "ty*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "ty*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_overlap_1_compute(float *s_v, float *s_r, int tx, int ty) {
    for (int k = 0; k < 3; ++k) s_r[APOUT + k] = 2 * s_v[APIN0 + k] + tx;
}
