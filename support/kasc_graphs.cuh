// Launches that are the same in every iteration of a loop, as CUDA graphs: for code emitted by kasc.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace {

// The stream of a prepared program. The default stream cannot be captured: in its place stands a stream of the run's
// own, which waits for the default stream's work and is waited for by it, as blocking streams are.
class kasc_stream {
public:
    explicit kasc_stream(void* given) : stream_(static_cast<cudaStream_t>(given)) {
        if (given != nullptr) return;
        status_ = kasc_check(cudaStreamCreate(&stream_), "a stream");
        own_ = status_ == 0;
    }
    ~kasc_stream() { release(); }
    kasc_stream(const kasc_stream&) = delete;

    cudaStream_t get() const { return stream_; }
    int status() const { return status_; }
    int release() {
        const bool own = own_;
        own_ = false;
        return own ? kasc_check(cudaStreamDestroy(stream_), "a stream") : 0;
    }

private:
    cudaStream_t stream_;
    int status_ = 0;
    bool own_ = false;
};

// Launches that depend on nothing but the program's arguments and the arrays they work on: captured once for all arrays
// that change places in a loop, then replayed.
class kasc_graph {
public:
    kasc_graph() = default;
    ~kasc_graph() { release(); }
    kasc_graph(const kasc_graph&) = delete;

    // Nothing is run. Where the launches cannot be captured there is no graph: they are as good one by one.
    template <class Launches>
    void capture(kasc_memory& memory, std::initializer_list<const void*> arrays, const Launches& launches) {
        if (memory.status() != 0 || find(arrays) != nullptr) return;
        cudaGraphExec_t made = nullptr;
        if (make(memory, launches, made) == 0 && memory.status() == 0) {
            captured& c = captures_.emplace_back();
            for (const void* array : arrays) c.arrays.push_back({array});
            c.graph = made;
            return;
        }
        (void)cudaGetLastError();  // it is answered
        memory.fail(0);
    }
    // `replayed`: the arguments are those of the capture.
    template <class Launches>
    int run(kasc_memory& memory, bool replayed, std::initializer_list<const void*> arrays, const Launches& launches) {
        if (memory.status() != 0) return memory.status();
        const captured* known = replayed ? find(arrays) : nullptr;
        return known == nullptr ? launches()
                                : kasc_check(cudaGraphLaunch(known->graph, memory.stream()), "a graph of launches");
    }
    int release() {
        int status = 0;
        for (const captured& c : captures_) {
            const int one = kasc_check(cudaGraphExecDestroy(c.graph), "a graph of launches");
            if (status == 0) status = one;
        }
        captures_.clear();
        return status;
    }

private:
    struct place {
        const void* array;
    };
    struct captured {
        std::vector<place> arrays;
        cudaGraphExec_t graph;
    };
    std::vector<captured> captures_;

    const captured* find(std::initializer_list<const void*> arrays) const {
        for (const captured& c : captures_)
            if (std::equal(arrays.begin(), arrays.end(), c.arrays.begin(), c.arrays.end(),
                           [](const void* array, place p) { return array == p.array; }))
                return &c;
        return nullptr;
    }
    template <class Launches>
    static int make(kasc_memory& memory, const Launches& launches, cudaGraphExec_t& made) {
        // Relaxed: a library may load a kernel as it is first launched.
        const cudaError_t begun = cudaStreamBeginCapture(memory.stream(), cudaStreamCaptureModeRelaxed);
        if (begun != cudaSuccess) return kasc_check(begun, "the capture of a graph");
        cudaGraph_t graph = nullptr;
        const int status = launches();
        const cudaError_t ended = cudaStreamEndCapture(memory.stream(), &graph);
        int result = status != 0 ? status : kasc_check(ended, "the capture of a graph");
        if (result == 0) result = kasc_check(cudaGraphInstantiateWithFlags(&made, graph, 0), "a graph of launches");
        if (graph != nullptr) {
            const int destroyed = kasc_check(cudaGraphDestroy(graph), "a graph of launches");
            if (result == 0) result = destroyed;
        }
        return result;
    }
};

}  // namespace
