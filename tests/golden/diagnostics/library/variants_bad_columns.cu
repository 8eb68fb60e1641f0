/*# variants metadata
function = type, Words, type
twice1   = matrix, 1
#*/
/*# $function metadata
Arguments = $type
Result = $type
#*/
inline void cpu_$function(const float *v, float *r) {
    for (int k = 0; k < $words; ++k) r[k] = 2.0f * v[k];
}
