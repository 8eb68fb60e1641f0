// vnormalise4(v) = v / |v| and its like. vnormalise3 stands in vnormalise3.cu.

/*# variants metadata
function    = type,    words, flops
vnormalise2 = vector2, 2,     7
vnormalise4 = vector4, 4,     13
vnormalise5 = vector5, 5,     16
vnormalise6 = vector6, 6,     19
#*/

/*# $function metadata
Arguments = $type
Result = $type
Flops = $flops
#*/
inline void cpu_$function(const float *v, float *r) {
    float sum = v[0] * v[0];
    for (int k = 1; k < $words; ++k) sum = fmaf(v[k], v[k], sum);
    const float scale = 1.0f / sqrtf(sum);
    for (int k = 0; k < $words; ++k) r[k] = v[k] * scale;
}
