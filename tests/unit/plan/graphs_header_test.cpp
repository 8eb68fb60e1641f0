// support/kasc_graphs.cuh over a runtime that only remembers what it was asked: what is captured, when launches run as
// they are, and which graph is replayed.
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
enum cudaStreamCaptureMode { cudaStreamCaptureModeRelaxed };

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
cudaError_t cudaGetLastError() { return cudaErrorUnknown; }
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
    void fail(int status) { failed = status; }
    int failed = 0;
};

}  // namespace

#include "../../../support/kasc_graphs.cuh"

namespace {

class Graphs : public testing::Test {
protected:
    Graphs() { ran.clear(); }
    ~Graphs() override { EXPECT_EQ(streams_alive, 0); }

    void capture(const void* array, const std::string& kernel, int status = 0) {
        ran.clear();
        graph_.capture(memory_, {array}, [&] { return launch(kernel), status; });
        EXPECT_EQ(ran, "") << "a capture runs nothing";
        EXPECT_FALSE(capturing);
    }
    std::string run(const void* array, const std::string& kernel, bool replayed = true, int status = 0) {
        ran.clear();
        status_ = graph_.run(memory_, replayed, {array}, [&] { return launch(kernel), status; });
        return ran;
    }
    kasc_memory memory_;
    kasc_graph graph_;
    int status_ = 0;
    const int arrays_[4] = {};
};

TEST_F(Graphs, AreReplayedOnTheirArrays) {
    capture(arrays_, "even");
    capture(arrays_ + 1, "odd");
    capture(arrays_, "again");  // known
    EXPECT_EQ(graphs_alive, 2);
    std::string all;
    for (int n = 0; n < 4; ++n) all += run(arrays_ + n % 2, "x") + " ";
    EXPECT_EQ(all, "<even> <odd> <even> <odd> ") << "its launches are not asked again";
    EXPECT_EQ(graph_.release(), 0);
    EXPECT_EQ(graphs_alive, 0);
    EXPECT_EQ(run(arrays_, "x"), "x");
}

TEST_F(Graphs, OtherArraysAndArgumentsAreLaunchedOneByOne) {
    capture(arrays_, "a");
    EXPECT_EQ(run(arrays_ + 2, "b"), "b");
    EXPECT_EQ(run(arrays_, "c", false), "c");
    EXPECT_EQ(run(arrays_, "d", false, 3), "d");
    EXPECT_EQ(status_, 3);
}

TEST_F(Graphs, WhatCannotBeCapturedIsLaunchedOneByOne) {
    capture(arrays_, "a", 3);
    EXPECT_EQ(memory_.failed, 0) << "the program is prepared all the same";
    EXPECT_EQ(graphs_alive, 0);
    EXPECT_EQ(run(arrays_, "b"), "b");
    EXPECT_EQ(status_, 0);
    memory_.failed = 7;
    EXPECT_EQ(run(arrays_, "c"), "");
    EXPECT_EQ(status_, 7);
    capture(arrays_, "d");
    EXPECT_EQ(graphs_alive, 0);
}

TEST_F(Graphs, TheDefaultStreamIsNotCaptured) {
    int given = 0;
    EXPECT_EQ(kasc_stream(&given).get(), &given);
    EXPECT_EQ(streams_alive, 0);
    EXPECT_EQ(kasc_stream(nullptr).get(), &a_stream);
}

}  // namespace
