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

// (w, x, y, z), the real part first.
/*# quaternion metadata
Shape = 4
#*/
typedef float *quaternion;
