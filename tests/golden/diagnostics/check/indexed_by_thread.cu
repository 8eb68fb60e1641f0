// Threads pick words of the element by their number: no register is picked so.

/*# indexed_by_thread metadata
Arguments = vector3
Result = vector3
#*/
inline void cpu_indexed_by_thread(const float *v, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = v[k];
}

/*# indexed_by_thread_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_indexed_by_thread_1_load_1(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[(bx * INDEXED_BY_THREAD_1_BY + ty) * 3 + tx];
}

/*# indexed_by_thread_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_indexed_by_thread_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[(bx * INDEXED_BY_THREAD_1_BY + ty) * 3 + tx] = s_r[APLS];
}

/*# indexed_by_thread_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size
BZ = 1
BATCH = 1
INPATTERN 0 = start "ty*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_indexed_by_thread_1_compute(float *s_v, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_v[APIN0 + tx];
}
