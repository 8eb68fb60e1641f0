#pragma once
// The machine itself.

#include <cstdint>
#include <string>

namespace kasc::runtime {

/// "AMD EPYC 9654 96-Core Processor, 16 cores": as the system names it, and how many of its cores this process may use.
[[nodiscard]] std::string cpu_name();
enum class MachineText { system, with_processor };
/// All that decides where code runs that was built here: architecture and C library; with the processor, what it is and
/// can. The same on machines alike.
[[nodiscard]] std::string machine_text(MachineText parts);
/// Memory that this process has had at a time, at most; 0 where the system does not tell.
[[nodiscard]] std::uint64_t peak_memory_bytes();
/// The path of the running executable; empty where the system does not tell.
[[nodiscard]] std::string own_executable();

}  // namespace kasc::runtime
