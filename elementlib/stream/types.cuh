// Types of stream elements: float32 words, row-major, the last index is contiguous.

/*# scalar metadata
Shape = scalar
#*/
typedef float *scalar;

/*# vector3 metadata
Shape = 3
#*/
typedef float *vector3;

/*# matrix3x3 metadata
Shape = 3, 3
#*/
typedef float *matrix3x3;

/*# matrix5x5 metadata
Shape = 5, 5
#*/
typedef float *matrix5x5;

/*# tensor3x3x3 metadata
Shape = 3, 3, 3
#*/
typedef float *tensor3x3x3;

/*# tensor3x3x3x3 metadata
Shape = 3, 3, 3, 3
#*/
typedef float *tensor3x3x3x3;

/*# vector5 metadata
Shape = 5
#*/
typedef float *vector5;

/*# vector2 metadata
Shape = 2
#*/
typedef float *vector2;

/*# vector4 metadata
Shape = 4
#*/
typedef float *vector4;

/*# vector6 metadata
Shape = 6
#*/
typedef float *vector6;

/*# matrix2x2 metadata
Shape = 2, 2
#*/
typedef float *matrix2x2;

/*# matrix4x4 metadata
Shape = 4, 4
#*/
typedef float *matrix4x4;

/*# matrix6x6 metadata
Shape = 6, 6
#*/
typedef float *matrix6x6;

// A symmetric 3x3 matrix by the words that it can choose, in Voigt's order.
/*# symmetric3x3 metadata
Shape = 6
Words = xx, yy, zz, yz, xz, xy
#*/
typedef float *symmetric3x3;

// (w, x, y, z), the real part first.
/*# quaternion metadata
Shape = 4
#*/
typedef float *quaternion;
