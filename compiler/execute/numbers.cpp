#include "execute/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"

namespace kasc::execute {

using kernel::HostNumber;

std::vector<long long> padded(const runtime::EntryArguments& arguments, const Program& program, const HostPlan& plan) {
    std::vector<long long> extents = arguments.extents;
    if (!has_streams(program)) return extents;
    const long long fewest = std::max({extents.at(0), 1LL, static_cast<long long>(plan.minimum_elements)});
    extents[0] = (fewest + plan.element_multiple - 1) / plan.element_multiple * plan.element_multiple;
    return extents;
}

Numbers::Numbers(const Program& program, std::vector<long long> extents, const std::vector<double>& parameters)
    : program_(program),
      names_(emit::interface_names(program)),
      extents_(std::move(extents)),
      loops_(program.loops.size(), 0) {
    extents_.resize(std::max(extents_.size(), program.axes.size()), 1);
    for (const AxisId axis : program.axes.ids()) {
        const auto& parts = program.axes[axis].parts;
        if (!parts) continue;
        long long cells = 1;
        for (const AxisId folded : parts->of) cells *= extents_.at(folded.index);
        extents_.at(axis.index) = part_count(cells, *parts);
    }
    for (const AxisId axis : program.axes.ids())
        fixed_["args." + names_.extents.at(axis.index)] = kernel::host_integer(extents_[axis.index]);
    for (const AxisId axis : program.axes.ids()) {
        const Axis& own = program.axes[axis];
        if (!own.own || own.parts) continue;
        extents_[axis.index] = integer(*own.fallback_extent);
        fixed_["args." + names_.extents.at(axis.index)] = kernel::host_integer(extents_[axis.index]);
    }
    for (const ParameterId id : program.parameters.ids()) {
        const kasc::Parameter& p = program.parameters[id];
        const double value = parameters.at(id.index);
        const bool dual = p.precision == Precision::dual;
        fixed_[names_.local.parameters.at(id.index)] =
            p.kind == ScalarKind::integer
                ? kernel::host_integer(static_cast<std::int64_t>(value), kernel::Type::i32)
                : kernel::host_real(dual ? value : static_cast<float>(value), kernel::real_type(p.precision));
    }
}

std::uint64_t Numbers::words(const Library& library, VariableId variable) const {
    const auto& shape = program_.variables[variable].shape;
    if (const auto* stream = std::get_if<StreamShape>(&shape))
        return static_cast<std::uint64_t>(elements()) * static_cast<std::uint64_t>(library.types[stream->type].words);
    std::uint64_t product = 1;
    for (const AxisId axis : std::get<FieldShape>(shape).axes) product *= static_cast<std::uint64_t>(extent(axis));
    return product;
}

void Numbers::set_loop(LoopId loop, long long index) { loops_.at(loop.index) = index; }

HostNumber Numbers::value(const Expression& expression, Precision precision, std::optional<LoopId> former) const {
    const auto named = [&](const std::string& name) {
        if (const auto at = fixed_.find(name); at != fixed_.end()) return at->second;
        const auto& loops = names_.local.loops;
        const auto loop = std::find(loops.begin(), loops.end(), name);
        if (loop == loops.end()) throw std::logic_error("a host plan asks for " + name);
        const auto k = static_cast<std::size_t>(loop - loops.begin());
        const int back = former && former->index == k ? program_.loops[*former].by : 0;
        return kernel::host_integer(loops_[k] - back, kernel::Type::i32);
    };
    return kernel::host_value(emit::host_expression(expression, names_, precision), named);
}

long long Numbers::integer(const Expression& expression, std::optional<LoopId> former) const {
    return value(expression, Precision::single, former).as_integer();
}

std::string extents_fault(const runtime::EntryArguments& arguments, const Program& program, const HostPlan& plan,
                          const Numbers& numbers) {
    for (const auto& [axis, length] : lengths_of(plan))
        if (numbers.extent(axis) != length)
            return fmt::format("axis {} has {} cells: the kernels are made for {}", program.axes[axis].name,
                               numbers.extent(axis), length);
    constexpr long long most = std::numeric_limits<int>::max();
    if (has_streams(program)) {
        const long long fewest = std::max(1, plan.minimum_elements), given = arguments.extents.at(0);
        if (given < 1) return "no elements";
        if (numbers.elements() < fewest || numbers.elements() > most - fewest)
            return fmt::format("{} elements: this call takes from {} to 2^31 of them", given, fewest);
        return {};
    }
    for (const AxisId axis : program.axes.ids()) {
        const Axis& a = program.axes[axis];
        const long long cells = numbers.extent(axis);
        const std::string& name = numbers.names().extents.at(axis.index);
        if (!a.parts && (cells < 1 || cells > most - 1024)) return fmt::format("extent {} is {}", name, cells);
        if (a.half_of && cells != numbers.extent(*a.half_of) / 2 + 1)
            return fmt::format("extent {} is {}: half a spectrum has {}", name, cells,
                               numbers.extent(*a.half_of) / 2 + 1);
    }
    return {};
}

}  // namespace kasc::execute
