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
