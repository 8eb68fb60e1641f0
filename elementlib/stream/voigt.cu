// Voigt's notation: stresses and strains as vectors of six words xx, yy, zz, yz, xz, xy, in the engineer's convention:
// a strain's shears are doubled (2 yz, 2 xz, 2 xy), a stress's are not, so that a stiffness's 6x6 matrix is symmetric
// and half the product of stress and strain is energy. stress = mvmul66(C, strain).

/*# variants metadata
function     = argument,     result,       factor
voigtstress  = symmetric3x3, vector6,      1.0f
stressvoigt  = vector6,      symmetric3x3, 1.0f
voigtstrain  = symmetric3x3, vector6,      2.0f
strainvoigt  = vector6,      symmetric3x3, 0.5f
#*/

/*# $function metadata
Arguments = $argument
Result = $result
Flops = 3
#*/
inline void cpu_$function(const float *a, float *r) {
    for (int k = 0; k < 6; ++k) r[k] = k < 3 ? a[k] : a[k] * $factor;
}
