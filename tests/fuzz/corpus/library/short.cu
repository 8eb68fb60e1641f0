/*# a metadata
Shape = 1
#*/typedef float*a;