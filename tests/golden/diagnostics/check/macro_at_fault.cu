// A macro whose text the compiler refuses, two lines long: its words name this file.
#define TWICE(k) \
    2.0f * nothing(s_v[APIN0 + (k)])

/*# macro_at_fault metadata
Arguments = vector3
Result = vector3
#*/
inline void cpu_macro_at_fault(const float *v, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = 2.0f * v[k];
}

/*# macro_at_fault_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_macro_at_fault_1_load_1(vector3 v, float *s_v, int tx, int bx) {
    for (int k = 0; k < 3; ++k) s_v[APLS + k] = v[bx * 3 * MACRO_AT_FAULT_1_BX + tx * 3 + k];
}

/*# macro_at_fault_1_save metadata
Data type = vector3
Data location = shared
Other parameters = tx, bx
LSPATTERN = start "tx*3", block "3", stride "3", count 1, noreg 0
#*/
__device__ inline void d_macro_at_fault_1_save(float *s_r, vector3 r, int tx, int bx) {
    for (int k = 0; k < 3; ++k) r[bx * 3 * MACRO_AT_FAULT_1_BX + tx * 3 + k] = s_r[APLS + k];
}

/*# macro_at_fault_1 metadata
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
__device__ inline void d_macro_at_fault_1_compute(float *s_v, float *s_r, int tx) {
    for (int k = 0; k < 3; ++k) s_r[APOUT + k] = TWICE(k);
}
