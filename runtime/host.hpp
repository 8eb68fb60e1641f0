#pragma once
// The machine itself.

#include <string>

namespace kasc::runtime {

/// "AMD EPYC 9654 96-Core Processor, 16 cores": as the system names it, and how many of its cores this process may use.
[[nodiscard]] std::string cpu_name();
/// At least 1.
[[nodiscard]] int usable_cores();
/// The path of the running executable; empty where the system does not tell.
[[nodiscard]] std::string own_executable();

}  // namespace kasc::runtime
