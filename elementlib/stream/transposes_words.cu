// transpose33_1 and its like: a thread a word.

/*# variants metadata
function    = type,      n, words
transpose22 = matrix2x2, 2, 4
transpose33 = matrix3x3, 3, 9
#*/

// Implementation 1: a thread a word.

/*# $function_1_load_1 metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$words+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_load_1($type m, float *s_m, int tx, int ty, int bx) {
    s_m[APLS] = m[bx * $words * $FUNCTION_1_BY + ty * $words + tx];
}

/*# $function_1_save metadata
Data type = $type
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*$words+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_save(float *s_r, $type r, int tx, int ty, int bx) {
    r[bx * $words * $FUNCTION_1_BY + ty * $words + tx] = s_r[APLS];
}

/*# $function_1 metadata
GX = size
GY = 1
GZ = 1
BX = $words
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*$words+tx%$n*$n+tx/$n", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*$words+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_$function_1_compute(float *s_m, float *s_r, int tx, int ty) { s_r[APOUT] = s_m[APIN0]; }
