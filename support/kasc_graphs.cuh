// Launches that are the same in every iteration of a loop, as CUDA graphs: for code emitted by kasc.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace {

// The stream of a run. The default stream cannot be captured: in its place stands a stream of the run's own, which waits
// for the default stream's work and is waited for by it, as blocking streams are.
class kasc_stream {
public:
    explicit kasc_stream(void *given) : stream_(static_cast<cudaStream_t>(given))
    {
        if (given == nullptr) own_ = cudaStreamCreate(&stream_) == cudaSuccess;
    }
    ~kasc_stream()
    {
        if (own_) cudaStreamDestroy(stream_);
    }
    kasc_stream(const kasc_stream &) = delete;

    cudaStream_t get() const { return stream_; }

private:
    cudaStream_t stream_;
    bool own_ = false;
};

// Launches that depend on nothing but the arrays they work on. The first time on the same arrays they run as they are,
// which also loads their kernels; the second time they are captured, from then on replayed.
class kasc_graph {
public:
    kasc_graph() = default;
    ~kasc_graph()
    {
        for (const capture &c : captures_)
            if (c.graph != nullptr) cudaGraphExecDestroy(c.graph);
    }
    kasc_graph(const kasc_graph &) = delete;

    template <class Launches>
    int run(kasc_memory &memory, std::initializer_list<const void *> arrays, const Launches &launches)
    {
        if (memory.status() != 0) return memory.status();
        const auto seen = std::find_if(captures_.begin(), captures_.end(), [&](const capture &c) {
            return std::equal(arrays.begin(), arrays.end(), c.arrays.begin(), c.arrays.end());
        });
        if (seen == captures_.end()) {
            // Arrays that change places are few; where they never come back there is nothing to replay.
            if (captures_.size() < most) captures_.push_back({arrays, nullptr});
            return launches();
        }
        if (seen->graph == nullptr) {
            if (const int status = make(memory, launches, seen->graph); status != 0) return status;
        }
        return kasc_check(cudaGraphLaunch(seen->graph, memory.stream()), "a graph of launches");
    }

private:
    static constexpr std::size_t most = 8;
    struct capture {
        std::vector<const void *> arrays;
        cudaGraphExec_t graph;
    };
    std::vector<capture> captures_;

    template <class Launches>
    static int make(kasc_memory &memory, const Launches &launches, cudaGraphExec_t &made)
    {
        const cudaError_t begun = cudaStreamBeginCapture(memory.stream(), cudaStreamCaptureModeThreadLocal);
        if (begun != cudaSuccess) return kasc_check(begun, "the capture of a graph");
        cudaGraph_t graph = nullptr;
        const int status = launches();
        const cudaError_t ended = cudaStreamEndCapture(memory.stream(), &graph);
        if (status == 0 && ended == cudaSuccess) {
            const cudaError_t error = cudaGraphInstantiateWithFlags(&made, graph, 0);
            cudaGraphDestroy(graph);
            return kasc_check(error, "a graph of launches");
        }
        if (graph != nullptr) cudaGraphDestroy(graph);
        return status != 0 ? status : kasc_check(ended, "the capture of a graph");
    }
};

}  // namespace
