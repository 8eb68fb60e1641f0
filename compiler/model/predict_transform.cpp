// A transform by the library: a pass over the data for every axis, each reading and writing all of it. The half
// spectrum of a real field of n cells has as many reals, so that a pass moves 2 n of them, and a transform over three
// axes 6 n.
#include <algorithm>
#include <cmath>

#include "model/parts.hpp"
#include "model/store_callbacks.hpp"

namespace kasc::model {

namespace {

/// cuFFT 12 on an H100, 3D real transforms: 1.28 ms at 512³ and 0.165 ms at 256³ where 6 words a cell at the copy rate
/// would take 1.06 and 0.133 ms.
constexpr double library_efficiency = 0.82;
/// Operations of a complex transform of n cells: 5 n log2 n; of a real one half as many (Cooley and Tukey, 1965).
constexpr double operations_a_cell = 2.5;

/// The order of a list: entries of a tile are counted, and placed with their cells, for each digit of eight bits of a
/// cell's number (support/kasc_order_kernels.cuh). What is placed lies in runs of some words: half the copy rate.
Prediction predict_order(const TransformStatement& statement, const Program& program, const Device& device,
                         const Problem& problem) {
    constexpr double digit_bits = 8, bytes_a_digit = 4 + 8 + 8, launches_a_digit = 3, placing_efficiency = 0.5;
    const auto entries = static_cast<double>(extent_of(problem, field_shape(program, statement.source).axes.front()));
    double cells = 1;
    for (const AxisId axis : statement.cells) cells *= static_cast<double>(extent_of(problem, axis));
    const bool sorts = statement.direction == Direction::order;
    const double digits = sorts ? std::ceil(std::log2(cells + 1) / digit_bits) : 1;
    Prediction p;
    p.global_bytes = entries * (sorts ? digits * bytes_a_digit : 2 * 4);
    p.global_ns = p.global_bytes / (device.copy_gb_s * (sorts ? placing_efficiency : 1));
    p.launch_ns = device.launch_us * 1000 * (sorts ? digits * launches_a_digit : 1);
    p.occupancy = 1;
    p.time_ns = p.launch_ns + p.global_ns;
    return p;
}

/// All of the array is one copy at most, which the exchange of its rim beside it is not: the model knows no network.
Prediction predict_renewal(const TransformStatement& statement, const Program& program, const Device& device,
                           const Problem& problem) {
    const FieldShape& shape = field_shape(program, statement.source);
    Prediction p;
    p.global_bytes = 2 * static_cast<double>(cell_bytes(shape.type));
    for (const AxisId axis : shape.axes) p.global_bytes *= static_cast<double>(extent_of(problem, axis));
    p.global_ns = p.global_bytes / device.copy_gb_s;
    p.launch_ns = device.launch_us * 1000;
    p.occupancy = 1;
    p.time_ns = p.launch_ns + p.global_ns;
    return p;
}

}  // namespace

Prediction predict_transform(const TransformSchedule& schedule, const Program& program, const Graph& graph,
                             const Device& device, const Problem& problem) {
    const auto& statement = std::get<Transform>(graph.nodes[schedule.transform].what).statement;
    if (orders(statement.direction)) return predict_order(statement, program, device, problem);
    if (statement.direction == Direction::renew) return predict_renewal(statement, program, device, problem);
    const FieldShape& source = field_shape(program, statement.source);
    const FieldShape& target = field_shape(program, statement.target);
    const bool real = !is_complex(source.type) || !is_complex(target.type);
    const FieldShape& whole = is_complex(source.type) ? target : source;  // a real side is never halved
    const auto length = [&](const FieldShape& shape, std::size_t k) { return extent_of(problem, shape.axes[k]); };
    double cells = 1, transformed = 1;
    for (std::size_t k = 0; k < whole.axes.size(); ++k) {
        const auto extent = static_cast<double>(length(whole, k));
        cells *= extent;
        if (std::find(statement.axes.begin(), statement.axes.end(), k) != statement.axes.end()) transformed *= extent;
    }
    const double bytes_a_pass = 2 * cells * static_cast<double>(cell_bytes(real ? whole.type : source.type));
    Prediction p;
    p.global_bytes = bytes_a_pass * static_cast<double>(statement.axes.size());
    p.flops = (real ? 1 : 2) * operations_a_cell * cells * std::log2(std::max(2.0, transformed));
    p.global_ns = p.global_bytes / (device.copy_gb_s * library_efficiency);
    // Lines along an axis in the middle take the library a call a plane.
    double calls = 1;
    if (statement.axes.front() > 0)
        for (std::size_t k = statement.axes.back() + 1; k < whole.axes.size(); ++k)
            calls *= static_cast<double>(length(whole, k));
    p.launch_ns = device.launch_us * 1000 * calls * static_cast<double>(statement.axes.size());
    p.occupancy = 1;
    if (schedule.stored) {
        // What the calls behind it would move in a kernel of their own, without the transform's result, which is
        // neither stored nor read.
        const Prediction alone = predict_field(*schedule.stored, program, graph, device, problem);
        double result = static_cast<double>(cell_bytes(target.type));
        for (std::size_t k = 0; k < target.axes.size(); ++k) result *= static_cast<double>(length(target, k));
        const double bytes = std::max(0.0, alone.global_bytes - 2 * result);
        const bool real_result = !is_complex(target.type);
        const auto cost = store_callback_cost(length(target, real_result ? 0 : target.axes.size() - 1), real_result);
        const double pass_ns = p.global_ns / static_cast<double>(statement.axes.size()),
                     bytes_ns = bytes / device.copy_gb_s;
        const double arrays = real_result ? 1 : static_cast<double>(schedule.stored->work->stores.size());
        p.global_bytes += bytes;
        p.flops += alone.flops;
        p.arithmetic_ns = alone.arithmetic_ns;
        p.global_ns += std::max(
            bytes_ns, cost.passes * arrays * pass_ns + cost.share * bytes_ns + callback_waits * alone.arithmetic_ns);
        p.launch_ns += device.launch_us * 1000;  // its arguments are written by a launch
    }
    p.time_ns = p.launch_ns + p.global_ns;
    return p;
}

}  // namespace kasc::model
