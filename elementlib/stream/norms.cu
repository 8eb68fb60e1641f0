// venorm4(v) = |v| and its like, the Euclidean norm. venorm3 stands in venorm3.cu.

/*# variants metadata
function = type,    words, flops
venorm2  = vector2, 2,     4
venorm4  = vector4, 4,     8
venorm5  = vector5, 5,     10
venorm6  = vector6, 6,     12
#*/

/*# $function metadata
Arguments = $type
Result = scalar
Flops = $flops
#*/
inline void cpu_$function(const float *v, float *r) {
    float sum = v[0] * v[0];
    for (int k = 1; k < $words; ++k) sum = fmaf(v[k], v[k], sum);
    r[0] = sqrtf(sum);
}
