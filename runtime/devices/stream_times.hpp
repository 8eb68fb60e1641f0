#pragma once
// How long a stream is at certain of the things that it is asked for, measured by events while the host goes on.

#include <array>
#include <cstddef>

#include "runtime/devices/cuda_driver.hpp"

namespace kasc::runtime {

class StreamTimes {
public:
    /// The driver outlives it. All calls within the stream's context.
    explicit StreamTimes(const CudaDriver& driver) : driver_(driver) {}
    StreamTimes(const StreamTimes&) = delete;
    StreamTimes& operator=(const StreamTimes&) = delete;
    ~StreamTimes();

    /// What is asked for between the two is measured. CUDA's error, 0: none.
    [[nodiscard]] int begin(void* stream);
    [[nodiscard]] int end(void* stream);
    /// That all of it has taken; waits for the last.
    [[nodiscard]] double seconds();

private:
    struct Span {
        void *begun = nullptr, *ended = nullptr;
        bool open = false;  ///< not counted yet
    };
    const CudaDriver& driver_;
    /// So far may the host be ahead of the stream.
    std::array<Span, 256> spans_;
    std::size_t next_ = 0;
    double seconds_ = 0;

    void count(Span& span);
};

}  // namespace kasc::runtime
