#pragma once
// Launches of a host plan's kernels: which alternative fits the extents, what its scalars are. Internal to this folder.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "execute/division.hpp"
#include "execute/numbers.hpp"
#include "execute/rank_order.hpp"
#include "execute/slots.hpp"
#include "plan/host_plan.hpp"
#include "runtime/devices/compute_device.hpp"

namespace kasc::execute {

/// A kernel of the plan, as it is launched with these extents. Numbers that no loop moves are computed once.
class Overlaps;

class Launcher {
public:
    /// The run that launches it; outlives the launcher.
    struct Run {
        const Program& program;
        const Numbers& numbers;
        runtime::ComputeDevice& device;
        const Division& division;
        RankOrder& order;
        const Slots& slots;
        Overlaps* overlaps = nullptr;  ///< of a block; null: the run has the whole grid
    };
    /// The references must outlive the launcher. `storing`: a transform calls the kernel for each cell.
    Launcher(const Run& run, const kernel::Lowered& lowered, const LaunchStep& step, bool storing);

    [[nodiscard]] const kernel::Kernel& kernel() const { return *kernel_; }
    /// Bytes of its scalars and addresses, with what alignment may add.
    [[nodiscard]] std::uint64_t argument_bytes() const { return 16 * kernel_->parameters.size() + 16; }
    /// Why it may not be launched in this iteration; empty: it may. `riding`: a former iteration has left cells.
    [[nodiscard]] std::string misplaced(bool riding) const;
    /// `array`: where a value's array lies.
    template <class Place>
    void launch(const Place& array, bool riding) {
        bind(array, riding);
        launch_bound();
    }
    /// The addresses of the arguments, without the array that a storing transform hands over itself.
    template <class Place>
    const std::vector<void*>& bind(const Place& array, bool riding) {
        for (Argument& a : arguments_) {
            if (a.value) {
                a.word.address = array(*a.value);
            } else if (a.moves) {
                compute(a, riding);
            }
        }
        return addresses_;
    }
    /// What these blocks touch of the arrays that were bound last; without a share: all of them.
    [[nodiscard]] std::vector<ranks::Touch> touches(const ranks::GridShare* share = nullptr) const;
    /// What was wrong with the last launch; empty: it went well.
    [[nodiscard]] const std::string& fault() const { return fault_; }

private:
    union Word {
        std::byte* address;
        std::int32_t i32;
        std::int64_t i64;
        float f32;
        double f64;
        std::uint8_t u8;
    };
    struct Argument {
        const kernel::Parameter* parameter;
        std::optional<ValueId> value;  ///< of an array
        bool moves = false;            ///< with a loop
        Word word{};
    };
    const Program& program_;
    const Numbers& numbers_;
    runtime::ComputeDevice& device_;
    const Division& division_;
    RankOrder& order_;
    const Slots& slots_;
    const LaunchStep& step_;
    const kernel::Kernel* first_;
    const kernel::Kernel* kernel_;
    std::size_t number_ = 0;
    bool storing_, grid_moves_ = false;
    ranks::Grid grid_{1, 1, 1};
    ranks::LaunchShares shares_;          ///< of several ranks
    std::vector<ranks::LanePart> parts_;  ///< of those that are here
    std::vector<Argument> arguments_;
    std::vector<void*> addresses_;
    std::vector<Word> seen_;  ///< the arguments of a part
    std::vector<void*> seen_addresses_;
    std::string fault_;

    void count_blocks(Argument& argument);
    void compute(Argument& argument, bool riding);
    void compute_grid();
    void launch_bound();
    void share_out();
    void launch_parts(const runtime::LaunchShape& block);
    [[nodiscard]] const std::vector<void*>& addresses_seen(const RankOrder::Seen& seen);
};

}  // namespace kasc::execute
