#pragma once
// Registers of a multiprocessor, of a thread at most, and by how many they are given (CUDA C++ Programming Guide, CUDA
// occupancy calculator; all devices from sm_80 on).

namespace kasc {

inline constexpr int registers_of_multiprocessor = 65536, most_registers_of_thread = 255;
/// What a warp is given is given to so many warps together, and to a thread in so many registers.
inline constexpr int warps_given_together = 4, registers_given_together = 8;

}  // namespace kasc
