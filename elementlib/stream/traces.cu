// trace44(M) = M_ii and its like. trace33 stands in trace33.cu.

/*# variants metadata
function = type,      n, next
trace22  = matrix2x2, 2, 3
trace44  = matrix4x4, 4, 5
trace55  = matrix5x5, 5, 6
trace66  = matrix6x6, 6, 7
#*/

/*# $function metadata
Arguments = $type
Result = scalar
Flops = $n
#*/
inline void cpu_$function(const float *m, float *r) {
    float sum = m[0];
    for (int k = 1; k < $n; ++k) sum += m[k * $next];
    r[0] = sum;
}
