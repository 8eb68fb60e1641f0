/*# variants metadata
function = type,   words
twice1   = matrix, 1
twice3 = vector3
3 = vector3, 3
twice1 = a, b
#*/
/*# $function metadata
Arguments = $type
Result = $type
#*/
inline void cpu_$function(const float *v, float *r) {
    for (int k = 0; k < $words; ++k) r[k] = 2.0f * v[k];
}
