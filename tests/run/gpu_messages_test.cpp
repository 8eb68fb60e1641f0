// Messages between processes on GPUs, with a driver and an NCCL that are pretended; processes are threads.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <thread>

#include "runtime/devices/cuda_ranks.hpp"
#include "runtime/devices/device_messages.hpp"
#include "support/thread_ranks.hpp"

namespace kasc::runtime {
namespace {

constexpr int ranks = 3;
using Pairs = std::vector<std::pair<int, int>>;

class GpuMessages : public testing::Test {
protected:
    void SetUp() override {
        static const bool another = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD) != nullptr;
        if (another) GTEST_SKIP() << "there is another driver";
        ASSERT_NE(dlopen(PRETENDED_GPUS "/libcuda.so.1", RTLD_NOW), nullptr) << dlerror();
        nccl_ = dlopen(PRETENDED_GPUS "/libnccl.so.2", RTLD_NOW);
        ASSERT_NE(nccl_, nullptr) << dlerror();
    }
    [[nodiscard]] int connections() const {
        return reinterpret_cast<int (*)()>(dlsym(nccl_, "pretended_connections"))();
    }
    static void on_each(const std::function<void(Communicator&)>& act) {
        const auto all = std::make_shared<test::ThreadRanks>();
        std::vector<std::thread> threads;
        for (int rank = 0; rank < ranks; ++rank) {
            threads.emplace_back([&, rank] {
                test::ThreadRank own(all, rank, ranks, static_cast<unsigned>(rank) + 1);
                act(own);
            });
        }
        for (std::thread& thread : threads) thread.join();
    }
    /// Each sends both neighbours three rows of two bytes, again and again; what was exchanged, by rank.
    static std::array<Exchanged, ranks> exchange_rows(const std::function<std::unique_ptr<Nccl>(Communicator&)>& nccl) {
        std::array<Exchanged, ranks> exchanged;
        on_each([&](Communicator& own) {
            constexpr int times = 300;  // more than the host may be ahead
            const int rank = own.rank();
            CudaCode code;
            code.kernels = std::make_shared<LoadedKernels>(std::vector<std::string>{}, rank);
            auto opened = open_cuda_of_process(std::move(code), rank, nccl(own));
            ASSERT_TRUE(opened);
            ComputeDevice& device = **opened.value;
            std::byte* const array = device.take_cut("T", 1000, {});
            std::array<unsigned char, 50> cells;
            cells.fill(static_cast<unsigned char>(rank + 1));
            device.upload(array, cells.data(), cells.size());
            device.zero(array + 50, 100);
            {
                DeviceMessages messages(device, own);
                for (int k = 0; k < times; ++k) {
                    std::vector<Message> all;
                    for (const int other : {rank - 1, rank + 1}) {
                        if (other < 0 || other >= ranks) continue;
                        all.push_back({other, true, array, 2, 3, 10});
                        all.push_back({other, false, array + (other < rank ? 50 : 100), 2, 3, 10});
                    }
                    messages.exchange(all);
                }
            }
            for (const int other : {rank - 1, rank + 1}) {
                if (other < 0 || other >= ranks) continue;
                device.download(cells.data(), array + (other < rank ? 50 : 100), cells.size());
                const auto of_other = static_cast<unsigned char>(other + 1);
                const std::vector<unsigned char> came(cells.begin() + 10, cells.begin() + 13);
                EXPECT_EQ(came, (std::vector<unsigned char>{of_other, of_other, 0})) << rank;
            }
            EXPECT_EQ(device.fault(), "");
            exchanged[static_cast<std::size_t>(rank)] = own.exchanged();
        });
        return exchanged;
    }

private:
    void* nccl_ = nullptr;
};

TEST_F(GpuMessages, GoByNcclWhichHasConnectedThosePairsBefore) {
    int before = 0;
    const auto exchanged = exchange_rows([&](Communicator& own) {
        auto nccl = NcclStart::begin(own, own.rank(), {{0, 1}, {1, 2}})->finish(own);
        if (own.rank() == 0) before = connections();
        return nccl;
    });
    EXPECT_EQ(before, 4);
    for (const Exchanged& of_rank : exchanged) {
        EXPECT_EQ(of_rank.way, "from GPU to GPU by NCCL");
        EXPECT_EQ(of_rank.times, 300U);
        EXPECT_NEAR(of_rank.seconds, 0.3, 1e-6) << "a millisecond each";
    }
    EXPECT_EQ(exchanged[0].bytes_sent, 300U * 6);
    EXPECT_EQ(exchanged[1].bytes_sent, 300U * 12);
}

TEST_F(GpuMessages, GoThroughTheHostsMemoryWithoutIt) {
    const auto exchanged = exchange_rows([](Communicator&) { return nullptr; });
    for (const Exchanged& of_rank : exchanged) EXPECT_EQ(of_rank.way, "through the host's memory, by MPI");
}

TEST_F(GpuMessages, AStartThatNobodyWantsAnyMoreEndsByItself) {
    on_each([](Communicator& own) { EXPECT_NE(NcclStart::begin(own, own.rank(), {{0, 2}}), nullptr); });
    EXPECT_EQ(connections(), 0) << "all communicators are gone";
}

TEST_F(GpuMessages, NcclDoesNotStartWhereItCannot) {
    on_each([](Communicator& own) {
        const int rank = own.rank();
        EXPECT_EQ(NcclStart::begin(own, rank, {}), nullptr) << "nothing will be sent";
        EXPECT_EQ(NcclStart::begin(own, rank % 2, {{0, 1}}), nullptr) << "two have a GPU in common";
        EXPECT_EQ(NcclStart::begin(own, rank, rank == 1 ? Pairs{{0, 1}} : Pairs{{0, 2}}), nullptr)
            << "they have other plans";
    });
}

}  // namespace
}  // namespace kasc::runtime
