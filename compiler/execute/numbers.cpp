#include "execute/numbers.hpp"

#include <algorithm>
#include <stdexcept>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"

namespace kasc::execute {

using kernel::HostNumber;

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
        return kernel::host_integer(loops_[k] - (former && former->index == k ? 1 : 0), kernel::Type::i32);
    };
    return kernel::host_value(emit::host_expression(expression, names_, precision), named);
}

long long Numbers::integer(const Expression& expression, std::optional<LoopId> former) const {
    return value(expression, Precision::single, former).as_integer();
}

}  // namespace kasc::execute
