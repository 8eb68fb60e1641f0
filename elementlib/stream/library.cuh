// The version of the format that the files of this library are written in.

/*# library metadata
Format = 1
#*/
