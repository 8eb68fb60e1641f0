// nvcc -O3 -std=c++17 -gencode arch=compute_90,code=lto_90 -dc -fatbin callbacks_device.cu -o callbacks.fatbin
#include "callbacks_device.cuh"

#define STORE(name, word, type)                                                                            \
    __device__ void name(void* to, unsigned long long i, type v, void* step, void*) {                      \
        name##_cell(*static_cast<const Step*>(step), static_cast<word*>(to), static_cast<unsigned>(i), v); \
    }
STORE(derivative, float2, cufftComplex)
STORE(power, float2, cufftComplex)
STORE(gradient, float2, cufftComplex)
STORE(velocity, float, cufftReal)
STORE(density, float, cufftReal)
STORE(pressure, float, cufftReal)
