// support/kasc_graphs.cuh over a runtime that only remembers what it was asked: when launches run as they are, when
// they are captured, and which graph is replayed.
#include <gtest/gtest.h>

#include <string>

namespace {

// ---- the part of the CUDA runtime that the header uses ----

using cudaStream_t = int*;
struct FakeGraph {
    std::string launches;
};
using cudaGraph_t = FakeGraph*;
using cudaGraphExec_t = FakeGraph*;
enum cudaError_t { cudaSuccess, cudaErrorUnknown };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };

std::string ran;       // launches, in the order in which the device sees them
std::string recorded;  // of the capture that is under way
bool capturing = false;
int graphs_alive = 0, streams_alive = 0;
int a_stream = 0;

void launch(const std::string& kernel) { (capturing ? recorded : ran) += kernel; }

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return *stream = &a_stream, ++streams_alive, cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t) { return --streams_alive, cudaSuccess; }
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
    return capturing = true, recorded.clear(), cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
    return capturing = false, *graph = new FakeGraph{recorded}, ++graphs_alive, cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
    return *made = new FakeGraph{"<" + graph->launches + ">"}, ++graphs_alive, cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return delete graph, --graphs_alive, cudaSuccess; }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) { return delete graph, --graphs_alive, cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t) { return ran += graph->launches, cudaSuccess; }

// ---- of kasc_device.cuh ----

int kasc_check(cudaError_t error, const char*) { return error == cudaSuccess ? 0 : 2; }
struct kasc_memory {
    [[nodiscard]] cudaStream_t stream() const { return &a_stream; }
    [[nodiscard]] int status() const { return failed; }
    int failed = 0;
};

}  // namespace

#include "../../../support/kasc_graphs.cuh"

namespace {

class Graphs : public testing::Test {
protected:
    Graphs() { ran.clear(); }
    ~Graphs() override { EXPECT_EQ(streams_alive, 0); }

    std::string run(kasc_graph& graph, const void* array, const std::string& kernel, int status = 0) {
        ran.clear();
        status_ = graph.run(memory_, {array}, [&] { return launch(kernel), status; });
        return ran;
    }
    kasc_memory memory_;
    int status_ = 0;
    const int arrays_[16] = {};
};

TEST_F(Graphs, AreCapturedTheSecondTime) {
    {
        kasc_graph graph;
        EXPECT_EQ(run(graph, arrays_, "a"), "a");
        EXPECT_EQ(run(graph, arrays_, "b"), "<b>");
        EXPECT_EQ(run(graph, arrays_, "c"), "<b>") << "replayed: its launches are not asked again";
        EXPECT_EQ(graphs_alive, 1);
    }
    EXPECT_EQ(graphs_alive, 0);
}

TEST_F(Graphs, EverySetOfArraysHasItsOwn) {
    kasc_graph graph;
    std::string all;
    for (int n = 0; n < 6; ++n) all += run(graph, arrays_ + n % 2, n % 2 == 0 ? "even" : "odd") + " ";
    EXPECT_EQ(all, "even odd <even> <odd> <even> <odd> ");
}

TEST_F(Graphs, ArraysThatNeverComeBackAreLaunchedOn) {
    kasc_graph graph;
    for (int round = 0; round < 2; ++round) {
        for (int n = 0; n < 16; ++n) run(graph, arrays_ + n, "x");
    }
    EXPECT_EQ(run(graph, arrays_ + 15, "x"), "x");
    EXPECT_EQ(run(graph, arrays_, "x"), "<x>");
}

TEST_F(Graphs, AFailureEndsTheCaptureAndIsPassedOn) {
    kasc_graph graph;
    run(graph, arrays_, "a", 1);
    EXPECT_EQ(status_, 1);
    EXPECT_EQ(run(graph, arrays_, "a", 3), "");
    EXPECT_EQ(status_, 3);
    EXPECT_FALSE(capturing);
    EXPECT_EQ(graphs_alive, 0);
    memory_.failed = 7;
    EXPECT_EQ(run(graph, arrays_, "a"), "");
    EXPECT_EQ(status_, 7);
}

TEST_F(Graphs, TheDefaultStreamIsNotCaptured) {
    int given = 0;
    EXPECT_EQ(kasc_stream(&given).get(), &given);
    EXPECT_EQ(streams_alive, 0);
    EXPECT_EQ(kasc_stream(nullptr).get(), &a_stream);
}

}  // namespace
