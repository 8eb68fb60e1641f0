#pragma once
// Calling the kernels that measure a library function.

#include <memory>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/devices/memory.hpp"
#include "runtime/runs/bench_entry.hpp"

namespace kasc::runtime {

struct BenchPoint {
    int elements = 0, extra_shared_bytes = 0;
};
struct BenchTimes {
    bool fits = false;                                ///< false: a block does not fit a multiprocessor
    double load_ns = 0, compute_ns = 0, save_ns = 0;  ///< of the whole stream
    int registers = 0;                                ///< of the computing kernel
    int resident_threads = 0;                         ///< of it, on a multiprocessor
};

class BenchLibrary {
public:
    /// Streams of n elements; `input_words` an element, by argument. K0804 it cannot be loaded, K0812 no room.
    [[nodiscard]] static Outcome<BenchLibrary> open(const std::string& library, DeviceMemory& memory, int n,
                                                    const std::vector<int>& input_words, int output_words);
    /// Medians of `repeats`. K0812 the device failed.
    [[nodiscard]] Outcome<BenchTimes> measure(const BenchPoint& point, int repeats) const;

private:
    std::shared_ptr<void> code_;
    kasc_bench_function function_ = nullptr;
    int n_ = 0;
    std::vector<float*> inputs_;
    float* output_ = nullptr;
};

}  // namespace kasc::runtime
