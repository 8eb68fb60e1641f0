#pragma once
// The ranks that run a plan together, and what they do before each of them touches arrays. Internal to this folder.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "ranks/order.hpp"
#include "ranks/shares.hpp"
#include "runtime/devices/compute_device.hpp"
#include "runtime/files/digest.hpp"
#include "runtime/processes/communicator.hpp"

namespace kasc::execute {

class RankOrder {
public:
    virtual ~RankOrder() = default;
    RankOrder(const RankOrder&) = delete;
    RankOrder& operator=(const RankOrder&) = delete;

    [[nodiscard]] virtual int ranks() const = 0;
    [[nodiscard]] bool several() const { return ranks() > 1; }
    [[nodiscard]] virtual ranks::Memory memory() const = 0;
    /// What the rank does is done by this process.
    [[nodiscard]] virtual bool is_here(int rank) const = 0;
    /// The one that this process is; of a device's ranks the first.
    [[nodiscard]] virtual int here() const = 0;
    /// What the device knows a lane of the ranks by (ranks/shares.hpp): a process' own device has those of one rank.
    [[nodiscard]] int lane_here(int lane) const { return memory() == ranks::Memory::own ? lane / ranks() : lane; }
    /// All ranks can go on, this one as it says.
    [[nodiscard]] virtual bool all_well(bool own) { return own; }
    /// Rank 0's on all of them.
    virtual void tell(std::vector<std::int64_t>& /*numbers*/) {}
    /// Before what each rank does of its own in its first lane: a part a rank that does something, its lane is the
    /// rank.
    virtual void launch(const std::vector<ranks::Part>& of_ranks) = 0;
    /// Where a part's rank finds an array that its touches name.
    using Seen = std::function<std::byte*(std::byte*)>;
    /// Asks for the part of this number.
    using Begin = std::function<void(std::size_t, const Seen&)>;
    /// A launch whose parts are in no order with each other. `here`: parts of it that are done here, each in a lane of
    /// the device (lane_here), which are begun once the device knows what they wait for. `of_ranks`: as above, by ranks
    /// of their own memory.
    virtual void launch(const std::vector<ranks::Part>& of_ranks, const std::vector<ranks::Part>& here,
                        const Begin& begin) = 0;

    /// Before what all ranks do next, each of its part of these arrays. Of one memory that is the device's to know.
    void all(const std::vector<ranks::Touch>& touches);
    /// Before what is not shared: of one memory rank 0 does it alone, else each rank for itself.
    void whole(const std::vector<ranks::Touch>& touches);
    /// Rank 0 has these bytes, and reads them now; no other need.
    void bring_to_first(const void* array, std::int64_t low, std::int64_t high);
    /// Rank 0 alone has them from now on, by what it was given.
    virtual void give_to_first(const void* /*array*/, std::int64_t /*low*/, std::int64_t /*high*/) {}
    /// Each rank has these bytes of an array from now on, by what it was given.
    virtual void give(const std::vector<ranks::Touch>& /*of_rank*/) {}
    /// Before each does something with its own of these.
    void each(const std::vector<ranks::Touch>& of_rank);
    /// The digest of what all ranks add, one after the other; all have it.
    [[nodiscard]] virtual runtime::Digest digest(const std::function<void(runtime::Digest&)>& add);

protected:
    RankOrder() = default;
};

/// Ranks of a device: before each launch it is told which lane waits for which. The device outlives them.
[[nodiscard]] std::unique_ptr<RankOrder> ranks_of(runtime::ComputeDevice& device);
/// Processes: before each launch they send each other what they lack. The device is this process' own, in whose memory
/// arrays lie. Both outlive them.
[[nodiscard]] std::unique_ptr<RankOrder> ranks_of(runtime::Communicator& processes, runtime::ComputeDevice& device);

}  // namespace kasc::execute
