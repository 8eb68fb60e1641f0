/*# scalar metadata
Shape = scalar
#*/
typedef float *scalar;
/*# vector3 metadata
Shape = 3
Words = x, Y, z
#*/
typedef float *vector3;
/*# vector4 metadata
Shape = 4
Words = a, b
#*/
typedef float *vector4;
