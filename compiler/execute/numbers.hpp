#pragma once
// What a host plan's expressions are over: extents, parameters, where its loops stand. Internal to this folder.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emit/interface_names.hpp"
#include "kernel/host_value.hpp"
#include "library/library.hpp"
#include "plan/host_plan.hpp"
#include "runtime/runs/entry_library.hpp"

namespace kasc::execute {

/// The arguments' extents, of streams at least as many elements as the plan's blocks serve, and a multiple of what they
/// move at a time.
[[nodiscard]] std::vector<long long> padded(const runtime::EntryArguments& arguments, const Program& program,
                                            const HostPlan& plan);

class Numbers {
public:
    /// `extents` as a run is given them (entry_library.hpp); those of axes of parts follow from them. The program
    /// outlives it.
    Numbers(const Program& program, std::vector<long long> extents, const std::vector<double>& parameters);

    [[nodiscard]] const emit::InterfaceNames& names() const { return names_; }
    [[nodiscard]] const std::vector<long long>& extents() const { return extents_; }
    [[nodiscard]] long long extent(AxisId axis) const { return extents_.at(axis.index); }
    /// Streams.
    [[nodiscard]] long long elements() const { return extents_.at(0); }
    [[nodiscard]] std::uint64_t words(const Library& library, VariableId variable) const;

    void set_loop(LoopId loop, long long index);
    [[nodiscard]] long long loop(LoopId loop) const { return loops_.at(loop.index); }

    /// As the C++ that is printed of it computes it. `former`: in the former iteration of this loop.
    [[nodiscard]] kernel::HostNumber value(const Expression& expression, Precision precision = Precision::single,
                                           std::optional<LoopId> former = {}) const;
    [[nodiscard]] long long integer(const Expression& expression, std::optional<LoopId> former = {}) const;

private:
    const Program& program_;
    emit::InterfaceNames names_;
    std::vector<long long> extents_;
    std::map<std::string, kernel::HostNumber> fixed_;  ///< by name: parameters, and extents behind "args."
    std::vector<long long> loops_;                     ///< by loop
};

/// Why the plan does not run with these extents; empty: it does.
[[nodiscard]] std::string extents_fault(const runtime::EntryArguments& arguments, const Program& program,
                                        const HostPlan& plan, const Numbers& numbers);

}  // namespace kasc::execute
