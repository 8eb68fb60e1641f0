/*# variants metadata
function = type,   words
scalar   = scalar, 1
#*/
/*# $function metadata
Shape = $words$words$words$words$words
#*/
typedef float *$type;
