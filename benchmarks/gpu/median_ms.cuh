// Milliseconds of a call on the device: of 7 times 20 calls in a row, after ten, the median of the means.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

template <class Call>
static float median_ms(Call call) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    std::vector<float> all;
    for (int i = 0; i < 10; ++i) call();
    for (int k = 0; k < 7; ++k) {
        cudaEventRecord(begin);
        for (int i = 0; i < 20; ++i) call();
        cudaEventRecord(end), cudaEventSynchronize(end);
        float ms = 0;
        cudaEventElapsedTime(&ms, begin, end);
        all.push_back(ms / 20);
    }
    std::sort(all.begin(), all.end());
    return all[3];
}
