#pragma once

namespace kasc::emit {

/// What emitted files are for. cpu_checking is the CPU target with seeded adversarial thread order, shadowed shared
/// memory, bounds and uninitialised reads checked: it runs any plan, those made for a GPU above all.
enum class Target { cuda, cpu, cpu_checking };

/// The blocks that a launch of a CUDA kernel runs. shared: others run on other devices. The kernel's last argument, an
/// int3, says the first of its own; of kernels that have a span along its dimension alone.
enum class Blocks { all, shared };

}  // namespace kasc::emit
