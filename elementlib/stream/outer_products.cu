// vouter4(a, b): R_ij = a_i b_j, and its like. vouter3 stands in vouter3.cu.

/*# variants metadata
function = vector,  matrix,    n, words
vouter2  = vector2, matrix2x2, 2, 4
vouter4  = vector4, matrix4x4, 4, 16
vouter5  = vector5, matrix5x5, 5, 25
vouter6  = vector6, matrix6x6, 6, 36
#*/

/*# $function metadata
Arguments = $vector, $vector
Result = $matrix
Flops = $words
#*/
inline void cpu_$function(const float *a, const float *b, float *r) {
    for (int y = 0; y < $n; ++y) {
        for (int x = 0; x < $n; ++x) r[y * $n + x] = a[y] * b[x];
    }
}
