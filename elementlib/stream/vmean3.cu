// vmean3(v) = (v_0 + v_1 + v_2) / 3.

#include "words4.cuh"

/*# vmean3 metadata
Arguments = vector3
Result = scalar
Flops = 3
#*/
inline void cpu_vmean3(const float *v, float *r) { r[0] = (v[0] + v[1] + v[2]) / 3.0f; }

// vmean3_1: one thread an element.

/*# vmean3_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "VMEAN3_1_BX", count 3, noreg 0
#*/
__device__ inline void d_vmean3_1_load_1(vector3 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) s_v[APLS + k * VMEAN3_1_BX] = v[bx * 3 * VMEAN3_1_BX + tx + k * VMEAN3_1_BX];
}

/*# vmean3_1_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vmean3_1_save(float *s_r, scalar r, int tx, int bx) { r[bx * VMEAN3_1_BX + tx] = s_r[APLS]; }

/*# vmean3_1 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "tx*3", block "3", stride "3", count 1, noreg 0
OUTPATTERN = start "tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_vmean3_1_compute(float *s_v, float *s_r, int tx) {
    s_r[APOUT] = (s_v[APIN0] + s_v[APIN0 + 1] + s_v[APIN0 + 2]) / 3.0f;
}

// vmean3_2: four elements a thread, so that global memory is read and written 16 bytes at a time.

/*# vmean3_2_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "12*tx", block "12", stride "12", count 1, noreg 0
#*/
__device__ inline void d_vmean3_2_load_1(vector3 v, float *s_v, int tx, int bx) {
#pragma unroll
    for (int k = 0; k < 3; ++k) take_words4(s_v + APLS + 4 * k, v + 4 * ((bx * VMEAN3_2_BX + tx) * 3 + k));
}

/*# vmean3_2_save metadata
Data type = scalar
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_vmean3_2_save(float *s_r, scalar r, int tx, int bx) {
    put_words4(r + 4 * (bx * VMEAN3_2_BX + tx), s_r + APLS);
}

/*# vmean3_2 metadata
GX = size
GY = 1
GZ = 1
BX = size (recommended 128)
BY = 1
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "12*tx", block "12", stride "12", count 1, noreg 0
OUTPATTERN = start "4*tx", block "4", stride "4", count 1, noreg 0
#*/
__device__ inline void d_vmean3_2_compute(float *s_v, float *s_r, int tx) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
        s_r[APOUT + e] = (s_v[APIN0 + 3 * e] + s_v[APIN0 + 3 * e + 1] + s_v[APIN0 + 3 * e + 2]) / 3.0f;
    }
}
