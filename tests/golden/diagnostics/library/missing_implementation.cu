/*# scalar metadata
Shape = scalar
#*/
typedef float *scalar;
/*# vector3 metadata
Shape = 3
#*/
typedef float *vector3;
/*# scale metadata
Arguments = vector3
Result = vector3
Flops = 3
#*/
inline void cpu_scale(const float *v, float *r) {
    for (int k = 0; k < 3; ++k) r[k] = 2.0f * v[k];
}
