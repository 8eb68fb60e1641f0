#include "execute/launch_values.hpp"

#include <algorithm>
#include <stdexcept>

#include "frontend/expression_parts.hpp"

namespace kasc::execute {

kernel::HostNumber scalar_of(const kernel::Parameter& p, const Numbers& numbers, bool riding) {
    kernel::HostNumber number;
    if (std::holds_alternative<kernel::ElementCount>(p.source)) {
        number = kernel::host_integer(numbers.elements());
    } else if (const auto* extent = std::get_if<kernel::AxisExtent>(&p.source)) {
        number = kernel::host_integer(numbers.extent(extent->axis));
    } else if (const auto* cells = std::get_if<kernel::RiderCells>(&p.source)) {
        number = kernel::host_integer(!riding ? 0 : cells->axis ? numbers.extent(*cells->axis) : 1);
    } else {
        const Precision precision = p.type == kernel::Type::f64 ? Precision::dual : Precision::single;
        number = numbers.value(*std::get<kernel::HostExpression>(p.source).expression, precision, p.former);
    }
    return kernel::convert(number, p.type);
}

bool moves(const kernel::Parameter& p) {
    if (std::holds_alternative<kernel::RiderCells>(p.source)) return true;
    const auto* host = std::get_if<kernel::HostExpression>(&p.source);
    return host != nullptr && uses_loop(*host->expression);
}

const kernel::Kernel& chosen(const kernel::Lowered& lowered, const Numbers& numbers) {
    const auto fits = [&](const kernel::Kernel& k) {
        return !k.requirement || k.requirement->holds(numbers.extents());
    };
    const auto first = std::find_if(lowered.alternatives.begin(), lowered.alternatives.end(), fits);
    return first != lowered.alternatives.end() ? *first : lowered.alternatives.back();
}

ranks::Grid grid_of(const kernel::Kernel& kernel, const std::function<kernel::HostNumber(const std::string&)>& named) {
    const auto blocks = [&](std::size_t d) { return kernel::host_value(kernel.grid.at(d), named).as_integer(); };
    return {blocks(0), blocks(1), blocks(2)};
}

namespace {

kernel::HostNumber scalar_named(const kernel::Kernel& kernel, const std::string& name, const Numbers& numbers) {
    const auto p = std::find_if(kernel.parameters.begin(), kernel.parameters.end(),
                                [&](const kernel::Parameter& q) { return q.name == name && !q.is_array(); });
    if (p == kernel.parameters.end()) throw std::logic_error("a grid asks for " + name);
    return scalar_of(*p, numbers, true);
}

}  // namespace

ranks::Grid grid_of(const kernel::Kernel& kernel, const Numbers& numbers) {
    return grid_of(kernel, [&](const std::string& name) { return scalar_named(kernel, name, numbers); });
}

long long number_of(const kernel::Kernel& kernel, const kernel::ExprRef& expression, const Numbers& numbers) {
    const auto named = [&](const std::string& name) { return scalar_named(kernel, name, numbers); };
    return kernel::host_value(expression, named).as_integer();
}

}  // namespace kasc::execute
