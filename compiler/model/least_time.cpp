// Of every choice of these calls the model says at least: launch + (memory⁴ + arithmetic⁴)^(1/4), the compulsory bytes
// at the copy rate and the operations at the device's peak; everything else only adds to that.

#include "graph/expand.hpp"
#include "model/parts.hpp"

namespace kasc {

double least_time_ns(const Fusion& fusion, const Program& program, const Graph& expanded, const Library& library,
                     const Device& device, const Problem& problem) {
    const auto n = static_cast<double>(problem.elements);
    double words = 0, flops = 0;
    for (const auto& values : {fusion.inputs, fusion.outputs}) {
        for (const ValueId v : values) {
            const auto& shape = std::get<StreamShape>(program.variables[expanded.values[v].variable].shape);
            words += library.types[shape.type].words;
        }
    }
    // Of a loop's calls one iteration: it may run no more.
    for (const NodeId call : functions_of(expanded, fusion.calls))
        flops += library.functions[std::get<StreamCall>(expanded.nodes[call].what).callee].flops;
    const double peak = device.fp32_per_clock / 2 * device.clock_ghz * device.multiprocessors;
    const double memory_ns = 4 * words * n / device.copy_gb_s, arithmetic_ns = flops * n / peak;
    const bool cpu = device.kind == DeviceKind::cpu;
    return device.launch_us * 1000 +
           (cpu ? std::max(memory_ns, arithmetic_ns) : model::together({memory_ns, arithmetic_ns}));
}

}  // namespace kasc
