/* heat2d.kas in pieces: prints the hottest cell after every 50 steps, and stops when it has cooled. */
#include <stdio.h>
#include <stdlib.h>

#include "heat2d.h"

static int failed(void)
{
    fprintf(stderr, "heat2d: %s\n", heat2d_message());
    return 1;
}

int main(void)
{
    enum { nx = 200, ny = 100 };
    float *T = calloc(nx * ny, sizeof(float)), *result = malloc(nx * ny * sizeof(float));
    heat2d_arguments arguments = {0};
    heat2d_prepared *prepared = NULL;
    if (T == NULL || result == NULL) return 1;
    T[ny / 2 * nx + nx / 2] = 1000;
    arguments.nx = nx, arguments.ny = ny, arguments.alpha = 0.2f, arguments.steps = 1000;
    arguments.T = T, arguments.T_out = result;
    if (heat2d_prepare(&arguments, NULL, &prepared) != heat2d_ok) return failed();
    if (heat2d_begin(prepared, &arguments) != heat2d_ok) return failed();
    while (heat2d_done(prepared) < heat2d_total(prepared)) {
        float hottest = 0;
        heat2d_array array;
        /* The state of an iteration: here T alone. */
        if (heat2d_advance(prepared, 50, NULL) != heat2d_ok || heat2d_state(prepared, 0, &array) != heat2d_ok) return failed();
        if (array.name == NULL) break; /* the loop has ended */
        if (heat2d_read_state(prepared, 0, result) != heat2d_ok) return failed();
        for (int k = 0; k < nx * ny; ++k) hottest = result[k] > hottest ? result[k] : hottest;
        printf("%lld: %g\n", heat2d_done(prepared), hottest);
        if (hottest < 2) break;
    }
    if (heat2d_release(prepared) != heat2d_ok) return failed();
    free(T), free(result);
    return 0;
}
