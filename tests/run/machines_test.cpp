// What processes compute on, as each of them tells the others.
#include <gtest/gtest.h>

#include <thread>

#include "engine/machine.hpp"
#include "support/thread_ranks.hpp"

namespace kasc {
namespace {

/// What check_alike() says on each of the ranks, which compute on these.
std::vector<std::string> said(const std::vector<Machine>& machines) {
    const auto all = std::make_shared<test::ThreadRanks>();
    std::vector<std::string> messages(machines.size());
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < machines.size(); ++rank) {
        threads.emplace_back([&, rank] {
            test::ThreadRank own(all, static_cast<int>(rank), static_cast<int>(machines.size()));
            Machine machine = machines[rank];
            machine.processes = &own;
            const Diagnostics bad = check_alike(machine);
            if (!bad.empty()) messages[rank] = bad.front().code + " " + bad.front().message;
        });
    }
    for (std::thread& thread : threads) thread.join();
    return messages;
}

TEST(Machines, OfOneKindShareARun) {
    const Machine h100{emit::Target::cuda, "h100", 90, "NVIDIA H100 80GB HBM3", ""},
        other_h100{emit::Target::cuda, "h100", 90, "NVIDIA H100 PCIe", ""};
    EXPECT_EQ(said({Machine{}, Machine{}}), (std::vector<std::string>{"", ""}));
    EXPECT_EQ(said({h100, other_h100}), (std::vector<std::string>{"", ""}));
}

TEST(Machines, OfOtherKindsAreRefusedByAll) {
    const Machine h100{emit::Target::cuda, "h100", 90, "NVIDIA H100 80GB HBM3", ""},
        a100{emit::Target::cuda, "a100", 80, "NVIDIA A100", ""};
    const std::string mixed =
        "K0917 rank 2 of 3 computes on CPUs, and rank 0 on a GPU like h100, of compute capability 9.0";
    EXPECT_EQ(said({h100, h100, Machine{}}), (std::vector<std::string>{mixed, mixed, mixed}));
    EXPECT_NE(said({h100, a100})[0], "");
}

}  // namespace
}  // namespace kasc
