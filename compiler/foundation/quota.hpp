#pragma once
// What control groups, as of a container, give a process of the cores that it may run on.

#include <filesystem>
#include <optional>

namespace kasc {

/// The cores whose time the control groups of a process pay for, rounded up: the least of `cpu.max` (version 2) or
/// `cpu.cfs_quota_us` (version 1) of its group and those around it. `membership`: /proc/self/cgroup; `groups`: where
/// the groups are mounted. None: as many as there are.
[[nodiscard]] std::optional<int> cores_of_quota(const std::filesystem::path& membership = "/proc/self/cgroup",
                                                const std::filesystem::path& groups = "/sys/fs/cgroup");

}  // namespace kasc
