/*# variants metadata
function = type,   words
twice1   = matrix, 1
#*/
/*# $function metadata
Arguments = $type
Result = $type
#*/
inline void cpu_$function(const float *v, float *r) {
    for (int k = 0; k < $word; ++k) r[k] = 2.0f * v[k];
}
// $Other and $ 5
